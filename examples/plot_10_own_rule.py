r"""
Your own rule
=============

A rule turns listeners and a measure into a ``Kernel``: queries, keys, masses, and a *link* from scores to weights. Sums, runs,
masks, derivatives and reports then work as for any other rule. Ours hears only what is near:

.. math:: w(x, y) \propto \Big(1 - \frac{\beta(1 - \langle x, y\rangle)}{q}\Big)_+^{q},

which is softmax as :math:`q\to\infty`, and exactly zero beyond the angle where :math:`\cos\theta = 1 - q/\beta`.
"""

from typing import ClassVar

import jax

jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Array

import attnflow as af
from attnflow.draw.diagrams.circle_time import draw_circle_time
from attnflow.draw.style import RC
from attnflow.engine.attention import Scored
from attnflow.engine.attention.score import Score
from attnflow.engine.summation.kernel import Kernel, Link

plt.rcParams.update(RC)

# %%
# The link and the rule
# ---------------------
# A link says how scores become weights. ``is_pointwise``: each weight depends on its own score alone; ``is_normalised``: rows
# are divided by their sums. A score of −∞ (what a mask hides) must weigh nothing, and does.


class Power(Link):
    """Weights (1 + s/q)₊^q."""

    q: float | Array

    is_normalised: ClassVar[bool] = True
    is_pointwise: ClassVar[bool] = True

    def weigh(self, scores, axis=-1):
        return jnp.maximum(1 + scores / self.q, 0) ** self.q


class Nearby(Scored):
    r"""Token x averages the tokens y with weights $(1 - \beta(1 - \langle x, y\rangle)/q)_+^q$."""

    score: Score
    q: float | Array

    def __init__(self, beta=1.0, q=2.0):
        self.score, self.q = Score(None, None, None, beta), q

    def kernel(self, x, mu):
        shift = jnp.full_like(mu.mass, -self.score.largest(mu.d))  # the largest score on the sphere becomes 0
        return Kernel(self.score.queries(x), self.score.keys(mu.x), mu.mass, Power(self.q), column=shift)


# %%
# Is it right?
# ------------
# Against an independent route: a plain formula for the weights, and softmax as q grows.

mu = af.uniform_sphere(64, 2, seed=2)
x, beta, q = np.asarray(mu.x), 9.0, 2.0
plain = np.maximum(1 - beta * (1 - x @ x.T) / q, 0) ** q
plain /= plain.sum(axis=1, keepdims=True)
flow = af.Flow(af.Sphere(), Nearby(beta=beta, q=q))
print("difference of weights:", float(abs(af.attention_matrix(flow, mu) - plain).max()))

softmax = af.attention_matrix(af.Flow(af.Sphere(), af.Softmax(beta=beta)), mu)
for each in (10.0, 1e3, 1e5):
    other = af.attention_matrix(af.Flow(af.Sphere(), Nearby(beta=beta, q=each)), mu)
    print(f"q = {each:<8g} difference from softmax {float(abs(other - softmax).max()):.1e}")

# %%
# What it does
# ------------
# Under softmax clusters go on meeting. Under a rule of finite range, clusters out of each other's hearing stand still for
# ever.

times = np.concatenate([[0.0], np.geomspace(0.1, 1e4, 200)])
runs = {
    "softmax": af.evolve(af.Flow(af.Sphere(), af.Softmax(beta=9.0)), mu, until=1e4, save=times),
    "nearby, q = 2": af.evolve(flow, mu, until=1e4, save=times),
}
fig, axes = plt.subplots(1, 2, figsize=(8.4, 3), layout="constrained", sharey=True)
for ax, (name, run) in zip(axes, runs.items()):
    draw_circle_time(ax, run, log_time=True)
    ax.set_title(name)
    speed = float(jnp.linalg.norm(af.velocity(run.flow, run.last), axis=1).max())
    print(f"{name}: {af.clusters(run.last, tol=0.01).count} clusters, largest speed at the end {speed:.1e}")
reach = np.degrees(np.arccos(1 - q / beta))
print(f"range of hearing: {reach:.1f}°")

# %%
# Everything else comes for free
# ------------------------------
# Masks, derivatives by its parameters, and scenarios.

masked = af.Flow(af.Sphere(), af.Causal(Nearby(beta=9.0)))
print("causal: token 0 hears", int((af.attention_matrix(masked, mu)[0] > 0).sum()), "token")


def speed(q):
    return jnp.mean(af.velocity(af.Flow(af.Sphere(), Nearby(beta=9.0, q=q)), mu) ** 2)


h = 1e-5
print(f"d(speed²)/dq = {jax.grad(speed)(2.0):.8f}, by differences {(speed(2 + h) - speed(2 - h)) / (2 * h):.8f}")

af.register_rule("nearby", Nearby)  # scenarios may now say: rule = "nearby", beta = 9, q = 2
swept = af.sweep(
    {
        "tokens": {"kind": "sphere", "n": 48, "d": 2},
        "attention": {"rule": "nearby", "beta": 9.0},
        "time": {"until": 300.0},
    },
    {"attention.q": [0.5, 1.0, 2.0, 4.0]},
    measure="clusters(tol=0.05)",
    repeat=4,
    on="serial",
)
for k, each in enumerate(swept["attention.q"].values):
    print(f"q = {each}: mean number of clusters {float(swept['clusters(tol=0.05)'][k].mean()):.2f}")
plt.show()
