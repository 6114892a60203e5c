"""Trials of what is claimed of several heads: random heads, moved by SciPy."""

from __future__ import annotations

import numpy as np

from ...theory.sphere.several_heads import HeadMatrices, dominant_plane, stretched
from ..hunt import Trial, shown
from ..independent import carried, diameter, heads_field, pair_field
from ..trial import bounded, equal, worst_ratio

MOST_TURNS = 40.0
"""Exponents beyond which a bound says nothing."""


def _heads(rng) -> HeadMatrices:
    count, d = int(rng.integers(2, 5)), int(rng.integers(2, 5))
    return HeadMatrices(rng.normal(size=(count, d, d)), rng.normal(size=(count, d, d)))


def _cluster(rng, d: int, size: float, n: int = 5):
    x = np.asarray(rng.normal(size=d))[None] + 0.3 * size * np.asarray(rng.normal(size=(n, d)))
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def _told(heads: HeadMatrices, words: str) -> str:
    return f"{shown(3, B=heads.scores, V=heads.values)}: {words}"


def gathered_trial(rng) -> Trial:
    """The rate of every difference at an instant, against the Rayleigh quotient at every token."""
    heads = _heads(rng)
    x = _cluster(rng, heads.total.shape[0], float(10 ** rng.uniform(-4, -0.7)))
    D, mass = diameter(x), rng.dirichlet(np.ones(len(x)))
    if not 1e-6 < D < 0.3:
        return Trial(np.nan, is_inside=False)
    v = heads_field(heads.scores, heads.values, mass)(0.0, x)
    i, k = np.triu_indices(len(x), 1)
    apart = x[i] - x[k]
    rate = (apart * (v[i] - v[k])).sum(axis=1) / (apart**2).sum(axis=1)
    told = -np.einsum("ni,ij,nj->n", x, heads.total, x)
    off = float(np.abs(rate[:, None] - told).max())
    return Trial(equal(rate[:, None], told, float(heads.slack(D))), 0.0, _told(heads, f"a rate is off by {off:.3g}"))


def plane_trial(rng) -> Trial:
    heads = _heads(rng)
    S = heads.total
    x, top = _cluster(rng, len(S), 1e-3), dominant_plane(S)
    if not (top.value.real > 0.3 and top.gap > 0.3 and diameter(x) > 0):
        return Trial(np.nan, is_inside=False)
    until = min(12 / min(top.gap, top.value.real), 40.0)
    grown = stretched(S, x[0], until, count=100)
    if diameter(x) / min(1.0, grown.min()) > 0.01:
        return Trial(np.nan, is_inside=False)
    end = carried(x, until, heads_field(heads.scores, heads.values, np.full(len(x), 1 / len(x))))
    angle = float(top.angle(end).max())
    ratio = worst_ratio(angle / 0.02, bounded(diameter(end), 2 * diameter(x) / grown[-1] + 1e-8))
    return Trial(ratio, until, _told(heads, f"tokens end {angle:.3g} rad away, {diameter(end):.3g} apart"))


def signed_trial(rng) -> Trial:
    """Tokens of a pair by the whole field against one vector by the signed sum."""
    heads, half = _heads(rng), int(rng.integers(1, 4))
    u = np.asarray(rng.normal(size=heads.total.shape[0]))
    u /= np.linalg.norm(u)
    x = np.concatenate([np.tile(u, (half, 1)), np.tile(-u, (half, 1))])
    end = carried(x, 1.0, heads_field(heads.scores, heads.values, np.full(len(x), 1 / len(x))))
    alone = carried(u[None], 1.0, pair_field(heads.scores, heads.values))[0]
    # Both by the same integrator at 1e-10, whose errors grow over one unit of time.
    told = np.concatenate([np.tile(alone, (half, 1)), np.tile(-alone, (half, 1))])
    return Trial(equal(end, told, 1e-8), 1.0, _told(heads, f"off by {np.abs(end - told).max():.3g}"))
