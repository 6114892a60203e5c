"""Results on disk: a labelled data set in zarr, written whole or not at all."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...engine.files.progress import Report
from ...engine.files.versions import versions
from ...engine.files.whole import check_folder, draft_of, remove, told_where
from ...errors import BadInput, as_path, quoted
from .exchange import put_in_place

SCHEMA = 2
"""Since 2 every chunk has a checksum, the whole a digest, and files that a flow reads are digested."""
READABLE = (1, 2)


KINDS = dict.fromkeys(
    ("status", "notes", "versions", "scenario", "files", "stride", "merges", "tol"), str
) | dict.fromkeys(("steps", "rejected", "seed"), int)
"""What attributes of a run are, where they are there."""


def to_xarray(run, *, scenario=None):
    """A run as a data set over time, token and coordinate, with all that is needed to know what it is."""
    import xarray as xr

    return xr.Dataset(**tables_of(run, scenario=scenario))


def tables_of(run, *, scenario=None) -> dict[str, Any]:
    """The arguments of that data set: plain arrays and attributes, which need no xarray."""
    from ...engine.evolution import Trajectory, dataset
    from ..scenario import dumps

    if not isinstance(run, Trajectory):
        raise BadInput(f"a run made by evolve is needed, got {type(run).__name__}")
    tables = dataset.tables_of(run)
    told = {} if scenario is None else {"scenario": dumps(scenario), "seed": scenario.seed}
    files = {} if scenario is None else {"files": json.dumps(file_digests(scenario))}
    return tables | {"attrs": stamped(tables["attrs"]) | told | files}


def stamped(attributes: dict[str, Any]) -> dict[str, Any]:
    """Attributes with the schema and the versions of what computed a result, unless they have them."""
    return {"schema": SCHEMA, "versions": json.dumps(versions())} | attributes


@dataclass(frozen=True)
class Stored:
    """The tables of a run and the place where they are stored, as a job for a process of its own."""

    tables: dict[str, Any]
    path: Path

    def make(self, report: Report) -> list[str]:
        import xarray as xr

        write(xr.Dataset(**self.tables), self.path)
        return []


def file_digests(scenario) -> dict[str, str]:
    """The SHA-256 of every file a scenario reads, and of the weights of its model."""
    from ..scenario import files_of

    sources = {name: [Path(name)] for name in files_of(scenario)}
    if scenario.tokens.kind == "model":
        from ..scenario.of_model import files_of_model

        name = scenario.tokens.parameters["model"]
        sources[name] = files_of_model(name)
    return {name: _digest_of_files(files) for name, files in sources.items()}


def _digest_of_files(files: list[Path]) -> str:
    from ...engine.linalg.array_files import regular

    digest = hashlib.sha256()
    for file in files:
        with regular(file).open("rb") as data:
            while block := data.read(2**20):
                digest.update(block)
    return digest.hexdigest()


def digest_of(dataset) -> str:
    """The SHA-256 of all numbers and attributes of a data set."""
    digest = hashlib.sha256()
    for name in sorted(str(name) for name in dataset.variables):
        values = np.ascontiguousarray(dataset.variables[name].values)
        digest.update(f"{name} {dataset.variables[name].dims} {values.dtype.str} {values.shape}".encode())
        digest.update(values.tobytes())
    kept = {key: value for key, value in dataset.attrs.items() if key != "digest"}
    digest.update(json.dumps(kept, sort_keys=True, default=str).encode())
    return digest.hexdigest()


def _check(dataset) -> None:
    import xarray as xr

    if not isinstance(dataset, xr.Dataset):
        raise BadInput(f"a data set of xarray is needed, as made by to_xarray, got {type(dataset).__name__}")


def write(dataset, path: str | Path, *, replace: bool = False) -> Path:
    """Write a data set beside its place and move it there when complete."""
    import zarr
    from zarr.codecs import Crc32cCodec, ZstdCodec

    path = as_path(path)
    _check(dataset)
    if not isinstance(replace, bool):
        raise BadInput(f"replace must be True or False, got {quoted(replace)}")
    check_folder(path.parent)
    if path.exists() and not replace:
        raise BadInput(f"{path} exists already; choose another place or ask to replace it")
    dataset = dataset.assign_attrs(stamped(dataset.attrs))
    dataset = dataset.assign_attrs(digest=digest_of(dataset))
    safe = {name: {"compressors": [ZstdCodec(), Crc32cCodec()]} for name in dataset.variables}
    with _folder_in_place(path) as draft, warnings.catch_warnings():
        # One file of metadata is not in the standard of zarr yet, but xarray looks for it and warns where it is not.
        warnings.simplefilter("ignore")
        with zarr.config.set({"array.write_empty_chunks": True}):
            dataset.to_zarr(draft, mode="w", zarr_format=3, consolidated=True, encoding=safe)
    return path


@contextmanager
def _folder_in_place(path: Path) -> Iterator[Path]:
    """A folder beside its place, which takes the place of what is there by one exchange."""
    draft = draft_of(path)
    try:
        with told_where(path.parent):
            yield draft
            put_in_place(draft, path)
    finally:
        remove(draft)


def find_result(path: str | Path) -> Path:
    """The stored result that a path means: the data set itself, or the folder it lies in."""
    path = as_path(path)
    try:
        for candidate in (path, path / "result.zarr"):
            if (candidate / "zarr.json").is_file():
                return candidate
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
    why = "no such file or folder" if not path.exists() else "no result of attnflow in it (a folder with result.zarr)"
    raise BadInput(f"{path}: {why}")


def load(path: str | Path):
    """The data set of a stored run, in memory; damage is an error that names the place."""
    import xarray as xr

    place = find_result(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _check_plain(place)
            _check_complete(place)
            # Without chunks: a dask client that happens to be open must not read for us.
            dataset = xr.open_zarr(place, consolidated=False, chunks=None).load()
    except BadInput:
        raise
    except Exception as error:  # zarr and its codecs raise many kinds for a damaged store
        raise BadInput(f"{place}: cannot be read as a stored run: {_first_line(error)}") from None
    schema = dataset.attrs.get("schema")
    if schema not in READABLE:
        raise BadInput(
            f"{place}: schema {quoted(schema)} is not one this version reads ({', '.join(map(str, READABLE))})"
        )
    if (schema > 1 or "digest" in dataset.attrs) and dataset.attrs.get("digest") != digest_of(dataset):
        raise BadInput(f"{place}: numbers or attributes were changed after the run was stored (the digest differs)")
    for name, kind in KINDS.items():
        if not isinstance(dataset.attrs.get(name, kind()), kind):
            raise BadInput(f"{place}: the attribute {name} is not what a run stores")
    return dataset


def _check_plain(place: Path) -> None:
    """Reading a pipe or a device would never end."""
    for entry in sorted(place.rglob("*")):
        if not (entry.is_file() or entry.is_dir()):
            raise BadInput(f"{place}: {entry.relative_to(place)} is neither a file nor a folder")


def _check_complete(place: Path) -> None:
    """A chunk that is missing would be read as zeros."""
    import zarr

    for name, array in zarr.open_group(place, mode="r").arrays():
        for at in np.ndindex(array.cdata_shape):
            file = place / name / array.metadata.encode_chunk_key(at)
            if not file.is_file():
                raise BadInput(f"{file}: this chunk of the stored run is missing")


def _first_line(error: Exception) -> str:
    words = (str(error).splitlines() or [type(error).__name__])[0][:120]
    return "".join(letter if letter.isprintable() else "?" for letter in words)


def scenario_of(dataset):
    """The scenario a stored run was made from, or None."""
    from ..scenario import loads

    words = dataset.attrs.get("scenario")
    return None if words is None else loads(words)


def load_run(path: str | Path):
    """A stored run as the trajectory it was, with the flow of its scenario.

    >>> import attnflow as af
    >>> af.load_run("out/default")  # doctest: +SKIP
    """
    dataset = load(path)
    try:
        _check_files(dataset, path)
        return trajectory_of(dataset)
    except BadInput:
        raise
    except (LookupError, ValueError, TypeError, AttributeError, OverflowError, RecursionError, SyntaxError) as error:
        raise BadInput(f"{path}: is not a whole run: {type(error).__name__} {_first_line(error)}") from None


def _check_files(dataset, path) -> None:
    """A flow must be judged with the matrices and weights it was run with."""
    stored = json.loads(dataset.attrs.get("files", "{}"))
    now = file_digests(scenario_of(dataset)) if stored else {}
    for name, digest in stored.items():
        if now.get(name) != digest:
            raise BadInput(f"{path}: {name} has changed since this run was stored; put the old file back")


def trajectory_of(dataset):
    """The trajectory a data set was made of."""
    import jax.numpy as jnp

    from ...engine.evolution.trajectory import Merge, Status, Stride, Trajectory

    _check(dataset)
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
        tol=json.loads(attrs.get("tol", "null")),
    )


def _flow_of(scenario, d: int):
    from ..scenario.building import build_flow

    return build_flow(scenario, d)


def _states(dataset):
    from ...engine.measures import Gaussian, Particles

    if "mean" in dataset:
        return Gaussian(dataset["mean"].values, dataset["cov"].values)
    x = dataset["x"].values
    return _with_mass(Particles(x), np.broadcast_to(dataset["mass"].values, x.shape[:-1]))


def _with_mass(states, mass):
    import equinox as eqx
    import jax.numpy as jnp

    # Masses were shares already; dividing by their sum again would change last digits.
    return eqx.tree_at(lambda s: s.mass, states, jnp.asarray(mass))
