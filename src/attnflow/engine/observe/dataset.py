"""Labelled data set of a run or a batch for notebooks: states with β, V, energy, numbers of clusters and units."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..evolution.dataset import dataset_of
from ..linalg.matrices import Schedule, is_concrete
from ..measures import Gaussian, Particles
from .clusters import cluster_counts
from .energy import energy

MOST_PAIRS = 2 * 10**9
"""Pairs of tokens times saved times for which energies and clusters are added."""

ABOUT = {
    "time": ("time", "1"), "x": ("tokens", "1"), "mass": ("share of the mass", "1"), "mean": ("mean of the law", "1"),
    "cov": ("covariance of the law", "1"), "energy": ("energy, convention of the rule", "1"),
    "clusters": ("number of clusters at tol = 1e-3", "1"), "beta": ("inverse temperature", "1"), "V": ("value matrix", "1"),
    "labels": ("which token each token has become", "1"),
}  # fmt: skip
"""Long names and units; all quantities of the equations are pure numbers."""


def described(run):
    """A run, or the runs of a batch along `run`, with what is known of them."""
    import xarray as xr

    if run.ts.ndim == 1:
        return _one(run)
    parts = [_one(run.member(k)) for k in range(len(run.ts))]
    statuses = [part.attrs.pop("status") for part in parts]
    joined = xr.concat(
        parts, dim="run", data_vars="all", coords="minimal", join="outer", combine_attrs="drop_conflicts"
    )
    return joined.assign_coords(run=np.arange(len(parts)), status=("run", statuses))


def _one(run):
    found = dataset_of(run)
    found = found.assign(dict({**_weights(run), **_observed(run)}.items()))
    for name in found.variables:
        if name in ABOUT:
            found[name].attrs |= dict(zip(("long_name", "units"), ABOUT[str(name)]))
    return found


def _weights(run) -> dict[str, Any]:
    """β and V, where they are numbers."""
    flow = getattr(run.flow, "flow", run.flow)
    beta, V = getattr(getattr(getattr(flow, "attention", None), "score", None), "beta", None), getattr(flow, "V", None)
    kept: dict[str, Any] = {}
    if beta is not None and not isinstance(beta, Schedule) and is_concrete(beta):
        kept["beta"] = ((), float(np.asarray(beta)))
    if V is not None and not isinstance(V, Schedule) and is_concrete(V):
        kept["V"] = (("coordinate", "coordinate_") if np.ndim(V) == 2 else (), np.asarray(V))
    return kept


def _observed(run) -> dict[str, Any]:
    if isinstance(run.states, Gaussian) or not isinstance(run.states, Particles):
        return {}
    if run.states.n**2 * len(run.ts) > MOST_PAIRS:
        return {}
    kept: dict[str, Any] = {"clusters": ("time", cluster_counts(run))}
    times: Any = run.ts
    try:
        kept["energy"] = ("time", np.asarray(energy(run.flow, run.states, t=times)))
    except (AttributeError, ValueError):  # rules without an energy, rescaled flows
        return kept
    return kept
