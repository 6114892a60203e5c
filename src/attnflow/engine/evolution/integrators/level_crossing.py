"""Dormand–Prince 8(7) that records the first state beyond each of several levels.

diffrax would start anew at every level; here a batch of a thousand runs shares one loop, and each step is kept only
where a level is passed. The coefficients are those of diffrax.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import diffrax
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int

TABLEAU = diffrax.Dopri8.tableau
STAGES = len(TABLEAU.b_sol)
COUPLING = np.zeros((STAGES, STAGES))
for _i, _row in enumerate(TABLEAU.a_lower):
    COUPLING[_i + 1, : len(_row)] = _row


class Climb(NamedTuple):
    """The first state at or above each level (the last state where it was not reached)."""

    states: Float[Array, "k n"]
    is_reached: Bool[Array, "k"]
    steps: Int[Array, ""]


class _Now(NamedTuple):
    y: Array
    h: Array
    states: Array
    is_reached: Array
    steps: Array


class Method(NamedTuple):
    """A step (field, y, h) → (new y, its error), and the power of h in that error."""

    step: Callable
    order: int


def climb_levels(
    field: Callable, y0, *, levels, height: Callable, scale: Callable, is_over: Callable, tol, max_steps, method: Method,
    least: float = 1e-3, renew: Callable = lambda y: y
) -> Climb:  # fmt: skip
    """y' = field(y) until `height(y)` has passed the last level, or `is_over(y)`; errors are relative to `least + scale(y)`.

    `renew` writes an accepted state anew, where several stand for the same.
    """

    def goes_on(now: _Now):
        return ~now.is_reached[-1] & ~is_over(now.y) & (now.steps < max_steps) & jnp.all(jnp.isfinite(now.y))

    def advance(now: _Now) -> _Now:
        y, error = method.step(field, now.y, now.h)
        ratio = jnp.max(jnp.abs(error) / (least * tol + tol * scale(now.y)))
        change = jnp.where(jnp.isfinite(ratio), jnp.clip(0.9 * ratio ** (-1 / method.order), 0.2, 10.0), 0.2)
        y = jnp.where(ratio <= 1, renew(y), now.y)
        passed = (height(y) >= levels) & ~now.is_reached
        states = jnp.where(passed[:, None], y, now.states)
        return _Now(y, now.h * change, states, now.is_reached | passed, now.steps + 1)

    first = 0.01 * (tol + jnp.max(jnp.abs(y0))) / (tol + jnp.max(jnp.abs(field(y0))))
    start = _Now(y0, first, jnp.zeros((len(levels), len(y0)), y0.dtype), height(y0) >= levels, jnp.asarray(0))
    start = start._replace(states=jnp.where(start.is_reached[:, None], y0, start.states))
    end = jax.lax.while_loop(goes_on, advance, start)
    return Climb(jnp.where(end.is_reached[:, None], end.states, end.y), end.is_reached, end.steps)


def _step(field, y, h):
    coupling = jnp.asarray(COUPLING, y.dtype)

    def stage(i, slopes):
        return slopes.at[i].set(field(y + h * (coupling[i] @ slopes)))

    slopes = jax.lax.fori_loop(0, STAGES, stage, jnp.zeros((STAGES, len(y)), y.dtype))
    return y + h * (jnp.asarray(TABLEAU.b_sol, y.dtype) @ slopes), h * (jnp.asarray(TABLEAU.b_error, y.dtype) @ slopes)


EXPLICIT = Method(_step, 8)
