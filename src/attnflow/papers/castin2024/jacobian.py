r"""Jacobian of the map $f(X)_i = V\sum_jP_{ij}x_j$ of softmax attention, in NumPy, acting on shifts of all tokens.

$$J_{ij} = P_{ij}V\big(I + (x_j - m_i)(B^\top x_i)^\top\big) + \delta_{ij}VC_iB^\top,$$

$m_i$ and $C_i$ mean and covariance of what token i hears. No n × n array of blocks is formed.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.linalg import eigvalsh_tridiagonal

from ..independent import softmax


def weights(x, B, *, is_causal=False):
    scores = x @ B @ x.T
    return softmax(np.where(np.tri(len(x), dtype=bool), scores, -np.inf) if is_causal else scores)


def forward(v, x, *, B, V, P):
    """J v for shifts v of the tokens."""
    return _forward(v, x, _known(x, B, P)) @ V.T


class _Known(NamedTuple):
    """What does not depend on the shift: with it every product but that with V has a factor n instead of a second d."""

    P: np.ndarray
    heard: np.ndarray
    said: np.ndarray
    """xB."""
    turned: np.ndarray
    """xBᵀ."""
    heard_turned: np.ndarray


def _known(x, B, P) -> _Known:
    heard, turned = P @ x, x @ B.T
    return _Known(P, heard, x @ B, turned, P @ turned)


def _forward(v, x, known: _Known):
    P, heard, said, turned, heard_turned = known
    listened, spread = P * (said @ v.T), P * (v @ turned.T)
    away = listened @ x - heard * listened.sum(axis=1, keepdims=True)
    own = spread @ x - heard * np.sum(v * heard_turned, axis=1, keepdims=True)
    return P @ v + away + own


def _backward(u, x, known: _Known):
    P, heard, said, turned, heard_turned = known
    scores, level = u @ x.T, np.sum(u * heard, axis=1, keepdims=True)
    own = (P * scores) @ turned - heard_turned * level
    return P.T @ u + (P * (scores - level)).T @ said + own


def local_constant(x, B, V, *, is_causal=False) -> float:
    """The norm of the Jacobian: the Lipschitz constant of attention near these tokens."""
    x, B, V = (np.ascontiguousarray(array, float) for array in (x, B, V))
    return _local_constant(x.tobytes(), B.tobytes(), V.tobytes(), len(x), is_causal)


@lru_cache(maxsize=8)
def _local_constant(x, B, V, n: int, is_causal: bool) -> float:
    """Several claims ask for the same constant, and it takes seconds in many dimensions."""
    x = np.frombuffer(x).reshape(n, -1)
    B, V = (np.frombuffer(array).reshape(x.shape[1], -1) for array in (B, V))
    P = weights(x, B, is_causal=is_causal)
    if x.size <= 60:
        return float(np.linalg.norm(matrix(x, B=B, V=V, P=P), 2))
    known, square = _known(x, B, P), V.T @ V
    return _largest(
        lambda v: _backward(_forward(v, x, known) @ square, x, known), np.random.default_rng(0).normal(size=x.shape)
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
