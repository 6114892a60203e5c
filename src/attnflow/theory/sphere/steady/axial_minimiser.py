"""The exact minimiser on S² for B = diag(a, b, a) > 0, by a Legendre–Galerkin system."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, localcontext

import numpy as np
from numpy.polynomial import legendre

from ....errors import BadInput
from .decimal_systems import decimals, solve
from .gradient_structure import is_symmetric, square_matrix


@dataclass(frozen=True)
class AxialMinimiser:
    r"""The density $\rho(u) = \sum_l r_l P_l(u)$ against the uniform measure, u the component on the axis."""

    energy: float
    legendre: np.ndarray
    """r_0 = 1, r_2, r_4, …"""
    axis: np.ndarray
    ripple: float
    """The most negative value of the truncated series: 0, or truncation error."""

    @property
    def second_moment(self) -> float:
        r"""$$\langle x_{axis}^2\rangle = 1/3 + (2/15)\, r_2$$"""
        return 1 / 3 + 2 / 15 * self.legendre[1]

    def density(self, x) -> np.ndarray:
        return _series_at(self.legendre, np.asarray(x, dtype=float) @ self.axis)


def axial_minimiser(B, order: int = 24) -> AxialMinimiser:
    r"""Solve $A r = E_{\min} e_0$, $A_{kl} = \frac14\iint P_k\,I_0(a\sqrt{(1-u^2)(1-v^2)})\cosh(buv)\,P_l\,du\,dv$.

    The entries come from the power series of the kernel in many digits, because they decay below float64 rounding
    beyond l = 10. Source: derived, for the minimisers of Burger et al. 2025 (arXiv 2501.03096).
    """
    a, b, axis = _axis_of(square_matrix(B))
    digits = 40 + 4 * order
    A = _galerkin(a, b, order, digits)
    s = solve(A, decimals(np.eye(order // 2 + 1, dtype=int)[0]), digits=digits)
    r = np.array([float(v / s[0]) for v in s])
    wave = _series_at(r, np.linspace(0, 1, 40 * order))
    return AxialMinimiser(float(1 / s[0]), r, axis, float(min(0.0, wave.min())))


def _axis_of(B):
    """(a, b, axis) of a positive definite 3 × 3 matrix with a double eigenvalue a."""
    if len(B) != 3 or not is_symmetric(B):
        raise BadInput(f"the Legendre system is for a symmetric 3 × 3 matrix B, got shape {B.shape}")
    values, vectors = np.linalg.eigh(B)
    if values[0] <= 0:
        raise BadInput(f"a density minimises only for positive definite B; the smallest eigenvalue is {values[0]:.3g}")
    alone = 0 if values[2] - values[1] <= values[1] - values[0] else 2
    a, other = values[1], values[2 - alone]
    if abs(a - other) > 1e-12 * values[2]:
        raise BadInput(f"B must have a double eigenvalue (an axis of symmetry), got {values}")
    return float(a), float(values[alone]), vectors[:, alone]


def is_axial(B) -> bool:
    try:
        _axis_of(square_matrix(B))
    except ValueError:
        return False
    return True


def _galerkin(a, b, order, digits):
    with localcontext() as context:
        context.prec = digits
        top = order + 12 + int(3 * max(a, b))
        P = decimals(_even_legendre(order))
        A = decimals(np.zeros((len(P), len(P)), dtype=int))
        for m in range(top + 1):
            moments = _moments(m, top - m + P.shape[1], digits)
            for n in range(top - m + 1):
                f = P @ moments[n : n + P.shape[1]]
                A = A + _coefficient(a, b, m, n) * np.multiply.outer(f, f)
        return A


def _coefficient(a, b, m, n):
    """The factor of (1−u²)^m (1−v²)^m (uv)^{2n} in the kernel."""
    root = Decimal(a) / 2
    value = root ** (2 * m) if m else Decimal(1)
    for i in range(1, m + 1):
        value /= i * i
    value *= Decimal(b) ** (2 * n) if n else 1
    for i in range(1, 2 * n + 1):
        value /= i
    return value


def _moments(m, count, digits):
    r"""$$\tfrac12\int_{-1}^1 u^{2j}(1-u^2)^m\,du = \frac{m!}{2\prod_{i=0}^m (j + 1/2 + i)}$$"""
    out = []
    for j in range(count):
        value = Decimal(1)
        for i in range(m + 1):
            value = value * (i if i else 1) * 2 / (2 * j + 1 + 2 * i)
        out.append(value / 2)
    return np.array(out, dtype=object)


def _even_legendre(order):
    """Exact coefficients of P_0, P_2, … in even powers: rows of decimals via integer arithmetic over 2^l."""
    from math import comb

    rows = np.zeros((order // 2 + 1, order // 2 + 1), dtype=object)
    for row, l in enumerate(range(0, order + 1, 2)):
        for k in range(l // 2 + 1):
            whole = (-1) ** k * comb(l, k) * comb(2 * l - 2 * k, l)
            rows[row, (l - 2 * k) // 2] = Decimal(whole) / Decimal(2**l)
    return rows


def _series_at(r, u):
    full = np.zeros(2 * len(r) - 1)
    full[::2] = r
    return legendre.legval(u, full)
