"""Integration of the flow of tokens in time (diffrax)."""

from __future__ import annotations

from typing import NamedTuple

import diffrax
import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ..flow import AnyFlow, VectorField, check_fits
from ..linalg.matrices import is_concrete
from ..linalg.rows import taken
from ..measures import Particles
from ..programs.traced import stored_jit
from ..summation import Summation
from .clock import Clock, clock_of
from .options import Options, constant
from .stepping import controller, solver_of
from .trajectory import CODE, Status, Trajectory, trimmed
from .waiting import check, is_over


class Ending(NamedTuple):
    """Where and how the integration stopped."""

    t: Float[Array, ""]
    x: Float[Array, "n d"]
    code: Array
    steps: Array
    rejected: Array


def integrate(flow: VectorField, mu: Particles, *, clock: Clock, summation: Summation | None):
    """Saved tokens at the times of the clock (not reached: infinite times) and the ending."""
    shared = clock.for_compilation(flow, mu)
    if is_concrete(clock, flow, mu):
        shared = shared.filled(mu.x.size)
    # Programs that call back into Python cannot be kept.
    solve = compiled if clock.plan.has_progress or clock.waiting is not None else kept
    ts, x, *ending = solve(flow, mu, shared, summation)
    ending = Ending(*ending)
    if clock.waiting is not None:
        jax.block_until_ready(ending)
        check(clock.waiting)
    if len(shared.ts) > len(clock.ts):
        ts, x = (taken(a, np.arange(len(clock.ts))) for a in (ts, x))
    return ts, x, ending


def _solve(flow: VectorField, mu: Particles, clock: Clock, summation: Summation | None):
    """`integrate`, once for all runs of equal shape and plan: saved times, saved tokens, and the parts of the ending."""

    def field(t, x, args):
        flow, mass, summation = args
        return flow.field(mass.moved_to(x), t, summation)

    space, args = flow.state_space, (flow, mu, summation)
    mu = mu.moved_to(flow.enter(mu.x))
    plan, start, last = clock.plan, clock.start, clock.ts[-1]
    # Not a whole number of grid steps of t: diffrax keeps a step that equals dtmin whatever its error.
    dtmin = 2.1 * jnp.finfo(mu.x.dtype).eps * jnp.maximum(jnp.abs(start), jnp.abs(last))
    sol = diffrax.diffeqsolve(
        diffrax.ODETerm(field),
        solver_of(plan.method, space, has_derivatives=plan.has_derivatives),
        t0=start,
        t1=last,
        dt0=clock.step,
        y0=space.retract(mu.x),
        args=args,
        saveat=_saved(space, clock.ts),
        stepsize_controller=controller(clock, dtmin),
        event=diffrax.Event(_events(field, clock)),
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
    return saved_ts, flow.leave(saved_x), *ending._replace(x=flow.leave(ending.x))


compiled, kept = eqx.filter_jit(_solve), stored_jit(_solve)


def _saved(space, ts):
    at_times = diffrax.SubSaveAt(ts=ts, fn=lambda t, x, args: space.retract(x))
    at_end = diffrax.SubSaveAt(t1=True, fn=lambda t, x, args: (t, x))
    return diffrax.SaveAt(subs=[at_times, at_end])


def _events(field, clock: Clock):
    def escapes(t, x, args, **kwargs):
        return has_escaped(x)

    def rests(t, x, args, **kwargs):
        return jnp.max(jnp.abs(field(t, x, args))) < clock.steady

    def touches(t, x, args, **kwargs):
        return args[0].stops(x, t)

    def is_unwanted(t, x, args, **kwargs):
        return is_over(clock.waiting, t)

    watched = {"BLOW_UP": escapes}
    if clock.waiting is not None:
        watched["UNWANTED"] = is_unwanted
    if clock.plan.is_watching:
        watched["STEADY"] = rests
    if clock.plan.is_merging:
        watched["TOUCH"] = touches
    return watched


def has_escaped(x):
    """Whether tokens are so large that their squares soon leave the range of numbers."""
    return ~(jnp.max(jnp.abs(x)) <= jnp.finfo(x.dtype).max ** 0.45)


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


def evolve_particles(flow: AnyFlow, mu: Particles, options: Options) -> Trajectory:
    """One run of tokens."""
    check_fits(flow, mu)
    clock = clock_of(options, flow, mu=mu)
    ts, x, ending = integrate(flow, mu, clock=clock, summation=options.strategy(flow, mu))
    if clock.kept < len(ts):
        ts, x = ts[: clock.kept], x[: clock.kept]
    return trajectory(flow, mu, ts, x, ending)


def trajectory(flow, mu, ts, x, ending: Ending) -> Trajectory:
    """What a run leaves: its saved states, closed by the last one where it ended early."""
    if is_concrete(ts, ending) and int(ending.code) != CODE["DONE"]:
        ts, x = with_ending(ts, x, ending)
    states = mu.moved_to(x)
    states = eqx.tree_at(lambda m: m.mass, states, jnp.broadcast_to(mu.mass, x.shape[:-1]))
    status = Status(ending.code, ending.t)
    return trimmed(Trajectory(ts, states, flow, status, ending.steps, ending.rejected))


def with_ending(ts, x, ending):
    """The finished part of a run that stopped early, closed by the state it stopped in."""
    reached = np.flatnonzero(np.isfinite(np.asarray(ts)))
    ts, x = np.asarray(ts)[reached], np.asarray(x)[reached]
    if not len(reached) or ts[-1] < float(ending.t):
        ts, x = np.append(ts, np.asarray(ending.t)), np.concatenate([x, np.asarray(ending.x)[None]])
    return constant(ts), constant(x)
