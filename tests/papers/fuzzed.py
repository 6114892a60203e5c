"""Honest runs drawn at random over all rules, spaces, prompts and ways to step: what no check may refute."""

from __future__ import annotations

import numpy as np

import attnflow as af
from attnflow.flow.normalisation import NGPT, MixLN, PeriLN, PreLN, SqrtLN

SHAPES = ((2, 1), (3, 1), (5, 1), (2, 2), (3, 2), (6, 2), (2, 3), (5, 3), (4, 4))
"""Few, since each is compiled anew."""


def matrix(rng, d, *, signs=(1, -1)):
    """A number or a matrix of a kind that some theorem speaks of."""
    c = float(rng.choice(signs)) * float(10 ** rng.uniform(-1.5, 1))
    G = rng.normal(size=(d, d))
    skew = (G - G.T) / 2
    kinds = (
        lambda: c,
        lambda: float(rng.choice(signs)),
        lambda: c * np.eye(d),
        lambda: G @ G.T / d + 0.05 * np.eye(d),
        lambda: -(G @ G.T) / d,
        lambda: (G + G.T) / 2,
        lambda: G,
        lambda: np.diag(c * (1 + 1e-9 * rng.normal(size=d))),
        lambda: np.diag(rng.choice([0.0, 1.0, -1.0, 2.0], size=d)),
        lambda: c * np.eye(d) + skew,
        lambda: np.eye(d) + np.diag(np.ones(d - 1), 1),
        lambda: np.outer(G[0], G[0]),
    )
    return kinds[rng.integers(len(kinds))]()


