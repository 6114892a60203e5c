"""Steady states predicted from B alone: clusters, pairs and axes on eigenvectors, and the global extremisers."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from jax.typing import ArrayLike

from ....engine.linalg.arguments import as_annotated
from ....engine.measures import Particles
from ..interaction_energy import interaction_energy
from .energy_search import search
from .gradient_structure import is_symmetric, square_matrix, symmetric_part
from .minimiser import minimiser
from .state_stability import cluster_rates

NOT_A_GRADIENT = "B is not symmetric: the attention flow is not a gradient flow of E, which may rise and fall"


@dataclass(frozen=True)
class State:
    """A steady measure, or one representative of a family of them."""

    kind: str
    """"one cluster", "antipodal pair", "axes", "kernel", "uniform", "density", "tokens"."""
    x: np.ndarray
    mass: np.ndarray
    energy: float
    family: str = ""
    """Which states share this energy, in words."""
    eigenvalue: float | None = None
    is_stable_ascent: bool | None = None
    """Linear stability of the representative; local stability is not global optimality."""
    is_stable_descent: bool | None = None

    @property
    def measure(self) -> Particles:
        return Particles(self.x, self.mass)


@dataclass(frozen=True)
class Extreme:
    """The largest or smallest energy of all measures, and who has it."""

    energy: float
    states: tuple[State, ...]
    certainty: str
    """"exact", or how the value was found and what bounds it."""
    bounds: tuple[float, float]


@dataclass(frozen=True)
class SteadyStates:
    B: np.ndarray
    definiteness: str
    maximum: Extreme
    minimum: Extreme
    states: tuple[State, ...]
    """Clusters and pairs on every eigenvector, measures on several axes, and the extremisers."""
    notes: tuple[str, ...] = field(default_factory=tuple)


@as_annotated
def steady_states(B: ArrayLike, d: int | None = None) -> SteadyStates:
    r"""All steady states that theory predicts for B, with the global extremisers of E.

    $$\max E = \max\{e^{\lambda_{\max}}, \cosh\lambda_{\min}\},\qquad
      \min E = e^{\lambda_{\min}}\ (\lambda_{\min}<0),\ 1\ (=0),\ \text{a unique smooth problem}\ (>0)$$

    Source: Burger et al. 2025 (arXiv 2501.03096), sections on maximisers and minimisers; complete forms derived.

    >>> import attnflow as af
    >>> found = af.steady_states([[2.0, 0.0], [0.0, -1.0]])
    >>> [state.kind for state in found.states], round(found.maximum.energy, 4)
    (['one cluster', 'antipodal pair', 'one cluster', 'antipodal pair', 'axes'], 7.3891)
    """
    B = square_matrix(B, d)
    notes = () if is_symmetric(B) else (NOT_A_GRADIENT,)
    return SteadyStates(B, definiteness(B), maximum(B), minimum(B), tuple(eigenstates(B)), notes)


def definiteness(B: np.ndarray) -> str:
    values = np.linalg.eigvalsh(symmetric_part(B))
    slack = zero(B)
    if np.all(np.abs(values) <= slack):
        return "zero" if is_symmetric(B) else "skew"
    if values[0] > slack:
        return "positive definite"
    if values[-1] < -slack:
        return "negative definite"
    if values[0] >= -slack:
        return "positive semidefinite"
    return "negative semidefinite" if values[-1] <= slack else "indefinite"


def zero(B: np.ndarray) -> float:
    """What counts as a zero eigenvalue."""
    return 1e-12 * max(np.abs(B).max(), 1e-300)


def cluster(z: np.ndarray, energy: float, family: str, **facts) -> State:
    return State("one cluster", z[None, :], np.ones(1), energy, family, **facts)


def pair(z: np.ndarray, energy: float, family: str, **facts) -> State:
    return State("antipodal pair", np.stack([z, -z]), np.full(2, 0.5), energy, family, **facts)


def maximum(B: np.ndarray) -> Extreme:
    if not is_symmetric(B):
        return _maximum_of_nonsymmetric(B)
    values, vectors = np.linalg.eigh(B)
    one, two = np.exp(values[-1]), np.cosh(values[0])
    if definiteness(B) == "zero":
        state = cluster(vectors[:, 0], 1.0, "every measure")
        return Extreme(1.0, (state,), "exact", (1.0, 1.0))
    best, found = max(one, two), []
    if one >= best * (1 - 1e-13):
        found.append(cluster(vectors[:, -1], one, "exactly δ_z, z in the top eigenspace", eigenvalue=float(values[-1])))
    if two >= best * (1 - 1e-13):
        words = "exactly (δ_z + δ_{−z})/2, z in the bottom eigenspace"
        found.append(pair(vectors[:, 0], two, words, eigenvalue=float(values[0])))
    return Extreme(float(best), tuple(found), "exact", (float(best), float(best)))


def _maximum_of_nonsymmetric(B: np.ndarray) -> Extreme:
    upper = float(np.exp(np.linalg.norm(B, 2)))
    values, vectors = np.linalg.eigh(symmetric_part(B))
    lower = float(np.exp(values[-1]))
    if upper - lower <= 1e-12 * upper:
        return Extreme(upper, (cluster(vectors[:, -1], upper, "δ_z with Bz = ‖B‖z"),), "exact", (upper, upper))
    energy, x, mass = search(B, +1, n=2 * len(B) + 2, starts=12)
    if energy <= lower * (1 + 1e-10):
        state = cluster(vectors[:, -1], lower, "δ_z, z the top eigenvector of (B+Bᵀ)/2")
        return Extreme(lower, (state,), "best of a search; no measure found above this cluster", (lower, upper))
    x, mass = x[mass > 1e-8], mass[mass > 1e-8]
    return Extreme(energy, (State("tokens", x, mass, energy, "found by search"),), "best of a search", (lower, upper))


def minimum(B: np.ndarray) -> Extreme:
    found = minimiser(B)
    state = State(found.kind, found.x, found.mass, found.energy, found.family)
    return Extreme(found.energy, (state,), found.certainty, (found.lower, found.energy))


def eigenstates(B: np.ndarray) -> list[State]:
    """δ_z and the equal pair for each eigenvector z, and equal masses on all axes that B acts on."""
    if not is_symmetric(B):
        return _eigenstates_of_nonsymmetric(B)
    values, vectors = np.linalg.eigh(B)
    out = []
    for i, lam in enumerate(values):
        rates = [cluster_rates(B, i, p=p) for p in (1.0, 0.5)]
        verdicts = [{"is_stable_ascent": r.is_stable, "is_stable_descent": _flips(r)} for r in rates]
        z = vectors[:, i]
        out.append(cluster(z, float(np.exp(lam)), "δ_z", eigenvalue=float(lam), **verdicts[0]))
        words = "t δ_z + (1−t) δ_{−z}, any t"
        out.append(pair(z, float(np.cosh(lam)), words, eigenvalue=float(lam), **verdicts[1]))
    if len(B) > 1:
        x = np.concatenate([vectors.T, -vectors.T])
        mass = np.full(len(x), 1 / len(x))
        words = "measures on ± orthonormal eigenvectors with equal masses on both ends of each axis that B acts on"
        out.append(State("axes", x, mass, interaction_energy(x, mass, B=B), words))
    return out


def _flips(rates) -> bool:
    return bool(np.all(rates.within > 0) and np.all(rates.mean > 0))


def _eigenstates_of_nonsymmetric(B: np.ndarray) -> list[State]:
    values, vectors = np.linalg.eig(B)
    real = np.abs(np.imag(values)) <= zero(B)
    columns = [np.real(v) / np.linalg.norm(np.real(v)) for v in vectors.T[real]]
    return [
        cluster(z, float(np.exp(z @ B @ z)), "δ_z", eigenvalue=float(lam))
        for z, lam in zip(columns, np.real(values)[real])
    ]
