"""One compiled stretch of a run: from where it is to the next event, pause or end, and what it needs to go on."""

from __future__ import annotations

from typing import cast

import diffrax
import jax
import jax.numpy as jnp
import numpy as np

from ..programs.traced import stored_jit
from ..spaces import Euclidean
from .clock import Clock
from .handlers.base import Now, Problem, wrapped
from .pacing import Grid, Pace, Paced
from .record import Carry, Segment
from .solve import ending_code, has_escaped, saved_at
from .stepping import controller, is_fixed, solver_of

FIRST_STEP = 0.01
"""The first step that is tried: tokens on the sphere move by about one in a unit of time, and errors correct it at once."""


def fresh(problem: Problem, clock: Clock, *, step: float = FIRST_STEP) -> Carry:
    """The carry of a run that begins, or goes on with rows of another shape; `step` is its first step."""
    x, dtype = problem.rows.x, clock.ts.dtype
    states = [np.zeros(leaf.shape, leaf.dtype) for leaf in jax.tree.leaves(_states(x, clock))]
    return Carry(states, np.asarray(False), np.asarray(step, dtype), np.asarray(True))


def solved(problem: Problem, clock: Clock, carry: Carry, *, limit: int, most: int) -> Segment:
    """Integrate until a handler's event, for `limit` steps ending with an accepted one, for `most` steps, or to the end."""
    counts = np.asarray(min(limit, most), np.int32), np.asarray(most, np.int32)
    ts, x, t, here, seen, code, fired, steps, rejected, t0, x0, jump, onward, *states = kept(
        problem, clock, carry, *counts
    )
    carry = Carry(states, jump, onward, np.asarray(False))
    ending = float(t), here, seen, int(code), np.asarray(fired), int(steps), int(rejected)
    return Segment(np.asarray(ts), x, *ending, (t0, x0), carry)


def _states(x, clock: Clock):
    """The shapes of the states of solver and controller, which a field of the shape of x tells as well as the true one."""
    term, solver = (
        diffrax.ODETerm(lambda t, x, args: x),
        solver_of(clock.plan.method, Euclidean(), has_derivatives=False),
    )

    def begun(x, t):
        steps = _steps(clock)
        order = solver.error_order(term)
        return solver.init(term, t, t, x, None), steps.init(term, t, t, x, t, None, solver.func, order)[1]

    return jax.eval_shape(begun, x, clock.start)


def _steps(clock: Clock) -> diffrax.AbstractStepSizeController:
    """What chooses the steps."""
    if is_fixed(clock.plan.method):
        assert clock.steps is not None
        return Grid(clock.steps)
    return controller(clock, clock.least)


def _segment(problem: Problem, clock: Clock, carry: Carry, limit, most):
    """`solved`, once for all stretches of equal shape."""
    moved, rows = wrapped(problem), problem.rows
    space, start, last, x = moved.state_space, clock.start, clock.ts[-1], rows.x

    def field(t, x, args):
        return moved.field(rows.moved_to(x), t, problem.sums)

    def events(t, x, args, **kwargs):
        now = Now(problem, t, rows.moved_to(x), lambda: field(t, x, None))
        found = [handler.event(now) for handler in problem.handlers]
        return jnp.stack([jnp.zeros((), bool) if one is None else one for one in found] or [jnp.zeros((), bool)])

    def is_event(t, x, args, **kwargs):
        return has_escaped(x) | jnp.any(events(t, x, args))

    term, solver = diffrax.ODETerm(field), solver_of(clock.plan.method, space, has_derivatives=False)
    steps, order, tree = _steps(clock), solver.error_order(term), jax.tree.structure(_states(x, clock))
    _, inner = carried = jax.tree.unflatten(tree, carry.states)
    x = jnp.where(carry.is_fresh, space.retract(x), x)
    first, inner = jax.lax.cond(
        carry.is_fresh,
        lambda: steps.init(term, start, last, x, carry.onward, None, solver.func, order),
        lambda: (carry.onward, inner),
    )
    stages = jax.lax.cond(
        carry.is_fresh, lambda: solver.init(term, start, jnp.minimum(first, last), x, None), lambda: carried[0]
    )
    sol = diffrax.diffeqsolve(
        term,
        solver,
        t0=start,
        t1=last,
        dt0=None,
        y0=x,
        saveat=saved_at(space, clock.ts, solver_state=True, controller_state=True, made_jump=True),
        stepsize_controller=Paced(inner=steps, first=first, limit=limit, most=most),  # pyright: ignore[reportCallIssue]
        solver_state=stages,
        controller_state=Pace(inner, first, jnp.zeros((), jnp.int32), start, x),
        made_jump=carry.jump,
        event=diffrax.Event(is_event),
        max_steps=None,
        adjoint=diffrax.ForwardMode(),
        throw=False,
    )
    assert sol.ts is not None and sol.ys is not None and clock.least is not None
    (saved_ts, _), (saved_x, (t, x)) = sol.ts, sol.ys
    t, x, pace = t[0], x[0], cast(Pace, sol.controller_state)
    # A little ahead: a field that ceases to be finite stops the run at the last time where it still is.
    code = ending_code(sol, field(t + 10 * clock.least, x, None), x, t - start, {"BLOW_UP": has_escaped(x)})
    counts = sol.stats["num_steps"], sol.stats["num_rejected_steps"]
    went = jnp.asarray(sol.made_jump), pace.onward, *jax.tree.leaves((sol.solver_state, pace.inner))
    seen = moved.leave(saved_x), t, x, moved.leave(x)
    return saved_ts, *seen, code, events(t, x, None), *counts, pace.t, pace.x, *went


kept = stored_jit(_segment)
