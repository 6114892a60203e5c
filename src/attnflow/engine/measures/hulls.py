"""Convex hulls of tokens, and whether tokens lie in them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jax.typing import ArrayLike
from scipy.optimize import linprog
from scipy.spatial import ConvexHull

from ...errors import BadInput
from ..linalg.arguments import as_annotated, shaped
from .particles import Particles

MOST = 1e100
"""Coordinates whose squares and volumes are still numbers."""
FLAT = 1e-12
"""Singular values below this share of the largest do not count as a dimension."""


@dataclass(frozen=True)
class Hull:
    """The convex hull of points: its corners, and the dimension of the flat it fills."""

    corners: np.ndarray
    """In cyclic order when the hull is a polygon."""
    indices: np.ndarray
    """Which of the points they are."""
    dimension: int
    volume: float
    """Length, area, volume … in that dimension; 1 for a single point."""
    faces: np.ndarray
    """Rows: the points that span each face (facets cut into simplices); a point or segment is one face."""


@as_annotated
def hull(x: ArrayLike | Particles, *, flat: float = FLAT, tol: float = 0.0) -> Hull:
    """The convex hull of points, or of the tokens of a prompt, also when they lie on a line or in any flat.

    Directions in which the points extend by less than `tol`, or `flat` times their largest extent, are taken as flat.
    """
    x = _points(x)
    axes = _flat_axes(x, flat, tol)
    dimension = len(axes)
    if dimension == 0:
        return Hull(x[:1], np.array([0]), 0, 1.0, np.array([[0]]))
    y = (x - x.mean(axis=0)) @ axes.T
    if dimension == 1:
        ends = np.array([np.argmin(y[:, 0]), np.argmax(y[:, 0])])
        return Hull(x[ends], ends, 1, float(np.ptp(y[:, 0])), ends[None])
    found = ConvexHull(y)
    indices, faces = found.vertices.astype(int), found.simplices.astype(int)
    return Hull(x[indices], indices, dimension, float(found.volume), faces)


@as_annotated
def in_hull(points: ArrayLike, x: ArrayLike | Particles, *, tol: float = 1e-9) -> np.ndarray:
    r"""For each point p, whether it is within `tol` (largest coordinate) of the convex hull of the rows of x.

    $$\min_{w \ge 0,\ \sum w = 1} \Big\|p - \sum_j w_j x_j\Big\|_\infty \le \text{tol}$$
    """
    return hull_distances(points, x) <= tol


@as_annotated
def hull_distances(points: ArrayLike, x: ArrayLike | Particles) -> np.ndarray:
    """The distance in the maximum norm of each point to the convex hull of the rows of x, by linear programming."""
    x = _points(x)
    points = shaped(np.atleast_2d(np.asarray(points, float)), "points", "n d", d=x.shape[1])
    return np.array([_distance(point, x) for point in points])


def _distance(point, x):
    n, d = x.shape
    # Unknowns: the weights w and the distance s, with −s ≤ p − xᵀw ≤ s in every coordinate.
    above, below = np.hstack([x.T, -np.ones((d, 1))]), np.hstack([-x.T, -np.ones((d, 1))])
    result = linprog(
        np.append(np.zeros(n), 1.0),
        A_ub=np.vstack([above, below]),
        b_ub=np.concatenate([point, -point]),
        A_eq=np.append(np.ones(n), 0.0)[None],
        b_eq=[1.0],
        method="highs",
    )
    if result.status != 0:
        raise BadInput(f"the linear programme of a hull failed: {result.message}")
    return max(0.0, float(result.fun))


def _points(x):
    x = shaped(x.x if isinstance(x, Particles) else x, "x", "n d")
    if np.abs(x).max() > MOST:
        raise BadInput(
            f"a hull is of points with coordinates up to {MOST:g}, got {np.abs(x).max():.2g}; scale them down"
        )
    return x


def _flat_axes(x, flat, tol):
    _, values, axes = np.linalg.svd(x - x.mean(axis=0), full_matrices=False)
    size = max(values[0] if len(values) else 0.0, np.finfo(float).eps * np.abs(x).max())
    return axes[values > max(tol, max(flat, len(x) * np.finfo(float).eps) * size)]
