"""Tokens in R^3, in a box that turns with them."""

from __future__ import annotations

import itertools

import numpy as np
from matplotlib.collections import LineCollection

from .marks import bare, discs, halos_of, prepared, trails
from .plane import box_around
from .style import INK, MIST, SLATE, faded, styled
from .view import View


@styled
def draw_space(
    ax,
    x,
    *,
    mass=None,
    colours=None,
    trail=None,
    view: View | None = None,
    limits=None,
    names=("$x_1$", "$x_2$", "$x_3$"),
):
    """Tokens in R^3, nearer ones larger and stronger; `limits` are the lowest and highest corner of the box."""
    view = View() if view is None else view
    x, mass, areas, colours = prepared(x, mass, colours)
    low, high = box_around([x]) if limits is None else limits
    low, high = np.asarray(low, float), np.asarray(high, float)

    def place(points):
        return view.of(2 * (np.asarray(points, float) - low) / (high - low) - 1)

    _box(ax, view, low, high, names)
    if trail is not None:
        trails(ax, place(trail)[..., :2], colours, strength=0.55)
    centres, sizes, tints = halos_of(x, mass, colours, reach=0.008 * float((high - low).min()))
    discs(ax, place(centres), sizes, tints, zorder=3, edge=0)
    seen = place(x)
    order, depth = np.argsort(seen[:, 2]), seen[:, 2] / np.sqrt(3)
    strength = np.clip(0.72 + 0.26 * depth, 0.3, 1)
    discs(ax, seen[order, :2], (areas * (1 + 0.35 * depth))[order], faded(colours, strength)[order], zorder=4)
    bare(ax, 1.62)


def _box(ax, view, low, high, names):
    """The twelve edges, the hidden three faint; numbers at the ends of the three edges nearest to the outline."""
    corners = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
    seen = view.of(corners)
    hidden = int(np.argmin(seen[:, 2]))
    pairs = [(a, b) for a, b in itertools.combinations(range(8), 2) if np.abs(corners[a] - corners[b]).sum() == 2]
    for pair in pairs:
        colour, width, zorder = (MIST, 0.7, 0.5) if hidden in pair else (SLATE, 0.7, 1.0)
        line = LineCollection([seen[list(pair), :2]], colors=colour, linewidths=width, zorder=zorder)
        ax.add_collection(line, autolim=False)
    for axis in range(3):
        _label(
            ax, corners, seen, [p for p in pairs if np.ptp(corners[list(p), axis]) > 0], axis, low, high, names[axis]
        )


def _label(ax, corners, seen, pairs, axis, low, high, name):
    """Along the edge of this axis that lies furthest down (the third: furthest left) on the page."""
    across = 0 if axis == 2 else 1
    pair = min(pairs, key=lambda p: seen[list(p), across].mean())
    ends = sorted(pair, key=lambda corner: corners[corner, axis])
    middle = seen[ends, :2].mean(axis=0)
    out = 0.16 * middle / np.linalg.norm(middle)
    # Left of an upright edge a long name ends where a short one has its middle.
    side, away = ("right", 0.5) if axis == 2 else ("center", 1.3)
    ax.text(*(middle + away * out), name, ha=side, va="center", color=INK, fontsize=9)
    for corner, value in zip(ends, (low[axis], high[axis])):
        place = 0.86 * seen[corner, :2] + 0.14 * middle + out
        ax.text(
            *place,
            f"{float(format(value, '.2g')):g}".replace("-", "−"),
            ha="center",
            va="center",
            color=SLATE,
            fontsize=7,
        )
