"""Steps of SciPy's DOP853, or of its Radau where the field is stiff, that stop where a watched number ceases to be positive.

Sliding modes begin and end at times that must be found to full precision, seldom, and with another field after each:
diffrax would compile its whole loop for every one of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import DOP853, Radau
from scipy.optimize import brentq

GROWN = 2.0
"""Implicit steps damp what grows by more than about this factor in its logarithm: they would follow what the flow leaves."""


class Stretch(NamedTuple):
    """States at the wanted times that were reached, and where and why the steps ended."""

    saved: dict[int, np.ndarray]
    t: float
    y: np.ndarray
    steps: int
    ending: str
    """DONE, EVENT, STEP_TOO_SMALL or OUT_OF_STEPS."""


def integrate_watched(
    field: Callable,
    watch: Callable,
    y0: np.ndarray,
    *,
    start: float,
    ts: np.ndarray,
    tol: float,
    max_steps: int,
    size: np.ndarray | float = 1.0,
    jacobian: Callable | None = None,
) -> Stretch:
    """y' = field(t, y) from the start through the increasing times ts, while watch(t, y) > 0; `size` is what errors are of.

    With a Jacobian steps are implicit, and end where one is too long for what grows.
    """
    # SciPy asks it of the mean square; events need some digits more. Errors of Radau are far below what it takes them for.
    shape, small = y0.shape, tol if jacobian else 0.1 * tol / np.sqrt(y0.size)
    flat = lambda t, y: field(t, y.reshape(shape)).reshape(-1)  # noqa: E731
    seen = lambda t, y: float(watch(t, y.reshape(shape)))  # noqa: E731
    slopes = (lambda t, y: jacobian(t, y.reshape(shape))) if jacobian else None
    saved = {int(k): y0 for k in np.flatnonzero(ts == start)}
    if seen(start, y0.reshape(-1)) <= 0:
        return Stretch(saved, start, y0, 0, "EVENT")
    way, how = (flat, start, y0.reshape(-1), float(ts[-1])), {"rtol": max(small, 1e-13), "atol": small * np.ravel(size)}
    solver: Any = Radau(*way, **how, jac=slopes) if slopes else DOP853(*way, **how)
    for step in range(max_steps):
        before, last = float(solver.t), solver.y
        solver.step()
        is_blind = slopes and _growth(slopes(solver.t, solver.y)) * (solver.t - before) > GROWN
        if solver.status == "failed" or is_blind:
            return Stretch(saved, before, last.reshape(shape), step, "STEP_TOO_SMALL")
        inside, t = solver.dense_output(), float(solver.t)
        if happened := seen(t, solver.y) <= 0:
            t = _first(lambda s, inside=inside: seen(s, inside(s)), before, t)
        saved |= {int(k): inside(ts[k]).reshape(shape) for k in np.flatnonzero((ts > before) & (ts <= t))}
        if happened or solver.status == "finished":
            y = (inside(t) if happened else solver.y).reshape(shape)
            return Stretch(saved, t, y, step + 1, "EVENT" if happened else "DONE")
    return Stretch(saved, float(solver.t), solver.y.reshape(shape), max_steps, "OUT_OF_STEPS")


def _first(watch: Callable, before: float, after: float) -> float:
    """Where the number has just ceased to be positive: a root may lie on either side of a jump."""
    root: Any = brentq(watch, before, after, xtol=1e-13)
    t, further = float(root), 1e-13
    while t < after and watch(t) > 0:
        t, further = min(t + further, after), 2 * further
    return t


def _growth(J: np.ndarray) -> float:
    """The fastest growth of small differences."""
    return float(np.linalg.eigvals(J).real.max()) if np.isfinite(J).all() else np.inf
