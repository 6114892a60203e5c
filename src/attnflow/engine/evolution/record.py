"""What is known of a run on its way: what a stretch of steps leaves, and what has been kept of all of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Array

from ..measures import Particles
from .clock import Clock
from .options import Options
from .stepping import is_fixed
from .trajectory import Merge

NEVER = 2**31 - 1
"""More steps than any run takes."""


class Carry(NamedTuple):
    """What the integrator hands from one stretch to the next: plain arrays, alike for all stretches of equal shape."""

    states: list[Any]
    """Of solver and controller."""
    jump: Any
    """Whether the field has changed, so that stages kept from the last step are made anew."""
    onward: Any
    """The time to step to next; the length of the first step where the run begins anew."""
    is_fresh: Any
    """Whether it does."""


class Segment(NamedTuple):
    """What a stretch leaves."""

    ts: np.ndarray
    """The times it saved; infinite where it did not come so far."""
    x: Array
    """Rows at those times, as users see them."""
    t: float
    here: Array
    """Rows at its end, as the next stretch takes them."""
    seen: Array
    """The same as users see them."""
    code: int
    """How it would end the run if nobody takes it on."""
    fired: np.ndarray
    """For each handler, whether its event holds at the end."""
    steps: int
    rejected: int
    before: tuple[Array, Array]
    """Where its last accepted step began: time and rows."""
    carry: Carry
    is_fired: bool = False
    """Whether the event of the handler that looks at it holds."""


@dataclass
class Record:
    """What is known of a run on its way, outside compiled programs."""

    options: Options
    clock: Clock
    mu: Particles
    """The prompt, as the user gave it."""
    t: float
    kept: int
    """How many of the times of the clock were asked for."""
    done: int = 0
    """Times of the clock that lie behind."""
    steps: int = 0
    rejected: int = 0
    owner: np.ndarray = field(default_factory=lambda: np.zeros(0, int))
    """For each token of the prompt, its row."""
    saved: list[np.ndarray] = field(default_factory=list)
    """Tokens at the saved times, in the pieces in which they came."""
    labels: list[np.ndarray] = field(default_factory=list)
    """At each saved time, the first of the tokens that each has become one with."""
    merges: tuple[Merge, ...] = ()
    events: dict[int, list[tuple[float, np.ndarray]]] = field(default_factory=dict)
    """Times and tokens of a user's events, by their number."""
    last: Segment | None = None
    carry: Carry | None = None
    """Of the next stretch."""
    pace: float = 0.0
    """Steps a second."""

    @property
    def left(self) -> int:
        """Steps that may still be taken."""
        return NEVER if is_fixed(self.options.method) else int(self.options.max_steps) - self.steps

    @property
    def share(self) -> float:
        """How much of the time is done."""
        start, end = float(self.options.start), float(self.clock.ts[-1])
        return (self.t - start) / (end - start)

    def tokens(self, rows: np.ndarray) -> np.ndarray:
        """Rows as tokens of the prompt."""
        return rows if self.is_plain else np.asarray(rows)[..., self.owner, :]

    @property
    def is_plain(self) -> bool:
        """Whether every token is a row of its own."""
        return self.owner.max() + 1 == len(self.owner)

    @property
    def representatives(self) -> np.ndarray:
        """For each token, the first one that shares its row."""
        _, first, inverse = np.unique(self.owner, return_index=True, return_inverse=True)
        return first[inverse]

    @property
    def count(self) -> int:
        """States that are saved."""
        return sum(map(len, self.saved))

    def cut(self, t: float) -> None:
        """Forget what was saved after a time at which the run turns out to end."""
        left, self.t = int((np.asarray(self.clock.ts)[: self.count] <= t).sum()), t
        self.saved, self.labels = [np.concatenate(self.saved)[:left]] if left else [], self.labels[:left]

    def add(self, x: np.ndarray) -> None:
        """Save states, as rows."""
        self.saved.append(self.tokens(x))
        self.labels += [self.representatives] * len(x)

    def take(self, segment: Segment) -> None:
        """Keep what a stretch has saved and counted."""
        reached = int(np.isfinite(segment.ts).sum())
        if (wanted := min(reached, self.kept - self.done)) > 0:
            self.add(np.asarray(segment.x)[:wanted])
        self.done, self.t, self.last, self.carry = self.done + reached, segment.t, segment, segment.carry
        self.steps, self.rejected = self.steps + segment.steps, self.rejected + segment.rejected
