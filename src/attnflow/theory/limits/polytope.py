r"""Limit set S of the polytope of rescaled tokens for V = I.

Source: Geshkovski et al., arXiv 2305.05465, theorem 8.1 and the proof of its claim 1; the enumeration is derived.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from jax.typing import ArrayLike
from scipy.spatial import ConvexHull, QhullError

from ...engine.linalg.arguments import as_annotated, shaped
from ...engine.measures.hulls import hull, in_hull
from ...errors import BadInput

SLACK = 1e-9
FLAT = 1e-10
"""Clouds thinner than this, against their size or 1, are flat."""


def residual(x, vertices, B=None):
    r"""$\big||x|_B^2 - \max_j\langle x, v_j\rangle_B\big|$: zero exactly on S."""
    x, vertices = np.atleast_2d(np.asarray(x, float)), np.asarray(vertices, float)
    B = np.eye(vertices.shape[1]) if B is None else np.asarray(B, float)
    return np.abs(np.einsum("id,de,ie->i", x, B, x) - (x @ B @ vertices.T).max(axis=1))


def hull_vertices(points) -> np.ndarray:
    """Indices of the extreme points of a cloud, flat and nearly flat clouds included."""
    return vertices_and_faces(points)[0]


def vertices_and_faces(points) -> tuple[np.ndarray, np.ndarray]:
    """Indices of the extreme points, and rows of such indices for the faces (one row where a cloud is too thin to tell)."""
    points = np.asarray(points, float)
    try:
        found = hull(points, tol=FLAT * max(1.0, np.abs(points).max()))
        return np.sort(found.indices), found.faces
    except QhullError:
        kept = [i for i in range(len(points)) if not contains(np.delete(points, i, axis=0), points[i])]
        return np.array(kept), np.array([kept])


def contains(vertices, point) -> bool:
    """Whether a point is a convex combination of the vertices."""
    return bool(in_hull(point, vertices, tol=SLACK * (1 + np.abs(vertices).max()))[0])


@as_annotated
def enumerate_limits(vertices: ArrayLike, B: ArrayLike | None = None) -> np.ndarray:
    r"""All points of $S = \{x\in K : |x|_B^2 = \max_j\langle x, v_j\rangle_B\}$ for K the hull of `vertices`.

    Every point of S is the B-orthogonal projection of 0 on the affine hull of vertices of one face.
    """
    vertices = shaped(vertices, "vertices", "n d")
    d = vertices.shape[1]
    B = np.eye(d) if B is None else shaped(B, "B", "d d", d=d)
    if np.linalg.eigvalsh((B + B.T) / 2).min() <= 0 or np.abs(B - B.T).max() > SLACK * np.abs(B).max():
        raise BadInput("S is defined for a symmetric positive definite B; take B = QᵀK of that kind")
    vertices = vertices[hull_vertices(vertices)]
    found = [w for face in _faces(vertices) if (w := _projection(vertices[face], B)) is not None]
    if contains(vertices, np.zeros(d)):
        found.append(np.zeros(d))
    size = 1 + np.abs(vertices).max()
    kept = [
        w for w in _distinct(found, size) if residual(w, vertices, B)[0] < SLACK * size**2 and contains(vertices, w)
    ]
    return np.array(kept).reshape(-1, d)


def _faces(vertices):
    """Sets of at most d vertices that lie on one facet: only these can carry a point of S other than 0."""
    d = vertices.shape[1]
    groups = _facets(vertices)
    sets = {frozenset(s) for group in groups for k in range(1, d + 1) for s in combinations(sorted(group), k)}
    return [np.array(sorted(s), dtype=int) for s in sets]


def _facets(vertices):
    flat = FLAT * max(1.0, np.abs(vertices).max())
    if hull(vertices, tol=flat).dimension < max(2, vertices.shape[1]):
        return [set(range(len(vertices)))]
    centred = vertices - vertices.mean(axis=0)
    size = np.abs(centred).max()
    planes = np.unique(np.round(ConvexHull(centred).equations / [*[1.0] * centred.shape[1], size], 9), axis=0)
    heights = centred @ planes[:, :-1].T + size * planes[:, -1]
    return [set(np.flatnonzero(np.abs(h) < 1e-7 * size)) for h in heights.T]


def _projection(points, B):
    r"""The point of the affine hull nearest to 0 in $|\cdot|_B$, or None if the points are affinely dependent."""
    edges = points[1:] - points[0]
    gram = edges @ B @ edges.T
    if len(edges) and np.linalg.matrix_rank(gram, tol=1e-10 * max(1, np.abs(gram).max())) < len(edges):
        return None
    return points[0] - edges.T @ np.linalg.solve(gram, edges @ B @ points[0]) if len(edges) else points[0]


def nearest_to_zero(points, B):
    r"""The point of the affine hull of any points that is nearest to 0 in $|\cdot|_B$."""
    edges = points[1:] - points[0]
    return points[0] - edges.T @ np.linalg.pinv(edges @ B @ edges.T, rcond=1e-9, hermitian=True) @ edges @ B @ points[0]


def _distinct(points, size):
    kept: list[np.ndarray] = []
    for point in points:
        if all(np.linalg.norm(point - other) > 1e-8 * size for other in kept):
            kept.append(point)
    return kept


@as_annotated
def is_possible_limit(vertices: ArrayLike, B: ArrayLike | None = None) -> bool:
    """Whether a polytope can be a limit at all: every vertex must itself be in S."""
    vertices = shaped(vertices, "vertices", "n d")
    B = None if B is None else shaped(B, "B", "d d", d=vertices.shape[1])
    size = 1 + np.abs(vertices).max()
    return bool((residual(vertices, vertices, B) < SLACK * size**2).all())
