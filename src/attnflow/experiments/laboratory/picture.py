"""Picture of an experiment: every quantity with its 95 % interval, case by case."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from ...draw.style import INK, PALETTE, SLATE, new_figure, styled
from .experiment import Result


@styled
def conjecture_figure(result: Result) -> Figure:
    """One panel per quantity: all trials as faint dots, estimates with intervals on top."""
    quantities = result.conjecture.quantities
    count = len(result.labels)
    figure = new_figure(max(4.4, 3.5 * len(quantities)), 3.3)
    panels = np.atleast_1d(figure.subplots(1, len(quantities)))
    for q, (ax, quantity) in enumerate(zip(panels, quantities)):
        found = [result.estimate(q, k) for k in range(count)]
        spots = np.arange(count)
        if not quantity.is_share:
            _dots(ax, result.values[:, :, q])
        value = np.array([one.value for one in found])
        below = value - np.array([one.low for one in found])
        above = np.array([one.high for one in found]) - value
        errors = np.where(np.isfinite([below, above]), np.maximum([below, above], 0), 0)
        ax.errorbar(spots, value, yerr=errors, fmt="o", color=PALETTE[0], markersize=5, capsize=3, zorder=3)
        if quantity.is_share:
            ax.set_ylim(-0.04, 1.04)
        if quantity.is_log and np.nanmin(np.where(np.isfinite(value), value, np.inf)) > 0:
            ax.set_yscale("log")
        ax.set_xticks(
            spots,
            [_short(label) for label in result.labels],
            rotation=25 if count > 3 else 0,
            ha="right" if count > 3 else "center",
        )
        ax.set_xlim(-0.6, count - 0.4)
        ax.set_ylabel(quantity.name + (" (share)" if quantity.is_share else ""))
        ax.grid(axis="y")
    figure.suptitle(result.conjecture.question, fontsize=10.5, color=INK)
    return figure


def _dots(ax, values: np.ndarray) -> None:
    rng = np.random.default_rng(0)
    for k, row in enumerate(values):
        seen = row[np.isfinite(row)]
        ax.plot(k + rng.uniform(-0.12, 0.12, len(seen)), seen, ".", color=SLATE, alpha=0.3, markersize=3)


def _short(label: str) -> str:
    return label.replace("beta", "β").replace(" = ", "=")
