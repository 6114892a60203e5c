"""What the figures of arXiv 2305.05465 share: rescaled runs, their attention matrices, rows of panels."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from matplotlib.collections import LineCollection
from scipy.linalg import expm
from scipy.spatial import ConvexHull, QhullError

from ....draw.plane import box_around, draw_plane
from ....draw.space import draw_space
from ....draw.style import SLATE, new_figure
from ....draw.view import View
from ....engine.attention import Softmax
from ....engine.evolution import evolve
from ....engine.evolution.trajectory import Trajectory
from ....engine.flow import Flow
from ....engine.flow.rescaled import rescale
from ....engine.measures import Particles
from ....engine.spaces import Euclidean
from ....errors import BadInput

TRUE_TIME = (
    "true solutions of the equation; the published pictures are forward Euler with step 0.1, whatever the text says"
)


def plain(V: Any = 1.0, B: Any = None) -> Flow:
    return Flow(Euclidean(), Softmax(B=B), V=V)


def cube(n: int, d: int, seed: int, *, size: float = 5.0) -> Particles:
    return Particles(np.random.default_rng(seed).uniform(-size, size, (n, d)))


def tokens_at(flow: Flow, mu: Particles, times, *, tol: float = 1e-9) -> np.ndarray:
    """Rescaled tokens (k, n, d) at the times of the panels."""
    return np.asarray(run_through(flow, mu, times, tol=tol).x)


def run_through(flow: Flow, mu: Particles, times, *, tol: float = 1e-9, method: str = "adaptive") -> Trajectory:
    """The run in z-variables, saved at the times of the panels."""
    run = evolve(rescale(flow), mu, until=float(times[-1]), save=[float(t) for t in times], tol=tol, method=method)
    if run.status.name != "DONE":
        raise BadInput(f"the run stopped early: {run.status}")
    return run


def attention_along(run: Trajectory) -> np.ndarray:
    """P (k, n, n) at the saved times of a run in z-variables."""
    if run.close is not None:
        return np.array([run.close.attention(run, k) for k in range(len(run.ts))])
    return np.array([_attention_of(run.flow.flow, np.asarray(z), float(t)) for z, t in zip(run.x, run.ts)])


def _attention_of(flow: Flow, z: np.ndarray, t: float) -> np.ndarray:
    """P at time t from rescaled tokens, without overflow: differences first, the huge factor last."""
    d = z.shape[1]
    V = np.asarray(flow.V, float) * (np.eye(d) if np.ndim(flow.V) == 0 else 1)
    top = np.linalg.eigvals(V).real.max()
    grown = z @ expm(t * (V - top * np.eye(d))).T
    pull = grown @ (float(flow.attention.score.beta) * np.asarray(flow.attention.score.B(d)))  # pyright: ignore[reportAttributeAccessIssue]
    best = np.argmax(pull @ grown.T, axis=1)
    gaps = np.einsum("id,ijd->ij", pull, grown[None] - grown[best][:, None])
    scale = np.exp(min(2 * top * t, 690.0))
    # The best token is chosen in floating point, so a gap may be positive by rounding; it counts as a tie.
    weights = np.exp(np.maximum(np.minimum(gaps, 0) * scale, -745.0))
    blur = 1e-13 * np.abs(pull).max(axis=1) * np.abs(grown).max() * d
    # Where rounding alone would decide, tokens of one vertex are represented by the first of them.
    tied = (-gaps <= blur[:, None]) & (blur * scale > 1)[:, None]
    first = np.where(tied.any(axis=1), tied.argmax(axis=1), best)
    weights[tied & (np.arange(len(z)) != first[:, None])] = 0
    weights[tied.any(axis=1), first[tied.any(axis=1)]] = 1
    return weights / weights.sum(axis=1, keepdims=True)


def panels(z: np.ndarray, times, *, colours=None, limits=None, polytope=None, names=None):
    """One panel per time, each in its own box unless `limits` is given; `polytope`: corners to draw the hull of."""
    d, count = z.shape[-1], len(times)
    across = count if count <= 4 else -(-count // 2)
    down = -(-count // across)
    fig = new_figure(2.45 * across, (2.75 if d == 3 else 2.6) * down)
    axes = np.atleast_1d(fig.subplots(down, across)).ravel()
    names = names or tuple(f"$z_{k + 1}$" for k in range(d))
    for ax, tokens, t in zip(axes, z, times):
        box = _snug(tokens) if limits is None else limits
        draw = draw_plane if d == 2 else draw_space
        draw(ax, tokens, colours=colours, limits=box, names=names)
        if polytope is not None and t >= times[-2]:
            _outline(ax, polytope, box)
        ax.set_title(f"$t = {t:g}$")
    return fig, axes


def _outline(ax, corners, box):
    """The edges of the hull of the corners; in space, seen as `draw_space` sees the box."""
    corners = np.asarray(corners, float)
    lines = corners[_edges(corners)]
    if corners.shape[1] == 3:
        low, high = box
        lines = View().of(2 * (lines - low) / (high - low) - 1)[..., :2]
    ax.add_collection(
        LineCollection(list(lines), colors=SLATE, linewidths=0.7, linestyles=[(0, (4, 3))], zorder=1.4), autolim=False
    )


def _edges(corners) -> np.ndarray:
    """Pairs of corners joined by an edge; all pairs when there are too few corners for a hull."""
    n, d = corners.shape
    if n <= d:
        return np.array(list(combinations(range(n), 2)), int).reshape(-1, 2)
    try:
        faces = ConvexHull(corners).simplices
    except QhullError:
        return np.zeros((0, 2), int)
    pairs = {tuple(sorted(pair)) for face in faces for pair in combinations(face.tolist(), 2)}
    return np.array(sorted(pairs), int)


def _snug(tokens, *, room: float = 0.08):
    if tokens.shape[-1] == 2:
        return box_around([tokens])
    low, high = tokens.min(axis=0), tokens.max(axis=0)
    margin = room * np.maximum(high - low, 1e-6 * np.abs(tokens).max())
    return low - margin, high + margin
