"""Fates of softmax covariances from runs of graded columns: judged on the decades of the trace, and of time, passed."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from .graded_columns import TOP, Scores, follow_all

TALL = 25 * np.log(10)
"""The least growth of log tr that shows a law: bursts of ten decades end at rest."""

EVEN, STEEP = 0.02, 0.4
"""Powers q of the law tr'/tr ~ tr^q: below the first growth is exponential, above the second a blow-up (1 for softmax)."""

FLAT = 0.02
"""Changes of log tr that are none."""


def graded_fates(scores: Scores, starts, *, until, max_steps) -> list[tuple[str, float, float]]:
    """The fate of each covariance, the rate of exponential growth, and the time reached."""
    seen = follow_all(scores, starts, jnp.asarray(until, starts.dtype), jnp.asarray(max_steps))
    seen = {name: np.asarray(value) for name, value in seen.items()}
    return [fate_of_record(t, log, start) for t, log, start in zip(seen["t"], seen["log_trace"], seen["start"])]


def fate_of_record(t, log, start) -> tuple[str, float, float]:
    """Growth or blow-up of one run from its times and log traces; nothing is said of other fates."""
    reached, is_known = float(np.max(t)), np.isfinite(t) & np.isfinite(log)
    order = np.argsort(t[is_known], kind="stable")
    t, log = np.append(0.0, t[is_known][order]), np.append(start, log[is_known][order])
    if len(t) < 8:
        return "unresolved", np.nan, reached
    climbed = log[-1] - max(start, 0.0)
    if climbed >= TALL and not _rests(t, log):
        return *_of_growth(t, log, climbed), reached
    return "unresolved", np.nan, reached


def _rests(t, log) -> bool:
    """Whether the trace has stood still over the last two decades of time, long after it came near where it is."""
    near = t[np.argmax(np.abs(log - log[-1]) < 0.5)]
    powers = _powers(t, log)
    return bool(t[-1] > 1e3 * max(near, t[1]) and np.all(np.abs(powers[:2]) < FLAT))


def _powers(t, log):
    """The powers of t by which the trace grew in each of the last three decades of time, the last one first."""
    x = np.log(t[-1]) - np.log(10) * np.arange(4)
    return -np.diff(np.interp(x, np.log(np.maximum(t, 1e-300)), log)) / np.log(10)


def _of_growth(t, log, climbed) -> tuple[str, float]:
    """What the law of the rate over the last two of three parts of the climb says; of a blow-up only at the very top."""
    levels = log[-1] - climbed * np.array([0.7, 0.35, 0.0])
    first = [int(np.argmax(log >= level)) for level in levels]
    (t0, t1, t2), (y0, y1, y2) = t[first], log[first]
    if not t2 > t1 > t0:
        return ("blow-up" if climbed > 0.99 * TOP else "unresolved"), np.nan
    before, after = (y1 - y0) / (t1 - t0), (y2 - y1) / (t2 - t1)
    power = 2 * np.log(after / before) / (y2 - y0)
    if abs(power) < EVEN:
        return "exponential growth", float(after)
    return ("blow-up" if power > STEEP and climbed > 0.99 * TOP else "unresolved"), np.nan
