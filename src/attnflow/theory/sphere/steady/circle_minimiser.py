"""The exact minimiser on the circle for positive definite B, by its Fourier system."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import localcontext

import numpy as np

from ....errors import BadInput
from .decimal_systems import bessel_table, decimals, solve
from .gradient_structure import is_symmetric, square_matrix


@dataclass(frozen=True)
class CircleMinimiser:
    r"""The density $\rho(\varphi) = \sum_k c_{2k}\cos 2k(\varphi - \varphi_0)$ against the uniform measure, $c_0 = 1$."""

    energy: float
    cosines: np.ndarray
    """c_0 = 1, c_2, c_4, … about the eigenvector of the smaller eigenvalue."""
    angle: float
    """φ₀, the direction of that eigenvector."""
    ripple: float
    """The most negative value of the truncated series: 0, or truncation error that shrinks with the order."""

    def density(self, phi) -> np.ndarray:
        modes = 2 * np.arange(len(self.cosines))
        return np.cos(modes * (np.asarray(phi, dtype=float)[..., None] - self.angle)) @ self.cosines


def circle_minimiser(B, order: int = 40) -> CircleMinimiser:
    r"""Solve $\sum_q K_{pq} r_q = E_{\min}\delta_{p0}$ over the even modes up to `order`.

    $$K_{pq} = I_{(p+q)/2}(a)\,I_{(p-q)/2}(b),\quad a = (l_1+l_2)/2,\ b = (l_1-l_2)/2$$

    Source: derived, for the minimisers of Burger et al. 2025 (arXiv 2501.03096).
    """
    B = square_matrix(B)
    if len(B) != 2 or not is_symmetric(B):
        raise BadInput(f"the Fourier system is for a symmetric 2 × 2 matrix B, got shape {B.shape}")
    values, vectors = np.linalg.eigh(B)
    if values[0] <= 0:
        raise BadInput(f"a density minimises only for positive definite B; the smallest eigenvalue is {values[0]:.3g}")
    half = order // 2
    K = kernel_modes(values[0], values[1], half, digits=(digits := 30 + 3 * order))
    s = solve(K, decimals(np.eye(half + 1, dtype=int)[0]), digits=digits)
    cosines = np.array([float(v / s[0]) * (2 if k else 1) for k, v in enumerate(s)])
    wave = np.cos(2 * np.outer(np.linspace(0, np.pi / 2, 32 * half + 1), np.arange(half + 1))) @ cosines
    z = vectors[:, 0]
    return CircleMinimiser(float(1 / s[0]), cosines, float(np.arctan2(z[1], z[0])), float(min(0.0, wave.min())))


def kernel_modes(l1: float, l2: float, half: int, *, digits: int) -> np.ndarray:
    """The even cosine form of K: column q > 0 carries the modes q and −q."""
    a, b = (l1 + l2) / 2, (l1 - l2) / 2
    of_a, of_b = bessel_table(2 * half, a, digits=digits), bessel_table(2 * half, b, digits=digits)
    p, q = np.meshgrid(np.arange(half + 1), np.arange(half + 1), indexing="ij")
    with localcontext() as context:
        context.prec = digits
        one_sided = of_a[p + q] * of_b[np.abs(p - q)]
        other = of_a[np.abs(p - q)] * of_b[p + q]
        return np.where(q > 0, one_sided + other, one_sided)
