"""Dropped files: tokens (n, d), or states of several layers (layers, n, d), in .npy, .npz or .csv."""

from __future__ import annotations

import io
import zipfile

import jax.numpy as jnp
import numpy as np

from ...engine.evolution.trajectory import Status, Stride, Trajectory
from ...engine.measures import Particles
from ...errors import BadInput
from .bounds import MOST_TOKENS, MOST_UPLOAD

MOST_INLINE = 300_000
"""Numbers of a dropped prompt: it becomes part of the scenario, which is text."""


def read_upload(name: str, data: bytes) -> np.ndarray | Trajectory:
    """An array of tokens, or a recorded run."""
    if len(data) > MOST_UPLOAD:
        raise BadInput(f"the file has {len(data) / 2**20:.0f} MB; at most {MOST_UPLOAD / 2**20:.0f} MB are read")
    kind = name.rsplit(".", 1)[-1].lower()
    readers = {"npy": _npy, "npz": _npz, "csv": _csv}
    if kind not in readers:
        raise BadInput("drop a .npy, .npz or .csv file of tokens, or a scenario in TOML")
    array = readers[kind](data)
    if array.size == 0 or not np.isfinite(array).all():
        raise BadInput("the array is empty, or holds numbers that are not finite")
    if array.ndim == 2:
        if array.size > MOST_INLINE:
            raise BadInput(f"{array.size:,} numbers are more than the {MOST_INLINE:,} a dropped prompt may have")
        return array
    if array.ndim == 3:
        return _recorded(array)
    raise BadInput(f"tokens have shape (n, d), states of layers (layers, n, d); this array has {array.shape}")


def _numbers(array: np.ndarray) -> np.ndarray:
    if not (np.issubdtype(array.dtype, np.integer) or np.issubdtype(array.dtype, np.floating)):
        raise BadInput(f"the array must hold real numbers, got {array.dtype}")
    return np.asarray(array, np.float64)


def _npy(data: bytes) -> np.ndarray:
    try:
        return _numbers(np.load(io.BytesIO(data), allow_pickle=False))
    except BadInput:
        raise
    except Exception as error:  # NumPy raises many kinds for what is no array
        raise BadInput(f"not a readable .npy array ({' '.join(str(error).split())[:80]})") from None


def _npz(data: bytes) -> np.ndarray:
    """The first array of the archive with two or three axes; sizes are looked at before anything is unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [m for m in archive.infolist() if m.filename.endswith(".npy")]
            if sum(member.file_size for member in members) > MOST_UPLOAD:
                raise BadInput(f"unpacked, the archive has more than {MOST_UPLOAD / 2**20:.0f} MB")
            found = [_npy(archive.read(member)) for member in members]
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError) as error:
        raise BadInput(f"not a readable .npz archive ({str(error)[:80]})") from None
    fitting = [array for array in found if array.ndim in (2, 3)]
    if not fitting:
        raise BadInput("the archive holds no array of tokens (n, d) or states (layers, n, d)")
    return fitting[0]


def _csv(data: bytes) -> np.ndarray:
    try:
        lines = [line for line in data.decode("utf-8-sig").splitlines() if line.strip()]
        skip = 0 if lines and _is_row(lines[0]) else 1
        return np.loadtxt(lines[skip:], delimiter=",", ndmin=2) if len(lines) > skip else np.empty((0, 0))
    except (UnicodeDecodeError, ValueError) as error:
        raise BadInput(f"not a table of numbers ({' '.join(str(error).split())[:80]})") from None


def _is_row(line: str) -> bool:
    try:
        return all(np.isfinite(float(entry)) for entry in line.split(","))
    except ValueError:
        return False


def _recorded(x: np.ndarray) -> Trajectory:
    """States of layers as a run without a flow, one unit of time per layer."""
    layers, n, _ = x.shape
    if n > MOST_TOKENS:
        raise BadInput(f"{n:,} tokens are more than the {MOST_TOKENS:,} that are played")
    states = Particles(x)
    return Trajectory(
        ts=jnp.arange(float(layers)), states=states, flow=None, status=Status.of("DONE", layers - 1.0),
        steps=jnp.asarray(layers - 1), rejected=jnp.asarray(0), stride=Stride("recorded", 1.0),
    )  # fmt: skip
