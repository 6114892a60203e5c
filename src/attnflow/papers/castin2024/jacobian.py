r"""Jacobian of the map $f(X)_i = V\sum_jP_{ij}x_j$ of softmax attention, in NumPy, acting on shifts of all tokens.

$$J_{ij} = P_{ij}V\big(I + (x_j - m_i)(B^\top x_i)^\top\big) + \delta_{ij}VC_iB^\top,$$

$m_i$ and $C_i$ mean and covariance of what token i hears. No n × n array of blocks is formed.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from scipy.sparse.linalg import LinearOperator, svds

from ..independent import softmax


def weights(x, B, *, is_causal=False):
    scores = x @ B @ x.T
    return softmax(np.where(np.tri(len(x), dtype=bool), scores, -np.inf) if is_causal else scores)


def forward(v, x, *, B, V, P):
    """J v for shifts v of the tokens."""
    heard, listened = P @ x, P * (x @ B @ v.T)
    spread = P * (v @ B @ x.T)
    away = listened @ x - heard * listened.sum(axis=1, keepdims=True)
    own = spread @ x - heard * np.sum(v @ B * heard, axis=1, keepdims=True)
    return (P @ v + away + own) @ V.T


def backward(y, x, *, B, V, P):
    """Jᵀ y."""
    u, heard = y @ V, P @ x
    listened = P * (u @ x.T - np.sum(u * heard, axis=1, keepdims=True))
    own = (P * (u @ x.T)) @ x - heard * np.sum(u * heard, axis=1, keepdims=True)
    return P.T @ u + listened.T @ (x @ B) + own @ B.T


def local_constant(x, B, V, *, is_causal=False) -> float:
    """The norm of the Jacobian: the Lipschitz constant of attention near these tokens."""
    x, parts = np.asarray(x, float), {"B": B, "V": V, "P": weights(x, B, is_causal=is_causal)}
    if x.size <= 60:
        return float(np.linalg.norm(matrix(x, **parts), 2))
    operator: Any = LinearOperator  # its constructor is not typed
    act = operator(
        (x.size, x.size),
        dtype=np.dtype(float),
        matvec=lambda v: forward(v.reshape(x.shape), x, **parts).ravel(),
        rmatvec=lambda y: backward(y.reshape(x.shape), x, **parts).ravel(),
    )
    start = np.random.default_rng(0).normal(size=x.size)
    found: Any = svds(act, k=1, tol=cast(Any, 1e-8), v0=start, return_singular_vectors=False, maxiter=10_000)
    return float(found[0])


def matrix(x, *, B, V, P) -> np.ndarray:
    shifts = np.eye(x.size).reshape(x.size, *x.shape)
    return np.stack([forward(v, x, B=B, V=V, P=P).ravel() for v in shifts], axis=1)
