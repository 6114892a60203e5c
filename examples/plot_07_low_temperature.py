r"""
Low temperature, and consensus-based optimisation
=================================================

As :math:`\beta\to\infty` a token hears only those nearest to where it looks, and in the limit tokens stop interacting: each
follows a linear flow, :math:`\dot x = \Pi_x V B^\top x/|B^\top x|`, to the leading eigenspace of :math:`A = VB^\top` (Bruno,
Pasqualotto, Agazzi 2025, arXiv 2509.25040; Alcalde, Bungert, Riedl, Roith 2026, arXiv 2605.10931). The same softmax average,
with an objective in the exponent, is consensus-based optimisation.
"""

import jax

jax.config.update("jax_enable_x64", True)

import matplotlib.pyplot as plt
import numpy as np

import attnflow as af
from attnflow.draw.style import RC
from attnflow.theory.cbo import OBJECTIVES, minimise

plt.rcParams.update(RC)

# %%
# Tokens and their limit
# ----------------------
# :math:`V = \mathrm{diag}(1, 0.4)` and :math:`B = I`: the limit sends every token to one of the two ends of the first axis.

V = np.diag([1.0, 0.4])
limit = af.LowTemperatureLimit(V)
mu = af.uniform_sphere(4096, 2, sampling="sobol", seed=1)
print("targets", limit.atoms.tolist(), " masses", np.round(limit.masses(mu), 3).tolist())
print(limit.rates().words)

# %%
# How near is a finite β? By how much tokens are off the limit at t = 2, against where they began. ``limit.flow`` is a
# closed form. With exact sums β is data, and all runs share one compiled program.

t, betas = 2.0, np.array([4.0, 8.0, 16.0, 32.0])
start = np.asarray(mu.x)
end = limit.flow(start, [t])[0]
flows = {b: af.Flow(af.Sphere(), af.Softmax(beta=b), V=V) for b in betas}
runs = {b: af.evolve(flow, mu, until=t, save=[0.0, t], summation="exact").last.x for b, flow in flows.items()}


def angle(x):
    return np.arctan2(x[:, 1], x[:, 0])


fig, axes = plt.subplots(1, 2, figsize=(8.4, 3.3), layout="constrained")
order = np.argsort(angle(start))
for b in (4.0, 8.0, 32.0):
    ahead = angle(np.asarray(runs[b])) - angle(end)
    axes[0].plot(angle(start)[order], ahead[order], lw=1.2, label=rf"$\beta = {b:g}$")
axes[0].set(xlabel="angle at $t = 0$", ylabel="angle of run − limit, $t = 2$")
axes[0].legend()
distance = np.array([np.sqrt(np.mean(np.sum((np.asarray(runs[b]) - end) ** 2, axis=1))) for b in betas])
axes[1].loglog(betas, distance, "o-", label="runs")
axes[1].loglog(betas, distance[-1] * betas[-1] / betas, "k--", lw=1, label=r"$1/\beta$")
axes[1].set(xlabel=r"$\beta$", ylabel="distance from the limit at $t = 2$")
axes[1].set_xticks(betas, [f"{b:g}" for b in betas], minor=False)
axes[1].minorticks_off()
axes[1].legend()

# %%
# For a smooth first law the distance falls more and more like :math:`1/\beta`; the published bound is
# :math:`\beta^{-1/2}` up to a logarithm. The limits :math:`\beta\to\infty` and :math:`t\to\infty` do not commute: at any
# finite β all tokens may still meet in the end, so that the target is not "the limit of attention".

slopes = np.diff(np.log(distance)) / np.diff(np.log(betas))
print("slopes between neighbouring β:", np.round(slopes, 2).tolist())

# %%
# Attention with an objective: four minima at once
# ------------------------------------------------
# Consensus-based optimisation lets particles move to a weighted mean of all, with weights :math:`e^{-\alpha f}`. A kernel
# makes it *polarised*: a particle listens to those near it, so that several minima can be found together. Himmelblau's
# function has four (circles).

f = OBJECTIVES["himmelblau"]
start = np.random.default_rng(0).uniform(-6, 6, size=(300, 2))
found = {
    "everyone listens to everyone": minimise(af.CBO(f, alpha=10.0, sigma=0.3), start, steps=400),
    "polarised, width 1": minimise(af.CBO(f, "gaussian", kappa=1.0, alpha=10.0, sigma=0.3), start, steps=400),
}

fig, axes = plt.subplots(1, 2, figsize=(8, 3.7), layout="constrained", sharey=True)
grid = np.stack(np.meshgrid(np.linspace(-6, 6, 120), np.linspace(-6, 6, 120)), axis=-1)
for ax, (name, result) in zip(axes, found.items()):
    ax.contour(*np.moveaxis(grid, 2, 0), np.log1p(np.asarray(f(grid))), levels=14, colors="0.8", linewidths=0.7)
    ax.scatter(*start.T, s=4, color="C5")
    ax.scatter(*f.minima(2).T, marker="o", s=160, facecolor="none", edgecolor="k")
    ax.scatter(*result.particles[0].T, s=30, color="C1", zorder=3)
    ax.set(title=name, xlabel="$x_1$", aspect="equal")

for name, result in found.items():
    near = np.linalg.norm(result.particles[0][:, None] - f.minima(2), axis=2) < 0.2
    print(f"{name}: minima found {int(near.any(axis=0).sum())} of 4, best value {result.value[0]:.1e}")
plt.show()
