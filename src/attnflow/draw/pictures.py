"""Figures and films as jobs for a process of their own; without the engine, as all that they import."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from ..engine.files.progress import Report
from .reel import Reel, frames_of, packed, write_film
from .style import save_figure, settled


def own_settings() -> dict[Any, Any]:
    """The settings of matplotlib that a user has changed, for a process that does not know them."""
    changed = {key: value for key, value in mpl.rcParams.items() if value != mpl.rcParamsDefault[key]}
    return {key: value for key, value in changed.items() if not key.startswith("backend")}


@dataclass(frozen=True)
class Picture:
    """A figure and the files that it is saved to."""

    figure: Figure
    paths: tuple[Path, ...]
    dpi: int = 200
    settings: dict[Any, Any] = field(default_factory=own_settings)

    def make(self, report: Report) -> list[str]:
        mpl.rcParams.update(self.settings)
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
    settings: dict[Any, Any] = field(default_factory=own_settings)

    def make(self, report: Report) -> list[str]:
        """Its frames, for a page."""
        mpl.rcParams.update(self.settings)
        frames, addresses = [], []
        # Frames are packed by another thread while the next are drawn, and the film is written.
        with ThreadPoolExecutor(1) as beside:
            for frame in frames_of(self.reel, report):
                frames.append(frame)
                addresses.append(beside.submit(packed, frame))
            write_film(self.path, frames, fps=self.fps)
        return [address.result() for address in addresses]
