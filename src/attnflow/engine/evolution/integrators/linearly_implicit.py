"""Linearly implicit Euler with extrapolation (SEULEX) for small, dense, stiff systems.

The implicit methods of diffrax iterate Newton inside every stage: batched over a hundred covariances they compile for
tens of seconds, and fail on the long plateaus where a limit has been reached.
Source: Hairer, Wanner, Solving ODEs II, section IV.9 (SEULEX).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import jax.scipy.linalg as jsl
from jaxtyping import Array, Bool, Float, Int

LEVELS = 6
"""The order: runs of 1 to 6 substeps are extrapolated."""

TINY = 1e-30
"""What is smaller is zero."""

SMALLEST = 1e-13
"""A step below this is a failure."""


class Path(NamedTuple):
    """The state at the wanted times (NaN where not reached), and where the run stopped."""

    saved: Float[Array, "k *s"]
    t: Float[Array, ""]
    y: Float[Array, "*s"]
    is_done: Bool[Array, ""]
    steps: Int[Array, ""]


class _Now(NamedTuple):
    t: Array
    y: Array
    h: Array
    next_: Array
    saved: Array
    steps: Array


def integrate_stiffly(
    field: Callable, y0, *, ts, scale: Callable, is_over: Callable, tol, max_steps: int, first=1e-3
) -> Path:
    """y' = field(t, y) from t = 0 through the times ts, stopped early when `is_over(y)` or after `max_steps`.

    Errors are relative to `scale(y)`, which broadcasts against y.
    """

    def goes_on(now: _Now):
        return (now.next_ < len(ts)) & (now.steps < max_steps) & (now.h > SMALLEST) & ~is_over(now.y)

    def advance(now: _Now) -> _Now:
        target = ts[now.next_]
        h = jnp.minimum(now.h, target - now.t)
        y, error = _step(field, now.t, h, now.y)
        ratio = jnp.max(jnp.abs(error) / (TINY + tol * jnp.maximum(scale(y), scale(now.y))))
        is_good = ratio <= 1
        change = jnp.where(jnp.isfinite(ratio), jnp.clip(0.9 * ratio ** (-1 / LEVELS), 0.2, 5.0), 0.2)
        hits = is_good & (h >= target - now.t)
        # A step cut short by a save time says little about the next one.
        following = jnp.where(is_good, jnp.maximum(h * change, jnp.where(hits, now.h, 0)), h * change)
        y = jnp.where(is_good, y, now.y)
        t = jnp.where(hits, target, jnp.where(is_good, now.t + h, now.t))
        saved = now.saved.at[now.next_].set(jnp.where(hits, y, now.saved[now.next_]))
        return _Now(t, y, following, now.next_ + hits, saved, now.steps + 1)

    zero, count = jnp.zeros((), y0.dtype), jnp.asarray(0)
    saved = jnp.full((len(ts), *y0.shape), jnp.nan, y0.dtype)
    end = jax.lax.while_loop(goes_on, advance, _Now(zero, y0, zero + first, count, saved, count))
    return Path(end.saved, end.t, end.y, end.next_ == len(ts), end.steps)


def _step(field, t, h, y, levels=LEVELS):
    """One extrapolated step and its error."""

    def flat(t, y_flat):
        return field(t, y_flat.reshape(y.shape)).reshape(-1)

    start = y.reshape(-1)
    jacobian = jax.jacfwd(lambda y: flat(t, y))(start)
    end, error = _extrapolate(_substeps(flat, jacobian, t, h, start, levels))
    return (start + end).reshape(y.shape), error.reshape(y.shape)


def stiff_step(field, y, h, *, levels: int):
    """One extrapolated step of y' = field(y) and its error."""
    return _step(lambda t, y: field(y), jnp.zeros_like(h), h, y, levels)


def _substeps(field, jacobian, t, h, y, levels):
    """The increments of y after 1, 2, … linearly implicit Euler steps, all runs abreast."""
    counts = jnp.arange(1, levels + 1)
    small = h / counts
    lu = jax.vmap(lambda s: jsl.lu_factor(jnp.eye(len(y), dtype=y.dtype) - s * jacobian))(small)

    def one(lu, s, count, moved, i):
        step = jsl.lu_solve(lu, s * field(t + (i + 1) * s, y + moved))
        return jnp.where(i < count, moved + step, moved)

    def substep(moved, i):
        return jax.vmap(one, in_axes=(0, 0, 0, 0, None))(lu, small, counts, moved, i), None

    return jax.lax.scan(substep, jnp.zeros((levels, len(y)), y.dtype), jnp.arange(levels))[0]


def _extrapolate(rows):
    """Aitken–Neville in the number of substeps, and the difference of the last two orders."""
    table = [rows[0]]
    for j in range(1, len(rows)):
        new = [rows[j]]
        for k in range(j):
            new.append(new[k] + (new[k] - table[k]) / ((j + 1) / (j - k) - 1))
        table = new
    return table[-1], table[-1] - table[-2]
