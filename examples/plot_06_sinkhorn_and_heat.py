r"""
Sinkhorn attention, heat flow and scores of data
================================================

Attention normalised on rows *and* columns is an entropic optimal transport of the tokens to themselves. One such layer,
:math:`x \leftarrow 2x - \mathrm{bary}(x)`, is a step of length :math:`\varepsilon` of the heat equation
:math:`\partial_t\rho = \tfrac12\Delta\rho` (Sander et al. 2022, arXiv 2110.11773; Agarwal et al. 2024, arXiv 2406.10823), and
:math:`2(\mathrm{bary}(x) - x)/\varepsilon` estimates the score :math:`\nabla\log\rho`.
"""

import jax

jax.config.update("jax_enable_x64", True)

import matplotlib.pyplot as plt
import numpy as np

import attnflow as af
from attnflow.draw.style import RC
from attnflow.theory.heat import GaussianMixture, score_field

plt.rcParams.update(RC)

# %%
# One layer, certified
# --------------------
# ``self_transport`` scales the kernel :math:`e^{-|x-y|^2/2\varepsilon}` until rows and columns have the right sums. Its
# certificates are numbers that vanish for an exact solution.

law = GaussianMixture([0.5, 0.3, 0.2], [[-2.0, 0.0], [1.5, 1.5], [1.5, -1.5]], [0.5, 0.3, 0.3])
mu = af.Particles(law.sample(3000, seed=1))
plan = af.self_transport(mu, 0.2)
print(plan.certificates)

# %%
# Heat flow of three thousand tokens
# ----------------------------------
# ``bridge`` takes such steps again and again. Along the heat equation each variance grows by exactly t.

run = af.bridge(mu, 0.2, until=2.0)
spread = np.trace(np.cov(np.asarray(run.last.x).T, bias=True)) - np.trace(np.cov(np.asarray(mu.x).T, bias=True))
print(f"growth of the trace {spread:.3f}; the heat equation says {2 * 2.0}")

fig, axes = plt.subplots(1, 2, figsize=(8, 3.6), layout="constrained", sharex=True, sharey=True)
grid = np.stack(np.meshgrid(np.linspace(-6, 6, 90), np.linspace(-5, 5, 90)), axis=-1)
for ax, k in zip(axes, (0, -1)):
    t = float(run.ts[k])
    density = law.heat(t).density(grid.reshape(-1, 2)).reshape(90, 90)
    ax.contourf(*np.moveaxis(grid, 2, 0), density, levels=12, cmap="Blues")
    ax.scatter(*np.asarray(run.x[k]).T, s=1, color="C1")
    ax.set(title=f"tokens on the exact density, t = {t:g}", xlabel="$x_1$", ylabel="$x_2$", xlim=(-6, 6), ylim=(-5, 5))

# %%
# The score of data
# -----------------
# From the sample alone, without a model: compare with the exact score of the mixture. Small ε sees noise, large ε blurs.

fig, ax = plt.subplots(figsize=(5.5, 4), layout="constrained")
points = np.stack(np.meshgrid(np.linspace(-3.5, 3, 14), np.linspace(-2.8, 2.8, 12)), axis=-1).reshape(-1, 2)
estimate = score_field(mu, 0.2)
ax.scatter(*np.asarray(mu.x).T, s=1, color="0.8")
ax.quiver(*points.T, *law.score(points).T, color="C0", scale=90, width=0.006)
ax.quiver(*points.T, *estimate(points).T, color="C1", scale=90, width=0.003)
ax.set(xlabel="$x_1$", ylabel="$x_2$", title="scores: exact (blue), from the sample (orange)")

exact = law.score(np.asarray(mu.x))
for eps in (0.02, 0.05, 0.1, 0.2, 0.5, 1.0):
    found = score_field(mu, eps)
    error = np.sqrt(np.mean(np.sum((found.at_tokens - exact) ** 2, axis=1)) / np.mean(np.sum(exact**2, axis=1)))
    print(f"eps = {eps:<5g} relative error {error:.2f}  {'; '.join(found.notes)}")

# %%
# As a rule of attention
# ----------------------
# The same normalisation is a rule like any other, for any matrix B and in any flow. Its attention matrix is doubly
# stochastic, so that no token is overheard: all columns have the same sum.

flow = af.Flow(af.Euclidean(), af.Sinkhorn(eps=0.5))
P = af.attention_matrix(flow, af.Particles(mu.x[:200]))
print("rows", np.ptp(P.sum(axis=1)), " columns", np.ptp(P.sum(axis=0)))
plt.show()
