"""The process that draws beside other work; it needs no engine, so that it is soon there and small."""

from __future__ import annotations

import os
import pickle
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

import matplotlib as mpl
from matplotlib.figure import Figure

from .reel import Reel, Report, frames_of, packed, write_film
from .style import save_figure, settled


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
    """Take what is sent while something is drawn; when nothing more can come, or half of it, the first process is gone."""
    try:
        while True:
            jobs.put(pickle.load(sys.stdin.buffer))
    finally:
        os._exit(1)
