"""Runs to late times, where softmax becomes hard: anchors change, tokens slide along ties, and the run goes on."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import equinox as eqx
import jax.numpy as jnp
import numpy as np

from ...flow import check_fits
from ...flow.rescaled import Rescaled
from ...linalg.matrices import is_concrete
from ...measures import Particles
from ..clock import Clock, clock_of
from ..integrators.watched import integrate_watched
from ..options import Options
from ..solve import has_escaped, integrate
from ..stepping import is_fixed
from ..trajectory import CODE, Status, Trajectory
from . import stiff
from .anchored import FAR, Anchored, all_coordinates, look, regrouped
from .close import Close, attention
from .folds import torn
from .notes import MOST_STEPS, notes_of
from .rest import Place
from .sliding import Sliding
from .stiff import Slopes
from .ties import Rows, held, is_near_others, slide, slopes, undetermined

CROSSING = 1e-13
"""A jump of the field too sharp for the clock is crossed by one step of this length, relative to the time; twice as long a
one for each that did not help."""

MOST_DOUBLINGS = 14
"""So often, at most: to a billionth of the time."""

MOST_TOKENS = 4096
"""Distances of all pairs are looked at after every step; larger prompts are followed without anchors."""

BURST = 1000
"""Steps after which tokens that slide along ties are looked for; most runs are over before that."""

SHORT_BURST = 100
"""The same for steps of tokens that slide, and for implicit ones, which take longer."""

LONGER = 20.0
"""So many times longer implicit steps must be than the others to be worth their time."""

MOST_TRUST = 16
"""Stretches of implicit steps in a row before explicit ones are tried again."""

MOST_EVENTS = 200
"""Events in a row, none of them farther than a millionth of the run, before it is given up."""


def needs_anchors(flow, mu, options) -> bool:
    """Whether late times need offsets: V is a matrix, and the run is an adaptive one of known numbers."""
    return isinstance(flow, Rescaled) and flow.basis is not None and is_plain(flow, mu, options)


def is_plain(flow, mu, options) -> bool:
    """Whether the run is an adaptive one of known numbers, with tokens few enough to be looked at in pairs."""
    return (
        mu.n <= MOST_TOKENS
        and not is_fixed(options.method)
        and options.steady is None
        and is_concrete(flow, mu, options.until, options.start)
    )


@dataclass
class _Journey:
    """A run on its way: where it is, what is anchored, and which rows slide."""

    flow: Anchored
    here: Particles
    t: float
    tol: float
    rows: Rows = field(default_factory=dict)
    saved: dict[int, tuple[np.ndarray, np.ndarray, Rows]] = field(default_factory=dict)
    steps: int = 0
    rejected: int = 0
    since: int = 0
    """Steps since the last event, or since implicit ones were worth their time."""
    events: list[float] = field(default_factory=list)
    slid: dict[int, float] = field(default_factory=dict)
    """Tokens that slid, and since when."""
    pause: int = 0
    """Steps before ties are looked for again."""
    crossed: int = 0
    """Jumps crossed in a row, with no steps between."""
    is_endless: bool = False
    """Whether it was given up because events followed each other with no time between."""
    leaving: list[int] = field(default_factory=list)
    """Tokens at 0 whose way on is not determined."""
    torn: list[int] = field(default_factory=list)
    """Tokens at a tie whose way on is not determined."""
    asked: int = 0
    """How often it was asked whether all tokens rest."""
    rested: float | None = None
    """Since when they do."""
    is_silent: bool = False
    """Whether they do because they hear tokens at 0 alone."""
    futile: int = 0
    """How often rows were held though others went on asking for short steps."""
    pace: float = 0.0
    """How far the last explicit steps went, each."""
    implicit: int = 0
    """Stretches of implicit steps that come next."""
    trust: int = 1
    """How many come after explicit ones that were too short; none where they have failed just now."""
    softened: list[float] = field(default_factory=list)
    """When hard rows began to be followed as a softmax."""
    paces: dict[bool, float] = field(default_factory=lambda: {False: np.inf, True: np.inf})
    """How far implicit steps went in z, and for tokens as they are seen."""

    def integrated(self, clock: Clock) -> int:
        """Go on until anchors meet or part, a tie ends, or the run does; the code of what it was."""
        flow = held(self.flow, self.here, self.t, tol=self.tol, rows=self.rows) if self.rows else self.flow
        if isinstance(flow, Sliding):
            return CODE["TIE" if (ending := self._watched(clock, slopes(flow))) == "EVENT" else ending]
        return self._followed(clock) if self.implicit else self._moved(clock)

    def _moved(self, clock: Clock) -> int:
        onward = replace(clock.onward(self.t), size=self.flow.sizes())
        ts, states, ending = integrate(self.flow, self.here, clock=onward, summation=None)
        reached = np.isfinite(np.asarray(ts)) & (np.asarray(clock.ts) >= self.t)
        states, anchor = np.asarray(states), np.asarray(self.flow.anchor)
        self.saved |= {int(k): (anchor, states[k], {}) for k in np.flatnonzero(reached[: clock.kept])}
        self.pace = (float(ending.t) - self.t) / max(int(ending.steps), 1)
        self._arrived(float(ending.t), ending.x, int(ending.steps))
        self.rejected += int(ending.rejected)
        return int(ending.code)

    def _followed(self, clock: Clock) -> int:
        """Implicit steps; where they are not much longer than explicit ones, those come next, and ties are looked for."""
        start, steps, is_seen = self.t, self.steps, self.paces[True] > self.paces[False]
        flow = stiff.softened(self.flow, self.here, self.t) if self.flow.is_hard else self.flow
        ending = self._watched(clock, stiff.slopes(flow, self.here, self.t, is_seen=is_seen))
        self.implicit -= 1
        # The other variables are tried again once these steps are half as long as those were.
        self.paces = {is_seen: (self.t - start) / max(self.steps - steps, 1), not is_seen: 2 * self.paces[not is_seen]}
        if ending == "DONE" or (ending == "EVENT" and is_near_others(self.flow, self.here, self.t)):
            return CODE["DONE" if ending == "DONE" else "TOUCH"]
        is_lost = ending == "EVENT" or max(self.paces.values()) < LONGER * self.pace
        self.implicit, self.trust = (0, 0) if is_lost else (self.implicit, self.trust)
        self.since = self.since if is_lost else 0
        return CODE["OUT_OF_STEPS"]

    def _watched(self, clock: Clock, how: Slopes) -> str:
        found = integrate_watched(
            how.field,
            how.watch,
            how.enter(self.t, self.here.x),
            start=self.t,
            ts=np.asarray(clock.ts),
            tol=self.tol,
            size=how.size,
            max_steps=SHORT_BURST,
            jacobian=how.jacobian,
        )
        anchor, ts = np.asarray(self.flow.anchor), np.asarray(clock.ts)
        self.saved |= {k: (anchor, how.leave(ts[k], y), self.rows) for k, y in found.saved.items() if k < clock.kept}
        self._arrived(found.t, jnp.asarray(how.leave(found.t, found.y)), found.steps)
        return found.ending

    def _arrived(self, t, x, steps) -> None:
        self.t, self.here = t, self.here.moved_to(x)
        self.steps, self.since, self.pause = self.steps + steps, self.since + steps, self.pause - steps
        self.crossed = 0 if steps else self.crossed

    def regroup(self) -> None:
        self.flow, self.here = regrouped(self.flow, self.here, self.t)
        self.happened()

    def part(self) -> None:
        """Anchors have met, a tie has ended, or a row has another leader."""
        flow = held(self.flow, self.here, self.t, tol=self.tol, rows=self.rows)
        if not isinstance(flow, Sliding):
            self.rows = {}
        elif is_near_others(self.flow, self.here, self.t):
            return self.regroup()
        else:
            self.find_ties()
        self.happened()

    def let_go(self) -> None:
        """Rows were held, but others ask for steps as short as before, and compiled steps are faster."""
        self.futile += 1
        self.rows, self.pause = {}, BURST * 4**self.futile

    def is_implicit(self) -> bool:
        """Whether implicit steps come next: explicit ones were too short, and those have not failed just now."""
        if self.rows or not stiff.is_small(self.here):
            return False
        if not self.implicit and not self.flow.is_hard:
            self.implicit, self.trust = self.trust, min(2 * self.trust, MOST_TRUST) or 1
        return self.implicit > 0

    def soften(self) -> bool:
        """Whether hard rows whose ties cannot be told are followed as a softmax next; not where that led nowhere."""
        led_nowhere = bool(self.softened) and self.t - self.softened[-1] < 1e-9 * max(abs(self.t), 1.0)
        if not self.flow.is_hard or led_nowhere or not stiff.is_softened_well(self.flow, self.here):
            return False
        self.softened.append(self.t)
        self.rows, self.implicit, self.events, self.since = {}, 1, [], 0
        return True

    def find_ties(self) -> bool:
        """Whether rows are found that slide and did not."""
        if self.pause > 0:
            return False
        before, self.rows = self.rows, slide(self.flow, self.here, self.t, tol=self.tol, rows=self.rows)
        self.slid = dict.fromkeys(self.rows, self.t) | self.slid
        self._put_at_zero([i for i, tokens in self.rows.items() if not tokens])
        if self.rows != before:
            self.happened()
        return self.rows != before

    def _put_at_zero(self, points: list[int]) -> None:
        """Hard tokens that stay at 0 hear themselves there: what they are off by would grow with V."""
        if self.flow.is_hard and points:
            is_there = np.isin(np.arange(self.here.n), points) & np.asarray(self.flow.is_anchor)
            self.here = self.here.moved_to(jnp.where(is_there[:, None], 0, self.here.x))

    def cross(self, until: float) -> None:
        """One short step over a jump."""
        share = max(CROSSING, 4 * float(jnp.finfo(self.here.x.dtype).eps)) * 2 ** min(self.crossed, MOST_DOUBLINGS)
        step = min(share * max(abs(until), abs(self.t)), until - self.t)
        flow = held(self.flow, self.here, self.t, tol=self.tol, rows=self.rows)
        if isinstance(flow, Sliding):
            v = slopes(flow).field(self.t, self.here.x)
        else:
            v = look(flow, self.here, jnp.asarray(self.t, self.here.x.dtype))[3]
        self.t, self.here, self.crossed = self.t + step, self.here.moved_to(self.here.x + step * v), self.crossed + 1
        self.happened()

    def resting(self) -> Rows | None:
        """The rows that are held once no hard token x ever moves again; steps around the place are made ever more seldom."""
        if not self.flow.is_hard:
            return None
        place = Place(self.flow, self.here, self.t)
        if self.rows and place.is_silent(self._weights()):
            return self.rows
        if not place.is_without_scores(self.tol):
            return None
        self.asked += 1
        return {i: [] for i in range(self.here.n)} if self.asked & (self.asked - 1) == 0 and place.is_kept() else None

    def _weights(self) -> np.ndarray:
        flow = held(self.flow, self.here, self.t, tol=self.tol, rows=self.rows)
        return np.asarray(attention(flow, self.here, jnp.asarray(self.t, self.here.x.dtype)))

    def is_undetermined(self) -> bool:
        """Whether hard rows may leave a point in several ways."""
        if self.flow.is_hard:
            self.leaving = undetermined(self.flow, self.here, self.t, tol=self.tol, rows=self.rows)
            self.torn = torn(self.flow, self.here, self.t, tol=self.tol, rows=self.rows)
        return bool(self.leaving or self.torn)

    def rest(self, rows: Rows, ts: np.ndarray, until: float) -> None:
        """Tokens x stay where they are through all times to come."""
        anchor, state, _ = self.end
        back = lambda t: self.flow.flow.growth.exp(self.t - t, self.here.x, shift=0.0)  # noqa: E731
        is_anchor = np.asarray(self.flow.is_anchor)[:, None]
        for k in np.flatnonzero(ts >= self.t):
            self.saved[int(k)] = anchor, np.where(is_anchor, np.asarray(back(float(ts[k]))), state), rows
        self.is_silent = any(rows.values()) or len(rows) < self.here.n
        self.rested, self.t = self.t, until

    def happened(self) -> None:
        self.events.append(self.t)
        self.since = 0

    def is_stuck(self, length: float) -> bool:
        recent = self.events[-MOST_EVENTS:]
        return len(recent) == MOST_EVENTS and self.t - recent[0] < 1e-6 * length

    @property
    def end(self):
        return np.asarray(self.flow.anchor), np.asarray(self.here.x), self.rows


def evolve_late(flow: Rescaled, mu: Particles, options: Options) -> Trajectory:
    """A rescaled run with tokens kept exact relative to the tokens they are close to, and held at the ties they reach."""
    check_fits(flow, mu)
    clock, dtype = clock_of(options, flow, mu=mu), mu.x.dtype
    clock = clock.planned(is_merging=True, max_steps=min(options.max_steps, BURST))
    start, here = float(options.start), mu.moved_to(flow.enter(mu.x))
    anchored = Anchored(flow, jnp.arange(mu.n), jnp.full(mu.n, FAR, dtype)).measured(here.x, jnp.asarray(start, dtype))
    way = _Journey(anchored, here, start, options.tolerance(dtype))
    code = None
    while code is None:
        code = _stage(way, clock, options)
    return _trajectory(flow, mu, ts=np.asarray(clock.ts)[: clock.kept], way=way, code=code)


def _stage(way: _Journey, clock: Clock, options: Options) -> int | None:
    """One stretch of the way, and what happens at its end; the code of the ending, if it was the last."""
    start, code, until = way.t, way.integrated(clock), float(np.asarray(options.until, way.here.x.dtype))
    if code in (CODE["TOUCH"], CODE["TIE"]) and way.t >= until:
        # Something happened in the very last step: the run is over, and its end may not have been saved.
        left = np.flatnonzero(np.asarray(clock.ts)[: clock.kept] >= way.t)
        way.saved |= {int(k): way.end for k in left}
        return CODE["DONE"]
    if code != CODE["DONE"] and (rows := way.resting()) is not None:
        way.rest(rows, np.asarray(clock.ts)[: clock.kept], until)
        return CODE["DONE"]
    if code != CODE["DONE"] and way.is_undetermined():
        return CODE["OUT_OF_STEPS"]
    way.is_endless = code != CODE["DONE"] and way.is_stuck(options.until - options.start)
    if way.is_endless and way.soften():
        way.is_endless = False
        return None
    if way.steps > options.max_steps or way.is_endless:
        return CODE["OUT_OF_STEPS"] if code != CODE["DONE"] else code
    if code == CODE["TOUCH"]:
        way.regroup()
    elif code == CODE["TIE"]:
        held_before = way.rows
        way.part()
        if way.t == start and way.rows == held_before:
            # The tie ends here, and yet it is found again: a short step decides.
            way.cross(until)
    elif code == CODE["STEP_TOO_SMALL"] or (code == CODE["BLOW_UP"] and not has_escaped(way.here.x)):
        # Rescaled tokens cannot explode in finite time, however fast they move.
        if not way.find_ties():
            way.cross(until)
    elif code == CODE["OUT_OF_STEPS"] and way.steps < options.max_steps and way.since < MOST_STEPS:
        if not way.is_implicit() and not way.find_ties():
            if way.rows and way.since >= BURST:
                way.let_go()
            elif not way.rows:
                way.soften()
    else:
        return code
    return None


def _trajectory(flow, mu, *, ts, way: _Journey, code: int) -> Trajectory:
    order = sorted(way.saved)
    times, states = list(ts[order]), [way.saved[k] for k in order]
    if code != CODE["DONE"] and (not order or times[-1] < way.t):
        times.append(way.t)
        states.append(way.end)
    anchor, state, rows = zip(*states)
    close = Close(np.stack(anchor), np.stack(state), rows, way.tol)
    times = jnp.asarray(np.array(times), mu.x.dtype)
    x = flow.leave(all_coordinates(flow, jnp.asarray(close.anchor), jnp.asarray(close.state), times))
    how = Status(jnp.asarray(code), jnp.asarray(way.t)), jnp.asarray(way.steps), jnp.asarray(way.rejected)
    return Trajectory(times, moved(mu, x), flow, *how, notes=notes_of(way, code), close=close)


def moved(mu, x):
    return eqx.tree_at(lambda m: (m.x, m.mass), mu, (x, jnp.broadcast_to(mu.mass, x.shape[:-1])))
