"""Products with the Gaussian kernel of a point cloud: stored, truncated to neighbours, or recomputed tile by tile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.sparse import csr_array
from scipy.spatial import KDTree
from scipy.spatial.distance import cdist

from ...engine.linalg.arguments import one_of

Backend = Literal["auto", "dense", "sparse", "tiled"]
BACKENDS = ("auto", "dense", "sparse", "tiled")

CUTOFF = 27.6
"""Pairs with |x−y|²/(2ε) beyond this weigh less than 1e-12 and are dropped by the sparse backend."""

STORED_PAIRS = 2**24
"""Up to this many pairs (128 MB) the kernel is stored; beyond, tiles are recomputed in each product."""

TILE_PAIRS = 2**20


@dataclass(frozen=True)
class Pairs:
    r"""The map $u \mapsto Ku$ for $K_{ij} = e^{-|x_i-x_j|^2/(2\varepsilon)}$, with what it is held in."""

    times: Callable[[np.ndarray], np.ndarray]
    backend: str
    stored: int
    """Numbers held in memory."""


def gaussian_pairs(x: np.ndarray, eps: float, backend: Backend = "auto") -> Pairs:
    one_of(backend, "backend", BACKENDS)
    chosen = _choose(x, eps) if backend == "auto" else backend
    return {"dense": _dense, "sparse": _sparse, "tiled": _tiled}[chosen](x, eps)


def gaussian(x: np.ndarray, y: np.ndarray, eps: float) -> np.ndarray:
    K = cdist(x, y, "sqeuclidean")
    K *= -0.5 / eps
    # Below this, products turn subnormal, which processors handle a hundred times slower; such pairs weigh nothing.
    np.maximum(K, -600, out=K)
    return np.exp(K, out=K)


def _dense(x, eps):
    K = gaussian(x, x, eps)
    return Pairs(lambda u: K @ u, "dense", K.size)


def _tiled(x, eps):
    size = max(16, TILE_PAIRS // len(x))

    def times(u):
        return np.concatenate([gaussian(x[i : i + size], x, eps) @ u for i in range(0, len(x), size)])

    return Pairs(times, "tiled", size * len(x))


def _sparse(x, eps):
    n = len(x)
    i, j = KDTree(x).query_pairs(np.sqrt(2 * eps * CUTOFF), output_type="ndarray").T.astype(np.int32)
    k = np.exp(np.sum((x[i] - x[j]) ** 2, axis=1) * (-0.5 / eps))
    own = np.arange(n, dtype=np.int32)
    rows, columns = np.concatenate([i, j, own]), np.concatenate([j, i, own])
    K = csr_array((np.concatenate([k, k, np.ones(n)]), (rows, columns)), shape=(n, n))
    return Pairs(lambda u: K @ u, "sparse", K.nnz)


def _choose(x, eps) -> str:
    n, d = x.shape
    if n > 1500 and d <= 6 and _neighbours(x, eps) < n / 16:
        return "sparse"
    return "dense" if n * n <= STORED_PAIRS else "tiled"


def _neighbours(x, eps) -> float:
    """The mean number of points within the cut-off, from every (n/200)-th point."""
    some = x[:: max(1, len(x) // 200)]
    return float(np.mean(KDTree(x).query_ball_point(some, np.sqrt(2 * eps * CUTOFF), return_length=True)))
