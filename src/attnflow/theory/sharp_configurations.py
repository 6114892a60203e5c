r"""Sharp configurations: minimisers of the interaction energy for every temperature when attention repels.

Source: Cohn and Kumar 2007, quoted in arXiv 2312.10794, section 9 (theorem 9.2 prints the false converse).
"""

from __future__ import annotations

from itertools import permutations, product

import numpy as np


def simplex(d: int) -> np.ndarray:
    """d + 1 points of S^{d−1} at equal angles."""
    centred = np.eye(d + 1) - 1 / (d + 1)
    basis = np.linalg.svd(centred)[2][:d]
    points = centred @ basis.T
    return points / np.linalg.norm(points, axis=1, keepdims=True)


def cross_polytope(d: int) -> np.ndarray:
    return np.vstack([np.eye(d), -np.eye(d)])


def polygon(n: int) -> np.ndarray:
    angles = 2 * np.pi * np.arange(n) / n
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def icosahedron() -> np.ndarray:
    golden = (1 + np.sqrt(5)) / 2
    points = [np.roll([0.0, a, b * golden], k) for a, b in product((-1, 1), repeat=2) for k in range(3)]
    return np.array(points) / np.sqrt(1 + golden**2)


def cell_600() -> np.ndarray:
    """The 120 vertices of the 600-cell."""
    golden = (1 + np.sqrt(5)) / 2
    first = np.array(list(product((-0.5, 0.5), repeat=4)))
    last = np.array([p for p in permutations(range(4)) if _is_even(p)])
    base = [np.array([a * golden, b, c / golden, 0.0]) / 2 for a, b, c in product((-1, 1), repeat=3)]
    third = np.array([point[p] for point in base for p in last])
    return np.vstack([cross_polytope(4), first, third])


def _is_even(p) -> bool:
    return sum(p[i] > p[j] for i in range(len(p)) for j in range(i + 1, len(p))) % 2 == 0


def energy(x, beta: float) -> float:
    r"""$\frac1{n^2}\sum_{ij}e^{\beta(\langle x_i,x_j\rangle-1)}$."""
    return float(np.exp(beta * (np.clip(x @ x.T, -1, 1) - 1)).mean())


def inner_products(x, *, digits: int = 8) -> np.ndarray:
    """The distinct cosines between different points."""
    return np.unique(np.round((x @ x.T)[~np.eye(len(x), dtype=bool)], digits))


def design_strength(x, *, most: int = 12) -> int:
    """The largest t for which the points are a spherical t-design (Gegenbauer sums vanish)."""
    from scipy.special import eval_gegenbauer

    d, cosines = x.shape[1], np.clip(x @ x.T, -1, 1)
    for k in range(1, most + 1):
        values = np.cos(k * np.arccos(cosines)) if d == 2 else eval_gegenbauer(k, d / 2 - 1, cosines)
        if abs(values.mean()) > 1e-9 * max(1.0, abs(values).max()):
            return k - 1
    return most


def is_sharp(x) -> bool:
    """m inner products between different points and a spherical (2m − 1)-design."""
    return design_strength(x) >= 2 * len(inner_products(x)) - 1
