"""Report of a sweep in plain sentences."""

from __future__ import annotations

import json

import numpy as np
import xarray as xr

from ...engine.evolution.trajectory import Status
from ...experiments.sweeps.picture import summarised
from ...experiments.sweeps.result import NEVER, finished, of_finished
from .blocks import Block

MOST_ROWS = 24
ABOUT = (
    "±: 95 % interval of the mean (Student's t), or quartiles where a value is infinite; unfinished runs are left out."
)


def endings(dataset: xr.Dataset) -> str:
    """How many cells ended how."""
    codes = dataset["status"].values.ravel()
    counts = {int(code): int((codes == code).sum()) for code in np.unique(codes)}
    named = [f"{count} {'not computed' if code == NEVER else Status.NAMES[code]}" for code, count in counts.items()]
    return ", ".join(named)


def failures(dataset: xr.Dataset) -> dict[int, str]:
    """Cells that have no value, with the reason."""
    return {int(cell): words for cell, words in json.loads(dataset.attrs["failed"]).items()}


def place_of(dataset: xr.Dataset, cell: int) -> str:
    """A cell in words: the values of its axes."""
    axes = json.loads(dataset.attrs["axes"])
    places = np.unravel_index(cell, dataset["status"].shape)
    return ", ".join(
        f"{k} = {v[int(at)]}" for axis, at in zip(axes, places) for k, v in zip(axis["keys"], axis["values"])
    )


def summary_rows(dataset: xr.Dataset) -> tuple[tuple[str, ...], list[tuple]]:
    """Means over finished runs with the half width of their 95 % interval: one row per combination of the other axes."""
    names = [n for n in json.loads(dataset.attrs["measure"]) if "time" not in dataset[n].dims]
    free = [str(dim) for dim in dataset["status"].dims if dim != "seed"]
    if not names:
        return (), []
    values = [of_finished(dataset, name) for name in names]
    columns = [summarised(one, free) for one in values]
    rows = []
    for place in np.ndindex(*[dataset.sizes[dim] for dim in free]):
        at = [_coordinate(dataset, dim, k) for dim, k in zip(free, place)]
        here = dict(zip(free, place))
        said = [_interval(low[place], middle[place], high[place]) for middle, low, high, _ in columns]
        rows.append((*at, *[one + _lacks(v[here], finished(dataset)[here]) for one, v in zip(said, values)]))
    return (*free, *names), rows


def _lacks(values, ended) -> str:
    """Of how many runs a mean is, where some did not finish."""
    less = f" ({int(values.notnull().sum())} of {values.size} runs)" if ended.any() else " (no run finished)"
    return "" if (ended | values.notnull()).all() else less


def _coordinate(dataset, dim: str, k: int) -> str:
    labels = dataset[dim].attrs.get("labels")
    if labels:
        return str(json.loads(labels)[k])
    return f"{dataset[dim].values[k]:.6g}"


def _interval(low, middle, high) -> str:
    if np.isnan(middle):
        return "–"
    return f"{middle:.4g}" + (f" ± {(high - low) / 2:.2g}" if -np.inf < low < high < np.inf else "")


def sweep_story(dataset: xr.Dataset, files: dict[str, str]) -> list[Block]:
    """The whole report."""
    axes = json.loads(dataset.attrs["axes"])
    said = [f"{', '.join(axis['keys'])}: {len(axis['values'][0])} values" for axis in axes]
    blocks = [Block("heading", dataset.attrs["title"] or "A sweep of attnflow")]
    blocks += [Block("picture", "figure.png", "Measured quantities over the axes")] if "figure.png" in files else []
    blocks += [Block("heading", "What was swept"), Block("items", said)]
    blocks += [Block("items", [f"{n}: {dataset[n].attrs['long_name']}" for n in json.loads(dataset.attrs["measure"])])]
    blocks += [
        Block("heading", "What came out"),
        Block("text", f"Of {dataset['status'].size} cells: {endings(dataset)}."),
    ]
    columns, rows = summary_rows(dataset)
    if rows:
        blocks.append(Block("table", [columns, *rows[:MOST_ROWS]]))
    if len(rows) > MOST_ROWS:
        blocks.append(Block("text", f"… and {len(rows) - MOST_ROWS} more rows in table.csv."))
    blocks.append(Block("text", ABOUT))
    failed = failures(dataset)
    if failed:
        blocks += [Block("heading", "Cells without a value")]
        blocks += [Block("items", [f"{place_of(dataset, cell)}: {words}" for cell, words in list(failed.items())[:20]])]
    blocks += [Block("heading", "Files"), Block("table", [("File", "Holds"), *files.items()])]
    blocks += [Block("heading", "The scenario"), Block("code", dataset.attrs["scenario"])]
    versions = json.loads(dataset.attrs["versions"])
    return [*blocks, Block("text", "Computed with " + ", ".join(f"{n} {v}" for n, v in versions.items()) + ".")]
