r"""Sharp configurations: minimisers of the interaction energy for every temperature when attention repels.

Source: Cohn and Kumar 2007, quoted in arXiv 2312.10794, section 9 (theorem 9.2 prints the false converse).
"""

from __future__ import annotations

from collections.abc import Callable

import jax
import numpy as np
from jax.typing import ArrayLike
from scipy.optimize import minimize
from scipy.special import eval_gegenbauer

from ...engine.linalg.arguments import as_annotated, shaped
from ...engine.measures import Particles
from . import pair_cosines as pairs


def corners(shape: Callable[..., Particles], *size: int) -> np.ndarray:
    """The corners of a regular first prompt, `corners(simplex, 3)`, in double precision whatever JAX is set to."""
    with jax.enable_x64(True):
        return np.asarray(shape(*size).x)


@as_annotated
def energy(x: ArrayLike, beta: float) -> float:
    r"""$\frac1{n^2}\sum_{ij}e^{\beta(\langle x_i,x_j\rangle-1)}$."""
    return pairs.energy(x := shaped(x, "x", "n d"), np.full(len(x), 1 / len(x)), beta=beta)


def descend(start, beta: float) -> float:
    """The energy at which a descent from a start ends."""
    n, d = start.shape

    def value(v):
        y = v.reshape(n, d)
        size = np.linalg.norm(y, axis=1, keepdims=True)
        y = y / size
        w = np.exp(beta * (y @ y.T - 1))
        g = 2 * beta * w @ y / n**2
        return w.mean(), ((g - (g * y).sum(axis=1, keepdims=True) * y) / size).ravel()

    return float(minimize(value, start.ravel(), jac=True, method="L-BFGS-B", options={"gtol": 1e-12}).fun)


@as_annotated
def inner_products(x: ArrayLike, *, digits: int = 8) -> np.ndarray:
    """The distinct cosines between different points."""
    x = shaped(x, "x", "n d")
    found = [np.unique(np.round(part[~np.isnan(part)], digits)) for part in pairs.blocks(x, all_rows=True)]
    return np.unique(np.concatenate(found))


@as_annotated
def design_strength(x: ArrayLike, *, most: int = 12) -> int:
    """The largest t for which the points are a spherical t-design (Gegenbauer sums vanish)."""
    x = shaped(x, "x", "n d")
    for k in range(1, most + 1):
        if not _vanishes(x, k):
            return k - 1
    return most


def _vanishes(x, k) -> bool:
    """Whether the sum of the Gegenbauer polynomial of degree k over all pairs is zero."""
    n, d = x.shape
    total, largest = 0.0, 1.0
    for part in pairs.blocks(x, all_rows=True):
        cosines = np.clip(np.where(np.isnan(part), 1.0, part), -1, 1)
        values = np.cos(k * np.arccos(cosines)) if d == 2 else eval_gegenbauer(k, d / 2 - 1, cosines)
        total, largest = total + values.sum(), max(largest, np.abs(values).max())
    return bool(abs(total / n**2) <= 1e-9 * largest)


@as_annotated
def is_sharp(x: ArrayLike) -> bool:
    """m inner products between different points and a spherical (2m − 1)-design."""
    return design_strength(x) >= 2 * len(inner_products(x)) - 1
