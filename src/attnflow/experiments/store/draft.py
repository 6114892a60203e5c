"""Result folders that appear only when complete, and the checkpoints of a run on the way to them."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
from pathlib import Path

import numpy as np

from ...engine.files.sealed import read_arrays, write_arrays
from ...engine.files.versions import versions
from ...engine.files.whole import check_folder, draft_of, reason, told_where
from ...errors import BadInput, Notice, is_memory
from .dataset import file_digests, find_result
from .exchange import put_in_place, repair

FILES = (
    "result.zarr", "scenario.toml", "figure.png", "figure.pdf", "figure.svg", "figure.pgf", "animation.gif",
    "report.md", "report.html", "report.json", "explorer.html",
)  # fmt: skip
"""All that a run may leave in its folder."""

CLAIM = "attnflow"
"""The first word of the mark that makes a working folder ours."""


class Draft:
    """A hidden folder beside the final one, in which a run works until all is done.

    `with Draft(out, mark=…) as draft:` keeps other runs out; a run killed inside leaves its checkpoints to the next.
    """

    def __init__(self, out: str | Path, *, mark: str, replace: bool = False, fresh: bool = False):
        self.out, self.mark, self.fresh, self.replace = resolved(out), f"{CLAIM} {mark}", fresh, replace
        self.work = self.out.with_name(f".{self.out.name}.attnflow-partial")
        self.path = self.work / "folder"
        repair(self.out, is_ours=_is_ours)
        check_free(self.out, replace)
        self.was_there = self.out.exists()

    def __enter__(self) -> Draft:
        self._make()
        self._lock = self._open_lock()
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadInput(f"{self.out}: another run is writing there now") from None
        try:
            self._claim()
        except OSError as error:
            self.__exit__(type(error), error, None)
        return self

    def __exit__(self, kind, error, trace) -> None:
        self._lock.close()
        # An error is not a kill: what it left cannot be finished by running again.
        is_stopped = kind is not None and not issubclass(kind, KeyboardInterrupt)
        if is_stopped and not self.chunks and not (self.path / "result.zarr").exists():
            shutil.rmtree(self.work, ignore_errors=True)
        if isinstance(error, OSError) or is_memory(error):
            raise BadInput(f"{reason(error)}, writing {self.out}; {self._kept}") from None

    @property
    def _kept(self) -> str:
        count = self.chunks
        return f"checkpoints kept in {self.work}: {count}; the same command goes on" if count else "nothing was kept"

    def _make(self) -> None:
        """Our working folder; a folder or link of that name that we did not make is left alone."""
        if os.path.lexists(self.work):
            if self.work.is_symlink() or not _is_marked(self.work):
                raise BadInput(f"{self.work} is in the way and was not made by attnflow; choose another --out")
            return
        # It appears with its mark: a kill between the two would leave a folder that nobody owns.
        with told_where(self.out):
            self.work.parent.mkdir(parents=True, exist_ok=True)
            new = draft_of(self.work)
            new.mkdir()
            (new / "mark").write_text(CLAIM, encoding="utf-8")
            new.rename(self.work)

    def _open_lock(self):
        lock = self.work / "lock"
        if os.path.lexists(lock) and not _is_plain(lock):
            _remove(lock)
        return lock.open("w")

    def _claim(self) -> None:
        """Go on from checkpoints of the same run; refuse those of another; forget them when a fresh start is asked."""
        marker = self.work / "mark"
        known = marker.read_text(encoding="utf-8", errors="replace")
        if self.fresh or known == CLAIM:
            for file in self.work.glob("part*.npz*"):
                _remove(file)
            marker.write_text(self.mark, encoding="utf-8")
        elif known != self.mark:
            self._lock.close()
            raise BadInput(
                f"{self.out}: an unfinished run with another {_difference(known, self.mark)} is kept there; "
                "give --fresh to discard it, or another --out"
            )
        shutil.rmtree(self.path, ignore_errors=True)
        self.path.mkdir()

    @property
    def chunks(self) -> int:
        """Checkpoints a former run left."""
        return len(list(self.work.glob("part*.npz")))

    def get(self, index: int, mu):
        """The chunk of that index, if it was finished and is whole; a damaged one is computed again."""
        from ...engine.evolution.chunks import restored

        file = self._checkpoint(index)
        if not os.path.lexists(file):
            return None
        part = read_arrays(file, of=f"{self.mark} {index}")
        if part is None:
            warn(f"checkpoint {index} is damaged and computed again")
            _remove(file)
            return None
        return restored(part, mu)

    def put(self, index: int, run) -> None:
        from ...engine.evolution.chunks import packed

        write_arrays(self._checkpoint(index), packed(run), of=f"{self.mark} {index}")

    def _checkpoint(self, index: int) -> Path:
        return self.work / f"part{index}.npz"

    def finish(self) -> None:
        """Put the folder in its place and drop the scaffolding."""
        if self.out.exists() and not self.was_there and (not self.out.is_dir() or any(self.out.iterdir())):
            raise BadInput(f"{self.out} appeared during the run and is left alone; the result is in {self.path}")
        if self.was_there:
            check_free(self.out, self.replace)
        put_in_place(self.path, self.out)
        shutil.rmtree(self.work, ignore_errors=True)


def _is_marked(work: Path) -> bool:
    """Whether a working folder has a mark of ours; one that is damaged still begins like one."""
    try:
        return (work / "mark").is_file() and (work / "mark").read_bytes().startswith(CLAIM.encode())
    except OSError:
        return False


def _is_plain(file: Path) -> bool:
    """Whether it is a file that opens at once: a pipe would wait for ever."""
    return file.is_file() and not file.is_symlink()


def _remove(entry: Path) -> None:
    shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()


def warn(words: str) -> None:
    import warnings

    warnings.warn(words, Notice, stacklevel=3)


def resolved(out: str | Path) -> Path:
    """The folder a path means, links followed."""
    try:
        return Path(out).resolve()
    except (OSError, RuntimeError) as error:
        raise BadInput(f"{out}: {getattr(error, 'strerror', None) or 'a loop of links'}") from None


def check_free(out: Path, replace: bool) -> None:
    """Refuse to touch what is there, unless asked to, and then only a result of ours."""
    out = resolved(out)
    check_folder(out)
    if not out.exists():
        return
    inside, foreign = list(out.iterdir()), _foreign(out)
    if foreign is not None:
        raise BadInput(f"{out} holds {foreign.relative_to(out)}, which no run wrote; choose another --out")
    if out == Path.cwd() or out in Path.cwd().parents:
        raise BadInput(f"{out} is the folder this command is started in; choose another --out")
    if inside and not replace:
        raise BadInput(f"{out} holds a result already; give --replace to overwrite it, or another --out")
    if inside and not _is_result(out):
        raise BadInput(f"{out} holds no result of attnflow, so it is not replaced; choose another --out")


def _foreign(out: Path) -> Path | None:
    """The first thing in a folder that no run writes, also inside the data set."""
    for entry in sorted(out.iterdir()):
        if entry.name not in FILES or (entry.is_dir() and (entry.is_symlink() or entry.suffix != ".zarr")):
            return entry
    for entry in sorted((out / "result.zarr").rglob("*")):
        # Metadata, chunks by their numbers, and folders of both.
        if not entry.is_dir() and entry.name not in ("zarr.json", "c") and not entry.name.isdigit():
            return entry
    return None


def _is_ours(out: Path) -> bool:
    return _is_result(out) and _foreign(out) is None


def _is_result(out: Path) -> bool:
    """Whether attnflow made it: a user's own data set may be called result.zarr too."""
    try:
        kept = json.loads((find_result(out) / "zarr.json").read_text(encoding="utf-8"))["attributes"]
        return "schema" in kept and "attnflow" in json.loads(kept["versions"])
    except (BadInput, OSError, ValueError, LookupError, TypeError, RecursionError):
        return False


def mark_of(scenario, mu) -> str:
    """What must be equal for a run to be continued, each by its name: scenario, versions, files it reads, first prompt."""
    import jax

    from ..scenario import dumps

    told = {"scenario": dumps(scenario).encode(), "version": repr(sorted(versions().items())).encode()}
    told["first prompt"] = b"".join(np.asarray(leaf).tobytes() for leaf in jax.tree.leaves(mu))
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in told.items()}
    return json.dumps(digests | file_digests(scenario))


def _difference(known: str, mark: str) -> str:
    """The first thing that two marks tell differently."""
    try:
        theirs, mine = (json.loads(words.removeprefix(CLAIM)) for words in (known, mark))
        # A file that changed often changes the prompt as well, and tells more.
        names = sorted(theirs | mine, key=lambda name: (name != "scenario", name != "version", name == "first prompt"))
        return next(name for name in names if theirs.get(name) != mine.get(name))
    except (ValueError, TypeError, AttributeError, RecursionError):
        return "scenario or version"
