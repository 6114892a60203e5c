"""Plan of a sweep: its cells, and the parts of equal shape in which they are computed; plain data, named by its content."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...engine.files.versions import versions
from ...errors import BadInput
from ..scenario import Scenario, to_dict
from ..scenario.cost import estimate
from ..store.dataset import file_digests
from .axes import Axis, changed, read_cell
from .observables import find_observables

MOST_CELLS = 10**6
PAIRS = 2**18
"""Pairs of tokens of one part: scores of so many pairs (2 MB) stay in the cache of a core."""
LANES = 64
"""Runs side by side, at most: all of them wait for the slowest."""
STATES = 2**26
"""Bytes of saved states of one part."""
WHOLE_NUMBERS = ("iterations", "rows", "n", "d", "rings", "azimuths", "centres", "heads")
"""Keys that change the shape of a run."""


@dataclass(frozen=True)
class Part:
    """Cells that are computed together, in one compiled batch where that can be; named by all that they depend on."""

    name: str
    cells: tuple[int, ...]


@dataclass(frozen=True)
class Plan:
    """All that a sweep is, before it is run."""

    scenario: dict[str, Any]
    axes: tuple[Axis, ...]
    measure: tuple[str | Callable, ...]
    precision: str
    theory: dict[str, str]

    def __reduce__(self):
        # What is derived stays at home: workers get the plain data.
        return Plan, (self.scenario, self.axes, self.measure, self.precision, self.theory)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(axis) for axis in self.axes)

    @property
    def count(self) -> int:
        return math.prod(self.shape)

    def overrides(self, cell: int) -> dict[str, Any]:
        """What cell number so-and-so, in the order of the grid, changes in the scenario."""
        places = np.unravel_index(cell, self.shape)
        return {key: value for axis, at in zip(self.axes, places) for key, value in axis.at(int(at)).items()}

    def table(self, cell: int) -> dict[str, Any]:
        return changed(self.scenario, self.overrides(cell))

    def cell(self, cell: int) -> Scenario:
        return read_cell(self.table(cell), self.overrides(cell))

    @cached_property
    def observables(self):
        return find_observables(self.measure)

    @cached_property
    def digest(self) -> str:
        """Names the sweep: scenario, the files it reads, axes, observables, precision and versions."""
        files = {name: digest for corner in self.corners() for name, digest in file_digests(corner).items()}
        return _hashed([self.as_data(), files, versions()])

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        groups: dict[str, list[int]] = {}
        for cell in range(self.count):
            overrides = self.overrides(cell)
            hard = {key: value for key, value in overrides.items() if not _is_soft(key, value)}
            soft = {key: np.shape(value) for key, value in overrides.items() if _is_soft(key, value)}
            groups.setdefault(_hashed([hard, soft]), []).append(cell)
        return tuple(part for cells in groups.values() for part in self._cut(cells))

    def _cut(self, cells: list[int]) -> list[Part]:
        size = part_size(self.cell(cells[0]))
        pieces = [tuple(cells[i : i + size]) for i in range(0, len(cells), size)]
        return [Part(_hashed([self.digest, piece])[:20], piece) for piece in pieces]

    def corners(self) -> list[Scenario]:
        """One cell for every value of every axis: enough to see that all values can be read."""
        first = [{key: values[0] for axis in self.axes for key, values in zip(axis.keys, axis.values)}]
        rest = [first[0] | axis.at(i) for axis in self.axes for i in range(1, len(axis)) if axis.name != "seed"]
        return [read_cell(changed(self.scenario, one), one) for one in first + rest]

    def as_data(self) -> dict[str, Any]:
        """Plain data; functions of users are named by their code."""
        measure = [[one.name, one.words, one.source] for one in self.observables]
        axes = [{"keys": axis.keys, "values": axis.values} for axis in self.axes]
        return {"scenario": self.scenario, "axes": axes, "measure": measure, "precision": self.precision,
                "theory": self.theory}  # fmt: skip


def make_plan(
    scenario: Scenario, axes: Sequence[Axis], *, measure, precision: str, theory: dict[str, str] | None = None
) -> Plan:
    """A plan whose every key, value and observable has been looked at."""
    count = math.prod(len(axis) for axis in axes)
    if count > MOST_CELLS:
        raise BadInput(f"this sweep has {count:.1e} cells; at most {MOST_CELLS:,} are taken, so give shorter axes")
    keys = [key for axis in axes for key in axis.keys]
    for key in keys:
        if key.split(".")[0] in ("title", "output"):
            raise BadInput(f"axis {key}: changes no number of a run")
        if keys.count(key) > 1:
            raise BadInput(f"axis {key} is given twice")
    measure = (measure,) if isinstance(measure, str) or callable(measure) else tuple(measure)
    plan = Plan(to_dict(scenario), tuple(axes), measure, precision, dict(theory or {}))
    _check_clock(plan, keys)
    for name in plan.theory:
        if name not in [one.name for one in plan.observables]:
            raise BadInput(
                f"theory of {name}: is not measured; measured are {', '.join(o.name for o in plan.observables)}"
            )
    plan.corners()
    return plan


def _check_clock(plan: Plan, keys: list[str]) -> None:
    over_time = [one.name for one in plan.observables if one.over_time]
    moved = [key for key in keys if key in ("time.until", "time.save", "time.spacing")]
    if over_time and moved:
        raise BadInput(
            f"{over_time[0]} needs one clock for all cells, but {moved[0]} is an axis; measure it at the end"
        )


def part_size(scenario: Scenario) -> int:
    """How many cells go together: as many as fit the cache of a core and the memory for saved states."""
    cost = estimate(scenario)
    if not is_batchable(scenario):
        return 1 if cost.n > LANES else 8
    state = 8 * cost.n * (cost.d + 1) * cost.saves
    return max(1, min(LANES, PAIRS // cost.n**2, STATES // state))


def is_batchable(scenario: Scenario) -> bool:
    """Whether cells can go through one compiled batch and end in the same way as one by one."""
    return not (
        scenario.flow.noise is not None
        or scenario.time.merge is not None
        or scenario.time.steady is not None
        or scenario.tokens.kind in ("law", "model")
    )


def _is_soft(key: str, value) -> bool:
    """Whether a value changes numbers of a run but not its shape."""
    section, _, name = key.rpartition(".")
    if key == "seed":
        return True
    if section.split(".")[0] not in ("tokens", "attention", "flow") or name in WHOLE_NUMBERS:
        return False
    return not isinstance(value, bool) and np.asarray(value, object).dtype != bool and is_numeric(value)


def is_numeric(value) -> bool:
    if isinstance(value, list | tuple):
        return all(is_numeric(one) for one in value)
    return isinstance(value, int | float) and not isinstance(value, bool)


def _hashed(value) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()
