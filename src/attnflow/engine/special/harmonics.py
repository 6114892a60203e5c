"""Grids on the circle and on S² with exact transforms, so that one mean-field solver serves both.

The sphere's transform is our own: the weak divergence below needs the gradients of the harmonics on the very nodes of
the scalar transform, so that mass is kept to round-off; s2fft would reach them through complex spin transforms.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import lru_cache

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Complex, Float

from .legendre import normalised_legendre


class Grid(eqx.Module):
    """Nodes and weights of a quadrature with the harmonics it resolves after products (the 2/3 rule)."""

    nodes: eqx.AbstractVar[Float[Array, "m d"]]
    weights: eqx.AbstractVar[Float[Array, "m"]]
    """Probability weights: they sum to 1."""
    degree: eqx.AbstractVar[Float[Array, "*c"]]
    """The degree l of every coefficient."""

    @abstractmethod
    def analyse(self, f: Float[Array, "m"]) -> Complex[Array, "*c"]:
        """Coefficients against harmonics that are orthonormal for the uniform probability."""

    @abstractmethod
    def synthesise(self, c: Complex[Array, "*c"]) -> Float[Array, "m"]:
        """The values of a series at the nodes."""

    @abstractmethod
    def divergence(self, flux: Float[Array, "m d"]) -> Complex[Array, "*c"]:
        """Coefficients of the divergence of a tangent field; that of degree 0 is exactly 0."""


class CircleGrid(Grid):
    """M equal angles and the Fourier modes |l| ≤ M/3."""

    nodes: Float[Array, "m 2"]
    weights: Float[Array, "m"]
    degree: Float[Array, "c"]

    def analyse(self, f):
        return jnp.fft.rfft(f)[: self.degree.shape[0]] / f.shape[0]

    def synthesise(self, c):
        m = self.weights.shape[0]
        return jnp.fft.irfft(jnp.pad(c, (0, m // 2 + 1 - c.shape[0])), m) * m

    def divergence(self, flux):
        along = self.nodes[:, 0] * flux[:, 1] - self.nodes[:, 1] * flux[:, 0]
        return 1j * self.degree * self.analyse(along)


class SphereGrid(Grid):
    """Gauss–Legendre latitudes × equal longitudes, and the spherical harmonics up to two thirds of the latitudes."""

    nodes: Float[Array, "m 3"]
    weights: Float[Array, "m"]
    degree: Float[Array, "o l"]
    legendre: Float[Array, "o l i"]
    """Normalised associated Legendre functions by order, degree and latitude."""
    slope: Float[Array, "o l i"]
    """Their derivative along the meridian."""
    twist: Float[Array, "o l i"]
    """Order × function / sin of the colatitude."""
    frame: Float[Array, "2 m 3"]
    """Unit vectors along meridians and parallels."""
    shape: tuple[int, int] = eqx.field(static=True)

    def analyse(self, f):
        return self._project(self.legendre, self._orders(f))

    def synthesise(self, c):
        rows = jnp.einsum("oli,ol->io", self.legendre, c)
        lon = self.shape[1]
        return (jnp.fft.irfft(jnp.pad(rows, ((0, 0), (0, lon // 2 + 1 - rows.shape[1]))), lon, axis=1) * lon).ravel()

    def divergence(self, flux):
        # Weak form, −⟨∇Y, F⟩: no derivative of the data is taken, and degree 0 vanishes identically.
        south, east = (self._orders(jnp.sum(unit * flux, axis=1)) for unit in self.frame)
        return -self._project(self.slope, south) + 1j * self._project(self.twist, east)

    def _orders(self, f):
        lat, lon = self.shape
        return jnp.fft.rfft(f.reshape(lat, lon), axis=1)[:, : self.degree.shape[0]] / lon

    def _project(self, functions, rows):
        weighted = rows * (self.weights.reshape(self.shape)[:, :1] * self.shape[1])
        return jnp.einsum("oli,io->ol", functions, weighted)


@lru_cache(maxsize=16)
def circle_arrays(m: int):
    theta = 2 * np.pi * np.arange(m) / m
    degree = np.arange(m // 3 + 1, dtype=float)
    return np.stack([np.cos(theta), np.sin(theta)], axis=1), np.full(m, 1 / m), degree


@lru_cache(maxsize=8)
def sphere_arrays(lat: int, lon: int):
    z, w = np.polynomial.legendre.leggauss(lat)
    sine, phi = np.sqrt((1 - z) * (1 + z)), 2 * np.pi * np.arange(lon) / lon
    top = (2 * lat - 1) // 3
    P = normalised_legendre(top, z)
    l, o = np.arange(top + 1.0), np.arange(top + 1.0)[:, None]
    lower = np.concatenate([np.zeros_like(P[:, :1]), P[:, :-1]], axis=1)
    ratio = np.sqrt(np.maximum(0, (2 * l + 1) / np.maximum(1, 2 * l - 1) * (l**2 - o**2)))
    slope = (l[:, None] * z * P - ratio[..., None] * lower) / sine
    twist = o[..., None] * P / sine
    one = np.ones(lon)
    outer = lambda a, b: np.outer(a, b).ravel()  # noqa: E731
    nodes = np.stack([outer(sine, np.cos(phi)), outer(sine, np.sin(phi)), outer(z, one)], axis=1)
    south = np.stack([outer(z, np.cos(phi)), outer(z, np.sin(phi)), outer(-sine, one)], axis=1)
    east = np.stack(
        [outer(one[:1].repeat(lat), -np.sin(phi)), outer(one[:1].repeat(lat), np.cos(phi)), 0 * nodes[:, 0]], axis=1
    )
    degree = np.broadcast_to(l, (top + 1, top + 1)) * 1.0
    return nodes, outer(w / 2, one / lon), degree, P, slope, twist, np.stack([south, east])


def grid_of(shape: tuple[int, ...], dtype) -> Grid:
    """The grid that values of this shape live on: (m,) on the circle, (latitudes, longitudes) on S²."""
    # Constants stay constants inside compiled functions, so that strategies may look at them.
    with jax.ensure_compile_time_eval():
        if len(shape) == 1:
            return CircleGrid(*(jnp.asarray(a, dtype) for a in circle_arrays(*shape)))
        lat, lon = shape
        return SphereGrid(*(jnp.asarray(a, dtype) for a in sphere_arrays(lat, lon)), shape=(lat, lon))
