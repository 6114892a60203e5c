"""Marks all pictures share: tokens as discs whose area is their mass, halos of clusters, trails that fade with age."""

from __future__ import annotations

import numpy as np
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgba_array
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, IdentityTransform

from ..engine.observe.components import centres_of, components
from .style import PALETTE

DISC = Path.unit_circle().transformed(Affine2D().scale(0.5))
"""A disc whose area scatter plots call 1."""

EDGE = 0.35
"""White rim of a token, in points, so that tokens that overlap stay countable."""

RIMMED = 300
"""More tokens have no rims: rims would paint a crowd white. They are translucent instead, so that density is seen."""

HALO = 1300.0
"""Area, in square points, of the halo of a cluster that holds all mass."""

MOST_AGES = 24
"""Shades of a trail; longer ones change shade in steps."""

MOST_TRAILS = 1000
"""Of more tokens only every second, third … leaves a trail."""


def areas_of(mass, *, ink: float = 2600.0, least: float = 5.0, most: float = 46.0) -> np.ndarray:
    """Areas in square points, proportional to mass; the size of an average token follows from their number."""
    mass = np.asarray(mass, float)
    return np.clip(ink / len(mass), least, most) * mass * len(mass)


def prepared(x, mass, colours):
    """Tokens, masses, areas and colours, with defaults filled in."""
    x = np.asarray(x, float)
    mass = np.full(len(x), 1 / len(x)) if mass is None else np.asarray(mass, float)
    colours = to_rgba_array(PALETTE[0] if colours is None else colours)
    return x, mass, areas_of(mass), np.broadcast_to(colours, (len(x), 4))


def halos_of(x, mass, colours, *, reach: float):
    """Centres, areas and colours of the clusters of several tokens nearer than `reach`: what lies on top of each other.

    Tokens that have met look like one; the area of the halo tells how much mass is there.
    """
    labels = components(x, reach)
    members = np.bincount(labels)
    centres, weight = centres_of(x, mass, labels, len(members))
    some = np.flatnonzero((members > 1) & (weight > 0))
    first = np.unique(labels, return_index=True)[1][some]
    return centres[some], HALO * weight[some], colours[first] * np.array([1, 1, 1, 0.28])


def discs(ax, points, areas, colours, *, zorder=3.0, edge=EDGE, rim="white"):
    if len(points) > RIMMED and edge:
        edge, colours = 0.0, np.asarray(colours) * np.array([1, 1, 1, max(0.35, (RIMMED / len(points)) ** 0.35)])
    if len(points):
        looks = {"facecolors": colours, "edgecolors": rim, "linewidths": edge, "zorder": zorder, "clip_on": False}
        # Not by `scatter`, half of whose time goes into limits that pictures set themselves.
        marks = PathCollection([DISC], areas, offsets=points[:, :2], offset_transform=ax.transData, **looks)
        marks.set_transform(IdentityTransform())
        ax.add_collection(marks, autolim=False)


def trails(ax, paths, colours, *, zorder=2.0, width=0.9, strength=0.75):
    """Lines along `paths` (k, n, 2), older parts fainter; parts that are NaN or do not move are left out."""
    if len(paths) < 2:
        return
    thin = -(-paths.shape[1] // MOST_TRAILS)
    paths, colours = paths[:, ::thin], colours[::thin]
    ages = np.linspace(0.06, 1, len(paths) - 1) ** 1.3 * strength
    if len(ages) > MOST_AGES:
        ages = np.ceil(ages * MOST_AGES) / MOST_AGES
    shades, age = np.unique(ages, return_inverse=True)
    tints, tint = np.unique(colours, axis=0, return_inverse=True)
    moves = np.abs(np.diff(paths, axis=0)).max(axis=2)
    kept = moves > 1e-3 * np.nanmax(moves, initial=0.0)
    inks, counts, order = _sorted((age.ravel()[:, None] * len(tints) + tint.ravel())[kept])
    if len(inks):
        ends = np.stack([paths[:-1][kept], paths[1:][kept]], axis=1)[order]
        codes = np.tile(np.array([Path.MOVETO, Path.LINETO], Path.code_type), len(ends))
        strokes = [_strokes(part, codes) for part in np.split(ends, np.cumsum(counts)[:-1])]
        shown = np.column_stack([tints[inks % len(tints), :3], shades[inks // len(tints)]])
        lines = PathCollection(strokes, facecolors="none", edgecolors=shown, linewidths=width, zorder=zorder)
        lines.set_capstyle("butt")
        ax.add_collection(lines, autolim=False)


def _sorted(labels) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The labels there are, how many of each, and the order that brings equal ones together."""
    found, counts = np.unique(labels, return_counts=True)
    return found, counts, np.argsort(labels, kind="stable")


def _strokes(ends, codes) -> Path:
    """All segments (k, 2, 2) of one age and colour as one path: thousands of separate ones are slow to draw."""
    return Path(ends.reshape(-1, 2), codes[: 2 * len(ends)])


def bare(ax, limit: float = 1.0):
    """A square picture without axes."""
    if ax.axison:
        # Room for numbers that nobody sees would still be worked out, and that takes long.
        ax.set(xticks=[], yticks=[])
        ax.set_axis_off()
    ax.set(xlim=(-limit, limit), ylim=(-limit, limit), aspect="equal")