def tokens(rng, n, d):
    """Clouds, tight groups, duplicates, antipodes, corners, a cap, equal angles."""
    x = rng.normal(size=(n, d))
    kinds = (
        lambda: x,
        lambda: rng.uniform(-5, 5, size=(n, d)),
        lambda: np.ones(d) + 1e-3 * x,
        lambda: x[rng.integers(max(1, n // 2), size=n)],
        lambda: np.where(np.arange(n)[:, None] % 2, 1, -1) * x[0] + 1e-2 * x,
        lambda: np.eye(n, d) + (np.arange(n) >= d)[:, None] * x,
        lambda: x + 3 * np.eye(d)[0],
        lambda: np.where(np.arange(n)[:, None] % 2, 1, -1) * np.eye(d)[0] + 1e-9 * x,
        lambda: 0.05 * x,
    )
    return kinds[rng.integers(len(kinds))]()


def masses(rng, n):
    share = (
        None,
        None,
        rng.dirichlet(np.ones(n)),
        rng.dirichlet(np.full(n, 0.1)) + 1e-8,
        np.append(np.full(n - 1, 1e-6), 1.0),
    )
    mass = share[rng.integers(len(share))]
    return mass if mass is None else mass / mass.sum()


def rule(rng, d, *, B=None):
    B = matrix(rng, d) if B is None else B
    beta = float(10 ** rng.choice([rng.uniform(-1, 1), rng.uniform(-6, -2), rng.uniform(1, 3)], p=[0.6, 0.2, 0.2]))
    square = np.asarray(B) * np.eye(d)
    positive = square @ square.T
    kinds = (
        lambda: af.Softmax(B=B, beta=beta),
        lambda: af.Softmax(B=1.0, beta=beta),
        lambda: af.Softmax(B=1.0, beta=beta),
        lambda: af.Softmax(B=positive, beta=beta),
        lambda: af.Unnormalised(B=1.0, beta=min(beta, 20.0)),
        lambda: af.Unnormalised(B=B, beta=min(beta, 2.0), scale=str(rng.choice(["mean", "shifted", "sum"]))),
        lambda: af.L2(B=positive, beta=beta),
        lambda: af.Sigmoid(B=B, beta=beta, bias=float(rng.normal())),
        lambda: af.Linear(B=B),
        lambda: af.Relu(B=B),
        lambda: af.Sinkhorn(B=square + square.T, eps=float(np.clip(1 / beta, 0.2, 50.0))),
        lambda: af.Sinkhorn(B=1.0, eps=float(np.clip(1 / beta, 0.2, 50.0))),
        lambda: af.Causal(af.Softmax(B=B, beta=beta)),
        lambda: af.Heads([(af.Softmax(B=B, beta=beta), np.eye(d)), (af.Softmax(B=-square, beta=1.0), square)]),
    )  # fmt: skip
    return kinds[rng.integers(len(kinds))]()


def flow(rng, n, d):
    is_sphere = rng.random() < 0.55
    B, V = matrix(rng, d), matrix(rng, d)
    if rng.random() < 0.25:
        B = np.asarray(B) * np.eye(d)
        B = (B + B.T) / 2
        V = float(rng.choice([1, -1, -2])) * B
    attention = rule(rng, d, B=B)
    options = {}
    if is_sphere and rng.random() < 0.2:
        schemes = (PreLN(), PeriLN(), MixLN(0.5), NGPT(0.7), SqrtLN())
        options["normalisation"] = schemes[rng.integers(len(schemes))]
    if rng.random() < 0.04:
        options["noise"] = 0.1
    if rng.random() < 0.04:
        options["feed_forward"] = af.FeedForward(w=0.1 * np.eye(d), a=np.eye(d), b=np.zeros(d), activation="identity")
    made = af.Flow(af.Sphere() if is_sphere else af.Euclidean(), attention, V=V, **options)
    if not is_sphere and isinstance(attention, af.Softmax) and not options and rng.random() < 0.45:
        made = af.rescale(made)
    return made


def prompt(rng, made, n, d):
    is_gaussian = (
        isinstance(getattr(made, "space", None), af.Euclidean) and not hasattr(made, "flow") and rng.random() < 0.25
    )
    if not is_gaussian or made.attention.why_not_closed() is not None:
        return af.Particles(tokens(rng, n, d), masses(rng, n))
    L = rng.normal(size=(d, d))
    cov = (L @ L.T, 0.1 * L @ L.T, np.outer(L[0], L[0]), 1e-4 * np.eye(d))[rng.integers(4)]
    return af.Gaussian(rng.normal(size=d), cov)


def case(seed):
    """A flow, a prompt, and a function that makes the run."""
    rng = np.random.default_rng([15, seed])
    n, d = SHAPES[rng.integers(len(SHAPES))]
    made = flow(rng, n, d)
    mu = prompt(rng, made, n, d)
    until = float(10 ** rng.choice([rng.uniform(-2, 1), rng.uniform(1, 2.5)], p=[0.7, 0.3]))
    if not isinstance(getattr(made, "space", None), af.Sphere):
        until = min(until, 12.0)
    saves = (21, 5, 2, [until], np.linspace(until / 3, until, 7), np.linspace(0, until, 11) ** 2 / until)
    options = {"until": until, "save": saves[rng.integers(len(saves))], "max_steps": 20_000}
    if rng.random() < 0.25:
        options["tol"] = float(rng.choice([1e-5, 1e-6, 1e-10]))
    if getattr(made, "noise", None) is not None:
        options = {"until": min(until, 5.0), "save": 5, "seed": int(seed)}
    elif rng.random() < 0.1 and not hasattr(made, "flow"):
        start = float(rng.uniform(0.1, 5.0))
        options |= {"start": start, "until": start + until, "save": np.linspace(start, start + until, 7)}
    elif rng.random() < 0.06:
        count, eta = int(rng.integers(2, 20)), float(rng.choice([0.05, 0.3, 1.0]))
        return made, mu, lambda: af.layers(made, mu, count, eta)
    elif rng.random() < 0.06 and isinstance(mu, af.Particles):
        options["merge"] = 1e-6
    return made, mu, lambda: af.evolve(made, mu, **options)
