"""Pictures drawn beside other work, by a second process; it needs no engine, so that it is soon there and small."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from .reel import Reel, Report, frames_of, packed, write_film
from .style import save_figure, settled

START = "import sys; sys.path[:] = {path!r}; from attnflow.draw.beside import work; work()"


@dataclass(frozen=True)
class Pictures:
    """What is to be drawn, and into which files."""

    figure: Figure | None = None
    figures: tuple[Path, ...] = ()
    reel: Reel | None = None
    film: Path = Path()

    def draw(self, report: Report) -> list[str]:
        """Draw all of them; the frames of the film, for a page."""
        if self.figure is not None:
            picture = settled(self.figure)
            for path in self.figures:
                save_figure(picture, path, dpi=200)
        if self.reel is None:
            return []
        frames = list(frames_of(self.reel, report))
        write_film(self.film, frames, fps=20)
        return packed(frames)


class Painter:
    """`with Painter() as painter:` a process that waits for pictures; leaving the block ends it, whatever it does."""

    def __enter__(self) -> Painter:
        words = [sys.executable, "-W", "ignore", "-c", START.format(path=sys.path)]
        # In a group of its own, where no Ctrl-C reaches it: what that means is decided here.
        self._child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, process_group=0)
        return self

    def __exit__(self, *error) -> None:
        self._child.kill()
        self._child.communicate()

    def begin(self, pictures: Pictures) -> None:
        """Hand the pictures over."""
        changed = {key: value for key, value in mpl.rcParams.items() if value != mpl.rcParamsDefault[key]}
        self._send((pictures, {key: value for key, value in changed.items() if not key.startswith("backend")}))

    def _send(self, what) -> None:
        assert self._child.stdin is not None
        try:
            pickle.dump(what, self._child.stdin, protocol=5)
            self._child.stdin.flush()
        except BrokenPipeError:
            raise self._ended() from None

    def finish(self, report: Report) -> list[str]:
        """Wait until all is drawn; the frames of the film. What went wrong there is raised here."""
        while not isinstance(said := self._heard(), list):
            if isinstance(said, Exception):
                raise said
            report(*said)
        return said

    def _heard(self) -> Any:
        assert self._child.stdout is not None
        try:
            return pickle.load(self._child.stdout)
        except EOFError:
            raise self._ended() from None

    def _ended(self) -> Exception:
        return RuntimeError(f"the process that draws ended with code {self._child.wait()}")


def work() -> None:
    """The life of the second process. When the first is gone its pipes are closed, and this one ends too."""
    say = sys.stdout.buffer
    sys.stdout = sys.stderr

    def send(what) -> None:
        pickle.dump(what, say, protocol=5)
        say.flush()

    try:
        pictures, settings = pickle.load(sys.stdin.buffer)
        mpl.rcParams.update(settings)
        send(pictures.draw(lambda done, total: send((done, total))))
    except (EOFError, BrokenPipeError):
        os._exit(1)  # else Python would try again, and complain, to send what nobody hears
    except Exception as error:
        send(error)
