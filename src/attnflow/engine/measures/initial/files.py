"""First prompts from arrays and files."""

from __future__ import annotations

import numpy as np
from jax.typing import ArrayLike

from ....errors import BadInput, as_path, quoted
from ...linalg.arguments import as_annotated
from ...linalg.array_files import read_csv, read_npy
from ..particles import Particles


@as_annotated
def from_array(x, *, mass: ArrayLike | None = None, normalise: bool = False) -> Particles:
    """The rows of an array as tokens; `normalise` puts them on the unit sphere.

    >>> import attnflow as af
    >>> af.from_array([[3.0, 4.0], [0.0, 2.0]], normalise=True).x.tolist()
    [[0.6, 0.8], [0.0, 1.0]]
    """
    mu = Particles(x, mass)
    if not normalise:
        return mu
    x = np.asarray(mu.x)
    length = np.linalg.norm(x, axis=-1, keepdims=True)
    if np.any(length == 0):
        raise BadInput(f"token {int(np.flatnonzero(length == 0)[0])} is zero and has no direction to normalise to")
    return Particles(x / length, mass)


@as_annotated
def from_file(path, *, mass: ArrayLike | None = None, normalise: bool = False) -> Particles:
    """Tokens from a `.npy` array of shape (n, d), or a `.csv` with one token per line.

    A header line of a `.csv` is skipped; a column it calls "mass" gives the masses.

    >>> import attnflow as af
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "tokens.csv")
    >>> _ = file.write_text("x,y,mass\\n1,0,3\\n0,1,1\\n")
    >>> af.from_file(file).mass.tolist()
    [0.75, 0.25]
    """
    path = as_path(path)
    readers = {".npy": _npy, ".csv": _csv}
    if path.suffix.lower() not in readers:
        raise BadInput(f"{path}: tokens are read from {' or '.join(readers)}, not {quoted(path.suffix or 'no suffix')}")
    x, column = readers[path.suffix.lower()](path)
    if x.ndim != 2:
        raise BadInput(f"{path}: tokens must have shape (n, d), got {x.shape}")
    try:
        return from_array(x, mass=column if mass is None else mass, normalise=normalise)
    except ValueError as error:
        raise BadInput(f"{path}: {error}") from None


def _npy(path):
    return read_npy(path), None


def _csv(path):
    table, header = read_csv(path)
    if header is None or "mass" not in header:
        return table, None
    place = header.index("mass")
    return np.delete(table, place, axis=1), table[:, place]
