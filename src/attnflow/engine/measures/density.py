"""Prompts with a smooth density on the circle or on S², and their conversion to tokens and back."""

from __future__ import annotations

from collections.abc import Callable

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ...errors import BadInput, quoted
from ..linalg.arguments import as_annotated, values_of
from ..linalg.matrices import as_array, is_concrete
from ..linalg.rows import unit_rows
from ..special.harmonics import Grid, grid_of
from ..special.legendre import normalised_legendre
from .particles import Particles


class Density(eqx.Module):
    r"""A probability density against the uniform probability, so the uniform measure is the constant 1.

    Values of shape (m,) sit at angles $2\pi j/m$ of the circle; of shape (latitudes, longitudes), at Gauss–Legendre
    latitudes (from the south pole) and equal longitudes of S². They are divided by their total mass.

    >>> import attnflow as af
    >>> import numpy as np
    >>> af.Density(np.array([2.0, 3.0, 4.0, 2.0, 1.0, 0.0])).values.tolist()
    [1.0, 1.5, 2.0, 1.0, 0.5, 0.0]
    """

    values: Float[Array, "*b m"] | Float[Array, "*b lat lon"]
    d: int = eqx.field(static=True)

    def __init__(self, values):
        values = as_array(values, "density values")
        if values.ndim not in (1, 2) or min(values.shape) < 6:
            raise BadInput(
                "a density needs values of shape (m,) on the circle or (latitudes, longitudes) on S², "
                f"at least 6 each, got {values.shape}"
            )
        if values.ndim == 2 and values.shape[1] < 4 * ((2 * values.shape[0] - 1) // 3) // 2 + 1:
            raise BadInput(f"S² needs about twice as many longitudes as latitudes, got {values.shape}")
        if is_concrete(values) and np.asarray(values).min() < 0:
            raise BadInput(f"a density must not be negative, its smallest value is {np.asarray(values).min():.3g}")
        self.d = values.ndim + 1
        total = grid_of(values.shape, values.dtype).weights @ values.ravel()
        if is_concrete(total) and not total > 0:
            raise BadInput("a density must not be zero everywhere")
        self.values = values / total

    @property
    def shape(self) -> tuple[int, ...]:
        return self.values.shape[-(self.d - 1) :]

    @property
    def grid(self) -> Grid:
        return grid_of(self.shape, self.values.dtype)

    @property
    def x(self) -> Float[Array, "m d"]:
        """The nodes as tokens."""
        return self.grid.nodes

    @property
    def mass(self) -> Array:
        """Total mass: 1 at the start, and the measure of how well a solver keeps it."""
        return self.values.reshape(*self.values.shape[: -(self.d - 1)], -1) @ self.grid.weights

    def coefficients(self) -> np.ndarray:
        """Coefficients against orthonormal harmonics; on the circle the means of ρ e^{−ilθ}, l = 0, 1, …"""
        return np.asarray(self.grid.analyse(self.values.reshape(-1)))


@as_annotated
def density_from(function: Callable[[np.ndarray], np.ndarray], *, size: int = 256, d: int = 2) -> Density:
    """The density with these values at unit vectors of shape (m, d); `size` counts angles, or latitudes on S²."""
    if d not in (2, 3):
        raise BadInput(f"densities live on the circle (d = 2) or on S² (d = 3), got d = {d}")
    shape = (size,) if d == 2 else (size, 2 * size)
    nodes = np.asarray(grid_of(shape, jnp.result_type(float)).nodes)
    values = values_of(function, nodes)
    if values.size != len(nodes):
        raise BadInput(f"the function must return one number per node, {len(nodes)} of them, got shape {values.shape}")
    return Density(values.reshape(shape))


@as_annotated
def quadrature_tokens(rho: Density) -> Particles:
    """The nodes as weighted tokens: integrals of smooth functions are exact to spectral accuracy."""
    return Particles(rho.x, rho.values.reshape(-1) * rho.grid.weights)


@as_annotated
def quantile_tokens(rho: Density, n: int) -> Particles:
    """n equal tokens at the quantiles of a density on the circle."""
    _check_count(n)
    if rho.d != 2:
        raise BadInput("quantiles need an order: on S² use quadrature_tokens or random_tokens")
    return Particles(_on_circle(_angles(rho, (np.arange(n) + 0.5) / n)))


@as_annotated
def random_tokens(rho: Density, n: int, *, seed: int) -> Particles:
    """n independent draws."""
    _check_count(n)
    rng = np.random.default_rng(seed)
    if rho.d == 2:
        return Particles(_on_circle(_angles(rho, np.sort(rng.uniform(size=n)))[rng.permutation(n)]))
    bound, kept = 1.1 * float(rho.values.max()), np.empty((0, 3))
    while len(kept) < n:
        x = unit_rows(rng.normal(size=(2 * n, 3)))
        kept = np.concatenate([kept, x[rng.uniform(0, bound, 2 * n) < evaluate(rho, x)]])
    return Particles(kept[:n])


def _check_count(n) -> None:
    if not isinstance(n, int | np.integer) or n < 1:
        raise BadInput(f"n must be a positive number of tokens, got {quoted(n)}")


def evaluate(rho: Density, x) -> np.ndarray:
    """The interpolating series at unit vectors x."""
    x, c = np.asarray(x, float), rho.coefficients()
    if rho.d == 2:
        phase = np.exp(1j * np.outer(np.arctan2(x[:, 1], x[:, 0]), np.arange(len(c))))
        return np.real(2 * phase @ c - c[0])
    P = normalised_legendre(len(c) - 1, x[:, 2])
    phase = np.exp(1j * np.outer(np.arange(len(c)), np.arctan2(x[:, 1], x[:, 0])))
    terms = np.real(np.einsum("oln,ol,on->on", P, c, phase))
    return 2 * terms.sum(axis=0) - terms[0]


@as_annotated
def smoothed(mu: Particles, *, size: int = 256, kappa: float | None = None) -> Density:
    r"""The density of tokens blurred by a von Mises–Fisher kernel of concentration κ (width $\kappa^{-1/2}$).

    The default balances bias and noise, $\kappa = n^{4/(d+3)}$.
    """
    kappa = float(mu.n ** (4 / (mu.d + 3)) if kappa is None else kappa)
    if not kappa > 0:
        raise BadInput(f"kappa must be positive, got {kappa}")
    x, mass = np.asarray(mu.x), np.asarray(mu.mass)

    def blurred(nodes):
        return np.concatenate([np.exp(kappa * (part @ x.T - 1)) @ mass for part in np.array_split(nodes, 64)])

    return density_from(blurred, size=size, d=mu.d)


def half_mass(rho: Density, w) -> float:
    r"""The mass where ⟨w, x⟩ > 0, exact for the resolved series.

    By Funk–Hecke the half-space multiplies degree l by $\sin(l\pi/2)/(l\pi)$ on the circle and by
    $(P_{l-1}(0) - P_{l+1}(0))/(2(2l+1))$ on S².
    """
    from scipy.special import eval_legendre

    c, w = rho.coefficients(), np.asarray(w, float)
    l = np.arange(1, c.shape[-1])
    factors = np.sin(l * np.pi / 2) / (l * np.pi)
    if rho.d == 3:
        factors = (eval_legendre(l - 1, 0.0) - eval_legendre(l + 1, 0.0)) / (2 * (2 * l + 1))
    filtered = c * np.concatenate([[0.5], factors])
    grid = rho.grid
    series = eqx.tree_at(lambda r: r.values, rho, grid.synthesise(jnp.asarray(filtered)).reshape(rho.shape))
    return float(evaluate(series, (w / np.linalg.norm(w))[None])[0])


def _angles(rho: Density, shares):
    """Angles below which the given shares of the mass lie, by Newton on the integrated series."""
    c = rho.coefficients()
    l = np.arange(1, len(c))
    theta = np.interp(shares, *_coarse(c, l))
    for _ in range(50):
        phase = np.exp(1j * np.outer(theta, l))
        miss = _cumulative(c, l, theta, phase) - shares
        slope = (1 + 2 * (phase @ c[1:]).real) / (2 * np.pi)
        theta = theta - np.where(slope > 0, miss / np.where(slope > 0, slope, 1), 0)
        if np.abs(miss).max() < 1e-15 * len(c):
            break
    return theta


def _cumulative(c, l, theta, phase):
    return (theta + 2 * ((phase - 1) @ (c[1:] / (1j * l))).real) / (2 * np.pi)


def _coarse(c, l):
    theta = np.linspace(0, 2 * np.pi, 4 * len(c) + 1)
    return np.maximum.accumulate(_cumulative(c, l, theta, np.exp(1j * np.outer(theta, l)))), theta


def _on_circle(theta):
    return np.stack([np.cos(theta), np.sin(theta)], axis=-1)
