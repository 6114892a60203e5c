"""Figure 2 of Burger et al. 2025 (arXiv 2501.03096): one cluster or two, as the second eigenvalue grows."""

from __future__ import annotations

import numpy as np
from matplotlib.lines import Line2D
from scipy.stats import binomtest

from ....draw.circle import draw_circle
from ....draw.style import GREY, INK, PALETTE, SLATE, new_figure, styled
from ....theory.sphere.steady.moment_layers import circle_layers
from ....theory.sphere.steady.state_stability import equal_pair_threshold
from ...figure import Drawn, figure
from .layers import cluster_outcomes, random_starts

STORED = {0.0: 0, 0.5526: 8, 0.6316: 16, 0.7105: 50, 1.2632: 45, 1.4211: 3, 1.5: 1}
"""The authors' stored counts of one cluster in 100 runs, by t in diag(t, 1)."""

STEP = 0.1
SHOWN = 1.25
"""The second eigenvalue whose runs are drawn: there both ends are common."""


def ends(matrices: np.ndarray, *, runs: int, count: int, eta: float, seed: int, n: int = 100) -> np.ndarray:
    """Tokens (matrices, runs, n, 2) of random starts after `count` layers."""
    Bs = np.repeat(matrices, runs, axis=0)
    x = circle_layers(Bs, random_starts((len(Bs), n, 2), seed), eta=eta, count=count, dtype=np.float32)
    return x.reshape(len(matrices), runs, n, 2)


def outcomes(x: np.ndarray) -> np.ndarray:
    """How every run (matrices, runs, n, 2) ended: 1 or 2 clusters, 0 while undecided."""
    return cluster_outcomes(x.reshape(-1, *x.shape[2:])).reshape(x.shape[:2])


def all_gather(matrices: np.ndarray, x: np.ndarray, *, eta: float, count: int = 15_000) -> bool:
    """Whether runs that are not one cluster yet become one: near a threshold a pair takes long to part."""
    i, j = np.nonzero(outcomes(x) != 1)
    if not len(i):
        return True
    return bool(np.all(cluster_outcomes(circle_layers(matrices[i], x[i, j], eta=eta, count=count)) == 1))


@figure("2", "One or two clusters on the circle")
@styled
def one_or_two(*, full: bool, seed: int) -> Drawn:
    runs, count, points = (100, 1500, 20) if full else (100, 1500, 11)
    grids = {
        "caption": (
            r"$B = \mathrm{diag}(1, \lambda_2)$",
            np.linspace(1, 1.5, 21 if full else points),
            lambda t: np.diag([1.0, t]),
        ),
        "repository": (r"$B = \mathrm{diag}(t, 1)$", np.linspace(0, 1.5, points), lambda t: np.diag([t, 1.0])),
    }
    lines = {"caption": [equal_pair_threshold(1.0)], "repository": [np.tanh(1.0), equal_pair_threshold(1.0)]}
    fig, data, held, words = new_figure(8.8, 3.7), {}, True, []
    axes = fig.subplots(1, 3, gridspec_kw={"width_ratios": [1.25, 1.25, 0.8]})
    for ax, (name, (title, grid, matrix)) in zip(axes, grids.items()):
        matrices = np.stack([matrix(t) for t in grid])
        x = ends(matrices, runs=runs, count=count, eta=STEP, seed=seed)
        found = outcomes(x)
        one, two = np.sum(found == 1, axis=1), np.sum(found == 2, axis=1)
        data |= {f"{name}_grid": grid, f"{name}_one": one, f"{name}_two": two, f"{name}_outcomes": found}
        if name == "caption":
            shown = int(np.argmin(np.abs(grid - SHOWN)))
            data["drawn_tokens"] = x[shown]
            _ends(axes[2], x[shown], found[shown], float(grid[shown]))
        _bars(ax, grid, one, two, runs, lines[name], title)
        low, high = (0.0, lines[name][0]) if name == "caption" else lines[name]
        inside = (grid > low + 0.012) & (grid < high - 0.012)
        held = held and all_gather(matrices[inside], x[inside], eta=STEP) and bool(np.all(one + two >= 0.8 * runs))
        words.append(f"{name}: one cluster in {', '.join(f'{t:.3g}: {c / runs:.2f}' for t, c in zip(grid, one))}")
    _stored(axes[1])
    fig.legend(handles=_legend(), loc="outside lower center", ncols=5)
    expected = (
        "every run ends in one cluster where the pair is unstable: λ₂ < 1.19968 for diag(1, λ₂), "
        "0.76159 < t < 1.19968 for diag(t, 1); two clusters appear beyond"
    )
    notes = (
        "clusters counted by cosine to the first token, not by k-means; 95 % Wilson intervals; thresholds derived",
        f"{runs} runs for each matrix, {count} layers of step {STEP}; the circles show the first of each kind at λ₂ = {SHOWN}",
        "undecided: neither after these layers; those inside the band were followed to their end",
    )
    return Drawn(fig, data, expected, held, "; ".join(words), notes)


