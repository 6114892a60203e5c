"""Finished parts of a long figure, kept on disk until all of it is drawn: an interrupted one goes on where it stopped."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ..engine.files.sealed import read_arrays, write_arrays
from ..engine.files.versions import versions


class Kept:
    """Arrays in a folder, each under the digest of all that it depends on; without a folder nothing is kept."""

    def __init__(self, folder: Path | None = None, *, inputs: bytes = b""):
        self.folder, self.inputs = folder, inputs

    def given(self, *inputs) -> Kept:
        """The same folder for parts that also depend on these numbers and arrays."""
        digest = hashlib.sha256(self.inputs + repr(sorted(versions().items())).encode())
        for value in inputs:
            digest.update(np.ascontiguousarray(value).tobytes() + b";")
        return Kept(self.folder, inputs=digest.digest())

    def part(self, name: str, make: Callable[[], np.ndarray]) -> np.ndarray:
        """What `make` gives, or what it gave when this part was made before."""
        if self.folder is None:
            return np.asarray(make())
        file = self.folder / f"{name}-{hashlib.sha256(self.inputs).hexdigest()[:16]}.npz"
        if (known := read_arrays(file, of=file.stem)) is not None:
            return known["value"]
        value = np.asarray(make())
        self.folder.mkdir(parents=True, exist_ok=True)
        write_arrays(file, {"value": value}, of=file.stem)
        return value

    @property
    def words(self) -> str:
        """What is kept, for the line of a full disk."""
        count = 0 if self.folder is None else len(list(self.folder.glob("[!.]*.npz")))
        return f"{count} parts are kept in {self.folder}, the same command goes on" if count else "nothing was kept"

    def forget(self) -> None:
        """The figure is written: drop its parts."""
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)


NOTHING_KEPT = Kept()
