"""Painter: a process of its own for pictures, which gets ready and draws while other work goes on."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .beside import Film, Picture
    from .reel import Report

START = "import sys; sys.path[:] = {path!r}; from attnflow.draw.beside import work; work()"


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
        import matplotlib as mpl  # not before there is something to draw

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
        except (EOFError, pickle.UnpicklingError):  # nothing more, or half of it
            raise self._ended() from None

    def _ended(self) -> Exception:
        return RuntimeError(f"the process that draws ended with code {self._child.wait()}")
