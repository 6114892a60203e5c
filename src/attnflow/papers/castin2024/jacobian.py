r"""Jacobian of the map $f(X)_i = V\sum_jP_{ij}x_j$ of softmax attention, in NumPy, acting on shifts of all tokens.

$$J_{ij} = P_{ij}V\big(I + (x_j - m_i)(B^\top x_i)^\top\big) + \delta_{ij}VC_iB^\top,$$

$m_i$ and $C_i$ mean and covariance of what token i hears. No n × n array of blocks is formed.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigvalsh_tridiagonal

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
    return _largest(
        lambda v: backward(forward(v, x, **parts), x, **parts), np.random.default_rng(0).normal(size=x.shape)
    )


def _largest(square, v, *, steps=300, tol=1e-9) -> float:
    r"""$\sqrt{\lambda_{\max}}$ of the symmetric operator JᵀJ by Lanczos' recursion, to where six steps add nothing.

    The largest value settles also where many are nearly the same, as for tokens that hear themselves alone; a solver that
    waits for its vector does not end. Copies that come without orthogonalisation do no harm to it.
    """
    v, before, diagonal, beside, found = v / np.linalg.norm(v), 0.0 * v, [], [0.0], [0.0]
    for _ in range(steps):
        w = square(v) - beside[-1] * before
        diagonal.append(float(np.sum(w * v)))
        w = w - diagonal[-1] * v
        found.append(float(eigvalsh_tridiagonal(diagonal, beside[1:])[-1]))
        size = float(np.linalg.norm(w))
        if size <= 1e-14 * found[-1] or (len(found) > 6 and found[-1] - found[-7] <= tol * found[-1]):
            break
        beside.append(size)
        v, before = w / size, v
    return float(np.sqrt(max(found[-1], 0.0)))


def matrix(x, *, B, V, P) -> np.ndarray:
    shifts = np.eye(x.size).reshape(x.size, *x.shape)
    return np.stack([forward(v, x, B=B, V=V, P=P).ravel() for v in shifts], axis=1)
