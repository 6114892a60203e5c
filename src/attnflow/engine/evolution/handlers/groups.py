"""Groups: once nearly all of many tokens are close to others, sums are done over groups through their moments."""

from __future__ import annotations

from dataclasses import replace

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from ...attention import Softmax
from ...flow import Flow
from ...flow.strategy import BOUNDED
from ...linalg.matrices import is_concrete, is_scheduled
from ...measures import Particles
from ...spaces import Sphere
from ...summation import Summation
from ...summation.condensed import MOST_LOOSE, Condensed, can_condense, grouped
from ...summation.single import Single, can_round
from ..options import Options, constant
from ..segment import fresh
from ..stepping import is_fixed
from .base import Change, Handler, Problem

FEWEST = 4096
"""Fewer tokens are summed as fast as groups are looked for and further programs compiled."""

BURST = 16
"""Steps with groups after which they are looked for again."""

CLOSER, MOST_LOOKS = 0.7, 12
"""Where no groups were found, they are looked for again when tokens are closer to each other by this; so often, at most."""

MOST_WRONG = 1 / 32
"""The share of listeners that may have to hear every token."""

PROBES = 64
"""Tokens near which the others are looked for, after every step without groups."""

APART = 1.15
"""Distance of a token from the nearest of those, over the radius of a group where nearly all are in one (measured, d = 64)."""

LOOSE = 1e-6
"""From this tolerance on steps of fifth order need fewer sums, and sums in single precision are precise enough."""

SHARE = 1 / 10
"""Of the tolerance, for what sums may err by."""

FIRST = 1 / 2
"""Of the first step that errors of steps would allow if a token's motion changed as fast as it moves."""


def may_condense(flow, mu: Particles, options: Options) -> bool:
    """Whether a run is one of many tokens on the sphere under softmax, whose exact sums would take all its time."""
    is_softmax = isinstance(flow, Flow) and isinstance(flow.attention, Softmax) and isinstance(flow.state_space, Sphere)
    return (
        is_softmax
        and options.summation == "auto"
        and mu.n >= FEWEST
        and not is_fixed(options.method)
        and not is_scheduled(flow)
        and is_concrete(flow, mu, options.until, options.start, options.save)
        and len(jnp.asarray(mu.x).devices()) == 1
        and options.strategy(flow, mu) is BOUNDED
        and can_condense(flow.attention.kernel(mu.x, mu))
    )


def stepped(options: Options, tol: float) -> Options:
    """The options with the method that needs the fewest sums at this tolerance."""
    is_rough = options.method == "adaptive" and tol >= LOOSE
    return replace(options, method="tsit5") if is_rough else options


class Groups(Handler):
    """Looks for groups, and sums over them where there are."""

    square: Float[Array, ""]
    """Of the distance from others within which nearly all rows must be before groups are looked for; never if negative."""
    looks: Int[Array, ""]
    """How often none were found."""

    def begin(self, problem, record):
        flow, tol = _plain(problem), record.options.tolerance(problem.rows.x.dtype)
        problem = problem._replace(rows=problem.rows.moved_to(flow.space.retract(problem.rows.x)))
        singly, radius = _singly(flow, problem.rows, tol), _radii(flow, problem.rows, tol)[0]
        problem = self._looked(problem, tol).with_handler(self, self._watching((APART * radius) ** 2, 0))
        record.carry = fresh(problem, record.clock, step=_first_step(flow, problem.rows, singly, tol))
        return problem

    def event(self, now):
        if isinstance(now.problem.sums, Condensed):
            return None
        x = now.rows.x
        probes = x[:: len(x) // PROBES]
        squares = jnp.sum(x**2, axis=1, keepdims=True) + jnp.sum(probes**2, axis=1) - 2 * x @ probes.T
        return jnp.mean(jnp.min(squares, axis=1) <= self.square) >= 1 - MOST_LOOSE

    def due(self, problem):
        return BURST if isinstance(problem.sums, Condensed) else super().due(problem)

    def handle(self, problem, segment, record):
        has_groups = isinstance(problem.sums, Condensed)
        is_changed = problem.rows.x is not segment.here
        if not (segment.is_fired or is_changed or (has_groups and segment.steps >= BURST)):
            return None
        found = self._looked(problem, record.options.tolerance(problem.rows.x.dtype))
        if isinstance(found.sums, Condensed):
            return Change(found)
        looks = int(self.looks) + 1
        square = CLOSER**2 * float(self.square) if looks < MOST_LOOKS else -1.0
        return Change(found.with_handler(self, self._watching(square, looks)))

    def _looked(self, problem: Problem, tol: float) -> Problem:
        """The problem with sums over groups, or over single rows where there are none."""
        flow = _plain(problem)
        found = _condensed(flow, problem.rows, tol)
        return problem._replace(sums=_singly(flow, problem.rows, tol) if found is None else found)

    def _watching(self, square: float, looks: int) -> Groups:
        return Groups(constant(np.asarray(square, self.square.dtype)), constant(np.asarray(looks)))


def groups(mu: Particles) -> Groups:
    """The handler of a run of many tokens."""
    return Groups(constant(np.zeros((), mu.x.dtype)), constant(np.asarray(0)))


def _plain(problem: Problem) -> Flow:
    """The flow of such a run, as `may_condense` has found it."""
    assert isinstance(problem.flow, Flow)
    return problem.flow


def _singly(flow: Flow, mu: Particles, tol: float) -> Summation:
    """Sums over single tokens, in single precision where that suffices."""
    is_rough = tol >= LOOSE and np.ndim(flow.V) == 0 and can_round(flow.attention.kernel(mu.x, mu))
    return Single(tol * SHARE, BOUNDED) if is_rough else BOUNDED


def _condensed(flow: Flow, mu: Particles, tol: float) -> Condensed | None:
    """Sums over groups as wide as the tolerance allows, if nearly all tokens are in one."""
    for radius in _radii(flow, mu, tol):
        groups = grouped(np.asarray(mu.x), radius)
        if groups is not None:
            sums = Condensed(groups, tol * SHARE, BOUNDED)
            if float(_wrong(sums, flow, mu)) <= MOST_WRONG:
                return sums
    return None


def _radii(flow: Flow, mu: Particles, tol: float) -> list[float]:
    """Widths r of groups, widest first, whose weights err by (b r²)²/2k where a listener hears its own group, or others too:
    tokens are apart in all directions alike, k = d, or in one."""
    d, b = mu.d, max(1.0, float(jnp.max(jnp.linalg.norm(flow.attention.kernel(mu.x, mu).queries, axis=1))))
    powers = [(2 * k * tol * SHARE / b**2, p) for k in (d, 1) for p in (1 / 5, 1 / 4)]
    return sorted((float(base**power) for base, power in powers), reverse=True)


@eqx.filter_jit
def _speed(flow: Flow, mu: Particles, sums: Summation):
    return jnp.max(jnp.abs(flow.field(mu, 0.0, sums)))


def _first_step(flow: Flow, mu: Particles, sums: Summation, tol: float) -> float:
    """For steps of fifth order, whose errors are of sixth."""
    return FIRST * (tol / max(tol, float(_speed(flow, mu, sums)))) ** (1 / 6)


@eqx.filter_jit
def _wrong(sums: Condensed, flow: Flow, mu: Particles):
    """The share of listeners that could err too much."""
    return jnp.mean(sums.hear(flow.attention.kernel(mu.x, mu), mu.x).is_wrong)
