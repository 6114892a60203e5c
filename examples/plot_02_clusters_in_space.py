r"""
Clusters in space, with certified limits
========================================

Without layer normalisation tokens run away like :math:`e^{tV}`. Seen through :math:`z = e^{-tV}x` they converge, and where
to depends on :math:`V` alone: corners of a polytope when :math:`V = I`, a few parallel planes when one eigenvalue leads
(Geshkovski, Letrouit, Polyanskiy, Rigollet 2023, arXiv 2305.05465).
"""

import jax

jax.config.update("jax_enable_x64", True)

import matplotlib.pyplot as plt
import numpy as np

import attnflow as af
from attnflow.draw.diagrams.leaders import draw_leaders
from attnflow.draw.style import RC

plt.rcParams.update(RC)

# %%
# Corners of a polytope
# ---------------------
# ``rescale`` turns a flow into the flow of z. ``limit`` integrates until it can prove where every token ends: it returns
# the limits, the *leader* that each token ends on, and a certificate with a bound on the error.

mu = af.gaussian_tokens(40, 2, seed=1)
flow = af.Flow(af.Euclidean(), af.Softmax(), V=1.0)
run = af.evolve(af.rescale(flow), mu, until=15.0, save=301)
end = af.limit(flow, mu)

print(end.words)
print(f"proved at t = {end.certificate.time:.1f}: no limit is off by more than {end.certificate.error:.0e}")
print(f"largest distance of the run from its limits: {np.abs(np.asarray(run.last.x) - end.z).max():.0e}")

# %%
# Leaders are the corners; every other token ends on one of them, or on a face between them. Paths have the colour of the
# leader that a token ends with.

fig, ax = plt.subplots(figsize=(5, 4.4), layout="constrained")
draw_leaders(ax, run, leaders=end.leaders)
ax.scatter(*np.asarray(mu.x).T, s=10, color="0.6", label="tokens at $t = 0$", zorder=2)
ax.set(xlabel="$z_1$", ylabel="$z_2$", aspect="equal")
ax.legend()

# %%
# Attention in the limit is a 0–1 matrix wherever a token has one leader: it has *low rank*, at most the number of leaders.

P = end.P
print(f"{len(end.vertices)} leaders; rank of the limit matrix {np.linalg.matrix_rank(P, tol=1e-8)} of {len(P)}")

# %%
# Parallel planes
# ---------------
# When V has a single leading eigenvalue, only the coordinate :math:`\varphi_1^*(z)` along its left eigenvector is
# forced: it takes at most three values in the limit, while tokens remain spread out inside these planes.

V = np.diag([1.0, -0.1])
mu = af.gaussian_tokens(60, 2, seed=3)
flow = af.Flow(af.Euclidean(), af.Softmax(), V=V)
run, end = af.evolve(af.rescale(flow), mu, until=15.0, save=201), af.limit(flow, mu)
print(end.words)
print("planes at", np.round(end.planes, 6), " certificate:", end.certificate.words)

fig, axes = plt.subplots(1, 2, figsize=(8, 3), layout="constrained")
axes[0].plot(run.ts, run.x[:, :, 0], lw=0.7, color="C0")
axes[0].set(xlabel="time $t$", ylabel=r"$\varphi_1^*(z) = z_1$")
axes[1].scatter(*np.asarray(mu.x).T, s=10, color="0.6", label="$t = 0$")
axes[1].scatter(*np.asarray(run.last.x).T, s=16, color="C0", label="$t = 15$")
for plane in end.planes:
    axes[1].axvline(plane, color="C1", lw=0.8, zorder=0)
axes[1].set(xlabel="$z_1$", ylabel="$z_2$")
axes[1].legend(loc="upper center")

# %%
# Theory against run
# ------------------
# ``check`` asks every theorem whose hypotheses hold at the start of the run.

for found in af.check(run):
    print(f"{found.outcome:>10}  {found.claim}: {found.words}")
plt.show()
