r"""Quantitative Laplace principle: distance of attention at finite temperature to its limit.

For unit x the score misses its maximum by exactly $|B^\top x||y - y^*|^2/2$, with $y^* = B^\top x/|B^\top x|$.
"""

from __future__ import annotations

import numpy as np

from ..errors import BadInput
from ..linalg.rows import unit_rows
from ..special.funk_hecke import funk_hecke

RADII = 64
"""Candidates for each radius: every pair gives a valid bound, so a finite search stays certified."""


def laplace_bound(x, y, *, B, beta: float, mass=None) -> np.ndarray:
    r"""A certified bound of the distance between the attention barycentre at x and its limit $y^*$.

    $$|m_\beta(x) - y^*| \le \min_{0<r<R}\; R + \frac{e^{-\kappa(R^2-r^2)/2}}{\mu\{|y-y^*|\le r\}}\int|y-y^*|\,d\mu,
      \quad \kappa = \beta|B^\top x|$$

    Holds for every measure, empirical ones too. Source: derived; the idea is that of consensus-based optimisation.
    """
    x, y = np.atleast_2d(np.asarray(x, float)), np.atleast_2d(np.asarray(y, float))
    if not beta > 0:
        raise BadInput(f"beta must be positive for a Laplace bound, got {beta}")
    mass = np.full(len(y), 1 / len(y)) if mass is None else np.asarray(mass, float)
    pulled = x @ np.asarray(B, float)
    kappa = beta * np.linalg.norm(pulled, axis=1)
    if not np.all(kappa > 0):
        raise BadInput("Bᵀx vanishes at a token: there is no direction to concentrate on")
    stars = unit_rows(pulled)
    return np.array([_bound(np.linalg.norm(y - star, axis=1), mass, k) for star, k in zip(stars, kappa)])


def _bound(distance, mass, kappa):
    order = np.argsort(distance)
    reach = np.cumsum(mass[order])
    picks = np.unique(np.geomspace(1, len(order), RADII).astype(int)) - 1
    r, inside = distance[order][picks], reach[picks]
    r, inside = r[inside > 0], inside[inside > 0]
    mean = distance @ mass
    steps = np.concatenate([[1e-12], np.geomspace(1e-3, 12, RADII)]) / np.sqrt(kappa)
    R = np.hypot(r[:, None], steps)
    # e^{-kappa (R^2 - r^2)/2} = e^{-kappa steps^2 / 2}: no exponential can overflow.
    return float(np.min(R + np.exp(-kappa * steps**2 / 2) * mean / inside[:, None]))


def uniform_length(kappa, d: int):
    r"""The length of the barycentre when tokens are uniform, $|m_\beta| = I_{d/2}(\kappa)/I_{d/2-1}(\kappa)$."""
    return funk_hecke(1, kappa, d=d, is_scaled=True) / funk_hecke(0, kappa, d=d, is_scaled=True)


def smooth_barycentre(star, *, kappa: float, slope) -> np.ndarray:
    r"""The barycentre of a smooth positive density to second order.

    $$m_\beta = \Big(1 - \frac{d-1}{2\kappa}\Big) y^* + \frac1\kappa \nabla_S\log\mu(y^*) + O(\kappa^{-2})$$

    `slope` is the tangential gradient of the logarithm of the density at $y^*$. Source: derived.
    """
    star = np.asarray(star, float)
    return (1 - (len(star) - 1) / (2 * kappa)) * star + np.asarray(slope, float) / kappa
