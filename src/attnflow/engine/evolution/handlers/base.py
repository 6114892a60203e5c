"""The protocol of handlers: what changes the field, what stops a stretch of steps, and what is done then."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import equinox as eqx
from jaxtyping import Array, Bool, Float, Int

from ...flow import VectorField
from ...measures import Particles
from ...summation import Summation
from ..record import NEVER, Record, Segment


class Problem(NamedTuple):
    """What is integrated: rows of a flow, how its sums are done, and who watches."""

    flow: VectorField
    rows: Particles
    sums: Summation | None
    owner: Int[Array, "n"]
    """For each token of the prompt, its row."""
    mass: Float[Array, "n"]
    """Of the tokens of the prompt."""
    handlers: tuple[Handler, ...]

    def with_handler(self, old: Handler, new: Handler) -> Problem:
        """The same with another handler in the place of the old one."""
        return self._replace(handlers=tuple(new if one is old else one for one in self.handlers))

    def measure(self, x) -> Particles:
        """Rows as the measure that a user knows."""
        seen = self.rows.moved_to(wrapped(self).leave(x)[self.owner])
        return eqx.tree_at(lambda mu: mu.mass, seen, self.mass)


class Now(NamedTuple):
    """A moment of a run, inside compiled programs."""

    problem: Problem
    t: Array
    rows: Particles
    velocity: Callable[[], Array]


class Handler(eqx.Module):
    """A part of a run that may wrap the field, stop a stretch of steps, and change the problem between stretches.

    Its arrays go through compiled programs; what a subclass does in `wrap` and `event` is compiled, all else is not.
    """

    def begin(self, problem: Problem, record: Record) -> Problem:
        """The problem as it is before the first step."""
        return problem

    def wrap(self, flow: VectorField) -> VectorField:
        """The field as this handler has it."""
        return flow

    def event(self, now: Now) -> Bool[Array, ""] | None:
        """Whether the stretch ends after this step; None if it never does for this handler's sake."""
        return None

    def due(self, problem: Problem) -> int:
        """After how many steps it wants to look at the run, whatever happens."""
        return NEVER

    def handle(self, problem: Problem, segment: Segment, record: Record) -> Change | None:
        """What follows from the stretch that has just ended, maybe by this handler's event; None if nothing."""
        return None

    def notes(self, record: Record) -> tuple[str, ...]:
        """What is to be said of the finished run."""
        return ()


class Change(NamedTuple):
    """What a handler makes of a run."""

    problem: Problem
    status: str | None = None
    """The name of a status, where the run ends here."""
    is_jump: bool = True
    """Whether the field changed, so that stages kept from the last step are made anew."""


def wrapped(problem: Problem) -> VectorField:
    """The flow as all handlers have it, the first inmost."""
    flow = problem.flow
    for handler in problem.handlers:
        flow = handler.wrap(flow)
    return flow
