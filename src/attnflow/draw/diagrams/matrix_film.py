"""Film of the attention matrix: rows and columns ordered by the leader that tokens end with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import PowerNorm

from ...engine.flow import attention_matrix
from ...engine.measures import Particles
from ...errors import BadInput
from ..movie import film_path, film_times
from ..reel import write_film
from ..style import SEQUENTIAL, new_figure, style
from .leaders import leaders_of

MOST_ROWS = 256
"""Beyond this many tokens blocks of neighbours are averaged: a film shows no more."""


def animate_matrix(
    run, path, *, fps: int = 20, frames: int = 90, dpi: int = 110, report: Callable[[int, int], None] | None = None
) -> Path:
    """Write the attention matrix over time as GIF or MP4: row i shows to whom token i listens.

    Tokens are ordered by the token that they listen to most at the end, so that clusters stand out as blocks; several
    heads are averaged, and the colours are the same in all frames.
    """
    if not isinstance(run.states, Particles) or run.flow is None or run.x.ndim != 3:
        raise BadInput("the film of an attention matrix is of one run of tokens that knows its flow")
    return write_film(film_path(path, fps), _frames(run, frames, dpi, report), fps=fps)


def matrices(run, order, times) -> Iterator[np.ndarray]:
    """The attention matrix at saved times in that order of tokens, the average of heads, in at most 256 rows."""
    for index in times:
        P = np.asarray(attention_matrix(run.flow, run.at(int(index)), t=float(run.ts[index])), float)
        yield _averaged(P.reshape(-1, *P.shape[-2:]).mean(axis=0)[np.ix_(order, order)])


def _averaged(P: np.ndarray) -> np.ndarray:
    """What a listener in a block hears of all in another: columns are added, rows averaged."""
    starts = np.unique(np.linspace(0, len(P), MOST_ROWS, endpoint=False).astype(int))
    rows = np.add.reduceat(P, starts, axis=0) / np.diff(np.append(starts, len(P)))[:, None]
    return np.add.reduceat(rows, starts, axis=1)


def _frames(run, most: int, dpi: int, report) -> Iterator[np.ndarray]:
    times = film_times(run, len(run.ts), most)
    pictures = list(matrices(run, np.argsort(leaders_of(run), kind="stable"), times))
    figure = new_figure(4.2, 4.0)
    figure.set_dpi(dpi)
    canvas = FigureCanvasAgg(figure)
    with style():
        ax = figure.subplots()
        # Roots of weights: those of a large cluster are small, and the colour bar tells them.
        image = ax.imshow(pictures[0], cmap=SEQUENTIAL, norm=PowerNorm(0.5, 0, max(P.max() for P in pictures)))
        ax.set(xlabel="heard token, by leader", ylabel="listener, by leader", xticks=[], yticks=[])
        figure.colorbar(image, ax=ax, label="weight", shrink=0.8)
        for done, (index, P) in enumerate(zip(times, pictures)):
            image.set_data(P)
            ax.set_title(f"t = {float(run.ts[index]):.3g}")
            canvas.draw()
            if report is not None:
                report(done + 1, len(times))
            yield np.array(canvas.buffer_rgba())[..., :3]
