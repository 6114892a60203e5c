"""Tokens on the unit circle."""

from __future__ import annotations

import numpy as np
from matplotlib.patches import Circle

from .marks import bare, discs, halos_of, prepared, trails
from .style import MIST, SLATE, styled

INNER = 0.32
"""Where trails begin: time runs from this radius to the circle."""


@styled
def draw_circle(ax, x, *, mass=None, colours=None, trail=None):
    """Tokens on the circle; a `trail` (k, n, 2) is drawn inside it, time running outwards."""
    x, mass, areas, colours = prepared(x, mass, colours)
    ax.add_patch(Circle((0, 0), 1, fill=False, edgecolor=SLATE, linewidth=0.9, zorder=1))
    if trail is not None and len(trail) > 1:
        ax.add_patch(Circle((0, 0), INNER, fill=False, edgecolor=MIST, linewidth=0.7, zorder=1))
        radius = np.linspace(INNER, 1, len(trail))[:, None, None]
        trails(ax, radius * np.asarray(trail, float), colours, width=0.7)
    discs(ax, *halos_of(x, mass, colours, reach=0.02), zorder=1.5, edge=0)
    discs(ax, x, areas, colours)
    bare(ax, 1.14)
