"""Velocity of a measure under a flow: of tokens, of the moments of a Gaussian, of the nodes of a density."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import dataclass

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike
from jaxtyping import Array, Float

from ...errors import BadInput, OutOfRange
from ..attention.masks import Positional
from ..attention.radial import Radial
from ..linalg.arguments import as_annotated
from ..linalg.matrices import is_concrete, is_number
from ..measures import Gaussian, Measure, Particles
from ..measures.density import Density
from ..summation import FEWEST_TOKENS, Summation
from .density_field import density_velocity
from .flow import AnyFlow, check_directions, check_fits
from .gaussian_field import MomentVelocity, moment_velocity
from .strategy import check_summation, choose


@as_annotated
def velocity(
    flow: AnyFlow, mu: Measure, *, t: ArrayLike = 0.0, summation: str | Summation = "auto"
) -> Array | MomentVelocity:
    """The velocity of every token of mu, shape (n, d); for a Gaussian of its moments, for a density of its nodes.

    >>> import attnflow as af
    >>> import numpy as np
    >>> mu = af.Particles([[1.0, 0.0], [0.0, 1.0]])
    >>> af.velocity(af.Flow(af.Sphere(), af.Softmax(beta=np.log(3))), mu).round(9).tolist()
    [[0.0, 0.25], [0.25, 0.0]]
    """
    _check_time(t)
    if not isinstance(summation, str):
        check_summation(summation)
    match mu:
        case Particles():
            field, strategy = _ready(flow, mu, summation)
            return _finite(field(flow, mu, t, strategy), flow, mu)
        case Gaussian():
            return moment_velocity(flow, mu, t)
        case Density():
            return density_velocity(flow, mu, t=t, summation=summation)
    raise BadInput(f"velocity takes Particles, a Gaussian or a Density, got {type(mu).__name__}")


def _finite(said, flow, mu, *, of="velocity"):
    """What is said to finite tokens, unless it leaves the range of numbers: then a clear error.

    Behind a mask, or far from all others, a probe of mass 0 may hear nobody, and its NaN says so.
    """
    if not is_concrete(said, mu) or _has_finite_sum(said):
        return said
    must_hear = (np.asarray(mu.mass) > 0) | (not _may_hear_nobody(flow))
    x, v = np.asarray(mu.x), np.asarray(said)[..., must_hear, :]
    if np.isfinite(x).all() and not np.isfinite(v).all():
        size = float(np.abs(x).max())
        raise OutOfRange(
            f"the {of} leaves the range of {said.dtype}: beta, V or tokens (up to {size:.2g}) are too large for this rule; "
            "scale them down, or turn on 64-bit numbers (jax_enable_x64)"
        )
    return said


def _may_hear_nobody(flow) -> bool:
    is_silent = lambda part: isinstance(part, Positional | Radial)  # noqa: E731
    return any(map(is_silent, jax.tree.leaves(flow, is_leaf=is_silent)))


def _has_finite_sum(a) -> bool:
    """One number to look at instead of all: what is not finite makes every sum so."""
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(np.sum(np.asarray(a))))


@dataclass(frozen=True)
class _Ready:
    """A flow that was found to fit prompts of one shape and masses, and how it is summed."""

    flow: weakref.ref
    asked: tuple
    mass: np.ndarray
    field: Callable
    summation: Summation

    def serves(self, flow, mu: Particles, asked: tuple) -> bool:
        return self.flow() is flow and self.asked == asked and np.array_equal(self.mass, np.asarray(mu.mass))


_last: _Ready | None = None
"""What the last call found: looking again would cost more than a sum over some hundred tokens."""


def _ready(flow, mu: Particles, summation) -> tuple[Callable, Summation]:
    """The compiled velocity and the sums for it; what cannot fit is refused."""
    global _last
    asked = mu.x.shape, mu.x.dtype, summation
    is_known = is_concrete(mu)
    if is_known and _last is not None and _last.serves(flow, mu, asked):
        check_directions(flow, mu)
        return _last.field, _last.summation
    check_fits(flow, mu)
    strategy = choose(summation, flow, mu)
    leaves = jax.tree.leaves((flow, strategy))
    field = _quick_field if all(isinstance(leaf, jax.Array) for leaf in leaves) else _field
    if is_known and _is_for_all_places(summation, mu):
        _last = _Ready(weakref.ref(flow), asked, np.asarray(mu.mass), field, strategy)
    return field, strategy


def _is_for_all_places(summation, mu: Particles) -> bool:
    """Whether the choice of a sum holds wherever tokens go: whether and how sums are fast depends on their places."""
    return summation != "fast" and (summation != "auto" or mu.n < FEWEST_TOKENS)


def _moving(flow, mu, t, summation):
    inside = mu.moved_to(flow.enter(mu.x))
    return flow.leave(flow.field(inside, jnp.asarray(t, mu.x.dtype), summation))


_field, _quick_field = eqx.filter_jit(_moving), jax.jit(_moving)
"""For any flow, and for flows of arrays alone, which JAX finds again in less time."""


@as_annotated
def attention_matrix(flow: AnyFlow, mu: Particles, *, t: ArrayLike = 0.0) -> Float[Array, "*h n n"]:
    """The weights with which token i (row) listens to token j; one matrix per head for several heads.

    >>> import attnflow as af
    >>> P = af.attention_matrix(af.Flow(af.Sphere(), af.Softmax(beta=4.0)), af.uniform_sphere(6, 3, seed=0))
    >>> P.shape, P.sum(axis=1).round(12).tolist()
    ((6, 6), [1.0, 1.0, 1.0, 1.0, 1.0, 1.0])
    """
    if not isinstance(mu, Particles):
        raise BadInput(f"the attention matrix is of Particles, got {type(mu).__name__}")
    _check_time(t)
    check_fits(flow, mu)
    return _finite(_matrix(flow, mu, jnp.asarray(t, mu.x.dtype)), flow, mu, of="attention matrix")


def _check_time(t) -> None:
    if not is_number(t):
        raise BadInput("t must be one finite time")


@eqx.filter_jit
def _matrix(flow, mu, t):
    return flow.weights(mu, t)
