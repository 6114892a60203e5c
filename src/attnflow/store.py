"""Results on disk: a labelled data set in zarr, written whole or not at all."""

from __future__ import annotations

import json
import os
import platform
import shutil
import warnings
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

SCHEMA = 1
PACKAGES = ("attnflow", "jax", "diffrax", "numpy", "scipy")


def versions() -> dict[str, str]:
    """What computed a result."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found


def to_xarray(run, *, scenario=None):
    """A run as a data set over time, token and coordinate, with all that is needed to know what it is."""
    import xarray as xr

    return xr.Dataset(_variables(run), coords={"time": np.asarray(run.ts)}, attrs=_attributes(run, scenario))


def _variables(run) -> dict[str, Any]:
    from .measures import Gaussian

    if run.ts.ndim != 1:
        raise ValueError("a batch of runs is stored one by one: give run.member(i)")
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


def _attributes(run, scenario) -> dict[str, Any]:
    from .evolution.chunks import merges_json
    from .scenario import dumps

    kept = {
        "schema": SCHEMA,
        "status": run.status.name,
        "status_time": float(run.status.time),
        "steps": int(run.steps),
        "rejected": int(run.rejected),
        "notes": json.dumps(list(run.notes)),
        "stride": json.dumps(None if run.stride is None else vars(run.stride)),
        "merges": merges_json(run),
        "versions": json.dumps(versions()),
    }
    return kept if scenario is None else kept | {"scenario": dumps(scenario), "seed": scenario.seed}


def write(dataset, path: str | Path, *, replace: bool = False) -> Path:
    """Write a data set beside its place and move it there when complete."""
    path = Path(path)
    if path.exists() and not replace:
        raise ValueError(f"{path} exists already; choose another place or ask to replace it")
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with warnings.catch_warnings():
            # One file of metadata is not in the standard of zarr yet, but xarray looks for it and warns where it is not.
            warnings.simplefilter("ignore")
            dataset.to_zarr(draft, mode="w", zarr_format=3, consolidated=True)
        swap(draft, path)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return path


def swap(draft: Path, path: Path) -> None:
    """Put a complete directory in place of another; neither is ever seen half."""
    if not path.exists():
        os.replace(draft, path)
        return
    old = path.with_name(f".{path.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    os.replace(path, old)
    os.replace(draft, path)
    shutil.rmtree(old, ignore_errors=True)


def find_result(path: str | Path) -> Path:
    """The stored result that a path means: the data set itself, or the folder it lies in."""
    path = Path(path)
    for candidate in (path, path / "result.zarr"):
        if (candidate / "zarr.json").is_file():
            return candidate
    why = "no such file or folder" if not path.exists() else "no result of attnflow in it (a folder with result.zarr)"
    raise ValueError(f"{path}: {why}")


def load(path: str | Path):
    """The data set of a stored run, in memory."""
    import xarray as xr

    place = find_result(path)
    try:
        dataset = xr.open_zarr(place, consolidated=False).load()
    except Exception as error:  # zarr and its codecs raise many kinds for a damaged store
        raise ValueError(f"{place}: cannot be read as a stored run: {str(error).splitlines()[0]}") from None
    schema = dataset.attrs.get("schema")
    if schema != SCHEMA:
        raise ValueError(f"{place}: schema {schema!r} is not one this version reads ({SCHEMA})")
    return dataset


def scenario_of(dataset):
    """The scenario a stored run was made from, or None."""
    from .scenario import loads

    words = dataset.attrs.get("scenario")
    return None if words is None else loads(words)


def load_run(path: str | Path):
    """A stored run as the trajectory it was, with the flow of its scenario."""
    return trajectory_of(load(path))


def trajectory_of(dataset):
    """The trajectory a data set was made of."""
    import jax.numpy as jnp

    from .evolution.trajectory import Merge, Status, Stride, Trajectory

    attrs, scenario = dataset.attrs, scenario_of(dataset)
    states, stride = _states(dataset), json.loads(attrs.get("stride", "null"))
    merges = tuple(Merge(time, tuple(tokens), moved) for time, tokens, moved in json.loads(attrs["merges"]))
    status = Status(jnp.asarray(Status.NAMES.index(attrs["status"])), jnp.asarray(attrs["status_time"]))
    return Trajectory(
        ts=jnp.asarray(dataset["time"].values),
        states=states,
        flow=None if scenario is None else _flow_of(scenario, states.d),
        status=status,
        steps=jnp.asarray(attrs["steps"]),
        rejected=jnp.asarray(attrs["rejected"]),
        labels=jnp.asarray(dataset["labels"].values) if "labels" in dataset else None,
        merges=merges,
        notes=tuple(json.loads(attrs["notes"])),
        stride=None if stride is None else Stride(**stride),
    )


def _flow_of(scenario, d: int):
    from .scenario.building import build_flow

    return build_flow(scenario, d)


def _states(dataset):
    from .measures import Gaussian, Particles

    if "mean" in dataset:
        return Gaussian(dataset["mean"].values, dataset["cov"].values)
    x = dataset["x"].values
    return _with_mass(Particles(x), np.broadcast_to(dataset["mass"].values, x.shape[:-1]))


def _with_mass(states, mass):
    import equinox as eqx
    import jax.numpy as jnp

    # Masses were shares already; dividing by their sum again would change last digits.
    return eqx.tree_at(lambda s: s.mass, states, jnp.asarray(mass))
