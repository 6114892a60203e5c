"""First prompts from arrays and files."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..measures import Particles


def from_array(x, *, mass=None, normalise: bool = False) -> Particles:
    """The rows of an array as tokens; `normalise` puts them on the unit sphere."""
    mu = Particles(x, mass)
    if not normalise:
        return mu
    x = np.asarray(mu.x)
    length = np.linalg.norm(x, axis=-1, keepdims=True)
    if np.any(length == 0):
        raise ValueError(f"token {int(np.flatnonzero(length == 0)[0])} is zero and has no direction to normalise to")
    return Particles(x / length, mass)


def from_file(path, *, mass=None, normalise: bool = False) -> Particles:
    """Tokens from a `.npy` array of shape (n, d), or a `.csv` with one token per line.

    A header line of a `.csv` is skipped; a column it calls "mass" gives the masses.
    """
    path = Path(path)
    readers = {".npy": _npy, ".csv": _csv}
    if path.suffix.lower() not in readers:
        raise ValueError(f"{path}: tokens are read from {' or '.join(readers)}, not {path.suffix or 'no suffix'!r}")
    if not path.is_file():
        raise ValueError(f"{path}: no such file")
    x, column = readers[path.suffix.lower()](path)
    if x.ndim != 2:
        raise ValueError(f"{path}: tokens must have shape (n, d), got {x.shape}")
    try:
        return from_array(x, mass=column if mass is None else mass, normalise=normalise)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _npy(path):
    try:
        x = np.load(path, allow_pickle=False)
    except (ValueError, OSError, EOFError) as error:
        raise ValueError(f"{path}: not a readable .npy array ({error})") from None
    if not (np.issubdtype(x.dtype, np.number) or x.dtype == bool):
        raise ValueError(f"{path}: tokens must be numbers, got {x.dtype}")
    return x, None


def _csv(path):
    try:
        lines = [line for line in path.read_text(encoding="utf-8-sig").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: not a readable text file ({error})") from None
    if not lines:
        raise ValueError(f"{path}: the file is empty")
    header = None if _is_numbers(lines[0]) else [name.strip().strip('"') for name in lines[0].split(",")]
    if header is not None and len(lines) == 1:
        raise ValueError(f"{path}: there are no tokens below the header")
    try:
        table = np.loadtxt(lines[0 if header is None else 1 :], delimiter=",", ndmin=2)
    except ValueError as error:
        raise ValueError(f"{path}: every line must hold the same number of numbers ({error})") from None
    if header is None or "mass" not in header:
        return table, None
    place = header.index("mass")
    return np.delete(table, place, axis=1), table[:, place]


def _is_numbers(line) -> bool:
    try:
        [float(entry) for entry in line.split(",")]
    except ValueError:
        return False
    return True
