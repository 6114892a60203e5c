"""A run in motion, as GIF or MP4."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import chain, dropwhile
from pathlib import Path

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg

from ..errors import BadInput
from ..measures import Gaussian, Particles
from ..store.whole import whole
from .curves import draw_curve
from .ellipses import draw_ellipse, ellipse_box
from .energies import Energies, normalised_energies
from .scene import scene_of
from .sphere import GROUND
from .style import PALETTE, new_figure, style, styled
from .summary import describe

FORMATS = ("gif", "mp4")
MOST_FRAMES = 120
H264 = "-c:v libx264 -crf 10 -pix_fmt yuv420p"
"""Nearly without loss, in the colours that every player reads."""


@styled
def animate(
    run,
    path,
    *,
    fps: int = 20,
    trail: int = 12,
    dpi: int = 110,
    frames: int | None = None,
    log_time=None,
    groups=None,
    report: Callable[[int, int], None] | None = None,
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
    return write_film(path, _frames(run, trail, dpi, frames or MOST_FRAMES, log_time, groups, report), fps)


def write_film(path, frames: Iterator[np.ndarray], fps: int) -> Path:
    """Write pictures of height × width × 3 bytes as GIF or MP4, by the suffix of the path."""
    path = Path(path)
    kind = path.suffix.lower().lstrip(".")
    if kind not in FORMATS:
        raise BadInput(f"{path}: animations are saved as {' or '.join(FORMATS)}, not {kind or 'no suffix'!r}")
    if not path.parent.is_dir():
        raise BadInput(f"{path}: the folder {path.parent} does not exist")
    if not 1 <= fps <= 100:
        raise BadInput(f"fps must lie between 1 and 100 frames per second, got {fps}")
    write = {"gif": _gif, "mp4": _mp4}[kind]
    with whole(path) as draft:
        write(draft, frames, fps)
    return path


def film_frames(
    run, *, frames: int = MOST_FRAMES, trail: int = 12, dpi: int = 110, log_time=None
) -> Iterator[np.ndarray]:
    """The frames of a film as pictures of height × width × 3 bytes."""
    return _frames(run, trail, dpi, frames, log_time)


def _frames(run, trail, dpi, most, log_time, groups=None, report=None) -> Iterator[np.ndarray]:
    """Pictures of height × width × 3 bytes; what does not move is drawn once."""
    figure = new_figure(4.2, 4.9)
    figure.set_dpi(dpi)
    canvas = FigureCanvasAgg(figure)
    top, moving, draw, count = _painter(run, trail, figure, log_time, groups)
    chosen = film_times(run, count, most)
    with style():
        draw(0)
        canvas.draw()
        figure.set_layout_engine("none")
        ground = _ground(canvas, top, moving)
        for done, index in enumerate(chosen):
            draw(int(index))
            if report is not None:
                report(done + 1, len(chosen))
            canvas.restore_region(ground)
            for artist in (*_above_ground(top), *moving):
                artist.axes.draw_artist(artist)
            yield np.array(canvas.buffer_rgba())[..., :3]


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


def _painter(run, trail, figure, log_time, groups=None):
    """The axes redrawn for every frame, lines that grow elsewhere, what draws a saved time, and how many there are."""
    if isinstance(run.states, Gaussian):
        return _gaussian_painter(run, figure)
    scene = scene_of(run, groups=groups)
    groups = scene.gathering
    found = normalised_energies(run, groups)
    top, bottom = figure.subplots(2, 1, height_ratios=[4.2, 1])
    figure.suptitle(describe(run), fontsize=10)
    steps = not len(found.values)
    curve = Energies(groups.ts, groups.counts, groups.kind) if steps else found
    draw_curve(bottom, curve.ts, curve.values, name=curve.name, colour="#C9D2DC", steps=steps, log_time=log_time)
    if curve.is_wide:
        bottom.set_yscale("log")
    else:
        bottom.locator_params(axis="y", nbins=3)
    stroke = "steps-post" if steps else "default"
    (so_far,) = bottom.plot([], [], color=PALETTE[0], drawstyle=stroke)
    (now,) = bottom.plot([], [], "o", color=PALETTE[0], markersize=4.5, clip_on=False, zorder=5)
    now.set_in_layout(False)  # at t = 0 it is infinitely far to the left on a logarithmic axis

    def draw(index: int) -> None:
        _wipe(top)
        scene.draw(top, index, trail=trail)
        top.set_title(plain_time(scene.ts[index]), fontsize=10)
        past = curve.ts <= scene.ts[index]
        so_far.set_data(curve.ts[past], curve.values[past])
        now.set_data(curve.ts[past][-1:], curve.values[past][-1:])

    return top, (so_far, now), draw, len(scene.ts)


def plain_time(t) -> str:
    """A time without mathematics, which is slow to set in every frame."""
    return f"t = {float(t):.3g}"


def _gaussian_painter(run, figure):
    means, covs, ts = (np.asarray(a, float) for a in (run.mean, run.cov, run.ts))
    ax, box = figure.subplots(), ellipse_box(means, covs)
    figure.suptitle(describe(run), fontsize=10)

    def draw(index: int) -> None:
        _wipe(ax)
        draw_ellipse(ax, means[index], covs[index], limits=box)
        ax.set_title(plain_time(ts[index]), fontsize=10)

    return ax, (), draw, len(ts)


def _wipe(ax):
    for artist in (*ax.collections, *ax.patches, *ax.images, *ax.lines, *ax.texts):
        if artist.get_gid() != GROUND:
            artist.remove()


def _gif(path, frames, fps):
    from PIL import Image

    pictures = [Image.fromarray(frame) for frame in frames]
    # One palette for all frames: colours that flicker look like motion.
    sample = np.concatenate([np.asarray(pictures[k]) for k in np.linspace(0, len(pictures) - 1, 6).astype(int)])
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
