"""Labelled data set of a run (xarray)."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ...errors import BadInput
from ..measures import Gaussian


def dataset_of(run):
    """A run as a data set over time, token and coordinate."""
    import xarray as xr

    return xr.Dataset(**tables_of(run))


def tables_of(run) -> dict[str, Any]:
    """The arguments of its data set: plain arrays and attributes, which need no xarray."""
    return {"data_vars": _variables(run), "coords": {"time": np.asarray(run.ts)}, "attrs": _attributes(run)}


def _variables(run) -> dict[str, Any]:
    if run.ts.ndim != 1:
        raise BadInput("a batch of runs is stored one by one: give run.member(i)")
    if isinstance(run.states, Gaussian):
        return {
            "mean": (("time", "coordinate"), np.asarray(run.mean)),
            "cov": (("time", "coordinate", "coordinate_"), np.asarray(run.cov)),
        }
    mass = np.asarray(run.states.mass)
    kept: dict[str, Any] = {"x": (("time", "token", "coordinate"), np.asarray(run.x))}
    is_constant = bool(np.all(mass == mass[0]))
    kept["mass"] = ("token", mass[0]) if is_constant else (("time", "token"), mass)
    if run.labels is not None:
        kept["labels"] = (("time", "token"), np.asarray(run.labels))
    return kept


def _attributes(run) -> dict[str, Any]:
    return {
        "status": run.status.name,
        "status_time": float(run.status.time),
        "steps": int(run.steps),
        "rejected": int(run.rejected),
        "notes": json.dumps(list(run.notes)),
        "stride": json.dumps(None if run.stride is None else vars(run.stride)),
        "merges": merges_json(run),
        "tol": json.dumps(run.tol),
    }


def merges_json(run) -> str:
    """The merges of a run as text."""
    return json.dumps([[merge.time, list(merge.tokens), merge.displacement] for merge in run.merges])
