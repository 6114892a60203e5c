"""Histogram of tokens on the circle, on S² or in space, in O(n)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import BadInput
from ..measures import Particles


@dataclass(frozen=True)
class Histogram:
    """Mass per unit of length or area in cells of equal size: `edges` per axis, `density` one entry per cell."""

    edges: tuple[np.ndarray, ...]
    density: np.ndarray
    axes: tuple[str, ...]


def density(mu: Particles, *, bins: int = 360) -> Histogram:
    """The density of tokens: by angle on the circle, by longitude and height on S² (equal areas), by place in R^d."""
    x, mass = _arrays(mu)
    coordinates, ranges, axes = _coordinates(x)
    counts = [bins] if len(axes) == 1 else [bins, max(1, bins // 2)] if is_unit(x) else [bins] * len(axes)
    values, edges = np.histogramdd(coordinates, bins=counts, range=ranges, weights=mass)
    cell = np.prod([edge[1] - edge[0] for edge in edges])
    return Histogram(tuple(edges), values / cell, axes)


def _coordinates(x):
    d = x.shape[1]
    if is_unit(x) and d == 2:
        return np.arctan2(x[:, 1], x[:, 0])[:, None], [(-np.pi, np.pi)], ("angle",)
    if is_unit(x) and d == 3:
        longitude = np.arctan2(x[:, 1], x[:, 0])
        return np.stack([longitude, x[:, 2]], axis=1), [(-np.pi, np.pi), (-1.0, 1.0)], ("longitude", "height")
    if d > 3:
        raise BadInput(f"densities are drawn in dimension at most 3, got {d}; project the tokens first")
    return x, [(a, b) if b > a else (a - 0.5, b + 0.5) for a, b in zip(x.min(0), x.max(0))], tuple("xyz"[:d])


def is_unit(x: np.ndarray) -> bool:
    """Whether all rows have length 1 to six digits."""
    return bool(np.abs(np.linalg.norm(x, axis=1) - 1).max() < 1e-6)


def _arrays(mu: Particles):
    if mu.x.ndim != 2:
        raise BadInput(f"give one prompt with x of shape (n, d), got {mu.x.shape}")
    mass = np.asarray(mu.mass, np.float64)
    return np.asarray(mu.x, np.float64), mass / mass.sum()
