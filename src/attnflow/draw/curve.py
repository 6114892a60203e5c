"""One quantity against time."""

from __future__ import annotations

import numpy as np
from matplotlib.ticker import ScalarFormatter

from .style import PALETTE, styled


class PlainTicks(ScalarFormatter):
    """Numbers beside an axis without mathematics, which is slow to set; a power of ten that they share keeps it."""

    def __call__(self, x, pos=None) -> str:
        return super().__call__(x, pos).replace(r"$\mathdefault{", "").replace("}$", "")


def plain_ticks(ax) -> None:
    """Plain numbers on linear axes."""
    for axis in (ax.xaxis, ax.yaxis):
        if axis.get_scale() == "linear":
            axis.set_major_formatter(PlainTicks())


def is_geometric(ts) -> bool:
    """Whether saved times grow by factors, so that they should be seen on a logarithmic axis."""
    ts = np.asarray(ts, float)
    steps = np.diff(ts[ts > 0])
    return len(steps) > 2 and bool(steps[-1] > 20 * steps[0])


@styled
def draw_curve(ax, ts, values, *, label=None, colour=None, name="", log_time=None, steps=False):
    """One quantity over time; time is logarithmic when the times are geometric (`log_time` decides otherwise)."""
    ts, values = np.asarray(ts, float), np.asarray(values, float)
    is_log = is_geometric(ts) if log_time is None else log_time
    shown = ts > 0 if is_log else np.ones(len(ts), bool)
    ax.plot(
        ts[shown], values[shown], color=colour or PALETTE[0], label=label, drawstyle="steps-post" if steps else None
    )
    if is_log:
        ax.set_xscale("log")
    plain_ticks(ax)
    ax.set(xlabel="time $t$", ylabel=name)
    if np.ptp(ts[shown]) > 0:
        ax.set_xlim(ts[shown][0], ts[shown][-1])
    ax.grid(axis="y")
    ax.set_axisbelow(True)
    return ax
