"""The flow of tokens in time."""

from __future__ import annotations

from typing import NamedTuple

import diffrax
import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ..flow import Particles_at, check_fits
from ..matrices import is_concrete
from ..measures import Particles
from .stepping import controller, is_fixed, solver_of
from .trajectory import Status, Trajectory, trimmed

CODE = {name: code for code, name in enumerate(Status.NAMES)} | {"TOUCH": len(Status.NAMES)}
"""Endings by number; TOUCH is seen only by merging runs, which go on after it."""


class Plan(NamedTuple):
    """All that shapes a compiled run; hashable, so equal plans share one compilation."""

    method: str
    max_steps: int
    is_watching: bool
    has_progress: bool
    is_merging: bool = False
    has_derivatives: bool = True
    """Whether somebody may differentiate the run backwards; if not, its loops are simpler and compile faster."""


class Ending(NamedTuple):
    """Where and how the integration stopped."""

    t: Float[Array, ""]
    x: Float[Array, "n d"]
    code: Array
    steps: Array
    rejected: Array


def integrate(flow, mu: Particles, ts, start, tol, steady, steps, jumps, summation, plan: Plan):
    """Saved tokens at ts (not reached: infinite times) and the ending."""
    numbers = (flow, mu, ts, start, tol, steady, steps, jumps)
    plan = plan._replace(has_derivatives=plan.has_derivatives and not is_concrete(*numbers))
    return compiled(*numbers, summation, plan)


@eqx.filter_jit
def compiled(flow, mu: Particles, ts, start, tol, steady, steps, jumps, summation, plan: Plan):
    """`integrate`, once for all runs of equal shape and plan."""

    def field(t, x, args):
        flow, mass, summation = args
        return flow.field(Particles_at(mass, x), t, summation)

    space, args = flow.state_space, (flow, mu, summation)
    mu = Particles_at(mu, flow.enter(mu.x))
    last = ts[-1]
    # Not a whole number of grid steps of t: diffrax keeps a step that equals dtmin whatever its error.
    dtmin = 2.1 * jnp.finfo(mu.x.dtype).eps * jnp.maximum(jnp.abs(start), jnp.abs(last))
    sol = diffrax.diffeqsolve(
        diffrax.ODETerm(field),
        solver_of(plan.method, space, has_derivatives=plan.has_derivatives),
        t0=start,
        t1=last,
        dt0=None,
        y0=space.retract(mu.x),
        args=args,
        saveat=_saved(space, ts),
        stepsize_controller=controller(plan.method, tol, dtmin, jumps, steps),
        event=diffrax.Event(_events(field, steady, plan)),
        max_steps=plan.max_steps,
        adjoint=diffrax.RecursiveCheckpointAdjoint() if plan.has_derivatives else diffrax.ForwardMode(),
        throw=False,
        progress_meter=diffrax.TextProgressMeter() if plan.has_progress else diffrax.NoProgressMeter(),
    )
    assert sol.ts is not None and sol.ys is not None
    (saved_ts, _), (saved_x, (t_end, x_end)) = sol.ts, sol.ys
    # A little ahead: a field that ceases to be finite stops the run at the last time where it still is.
    code = _code(sol, field(t_end[0] + 10 * dtmin, x_end[0], args), x_end[0], t_end[0] - start)
    ending = Ending(t_end[0], space.retract(x_end[0]), code, sol.stats["num_steps"], sol.stats["num_rejected_steps"])
    return saved_ts, flow.leave(saved_x), ending._replace(x=flow.leave(ending.x))


def _saved(space, ts):
    at_times = diffrax.SubSaveAt(ts=ts, fn=lambda t, x, args: space.retract(x))
    at_end = diffrax.SubSaveAt(t1=True, fn=lambda t, x, args: (t, x))
    return diffrax.SaveAt(subs=[at_times, at_end])


def _events(field, steady, plan: Plan):
    def escapes(t, x, args, **kwargs):
        return ~(jnp.max(jnp.abs(x)) <= jnp.finfo(x.dtype).max ** 0.45)

    def rests(t, x, args, **kwargs):
        return jnp.max(jnp.abs(field(t, x, args))) < steady

    def touches(t, x, args, **kwargs):
        return args[0].stops(x, t)

    watched = {"BLOW_UP": escapes}
    if plan.is_watching:
        watched["STEADY"] = rests
    if plan.is_merging:
        watched["TOUCH"] = touches
    return watched


def _code(sol, v, x, elapsed):
    """Name the ending; a step that became too small is a blow-up when tokens double faster than time can resolve."""
    size = jnp.max(jnp.linalg.norm(x, axis=-1))
    doubling = size / jnp.max(jnp.linalg.norm(v, axis=-1))
    stuck = jnp.where(doubling < 1e-6 * jnp.abs(elapsed), CODE["BLOW_UP"], CODE["STEP_TOO_SMALL"])
    stuck = jnp.where(jnp.all(jnp.isfinite(v)), stuck, CODE["NOT_FINITE"])
    code = jnp.where(sol.result == diffrax.RESULTS.successful, CODE["DONE"], stuck)
    code = jnp.where(sol.result == diffrax.RESULTS.max_steps_reached, CODE["OUT_OF_STEPS"], code)
    for name, happened in sol.event_mask.items():
        code = jnp.where(happened, CODE[name], code)
    return jnp.where(jnp.all(jnp.isfinite(x)), code, CODE["NOT_FINITE"])


def evolve_particles(flow, mu: Particles, options) -> Trajectory:
    """One run of tokens."""
    check_fits(flow, mu)
    saved, summation, plan = options.times(mu), options.strategy(flow, mu), options.plan()
    ts = options.to_the_end(saved)
    start, tol = jnp.asarray(options.start, mu.x.dtype), jnp.asarray(options.tolerance(mu.x.dtype), mu.x.dtype)
    steady = jnp.asarray(0.0 if options.steady is None else options.steady, mu.x.dtype)
    steps, jumps = None, options.jump_times(flow, mu.x.dtype)
    if is_fixed(plan.method):
        steps = options.fixed_steps(ts, options.step, jumps)
        plan = plan._replace(max_steps=len(steps))
    saved_ts, saved_x, ending = integrate(flow, mu, ts, start, tol, steady, steps, jumps, summation, plan)
    kept = saved.shape[0]
    return _trajectory(flow, mu, saved_ts[:kept], saved_x[:kept], ending)


def _trajectory(flow, mu, ts, x, ending: Ending) -> Trajectory:
    if is_concrete(ts, ending) and int(ending.code) != CODE["DONE"]:
        ts, x = _with_ending(ts, x, ending)
    states = Particles_at(mu, x)
    states = eqx.tree_at(lambda m: m.mass, states, jnp.broadcast_to(mu.mass, x.shape[:-1]))
    status = Status(ending.code, ending.t)
    return trimmed(Trajectory(ts, states, flow, status, ending.steps, ending.rejected))


def _with_ending(ts, x, ending):
    """The finished part of a run that stopped early, closed by the state it stopped in."""
    reached = np.flatnonzero(np.isfinite(np.asarray(ts)))
    ts, x = ts[reached], x[reached]
    if len(reached) and float(ts[-1]) >= float(ending.t):
        return ts, x
    return jnp.append(ts, ending.t), jnp.concatenate([x, ending.x[None]])
