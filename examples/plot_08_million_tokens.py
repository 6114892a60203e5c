r"""
A million tokens
================

A velocity is a sum over all pairs of tokens: :math:`10^{12}` terms for a million of them. In dimension d ≤ 3 attnflow does it
in O(n) by non-uniform Fourier transforms, and checks the error of every token.
"""

import time

import jax

jax.config.update("jax_enable_x64", True)

import matplotlib.pyplot as plt
import numpy as np

import attnflow as af
from attnflow.draw.style import RC

plt.rcParams.update(RC)

# %%
# One velocity
# ------------
# ``summation="auto"``, the default, takes the exact sum below 2,048 tokens and beyond whatever is expected to be faster;
# "fast" and "exact" ask for one of them by name. A single velocity is held to :math:`10^{-10}`.

flow = af.Flow(af.Sphere(), af.Softmax(beta=81.0))
million = af.uniform_sphere(1_000_000, 2, seed=1)
v = af.velocity(flow, million).block_until_ready()  # the first call compiles
begin = time.perf_counter()
v = af.velocity(flow, million).block_until_ready()
print(f"a million tokens: {time.perf_counter() - begin:.2f} s for one velocity")

# %%
# The exact sum of all of them would take minutes; of the first fifty listeners it is quick, and independent: plain
# NumPy, a listener at a time.

x = np.asarray(million.x)
worst = 0.0
for i in range(50):
    weights = np.exp(81.0 * (x @ x[i] - 1.0))
    mean = weights @ x / weights.sum()
    worst = max(worst, np.abs(mean - (mean @ x[i]) * x[i] - np.asarray(v[i])).max())
print(f"largest error of fifty listeners: {worst:.1e}; velocities are up to {np.abs(v).max():.1e}")

# %%
# How the cost grows
# ------------------

sizes = [2_000, 16_000, 128_000]
fast, exact = [], []
for n in sizes:
    mu = af.Particles(million.x[:n])
    for name, times in (("fast", fast), ("exact", exact)):
        if name == "exact" and n > 20_000:
            continue
        af.velocity(flow, mu, summation=name).block_until_ready()
        begin = time.perf_counter()
        af.velocity(flow, mu, summation=name).block_until_ready()
        times.append(time.perf_counter() - begin)

fig, ax = plt.subplots(figsize=(5.5, 3.2), layout="constrained")
ax.loglog(sizes, fast, "o-", label="fast, O(n)")
ax.loglog(sizes[: len(exact)], exact, "s-", label="exact, O(n²)")
ax.set(xlabel="tokens n", ylabel="seconds per velocity")
ax.legend()

# %%
# A run
# -----
# 50,000 tokens on the circle to t = 8. In a run the sums are held a hundred times below ``tol``. The histogram is the law
# of the tokens: a uniform crowd gathers in clusters, about one for every :math:`2\pi/\sqrt{2\beta}` of the circle.

crowd = af.Particles(million.x[:50_000])
run = af.evolve(flow, crowd, until=8.0, save=41, tol=1e-6, method="tsit5")
print(run.status, "after", int(run.steps), "steps")

angles = np.arctan2(*np.moveaxis(np.asarray(run.x), 2, 0)[::-1])
law = np.stack([np.histogram(row, bins=360, range=(-np.pi, np.pi), density=True)[0] for row in angles])
fig, ax = plt.subplots(figsize=(6.5, 3.4), layout="constrained")
drawn = ax.pcolormesh(run.ts, np.linspace(-np.pi, np.pi, 361), np.log10(np.maximum(law.T[:, 1:], 1e-3)))
ax.set(xlabel="time $t$", ylabel="angle")
fig.colorbar(drawn, label="log10 density")
plt.show()
