"""The numbers a report speaks of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...draw.crowd import sample_gathering
from ...draw.energies import Energies, normalised_energies
from ...engine.evolution.trajectory import Trajectory
from ...engine.measures import Particles
from ...experiments.scenario import Scenario
from ...papers.claim import Check, Prediction
from ...papers.register import Study, study
from ...theory.limits.gathering import Gathering
from .endings import ending_of
from .headlines import Headline, headlines
from .promises import promises


@dataclass(frozen=True)
class Facts:
    """What is known of a run once it is over."""

    scenario: Scenario
    run: Trajectory
    study: Study
    """What the register says."""
    groups: Gathering | None
    """Clusters, planes or points at saved times."""
    energies: Energies | None
    """The normalised energy at saved times, where the rule has one."""
    headlines: list[Headline]
    seconds: float
    """Of computing, without what was done before the run was stopped and went on."""
    resumed: int = 0
    """Checkpoints it went on from."""
    notes: tuple[str, ...] = field(default_factory=tuple)
    is_complete: bool = True
    """Whether theory and observation could be asked without an error."""

    @property
    def predictions(self) -> list[Prediction]:
        return self.study.predictions

    @property
    def checks(self) -> list[Check]:
        return self.study.checks

    @property
    def failed(self) -> bool:
        """Whether the run does not agree with a claim, as the register says."""
        return self.study.fails


@dataclass(frozen=True)
class Observed:
    """What is seen in a run before theory is asked."""

    groups: Gathering | None
    energies: Energies | None
    notes: tuple[str, ...]
    errors: tuple[str, ...]


def observe(run: Trajectory) -> Observed:
    """Count clusters and sum the energy of a finished run; an error is told, the run is kept."""
    errors: list[str] = []
    groups = told(errors, "counting clusters", lambda: _groups(run), None)
    energies, notes = told(errors, "the energy", lambda: _energies(run, groups), (None, ()))
    return Observed(groups, energies, notes, tuple(errors))


def gather(
    scenario: Scenario, run: Trajectory, *, seconds: float, resumed: int = 0, observed: Observed | None = None
) -> Facts:
    """Ask theory and observation about a finished run; an error in one of them is told, the run is kept."""
    found = observe(run) if observed is None else observed
    groups, energies, notes, errors = found.groups, found.energies, found.notes, list(found.errors)
    theory = told(errors, "asking theory", lambda: study(run), Study([], [], []))
    kept = told(errors, "comparing with formulas", lambda: promises(run, groups, theory.checks), [])
    ending = "" if groups is None else ending_of(groups)
    table = told(errors, "headlines", lambda: headlines(theory.predictions, theory.checks, kept, ending=ending), [])
    return Facts(
        scenario, run, theory, groups, energies, table, seconds, resumed,
        notes=(*run.notes, *notes, *filter(None, [theory.note]), *errors), is_complete=not errors,
    )  # fmt: skip


def with_errors(facts: Facts, errors: list[str]) -> Facts:
    return replace(facts, notes=(*facts.notes, *errors), is_complete=facts.is_complete and not errors)


def told(errors: list[str], what: str, ask: Callable[[], Any], otherwise: Any) -> Any:
    """The answer; or, since hours of computing must not be lost to an error in a report, a note about the error."""
    try:
        return ask()
    except OSError:  # a full disk is no error in a report
        raise
    except Exception as error:
        errors.append(f"ERROR in {what}, please report it: {type(error).__name__}: {error}")
        return otherwise


def _groups(run: Trajectory) -> Gathering | None:
    if not isinstance(run.states, Particles) or not np.isfinite(np.asarray(run.x)).all(axis=(1, 2)).any():
        return None
    return sample_gathering(run)


def _energies(run: Trajectory, groups: Gathering | None) -> tuple[Energies | None, tuple[str, ...]]:
    if not isinstance(run.states, Particles):
        return None, ()
    found = normalised_energies(run, groups)
    return (found, ()) if len(found.values) else (None, (f"no energy: {found.name}",))


def as_data(facts: Facts) -> dict[str, Any]:
    """The facts for machines."""
    run, energies = facts.run, facts.energies
    return {
        "title": facts.scenario.title,
        "seed": facts.scenario.seed,
        "status": run.status.name,
        "time": float(run.status.time),
        "steps": int(run.steps),
        "rejected": int(run.rejected),
        "seconds": facts.seconds,
        "resumed": facts.resumed,
        "clusters": None if facts.groups is None else _groups_data(facts.groups),
        "energy": None if energies is None else _energy_data(energies),
        "headlines": [vars(item) for item in facts.headlines],
        "predictions": [vars(item) for item in facts.predictions],
        "checks": [vars(item) | {"holds": item.holds} for item in facts.checks],
        "notes": list(facts.notes),
    }


def _groups_data(groups: Gathering) -> dict[str, Any]:
    last = groups.last
    return {
        "kind": groups.kind, "count": last.count, "mass": last.mass, "centres": last.centres, "stragglers": last.loose,
        "distance": last.distance, "width": last.width, "gap": last.gap, "level": last.level,
        "times": groups.ts, "counts": groups.counts,
    }  # fmt: skip


def _energy_data(energies: Energies) -> dict[str, Any]:
    first, last = energies.values[0], energies.values[-1]
    return {"name": energies.name, "formula": energies.formula, "first": first, "last": last}
