"""Space-time diagram of tokens on the circle: angle against time."""

from __future__ import annotations

import numpy as np
from matplotlib.collections import LineCollection

from ...errors import BadInput
from ..curve import is_geometric
from ..style import PALETTE, styled


@styled
def draw_circle_time(ax, run, *, colours=None, log_time=None):
    """The angle of every token over time, cut where it passes ±π."""
    x, ts = np.asarray(run.x, float), np.asarray(run.ts, float)
    if x.ndim != 3 or x.shape[-1] != 2:
        raise BadInput(f"a space-time diagram is of one run on the circle (d = 2), got x of shape {x.shape}")
    is_log = is_geometric(ts) if log_time is None else log_time
    kept = ts > 0 if is_log else np.ones(len(ts), bool)
    angle, ts = np.arctan2(x[kept, :, 1], x[kept, :, 0]), ts[kept]
    lines, tints = [], []
    for i, path in enumerate(angle.T):
        for piece in np.split(np.arange(len(ts)), np.flatnonzero(np.abs(np.diff(path)) > np.pi) + 1):
            lines.append(np.column_stack([ts[piece], path[piece]]))
            tints.append(PALETTE[0] if colours is None else tuple(colours[i]))
    ax.add_collection(LineCollection(lines, colors=tints, linewidths=0.7, alpha=0.6))
    ax.set(xlim=(ts[0], ts[-1]), ylim=(-np.pi, np.pi), xlabel="time $t$", ylabel="angle")
    ax.set_yticks([-np.pi, 0, np.pi], ["−π", "0", "π"])
    if is_log:
        ax.set_xscale("log")
    return ax
