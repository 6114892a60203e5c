"""The numbers a report speaks of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..evolution.trajectory import Trajectory
from ..measures import Particles
from ..observe.clusters import Clusters, clusters
from ..observe.energy import energy
from ..scenario import Scenario
from ..theory.claim import Check, Prediction, check, predict


@dataclass(frozen=True)
class Facts:
    """What is known of a run once it is over."""

    scenario: Scenario
    run: Trajectory
    predictions: list[Prediction]
    checks: list[Check]
    clusters: Clusters | None
    counts: np.ndarray | None
    """Clusters at every saved time."""
    energy: np.ndarray | None
    """At every saved time, where the rule has one."""
    seconds: float
    notes: tuple[str, ...] = field(default_factory=tuple)

    @property
    def failed(self) -> bool:
        """Whether the run broke down, or a theorem did."""
        broken = self.run.status.name in ("STEP_TOO_SMALL", "OUT_OF_STEPS", "NOT_FINITE")
        return broken or any(item.holds is False for item in self.checks)


def gather(scenario: Scenario, run: Trajectory, *, seconds: float) -> Facts:
    """Ask theory and observation about a finished run."""
    energies, notes = _energies(run)
    found, counts = _clusters(run)
    return Facts(
        scenario=scenario,
        run=run,
        predictions=predict(run.flow, run.at(0)),
        checks=check(run),
        clusters=found,
        counts=counts,
        energy=energies,
        seconds=seconds,
        notes=(*run.notes, *notes),
    )


def _clusters(run: Trajectory) -> tuple[Clusters | None, np.ndarray | None]:
    """The last clusters and their number in time, of directions where tokens carry a length, told as in the pictures."""
    from ..draw.scene import same_distance

    if not isinstance(run.states, Particles) or not np.all(np.isfinite(np.asarray(run.x))):
        return None, None
    x, mass = np.asarray(run.flow.space.retract(run.x)), np.asarray(run.states.mass)
    found = [clusters(Particles(state, share), tol=same_distance(state)) for state, share in zip(x, mass)]
    return found[-1], np.array([each.count for each in found])


def _energies(run: Trajectory) -> tuple[np.ndarray | None, tuple[str, ...]]:
    if not isinstance(run.states, Particles):
        return None, ()
    times: Any = run.ts
    try:
        values = np.asarray(energy(run.flow, run.states, t=times))
    except ValueError as error:
        return None, (f"no energy: {error}",)
    if not np.all(np.isfinite(values)):
        return None, ("the energy is too large for a number",)
    return values, ()


def as_data(facts: Facts) -> dict[str, Any]:
    """The facts for machines."""
    run, found = facts.run, facts.clusters
    return {
        "title": facts.scenario.title,
        "seed": facts.scenario.seed,
        "status": run.status.name,
        "time": float(run.status.time),
        "steps": int(run.steps),
        "rejected": int(run.rejected),
        "seconds": facts.seconds,
        "clusters": None
        if found is None
        else {"count": found.count, "gap": found.gap, "link": found.link, "tol": found.tol, "mass": found.mass},
        "energy": None if facts.energy is None else {"first": facts.energy[0], "last": facts.energy[-1]},
        "predictions": [vars(item) for item in facts.predictions],
        "checks": [vars(item) for item in facts.checks],
        "notes": list(facts.notes),
    }
