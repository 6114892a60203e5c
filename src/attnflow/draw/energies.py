"""Normalised energy of a run, with the values that theory singles out."""

from __future__ import annotations

from dataclasses import dataclass

import jax
import numpy as np

from ..engine.attention.exponential import ExponentialRule
from ..engine.flow import Flow
from ..engine.linalg.matrices import Schedule
from ..engine.measures import Particles
from ..engine.observe.energy import energy, log_energy
from ..engine.spaces import Sphere
from ..theory.limits.gathering import Gathering
from ..theory.sphere.energy_bounds import uniform_moments

MOST_PAIRS = 2 * 10**9
"""Pairs of tokens times saved times an energy curve may cost; of more, it has fewer points."""

LASTING = 0.06
"""A number of clusters lasts if it stands for this share of the run, or while time doubles."""


@dataclass(frozen=True)
class Level:
    """A value of the energy that theory singles out, in words."""

    value: float
    words: str
    is_bound: bool = False


@dataclass(frozen=True)
class Energies:
    """The energy at saved times (all, unless there are very many tokens); without values, `name` says why."""

    ts: np.ndarray
    values: np.ndarray
    name: str
    formula: str = ""
    levels: tuple[Level, ...] = ()

    @property
    def is_wide(self) -> bool:
        """Whether a logarithmic axis is needed."""
        return bool(self.values.min() > 0 and self.values.max() > 1e3 * self.values.min())

    @property
    def is_normalised(self) -> bool:
        return bool(self.formula)


def energies_of(run, *, convention=None) -> Energies:
    """The energy of a run at its saved times, or its logarithm where the energy is too large for a number."""
    chosen = _finite(run)
    if chosen is None:
        return no_energies("no energy is known for this flow")
    states, ts = jax.tree.map(lambda a: jax.device_put(np.asarray(a)[chosen]), (run.states, run.ts))
    try:
        values, name = np.asarray(energy(run.flow, states, convention=convention, t=ts)), "energy"
        if not np.all(np.isfinite(values)):
            named = {} if convention is None else {"convention": convention}
            values, name = np.asarray(log_energy(run.flow, states, t=ts, **named)), "log energy"
    except ValueError as error:
        return no_energies(str(error))
    return Energies(np.asarray(ts), values, name) if np.all(np.isfinite(values)) else no_energies("not finite")


DOUBLE_INTEGRAL = r"\iint e^{\beta(\langle x,By\rangle-\|B\|)}\,d\mu(x)\,d\mu(y)"


def normalised_energies(run, groups: Gathering | None = None) -> Energies:
    r"""One energy between 0 and 1.

    On the sphere, exponential rules: $\iint e^{\beta\langle x, By\rangle-\beta\|B\|}d\mu\,d\mu$, 1 for one cluster and least
    for the uniform law; at β = 0, $|\int x\,d\mu|^2$. Else the energy from its least to its greatest value in the run.
    """
    if is_on_sphere(run) and isinstance(run.flow.attention, ExponentialRule):
        beta = run.flow.attention.score.beta
        if not isinstance(beta, Schedule) and float(beta) == 0:
            return _of_the_mean(run)
        found = energies_of(run, convention="normalised")
        if len(found.values):
            levels = (*_bounds(run), *_plateaus(run, groups))
            return Energies(found.ts, found.values, "normalised energy", DOUBLE_INTEGRAL, levels)
    found = energies_of(run)
    if not len(found.values) or np.ptp(found.values) <= 1e-12 * np.abs(found.values).max():
        return found
    share = (found.values - found.values.min()) / np.ptp(found.values)
    return Energies(found.ts, share, f"{found.name}, from least to greatest", r"(E-E_{\min})/(E_{\max}-E_{\min})")


def is_on_sphere(run) -> bool:
    return isinstance(run.flow, Flow) and isinstance(run.flow.space, Sphere) and isinstance(run.states, Particles)


def _finite(run) -> np.ndarray | None:
    """Saved times whose energy is computed."""
    if not isinstance(run.flow, Flow) or not isinstance(run.states, Particles):
        return None
    finite = np.flatnonzero(np.isfinite(np.asarray(run.states.x)).all(axis=(1, 2)))
    most = min(len(finite), max(12, MOST_PAIRS // run.states.n**2))
    return finite[np.unique(np.linspace(0, len(finite) - 1, most).astype(int))]


def _of_the_mean(run) -> Energies:
    """The squared length of the mean, order parameter of Kuramoto oscillators."""
    x, mass = np.asarray(run.flow.space.retract(run.x), float), np.asarray(run.states.mass, float)
    mean = np.einsum("kn,knd->kd", mass, x)
    levels = (Level(1.0, "one cluster", True), Level(0.0, "uniform law", True))
    return Energies(np.asarray(run.ts), (mean**2).sum(-1), "normalised energy", r"\left|\int x\,d\mu\right|^2", levels)


def strength_of(run) -> float | None:
    """The number b of scores b⟨x, y⟩, if they are that."""
    score = getattr(getattr(run.flow, "attention", None), "score", None)
    return None if score is None else score.strength()


def _bounds(run) -> tuple[Level, ...]:
    beta = strength_of(run)
    if beta is None or beta <= 0:
        return (Level(1.0, "largest score", True),)
    uniform = uniform_moments(beta, run.states.d)[0]
    return Level(1.0, "one cluster", True), Level(uniform, "uniform law", True)


def _plateaus(run, groups: Gathering | None) -> tuple[Level, ...]:
    """The energies of point clusters where the run had them for long."""
    beta = strength_of(run)
    if groups is None or beta is None or beta <= 0:
        return ()
    levels = []
    for first, last in lasting(groups.ts, groups.counts):
        found = groups.groups[(first + last) // 2]
        if found.count < 2 or found.loose > 0.02:
            continue
        centres = found.centres / np.linalg.norm(found.centres, axis=1, keepdims=True)
        kernel = np.exp(beta * (centres @ centres.T - 1))
        levels.append(Level(float(found.mass @ kernel @ found.mass), f"{found.count} clusters"))
    return tuple(levels)


def lasting(ts, counts) -> list[tuple[int, int]]:
    """First and last index of the times during which a number of clusters stood still for long."""
    ts, counts = np.asarray(ts, float), np.asarray(counts)
    starts = np.flatnonzero(np.diff(counts, prepend=-1))
    ends = np.append(starts[1:], len(ts)) - 1
    spans = [(int(a), int(b)) for a, b in zip(starts, ends) if 0 < counts[a] <= 20 and b > a]
    whole = ts[-1] - ts[0]
    return [(a, b) for a, b in spans if ts[b] - ts[a] > LASTING * whole or (ts[a] > 0 and ts[b] >= 2 * ts[a])]


def no_energies(reason: str) -> Energies:
    return Energies(np.empty(0), np.empty(0), reason)
