"""A film as plain arrays, and how its frames are drawn and written; without the engine, so that a second process can."""

from __future__ import annotations

import base64
import io
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, dropwhile
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg

from ..engine.files.progress import Report
from ..engine.files.whole import whole
from ..errors import BadInput
from .circle import draw_circle
from .curve import draw_curve
from .ellipses import draw_ellipse
from .plane import draw_line, draw_plane
from .space import draw_space
from .sphere import GROUND, draw_sphere
from .style import PALETTE, new_figure, style
from .view import View

H264 = "-c:v libx264 -crf 10 -pix_fmt yuv420p"
"""Nearly without loss, in the colours that every player reads."""


class Drawable(Protocol):
    """What can be drawn at any of its times."""

    @property
    def ts(self) -> np.ndarray: ...

    def draw(self, ax, index: int, *, trail: int = 0) -> None: ...


@dataclass(frozen=True)
class Scene:
    """Tokens ready to be drawn at any of their saved times."""

    kind: str
    ts: np.ndarray
    x: np.ndarray
    """What is drawn: the tokens, or their shadow on the plane of the main axes."""
    mass: np.ndarray
    colours: np.ndarray
    view: View
    limits: list[Any]
    names: tuple[str, ...]
    note: str
    """What must be said of the picture; empty when it shows all there is."""

    def draw(self, ax, index: int, *, trail: int = 0) -> None:
        """The tokens at a saved time, with the way they came over the `trail` saved times before it."""
        index = range(len(self.ts))[index]
        past = self.x[max(0, index - trail) : index + 1] if trail else None
        looks: dict[str, Any] = {"mass": self.mass[index], "colours": self.colours, "trail": past}
        x, limits = self.x[index], self.limits[index]
        match self.kind:
            case "circle":
                draw_circle(ax, x, **looks)
            case "sphere":
                draw_sphere(ax, x, view=self.view, **looks)
            case "line":
                draw_line(ax, x, limits=limits, **looks)
            case "space":
                draw_space(ax, x, view=self.view, limits=limits, names=self.names, **looks)
            case _:
                draw_plane(ax, x, limits=limits, names=self.names, **looks)


@dataclass(frozen=True)
class Ellipses:
    """A Gaussian ready to be drawn at any of its saved times."""

    ts: np.ndarray
    means: np.ndarray
    covs: np.ndarray
    limits: Any

    def draw(self, ax, index: int, *, trail: int = 0) -> None:
        draw_ellipse(ax, self.means[index], self.covs[index], limits=self.limits)


@dataclass(frozen=True)
class Curve:
    """A quantity over time, below a scene."""

    ts: np.ndarray
    values: np.ndarray
    name: str
    is_wide: bool = False
    """Whether a logarithmic axis is needed."""
    steps: bool = False
    """Whether it stands still between its times."""
    log_time: bool | None = None


@dataclass(frozen=True)
class Reel:
    """A film before it is drawn."""

    title: str
    scene: Drawable
    curve: Curve | None
    at: np.ndarray
    """Saved times of its frames, as indices."""
    trail: int
    dpi: int


# ---- frames -----------------------------------------------------------------------------------------------------------


def frames_of(reel: Reel, report: Report | None = None) -> Iterator[np.ndarray]:
    """Pictures of height × width × 3 bytes; what does not move is drawn once."""
    with style():
        figure = new_figure(4.2, 4.9)
        figure.set_dpi(reel.dpi)
        canvas = FigureCanvasAgg(figure)
        top, moving, draw = _painter(reel, figure)
        draw(0)
        canvas.draw()
        figure.set_layout_engine("none")
        ground = _ground(canvas, top, moving)
        for done, index in enumerate(reel.at):
            draw(int(index))
            if report is not None:
                report(done + 1, len(reel.at))
            canvas.restore_region(ground)
            for artist in (*_above_ground(top), *moving):
                artist.axes.draw_artist(artist)
            yield np.ascontiguousarray(np.asarray(canvas.buffer_rgba())[..., :3])


def _ground(canvas, top, moving):
    """The figure without what moves or lies above it."""
    hidden = [artist for artist in (*_above_ground(top), *moving) if artist.get_visible()]
    for artist in hidden:
        artist.set_visible(False)
    canvas.draw()
    for artist in hidden:
        artist.set_visible(True)
    return canvas.copy_from_bbox(canvas.figure.bbox)


def _above_ground(ax) -> list:
    """What to draw in every frame: all of axes with a frame; of others, what moves and what lies above that."""
    if ax.axison:
        return [ax]
    artists = (*ax.collections, *ax.patches, *ax.images, *ax.lines, *ax.texts, ax.title)
    lowest_first = sorted(artists, key=lambda artist: artist.get_zorder())
    return list(dropwhile(lambda artist: artist.get_gid() == GROUND, lowest_first))


