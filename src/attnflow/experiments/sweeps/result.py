"""Result of a sweep: its parts as one labelled data set with the axes as dimensions, and as a table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from ...engine.evolution.trajectory import Status
from ..scenario import dumps, from_dict
from ..store.dataset import stamped
from .axes import Axis
from .cells import clock_of, read_part
from .plan import Plan, is_numeric

NEVER = -1
"""The status of a cell that was not computed."""
ENDED = tuple(Status.NAMES.index(name) for name in ("DONE", "STEADY"))
"""A run reached its end, or a state that rests and is the one at the end too."""


def gathered(folder: Path, plan: Plan, failed: dict[str, str]) -> xr.Dataset:
    """The data set of all parts that are there."""
    clock = clock_of(plan)
    names = [one.name for one in plan.observables]
    values = [np.full((plan.count, *((len(clock),) if one.over_time else ())), np.nan) for one in plan.observables]
    status, reached = np.full(plan.count, NEVER, np.int8), np.full(plan.count, np.nan)
    why: dict[str, str] = {}
    for part in plan.parts:
        cells = list(part.cells)
        kept = read_part(folder, part)
        if kept is None:
            why |= {str(cell): failed[part.name] for cell in cells if part.name in failed}
            continue
        for place, value in enumerate(values):
            value[cells] = kept[f"value{place}"]
        status[cells], reached[cells] = kept["status"], kept["time"]
        why |= {str(cell): str(words) for cell, words in zip(cells, kept["why"]) if words}
    variables = {
        name: (_dims(plan, one.over_time), value.reshape(*plan.shape, *value.shape[1:]), {"long_name": one.words})
        for name, one, value in zip(names, plan.observables, values)
    }
    variables |= _endings(plan, status, reached)
    coords = _coordinates(plan) | ({"time": clock} if any(one.over_time for one in plan.observables) else {})
    return xr.Dataset(variables, coords=coords, attrs=stamped(_attributes(plan, why)))


def _dims(plan: Plan, over_time: bool) -> tuple[str, ...]:
    return (*[axis.name for axis in plan.axes], *(("time",) if over_time else ()))


def _endings(plan: Plan, status, reached) -> dict[str, Any]:
    meaning = "; ".join(f"{code} {name}" for code, name in enumerate(Status.NAMES))
    codes = {"long_name": "how the run ended", "meaning": f"{NEVER} not computed; {meaning}"}
    return {
        "status": (_dims(plan, False), status.reshape(plan.shape), codes),
        "status_time": (_dims(plan, False), reached.reshape(plan.shape), {"long_name": "time reached", "units": "1"}),
        "finished": (_dims(plan, False), np.isin(status, ENDED).reshape(plan.shape), {"long_name": "in means"}),
    }


def _coordinates(plan: Plan) -> dict[str, Any]:
    return {
        key: ((axis.name,), *_labels(values))
        for axis in plan.axes
        for key, values in zip(axis.keys, axis.values)
    }  # fmt: skip


def _labels(values) -> tuple[np.ndarray, dict[str, Any]]:
    """Numbers as they are; anything else by its number in the list, with the list beside it."""
    if all(is_numeric(value) and not isinstance(value, list | tuple) for value in values):
        return np.asarray(values), {"units": "1"}
    return np.arange(len(values)), {"labels": json.dumps(values)}


def label(axis: Axis, index: int) -> str:
    """A value of an axis in words."""
    words = [
        f"{v:g}" if isinstance(v, float) else v if isinstance(v, str) else json.dumps(v)
        for v in axis.at(index).values()
    ]
    return ", ".join(words)


def _attributes(plan: Plan, why: dict[str, str]) -> dict[str, Any]:
    scenario = from_dict(plan.scenario)
    axes = [{"keys": axis.keys, "values": axis.values} for axis in plan.axes]
    return {
        "kind": "sweep", "title": scenario.title, "scenario": dumps(scenario), "axes": json.dumps(axes),
        "measure": json.dumps([one.name for one in plan.observables]), "theory": json.dumps(plan.theory),
        "precision": plan.precision, "sweep": plan.digest, "failed": json.dumps(why),
    }  # fmt: skip


def finished(dataset: xr.Dataset) -> xr.DataArray:
    """Which runs came to their end, or to rest."""
    return dataset["status"].isin(ENDED)


def of_finished(dataset: xr.Dataset, name: str) -> xr.DataArray:
    """What was measured, NaN in runs that did not finish: their last state is that of another time.

    What theory says of the first prompt needs no end, and a time that was reached was reached, whatever happened later.
    """
    values = dataset[name]
    is_known = np.isfinite(values) & name.startswith("time_to(")
    return values if name.startswith("theory(") else values.where(finished(dataset) | is_known)


def table(dataset: xr.Dataset):
    """One row per cell (and time, for what is measured over time): a data frame of plain columns."""
    data = dataset.drop_vars([n for n, v in dataset.data_vars.items() if "time" in v.dims], errors="ignore")
    frame = data.drop_dims("time", errors="ignore").to_dataframe().reset_index()
    for name, coordinate in dataset.coords.items():
        if "labels" in coordinate.attrs and name in frame:
            words = [str(one) for one in json.loads(coordinate.attrs["labels"])]
            frame[name] = [words[int(k)] for k in frame[name]]
    frame["status"] = ["" if code == NEVER else Status.NAMES[code] for code in frame["status"]]
    return frame


def courses(dataset: xr.Dataset):
    """What is measured over time, one row per cell and time; None where nothing is."""
    timed = [name for name, variable in dataset.data_vars.items() if "time" in variable.dims]
    return dataset[timed].to_dataframe().reset_index() if timed else None
