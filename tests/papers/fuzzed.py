"""Honest runs drawn at random over rules, spaces, prompts and ways to save them: what no check may refute."""

from __future__ import annotations

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np

import attnflow as af

SHAPES = ((2, 1), (3, 2), (5, 3))
"""Few, since each is compiled anew; matrices are always full and nine times are saved for the same reason."""
SCHEMES = (None, None, None, af.PreLN(), af.PeriLN(), af.NGPT(0.7), af.SqrtLN())


def pick(rng, *kinds):
    return kinds[rng.integers(len(kinds))]


def matrix(rng, d):
    """A matrix of a kind that some theorem speaks of, near-degenerate and defective ones among them."""
    c, G, I = float(pick(rng, 1, 1, -1) * 10 ** rng.uniform(-1, 0.6)), rng.normal(size=(d, d)), np.eye(d)
    return pick(
        rng, I, I, -I, c * I, G @ G.T / d + 0.05 * I, -G @ G.T / d, (G + G.T) / 2, G, I + np.diag(1e-9 * G[0]),
        np.diag(rng.choice([0.0, 1.0, -1.0, 2.0], size=d)), c * I + (G - G.T) / 2, I + np.diag(np.ones(d - 1), 1),
    )  # fmt: skip


def tokens(rng, n, d):
    """Clouds, tight groups, duplicates, antipodes, corners, caps, equal distances, near the origin."""
    x, signs = rng.normal(size=(n, d)), np.where(np.arange(n)[:, None] % 2, 1, -1)
    return pick(
        rng, x, x, rng.uniform(-4, 4, size=(n, d)), np.ones(d) + 1e-3 * x, x[rng.integers(max(1, n // 2), size=n)],
        signs * x[0] + 1e-2 * x, np.eye(n, d) + (np.arange(n) >= d)[:, None] * x, x + 3 * np.eye(d)[0],
        signs * np.eye(d)[0] + 1e-9 * x, np.linspace(-1, 1, n)[:, None] * np.ones(d) + (d > 1) * 0.1, 0.05 * x,
    )  # fmt: skip


def masses(rng, n):
    heavy = np.append(np.full(n - 1, 1e-6), 1.0)
    mass = pick(rng, np.ones(n), np.ones(n), rng.dirichlet(np.ones(n)), rng.dirichlet(np.full(n, 0.2)) + 1e-8, heavy)
    return mass / mass.sum()


def rule(rng, B, names):
    beta = float(10 ** pick(rng, rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-6, -2), rng.uniform(1, 2.7)))
    positive = B @ B.T + 1e-3 * np.eye(len(B))
    return {
        "softmax": lambda: af.Softmax(B=pick(rng, np.eye(len(B)), np.eye(len(B)), positive, B), beta=beta),
        "unnormalised": lambda: af.Unnormalised(B=pick(rng, np.eye(len(B)), B), beta=min(beta, 2.0)),
        "shifted": lambda: af.Unnormalised(B=np.eye(len(B)), beta=beta, scale="shifted"),
        "causal": lambda: af.Causal(af.Softmax(B=B, beta=beta)),
        "l2": lambda: af.L2(Q=positive, K=pick(rng, positive, -positive), beta=min(beta, 10.0)),
        "sinkhorn": lambda: af.Sinkhorn(B=pick(rng, positive, B + B.T), eps=float(np.clip(1 / beta, 0.3, 30.0))),
        "linear": lambda: af.Linear(B=B),
        "sigmoid": lambda: af.Sigmoid(B=B, beta=beta),
        "heads": lambda: af.Heads([(af.Softmax(B=B, beta=beta), np.eye(len(B))), (af.Softmax(B=-B), B)]),
    }[pick(rng, *names)]()


def case(seed, *, spaces=("sphere", "space", "rescaled", "gaussian"), rules=("softmax",), shapes=SHAPES):
    """A flow, a prompt, and what makes an honest run of them."""
    rng = np.random.default_rng([15, seed])
    (n, d), kind = pick(rng, *shapes), pick(rng, *spaces)
    B, V = matrix(rng, d), matrix(rng, d)
    if rng.random() < 0.3:
        B = (B + B.T) / 2
        V = float(pick(rng, 1, -1, -2)) * B
    attention = rule(rng, B, ("softmax",) if kind == "rescaled" else rules)
    if kind == "sphere":
        flow = af.Flow(
            af.Sphere(), attention, V=V, normalisation=pick(rng, *SCHEMES) if rules != ("softmax",) else None
        )
    else:
        flow = af.Flow(af.Euclidean(), attention, V=V)
    L = rng.normal(size=(d, d))
    is_gaussian = kind == "gaussian" and attention.why_not_closed() is None
    law = af.Gaussian(L[0], pick(rng, L @ L.T, np.outer(L[0], L[0]), 1e-4 * np.eye(d)))
    mu = law if is_gaussian else af.Particles(tokens(rng, n, d), masses(rng, n))
    return af.rescale(flow) if kind == "rescaled" else flow, mu, lambda flow=flow: _run(rng, kind, flow, mu)


def _run(rng, kind, flow, mu):
    """An honest run: long or short, loose or tight, saved evenly, early or late, from any time on, whole or in part."""
    until = float(10 ** (rng.uniform(-1, 2.5) if kind == "sphere" else rng.uniform(-1, 0.9)))
    start = float(pick(rng, 0.0, 0.0, 0.0, rng.uniform(0, 3))) if kind != "rescaled" else 0.0
    save = start + until * pick(rng, np.linspace(0, 1, 9), np.linspace(0, 1, 9) ** 3, np.linspace(0.5, 1, 9))
    moving = af.rescale(flow) if kind == "rescaled" else flow
    # Single precision holds no tolerance below 1e-5.
    tol = max(pick(rng, 1e-8, 1e-8, 1e-5, 1e-10), 100 * float(jnp.finfo(jnp.zeros(1).dtype).eps))
    options = {"save": save, "start": start, "tol": tol, "max_steps": 20_000}
    return cut(af.evolve(moving, mu, until=start + until, **options), pick(rng, 0, 0, 0, 3, len(save) - 1))


def cut(run, first: int):
    """The run without its first saved times."""
    if not 0 < first < len(run.ts):
        return run
    states = jax.tree.map(lambda leaf: leaf[first:], run.states)
    return replace(run, ts=run.ts[first:], states=states, close=None)
