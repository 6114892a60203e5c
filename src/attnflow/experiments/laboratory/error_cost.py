"""Reduced models in one picture: error against speed-up."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from ...draw.style import INK, PALETTE, SLATE, new_figure, styled

COLOURS = {"tokens": PALETTE[0], "moments": PALETTE[1], "law": PALETTE[2]}


@styled
def error_cost_figure(table, *, error: float, chosen: str = "", title: str = "") -> Figure:
    """One mark for every model: how wrong it is and how much cheaper than the run; the allowed error is a line."""
    figure = new_figure(6.6, 4.2)
    ax = figure.subplots()
    rows = [row for row in table if np.isfinite(row.error)]
    ax.set(xscale="log", yscale="log", xlabel="speed-up (pairs of tokens saved)", ylabel="largest error", title=title)
    ax.axhline(error, color=SLATE, linewidth=0.9, linestyle="--")
    ax.annotate("allowed error", (0.995, error), xycoords=("axes fraction", "data"), xytext=(0, 3),
                textcoords="offset points", ha="right", fontsize=8, color=SLATE)  # fmt: skip
    for of in dict.fromkeys(row.of for row in rows):
        own = [row for row in rows if row.of == of]
        ax.scatter(
            [r.speedup for r in own], [r.error for r in own], s=34, color=COLOURS[of], label=f"of {of}", zorder=3
        )
    for row in rows:
        is_right = row.speedup > 30
        weight = "bold" if row.name == chosen else "normal"
        ax.annotate(row.name, (row.speedup, row.error), xytext=(-6 if is_right else 6, 4), textcoords="offset points",
                    ha="right" if is_right else "left", fontsize=8, color=INK, fontweight=weight)  # fmt: skip
    ax.margins(x=0.15, y=0.12)
    ax.legend(loc="lower right" if rows and max(r.speedup for r in rows) > 30 else "best")
    return figure
