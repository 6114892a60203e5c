"""Pictures drawn beside other work, by a second process; it needs no engine, so that it is soon there and small."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from .reel import Reel, Report, frames_of, packed, write_film
from .style import save_figure, settled

START = "import sys; sys.path[:] = {path!r}; from attnflow.draw.beside import work; work()"


@dataclass(frozen=True)
class Picture:
    """A figure and the files that it is saved to."""

    figure: Figure
    paths: tuple[Path, ...]
    dpi: int = 200

    def draw(self, report: Report) -> list[str]:
        figure = settled(self.figure)
        for path in self.paths:
            save_figure(figure, path, dpi=self.dpi)
        return []


@dataclass(frozen=True)
class Film:
    """A film and the file that it is saved to."""

    reel: Reel
    path: Path
    fps: int = 20

    def draw(self, report: Report) -> list[str]:
        """Its frames, for a page."""
        frames = list(frames_of(self.reel, report))
        write_film(self.path, frames, fps=self.fps)
        return packed(frames)


class Painter:
    """`with Painter() as painter:` a process that draws what it is given; leaving the block ends it, whatever it does."""

    def __enter__(self) -> Painter:
        words = [sys.executable, "-W", "ignore", "-c", START.format(path=sys.path)]
        # In a group of its own, where no Ctrl-C reaches it: what that means is decided here.
        self._child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, process_group=0)
        self._begun = 0
        return self

    def __exit__(self, *error) -> None:
        self._child.kill()
        self._child.communicate()

    def begin(self, picture: Picture | Film) -> None:
        """Hand a picture over."""
        assert self._child.stdin is not None
        changed = {key: value for key, value in mpl.rcParams.items() if value != mpl.rcParamsDefault[key]}
        settings = {key: value for key, value in changed.items() if not key.startswith("backend")}
        try:
            pickle.dump((picture, settings), self._child.stdin, protocol=5)
            self._child.stdin.flush()
        except BrokenPipeError:
            raise self._ended() from None
        self._begun += 1

    def finish(self, report: Report) -> list[str]:
        """Wait until all is drawn; the frames of films. What went wrong there is raised here."""
        frames: list[str] = []
        while self._begun:
            said = self._heard()
            if isinstance(said, Exception):
                raise said
            if isinstance(said, tuple):
                report(*said)
            else:
                self._begun, frames = self._begun - 1, frames + said
        return frames

    def _heard(self) -> Any:
        assert self._child.stdout is not None
        try:
            return pickle.load(self._child.stdout)
        except EOFError:
            raise self._ended() from None

    def _ended(self) -> Exception:
        return RuntimeError(f"the process that draws ended with code {self._child.wait()}")


def work() -> None:
    """The life of the second process, which ends with the first."""
    say, jobs = sys.stdout.buffer, SimpleQueue()
    sys.stdout = sys.stderr
    threading.Thread(target=_listen, args=(jobs,), daemon=True).start()

    def send(what) -> None:
        pickle.dump(what, say, protocol=5)
        say.flush()

    while True:
        picture, settings = jobs.get()
        mpl.rcParams.update(settings)
        try:
            send(picture.draw(lambda done, total: send((done, total))))
        except Exception as error:
            send(error)


def _listen(jobs: SimpleQueue) -> None:
    """Take what is sent while something is drawn; when nothing more can come, the first process is gone."""
    with suppress(EOFError):
        while True:
            jobs.put(pickle.load(sys.stdin.buffer))
    os._exit(1)
