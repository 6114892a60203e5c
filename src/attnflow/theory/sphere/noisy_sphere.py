r"""Noisy attention on $S^{d-1}$ for every d: onset of order and the branches of ordered laws about one axis.

$$\rho \propto e^{\kappa h[\rho]},\qquad h = \frac{e^{\beta\langle\cdot,\cdot\rangle}}\beta * \rho\ \text{(USA)},\qquad
  h = \frac1\beta\log\big(e^{\beta\langle\cdot,\cdot\rangle} * \rho\big)\ \text{(SA)}$$

A law about an axis is a function of $u = \cos\theta$; the convolution multiplies its Gegenbauer coefficients by the
eigenvalues of Funk and Hecke. Source: Rigollet, arXiv 2512.01868, section 7; branches for d > 2 derived.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from scipy.optimize import brentq, minimize_scalar
from scipy.special import hyp0f1, roots_jacobi

from ...engine.linalg.arguments import as_annotated, in_range
from ...engine.special.funk_hecke import funk_hecke
from ...errors import BadInput, quoted
from .noisy_circle import Onset
from .uniform_law import growth

NODES = 160
"""Points of the axis; laws as narrow as κe^β of a thousand are resolved."""

MOST = 5000
"""Iterations for a law of given order."""


@as_annotated
def critical_noise(d: int, beta: float, *, model: str = "USA") -> float:
    r"""The κ at which the uniform law loses stability: $d/{}_0F_1(;\tfrac d2+1;\tfrac{\beta^2}4)$ for unnormalised attention."""
    _check(d)
    return in_range(float((d - 1) / growth(1, beta=beta, d=d, model=model)))


def critical_beta(d: int) -> float:
    r"""The β_* up to which order sets in continuously (USA): $I_{d/2+1}(\beta)/I_{d/2}(\beta) = 1/d$, for every d."""
    _check(d)

    def miss(beta):
        ratio = beta / (d + 2) * hyp0f1(d / 2 + 2, beta**2 / 4) / hyp0f1(d / 2 + 1, beta**2 / 4)
        return ratio - 1 / d

    found: Any = brentq(miss, 1e-3, 4.0, xtol=1e-15)
    return float(found)


def branch_kappa(order: float, *, beta: float, d: int, model: str = "USA") -> float:
    """The κ at which a stationary law about an axis has a mean of this length, stable or not."""
    return branch_law(order, beta=beta, d=d, model=model)[0]


def branch_law(order: float, *, beta: float, d: int, model: str = "USA") -> tuple[float, np.ndarray]:
    """κ and the density, against the uniform law, at the nodes of `axis`: its potential is iterated at a fixed order."""
    _check(d)
    if not 0 < order < 0.99:
        raise BadInput(f"the order must lie between 0 and 0.99, got {quoted(order)}")
    u, weights, harmonics = axis(d)
    sizes = _eigenvalues(d, beta, model)
    h, kappa = u, 0.0
    for _ in range(MOST):
        last, (kappa, rho) = kappa, _of_order(order, h, u, weights)
        if abs(kappa - last) < 1e-13 * kappa:
            return kappa, rho
        heard = harmonics.T @ (sizes * (harmonics @ (weights * rho)))
        h = np.log(heard) / beta if model == "SA" and beta != 0 else heard
    raise BadInput(f"no stationary law of order {order} was found for beta={beta}, d={d}")


def onset(beta: float, *, d: int, model: str = "USA") -> Onset:
    r"""Both thresholds: $\kappa_c$ of the uniform law, and the fold of the ordered branch where it begins with a jump."""
    linear = critical_noise(d, beta, model=model)
    if branch_kappa(0.02, beta=beta, d=d, model=model) >= linear:
        return Onset(linear, linear, 0.0)
    fold: Any = minimize_scalar(
        lambda r: branch_kappa(r, beta=beta, d=d, model=model), bounds=(0.01, 0.95), method="bounded"
    )
    return Onset(linear, float(fold.fun), float(fold.x))


@cache
def axis(d: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nodes u, probability weights of the uniform law, and the orthonormal Gegenbauer polynomials at the nodes, by degree."""
    u, weights = roots_jacobi(NODES, (d - 3) / 2, (d - 3) / 2)
    weights = weights / weights.sum()
    # The orthonormal polynomials of a Gauss rule are its Lanczos vectors; the recurrence is that of Gegenbauer.
    k = np.arange(1, NODES)
    off = np.sqrt(k * (k + d - 3) / ((2 * k + d - 2) * (2 * k + d - 4.0) + (d == 2) * (k == 1)))
    off[0] = 1 / np.sqrt(d)
    rows = [np.ones(NODES), u / off[0]]
    for j in range(1, NODES - 1):
        rows.append((u * rows[j] - off[j - 1] * rows[j - 1]) / off[j])
    return u, weights, np.array(rows)


def _eigenvalues(d, beta, model):
    degree = np.arange(NODES)
    if beta == 0:
        return np.where(degree == 1, 1 / d, 0.0)
    if model == "SA":
        return funk_hecke(degree, beta, d=d, is_scaled=True)
    return funk_hecke(degree, beta, d=d) / beta


def _of_order(order, h, u, weights):
    """The law e^{κh} with the given order, and its κ."""

    def law(log_kappa):
        rho = np.exp(np.exp(log_kappa) * (h - h.max()))
        return rho / (weights @ rho)

    found: Any = brentq(lambda k: float(weights @ (law(k) * u)) - order, -30.0, 16.0, xtol=1e-15)
    return float(np.exp(found)), law(found)


def _check(d):
    if not (isinstance(d, int | np.integer) and not isinstance(d, bool) and 2 <= d <= 10_000):
        raise BadInput(f"d must be a whole number from 2 to 10000, got {quoted(d)}")
