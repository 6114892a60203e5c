"""Concentration at finite temperature: distance of a run to its low-temperature target over time, with fitted rates."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.optimize
from jax.typing import ArrayLike

from ...engine.attention import Softmax
from ...engine.evolution import Options, evolve
from ...engine.flow import Flow
from ...engine.linalg.arguments import as_annotated, shaped
from ...engine.measures import Particles
from ...engine.measures.distances import wasserstein
from ...engine.observe.resolution import resolution
from ...engine.spaces import Sphere
from ...errors import BadInput, Notice
from .linear_flow import LowTemperatureLimit

SECONDS = 1.6e-10
"""Of an assignment of n tokens, over n³, as measured for tokens of the circle."""

QUICK, PATIENT = 15.0, 60.0
"""Seconds of exact transport from which on one is told, and beyond which the index coupling is taken, an upper bound."""


def two_atom_w2(x, atoms, *, masses, mass=None) -> float:
    """W2 between tokens and two atoms: give the first atom the tokens that save most, split at its mass (exact)."""
    x, atoms = np.asarray(x, float), np.asarray(atoms, float)
    mass = np.full(len(x), 1 / len(x)) if mass is None else np.asarray(mass, float)
    first, second = (np.sum((x - atom) ** 2, axis=1) for atom in atoms)
    order = np.argsort(first - second)
    before = np.concatenate([[0.0], np.cumsum(mass[order])[:-1]])
    to_first = np.clip(masses[0] - before, 0, mass[order])
    return float(np.sqrt(max(0.0, to_first @ first[order] + (mass[order] - to_first) @ second[order])))


def index_distance(x, y, *, mass=None) -> float:
    """The distance under the coupling of equal indices: an upper bound of W2."""
    return float(np.sqrt(np.average(np.sum((np.asarray(x) - np.asarray(y)) ** 2, axis=-1), weights=mass)))


@dataclass(frozen=True)
class Fit:
    """A number fitted to runs, with its 95 % interval; never a constant of the theorem."""

    value: float
    low: float
    high: float
    label: str = "fitted"


@dataclass(frozen=True)
class Concentration:
    """Distances to the target over β (rows) and t (columns)."""

    limit: LowTemperatureLimit
    betas: np.ndarray
    ts: np.ndarray
    to_target: np.ndarray
    """W2(μ_t^β, μ_∞)."""
    to_limit: np.ndarray
    """W2(μ_t^β, μ_t^∞), or its upper bound by the index coupling for many tokens."""
    coupling: np.ndarray
    """D(β, t): root mean square distance of equal tokens."""
    constants: dict[str, Fit]
    """c and C of the published form."""
    notes: tuple[str, ...] = field(default_factory=tuple)

    @property
    def best(self) -> np.ndarray:
        return self.to_target.min(axis=1)

    @property
    def best_times(self) -> np.ndarray:
        return self.ts[np.argmin(self.to_target, axis=1)]

    def exponent(self, t: float) -> Fit:
        """The power of β in D(β, t); −1 for smooth starts, the theorem's bound gives −1/2 up to a logarithm."""
        errors = self.coupling[:, np.argmin(np.abs(self.ts - t))]
        return slope(np.log(self.betas), np.log(errors))


def slope(u, v) -> Fit:
    """The slope of a straight line through (u, v) with its 95 % interval."""
    from scipy import stats  # half a second to import

    line: Any = stats.linregress(u, v)
    reach = stats.t.ppf(0.975, len(u) - 2) * line.stderr if len(u) > 2 else np.inf
    return Fit(float(line.slope), float(line.slope - reach), float(line.slope + reach))


@as_annotated
def check_concentration(
    V: ArrayLike,
    B: Any = 1.0,
    *,
    x: ArrayLike,
    betas: ArrayLike | Sequence[float],
    until: float = 5.0,
    save: int | Sequence[float] | ArrayLike = 51,
    tol: float = 1e-8,
    exact: bool | None = None,
) -> Concentration:
    r"""Run tokens x at every β and measure how they approach the target and leave it.

    $$W_2(\mu_t^\beta, \mu_\infty) \lesssim \sqrt{\log(\beta+1)/\beta}\;e^{Ct} + e^{-ct}$$

    Tokens that have two atoms for a target are split between them; other distances are assignment problems, one for every
    β and saved time. Unless `exact` says so, those that would take more than a minute give way to the distance of equal
    tokens, an upper bound. Source: Alcalde et al. 2026 (arXiv 2605.10931), whose constants were not seen: here they are fitted.
    """
    mu = Particles(shaped(x, "x", "n d"))
    limit = LowTemperatureLimit(V, B, d=mu.d)
    matrix: Any = limit.V
    betas = np.asarray(betas, float)
    if betas.ndim != 1 or np.any(betas <= 0):
        raise BadInput(f"betas must be a list of positive numbers, got {betas}")
    exact, notes = _plan(limit, mu.n, len(betas) * len(Options(until=until, save=save).times(mu)), exact)
    rows = []
    for beta in betas:
        flow = Flow(Sphere(), Softmax(B=limit.B, beta=float(beta)), V=matrix)
        run = evolve(flow, mu, until=until, save=save, tol=tol)
        rows.append(_distances(limit, run, exact))
        notes += resolution_notes(flow, run)
    to_target, to_limit, coupling = (np.stack(part) for part in zip(*rows))
    ts = np.asarray(run.ts)
    constants = fit_bound(betas, ts, to_target)
    return Concentration(limit, betas, ts, to_target, to_limit, coupling, constants, tuple(notes))


