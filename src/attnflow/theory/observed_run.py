r"""An adaptive run of which only a number per time is kept.

diffrax keeps its stages in one array and reads them back for every combination and every saved time; for the small
cache-sized systems of a phase diagram that costs four times the field itself (measured). Steps there are limited by
stability, not accuracy, so the three-stage method of Bogacki and Shampine is written out here with fused combinations
and its cubic Hermite interpolant.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp


def observed(field, y, times, quantity, stops, *, scale, tol: float, finished: float, step: float = 0.1):
    """`quantity(y)` at every time of an autonomous equation; `finished` for times after `stops(y)` became true.

    Local errors are kept below `tol * scale(y)` in every entry.
    """
    end, count = times[-1], len(times)

    def goes_on(state):
        t, y, _, _, _, index = state
        return (index < count) & (t < end) & ~stops(y)

    def advance(state):
        t, y, f, h, out, index = state
        h = jnp.minimum(h, end - t)
        new, slope, error = _step(field, y, f, h)
        error = jnp.max(error / scale(new)) / tol
        accepted = error <= 1
        at = lambda s: quantity(hermite(s, y, new, h * f, h * slope)).astype(y.dtype)  # noqa: E731
        # The last step is put on the end exactly: t + (end − t) may fall short of it by rounding.
        ahead = jnp.where(accepted, jnp.where(h >= end - t, end, t + h), t)
        out, index = _record(at, t, ahead, h, out, index, times)
        keep = lambda a, b: jnp.where(accepted, a, b)  # noqa: E731
        factor = jnp.clip(0.85 * jnp.maximum(error, 1e-10) ** (-1 / 3), 0.2, 3.0)
        return ahead, keep(new, y), keep(slope, f), h * factor, out, index

    first = jnp.full(times.shape, finished, y.dtype)
    at_start = (times[0] <= 0).astype(jnp.int32)
    first = first.at[0].set(jnp.where(at_start == 1, quantity(y).astype(y.dtype), finished))
    start = (jnp.zeros_like(end), y, field(y), jnp.asarray(step, y.dtype), first, at_start)
    return jax.lax.while_loop(goes_on, advance, start)[4]


def _step(field, y, f, h):
    """One step of Bogacki–Shampine 3(2): the new state, its slope, the local error."""
    k2 = field(y + h / 2 * f)
    k3 = field(y + 3 * h / 4 * k2)
    new = y + h * (2 / 9 * f + 1 / 3 * k2 + 4 / 9 * k3)
    k4 = field(new)
    return new, k4, h * jnp.abs(-5 / 72 * f + 1 / 12 * k2 + 1 / 9 * k3 - 1 / 8 * k4)


def hermite(s, y0, y1, f0, f1):
    """The cubic through both ends of a step with the right slopes, at the fraction s."""
    return y0 + s * (f0 + s * (3 * (y1 - y0) - 2 * f0 - f1 + s * (f0 + f1 - 2 * (y1 - y0))))


def _record(at, t, ahead, h, out, index, times):
    """The quantity at all save times inside an accepted step."""

    def inside(carry):
        _, index = carry
        return (index < len(times)) & (times[jnp.minimum(index, len(times) - 1)] <= ahead)

    def save(carry):
        out, index = carry
        return out.at[index].set(at((times[index] - t) / h)), index + 1

    return jax.lax.while_loop(inside, save, (out, index))
