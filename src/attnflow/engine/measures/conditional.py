"""Conditional Wasserstein distance between prompts whose tokens have positions: transport inside each position only."""

from __future__ import annotations

import numpy as np
from jax.typing import ArrayLike

from ...errors import BadInput
from ..linalg.arguments import as_annotated
from .particles import Particles


def unit_positions(positions, *, n: int) -> np.ndarray:
    """Positions as the measure framework needs them: one number in [0, 1] for each of n tokens."""
    s = np.asarray(positions, float)
    if s.shape != (n,):
        raise BadInput(f"positions must be one number per token, {n} of them, got shape {s.shape}")
    outside = s[(s < 0) | (s > 1) | ~np.isfinite(s)]
    if outside.size:
        raise BadInput(f"positions must lie in [0, 1], got {outside[0]:g}; divide token indices by n")
    return s


@as_annotated
def conditional_distance(
    mu: Particles, nu: Particles, *, positions: ArrayLike, others: ArrayLike | None = None, p: float = 2.0
) -> float:
    r"""The conditional Wasserstein distance of measures on $[0,1]\times\mathbb R^d$.

    $$d_p(\mu,\nu)^p = \int W_p^p(\mu(\cdot|s), \nu(\cdot|s))\,d\theta(s),$$

    infinite unless both have the same law θ of positions. Source: Castin et al. 2025 (arXiv 2501.18322).
    """
    if p < 1:
        raise BadInput(f"p must be at least 1, got {p}")
    s = unit_positions(positions, n=mu.n)
    r = s if others is None and nu.n == mu.n else unit_positions(positions if others is None else others, n=nu.n)
    places, shares = _law(s, mu.mass)
    places_nu, shares_nu = _law(r, nu.mass)
    if places.shape != places_nu.shape or np.any(places != places_nu) or np.abs(shares - shares_nu).max() > 1e-12:
        return np.inf
    costs = np.array([_transport(_part(mu, s == place), _part(nu, r == place), p) for place in places])
    return float(costs.max()) if np.isinf(p) else float((shares @ costs) ** (1 / p))


def piecewise(mu: Particles, *, positions, cells: int) -> tuple[Particles, np.ndarray]:
    """The same tokens on a common grid of positions: n tokens in order, each spread over the cells of its share.

    Makes prompts of different length comparable; `cells` must be a multiple of n.
    """
    s = unit_positions(positions, n=mu.n)
    if cells % mu.n:
        raise BadInput(f"cells must be a multiple of the number of tokens {mu.n}, got {cells}")
    order = np.argsort(s, kind="stable")
    x = np.repeat(np.asarray(mu.x)[order], cells // mu.n, axis=0)
    return Particles(x), np.arange(1, cells + 1) / cells


def _law(s, mass):
    places, index = np.unique(s, return_inverse=True)
    return places, np.bincount(index, np.asarray(mass, float))


def _part(mu, here):
    mass = np.asarray(mu.mass, float)[here]
    return np.asarray(mu.x, float)[here], mass / mass.sum()


def _transport(some, other, p):
    import ot  # half a second to import

    (x, a), (y, b) = some, other
    distance = np.asarray(ot.dist(x, y, metric="euclidean"))
    if np.isinf(p):
        return _bottleneck(distance, a, b)
    return distance[0, 0] ** p if distance.size == 1 else float(np.asarray(ot.emd2(a, b, distance**p)))


def _bottleneck(distance, a, b):
    """W_∞ by bisection over the distances: the least that still lets all mass through."""
    import ot

    levels = np.unique(distance)
    low, high = 0, len(levels) - 1
    while low < high:
        middle = (low + high) // 2
        if np.asarray(ot.emd2(a, b, (distance > levels[middle]).astype(float))) < 1e-12:
            high = middle
        else:
            low = middle + 1
    return float(levels[low])
