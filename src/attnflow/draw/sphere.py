"""Tokens on the unit sphere of R^3, drawn as a translucent ball."""

from __future__ import annotations

from functools import cache

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.patches import Circle

from .marks import bare, discs, halos_of, prepared, trails
from .style import SLATE, faded, styled
from .view import View

NEAR, FAR = "#B9C4D0", "#E3E8EE"
"""Meridians on the near and on the far side."""
GROUND = "ground"
"""Marks what does not move from frame to frame."""


@styled
def draw_sphere(ax, x, *, mass=None, colours=None, trail=None, view: View | None = None, reach: float = 0.03):
    """Tokens on the sphere: those on the far side are paler and smaller; `trail` (k, n, 3) lies on the surface.

    Tokens nearer than `reach` share a halo; among thousands of tokens chance brings many that near: give less.
    """
    view = View() if view is None else view
    x, mass, areas, colours = prepared(x, mass, colours)
    if not any(artist.get_gid() == GROUND for artist in ax.images):
        _ball(ax)
        _meridians(ax, view)
    if trail is not None:
        _surface_trails(ax, np.asarray(trail, float), colours, view)
    centres, sizes, tints = halos_of(x, mass, colours, reach=reach)
    for is_near, zorder in ((False, 1.3), (True, 2.5)):
        side = (view.of(centres)[:, 2] >= 0) == is_near
        shown = tints * np.array([1, 1, 1, 1.0 if is_near else 0.6])
        discs(ax, view.of(centres)[side], sizes[side], shown[side], zorder=zorder, edge=0)
    _tokens(ax, view.of(x), areas, colours)
    bare(ax, 1.06)


def _tokens(ax, seen, areas, colours):
    """Far tokens behind the near meridians; near ones above everything, nearest last."""
    depth = seen[:, 2]
    for side, base, zorder in ((depth < 0, 0.68, 1.4), (depth >= 0, 0.93, 4.0)):
        order = np.flatnonzero(side)[np.argsort(depth[side])]
        strength = base + (0.22 if base < 0.9 else 0.07) * depth[order]
        size = areas[order] * (0.85 + 0.25 * depth[order])
        discs(ax, seen[order, :2], size, faded(colours[order], strength), zorder=zorder)


def _surface_trails(ax, paths, colours, view):
    seen = view.of(paths)
    for is_near, strength, zorder in ((False, 0.38, 1.2), (True, 0.8, 3.0)):
        side = (seen[..., 2] >= 0) == is_near
        trails(ax, np.where(side[..., None], seen[..., :2], np.nan), colours, zorder=zorder, strength=strength)


def _ball(ax):
    """A soft light from the upper left, and the silhouette."""
    image = ax.imshow(_light(), extent=(-1, 1, -1, 1), origin="lower", zorder=0.1, interpolation="bilinear")
    ax.add_patch(Circle((0, 0), 1, fill=False, edgecolor=SLATE, linewidth=0.9, zorder=3.5))
    image.set_gid(GROUND)
    ax.patches[-1].set_gid(GROUND)
    image.set_clip_path(Circle((0, 0), 1, transform=ax.transData))


@cache
def _light(pixels: int = 401):
    u, v = np.meshgrid(np.linspace(-1, 1, pixels), np.linspace(-1, 1, pixels))
    height = np.sqrt(np.maximum(0, 1 - u**2 - v**2))
    light = np.clip(-0.42 * u + 0.45 * v + 0.79 * height, 0, 1)
    shade = np.empty((*u.shape, 4))
    shade[..., :3] = np.array([0.905, 0.925, 0.95]) + np.array([0.095, 0.075, 0.05]) * (light**1.5)[..., None]
    shade[..., 3] = u**2 + v**2 <= 1
    return np.round(255 * shade).astype(np.uint8)


def _meridians(ax, view, count: int = 12):
    s = np.linspace(0, 2 * np.pi, 181)
    lines = [_great(np.pi * k / (count / 2), s) for k in range(count // 2)]
    lines += [_parallel(np.pi * k / 6, s) for k in (-2, -1, 0, 1, 2)]
    for is_near, colour, zorder in ((False, FAR, 1.0), (True, NEAR, 2.0)):
        segments = [part for line in lines for part in _side(view.of(line), is_near)]
        grid = LineCollection(segments, colors=colour, linewidths=0.45, zorder=zorder, gid=GROUND)
        ax.add_collection(grid, autolim=False)


def _great(azimuth, s):
    return np.stack([np.cos(s) * np.cos(azimuth), np.cos(s) * np.sin(azimuth), np.sin(s)], axis=1)


def _parallel(latitude, s):
    return np.stack([np.cos(latitude) * np.cos(s), np.cos(latitude) * np.sin(s), np.full_like(s, np.sin(latitude))], 1)


def _side(seen, is_near):
    """The pieces of a closed line on one side of the silhouette."""
    inside = (seen[:, 2] >= 0) == is_near
    pieces = np.split(np.arange(len(seen)), np.flatnonzero(np.diff(inside)) + 1)
    return [seen[piece][:, :2] for piece in pieces if inside[piece[0]] and len(piece) > 1]
