r"""Adaptive Runge–Kutta runs (Bogacki–Shampine 3(2)) side by side, of which only the number of merged pairs is kept.

A finished run leaves its place to the next, so no run waits for another and every product is one large product.
diffrax keeps its stages in one array and reads them back for every combination and every saved time; for the small
systems of a phase diagram that costs four times the field itself (measured). Steps there are limited by stability or
by loose tolerances, so the three-stage method of Bogacki and Shampine is written out here with fused combinations and
its cubic Hermite interpolant.
"""

from __future__ import annotations

from typing import Protocol

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

SMALLEST = 1e-6
"""A step shorter than this share of the run is given up: the rest of that run counts as not a number."""


class System(Protocol):
    """What a run needs to know; all methods act on a batch, leading axis w."""

    def field(self, y: Float[Array, "w n k"], /) -> Float[Array, "w n k"]: ...

    def retract(self, y: Float[Array, "w n k"], /) -> Float[Array, "w n k"]: ...

    def error(self, e: Float[Array, "w n k"], y: Float[Array, "w n k"], /) -> Float[Array, "w"]:
        """The size of a local error."""
        ...

    def gaps(self, y: Float[Array, "w n k"], /) -> Float[Array, "w n n"]:
        r"""$1 - \langle x_i, x_j\rangle$ for all pairs."""
        ...

    def slopes(self, y: Float[Array, "w n k"], f: Float[Array, "w n k"], /) -> Float[Array, "w n n"]:
        """How fast gaps change."""
        ...

    def is_over(
        self, y: Float[Array, "w n k"], gaps: Float[Array, "w n n"], among: Bool[Array, "w"], /
    ) -> Bool[Array, "w"]:
        """Which of the runs in question have all tokens merged for good."""
        ...


class Places(eqx.Module):
    """Runs under way: where they are, and what is known there."""

    y: Float[Array, "w n k"]
    f: Float[Array, "w n k"]
    gaps: Float[Array, "w n n"]
    slopes: Float[Array, "w n n"]
    t: Float[Array, "w"]
    h: Float[Array, "w"]
    run: Int[Array, "w"]
    """Which start this is; numbers beyond the last one mark empty places."""
    index: Int[Array, "w"]
    """The first save time still ahead."""


class Tally(eqx.Module):
    """Merged pairs at every save time, over all runs so far, and the starts that still wait."""

    merged: Float[Array, "t"]
    waiting: Int[Array, ""]


def merged_pairs(system: System, starts, *, times, delta: float, tol: float, step, width: int) -> Float[Array, "t"]:
    """The share of pairs with gap below `delta` at every time, averaged over all starts.

    Local errors are kept below `tol`, runs begin with the given step, and `width` of them go side by side.
    """
    count, n = starts.shape[:2]
    width = min(width, count)
    slopes_at_start = _first_slopes(system, starts, width)
    step = jnp.asarray(step, starts.dtype)
    here = Places(
        starts[:width], slopes_at_start[:width], *_seen(system, starts[:width], slopes_at_start[:width]),
        jnp.zeros(width, starts.dtype), jnp.full(width, step), jnp.arange(width, dtype=jnp.int32),
        jnp.zeros(width, jnp.int32),
    )  # fmt: skip

    def advance(state):
        here, tally = state
        here, tally, is_done = _advanced(system, here, tally, times, delta, tol, count)
        refill = lambda: _refilled(system, here, tally, is_done, starts, slopes_at_start, step)  # noqa: E731
        return jax.lax.cond(jnp.any(is_done), refill, lambda: (here, tally))

    first = Tally(jnp.zeros(times.shape, starts.dtype), jnp.asarray(width, jnp.int32))
    _, tally = jax.lax.while_loop(lambda state: jnp.any(state[0].run < count), advance, (here, first))
    return tally.merged / (count * n * (n - 1))


