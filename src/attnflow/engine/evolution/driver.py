"""The one loop of a run: integrate to the next event or pause, let the handlers look at it, go on."""

from __future__ import annotations

import time

import equinox as eqx
import jax.numpy as jnp
import numpy as np

from ..flow import AnyFlow, check_fits
from ..linalg.matrices import is_concrete
from ..measures import Particles
from .clock import clock_of
from .handlers.base import Handler, Problem, wrapped
from .handlers.events import crossing
from .handlers.groups import Groups, groups, may_condense, stepped
from .handlers.merging import merging
from .handlers.pauses import Cancelling, Progress, show
from .handlers.steady import Steady
from .options import Options, constant
from .record import Carry, Record, Segment
from .segment import fresh, solved
from .solve import evolve_traced
from .trajectory import CODE, Moments, Status, Trajectory

FIRST_PAUSE = 64
"""Steps before the first pause: most runs of few tokens end without one, and a pause costs less than a millisecond."""

PAIRS = 2**22
"""Pairs of tokens in the steps before the first pause, at most: about the time of a pause."""

PAUSE = 0.3
"""Seconds between pauses, in which progress is shown, and Ctrl-C or a request to stop is seen."""

LARGE = 2**24
"""Numbers that a stretch may hand over; where it is more, pauses are rarer in proportion."""


def evolve_tokens(flow: AnyFlow, mu: Particles, options: Options) -> Trajectory:
    """One run of tokens: in stretches where its numbers are known, else in one compiled call."""
    check_fits(flow, mu)
    handlers = handlers_of(options, flow, mu)
    if any(isinstance(handler, Groups) for handler in handlers):
        options = stepped(options, options.tolerance(mu.x.dtype))
    clock = clock_of(options, flow, mu=mu)
    if not is_concrete(clock, flow, mu) or len(jnp.asarray(mu.x).devices()) > 1:
        return evolve_traced(flow, mu, options)
    record = Record(options, clock.for_driver(mu.x.size), mu, float(options.start), clock.kept, owner=np.arange(mu.n))
    rows = mu.moved_to(_entered(flow, mu.x))
    own = jnp.arange(mu.n)
    problem = Problem(flow, rows, options.strategy(flow, mu), own, mu.mass, handlers)
    for handler in problem.handlers:
        problem = handler.begin(problem, record)
    return driven(problem, record)


def handlers_of(options: Options, flow, mu: Particles) -> tuple[Handler, ...]:
    """Who watches a run, in the order in which they are asked; each place has its reason."""
    found: list[Handler] = []
    # A user's events see the run before anything is done to it.
    found += [crossing(event, number) for number, event in enumerate(options.events)]
    if options.steady is not None:  # before rows are united: a run that rests is over
        found.append(Steady(jnp.asarray(options.steady, mu.x.dtype)))
    if options.merge is not None:
        found.append(merging(options, flow, mu))
    if may_condense(flow, mu, options):  # after rows are united: groups are made of rows
        found.append(groups(mu))
    if options.progress:  # after all that changes the run
        found.append(Progress(show if options.progress is True else options.progress))
    if options.cancel is not None:  # last: what was finished is kept
        found.append(Cancelling(options.cancel))
    return tuple(found)


@eqx.filter_jit
def _entered(flow, x):
    return flow.enter(x)


def driven(problem: Problem, record: Record) -> Trajectory:
    """Run a problem to its end, which a handler, the integrator or the limit of steps names."""
    status, record.carry = None, record.carry or fresh(problem, record.clock)
    while status is None:
        began = time.monotonic()
        limit = min([_until_pause(record), *(handler.due(problem) for handler in problem.handlers)])
        clock = record.clock.ahead(record.t, min(record.done, len(record.clock.ts) - 1))
        segment = solved(problem, clock, record.carry, limit=max(limit, 1), most=record.left)
        record.take(segment)
        problem = problem._replace(rows=problem.rows.moved_to(segment.here))
        record.pace = segment.steps / max(time.monotonic() - began, 1e-6)
        problem, status = _looked_at(problem, segment, record)
    return _trajectory(problem, record, status)


def _until_pause(record: Record) -> int:
    """Steps until the next pause. Time on the clock decides only how often a run is looked at, never a digit."""
    if not record.steps:
        return max(1, min(FIRST_PAUSE, PAIRS // record.mu.n**2))
    seconds = PAUSE * max(1.0, len(record.clock.ts) * record.mu.x.size / LARGE)
    return max(1, int(seconds * record.pace))


def _looked_at(problem: Problem, segment: Segment, record: Record) -> tuple[Problem, str | None]:
    """The problem that follows from a stretch, or the status with which the run ends."""
    names = {code: name for name, code in CODE.items()}
    if segment.code == CODE["BLOW_UP"] or segment.code == CODE["NOT_FINITE"]:
        return problem, names[segment.code]
    for k, is_fired in enumerate(segment.fired[: len(problem.handlers)]):
        change = problem.handlers[k].handle(problem, segment._replace(is_fired=bool(is_fired)), record)
        if change is not None:
            problem, status = change.problem, change.status
            record.carry = _carried(problem, record, is_jump=change.is_jump)
            if status is not None:
                return problem, status
    if record.t >= float(record.clock.ts[-1]):
        return problem, "DONE"
    if segment.code != CODE["OUT_OF_STEPS"] and not segment.fired.any():
        return problem, names[segment.code]
    return problem, "OUT_OF_STEPS" if record.left <= 0 else None


def _carried(problem: Problem, record: Record, *, is_jump: bool) -> Carry:
    """The carry after a change; rows of another shape begin anew, with the step they had."""
    assert record.last is not None and record.carry is not None
    if problem.rows.x.shape != record.last.here.shape:
        return fresh(problem, record.clock, step=float(record.carry.onward) - record.t)
    return record.carry._replace(jump=np.asarray(is_jump | bool(record.carry.jump)))


def _trajectory(problem: Problem, record: Record, status: str) -> Trajectory:
    """What the run leaves: its saved states, closed by the last one where it ended early."""
    times, mu = np.asarray(record.clock.ts)[: record.count], record.mu
    if status != "DONE" and (not len(times) or times[-1] < record.t):
        times = np.append(times, np.asarray(record.t, times.dtype))
        record.add(np.asarray(wrapped(problem).leave(problem.rows.x))[None])
    x = record.saved[0] if len(record.saved) == 1 else np.concatenate(record.saved)
    mass = np.broadcast_to(np.asarray(mu.mass), x.shape[:-1])
    states = eqx.tree_at(lambda m: (m.x, m.mass), mu, (constant(x), constant(mass)))
    labels = None if record.options.merge is None else constant(np.stack(record.labels))
    notes = tuple(note for handler in problem.handlers for note in handler.notes(record))
    how = Status(jnp.asarray(CODE[status]), jnp.asarray(record.t, mu.x.dtype))
    counts = jnp.asarray(record.steps), jnp.asarray(record.rejected)
    events = tuple(_moments(record.events.get(number, []), mu) for number in range(len(record.options.events)))
    return Trajectory(
        constant(times), states, problem.flow, how, *counts,
        labels=labels, merges=record.merges, notes=notes, events=events,
    )  # fmt: skip


def _moments(found: list[tuple[float, np.ndarray]], mu: Particles) -> Moments:
    times = np.array([t for t, _ in found])
    return Moments(times, np.array([x for _, x in found]).reshape(-1, *mu.x.shape))
