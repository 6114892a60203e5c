"""A run in motion, as GIF or MP4."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..engine.evolution.trajectory import Trajectory
from ..engine.files.progress import Report
from ..engine.linalg.arguments import as_annotated, inside
from ..engine.measures import Gaussian, Particles
from ..errors import BadInput, quoted
from ..theory.limits.gathering import Gathering
from .crowd import sample_gathering
from .ellipses import ellipse_box
from .energies import Energies, normalised_energies
from .player import player, script
from .reel import WRITERS, Curve, Ellipses, Reel, frames_of, packed, write_film
from .scene import scene_of
from .summary import describe

LEAST_DPI = 10
"""Letters of fewer dots cannot be drawn."""
MOST_FRAMES = 120


@as_annotated
def animate(
    run,
    path: str | Path,
    *,
    fps: int = 20,
    trail: int = 12,
    dpi: int = 110,
    frames: int | None = None,
    log_time: bool | None = None,
    groups: Gathering | None = None,
    report: Report | None = None,
) -> Path:
    """Write the motion of the tokens, at most 120 frames or `frames`, above the energy so far.

    Frames follow the way that tokens go as much as time, so that long waits are short. `.gif` needs nothing more; `.mp4`
    needs the optional package imageio-ffmpeg. `report(done, total)` is called after every frame.

    >>> import attnflow as af
    >>> flow, mu = af.Flow(af.Sphere(), af.Softmax(beta=4.0)), af.uniform_sphere(8, 3, seed=0)
    >>> run = af.evolve(flow, mu, until=20.0)
    >>> import pathlib, tempfile
    >>> af.animate(run, pathlib.Path(tempfile.mkdtemp(), "run.gif"), frames=2).name
    'run.gif'
    """
    path = film_path(path, fps)
    reel = reel_of(run, frames=frames or MOST_FRAMES, trail=trail, dpi=dpi, log_time=log_time, groups=groups)
    return write_film(path, frames_of(reel, report), fps=fps)


def film_path(path, fps: int) -> Path:
    """Where a film is written, if it can be."""
    path = Path(path)
    kind = path.suffix.lower().lstrip(".")
    if kind not in WRITERS:
        raise BadInput(f"{path}: animations are saved as {' or '.join(WRITERS)}, not {quoted(kind or 'no suffix')}")
    if not path.parent.is_dir():
        raise BadInput(f"{path}: the folder {path.parent} does not exist")
    if not 1 <= fps <= 100:
        raise BadInput(f"fps must lie between 1 and 100 frames per second, got {fps}")
    return path


def film_frames(
    run, *, frames: int = MOST_FRAMES, trail: int = 12, dpi: int = 110, log_time=None
) -> Iterator[np.ndarray]:
    """The frames of a film as pictures of height × width × 3 bytes."""
    return frames_of(reel_of(run, frames=frames, trail=trail, dpi=dpi, log_time=log_time))


def reel_of(
    run,
    *,
    frames: int = MOST_FRAMES,
    trail: int = 12,
    dpi: int = 110,
    log_time: bool | None = None,
    groups: Gathering | None = None,
    energies: Energies | None = None,
) -> Reel:
    """All that the film of a run shows; the groups and energies of a run are looked for unless they are given."""
    if not isinstance(run, Trajectory):
        raise BadInput(f"a film is of a Trajectory, got {type(run).__name__}")
    inside(dpi, "dpi", least=LEAST_DPI)
    if isinstance(run.states, Gaussian):
        ts, means, covs = (np.asarray(a, float) for a in (run.ts, run.mean, run.cov))
        scene, curve = Ellipses(ts, means, covs, ellipse_box(means, covs)), None
    else:
        groups = sample_gathering(run) if groups is None else groups
        found = normalised_energies(run, groups) if energies is None else energies
        scene, curve = scene_of(run, groups=groups), _curve(found, groups, log_time)
    return Reel(describe(run), scene, curve, film_times(run, len(scene.ts), frames), trail, dpi)


def _curve(found: Energies, groups: Gathering, log_time) -> Curve:
    """The energy, or the number of groups where there is none."""
    steps = not len(found.values)
    shown = Energies(groups.ts, groups.counts, groups.kind) if steps else found
    return Curve(shown.ts, shown.values, shown.name, is_wide=shown.is_wide, steps=steps, log_time=log_time)


def film_times(run, count: int, most: int) -> np.ndarray:
    """Saved times of the frames: evenly in the mean of the share of times and the share of the way gone."""
    if count <= most or not isinstance(run.states, Particles):
        return np.unique(np.linspace(0, count - 1, min(count, most)).astype(int))
    x = np.asarray(run.states.x[:count, :: max(1, run.states.n // 256)], float)
    steps = np.sqrt(np.mean(np.sum(np.diff(x, axis=0) ** 2, axis=-1), axis=-1))
    way = np.concatenate([[0.0], np.cumsum(np.nan_to_num(steps, posinf=0.0))])
    share = np.linspace(0, 1, count)
    clock = (share + way / way[-1]) / 2 if way[-1] > 0 else share
    return np.unique(np.searchsorted(clock, np.linspace(0, 1, most) * clock[-1]).clip(0, count - 1))


class Film:
    """The motion of a run, to be shown in a notebook; `html` is the player itself."""

    def __init__(self, frames: list[str], caption: str = ""):
        self.frames, self.caption = frames, caption

    @property
    def html(self) -> str:
        return player(self.frames, self.caption)

    def _repr_html_(self) -> str:
        return f"{self.html}<script>\n{script()}</script>"

    def __repr__(self) -> str:
        return f"Film({len(self.frames)} frames; shown in a notebook)"


@as_annotated
def film(run: Trajectory, *, frames: int = 90, trail: int = 12, dpi: int = 100, log_time: bool | None = None) -> Film:
    """The tokens in motion with a slider, for notebooks: frames are kept inside, no file is written.

    >>> import attnflow as af
    >>> flow, mu = af.Flow(af.Sphere(), af.Softmax(beta=4.0)), af.uniform_sphere(8, 3, seed=0)
    >>> run = af.evolve(flow, mu, until=20.0)
    >>> len(af.film(run, frames=2)._repr_html_()) > 1000
    True
    """
    pictures = film_frames(run, frames=frames, trail=trail, dpi=dpi, log_time=log_time)
    return Film([packed(picture) for picture in pictures])
