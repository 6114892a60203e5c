r"""A simple dominant eigenvalue: which of the planes $\varphi_1^*(z) = a, b$ each token ends on, and how exactly.

Row i of the logits is $s_i\,c_j + O_{ij}$ with $c = \varphi_1^*(z)$; $s_i$ grows like $e^{2\lambda_1t}$, the range of O at
most like $e^{(\lambda_1+|\lambda_2|)t}$, so the extreme plane drifts by at most
$\frac{\lambda_1}{\lambda_1-|\lambda_2|}\,\frac{\mathrm{range}\,O + 1 + \log n}{s}$.
Derived; theorem 4.2 of arXiv 2305.05465 has no rate.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .value_matrix import ValueMatrix


@dataclass(frozen=True)
class Planes:
    """Dominant coordinates now, where they end, and what is known of the logits."""

    c: np.ndarray
    target: np.ndarray
    is_decided: np.ndarray
    leader: np.ndarray
    slope: float
    """The smallest |s_i| among tokens near the extreme planes."""
    spread: float
    """(range O + 1 + log n)/|s|, the worst over the same tokens."""


def settle(grown, V: ValueMatrix, B, *, beta: float, t: float) -> Planes:
    r"""Read the planes off tokens $e^{t(V-\lambda_1)}z$, whose dominant coordinate is that of z."""
    phi, dual = V.right[:, 0], V.left[0]
    c = grown @ dual
    rest = grown - np.outer(c, phi)
    scale = beta * np.exp(min(2 * V.lam * t, 690.0))
    kappa = phi @ B @ phi
    tilt = rest @ B @ phi
    slope = scale * (kappa * c + tilt)
    other = scale * (grown @ B @ rest.T)
    low, high = c.min(), c.max()
    decided = (np.abs(kappa * c) > 2 * np.abs(tilt)) & (np.abs(slope) * max(high - low, 1e-300) > 30)
    decided |= high - low <= 1e-12 * max(np.abs(c).max(), 1e-300)
    up = slope > 0
    target = np.where(decided, np.where(up, high, low), 0.0)
    leader = np.where(up, c.argmax(), c.argmin())
    near = (c > 0.5 * high) & up if high > 0 else np.zeros(len(c), bool)
    near |= (c < 0.5 * low) & ~up if low < 0 else False
    near = near if near.any() else np.ones(len(c), bool)
    width = other.max(axis=1) - other.min(axis=1) + 1 + np.log(len(c))
    slopes = np.abs(slope[near])
    return Planes(
        c, target, decided, leader, float(slopes.min()), float((width[near] / np.maximum(slopes, 1e-300)).max())
    )


def bound(planes: Planes, V: ValueMatrix) -> float:
    """How far the extreme planes can still move."""
    return V.lam / (V.lam - V.second) * planes.spread
