"""Phases of a run at low temperature (alignment, heat, pairing), recognised and timed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ...engine.attention import Softmax
from ...engine.evolution.trajectory import Trajectory
from ...engine.flow import Flow
from ...engine.linalg.arguments import as_annotated
from ...engine.linalg.matrices import dense, is_scheduled
from ...engine.linalg.rows import unit_rows
from ...engine.observe.clusters import clusters
from ...engine.spaces import Sphere
from ...errors import BadInput
from ..sphere.two_clusters import merging_time
from .concentration import resolution_notes, two_atom_w2
from .linear_flow import LowTemperatureLimit

COLLAPSED = 0.1
"""Clusters whose variance is below this share of the kernel's, 1/β, count as collapsed."""

NARROW = 5
"""Below this βv the heat law is off and the Lambert-W law holds."""


@dataclass(frozen=True)
class Phase:
    name: Literal["alignment", "heat", "backward heat", "pairing", "terminal", "motion on E"]
    start: float
    end: float
    predicted_end: float | None
    """Where theory puts the end; None where it says nothing."""
    words: str


@dataclass(frozen=True)
class Phases:
    phases: tuple[Phase, ...]
    notes: tuple[str, ...]
    """Which assumption fails, and what the numbers cannot carry."""
    transverse: np.ndarray
    """Root mean square distance from the dominant eigenspace at every saved time."""

    def __getitem__(self, name: str) -> Phase:
        return next(phase for phase in self.phases if phase.name == name)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(phase.name for phase in self.phases)


def limit_of(flow, d: int) -> tuple[LowTemperatureLimit, float]:
    """The low-temperature limit and β of a softmax flow on the sphere."""
    is_ours = isinstance(flow, Flow) and isinstance(flow.space, Sphere) and type(flow.attention) is Softmax
    if not is_ours or is_scheduled(flow):
        raise BadInput("phases are known for Softmax on the sphere with constant matrices")
    rule: Any = flow.attention
    if rule.is_affine():
        raise BadInput("phases are known for scores ⟨x, By⟩ without offsets of queries or keys")
    if not float(rule.score.beta) > 0:
        raise BadInput(f"the low-temperature limit needs beta > 0, got {float(rule.score.beta):g}")
    V: Any = flow.V
    B: Any = np.asarray(rule.score.B(d), float)
    return LowTemperatureLimit(np.asarray(dense(V, d), float), B), float(rule.score.beta)


@as_annotated
def recognise_phases(run: Trajectory) -> Phases:
    """Alignment with E, heat on it, pairing of clusters, the terminal phase: when each ends, and when it should.

    Source: Bruno et al. 2025 (arXiv 2509.25040), section 3; the terminal phase: Alcalde et al. 2026.
    """
    x, ts = np.asarray(run.x, float), np.asarray(run.ts, float)
    limit, beta = limit_of(run.flow, x.shape[2])
    E = limit.dominant.basis
    transverse = np.sqrt(np.mean(np.sum((x - x @ E @ E.T) ** 2, axis=2), axis=1))
    width = 1 / np.sqrt(beta * np.linalg.norm(limit.B, 2))
    notes = [*limit.dominant.notes, *resolution_notes(run.flow, run)]
    if limit.atoms is not None:
        return Phases(_around_atoms(limit, run, ts), tuple(notes), transverse)
    end = _first(ts, transverse < width)
    phases = []
    if limit.dominant.k < limit.d:
        phases.append(_alignment(limit, ts, transverse, width, end))
    if end is not None and end < ts[-1]:
        phases += _on_eigenspace(limit, beta, run, ts, end, width, notes)
    return Phases(tuple(phases), tuple(notes), transverse)


def _first(ts, condition):
    hits = np.flatnonzero(condition)
    return float(ts[hits[0]]) if len(hits) else None


def _alignment(limit, ts, transverse, width, end):
    token = limit.rates().token
    predicted = ts[0] + np.log(transverse[0] / width) / token if token else None
    words = f"tokens come within the kernel's width {width:.3g} of the dominant eigenspace"
    return Phase("alignment", float(ts[0]), float(ts[-1] if end is None else end), predicted, words)


