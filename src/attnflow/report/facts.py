"""The numbers a report speaks of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..evolution.trajectory import Trajectory
from ..flow import Flow
from ..measures import Particles
from ..observe.clusters import Clusters, clusters, count_clusters, same_distance
from ..observe.energy import energy
from ..papers.claim import Check, Prediction
from ..papers.register import Study, study
from ..scenario import Scenario

MOST_TOKENS = 20_000
"""Beyond this many tokens no claim is checked: hypotheses may form all pairs."""


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
    """Of computing, without what was done before the run was stopped and went on."""
    resumed: int = 0
    """Checkpoints it went on from."""
    notes: tuple[str, ...] = field(default_factory=tuple)
    is_complete: bool = True
    """Whether theory and observation could be asked without an error."""

    @property
    def failed(self) -> bool:
        """Whether the run broke down, or a theorem did."""
        broken = self.run.status.name in ("STEP_TOO_SMALL", "OUT_OF_STEPS", "NOT_FINITE", "UNRESOLVED")
        return broken or not self.is_complete or any(item.fails for item in self.checks)


def gather(scenario: Scenario, run: Trajectory, *, seconds: float, resumed: int = 0) -> Facts:
    """Ask theory and observation about a finished run; an error in one of them is told, the run is kept."""
    errors: list[str] = []
    energies, notes = told(errors, "the energy", lambda: _energies(run), (None, ()))
    found, counts = told(errors, "counting clusters", lambda: _clusters(run), (None, None))
    is_crowd = not is_asked(run)
    if is_crowd:
        notes = (*notes, f"theorems are not asked about more than {MOST_TOKENS:,} tokens: many look at all pairs")
    nothing = Study([], [], [])
    theory = nothing if is_crowd else told(errors, "asking theory", lambda: study(run), nothing)
    return Facts(
        scenario=scenario,
        run=run,
        predictions=theory.predictions,
        checks=theory.checks,
        clusters=found,
        counts=counts,
        energy=energies,
        seconds=seconds,
        resumed=resumed,
        notes=(*run.notes, *notes, *errors),
        is_complete=not errors,
    )


def is_asked(run: Trajectory) -> bool:
    """Whether claims are looked at for this run."""
    return not (isinstance(run.states, Particles) and run.states.n > MOST_TOKENS)


def with_errors(facts: Facts, errors: list[str]) -> Facts:
    return replace(facts, notes=(*facts.notes, *errors), is_complete=facts.is_complete and not errors)


def told(errors: list[str], what: str, ask: Callable[[], Any], otherwise: Any) -> Any:
    """The answer; or, since hours of computing must not be lost to an error in a report, a note about the error."""
    try:
        return ask()
    except Exception as error:
        errors.append(f"ERROR in {what}, please report it: {type(error).__name__}: {error}")
        return otherwise


def _clusters(run: Trajectory) -> tuple[Clusters | None, np.ndarray | None]:
    """The last clusters and their number in time, of directions where tokens carry a length, told as in the pictures."""
    if not isinstance(run.states, Particles) or not np.all(np.isfinite(np.asarray(run.x))):
        return None, None
    x, mass = np.asarray(run.flow.space.retract(run.x)), np.asarray(run.states.mass)
    if run.states.n > MOST_TOKENS:
        last = clusters(Particles(x[-1], mass[-1]), tol=same_distance(x[-1]))
        return last, np.array([count_clusters(state, same_distance(state)) for state in x])
    found = [clusters(Particles(state, share), tol=same_distance(state)) for state, share in zip(x, mass)]
    return found[-1], np.array([each.count for each in found])


def _energies(run: Trajectory) -> tuple[np.ndarray | None, tuple[str, ...]]:
    if not isinstance(run.states, Particles) or not isinstance(run.flow, Flow):
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
        "resumed": facts.resumed,
        "clusters": None
        if found is None
        else {"count": found.count, "gap": found.gap, "link": found.link, "tol": found.tol, "mass": found.mass},
        "energy": None if facts.energy is None else {"first": facts.energy[0], "last": facts.energy[-1]},
        "predictions": [vars(item) for item in facts.predictions],
        "checks": [vars(item) | {"holds": item.holds} for item in facts.checks],
        "notes": list(facts.notes),
    }