def _painter(reel: Reel, figure):
    """The axes redrawn for every frame, lines that grow elsewhere, and what draws a saved time."""
    figure.suptitle(reel.title, fontsize=10)
    scene, curve = reel.scene, reel.curve
    top, bottom = (figure.subplots(), None) if curve is None else figure.subplots(2, 1, height_ratios=[4.2, 1])
    moving, advance = ((), None) if curve is None else _growing(bottom, curve)

    def draw(index: int) -> None:
        _wipe(top)
        scene.draw(top, index, trail=reel.trail)
        # Without mathematics, which is slow to set in every frame.
        top.set_title(f"t = {float(scene.ts[index]):.3g}", fontsize=10)
        if advance is not None:
            advance(scene.ts[index])

    return top, moving, draw


def _growing(ax, curve: Curve):
    """The lines of a curve that grow with time, and what makes them."""
    looks: dict[str, Any] = {"name": curve.name, "steps": curve.steps, "log_time": curve.log_time}
    draw_curve(ax, curve.ts, curve.values, colour="#C9D2DC", **looks)
    if curve.is_wide:
        ax.set_yscale("log")
    else:
        ax.locator_params(axis="y", nbins=3)
    (so_far,) = ax.plot([], [], color=PALETTE[0], drawstyle="steps-post" if curve.steps else "default")
    (now,) = ax.plot([], [], "o", color=PALETTE[0], markersize=4.5, clip_on=False, zorder=5)
    now.set_in_layout(False)  # at t = 0 it is infinitely far to the left on a logarithmic axis

    def advance(t) -> None:
        past = curve.ts <= t
        so_far.set_data(curve.ts[past], curve.values[past])
        now.set_data(curve.ts[past][-1:], curve.values[past][-1:])

    return (so_far, now), advance


def _wipe(ax):
    for artist in (*ax.collections, *ax.patches, *ax.images, *ax.lines, *ax.texts):
        if artist.get_gid() != GROUND:
            artist.remove()


# ---- files ------------------------------------------------------------------------------------------------------------


def write_film(path: Path, frames: Iterable[np.ndarray], *, fps: int) -> Path:
    """Frames as GIF or MP4, by the suffix."""
    with whole(path) as draft:
        WRITERS[path.suffix.lower().lstrip(".")](draft, frames, fps)
    return path


def _gif(path, frames, fps):
    from PIL import Image

    pictures = [Image.fromarray(frame) for frame in frames]
    # One palette for all frames: colours that flicker look like motion.
    some = np.linspace(0, len(pictures) - 1, 6).astype(int)
    sample = np.concatenate([np.asarray(pictures[k])[::2, ::2] for k in some])
    palette = _palette(Image.fromarray(sample))
    flat = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
    pause = [round(1000 / fps)] * (len(flat) - 1) + [1500]
    flat[0].save(path, save_all=True, append_images=flat[1:], duration=pause, loop=0, optimize=False, disposal=1)


def _palette(sample):
    """The most frequent colours for smooth shades, and the most distant ones so that rare tokens keep theirs."""
    from PIL import Image

    shades = sample.quantize(colors=160, method=Image.Quantize.MEDIANCUT).getpalette()[: 3 * 160]
    accents = sample.quantize(colors=95, method=Image.Quantize.MAXCOVERAGE).getpalette()[: 3 * 95]
    palette = Image.new("P", (1, 1))
    palette.putpalette(shades + accents)
    return palette


def _mp4(path, frames, fps):
    try:
        import imageio_ffmpeg  # pyright: ignore[reportMissingImports]
    except ModuleNotFoundError:
        raise BadInput("MP4 needs the package imageio-ffmpeg: pip install 'attnflow[video]', or save a .gif") from None
    frames = iter(frames)
    first = next(frames)
    # Video codecs want even sizes.
    height, width = (size - size % 2 for size in first.shape[:2])
    # Not by imageio_ffmpeg.write_frames, which forks beside the threads of JAX.
    raw = f"-f rawvideo -pix_fmt rgb24 -s {width}x{height} -r {fps} -i -"
    command = [imageio_ffmpeg.get_ffmpeg_exe(), *f"-y -v error {raw} -an {H264}".split(), str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as writer:
        with suppress(BrokenPipeError):
            for frame in chain([first], frames):
                writer.stdin.write(np.ascontiguousarray(frame[:height, :width]).tobytes())  # pyright: ignore[reportOptionalMemberAccess]
        said = writer.communicate()[1].decode(errors="replace").strip()
    if writer.returncode:
        raise OSError(f"{path}: the video could not be written; ffmpeg says: {said[:120]}")


def packed(picture: np.ndarray) -> str:
    """A picture as an address that holds its data."""
    from PIL import Image

    data = io.BytesIO()
    Image.fromarray(picture).save(data, "WEBP", quality=82, method=0)  # the usual 4 takes three times as long
    return f"data:image/webp;base64,{base64.b64encode(data.getvalue()).decode()}"


WRITERS = {"gif": _gif, "mp4": _mp4}
