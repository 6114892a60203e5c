"""Paths of tokens coloured by their leaders: the tokens that they listen to most when the run ends."""

from __future__ import annotations

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb

from ...engine.flow import attention_matrix
from ...engine.measures import Particles
from ...errors import BadInput
from ..style import INK, PALETTE, SLATE, styled


@styled
def draw_leaders(ax, run, *, leaders=None):
    """The way of every token in the colour of its leader, crosses where leaders end.

    In one dimension the token over time; in three and more the two directions in which the last tokens differ most.
    `leaders`, one index per token (−1: none), are those of `limit` for instance; by default `leaders_of(run)`.
    """
    x = np.asarray(run.x, float)
    if x.ndim != 3 or not np.isfinite(x).all():
        raise BadInput(f"leaders are drawn for one run of finite tokens, got x of shape {x.shape}")
    leaders = leaders_of(run) if leaders is None else np.asarray(leaders)
    if leaders.shape != x.shape[1:2]:
        raise BadInput(f"leaders must name one token for each of {x.shape[1]} tokens, got shape {leaders.shape}")
    flat = _flat(x, np.asarray(run.ts, float))
    tints = by_leader(leaders)
    ax.add_collection(LineCollection(list(flat.swapaxes(0, 1)), colors=tints, linewidths=0.8, alpha=0.6))
    ax.scatter(*flat[-1].T, s=14, c=tints, linewidths=0, zorder=3)
    heads = np.unique(leaders[leaders >= 0])
    ax.scatter(*flat[-1, heads].T, marker="x", s=36, color=INK, linewidths=1.2, zorder=4, label="leaders")
    ax.autoscale_view()
    if x.shape[-1] == 1:
        ax.set(xlabel="time $t$", ylabel="token")
    else:
        ax.set_aspect("equal")
    return ax


def leaders_of(run) -> np.ndarray:
    """For every token the one it listens to most at the last saved time; with several heads, on their average.

    Of several that have met, and weigh the same to a thousandth, it is the first.
    """
    if not isinstance(run.states, Particles) or run.flow is None:
        raise BadInput("leaders are of a run of tokens that knows its flow")
    weights = np.asarray(attention_matrix(run.flow, run.last, t=float(run.ts[-1])), float)
    weights = weights.reshape(-1, *weights.shape[-2:]).mean(axis=0)
    return np.argmax(weights >= (1 - 1e-3) * weights.max(axis=1, keepdims=True), axis=1)


def by_leader(leaders) -> list:
    """A colour for every token: that of its leader; darker and lighter ones when there are more leaders than colours."""
    leaders = np.asarray(leaders)
    bright = np.array([to_rgb(colour) for colour in PALETTE])
    table = [*PALETTE, *(tuple(c) for c in 0.55 * bright), *(tuple(c) for c in 0.5 + 0.5 * bright)]
    names = {leader: k for k, leader in enumerate(np.unique(leaders[leaders >= 0]))}
    return [table[names[leader] % len(table)] if leader >= 0 else SLATE for leader in leaders]


def _flat(x: np.ndarray, ts: np.ndarray) -> np.ndarray:
    """Saved tokens (k, n, d) in the plane (k, n, 2)."""
    if x.shape[-1] == 1:
        return np.stack([np.broadcast_to(ts[:, None], x.shape[:2]), x[..., 0]], axis=-1)
    if x.shape[-1] == 2:
        return x
    centred = x[-1] - x[-1].mean(axis=0)
    return x @ np.linalg.svd(centred, full_matrices=False)[2][:2].T
