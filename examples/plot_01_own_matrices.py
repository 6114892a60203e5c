r"""
Your own V, B and tokens
========================

A flow is three choices: where tokens live, who listens to whom, and what is done with what was heard.

.. math:: \dot x_i = \Pi_{x_i}\Big(V \sum_j P_{ij}\, x_j\Big), \qquad P_{ij} = \frac{m_j\, e^{\beta\langle x_i, B x_j\rangle}}
          {\sum_k m_k\, e^{\beta\langle x_i, B x_k\rangle}}

The score matrix :math:`B = Q^\top K` and the value matrix :math:`V` may be any matrices; here is what they do to the same
forty tokens on the circle.
"""

import jax

jax.config.update("jax_enable_x64", True)  # attnflow changes nothing global: 64-bit numbers are yours to ask for

import matplotlib.pyplot as plt
import numpy as np

import attnflow as af
from attnflow.draw.diagrams.circle_time import draw_circle_time
from attnflow.draw.style import RC

plt.rcParams.update(RC)

# %%
# Tokens
# ------
# Any array of shape (n, d) is a prompt. Lengths are yours in :math:`\mathbb R^d`; on the sphere ask for unit rows.
# Masses are shares, so they need not add up to 1.

rng = np.random.default_rng(0)
mu = af.from_array(rng.normal(size=(40, 2)), normalise=True, mass=rng.uniform(1, 2, size=40))
print(mu)

# %%
# Three value matrices
# --------------------
# A number stands for that multiple of the identity. With :math:`V = I` a token moves towards what it hears, with
# :math:`V = -I` away from it, and a rotation carries the whole crowd around while it gathers.

angle = np.pi / 6
rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
flows = {
    "V = I": af.Flow(af.Sphere(), af.Softmax(beta=4.0)),
    "V = −I": af.Flow(af.Sphere(), af.Softmax(beta=4.0), V=-1.0),
    "V = rotation by 30°": af.Flow(af.Sphere(), af.Softmax(beta=4.0), V=rotation),
}
runs = {name: af.evolve(flow, mu, until=20.0, save=401) for name, flow in flows.items()}

fig, axes = plt.subplots(1, 3, figsize=(9, 2.8), layout="constrained", sharey=True)
for ax, (name, run) in zip(axes, runs.items()):
    draw_circle_time(ax, run)
    ax.set_title(name)

# %%
# What was computed can be asked for: the velocity of every token, and the weights with which token i (row) listens to
# token j (column). Rows add up to 1.

flow = flows["V = I"]
v, P = af.velocity(flow, mu), af.attention_matrix(flow, mu)
print("velocities", v.shape, " attention", P.shape, " row sums − 1:", float(abs(P.sum(axis=1) - 1).max()))

# %%
# The energy of the flow never falls when :math:`V = B` is symmetric, and never rises when :math:`V = -B`; a rotation is
# neither.

fig, ax = plt.subplots(figsize=(6, 2.8), layout="constrained")
for name, run in runs.items():
    ax.plot(run.ts, af.energy(run.flow, run.states, convention="normalised"), label=name)
ax.set(xlabel="time $t$", ylabel="normalised energy")
ax.legend()

# %%
# Queries and keys, and weights that change with time
# ----------------------------------------------------
# ``Q`` and ``K`` may be rectangular, as in a Transformer, where they map d numbers to the few of a head. Anything that is
# a number or a matrix may also be a function of time.

Q, K = rng.normal(size=(2, 3, 8))  # a head of width 3 for tokens of dimension 8
head = af.Softmax(Q=Q, K=K, beta=lambda t: 1.0 + t)  # … that cools down as layers pass
deep = af.evolve(af.Flow(af.Sphere(), head), af.uniform_sphere(40, 8, seed=1), until=12.0)
print(deep)
plt.show()
