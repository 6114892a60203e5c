"""Picture of a sweep, picked from its axes: heat maps, curves with confidence bands, ridges, courses in time."""

from __future__ import annotations

import json

import numpy as np
import xarray as xr
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LogNorm, Normalize
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator
from scipy.special import stdtrit

from ...draw.style import INK, PALETTE, SEQUENTIAL, SLATE, new_figure, styled
from .result import finished, of_finished

MOST = 6
"""Panels of one figure."""
LETTERS = {"attention.beta": r"$\beta$", "attention.eps": r"$\varepsilon$", "flow.V": "$V$", "tokens.n": "$n$",
           "tokens.d": "$d$", "flow.noise": r"$\sigma$", "time": "time $t$"}  # fmt: skip


@styled
def sweep_figure(dataset: xr.Dataset) -> Figure:
    """One panel for everything measured; repetitions become 95 % bands around means, or quartiles around medians."""
    names = [name for name in json.loads(dataset.attrs["measure"]) if not name.startswith("theory(")][:MOST]
    columns = 2 if len(names) == 4 else min(3, len(names))
    rows = -(-len(names) // columns)
    figure = new_figure(max(4.6, 3.6 * columns), 3.0 * rows)
    panels = np.atleast_1d(figure.subplots(rows, columns)).ravel()
    for ax, name in zip(panels, names):
        _panel(ax, dataset, name)
    for ax in panels[len(names) :]:
        ax.set_axis_off()
    if dataset.attrs.get("title"):
        figure.suptitle(dataset.attrs["title"], fontsize=11.5)
    if missed := int((~finished(dataset)).sum()):
        figure.supxlabel(f"† without runs that did not finish: {missed} of {dataset.status.size}", fontsize=8.5)
    return figure


def _panel(ax, dataset, name: str) -> None:
    values = of_finished(dataset, name)
    free = [str(dim) for dim in values.dims if dim not in ("seed", "time") and values.sizes[dim] > 1]
    theory = json.loads(dataset.attrs.get("theory", "{}")).get(name)
    expected = dataset.get(f"theory({theory})") if theory else None
    if "time" in values.dims:
        _courses(ax, values, free)
    elif len(free) >= 2:
        _heat(ax, values, free, expected)
    elif len(free) == 1 and "labels" in dataset[free[0]].attrs:
        _ridges(ax, values, free[0])
    elif len(free) == 1:
        _curve(ax, values, free[0], expected)
    else:
        _histogram(ax, values)
    _mark(ax, values.isnull() & ~finished(dataset), free)
    if "time" in values.dims or len(free) == 1:
        ax.set_ylabel(ax.get_ylabel() or name)
    else:
        ax.set_title(name)


def _mark(ax, lacks, free: list[str]) -> None:
    """A dagger wherever runs are left out because they did not finish; courses in time have the line below alone."""
    kept = [] if "time" in lacks.dims else free[:2]
    lost = lacks.any([dim for dim in lacks.dims if dim not in kept]).transpose(*kept)
    for place in np.argwhere(lost.values) if kept else ():
        at = [_places(lacks[key])[k] for key, k in zip(kept, place)]
        if len(kept) == 2:  # on a light ground, since the colour of the cell may be dark
            ax.text(*at[::-1], "†", ha="center", va="center", bbox={"color": "white", "alpha": 0.75, "pad": 0.5})
        elif "labels" in lacks[kept[0]].attrs:
            ax.text(0.98, *at, "†", transform=ax.get_yaxis_transform())
        else:
            ax.text(*at, 0.02, "†", transform=ax.get_xaxis_transform(), ha="center")


def letter(key: str) -> str:
    return LETTERS.get(key, key)


def is_log(values) -> bool:
    """Whether values grow by factors."""
    values = np.asarray(values, float)
    if len(values) < 3 or np.any(values <= 0):
        return False
    steps, factors = np.diff(values), np.diff(np.log(values))
    return bool(np.ptp(factors) < 0.2 * abs(factors.mean()) and np.ptp(steps) > 0.2 * abs(steps.mean()))


def summarised(values: xr.DataArray, kept: list[str]):
    """Middle, low and high of repetitions that have a value: the mean and its 95 % interval (Student's t), or quartiles."""
    rest = [dim for dim in values.dims if dim not in kept]
    flat = (
        values.stack(all_=rest).transpose(*kept, "all_").values if rest else values.transpose(*kept).values[..., None]
    )
    count = np.sum(~np.isnan(flat), axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        if np.isinf(flat).any():
            shown = np.where((count == 0)[..., None], np.inf, flat)
            parts = np.nanquantile(shown, (0.25, 0.5, 0.75), axis=-1, method="inverted_cdf")
            low, middle, high = np.where(count == 0, np.nan, parts)
            return middle, low, high, "median"
        middle = np.nansum(flat, axis=-1) / np.where(count == 0, np.nan, count)
        spread = np.sqrt(
            np.nansum((flat - middle[..., None]) ** 2, axis=-1) / np.maximum(count - 1, 1) / np.maximum(count, 1)
        )
    half = np.where(count > 1, stdtrit(np.maximum(count - 1, 1), 0.975) * spread, 0.0)
    return middle, middle - half, middle + half, "mean"


def _curve(ax, values, axis: str, expected) -> None:
    x = values[axis].values
    middle, low, high, what = summarised(values, [axis])
    is_known = np.isfinite(middle)
    ax.fill_between(x, low, high, where=np.isfinite(low) & np.isfinite(high), color=PALETTE[0], alpha=0.2, linewidth=0)
    ax.plot(x[is_known], middle[is_known], marker="o", markersize=3, label=what)
    if expected is not None:
        ax.plot(x, summarised(expected, [axis])[0], "--", color=INK, linewidth=1.2, label="theory")
        ax.legend()
    _scale(ax, x, axis)
    if not is_known.all():
        ax.plot(x[~is_known], np.full((~is_known).sum(), 0.97), "^", color=SLATE, markersize=4,
                transform=ax.get_xaxis_transform(), clip_on=False)  # fmt: skip
        ax.set_title(r"$\blacktriangle$ median never reached, or no value", fontsize=8, color=SLATE)
    ax.grid(axis="y")
    # Values that do not change would be drawn as rounding noise.
    if is_known.any() and np.ptp(middle[is_known]) < 1e-9 * max(1.0, np.abs(middle[is_known]).max()):
        ax.set_ylim(middle[is_known][0] - 0.5, middle[is_known][0] + 0.5)


def _scale(ax, x, axis: str) -> None:
    if is_log(x):
        ax.set_xscale("log")
    ax.set_xlabel(letter(axis))


def _heat(ax, values, free: list[str], expected) -> None:
    across, up = free[1], free[0]
    middle, *_, what = summarised(values, [up, across])
    shown = np.where(np.isfinite(middle), middle, np.nan)
    x, y = (_places(values[key]) for key in (across, up))
    ax.set_facecolor("#E6E9ED")
    image = ax.pcolormesh(_edges(x), _edges(y), shown, cmap=SEQUENTIAL, rasterized=True)
    bar = ax.figure.colorbar(image, ax=ax, pad=0.02, aspect=26)
    bar.outline.set_visible(False)
    bar.set_label(what if len(free) == 2 else f"{what}, over {', '.join(letter(k) for k in free[2:])} too")
    for key, at, axis in ((across, x, ax.xaxis), (up, y, ax.yaxis)):
        labels = values[key].attrs.get("labels")
        if labels:
            axis.set_ticks(at, [_short(one) for one in json.loads(labels)])
            continue
        if is_log(at):
            (ax.set_xscale if axis is ax.xaxis else ax.set_yscale)("log")
        if len(at) <= 7:
            axis.set_ticks(at, [f"{value:g}" for value in at])
            axis.set_minor_locator(NullLocator())
    if expected is not None and np.ptp(level := summarised(expected, [up, across])[0]) > 0:
        lines = ax.contour(x, y, level, colors="white", linewidths=0.9)
        ax.clabel(lines, fontsize=7)
    ax.set(xlabel=letter(across), ylabel=letter(up))


def _edges(places: np.ndarray) -> np.ndarray:
    """Edges of cells around places; between places that grow by factors, at equal factors."""
    if is_log(places):
        return np.exp(_edges(np.log(places)))
    if len(places) == 1:
        return places[0] + np.array([-0.5, 0.5])
    middle = (places[1:] + places[:-1]) / 2
    return np.concatenate([[2 * places[0] - middle[0]], middle, [2 * places[-1] - middle[-1]]])


def _places(coordinate) -> np.ndarray:
    return coordinate.values.astype(float)


def _short(value) -> str:
    words = value if isinstance(value, str) else json.dumps(value)
    return words if len(words) <= 14 else words[:13] + "…"


def _ridges(ax, values, axis: str) -> None:
    """The distribution of repetitions for every value that is no number, one ridge each."""
    labels = [_short(one) for one in json.loads(values[axis].attrs["labels"])]
    rows = [values.isel({axis: k}).values.ravel() for k in range(len(labels))]
    seen = np.concatenate([row[np.isfinite(row)] for row in rows])
    if not len(seen):
        ax.set_axis_off()
        return
    edges = np.histogram_bin_edges(seen, bins=min(30, max(5, len(rows[0]) // 2)))
    for k, row in enumerate(rows):
        counts = np.histogram(row[np.isfinite(row)], edges)[0]
        top = 0.85 * counts / max(1, counts.max())
        colour = PALETTE[k % len(PALETTE)]
        ax.stairs(k + top, edges, baseline=k, fill=True, color=colour, alpha=0.35)
        ax.stairs(k + top, edges, baseline=k, color=colour)
        if np.isfinite(row).any():
            ax.plot([row[np.isfinite(row)].mean()] * 2, [k, k + 0.85], color=colour, linewidth=1, linestyle=":")
    ax.set_yticks(np.arange(len(labels)), labels)
    ax.set(xlabel=str(values.name), ylabel=letter(axis))


def _courses(ax, values, free: list[str]) -> None:
    """Courses in time, one colour for every value of the first axis."""
    t = values["time"].values
    if not free:
        middle, low, high, _ = summarised(values, ["time"])
        ax.fill_between(t, low, high, color=PALETTE[0], alpha=0.2, linewidth=0)
        ax.plot(t, middle)
    else:
        key = free[0]
        colours = _colours(ax, values[key], key)
        for k in range(values.sizes[key]):
            middle, low, high, _ = summarised(values.isel({key: k}), ["time"])
            ax.fill_between(t, low, high, color=colours[k], alpha=0.18, linewidth=0)
            ax.plot(t, middle, color=colours[k], linewidth=1.2)
    if len(t) > 4 and t[-1] - t[-2] > 20 * (t[2] - t[1]):
        ax.set_xscale("log")
    ax.set_xlabel(letter("time"))
    ax.grid(axis="y")


def _colours(ax, coordinate, key: str):
    places = coordinate.values.astype(float)
    if "labels" in coordinate.attrs or len(places) <= 4:
        labels = json.loads(coordinate.attrs["labels"]) if "labels" in coordinate.attrs else [f"{v:g}" for v in places]
        for k, one in enumerate(labels):
            ax.plot([], [], color=PALETTE[k % len(PALETTE)], label=f"{letter(key)} = {_short(one)}")
        ax.legend()
        return [PALETTE[k % len(PALETTE)] for k in range(len(places))]
    scale = ScalarMappable((LogNorm if is_log(places) else Normalize)(places.min(), places.max()), cmap=SEQUENTIAL)
    bar = ax.figure.colorbar(scale, ax=ax, pad=0.02, aspect=26)
    bar.outline.set_visible(False)
    bar.set_label(letter(key))
    return scale.to_rgba(places)


def _histogram(ax, values) -> None:
    seen = values.values[np.isfinite(values.values)]
    ax.hist(seen, bins=min(30, max(5, len(seen) // 4)), color=PALETTE[0], alpha=0.6)
    ax.set(ylabel="repetitions")
