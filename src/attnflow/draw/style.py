"""One look for every picture: Okabe–Ito colours, quiet axes, vector fonts."""

from __future__ import annotations

import functools
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from cycler import cycler
from matplotlib.backend_bases import get_registered_canvas_class
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from ..engine.files.whole import whole
from ..errors import BadInput, as_path, quoted

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442")
"""Okabe–Ito, told apart with every common colour blindness; black is kept for text, yellow comes last."""

INK, SLATE, MIST, PAPER = "#1F2933", "#66727F", "#D9DFE6", "#FFFFFF"
"""Text, frames, faint lines, background."""

GREY = "#9AA5B1"
"""Tokens of no cluster that has a colour of its own."""

SEQUENTIAL, DIVERGING = "cividis", "RdBu_r"

FORMATS = ("pdf", "pgf", "png", "svg")

WIDTHS = {"single": 3.35, "double": 6.9}
"""Inches of one and two columns of a page."""

TALK: dict[Any, Any] = {
    "font.size": 14, "axes.titlesize": 14.5, "axes.labelsize": 14, "xtick.labelsize": 12, "ytick.labelsize": 12,
    "legend.fontsize": 12, "lines.linewidth": 2.4, "axes.linewidth": 1.0, "xtick.major.width": 1.0, "ytick.major.width": 1.0,
}  # fmt: skip
"""What a talk changes: seen from afar."""

RC: dict[Any, Any] = {
    "font.family": "STIXGeneral",
    "mathtext.fontset": "stix",
    "font.size": 10,
    "axes.titlesize": 10.5,
    "axes.labelsize": 10,
    "axes.titlepad": 5,
    "axes.edgecolor": SLATE,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.prop_cycle": cycler(color=PALETTE),
    "axes.formatter.use_mathtext": True,
    "text.color": INK,
    "xtick.color": SLATE,
    "ytick.color": SLATE,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "xtick.major.width": 0.7,
    "ytick.major.width": 0.7,
    "xtick.major.size": 3,
    "ytick.major.size": 3,
    "xtick.minor.size": 1.6,
    "ytick.minor.size": 1.6,
    "grid.color": MIST,
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.6,
    "lines.solid_capstyle": "round",
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "image.cmap": SEQUENTIAL,
    "figure.facecolor": PAPER,
    "figure.dpi": 150,
    "savefig.dpi": 300,
    "pdf.fonttype": 42,
    "svg.fonttype": "path",
    "svg.hashsalt": "attnflow",
}


_OVER: list[dict[Any, Any]] = []
"""Looks chosen by `chosen_look`, the innermost last."""
_INSIDE: list[list[dict[Any, Any]]] = []
"""The looks in force within each `style` that is open."""


@contextmanager
def style():
    """Everything drawn inside has the look of this package, but for settings a user has changed; outside is untouched."""
    if _INSIDE and _INSIDE[-1] == _OVER:
        yield  # changing settings takes longer than many a drawing
        return
    own = {key: value for key, value in RC.items() if _is_default(key)}
    over = {key: value for look in _OVER for key, value in look.items()}
    with mpl.rc_context(own | over):
        _INSIDE.append(list(_OVER))
        try:
            yield
        finally:
            _INSIDE.pop()


def _is_default(key) -> bool:
    """Whether a setting is as matplotlib or this package made it: what a user has set is respected."""
    value = mpl.rcParams[key]
    return value == mpl.rcParamsDefault[key] or value == _own()[key] or bool(_OVER)


@functools.cache
def _own() -> mpl.RcParams:
    """The look of this package as matplotlib writes it."""
    return mpl.RcParams(RC)


@contextmanager
def chosen_look(*, style: str = "paper", column: str | None = None):
    """Figures drawn inside are for a "paper" or a "talk"; `column` "single" or "double" says how wide they will be."""
    if style not in ("paper", "talk"):
        raise BadInput(f'style must be "paper" or "talk", got {quoted(style)}')
    if column is not None and column not in WIDTHS:
        raise BadInput(f'column must be "single" or "double", got {quoted(column)}')
    _OVER.append(TALK if style == "talk" else {})
    try:
        yield
    finally:
        _OVER.pop()


