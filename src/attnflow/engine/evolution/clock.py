"""Clock of a run: when it starts, which times are saved, which no step may cross, and how it steps."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from ...errors import BadInput
from ..flow.normalisation import MixLN
from ..linalg.matrices import is_concrete
from ..measures import Measure
from .options import Options, constant, precision
from .stepping import grid, is_fixed

ROOM = 2**20
"""Numbers that may be spent on states nobody asked for, so that runs with another number of saved times compile nothing."""


class Plan(NamedTuple):
    """All that shapes a compiled run; hashable, so equal plans share one compilation."""

    method: str
    max_steps: int
    is_watching: bool
    has_progress: bool
    is_merging: bool = False
    has_derivatives: bool = True
    """Whether somebody may differentiate the run backwards; if not, its loops are simpler and compile faster."""


class Clock(eqx.Module):
    """The times of a run, with its tolerance."""

    ts: Float[Array, "k"]
    """The save times, and the end of the run where it lies after them."""
    start: Float[Array, ""]
    tol: Float[Array, ""]
    steady: Float[Array, ""]
    """The speed below which a run rests; read only where the plan is watching."""
    steps: Float[Array, "s"] | None
    """The ends of fixed steps; None where steps follow the tolerance."""
    jumps: Float[Array, "j"] | None
    plan: Plan = eqx.field(static=True)
    kept: int = eqx.field(static=True)
    """How many of the times were asked for."""
    waiting: Int[Array, ""] | None = None
    """The number of the one who waits for the run, where somebody may cease to."""
    step: Float[Array, ""] | None = None
    """The first step to try, where it is known."""
    size: Float[Array, "n d"] | None = None
    """What absolute errors are measured in, where that is not 1."""

    def planned(self, **changes) -> Clock:
        """The same clock with another plan."""
        return replace(self, plan=self.plan._replace(**changes))

    def onward(self, t, *, step: float | None = None) -> Clock:
        """What is left of the run at time t; times passed are moved to it."""
        dtype = self.ts.dtype
        ts = jnp.asarray(np.maximum(np.asarray(self.ts), t), dtype)
        first = None if step is None else jnp.asarray(step, dtype)
        return replace(self, ts=ts, start=jnp.asarray(t, dtype), step=first)

    def for_compilation(self, *numbers) -> Clock:
        """The clock that runs of equal shape share: nothing may be traced if no number is, and no count of times."""
        has_derivatives = self.plan.has_derivatives and not is_concrete(self, *numbers)
        return replace(self.planned(has_derivatives=has_derivatives), kept=0)

    def filled(self, size: int) -> Clock:
        """Save times up to a power of two by repeating the last, where states of that size leave room for it."""
        extra = (1 << (len(self.ts) - 1).bit_length()) - len(self.ts)
        if extra == 0 or extra * size > ROOM:
            return self
        return replace(self, ts=constant(np.pad(np.asarray(self.ts), (0, extra), mode="edge")))


def clock_of(options: Options, flow, *, mu: Measure, tol: float | None = None) -> Clock:
    """The clock of a run of a flow, or of a list of flows that share one."""
    dtype, saved = precision(mu), options.times(mu)
    ts, jumps, steps = _to_the_end(saved, options.until), _jump_times(options.jumps, flow, dtype), None
    plan = Plan(
        options.method, int(options.max_steps), options.steady is not None, options.progress,
        has_derivatives=options.derivatives == "reverse",
    )  # fmt: skip
    if is_fixed(options.method):
        steps = fixed_steps(ts, options.step, start=options.start, jumps=jumps)
        plan = plan._replace(max_steps=len(steps))
    return Clock(
        ts=ts,
        start=jnp.asarray(options.start, dtype),
        tol=jnp.asarray(options.tolerance(dtype) if tol is None else tol, dtype),
        steady=jnp.asarray(0.0 if options.steady is None else options.steady, dtype),
        steps=steps,
        jumps=jumps,
        plan=plan,
        kept=saved.shape[0],
        waiting=None if options.waiting is None else jnp.asarray(options.waiting.number),
    )


def _to_the_end(ts, until):
    """The save times, and the end of the run when it lies after them."""
    if not is_concrete(ts, until):
        return ts
    values, end = np.asarray(ts), np.asarray(until, ts.dtype)
    return constant(np.append(values, end)) if end > values[-1] else ts


def _jump_times(jumps, flow, dtype):
    """Times no step may cross: jumps of the weights, and the switch of Mix-LN in a flow or a list of flows."""
    schemes = [getattr(one, "normalisation", None) for one in (flow if isinstance(flow, list) else [flow])]
    times = [] if jumps is None else list(np.atleast_1d(np.asarray(jumps)))
    times += [scheme.tau for scheme in schemes if isinstance(scheme, MixLN)]
    if not times:
        return None
    return constant(np.unique(times).astype(dtype)) if is_concrete(times) else jnp.sort(jnp.asarray(times, dtype))


def fixed_steps(ts, step, *, start, jumps=None) -> Array:
    """The ends of fixed steps through the times ts; at a jump one ends just before it and the next begins at it."""
    if not is_concrete(ts, start):
        raise BadInput("fixed steps need a known end: until and save cannot be traced by jit, vmap or grad")
    ts = np.asarray(ts)
    if jumps is not None and is_concrete(jumps):
        inside = np.asarray(jumps)[(np.asarray(jumps) > start) & (np.asarray(jumps) < ts[-1])]
        ts = np.concatenate([ts, inside, np.nextafter(inside, ts.dtype.type(-np.inf))])
    return constant(grid(ts, float(start), step).astype(ts.dtype))
