"""Sweep: one scenario over axes of values, each cell measured, as one labelled data set."""

from __future__ import annotations

import fcntl
import pickle
import tempfile
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import xarray as xr

from ...engine.files.sealed import write_data
from ...engine.files.whole import DRAFT, check_folder, told_where
from ...engine.linalg.arguments import as_annotated
from ...errors import BadInput
from ..scenario import Scenario, from_dict, load
from ..scenario.cost import check_affordable
from ..store import dataset as store
from .axes import read_axes
from .cells import is_done, probe
from .drive import Outcome, drive
from .engines import check_engine, cores, engine
from .file import MARK, read_about
from .plan import Part, Plan, make_plan
from .result import gathered

FEW = 2
"""So few parts are computed here, without starting workers."""


@dataclass(frozen=True)
class Swept:
    """A sweep as far as it was computed."""

    dataset: xr.Dataset
    plan: Plan
    done: int
    """Parts that are there."""
    outcome: Outcome

    @property
    def is_whole(self) -> bool:
        return self.done + len(self.outcome.failed) == len(self.plan.parts)


@as_annotated
def sweep(
    scenario: Scenario | Mapping[str, Any] | str | Path,
    axes: Mapping[str, Any],
    *,
    measure: Iterable[str | Callable] | str | Callable = ("clusters",),
    paired: Iterable[Iterable[str]] = (),
    repeat: int | None = None,
    on: str | Executor = "auto",
    workers: int | None = None,
    out: str | Path | None = None,
    budget: float | None = None,
    theory: Mapping[str, str] | None = None,
) -> xr.Dataset:
    """Run a scenario for every combination of the values on the axes, and measure each run.

    - `axes`: keys of the scenario and their values, e.g. `{"attention.beta": [1, 2, 4], "seed": range(8)}`; or a table
      `{"linspace": [1, 9, 9]}`, `{"logspace": …}`, `{"range": …}`. Keys in one tuple of `paired` go together.
    - `measure`: names (`attnflow list observables`) such as "clusters", "energy(t)", "time_to(clusters<=1)",
      "check(CLAIM)", or functions of a run.
    - `repeat`: so many seeds, as an axis.
    - `on`: "serial", "processes", "dask", "dask:tcp://HOST:PORT", or any `concurrent.futures.Executor`.
    - `out`: a folder that keeps what is done, so that the same call goes on after a kill; `budget`: seconds.
    - `theory`: for an observable, the number "CLAIM:NUMBER" that theory gives for it.

    >>> import attnflow as af
    >>> scenario = {"tokens": {"kind": "sphere", "n": 8, "d": 2}, "time": {"until": 2.0, "save": 3}}
    >>> found = af.sweep(scenario, {"attention.beta": [1, 4]}, measure="cosine", repeat=3, on="serial")
    >>> dict(found["cosine"].sizes)
    {'attention.beta': 2, 'seed': 3}
    """
    plan = plan_sweep(scenario, axes, measure=measure, paired=paired, repeat=repeat, theory=theory)
    if out is not None:
        return run_sweep(plan, Path(out), on=on, workers=workers, budget=budget).dataset
    with tempfile.TemporaryDirectory(prefix="attnflow-sweep-") as folder:
        return run_sweep(plan, Path(folder) / "sweep", on=on, workers=workers, budget=budget).dataset


def plan_sweep(scenario, axes, *, measure, paired=(), repeat=None, theory=None) -> Plan:
    """The plan of a sweep, checked: every key and value can be read, built and measured."""
    match scenario:
        case Scenario():
            base = scenario
        case Mapping():
            base = from_dict(dict(scenario))
        case str() | Path():
            base = load(scenario)
        case _:
            raise BadInput(f"a sweep is of a Scenario, a table or a file, got {type(scenario).__name__}")
    precision = "float64" if jax.config.read("jax_enable_x64") else "float32"
    found = read_axes(axes, paired=paired, repeat=repeat, seed=base.seed)
    plan = make_plan(base, found, measure=measure, precision=precision, theory=dict(theory or {}))
    for corner in plan.corners():
        check_affordable(corner)
    probe(plan)
    return plan


def run_sweep(
    plan: Plan,
    folder: Path,
    *,
    on: str | Executor = "auto",
    workers: int | None = None,
    budget: float | None = None,
    shard: tuple[int, int] = (1, 1),
    report: Callable[[int, int], None] = lambda done, total: None,
) -> Swept:
    """Compute what is missing of a sweep in its folder, or a share of it, and gather what is there."""
    mine = plan.parts[shard[0] - 1 :: shard[1]]
    workers = max(1, min(workers or cores(), len(mine)))
    on = ("serial" if len(mine) <= FEW or workers == 1 else "processes") if on == "auto" else on
    check_engine(on)
    if on != "serial" and not (isinstance(on, str) and on.startswith("dask")):
        _check_can_travel(plan)
    claim(folder, plan)
    with engine(on, workers) as make:
        outcome = drive(folder, plan, mine, make=make, workers=workers, budget=budget, report=report)
    failed = _remembered(folder, outcome.failed)
    done = sum(is_done(folder, part) for part in plan.parts)
    dataset = gathered(folder, plan, failed)
    if done + len(failed) == len(plan.parts):
        _write(dataset, folder)
    return Swept(dataset, plan, done, Outcome(failed, outcome.left))


def _check_can_travel(plan: Plan) -> None:
    for one in plan.measure:
        if callable(one):
            try:
                pickle.dumps(one)
            except Exception:
                name = getattr(one, "__name__", one)
                raise BadInput(
                    f"{name} cannot be sent to other processes; define it in a module, or say on='serial'"
                ) from None


def claim(folder: Path, plan: Plan) -> None:
    """Make the folder ours, or see that it holds this very sweep."""
    mark = folder / MARK
    check_folder(folder)
    if folder.exists() and not mark.is_file() and any(DRAFT not in entry.name for entry in folder.iterdir()):
        raise BadInput(f"{folder} exists and holds no sweep; choose another --out")
    about = read_about(folder) if mark.is_file() else None
    if mark.is_file() and about is None:
        raise BadInput(f"{mark}: is damaged; choose another --out")
    if about is not None and about["sweep"] != plan.digest:
        raise BadInput(
            f"{folder} holds another sweep (scenario, axes, measures or versions differ); choose another --out"
        )
    with told_where(folder):
        folder.mkdir(parents=True, exist_ok=True)
    if about is None:
        about = {"sweep": plan.digest, "cells": plan.count, "parts": [part.name for part in plan.parts]}
        write_data(mark, about | plan.as_data(), of=MARK)
    # The mark comes first: a folder with parts alone would be nobody's.
    (folder / "parts").mkdir(exist_ok=True)


def _remembered(folder: Path, failed: dict[str, str]) -> dict[str, str]:
    """Failures of this driver and of those of other shards; one that was mended since is forgotten."""
    place = folder / "failed"
    for name, words in failed.items():
        place.mkdir(exist_ok=True)
        (place / name).write_text(words, encoding="utf-8")
    if not place.is_dir():
        return {}
    kept = {}
    for file in place.iterdir():
        if is_done(folder, Part(file.name, ())):
            file.unlink()
        elif file.is_file():
            kept[file.name] = file.read_text(encoding="utf-8", errors="replace")
    return kept


def _write(dataset: xr.Dataset, folder: Path) -> None:
    """One driver writes; another shard that ends at the same time leaves it to that one."""
    with (folder / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return
        store.write(dataset, folder / "result.zarr", replace=True)