def _plan(limit, n: int, states: int, exact: bool | None) -> tuple[bool, list[str]]:
    """Whether transport is solved exactly, and what to say of it; long work is told before it begins."""
    problems = states * (1 if limit.atoms is not None else 2)
    seconds = problems * n**3 * SECONDS
    is_exact = seconds <= PATIENT if exact is None else exact
    if not is_exact:
        return False, [f"W2 is bounded by the distance of equal tokens: exact, it would take about {seconds:.0f} s"]
    if seconds > QUICK:
        words = f"{problems} assignments of {n} tokens take about {seconds:.0f} s; exact=False bounds them at once"
        warnings.warn(words, Notice, stacklevel=4)
    return True, []


def _distances(limit, run, exact: bool):
    x, ts, mass = np.asarray(run.x), np.asarray(run.ts), np.asarray(run.mass)
    start = x[0]
    moved = _limit_run(limit, start, ts)
    coupling = np.array([index_distance(a, b, mass=mass) for a, b in zip(x, moved)])
    to_limit = [_transport(a, b, mass, exact) for a, b in zip(x, moved)]
    return _to_target(limit, x, ts, mass, exact), np.array(to_limit), coupling


def _transport(x, y, mass, exact: bool) -> float:
    return wasserstein(Particles(x, mass), Particles(y, mass)) if exact else index_distance(x, y, mass=mass)


def _limit_run(limit, start, ts):
    positive = ts[ts > 0]
    rest = limit.flow(start, positive) if len(positive) else np.empty((0, *start.shape))
    return np.concatenate([start[None], rest]) if len(positive) < len(ts) else rest


def _to_target(limit, x, ts, mass, exact: bool):
    if limit.atoms is not None:
        masses = limit.masses(Particles(x[0], mass))
        return np.array([two_atom_w2(tokens, limit.atoms, masses=masses, mass=mass) for tokens in x])
    return np.array([_transport(a, limit.target(x[0], t=float(t)), mass, exact) for a, t in zip(x, ts)])


def fit_bound(betas, ts, w2) -> dict[str, Fit]:
    """Fit K a(β) e^{Ct} + L e^{−ct} to the curves up to a little after their minimum, in logarithms."""
    a = np.sqrt(np.log(betas + 1) / betas)[:, None] * np.ones_like(ts)
    late = np.minimum(len(ts) - 1, np.argmin(w2, axis=1) + len(ts) // 10)
    used = (np.arange(len(ts)) <= late[:, None]) & (w2 > 0)
    t, y, a = np.broadcast_to(ts, w2.shape)[used], np.log(w2[used]), np.log(a[used])

    def miss(p):
        return np.logaddexp(p[0] + a + np.exp(p[1]) * t, p[2] - np.exp(p[3]) * t) - y

    found = scipy.optimize.least_squares(miss, [-1.0, 0.0, 0.0, 0.0])
    cov = np.linalg.pinv(found.jac.T @ found.jac) * 2 * found.cost / max(1, len(y) - 4)
    reach = 1.96 * np.sqrt(np.diag(cov))
    names = {"C": 1, "c": 3}
    value, low, high = (np.exp(found.x + s * reach) for s in (0, -1, 1))
    return {name: Fit(float(value[i]), float(low[i]), float(high[i])) for name, i in names.items()}


def resolution_notes(flow, run) -> list[str]:
    r"""Warn where tokens are too few for the continuum, which needs $\beta \ll n^{2/(d-1)}$: at start, middle and end."""
    seen = [resolution(flow, run.at(k)) for k in sorted({0, len(run.ts) // 2, len(run.ts) - 1})]
    beta = float(flow.attention.score.beta)
    return list(dict.fromkeys(f"β = {beta:g}: {note}" for item in seen for note in item.warnings))
