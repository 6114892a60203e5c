"""A user's events: moments when a quantity crosses zero, found within the step that crosses it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import diffrax
import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool

from ....errors import BadInput
from ...measures import Particles
from ..clock import Clock
from ..options import constant
from ..stepping import solver_of
from .base import Change, Handler, Problem, wrapped

HALVINGS = 60
"""Of the step that crosses: its length is then below rounding in double precision."""


@dataclass(frozen=True)
class Event:
    """A moment when `when(t, mu)` crosses zero, in either direction.

    `when` takes the time and the measure and returns a number that JAX can compute; keep one function for many runs, since
    each new one is compiled anew. With `stop=True` the run ends there with the status EVENT. The moments, and the tokens
    then, are in `run.events`.

    >>> import attnflow as af
    >>> flow, mu = af.Flow(af.Sphere(), af.Softmax(beta=4.0)), af.uniform_sphere(8, 3, seed=0)
    >>> near = af.Event(lambda t, mu: mu.x[0] @ mu.x[1] - 0.9)
    >>> run = af.evolve(flow, mu, until=5.0, events=[near])
    >>> len(run.events[0].times), run.status.name
    (1, 'DONE')
    """

    when: Callable[[Array, Particles], Any]
    stop: bool = True


class Crossing(Handler):
    """Watches one event."""

    when: Callable = eqx.field(static=True)
    stop: bool = eqx.field(static=True)
    number: int = eqx.field(static=True)
    """Of the event, in the list of the user."""
    is_above: Bool[Array, ""]
    """Whether the quantity was not below zero at the start of the stretch."""

    def begin(self, problem, record):
        value = float(_value(self, problem, np.asarray(record.t, problem.rows.x.dtype), problem.rows.x))
        if not np.isfinite(value):
            raise BadInput(f"event {self.number}: when(t, mu) gives {value} at the start; it must give a finite number")
        return problem.with_handler(self, eqx.tree_at(lambda one: one.is_above, self, np.asarray(value >= 0)))

    def event(self, now):
        return (self.value(now.problem, now.t, now.rows.x) >= 0) != self.is_above

    def value(self, problem: Problem, t, x) -> Array:
        """The quantity of the tokens that these rows stand for."""
        return jnp.asarray(self.when(t, problem.measure(x)), x.dtype)

    def handle(self, problem, segment, record):
        if not segment.is_fired:
            return None
        t, x = _located(problem, record.clock, self, segment.before, np.asarray(segment.t, problem.rows.x.dtype))
        found = record.events.setdefault(self.number, [])
        found.append((float(t), np.asarray(problem.measure(x).x)))
        if self.stop:
            record.cut(float(t))
            return Change(problem._replace(rows=problem.rows.moved_to(x)), "EVENT")
        turned = eqx.tree_at(lambda crossing: crossing.is_above, self, ~self.is_above)
        return Change(problem.with_handler(self, turned), is_jump=False)


@eqx.filter_jit
def _value(crossing: Crossing, problem: Problem, t, x):
    return crossing.value(problem, t, problem.flow.state_space.retract(x))


@eqx.filter_jit
def _located(problem: Problem, clock: Clock, crossing: Crossing, before, t1):
    """Where the quantity crosses zero in the step from `before` to t1: the step once more, its dense output, bisection."""
    moved, (t0, x0) = wrapped(problem), before
    term = diffrax.ODETerm(lambda t, x, args: moved.field(problem.rows.moved_to(x), t, problem.sums))
    solver = solver_of(clock.plan.method, moved.state_space, has_derivatives=False)
    *_, dense, _, _ = solver.step(term, t0, t1, x0, None, solver.init(term, t0, t1, x0, None), False)
    path = solver.interpolation_cls(t0=t0, t1=t1, **dense)
    at = lambda t: moved.state_space.retract(path.evaluate(t))  # noqa: E731

    def halved(_, ends):
        low, high = ends
        middle = (low + high) / 2
        is_before = (crossing.value(problem, middle, at(middle)) >= 0) == crossing.is_above
        return jnp.where(is_before, middle, low), jnp.where(is_before, high, middle)

    t = jax.lax.fori_loop(0, HALVINGS, halved, (t0, t1))[1]
    return t, at(t)


def crossing(event: Any, number: int) -> Crossing:
    """The handler of a user's event."""
    if not isinstance(event, Event):
        raise BadInput(f"events must be a list of af.Event, got {type(event).__name__}")
    if not callable(event.when):
        raise BadInput(f"event {number}: when must be a function of t and mu, got {type(event.when).__name__}")
    return Crossing(event.when, bool(event.stop), number, constant(np.asarray(False)))
