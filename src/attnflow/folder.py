"""A result folder that appears only when it is complete, and the checkpoints of a run on the way to it."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np

from .store import swap, versions

FILES = (
    "result.zarr", "scenario.toml", "figure.png", "figure.pdf", "figure.svg", "animation.gif",
    "report.md", "report.html",
)  # fmt: skip
"""All that a run may leave in its folder; only folders of such files are ever replaced."""


class Draft:
    """A hidden folder beside the final one, in which a run works until all is done.

    `with Draft(out, mark=…) as draft:` keeps other runs out; a run killed inside leaves its checkpoints to the next.
    """

    def __init__(self, out: str | Path, *, mark: str, replace: bool = False, fresh: bool = False):
        self.out, self.mark, self.fresh = Path(out), mark, fresh
        self.work = self.out.absolute().with_name(f".{self.out.absolute().name}.partial")
        self.path = self.work / "folder"
        check_free(self.out, replace)

    def __enter__(self) -> Draft:
        self._make()
        self._lock = (self.work / "lock").open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ValueError(f"{self.out}: another run is writing there now") from None
        self._claim()
        return self

    def __exit__(self, kind, error, trace) -> None:
        self._lock.close()
        # An error is not a kill: what it left cannot be finished by running again.
        if kind is not None and not issubclass(kind, KeyboardInterrupt) and not (self.work / "part0.npz").exists():
            shutil.rmtree(self.work, ignore_errors=True)

    def _make(self) -> None:
        try:
            self.work.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ValueError(f"{self.out}: cannot write there: {error.strerror}") from None

    def _claim(self) -> None:
        """Go on from checkpoints of the same run; refuse those of another; forget them when a fresh start is asked."""
        marker = self.work / "mark"
        if self.fresh or not marker.exists():
            for file in self.work.glob("part*.npz*"):
                file.unlink()
            marker.write_text(self.mark)
        elif marker.read_text() != self.mark:
            self._lock.close()
            raise ValueError(
                f"{self.out}: an unfinished run of another scenario or version is kept there; "
                "give --fresh to discard it, or another --out"
            )
        shutil.rmtree(self.path, ignore_errors=True)
        self.path.mkdir()

    @property
    def chunks(self) -> int:
        """Checkpoints a former run left."""
        return len(list(self.work.glob("part*.npz")))

    def get(self, index: int, mu):
        """The chunk of that index, if it was finished."""
        from .evolution.chunks import restored

        file = self.work / f"part{index}.npz"
        if not file.exists():
            return None
        with np.load(file, allow_pickle=False) as part:
            return restored(dict(part), mu)

    def put(self, index: int, run) -> None:
        from .evolution.chunks import packed

        arrays: dict[str, Any] = packed(run)
        draft = self.work / f"part{index}.npz.draft"
        with draft.open("wb") as file:
            np.savez(file, **arrays)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, self.work / f"part{index}.npz")

    def finish(self) -> None:
        """Put the folder in its place and drop the scaffolding."""
        swap(self.path, self.out.absolute())
        shutil.rmtree(self.work, ignore_errors=True)


def check_free(out: Path, replace: bool) -> None:
    """Refuse to touch what is there, unless asked to, and then only what a run wrote."""
    if not out.exists():
        return
    if not out.is_dir():
        raise ValueError(f"{out} exists and is not a folder; choose another --out")
    inside = [entry.name for entry in out.iterdir()]
    foreign = [name for name in inside if name not in FILES]
    if foreign:
        raise ValueError(f"{out} holds {foreign[0]}, which no run wrote; choose another --out")
    if inside and not replace:
        raise ValueError(f"{out} holds a result already; give --replace to overwrite it, or another --out")


def mark_of(scenario, mu) -> str:
    """What must be equal for a run to be continued: scenario, first prompt, versions."""
    import jax

    from .scenario import dumps

    digest = hashlib.sha256(dumps(scenario).encode())
    digest.update(repr(sorted(versions().items())).encode())
    for leaf in jax.tree.leaves(mu):
        digest.update(np.asarray(leaf).tobytes())
    return digest.hexdigest()
