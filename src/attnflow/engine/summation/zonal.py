"""Convolutions on S² in Fourier modes of longitude and colatitude (the double Fourier sphere)."""

from __future__ import annotations

from functools import lru_cache

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Complex, Float

from ..special.funk_hecke import funk_hecke
from ..special.legendre import normalised_legendre

LARGEST_DEGREE = 160
"""Beyond this degree the table of Legendre functions outgrows a cache, and the Gauss form is used."""


class Zonal(eqx.Module):
    r"""The kernel $e^{r\cos\gamma - r} = \sum_l (2l+1)\,e^{-r} i_l(r) P_l(\cos\gamma)$ on modes $e^{iq\theta + im\varphi}$.

    Each order m is a symmetric matrix in the modes of the colatitude, $\sum_l \lambda_l c_{lm} c_{lm}^\top$, with $c_{lm}$
    the Fourier coefficients of the normalised Legendre function. Source: Funk–Hecke formula.
    """

    legendre: Float[Array, "m l q"]
    eigenvalues: Float[Array, "l"]
    r: Float[Array, ""]
    truncation: Float[Array, ""]

    @property
    def shape(self) -> tuple[int, int]:
        modes = self.legendre.shape[2]
        return modes, modes

    def __call__(self, modes: Complex[Array, "c q m"]) -> Complex[Array, "c q m"]:
        degree = self.legendre.shape[0] - 1
        table = self.legendre[np.abs(np.arange(-degree, degree + 1))]
        harmonics = jnp.einsum("mlq,cqm->cml", table, modes)
        return jnp.einsum("mlq,cml->cqm", table, harmonics * self.eigenvalues)


def zonal(r: float, degree: int, dtype) -> Zonal:
    l = np.arange(degree + 1)
    beyond = np.arange(degree + 1, 2 * degree + 40)
    truncation = float(np.sum((2 * beyond + 1) * funk_hecke(beyond, r, d=3, is_scaled=True)))
    values = (legendre_modes(degree), funk_hecke(l, r, d=3, is_scaled=True), r, truncation)
    return Zonal(*(jnp.asarray(value, dtype) for value in values))


def degree_on_sphere(r: float, eps: float) -> int:
    """The degree beyond which the kernel's expansion adds up to less than eps, rounded up to a multiple of 4."""
    bound = int(np.ceil(np.sqrt(2 * r * np.log(1 / eps)) + 2 * np.log(1 / eps) + 20))
    l = np.arange(bound)
    tail = np.cumsum(((2 * l + 1) * funk_hecke(l, r, d=3, is_scaled=True))[::-1])[::-1]
    return 4 * int(np.ceil(np.argmax(tail < eps / 2) / 4))


@lru_cache(maxsize=4)
def legendre_modes(degree: int) -> np.ndarray:
    r"""Fourier coefficients in θ, q = −degree … degree, of the normalised Legendre functions, for all m and l.

    Odd orders are sine series, whose imaginary unit cancels in every use and is left out.
    """
    theta = 2 * np.pi * np.arange(4 * degree + 4) / (4 * degree + 4)
    table = np.fft.fft(normalised_legendre(degree, np.cos(theta), sine=np.sin(theta)), axis=-1) / len(theta)
    kept = np.concatenate([table[..., -degree:], table[..., : degree + 1]], axis=-1) if degree else table[..., :1]
    is_odd = np.arange(degree + 1)[:, None, None] % 2 == 1
    return np.where(is_odd, kept.imag, kept.real)
