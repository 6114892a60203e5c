"""Velocity field of a density on the circle or on S²."""

from __future__ import annotations

import equinox as eqx
import jax.numpy as jnp
from jax.typing import ArrayLike
from jaxtyping import Array, Float

from ...errors import BadInput
from ..linalg.matrices import at
from ..measures import Particles
from ..measures.density import Density
from ..spaces import Sphere
from ..special.harmonics import Grid
from ..summation import Summation
from ..summation.convolution import convolution
from ..summation.tiled import Tiled
from .flow import check_fits, check_flow
from .strategy import check_summation


def density_velocity(
    flow, rho: Density, *, t: ArrayLike = 0.0, summation: str | Summation = "auto"
) -> Float[Array, "m d"]:
    """The velocity at every node of the density."""
    check_density(flow, rho)
    now, strategy = jnp.asarray(t, rho.values.dtype), choose_for_density(summation, flow, rho)
    return _velocity(flow, tokens(rho.grid, rho.values.reshape(-1)), now, strategy)


@eqx.filter_jit
def _velocity(flow, mu, t, summation):
    return flow.field(mu, t, summation)


def tokens(grid: Grid, values: Float[Array, "m"]) -> Particles:
    """The nodes as weighted tokens; a density that has dipped below zero is not checked again."""
    return eqx.tree_at(lambda mu: mu.mass, Particles(grid.nodes), values * grid.weights)


def choose_for_density(summation, flow, rho: Density) -> Summation:
    """The strategy a name stands for: a convolution where the kernel depends on angles alone, else the exact sum."""
    check_summation(summation)
    if not isinstance(summation, str):
        return summation
    strength = flow.attention.zonal_strength()
    if summation == "fast" and strength is None:
        raise BadInput("fast sums over a density need Softmax or Unnormalised with B a multiple of the identity")
    return Tiled() if summation == "exact" or strength is None else convolution(strength, rho.grid)


def check_density(flow, rho: Density) -> None:
    """Raise a clear error when a flow cannot act on a density."""
    check_flow(flow)
    if not isinstance(flow.space, Sphere) or not isinstance(flow.state_space, Sphere):
        raise BadInput("densities live on the sphere: use Sphere() and a normalisation that stays on it")
    check_fits(flow, Particles(rho.x))


def density_rate(flow, grid: Grid, *, values: Float[Array, "m"], t, summation: Summation) -> Float[Array, "m"]:
    r"""The time derivative at the nodes, $-\mathrm{div}(\rho\,v[\rho]) + \frac{\sigma^2}{2}\Delta\rho$."""
    v = flow.field(tokens(grid, values), t, summation)
    change = -grid.divergence(values[:, None] * v)
    noise = at(flow, t).noise
    if noise is not None:
        d = grid.nodes.shape[1]
        change = change - noise**2 / 2 * grid.degree * (grid.degree + d - 2) * grid.analyse(values)
    return grid.synthesise(change)