def _first_slopes(system, starts, width):
    blocks = -(-len(starts) // width)
    padded = starts[jnp.arange(blocks * width) % len(starts)].reshape(blocks, width, *starts.shape[1:])
    return jax.lax.map(system.field, padded).reshape(-1, *starts.shape[1:])


def _seen(system, y, f):
    return system.gaps(y), system.slopes(y, f)


def _advanced(system, here, tally, times, delta, tol, count):
    """One step of every run, taken or not, with what it leaves in the tally; and which runs have come to their end."""
    end = times[-1]
    h = jnp.minimum(here.h, end - here.t)
    y, f, e = _step(system, here.y, here.f, _wide(h))
    error = system.error(e, y) / tol
    is_taken = (error <= 1) & (here.run < count)
    is_lost = ~(error <= 1) & (here.run < count) & (h < SMALLEST * end)
    # The last step is put on the end exactly: t + (end − t) may fall short of it by rounding.
    t = jnp.where(is_taken, jnp.where(h >= end - here.t, end, here.t + h), here.t)
    gaps, slopes = _seen(system, y, f)
    merged, index = _recorded(here, gaps, slopes, h, t, is_taken, tally.merged, times, delta)
    is_done = (is_taken & (t >= end)) | system.is_over(y, gaps, is_taken) | is_lost
    merged = merged + _ever_after(is_done, is_lost, index, times, gaps.shape[-1])
    keep = lambda new, old: jnp.where(_wide(is_taken), new, old)  # noqa: E731
    factor = jnp.clip(0.85 * jnp.maximum(jnp.nan_to_num(error, nan=1e10), 1e-10) ** (-1 / 3), 0.2, 3.0)
    here = Places(
        keep(y, here.y), keep(f, here.f), keep(gaps, here.gaps), keep(slopes, here.slopes), t, h * factor,
        here.run, index,
    )  # fmt: skip
    return here, Tally(merged, tally.waiting), is_done


def _wide(a):
    return a[:, None, None]


def _step(system, y, f, h):
    """One step of Bogacki–Shampine 3(2): the new state, its slope, the local error."""
    k2 = system.field(y + h / 2 * f)
    k3 = system.field(y + 3 * h / 4 * k2)
    new = system.retract(y + h * (2 / 9 * f + 1 / 3 * k2 + 4 / 9 * k3))
    k4 = system.field(new)
    return new, k4, h * (-5 / 72 * f + 1 / 12 * k2 + 1 / 9 * k3 - 1 / 8 * k4)


def hermite(s, y0, y1, f0, f1):
    """The cubic through both ends of a step with the right slopes, at the fraction s."""
    return y0 + s * (f0 + s * (3 * (y1 - y0) - 2 * f0 - f1 + s * (f0 + f1 - 2 * (y1 - y0))))


def _recorded(here, gaps, slopes, h, t, is_taken, merged, times, delta):
    """Merged pairs at all save times inside the steps taken."""
    last, n = len(times) - 1, gaps.shape[-1]
    rise, fall = _wide(h) * here.slopes, _wide(h) * slopes
    is_inside = is_taken[:, None] & (jnp.arange(last + 1) >= here.index[:, None]) & (times <= t[:, None])
    is_plain = ~_may_cross(delta, here.gaps, gaps, rise, fall)
    merged = merged + jnp.sum(jnp.where(is_plain[:, None] & is_inside, _count(gaps, delta)[:, None] - n, 0), axis=0)
    index = here.index + jnp.where(is_plain, jnp.sum(is_inside, axis=1, dtype=jnp.int32), 0)

    def is_due(index):
        return is_taken & (index <= last) & (times[jnp.minimum(index, last)] <= t)

    def save(state):
        merged, index = state
        at, due = jnp.minimum(index, last), is_due(index)
        s = _wide((times[at] - here.t) / jnp.where(h > 0, h, 1))
        pairs = _count(hermite(s, here.gaps, gaps, rise, fall), delta) - n
        return merged.at[at].add(jnp.where(due, pairs, 0)), index + due

    return jax.lax.while_loop(lambda state: jnp.any(is_due(state[1])), save, (merged, index))


def _count(gaps, delta):
    return jnp.sum(gaps < delta, axis=(1, 2), dtype=jnp.int32).astype(gaps.dtype)


def _may_cross(delta, y0, y1, f0, f1):
    """Whether any cubic may cross the threshold inside the step: slopes move it by 4/27 of themselves at most."""
    away = 4 / 27 * (jnp.abs(f0) + jnp.abs(f1))
    return jnp.any((jnp.minimum(y0, y1) - away < delta) & (jnp.maximum(y0, y1) + away >= delta), axis=(1, 2))


def _ever_after(is_done, is_lost, index, times, n):
    """What finished runs add to the save times they did not reach: all pairs, or no number where a run was lost."""
    pairs = jnp.where(is_lost, jnp.nan, n * (n - 1)).astype(times.dtype)
    is_ahead = is_done[:, None] & (jnp.arange(len(times)) >= index[:, None])
    return jnp.sum(jnp.where(is_ahead, pairs[:, None], 0), axis=0)


def _refilled(system, here, tally, is_done, starts, slopes_at_start, step):
    """Places of finished runs go to the starts that wait."""
    run = jnp.where(is_done, tally.waiting + jnp.cumsum(is_done, dtype=jnp.int32) - 1, here.run)
    is_new, at = is_done & (run < len(starts)), jnp.minimum(run, len(starts) - 1)
    y = jnp.where(_wide(is_new), starts[at], here.y)
    f = jnp.where(_wide(is_new), slopes_at_start[at], here.f)
    fresh = lambda value, old: jnp.where(is_new, value, old)  # noqa: E731
    here = Places(y, f, *_seen(system, y, f), fresh(0, here.t), fresh(step, here.h), run, fresh(0, here.index))
    return here, Tally(tally.merged, tally.waiting + jnp.sum(is_done, dtype=jnp.int32))
