"""Tokens that stand for a law without randomness: quantiles with equal masses, quadrature nodes with weights."""

from __future__ import annotations

from collections.abc import Callable

import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from ....errors import BadInput, quoted
from ...linalg.arguments import as_annotated, values_of
from ..gaussian import Gaussian
from ..particles import Particles
from .sampling import count

NAMES = {"normal": "norm"}
"""Names of laws that scipy spells differently."""


@as_annotated
def quantile_nodes(n: int, law: str | Callable = "normal", *, circle: bool = False, **parameters) -> Particles:
    r"""The equal-mass tokens $F^{-1}((i + 1/2)/n)$ of a law on the line, or of an angle on the circle.

    `law` is a quantile function, a frozen distribution of `scipy.stats`, or the name of one with its `parameters`; on
    the circle "uniform" covers all angles.
    """
    levels = (np.arange(count(n, "n")) + 0.5) / n
    places = values_of(_quantile(law, circle, parameters), levels)
    if places.shape != (n,) or not np.all(np.isfinite(places)):
        raise BadInput(f"the quantile function must return {n} finite numbers for {n} levels in (0, 1)")
    return Particles(_on_circle(places) if circle else places[:, None])


@as_annotated
def quadrature_nodes(density: Callable, n: int, *, low: ArrayLike, high: ArrayLike) -> Particles:
    r"""A uniform grid of n nodes per axis with trapezoidal masses $\rho(x_i)h$, normalised.

    Scalars `low` and `high` make a grid on the line, on which `density` takes an array of n numbers; vectors make a
    product grid, on which it takes an array of points. Exponentially accurate for smooth densities that vanish at the
    ends. Source: theory of entropic self-transport, where $h \le 0.35\sqrt\varepsilon$ resolves a kernel of width ε.
    """
    low, high, n = np.asarray(low, float), np.asarray(high, float), count(n, "n", 2)
    if low.shape != high.shape or low.ndim > 1 or not np.all(low < high):
        raise BadInput(f"low and high must be numbers or vectors with low < high, got {low} and {high}")
    axes = [np.linspace(a, b, n) for a, b in zip(np.atleast_1d(low), np.atleast_1d(high))]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(axes))
    ends = np.ones(n)
    ends[[0, -1]] = 0.5
    trapezoid = np.stack(np.meshgrid(*[ends] * len(axes), indexing="ij"), axis=-1).prod(axis=-1).ravel()
    return _weighed(points, trapezoid * _values(density, points[:, 0] if low.ndim == 0 else points))


@as_annotated
def circle_nodes(n: int, *, density: Callable | None = None) -> Particles:
    """Equally spaced angles with masses from a density of the angle: exact for trigonometric degree below n."""
    angles = 2 * np.pi * np.arange(count(n, "n")) / n
    return _weighed(_on_circle(angles), np.ones(n) if density is None else _values(density, angles))


@as_annotated
def sphere_nodes(rings: int, azimuths: int, *, density: Callable | None = None) -> Particles:
    r"""Gauss–Legendre heights times equal azimuths on $S^2$.

    Exact for polynomials of degree below min(2·rings, azimuths); `density` takes points of shape (n, 3).
    """
    heights, weights = np.polynomial.legendre.leggauss(count(rings, "rings"))
    angles = 2 * np.pi * np.arange(count(azimuths, "azimuths")) / azimuths
    z, phi = (a.ravel() for a in np.meshgrid(heights, angles, indexing="ij"))
    x = np.stack([np.sqrt((1 - z) * (1 + z)) * np.cos(phi), np.sqrt((1 - z) * (1 + z)) * np.sin(phi), z], axis=1)
    mass = np.repeat(weights, azimuths)
    return _weighed(x, mass if density is None else mass * _values(density, x))


@as_annotated
def gauss_hermite(law: Gaussian, *, order: int) -> Particles:
    """Weighted tokens that integrate polynomials of degree below 2·order in each coordinate exactly against a Gaussian.

    Nodes are `order`^d: meant for small d.
    """
    nodes, weights = np.polynomial.hermite_e.hermegauss(count(order, "order"))
    d = law.d
    g = np.stack(np.meshgrid(*[nodes] * d, indexing="ij"), axis=-1).reshape(-1, d)
    mass = np.stack(np.meshgrid(*[weights] * d, indexing="ij"), axis=-1).prod(axis=-1).ravel()
    values, vectors = np.linalg.eigh(np.asarray(law.cov))
    return _weighed(np.asarray(law.mean) + g @ (vectors * np.sqrt(np.maximum(values, 0))).T, mass)


def _quantile(law, circle, parameters):
    if hasattr(law, "ppf"):
        return law.ppf
    if callable(law):
        return law
    from scipy import stats

    if circle and law == "uniform":
        parameters = {"scale": 2 * np.pi} | parameters
    found = getattr(stats, NAMES.get(law, law), None)
    if not isinstance(found, stats.rv_continuous):
        raise BadInput(f"law must be a quantile function or the name of a law in scipy.stats, got {quoted(law)}")
    return found(**parameters).ppf


def _weighed(points, mass) -> Particles:
    """Nodes with their masses; a tail too thin for the numbers in use is 0, as the density is a little farther out."""
    least = 2 * float(jnp.finfo(jnp.result_type(float)).tiny) * len(mass) * mass.max()
    return Particles(points, np.where((mass > 0) & (mass < least), 0.0, mass))


def _values(density, points):
    values = values_of(density, points)
    if values.shape != points.shape[:1]:
        raise BadInput(f"the density must return one number per node, shape {points.shape[:1]}, got {values.shape}")
    return values


def _on_circle(angles):
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)