def fit_column(figure: Figure, column: str) -> Figure:
    """The figure at the width of one or two columns of a page, in its own proportions."""
    if column not in WIDTHS:
        raise BadInput(f'column must be "single" or "double", got {quoted(column)}')
    width, height = figure.get_size_inches()
    figure.set_size_inches(WIDTHS[column], height * WIDTHS[column] / width)
    return figure


def styled(draw):
    """A drawing function that always has the look of this package."""

    @functools.wraps(draw)
    def inside(*args, **kwargs):
        with style():
            return draw(*args, **kwargs)

    return inside


@styled
def new_figure(width: float = 6.4, height: float = 4.0) -> Figure:
    """An empty figure, in inches, without the global state of pyplot."""
    return Figure(figsize=(width, height), layout="constrained")


@styled
def save_figure(figure: Figure, path, *, dpi: int = 300) -> Path:
    """Write a figure as PDF, PGF, PNG or SVG by the suffix of its path; the same figure gives the same bytes.

    >>> import attnflow as af
    >>> flow, mu = af.Flow(af.Sphere(), af.Softmax(beta=4.0)), af.uniform_sphere(8, 3, seed=0)
    >>> run = af.evolve(flow, mu, until=20.0)
    >>> import pathlib, tempfile
    >>> af.save_figure(af.summary_figure(run), pathlib.Path(tempfile.mkdtemp(), "run.svg")).suffix
    '.svg'
    """
    path = as_path(path)
    if not isinstance(figure, Figure):
        raise BadInput(f"a figure of matplotlib is needed, got {type(figure).__name__}")
    if not isinstance(dpi, int | float) or not 10 <= dpi <= 10_000:
        raise BadInput(f"dpi must lie between 10 and 10,000, got {quoted(dpi)}")
    kind = path.suffix.lower().lstrip(".")
    if kind not in FORMATS:
        raise BadInput(f"{path}: figures are saved as {', '.join(FORMATS)}, not {quoted(kind or 'no suffix')}")
    if not path.parent.is_dir():
        raise BadInput(f"{path}: the folder {path.parent} does not exist")
    undated = {"pdf": {"CreationDate": None}, "svg": {"Date": None}, "png": {"Software": None}}.get(kind)
    with whole(path) as draft:
        if kind in ("pdf", "png") and not isinstance(figure.get_layout_engine(), ConstrainedLayoutEngine):
            _print(figure, kind, draft, dpi, undated)
        else:
            figure.savefig(draft, format=kind, dpi=dpi, metadata=undated)
    return path


def _print(figure: Figure, kind: str, path: Path, dpi: int, metadata) -> None:
    """As `savefig` does, but for a first drawing that would only work out the layout."""
    shown, before = figure.canvas, figure.dpi
    canvas: Any = get_registered_canvas_class(kind)(figure)
    try:
        figure.set_dpi(dpi)
        getattr(canvas, f"print_{kind}")(path, metadata=metadata)
    finally:
        figure.set_dpi(before)
        figure.set_canvas(shown)


@styled
def settled(figure: Figure) -> Figure:
    """The figure with its layout worked out for good: saving it in several formats then draws it once for each."""
    for ax in figure.axes:
        ax.apply_aspect()
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
    figure.set_layout_engine("none")
    return figure


def colours_of(labels, *, most: int = len(PALETTE)) -> np.ndarray:
    """A colour for each token from its label: the lowest labels have their own, the rest and stragglers (−1) are grey.

    With no label, or more labels than half the tokens, nothing stands out, and all tokens are blue.
    """
    labels = np.asarray(labels)
    count = len(np.unique(labels[labels >= 0]))
    if not count or count > max(1, len(labels) // 2):
        return np.tile(to_rgba(PALETTE[0]), (len(labels), 1))
    table = np.array([to_rgba(PALETTE[k] if k < most else GREY) for k in range(labels.max() + 1)] + [to_rgba(GREY)])
    return table[labels]


def faded(colours, strength) -> np.ndarray:
    """Colours mixed with white: strength 1 leaves them, 0 is white."""
    colours = np.array(colours, float)
    strength = np.asarray(strength, float)[..., None]
    colours[..., :3] = 1 - strength * (1 - colours[..., :3])
    return colours
