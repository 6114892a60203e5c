"""Constants of the papers in energies that are double integrals of a function of the score."""

from __future__ import annotations

import jax.numpy as jnp
from jaxtyping import Array

from ...errors import BadInput, quoted
from ..measures import Particles
from ..summation.tiled import SINGLE_BLOCK, TILE_PAIRS
from .score import Score


def known_convention(convention: str | None, known: tuple[str, ...], *, rule) -> str:
    """The convention asked for, if the rule knows it; by default the first."""
    if convention is None:
        return known[0]
    if convention not in known:
        name = type(rule).__name__
        raise BadInput(f"convention for {name} must be one of {', '.join(known)}, got {quoted(convention)}")
    return convention


def over_beta(score: Score, mu: Particles, *, total: Array, slope) -> Array:
    r"""$\frac{1}{2\beta}\iint\Phi(\beta\langle x,By\rangle)$, at β = 0 its part of first order, with Φ'(0) = slope."""
    is_zero = score.beta == 0
    mean = mu.mass @ mu.x
    first_order = slope * (mean @ (score.B(mu.d).astype(mean.dtype) @ mean)) / 2
    return jnp.where(is_zero, first_order, total / (2 * jnp.where(is_zero, 1, score.beta)))


def tile(n: int) -> int:
    """Listeners per tile of a sum over all pairs of n tokens."""
    return n if n * n <= SINGLE_BLOCK else max(16, TILE_PAIRS // n)
