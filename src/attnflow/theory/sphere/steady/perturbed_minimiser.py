"""Perturbation theory of the minimiser for B near a multiple of the identity."""

from __future__ import annotations

import numpy as np
from scipy.special import ive

from ....engine.special.funk_hecke import funk_hecke
from .gradient_structure import square_matrix


def tilt(d: int, lam: float = 1.0) -> float:
    r"""The constant of the perturbed minimiser, $\alpha = -I_{d/2}(\lambda)/I_{d/2+1}(\lambda)$.

    Source: Burger et al. 2025 (arXiv 2501.03096), thm:perturbidentity; the authors' code has $\sin^{d-1}$ where
    $\sin^{d-2}$ belongs (see `authors_tilt`).
    """
    return float(-ive(d / 2, lam) / ive(d / 2 + 1, lam))


def authors_tilt() -> float:
    r"""The constant their code computes for d = 2: $-(2/(e\pi))/I_2(1)$ up to their quadrature, with the slipped exponent.

    $$C_1 = \frac1\pi\int_0^\pi e^{\cos t}\cos t\,\sin t\,dt = \frac{2}{e\pi}$$
    """
    return float(-2 / (np.e * np.pi) / (ive(2, 1.0) * np.e))


def perturbed_density(M, h: float, x: np.ndarray, *, lam: float = 1.0, alpha: float | None = None) -> np.ndarray:
    r"""First-order density (against the uniform measure) of the minimiser for $B = \lambda I + hM$ at unit rows x.

    $$1 + h\,\alpha\,(\langle x, Mx\rangle - \operatorname{tr} M/d)$$
    """
    x = np.asarray(x, dtype=float)
    M = square_matrix(M, x.shape[-1])
    alpha = tilt(len(M), lam) if alpha is None else alpha
    return 1 + h * alpha * (np.einsum("...i,ij,...j->...", x, M, x) - np.trace(M) / len(M))


def perturbed_energy_slope(M, *, lam: float = 1.0) -> float:
    r"""$$dE_{\min}/dh = \Lambda_1(\lambda)\,\operatorname{tr} M/d$$"""
    M = square_matrix(M)
    return float(funk_hecke(1, lam, d=len(M)) * np.trace(M) / len(M))
