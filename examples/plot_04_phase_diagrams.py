r"""
Phase diagrams by sweeps
========================

When have tokens met? A *sweep* runs one scenario for every combination of values on some axes and measures each run. Cells
of equal shape run side by side as one compiled batch, so that hundreds of runs cost a few seconds.
"""

import jax

jax.config.update("jax_enable_x64", True)

import matplotlib.pyplot as plt
import numpy as np

import attnflow as af
from attnflow.draw.style import RC

plt.rcParams.update(RC)

# %%
# A scenario is plain data
# ------------------------
# It is the content of a TOML file, as a dictionary: 32 tokens in 64 dimensions, where random tokens are nearly orthogonal.

scenario = {
    "tokens": {"kind": "sphere", "n": 32, "d": 64},
    "attention": {"rule": "softmax"},
    "time": {"until": 12.0, "save": 61, "tol": 1e-6},
}

# %%
# Temperature against time
# ------------------------
# Nineteen temperatures, six prompts each: 114 runs. ``cosine(t)`` is the mean cosine of pairs at every saved time,
# ``time_to(cosine>=0.9)`` the first saved time at which it exceeds 0.9 (infinite if it never does).

swept = af.sweep(
    scenario,
    {"attention.beta": {"linspace": [0, 9, 19]}},
    measure=["cosine(t)", "time_to(cosine>=0.9)"],
    repeat=6,
    on="serial",
)
print(swept)

# %%
# The result is an xarray data set, so means over prompts are one word.

mean = swept["cosine(t)"].mean("seed")
fig, ax = plt.subplots(figsize=(6, 3.4), layout="constrained")
drawn = ax.pcolormesh(swept["time"], swept["attention.beta"], mean, shading="nearest", vmin=0, vmax=1)
ax.contour(swept["time"], swept["attention.beta"], mean, [0.9], colors="w")
ax.set(xlabel="time $t$", ylabel=r"$\beta$")
fig.colorbar(drawn, label="mean cosine of pairs (line: 0.9)")

# %%
# Theory beside it
# ----------------
# Orthogonal tokens stay symmetric: all cosines are one number :math:`\rho(t)`, which solves a scalar equation with a clock
# in closed form (Geshkovski et al., arXiv 2312.10794, theorem 6.8). Random tokens follow it closely at small β. At β = 6 they
# are ahead: in 64 dimensions their first cosines are not zero, and cold attention makes much of small differences.

from attnflow.theory.sphere.equiangular import cosine

fig, ax = plt.subplots(figsize=(6, 3.4), layout="constrained")
for colour, k in enumerate((0, 6, 12, 18)):
    beta = float(swept["attention.beta"][k])
    ts = swept["time"].values
    ax.plot(ts, mean[k], color=f"C{colour}", label=rf"$\beta = {beta:g}$")
    ax.plot(ts, cosine(ts, n=32, beta=beta), color=f"C{colour}", ls="--")
ax.set(xlabel="time $t$", ylabel="mean cosine", title="random tokens (solid), orthogonal tokens (dashed)")
ax.legend()

# %%
# The spread over prompts, as a table.

times = swept["time_to(cosine>=0.9)"]
for beta, row in list(zip(swept["attention.beta"].values, times.values))[::3]:
    met = row[np.isfinite(row)]
    when = f" at t = {met.mean():.2f} ± {met.std(ddof=1):.2f}" if len(met) > 1 else ""
    print(f"beta = {beta:3.1f}   {len(met)} of {len(row)} prompts pass 0.9{when}")

# %%
# The same from the command line, on several cores or a cluster, with what is done kept if it is stopped::
#
#     attnflow sweep default --over attention.beta=0:9:19 --over seed=0:6 --measure "cosine(t)" --out out/phases
plt.show()
