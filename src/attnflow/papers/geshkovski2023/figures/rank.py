"""Figures 3, 4, 11 and 12 of arXiv 2305.05465: the attention matrix becomes low-rank."""

from __future__ import annotations

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import LogNorm
from matplotlib.lines import Line2D
from scipy.linalg import expm

from ....draw.style import INK, PALETTE, SLATE, new_figure, styled
from ...figure import Drawn, figure
from .runs import TRUE_TIME, attention_along, cube, plain, run_through

CLEAR = 1e-3
"""A singular value above this is not rounding."""
RANK = "ranks are those of numpy's matrix_rank with its default tolerance, and depend on it"


def _ranks(flow, mu, times, *, tol=1e-9):
    P = attention_along(run_through(flow, mu, times, tol=tol))
    return P, [int(np.linalg.matrix_rank(p)) for p in P]


FAINTEST = 1e-4
"""Weights below this have the colour of this."""


def _matrices(ax_row, P, times, ranks, order):
    """P itself, on a logarithmic scale with its key: at first no weight is large."""
    norm, image = LogNorm(FAINTEST, 1, clip=True), None
    for ax, p, t, rank in zip(ax_row, P, times, ranks):
        shown = np.maximum(p[np.ix_(order, order)], FAINTEST)
        image = ax.imshow(shown, cmap="cividis", norm=norm, interpolation="nearest")
        ax.set_title(f"$t = {t:g}$, rank {rank}")
        ax.set(xticks=[], yticks=[], xlabel="heard token $j$")
        ax.spines[:].set_visible(True)
    ax_row[0].set_ylabel("listening token $i$")
    bar = ax_row[-1].figure.colorbar(image, ax=list(ax_row), shrink=0.85, pad=0.01, aspect=22, extend="min")
    bar.set_label("$P_{ij}$")


def _on_the_line(n, bounds, printed, seed):
    mu, times = cube(n, 1, seed, size=1.0), (0, 3, 5, 10)
    P, ranks = _ranks(plain(), mu, times)
    order = np.argsort(np.asarray(mu.x)[:, 0])
    fig = new_figure(9.6, 2.7)
    _matrices(fig.subplots(1, 4), P, times, ranks, order)
    held = all(low <= rank <= high for rank, (low, high) in zip(ranks, bounds))
    expected = f"ranks within {', '.join(f'{a}–{b}' for a, b in bounds)} (printed {printed}); two columns survive"
    notes = ("the start is U[−1, 1]: U[−5, 5], as in the text, gives rank 24–28 at t = 0", RANK, TRUE_TIME)
    return Drawn(
        fig, {"P": P, "times": np.asarray(times), "ranks": np.array(ranks)}, expected, held, f"ranks {ranks}", notes
    )


@figure("3", "The attention matrix of 40 tokens on the line")
@styled
def line_forty(*, full: bool, seed: int) -> Drawn:
    return _on_the_line(40, ((10, 11), (11, 24), (5, 10), (1, 3)), "11, 23, 14, 2", seed)


@figure("11", "The attention matrix of 100 tokens on the line")
@styled
def line_hundred(*, full: bool, seed: int) -> Drawn:
    return _on_the_line(100, ((11, 11), (21, 25), (12, 14), (2, 3)), "11, 27, 15, 3", seed)


@figure("4", "Queries and keys, joined where they attend")
@styled
def clouds(*, full: bool, seed: int) -> Drawn:
    rng = np.random.default_rng(seed)
    M, N = rng.uniform(-1, 1, (2, 2, 2))
    V, B, times = M @ M.T, N @ N.T, (0, 2, 9)
    flow, mu = plain(V, B), cube(20, 2, seed, size=1.0)
    run = run_through(flow, mu, times)
    z, P = np.asarray(run.x), attention_along(run)
    fig = new_figure(8.4, 3.0)
    for ax, tokens, p, t in zip(fig.subplots(1, 3), z, P, times):
        top = np.linalg.eigvalsh(V).max()
        x = tokens @ expm(t * (V - top * np.eye(2))).T
        _joined(ax, x @ B.T, x, p)
        ax.set_title(f"$t = {t:g}$" + (f", scaled by $e^{{-{top * t:.1f}}}$" if t else ""))
    fig.legend(*_keys(), loc="outside lower center", ncols=2)
    rank = int(np.linalg.matrix_rank(P[-1], tol=1e-4))
    expected = "few keys are heard in the end: rank P ≤ 2"
    return Drawn(
        fig,
        {"z": z, "P": P, "V": V, "B": B},
        expected,
        rank <= 2,
        f"rank {rank} at t = 9 (tolerance 1e-4)",
        (TRUE_TIME,),
    )


def _joined(ax, queries, keys, P):
    i, j = np.nonzero(P > 1e-4)
    ax.add_collection(
        LineCollection(
            list(np.stack([queries[i], keys[j]], axis=1)),
            colors=SLATE,
            linewidths=1.4 * P[i, j],
            alpha=0.6,
            zorder=1,
        )
    )
    ax.scatter(*queries.T, s=14, color=PALETTE[0], zorder=3, linewidths=0)
    ax.scatter(*keys.T, s=16, color=PALETTE[1], marker="D", zorder=2, linewidths=0)
    ax.margins(0.1)
    ax.autoscale_view()
    ax.set(xticks=[], yticks=[])
    ax.set_aspect("equal", adjustable="datalim")
    ax.spines[:].set_visible(False)


def _keys():
    dot = Line2D([], [], marker="o", color=PALETTE[0], linestyle="", markersize=4)
    diamond = Line2D([], [], marker="D", color=PALETTE[1], linestyle="", markersize=4)
    return [dot, diamond], ["queries $Qx_i$", "keys $Kx_i$"]


@figure("12", "The attention matrix in 10, 40 and 80 dimensions")
@styled
def high_rank(*, full: bool, seed: int) -> Drawn:
    schedule = {10: (0, 0.2, 1, 10), 40: (0, 0.5, 5, 10), 80: (0, 0.5, 1, 10)}
    fig = new_figure(9.6, 2.6 * len(schedule))
    rows, data, lines = np.atleast_2d(fig.subplots(len(schedule), 4)), {}, []
    for row, (d, times) in zip(rows, schedule.items()):
        M = np.random.default_rng([seed, d]).uniform(-1, 1, (d, d))
        P, ranks = _ranks(plain(M @ M.T), cube(40, d, seed, size=1.0), times, tol=1e-4)
        _matrices(row, P, times, ranks, np.argsort(P[-1].argmax(axis=1)))
        row[0].set_ylabel(f"$d = {d}$", color=INK)
        row[0].set_xlabel("tokens ordered by leader", color=INK) if d == 80 else None
        data |= {f"P_{d}": P, f"ranks_{d}": np.array(ranks)}
        lines.append([*ranks, int(np.linalg.matrix_rank(P[-1], tol=CLEAR))])
    held = all(ranks[0] >= 35 and ranks[-1] <= 2 for ranks in lines)
    expected = (
        f"rank at least 35 of 40 at first; in the end 1 or 2 singular values above {CLEAR:g} (almost every start)"
    )
    return Drawn(
        fig,
        data,
        expected,
        held,
        "; ".join(f"d = {d}: {r[:-1]}, clearly {r[-1]}" for d, r in zip(schedule, lines)),
        (RANK, TRUE_TIME),
    )
