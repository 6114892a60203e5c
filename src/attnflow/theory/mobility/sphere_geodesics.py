"""Geodesics with nonlocal mobility between tokens on a sphere of any dimension: a coupling, then paths."""

from __future__ import annotations

import numpy as np

from ...engine.linalg.rows import unit_rows
from ...engine.measures import Particles
from ...errors import BadInput
from .action import on_sphere, shortest


def tokens(mu: Particles) -> tuple[np.ndarray, np.ndarray]:
    if not isinstance(mu, Particles) or mu.x.ndim != 2:
        raise BadInput("on the sphere the distance is between Particles of shape (n, d)")
    x, mass = np.asarray(mu.x, dtype=float), np.asarray(mu.mass, dtype=float)
    return unit_rows(x)[mass > 0], mass[mass > 0] / mass.sum()


def angles(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Geodesic distances of all pairs, by the half-angle form."""
    chord = np.linalg.norm(x[:, None] - y[None], axis=-1)
    return 2 * np.arctan2(chord, np.linalg.norm(x[:, None] + y[None], axis=-1))


def coupling(cost: np.ndarray, m0: np.ndarray, m1: np.ndarray):
    """The optimal pairs (i, j) with their masses."""
    import ot

    plan = np.asarray(ot.emd(m0, m1 * (m0.sum() / m1.sum()), cost))
    i, j = np.nonzero(plan > 1e-14)
    return i, j, plan[i, j]


def fans(x, y, T: int, spread: float, rng) -> np.ndarray:
    """Great circles from x to y (P, d), each pushed sideways a little so that coinciding pieces may part."""
    side = rng.normal(size=x.shape)
    side -= np.sum(side * x, 1, keepdims=True) * x
    angle = np.diagonal(angles(x, y))[:, None]
    ahead = y - np.sum(x * y, 1, keepdims=True) * x
    far = np.linalg.norm(ahead, axis=1, keepdims=True) < 1e-9
    # Antipodal ends have no preferred great circle: every piece takes its own.
    ahead = np.where(far, side, ahead)
    ahead /= np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-300)
    t = np.linspace(0, 1, T + 1)[:, None, None]
    path = np.cos(t * angle) * x + np.sin(t * angle) * ahead + spread * np.sin(np.pi * t) * side
    path[0], path[-1] = x, y
    return unit_rows(path)


def frozen_cost(path, mass, B, x, y) -> np.ndarray:
    """What each great circle x_i → y_j would pay in the crowd of a given path: a better cost for the next coupling."""
    n, m = len(x), len(y)
    T = len(path) - 1
    a, b = np.repeat(x, m, 0), np.tile(y, (n, 1))
    lines = fans(a, b, T, 0.0, np.random.default_rng(0))
    middle, crowd = lines[1:] + lines[:-1], path[1:] + path[:-1]
    middle = unit_rows(middle)
    crowd = unit_rows(crowd)
    K = np.exp(middle @ B @ np.swapaxes(crowd, -1, -2)) @ mass
    return K.mean(axis=0).reshape(n, m) * angles(x, y) ** 2


def geodesic(mu0: Particles, mu1: Particles, B: np.ndarray, T: int, *, pieces: int, rounds: int = 2, seed: int = 0):
    """(action, path, mass) of the best path over a few couplings and fans."""
    (x, m0), (y, m1) = tokens(mu0), tokens(mu1)
    tried = _between(x, y, coupling(angles(x, y) ** 2, m0, m1), B, T, pieces, seed)
    has_choice = np.any(B) and len(x) * len(y) > 1
    for _ in range(rounds if has_choice else 0):
        _, path, mass = best = min(tried, key=lambda found: found[0])
        cost = frozen_cost(path, mass, B, x, y)
        tried = [best, *_between(x, y, coupling(cost, m0, m1), B, T, pieces, seed)]
    return min(tried, key=lambda found: found[0])


def _between(x, y, plan, B, T, pieces, seed):
    """Locally shortest paths for one coupling, from a narrow and a wide fan."""
    i, j, share = plan
    cuts = np.maximum(1, np.round(share * pieces).astype(int))
    i, j, mass = np.repeat(i, cuts), np.repeat(j, cuts), np.repeat(share / cuts, cuts)
    out = []
    for spread in (1e-3, 0.3):
        path = shortest(fans(x[i], y[j], T, spread, np.random.default_rng(seed)), mass, B, on_sphere, tol=1e-11)
        out.append((float(on_sphere(path, mass, B)[0].mean()), path, mass))
    return out