def _bars(ax, grid, one, two, runs, thresholds, title):
    width = 0.8 * (grid[1] - grid[0])
    ax.bar(grid, one / runs, width, color=PALETTE[0])
    ax.bar(grid, two / runs, width, bottom=one / runs, color=PALETTE[1], alpha=0.85)
    ax.bar(grid, 1 - (one + two) / runs, width, bottom=(one + two) / runs, color=GREY)
    bounds = [binomtest(int(c), runs).proportion_ci(method="wilson") for c in one]
    error = np.abs(np.array([(b.low, b.high) for b in bounds]).T - one / runs)
    ax.errorbar(grid, one / runs, error, fmt="none", ecolor=INK, elinewidth=0.8, capsize=1.5)
    for t in thresholds:
        ax.axvline(t, color=INK, linestyle=(0, (4, 2)), linewidth=1)
        ax.text(t, 1.015, f"{t:.4f}", ha="center", va="bottom", fontsize=7.5, color=INK)
    ax.set(ylim=(0, 1), xlim=(grid[0] - width, grid[-1] + width), xlabel=title, ylabel="share of runs")


def _stored(ax):
    ts = np.array(list(STORED))
    ax.plot(
        ts, np.array(list(STORED.values())) / 100, "D", color="white", markeredgecolor=INK, markersize=3.6, zorder=5
    )


def _legend():
    mark = {"marker": "s", "linestyle": "none", "markersize": 6}
    stored = {"marker": "D", "linestyle": "none", "markersize": 4, "markeredgecolor": INK}
    return [
        Line2D([], [], color=PALETTE[0], label="one cluster", **mark),
        Line2D([], [], color=PALETTE[1], label="two clusters", **mark),
        Line2D([], [], color=GREY, label="undecided", **mark),
        Line2D([], [], color=INK, linestyle=(0, (4, 2)), linewidth=1, label="pair becomes stable"),
        Line2D([], [], color="white", label="authors' counts", **stored),
    ]


def _ends(ax, x, found, t: float) -> None:
    """The first run that ends in one cluster and the first that ends in two, of those that a bar counts."""
    ax.set_axis_off()
    ax.set_title(rf"of {len(x)} runs at $\lambda_2 = {t:g}$", fontsize=8.5, color=SLATE)
    for k, (kind, name) in enumerate(((1, "one cluster"), (2, "two clusters"))):
        inset = ax.inset_axes((0.05, 0.5 - 0.5 * k, 0.9, 0.36))
        which = np.flatnonzero(found == kind)
        if len(which):
            draw_circle(inset, x[which[0]], colours=PALETTE[k])
        inset.set_axis_off()
        inset.set_title(f"{name}: {len(which)}", fontsize=8, color=SLATE, pad=14)
