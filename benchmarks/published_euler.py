"""The authors' algorithm for covariances, vectorised in NumPy: Euler on Σ, eigenvalues clipped at every step, stop tests.

Source: authors' code of Castin et al. 2025 (arXiv 2501.18322). Runs that have stopped are dropped from the batch, and what the
authors compute but do not use is left out: this is their algorithm at its fastest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np


class Euler(NamedTuple):
    """Step, tolerance for |Σ'|, largest trace and largest number of steps of a published figure."""

    h: float
    tol: float
    limit: float = 1e3
    most: int = 100_000


EXPLOSION = {
    "softmax": Euler(0.01, 1e-4), "heads": Euler(0.002, 1e-4), "l2": Euler(0.001, 1e-5, 1e4, 50_000),
    "sinkhorn": Euler(0.01, 1e-5, 1e4, 50_000),
}  # fmt: skip
"""The settings of the published blow-up figure."""


def turned(M):
    return np.swapaxes(M, -1, -2)


def euler(half: Callable, S, settings: Euler):
    """Where Σ' = half(Σ) + its transpose leads, which runs have converged, and the steps of the longest."""
    S, alive, converged, steps = S.copy(), np.arange(len(S)), np.zeros(len(S), bool), 0
    while len(alive) and steps < settings.most:
        X = S[alive]
        rate = half(X, alive)
        rate = rate + turned(rate)
        is_still = np.linalg.norm(rate, axis=(1, 2)) < settings.tol
        values, vectors = np.linalg.eigh(X + settings.h * rate)
        S[alive] = (vectors * np.where(values < 0, 1e-14, values)[:, None, :]) @ turned(vectors)
        is_lost = np.trace(S[alive], axis1=1, axis2=2) > settings.limit
        converged[alive[is_still]] = True
        alive, steps = alive[~(is_still | is_lost)], steps + 1
    return S, converged, steps


def halves(Q, K, V) -> dict[str, Callable]:
    """Half of Σ' for each variant in the plane, scaled as in the authors' code."""
    A, eye = K.T @ Q, np.eye(2)

    def heads(S, _):
        return sum(np.outer(eye[h], V[h]) @ S @ np.outer(K[h], Q[h]) @ S for h in (0, 1))

    def l2(S, _):
        return 2 * V @ S @ np.linalg.inv(eye + 2 * K.T @ K @ S) @ A @ S / np.sqrt(2)

    def sinkhorn(S, _):
        root, inverse_root = _power(S, 0.5), _power(S, -0.5)
        inner = _power(eye + 4 * root @ A.T @ S @ A @ root, 0.5)
        return V @ np.linalg.inv(A.T) @ np.linalg.inv(S) @ (root @ inner @ inverse_root - eye) @ S / 2

    return {"softmax": lambda S, _: V @ S @ A @ S / np.sqrt(2), "heads": heads, "l2": l2, "sinkhorn": sinkhorn}


def _power(S, p):
    values, vectors = np.linalg.eigh(S)
    return (vectors * np.abs(values)[:, None, :] ** p) @ turned(vectors)
