"""Runs of very many tokens that gather: sums as precise as the tolerance asks, and groups heard through their moments."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float

from ..attention import Softmax
from ..flow import Flow, check_fits
from ..flow.strategy import BOUNDED
from ..linalg.matrices import is_concrete, is_scheduled
from ..measures import Particles
from ..spaces import Sphere
from ..summation import Summation
from ..summation.condensed import MOST_LOOSE, Condensed, can_condense, grouped
from ..summation.single import Single, can_round
from .clock import Clock, clock_of
from .options import Options, constant
from .solve import Ending, integrate, trajectory
from .stepping import is_fixed
from .trajectory import CODE, Trajectory

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
    is_plain = (
        options.summation == "auto" and options.steady is None and options.waiting is None and not options.progress
    )
    return (
        is_softmax
        and is_plain
        and mu.n >= FEWEST
        and not is_fixed(options.method)
        and not is_scheduled(flow)
        and is_concrete(flow, mu, options.until, options.start, options.save)
        and len(jnp.asarray(mu.x).devices()) == 1
        and options.strategy(flow, mu) is BOUNDED
        and can_condense(flow.attention.kernel(mu.x, mu))
    )


class UntilGathered(eqx.Module):
    """A flow that stops when nearly all tokens are within a distance of some of them."""

    flow: Flow
    square: Float[Array, ""]
    """Of that distance; what is negative is never reached."""

    @property
    def state_space(self):
        return self.flow.state_space

    def enter(self, x):
        return x

    def leave(self, x):
        return x

    def field(self, mu, t, summation):
        return self.flow.field(mu, t, summation)

    def stops(self, x: Float[Array, "n d"], t) -> Bool[Array, ""]:
        probes = x[:: len(x) // PROBES]
        squares = jnp.sum(x**2, axis=1, keepdims=True) + jnp.sum(probes**2, axis=1) - 2 * x @ probes.T
        return jnp.mean(jnp.min(squares, axis=1) <= self.square) >= 1 - MOST_LOOSE


@dataclass
class _Journey:
    """A run on its way: where it is, what was saved, and the steps it may still take."""

    here: Particles
    t: float
    left: int
    step: float
    """The next step to try."""
    rejected: int = 0
    saved: dict[int, np.ndarray] = field(default_factory=dict)

    def go(self, flow, clock: Clock, summation: Summation) -> Ending:
        """Steps until something happens."""
        onward = clock.onward(self.t, step=self.step)
        ts, x, ending = integrate(flow, self.here, clock=onward, summation=summation)
        reached = np.isfinite(np.asarray(ts)) & (np.asarray(clock.ts) >= self.t)
        self.saved |= {int(k): np.asarray(x[k]) for k in np.flatnonzero(reached[: clock.kept])}
        self.step = (float(ending.t) - self.t) / max(1, int(ending.steps - ending.rejected)) or self.step
        self.here, self.t = self.here.moved_to(ending.x), float(ending.t)
        self.left, self.rejected = self.left - int(ending.steps), self.rejected + int(ending.rejected)
        if int(ending.code) == CODE["TOUCH"] and self.t >= float(clock.ts[-1]):
            # Tokens have gathered in the very last step, whose end was not saved.
            self.saved |= {int(k): np.asarray(ending.x) for k in np.flatnonzero(np.asarray(clock.ts) >= self.t)}
            ending = ending._replace(code=jnp.asarray(CODE["DONE"]))
        return ending


def evolve_condensing(flow: Flow, mu: Particles, options: Options) -> Trajectory:
    """The run with the fastest sums that hold the tolerance: of groups as soon as tokens have gathered."""
    check_fits(flow, mu)
    mu, tol = mu.moved_to(flow.space.retract(mu.x)), options.tolerance(mu.x.dtype)
    method = "tsit5" if options.method == "adaptive" and tol >= LOOSE else options.method
    clock = clock_of(replace(options, method=method), flow, mu=mu)
    singly, distance, looks = _singly(flow, mu, tol), APART * _radii(flow, mu, tol)[0], 0
    way = _Journey(mu, float(options.start), options.max_steps, _first_step(flow, mu, singly, tol))
    while True:
        sums = _condensed(flow, way.here, tol)
        if sums is None:
            watched = UntilGathered(flow, jnp.asarray(distance**2 if looks < MOST_LOOKS else -1.0))
            ending = way.go(watched, clock.planned(is_merging=True, max_steps=_floored(way.left)), singly)
            distance, looks = CLOSER * distance, looks + 1
        else:
            ending = way.go(flow, clock.planned(max_steps=min(BURST, way.left)), sums)
        if int(ending.code) not in (CODE["TOUCH"], CODE["OUT_OF_STEPS"]) or way.left <= 0:
            return _trajectory(flow, mu, clock, way, ending)


def _trajectory(flow, mu, clock: Clock, way: _Journey, ending: Ending) -> Trajectory:
    order = [k for k in sorted(way.saved) if k < clock.kept]
    ts, x = np.asarray(clock.ts)[order], np.reshape([way.saved[k] for k in order], (-1, *mu.x.shape))
    code = CODE["OUT_OF_STEPS"] if int(ending.code) == CODE["TOUCH"] else ending.code
    counts = {"steps": jnp.asarray(clock.plan.max_steps - way.left), "rejected": jnp.asarray(way.rejected)}
    return trajectory(flow, mu, constant(ts), constant(x), ending._replace(code=jnp.asarray(code), **counts))


def _floored(count: int) -> int:
    """The power of two below: limits of steps that are compiled are few."""
    return 1 << (count.bit_length() - 1)


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
