r"""Limit hyperplanes $\varphi_1^*(z) = a, b$ for a simple dominant eigenvalue of V, with a proven error.

With $c_i = \varphi_1^*(z_i)$, row i of the logits is $s_ic_j + O_{ij}$. The row of the highest token loses by Gibbs'
principle at most $\dot b \ge -\lambda(\mathrm{range}\,O + \log 1/m)/s$, where $s\ge e^{2\lambda\tau}(\kappa b-q)$ and
$\mathrm{range}\,O\le2(pb+w)e^{(\lambda+\mu)\tau}$ for all later times (`dominated.py`). So the plane can still move by
$$\frac{2\lambda(pb+w)/(\lambda-\mu) + \tfrac12\log(1/m)}{\kappa b_{\min}-q}.$$
Derived; theorem 4.2 of arXiv 2305.05465 has no rate.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .subdominant import Rest
from .value_matrix import ValueMatrix


@dataclass(frozen=True)
class Planes:
    """Dominant coordinates now, where they end, and how exactly that is known."""

    c: np.ndarray
    target: np.ndarray
    is_decided: np.ndarray
    leader: np.ndarray
    slope: float
    """The smallest slope of the logits in c among decided tokens."""
    error: float
    """Proven bound on how far the planes can still move; infinite when there is none yet."""


def settle(grown, V: ValueMatrix, M, *, rest: Rest, t: float, mass) -> Planes:
    r"""Read the planes off tokens $e^{t(V-\lambda_1)}z$, whose dominant coordinate is that of z; M is βB."""
    c, mass = grown @ V.left[0], np.asarray(mass, float)
    heard = mass > 0
    ends = {1: int(np.argmax(np.where(heard, c, -np.inf))), -1: int(np.argmin(np.where(heard, c, np.inf)))}
    if c.max() - c.min() <= 1e-13 * np.abs(c).max():
        # Averages of coordinates stay between them.
        together = np.full(len(c), c.mean()), np.ones(len(c), bool), np.full(len(c), ends[1])
        return Planes(c, *together, np.inf, float(c.max() - c.min()))
    kappa = float(V.right[:, 0] @ M @ V.right[:, 0])
    target, decided, leader = np.zeros(len(c)), np.zeros(len(c), bool), np.where(c > 0, ends[1], ends[-1])
    slopes, errors = [np.inf], []
    for side, end in ends.items():
        mine = side * c > 0
        if not mine.any():
            continue
        doubt = np.log(1 / mass[end]) * np.exp(-2 * V.lam * t)
        floor, error = _plane(side * float(c[end]), kappa, V.lam, rest, doubt)
        sure, slope = _captured(side * c[mine], side * float(c[end]), floor, kappa, rest, doubt)
        decided[mine], target[mine] = sure, np.where(sure, c[end], 0.0)
        slopes.append(float(slope.min()) * np.exp(min(2 * V.lam * t, 690.0)))
        errors.append(error)
    return Planes(c, target, decided, leader, min(slopes), max(errors, default=np.inf))


def _plane(height, kappa, lam, rest: Rest, doubt):
    """How low the plane can end, and how far it can move; infinite if its sign is not settled."""
    if height <= 0:
        return 0.0, np.inf
    loss = 2 * lam * (rest.heard * height + rest.within) / (lam - rest.rate) + doubt / 2
    floor, move = height / 2, np.inf
    for _ in range(4):
        # A bound that leaves more than the floor it assumed is true, and the better floor gives a better bound.
        strength = kappa * floor - rest.hearing
        if strength <= 0 or loss / strength > height - floor:
            break
        move = loss / strength
        floor = height - move
    return (floor if np.isfinite(move) else 0.0), float(move)


def _captured(c, height, floor, kappa, rest: Rest, doubt):
    """Tokens that the plane holds for ever, and the slopes of their rows."""
    slope = kappa * np.minimum(c, floor / 2) - rest.hearing
    loss = 2 * (rest.heard * height + rest.within) + doubt
    short = np.full(len(c), np.inf)
    np.divide(loss, slope, out=short, where=slope > 0)
    return (short <= floor / 2) & (floor > 0), slope
