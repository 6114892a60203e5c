r"""Quantitative Laplace principle: distance of attention at finite temperature to its limit.

For unit x the score misses its maximum by exactly $|B^\top x||y - y^*|^2/2$, with $y^* = B^\top x/|B^\top x|$.
"""

from __future__ import annotations

import numpy as np
from jax.typing import ArrayLike

from ...engine.linalg.arguments import as_annotated, in_range, inside, shaped
from ...engine.linalg.rows import unit_rows
from ...engine.special.funk_hecke import funk_hecke
from ...errors import BadInput

RADII = 64
"""Candidates for each radius: every pair gives a valid bound, so a finite search stays certified."""


@as_annotated
def laplace_bound(
    x: ArrayLike, y: ArrayLike, *, B: ArrayLike, beta: float, mass: ArrayLike | None = None
) -> np.ndarray:
    r"""A certified bound of the distance between the attention barycentre at x and its limit $y^*$.

    $$|m_\beta(x) - y^*| \le \min_{0<r<R}\; R + \frac{e^{-\kappa(R^2-r^2)/2}}{\mu\{|y-y^*|\le r\}}\int|y-y^*|\,d\mu,
      \quad \kappa = \beta|B^\top x|$$

    Holds for every measure, empirical ones too. Source: derived; the idea is that of consensus-based optimisation.
    """
    inside(beta, "beta", above=0)
    x = shaped(np.atleast_2d(np.asarray(x, float)), "x", "n d")
    y = shaped(np.atleast_2d(np.asarray(y, float)), "y", "m d", d=x.shape[1])
    mass = np.full(len(y), 1 / len(y)) if mass is None else shaped(mass, "mass", "m", m=len(y))
    if np.any(mass < 0) or not 0 < mass.sum() < 1e300:
        raise BadInput("mass must not be negative, and its sum must be positive and finite")
    pulled = x @ shaped(B, "B", "d d", d=x.shape[1])
    kappa = beta * np.linalg.norm(pulled, axis=1)
    if not np.all(np.isfinite(kappa)) or not np.all(np.abs(y) < 1e150):
        raise BadInput("scores or tokens leave the range of numbers; scale x, y, B or beta down")
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


@as_annotated
def uniform_length(kappa: ArrayLike, d: int):
    r"""The length of the barycentre when tokens are uniform, $|m_\beta| = I_{d/2}(\kappa)/I_{d/2-1}(\kappa)$."""
    inside(d, "d", least=2)
    return in_range(funk_hecke(1, kappa, d=d, is_scaled=True) / funk_hecke(0, kappa, d=d, is_scaled=True))


def smooth_barycentre(star, *, kappa: float, slope) -> np.ndarray:
    r"""The barycentre of a smooth positive density to second order.

    $$m_\beta = \Big(1 - \frac{d-1}{2\kappa}\Big) y^* + \frac1\kappa \nabla_S\log\mu(y^*) + O(\kappa^{-2})$$

    `slope` is the tangential gradient of the logarithm of the density at $y^*$. Source: derived.
    """
    star = np.asarray(star, float)
    return (1 - (len(star) - 1) / (2 * kappa)) * star + np.asarray(slope, float) / kappa