def _around_atoms(limit, run, ts):
    x, mass = np.asarray(run.x, float), np.asarray(run.mass, float)
    masses = limit.masses(run.at(0))
    w2 = np.array([two_atom_w2(tokens, limit.atoms, masses=masses, mass=mass) for tokens in x])
    best = int(np.argmin(w2))
    words = f"closest to ±v at W2 = {w2[best]:.3g}"
    phases = [Phase("alignment", float(ts[0]), float(ts[best]), None, words)]
    if w2[-1] > 1.1 * w2[best] and limit.kind == "simple":
        phases.append(Phase("terminal", float(ts[best]), float(ts[-1]), None, limit.terminal().words))
    return tuple(phases)


def _on_eigenspace(limit, beta, run, ts, start, width, notes):
    gamma = heat_sign(limit)
    if gamma is None:
        notes.append("no heat phase: on E it needs B = λI and V = ±λ'I")
        return [Phase("motion on E", start, float(ts[-1]), None, "tokens keep moving inside the dominant eigenspace")]
    if gamma < 0:
        return [Phase("heat", start, float(ts[-1]), None, "the density diffuses forward, ∂ρ = Δρ/β, at scale t ~ β")]
    notes.append("backward heat is ill posed: widths depend on the start, and noise grows")
    return _clustering(beta, run, ts, start, width, notes)


def heat_sign(limit: LowTemperatureLimit) -> int | None:
    """±1 when V = ±λ'I and B = λI on the dominant eigenspace, else None."""
    E = limit.dominant.basis
    inner = [E.T @ M @ E for M in (limit.V, limit.B)]
    leaks = any(np.linalg.norm(M @ E - E @ part) > 1e-8 for M, part in zip((limit.V, limit.B), inner))
    factors = [np.trace(part) / len(part) for part in inner]
    is_scalar = all(np.linalg.norm(part - f * np.eye(len(part))) < 1e-8 for part, f in zip(inner, factors))
    return int(np.sign(factors[0])) if is_scalar and not leaks and factors[0] != 0 else None


def _clustering(beta, run, ts, start, width, notes):
    at = np.flatnonzero(ts >= start)
    seen = [clusters(run.at(int(k)), tol=width) for k in at]
    spread = np.array([_variance(run.at(int(k)), c) for k, c in zip(at, seen)])
    if beta * spread[0] < NARROW:
        notes.append(
            f"βv = {beta * spread[0]:.3g} < {NARROW}: clusters are narrower than the kernel, heat widths are off"
        )
    end = _first(ts[at], beta * spread < COLLAPSED)
    z = beta * spread[0]
    predicted = start + max(0.0, (z + np.log(z) - COLLAPSED - np.log(COLLAPSED)) / 2) if len(seen[0].mass) > 1 else None
    words = f"{seen[0].count} clusters sharpen; the widths follow v' = −2v/(1+βv)"
    phases = [Phase("backward heat", start, float(ts[-1] if end is None else end), predicted, words)]
    if end is not None and end < ts[-1]:
        phases.append(_pairing(beta, ts, end, seen[int(np.argmax(ts[at] >= end))], seen))
    return phases


def _variance(mu, found):
    """Variance inside clusters along one direction of the tangent space of E."""
    x, mass = np.asarray(mu.x, float), np.asarray(mu.mass, float)
    away = np.sum((x - found.centres[found.labels]) ** 2, axis=1)
    return float(mass @ away)


def _pairing(beta, ts, start, found, seen):
    if found.count < 2:
        return Phase("pairing", start, float(ts[-1]), None, "one cluster is left: nothing to pair")
    unit = unit_rows(found.centres)
    cosines = unit @ unit.T - 2 * np.eye(found.count)
    i, j = np.unravel_index(np.argmax(cosines), cosines.shape)
    angle = float(np.arccos(np.clip(cosines[i, j], -1, 1)))
    masses = (found.mass[i] / (found.mass[i] + found.mass[j]), found.mass[j] / (found.mass[i] + found.mass[j]))
    predicted = start + merging_time(angle, 1e-3, beta=beta, mass=masses) if 1e-3 < angle < np.pi else None
    counts = np.array([c.count for c in seen])
    words = (
        f"{found.count} clusters wait; the closest pair, {angle:.3g} apart, merges first ({counts[-1]} left at the end)"
    )
    return Phase("pairing", start, float(ts[-1]), predicted, words)
