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
from attnflow.cbo import OBJECTIVES, minimise
from attnflow.draw.style import RC
from attnflow.low_temperature import check_concentration

plt.rcParams.update(RC)

# %%
# Tokens and their limit
# ----------------------
# :math:`V = \mathrm{diag}(1, 0.4)` and :math:`B = I`: the limit sends every token to one of the two ends of the first axis.

V = np.diag([1.0, 0.4])
limit = af.LowTemperatureLimit(V)
mu = af.uniform_sphere(200, 2, seed=1, sampling="sobol")
ts = np.linspace(0.05, 8.0, 160)
cold = limit.flow(np.asarray(mu.x), ts)
print("targets", limit.atoms.tolist(), " masses", np.round(limit.masses(mu), 3))
print(limit.rates().words)

# %%
# At finite β tokens first approach that target, the closer the larger β is, and then leave it: the limits
# :math:`\beta\to\infty` and :math:`t\to\infty` do not commute. The two ends are one cluster in the end.

seen = check_concentration(V, x=np.asarray(mu.x), betas=[4.0, 16.0, 64.0], until=8.0, save=41)
fig, ax = plt.subplots(figsize=(6, 3.2), layout="constrained")
for beta, row in zip(seen.betas, seen.to_target):
    ax.semilogy(seen.ts, row, label=rf"$\beta = {beta:g}$")
ax.set(xlabel="time $t$", ylabel=r"$W_2(\mu_t^\beta, \mu_\infty)$")
ax.legend()
for beta, best, when in zip(seen.betas, seen.best, seen.best_times):
    print(f"beta = {beta:4g}   nearest to the target at t = {when:.1f}, distance {best:.4f}")

# %%
# How fast is the limit reached at a fixed time? For a smooth first law the distance of equal tokens falls like
# :math:`1/\beta`; the published bound gives :math:`\beta^{-1/2}` up to a logarithm.

power = seen.exponent(1.0)
print(f"distance to the limit at t = 1 goes as beta to the {power.value:.2f}  (95 %: {power.low:.2f} to {power.high:.2f})")

# %%
# Attention with an objective: four minima at once
# ------------------------------------------------
# Consensus-based optimisation lets particles move to a weighted mean of all, with weights :math:`e^{-\alpha f}`. A kernel
# makes it *polarised*: a particle listens to those near it, so that several minima are found together. Himmelblau's
# function has four.

f = OBJECTIVES["himmelblau"]
start = np.random.default_rng(0).uniform(-6, 6, size=(200, 2))
found = {
    "everyone listens to everyone": minimise(af.CBO(f, alpha=10.0, sigma=0.3), start, steps=400),
    "polarised, width 1": minimise(af.CBO(f, "gaussian", kappa=1.0, alpha=10.0, sigma=0.3), start, steps=400),
}

fig, axes = plt.subplots(1, 2, figsize=(8, 3.7), layout="constrained", sharey=True)
grid = np.stack(np.meshgrid(np.linspace(-6, 6, 120), np.linspace(-6, 6, 120)), axis=-1)
for ax, (name, result) in zip(axes, found.items()):
    ax.contour(*np.moveaxis(grid, 2, 0), np.log1p(np.asarray(f(grid))), levels=14, colors="0.8", linewidths=0.7)
    ax.scatter(*start.T, s=4, color="C5")
    ax.scatter(*result.particles[0].T, s=18, color="C1")
    ax.scatter(*f.minima(2).T, marker="+", s=120, color="k")
    ax.set(title=name, xlabel="$x_1$", aspect="equal")

for name, result in found.items():
    near = np.linalg.norm(result.particles[0][:, None] - f.minima(2), axis=2) < 0.2
    print(f"{name}: minima found {int(near.any(axis=0).sum())} of 4, best value {result.value[0]:.1e}")
plt.show()
