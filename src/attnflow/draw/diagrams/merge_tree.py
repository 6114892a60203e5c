"""Merge tree of a run: clusters as branches over time, as wide as they are heavy."""

from __future__ import annotations

import numpy as np
from matplotlib.collections import PolyCollection

from ...engine.observe.merge_tree import merge_tree
from ...theory.limits.gathering import Gathering
from ..curve import is_geometric, plain_ticks
from ..style import GREY, SLATE, styled

WIDTH = 0.62
"""The height of a branch that holds all tokens: between branches some room stays free."""


@styled
def draw_merge_tree(ax, groups: Gathering, mass, *, colours=None, log_time=None):
    """Branches of clusters that meet as time goes on; the height of a branch grows with its share of the tokens.

    There is room between branches, so a bar at the side says how high one half of the tokens is.

    `colours` (n, 4) are those of the tokens; a branch has the colour of most of its mass.
    """
    mass = np.asarray(mass, float)
    tree = merge_tree(groups.ts, groups.labels, mass)
    is_log = is_geometric(groups.ts) if log_time is None else log_time
    ts = np.asarray(groups.ts, float)
    if is_log:
        ts = np.maximum(ts, ts[ts > 0][0] / 1.5)
    bands, tints = [], []
    for node in tree.nodes:
        if node.above is None:
            continue
        whole = tree.nodes[node.above]
        half, place = WIDTH * node.mass / 2, _landing(tree, node, whole)
        a, b = ts[node.time], ts[whole.time]
        bands.append([(a, node.place - half), (b, place - half), (b, place + half), (a, node.place + half)])
        tints.append(_tint(groups, node, mass, colours))
    ax.add_collection(PolyCollection(bands, facecolors=tints, edgecolors=tints, linewidths=0.3))
    _spread_out(ax, ts, groups.counts)
    # Long before the first cluster a logarithmic axis shows nothing.
    first = max(ts[0], ts[int(np.argmax(groups.counts > 0))] / 20) if is_log else ts[0]
    if ts[-1] > first:
        ax.set_xlim(first, ts[-1])
    ax.set(ylim=(-0.02, 1.02), xlabel="time $t$", yticks=[], ylabel="clusters")
    half, frame = [0.5 - WIDTH / 4, 0.5 + WIDTH / 4], ax.get_yaxis_transform()
    ax.plot([1.02, 1.02], half, color=SLATE, linewidth=1.5, transform=frame, clip_on=False, solid_capstyle="butt")
    ax.text(1.035, 0.5, "half of the tokens", transform=frame, color=SLATE, fontsize=8, rotation=90, va="center")
    if is_log:
        ax.set_xscale("log")
    plain_ticks(ax)
    return ax


def _landing(tree, node, whole) -> float:
    """Branches that meet arrive side by side within the branch they form."""
    mates = sorted((n for n in tree.nodes if n.above == node.above), key=lambda n: n.place)
    below = sum(n.mass for n in mates[: mates.index(node)]) + node.mass / 2
    total = sum(n.mass for n in mates)
    return whole.place + WIDTH * (below - total / 2)


def _tint(groups, node, mass, colours):
    if colours is None:
        return GREY
    members = groups.groups[node.time].labels == node.label
    tints, kind = np.unique(np.asarray(colours)[members], axis=0, return_inverse=True)
    return tuple(tints[np.argmax(np.bincount(kind.ravel(), mass[members]))])


def _spread_out(ax, ts, counts):
    """Say where there are no clusters."""
    spread = np.flatnonzero(counts == 0)
    if not len(spread):
        return
    last = int(spread[0] + np.argmin(np.append(counts[spread[0] :] == 0, False)) - 1)
    if spread[0] == 0 and last > 0:
        ax.axvspan(ts[0], ts[last], color="#EEF2F6", linewidth=0, zorder=0)
        # Upright, at the left end: the time without clusters may be short, and bands begin where it ends.
        ax.text(0.005, 0.5, "spread out", transform=ax.transAxes, color=SLATE, fontsize=8, rotation=90, va="center")
