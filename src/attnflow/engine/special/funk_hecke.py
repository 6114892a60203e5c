"""Eigenvalues of the exponential kernel on spherical harmonics (Funk–Hecke formula)."""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln, hyp0f1, ive


def funk_hecke(degree, beta, *, d: int, is_scaled: bool = False):
    r"""The eigenvalue of $e^{\beta\langle x,y\rangle}$ on harmonics of degree l, against the uniform probability of $S^{d-1}$.

    $$\lambda_l(\beta) = \Gamma(d/2)\,(2/\beta)^{d/2-1}\,I_{l+d/2-1}(\beta)$$

    `is_scaled` multiplies by $e^{-|\beta|}$, which keeps it finite for every β. Degrees and β may be arrays. Degree l has
    the parity of $x\mapsto-x$, so $\lambda_l(-\beta) = (-1)^l\lambda_l(\beta)$; at β = 0 only $\lambda_0 = 1$ is left.
    """
    l, beta = np.asarray(degree, float), np.asarray(beta, float)
    size, order = np.abs(beta), l + d / 2 - 1
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        value = np.exp(gammaln(d / 2) + (d / 2 - 1) * np.log(2 / size)) * scaled_bessel(order, size)
    is_lost = ~(np.isfinite(value) & (value > 0))
    value = np.where(is_lost, _small(l, np.where(is_lost, size, 0.0), d), value)
    sign = np.where((beta < 0) & (l % 2 == 1), -1.0, 1.0)
    return (sign * value * (1 if is_scaled else np.exp(size)))[()]


FAR = 1e9
"""SciPy gives no Bessel functions much beyond this argument."""


def scaled_bessel(order, size):
    r"""$e^{-x}I_\nu(x)$, also where SciPy gives up: there by the first terms of its expansion in 1/x."""
    near = ive(order, np.minimum(size, FAR))
    far, square = np.maximum(size, FAR), 4 * np.square(order)
    first = (square - 1) / (8 * far)
    second = first * (square - 9) / (16 * far)
    third = second * (square - 25) / (24 * far)
    return np.where(size > FAR, (1 - first + second - third) / np.sqrt(2 * np.pi * far), near)


def _small(l, size, d):
    """The scaled eigenvalue by its series, for a β so small against d or l that the Bessel function underflows."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        log_first = np.where(l > 0, l * np.log(size / 2), 0.0) + gammaln(d / 2) - gammaln(l + d / 2)
        return np.exp(log_first - size) * hyp0f1(l + d / 2, size**2 / 4)
