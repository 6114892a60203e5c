"""Tokens on a line and in the plane."""

from __future__ import annotations

import numpy as np

from .marks import discs, halos_of, prepared, trails
from .style import INK, MIST, styled

STRETCH = 4.0
"""Axes share one scale unless one extends this many times further than another."""


@styled
def draw_plane(ax, x, *, mass=None, colours=None, trail=None, limits=None, names=("$x_1$", "$x_2$")):
    """Tokens in the plane and their trail (k, n, 2)."""
    x, mass, areas, colours = prepared(x, mass, colours)
    if trail is not None:
        trails(ax, np.asarray(trail, float), colours)
    low, high = box_around([x]) if limits is None else limits
    discs(ax, *halos_of(x, mass, colours, reach=0.008 * float(high[0] - low[0])), zorder=1.5, edge=0)
    discs(ax, x, areas, colours)
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), xlabel=names[0], ylabel=names[1], box_aspect=1)
    ax.locator_params(nbins=4)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


@styled
def draw_line(ax, x, *, mass=None, colours=None, trail=None, limits=None):
    """Tokens on the line; a `trail` (k, n, 1) runs upwards to them."""
    x, mass, areas, colours = prepared(x, mass, colours)
    if trail is not None and len(trail) > 1:
        height = np.broadcast_to(np.linspace(0, 1, len(trail))[:, None, None], np.shape(trail))
        trails(ax, np.concatenate([np.asarray(trail, float), height], axis=2), colours)
    ax.axhline(1, color=MIST, linewidth=0.8, zorder=0)
    discs(ax, np.column_stack([x[:, 0], np.ones(len(x))]), areas, colours)
    low, high = box_around([x]) if limits is None else limits
    ax.set(xlim=(low[0], high[0]), ylim=(-0.05, 1.1), yticks=[], xlabel="$x$")
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(colors=INK)
    return ax


def box_around(sets, *, room: float = 0.08):
    """The corners of a box that holds all points, with room around them: a cube unless it would be mostly empty."""
    points = np.concatenate([np.asarray(points, float).reshape(-1, np.shape(points)[-1]) for points in sets])
    low, high = points.min(axis=0), points.max(axis=0)
    sides = np.maximum(high - low, 1e-9 + 1e-6 * np.abs(points).max())
    if sides.max() <= STRETCH * sides.min():
        sides = np.full_like(sides, sides.max())
    half = (0.5 + room) * sides
    return (low + high) / 2 - half, (low + high) / 2 + half
