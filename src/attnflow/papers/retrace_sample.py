"""Of prompts too large to be integrated anew, a sample of tokens; the others are carried from one saved state to the next.

Between two saved states all tokens are on cubic curves that have the velocities of the flow at both ends. How far the
sample leaves these curves half-way says how good they are, and what that changes is part of what is allowed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.interpolate import CubicHermiteSpline

LARGE = 700
"""Tokens up to which all of them are integrated anew."""
SIGHT, PAIRS = 2e5, 3e8
"""Pairs that a velocity of the sample looks at, and all that are looked at: some five seconds."""
BLOCK = 4e6
"""Pairs that are held in memory at once."""
STEPS = 32
"""Of the fourth-order method, between two saved times; half of them tell its error."""

Fields = Callable[[np.ndarray], Callable[..., np.ndarray]]
"""For the numbers of some tokens, their velocities at a time, from their places and those of all tokens."""


def sampled(fields: Fields, x, ts, order, *, error: float, unsure: float) -> tuple[float, float]:
    """The largest distance of saved tokens from where the sample goes, over what is allowed, and its time; NaN if unknown."""
    n, rng = x.shape[1], np.random.default_rng(0)
    rows = np.sort(rng.choice(n, min(n, max(20, int(SIGHT / n))), replace=False))
    most = int(PAIRS / (2 * n**2 + 4 * 5.5 * STEPS * len(rows) * n))
    found = [(_off(fields, rows, x[[k, k + 1]], ts[[k, k + 1]], error, unsure), float(ts[k + 1])) for k in order[:most]]
    return max((one for one in found if not np.isnan(one[0])), default=(np.nan, np.nan))


def velocities(fields: Fields, t, x) -> np.ndarray:
    """Of all tokens, some at a time."""
    n = len(x)
    parts = np.array_split(np.arange(n), int(n**2 / BLOCK) + 1)
    return np.concatenate([fields(some)(t, x[some], x) for some in parts])


def _off(fields, rows, pair, ts, error, unsure) -> float:
    size, rng, field = np.abs(pair).max(), np.random.default_rng(1), fields(rows)
    curve = CubicHermiteSpline(ts, pair, [velocities(fields, t, y) for t, y in zip(ts, pair)])
    start, beside = pair[0][rows], error * size * rng.normal(size=pair[0][rows].shape)
    here = _carried(field, start, ts, curve, rows)
    missed = np.abs(here[0] - curve(ts.mean())[rows]).max()
    rise = lambda t: missed * (4 * (t - ts[0]) * (ts[1] - t) / (ts[1] - ts[0]) ** 2) ** 2  # noqa: E731
    bent = lambda way: lambda t: curve(t) + rise(t) * way  # noqa: E731
    near = [_carried(field, start + way * beside, ts, curve, rows) for way in (1, -1)]
    # Curves that are off by chance, and all of them inwards.
    near += [_carried(field, start, ts, bent(way), rows) for way in (rng.normal(size=pair[0].shape), -pair[0] / size)]
    coarse = _carried(field, start, ts, curve, rows, steps=STEPS // 2)
    grown = max(np.abs(one[1] - here[1]).max() for one in (*near, coarse))
    allowed = 3 * (grown + error * size + missed**2 / size)
    off = np.abs(here[1] - pair[1][rows]).max()
    return float(off / allowed) if allowed < unsure * size else np.nan


def _carried(field, y, ts, curve, rows, steps=STEPS):
    """The sample half-way and at the end, by the classical fourth-order method."""
    h, states = (ts[1] - ts[0]) / steps, [y]

    def rate(t, y):
        keys = curve(t)
        keys[rows] = y
        return field(t, y, keys)

    for t in ts[0] + h * np.arange(steps):
        k1 = rate(t, y)
        k2 = rate(t + h / 2, y + h / 2 * k1)
        k3 = rate(t + h / 2, y + h / 2 * k2)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(t + h, y + h * k3))
        states.append(y)
    return states[steps // 2], y
