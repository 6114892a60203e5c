"""Geodesics with nonlocal mobility on the circle: characteristics keep their cyclic order, so a matching is one shift."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize_scalar

from .action import on_circle, shortest
from .quantiles import Quantile

COARSE = 8
"""Intervals used while searching for the shift."""


@dataclass(frozen=True)
class Ends:
    """Pieces of mass with where each starts and where it ends, as lifted angles."""

    start: np.ndarray
    end: np.ndarray
    mass: np.ndarray

    def squared(self) -> float:
        """The squared Wasserstein cost of moving every piece straight."""
        return float(self.mass @ (self.end - self.start) ** 2)


def ends(q0: Quantile, q1: Quantile, shift: float, pieces: int) -> Ends:
    """Cut [0, 1) where either quantile function jumps, and finer, so that pieces are smooth and small."""
    atoms = len(q0.breaks) and len(q1.breaks)
    jumps = np.unique(np.concatenate([[0.0, 1.0], q0.breaks, np.mod(q1.breaks - shift, 1.0)]))
    lengths = np.diff(jumps)
    keep = lengths > 1e-13
    cuts = np.maximum(1, np.round(lengths[keep] * pieces - 1e-9).astype(int)) if atoms or len(jumps) > 2 else [pieces]
    parts = [(a, b, n) for (a, b), n in zip(np.stack([jumps[:-1], jumps[1:]], 1)[keep], cuts)]
    s = np.concatenate([a + (b - a) * (np.arange(n) + 0.5) / n for a, b, n in parts])
    mass = np.concatenate([np.full(n, (b - a) / n) for a, b, n in parts])
    return Ends(q0(s), q1(s + shift), mass / mass.sum())


def straight(e: Ends, T: int, spread: float) -> np.ndarray:
    """Straight lines, fanned out symmetrically so that coinciding pieces may part."""
    t = np.linspace(0, 1, T + 1)[:, None]
    order = np.cumsum(e.mass) - e.mass / 2 - 0.5
    return (1 - t) * e.start + t * e.end + spread * order * np.sin(np.pi * t)


def geodesic(e: Ends, B: np.ndarray, T: int, *, spreads=(1e-3,), tol: float = 1e-12) -> tuple[float, np.ndarray]:
    """The least action found between fixed ends, and its path."""
    paths = [shortest(straight(e, T, spread), e.mass, B, on_circle, tol=tol) for spread in spreads]
    actions = [float(on_circle(path, e.mass, B)[0].mean()) for path in paths]
    best = int(np.argmin(actions))
    return actions[best], paths[best]


def refined(path: np.ndarray) -> np.ndarray:
    """Twice as many intervals, by linear interpolation."""
    out = np.empty((2 * len(path) - 1, *path.shape[1:]))
    out[::2], out[1::2] = path, (path[1:] + path[:-1]) / 2
    return out


def shift_range(q0, q1, B, pieces) -> tuple[float, float, float]:
    """Shifts outside this range cost more than the bounds of W_mob by W₂ allow; and the Wasserstein shift."""
    cost = lambda shift: ends(q0, q1, shift, pieces).squared()  # noqa: E731
    best = minimize_scalar(cost, bracket=(-0.5, 0.5), method="brent", options={"xtol": 1e-10})
    best = min([best.x, *aligned(q0, q1, best.x)], key=cost)
    reach = np.exp(2 * np.linalg.norm(B, 2)) * cost(best) * (1 + 1e-9)
    edges = [_edge(cost, best, sign, reach) for sign in (-1, 1)]
    return edges[0], edges[1], best


def _edge(cost, best, sign, reach):
    # The straight cost is convex in the shift, so its sublevel set is an interval.
    width = 1e-3
    while cost(best + sign * width) < reach and width < 4:
        width *= 1.5
    return best + sign * width


def aligned(q0: Quantile, q1: Quantile, near: float) -> list[float]:
    """Shifts next to a given one at which atoms match without being cut."""
    if not (len(q0.breaks) and len(q1.breaks)):
        return []
    levels = np.mod(q1.breaks[:, None] - q0.breaks[None, :], 1.0).ravel()
    levels = np.unique(np.concatenate([levels - 1, levels, levels + 1]) + np.floor(near))
    place = np.searchsorted(levels, near)
    return [float(v) for v in levels[max(0, place - 2) : place + 2]]


def best_shift(q0, q1, B, pieces, *, T: int, scan: int = 17) -> float:
    """The circulation of least action: scan coarsely, golden section, then the exact matchings nearby."""
    low, high, flat = shift_range(q0, q1, B, pieces)
    # Few pieces and steps place the minimum; the golden section at T steps then moves it a little.
    rough = lambda shift: _least(q0, q1, B, shift, min(pieces, 16), COARSE, 1e-9)  # noqa: E731
    fine = lambda shift: _least(q0, q1, B, shift, pieces, T, 1e-11)  # noqa: E731
    grid = np.sort(np.append(np.linspace(low, high, scan), flat))
    i = int(np.clip(np.argmin([rough(shift) for shift in grid]), 1, len(grid) - 2))
    near = _golden(rough, grid[i - 1], grid[i + 1], 1e-4)
    options = [near, float(flat), *aligned(q0, q1, near)]
    best = min(options, key=rough)
    if best != near:
        return best
    polished = _golden(fine, near - 0.005, near + 0.005, 1e-6)
    return min([polished, *aligned(q0, q1, polished)], key=fine)


def _least(q0, q1, B, shift, pieces, T, tol):
    return geodesic(ends(q0, q1, shift, pieces), B, T, tol=tol)[0]


def _golden(cost, low, high, tol):
    return float(minimize_scalar(cost, bounds=(low, high), method="bounded", options={"xatol": tol}).x)
