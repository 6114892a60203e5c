"""The matrices of the published Gaussian experiments, from the authors' seeds and scalings (d = 2).

Source: code of Castin et al. 2025: B = QᵀK/√2 for softmax and L2 (KᵀK unscaled there), B_h = Q_hᵀK_h for two heads of one
row each with output identity, B = QᵀK and ε = 1 for Sinkhorn.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....engine.attention import L2, Heads, Sinkhorn, Softmax
from ....engine.flow import Flow
from ....engine.measures import Gaussian
from ....engine.spaces import Euclidean

VARIANTS = {"softmax": "softmax", "l2": "L2", "heads": "two heads", "sinkhorn": "Sinkhorn"}


@dataclass(frozen=True)
class Weights:
    Q: np.ndarray
    K: np.ndarray
    V: np.ndarray

    @property
    def B(self):
        return self.Q.T @ self.K

    def flow(self, variant: str) -> Flow:
        """The flow of that variant, scaled as in the authors' code."""
        Q, K, V, space = self.Q, self.K, self.V, Euclidean()
        if variant == "softmax":
            return Flow(space, Softmax(Q=Q / np.sqrt(2), K=K), V=V)
        if variant == "l2":
            return Flow(space, L2(Q=Q / np.sqrt(2), K=K), V=V)
        if variant == "sinkhorn":
            return Flow(space, Sinkhorn(Q=Q, K=K), V=V)
        rows = [np.outer(Q[h], K[h]) if h < len(Q) else np.zeros((2, 2)) for h in (0, 1)]
        return Flow(space, Heads([(Softmax(B), np.outer(np.eye(2)[h], V[h])) for h, B in enumerate(rows)]))


def convergence() -> Weights:
    rs = np.random.RandomState(35)
    Q = rs.rand(2, 2)
    G = rs.randn(2, 2)
    return Weights(Q, -Q, G @ G.T)


def line() -> Weights:
    q = np.random.RandomState(36).randn(1, 2)
    q /= np.linalg.norm(q)
    return Weights(q, -q, np.eye(2))


def two_lines() -> Weights:
    rs = np.random.RandomState(36)
    Q, K = rs.randn(2, 2), rs.randn(2, 2)
    return Weights(Q, K, np.random.RandomState(32).randn(2, 2))


def explosion() -> Weights:
    rs = np.random.RandomState(33)
    while True:
        Q, K = rs.randn(2, 2), rs.randn(2, 2)
        if np.linalg.eigvalsh(Q.T @ K + K.T @ Q)[0] > 0:
            return Weights(Q, K, np.eye(2))


def both() -> Weights:
    rs = np.random.RandomState(35)
    rs.randn(8, 7)
    return Weights(two_lines().Q, two_lines().K, rs.randn(2, 2))


def starts(count: int, reach: float) -> Gaussian:
    """Covariances of trace one on a count × count grid of the disc, kept where they are positive definite."""
    line = np.linspace(-reach, reach, count)
    u, w = (a.ravel() for a in np.meshgrid(line, line, indexing="ij"))
    inside = u**2 + w**2 < 1
    u, w = u[inside], w[inside]
    cov = np.stack([np.stack([(1 + u) / 2, w / 2], -1), np.stack([w / 2, (1 - u) / 2], -1)], -2)
    return Gaussian(np.zeros((len(u), 2)), cov)
