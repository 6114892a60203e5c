"""Fates of softmax covariances from runs of graded columns: judged on the decades of the trace, and of time, passed."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from .graded_columns import TOP, Scores, follow_all

TALL = 15 * np.log(10)
"""The least growth of log tr that shows a law: bursts of ten decades end at rest."""

EVEN, STEEP = 0.05, 0.4
"""Powers q of the law tr'/tr ~ tr^q: below the first growth is exponential, above the second a blow-up (1 for softmax)."""

STEADY = 1e-3
"""By how much rates of parts of a climb may differ: where bursts drive it, none is told."""

FLAT = 0.02
"""Changes of log tr that are none."""

BURSTS = 0.6
"""The least part of the mean by which heights rise in each half of the last six decades of time: growth by bursts."""

QUIET = 4
"""Decades of time without a new height after which a trace is called bounded."""

RETURN = 5
"""How many times as long as a column fell until it was let go a trace must have stood still before it is called bounded."""

FADES, RISES = -0.25, 0.03
"""Powers of t below which it may decay, and above which it may come to a new height."""


def graded_fates(scores: Scores, starts, *, until, max_steps) -> list[tuple[str, float, float]]:
    """The fate of each covariance, the rate of exponential growth, and the time reached."""
    seen = follow_all(scores, starts, jnp.asarray(until, starts.dtype), jnp.asarray(max_steps))
    seen = {name: np.asarray(value) for name, value in seen.items()}
    return [fate_of_record(*one) for one in zip(*(seen[name] for name in ("t", "log_trace", "start", "lost")))]


def fate_of_record(t, log, start, lost=np.inf) -> tuple[str, float, float]:
    """Growth, blow-up or bounds of one run from its times and log traces, and when it lost a column; decay is left open."""
    reached, is_known = float(np.max(t)), np.isfinite(t) & np.isfinite(log)
    order = np.argsort(t[is_known], kind="stable")
    t, log = np.append(0.0, t[is_known][order]), np.append(start, log[is_known][order])
    if len(t) < 8:
        return "unresolved", np.nan, reached
    climbed = log[-1] - max(start, 0.0)
    fate, rate = _of_growth(t, log, climbed) if climbed >= TALL and not _rests(t, log) else ("unresolved", np.nan)
    return (fate, rate, reached) if fate != "unresolved" else (_of_heights(t, log, lost), np.nan, reached)


def _of_heights(t, log, lost) -> str:
    """What the heights reached in time say: they rise by a power of t, or no more."""
    heights, x = np.maximum.accumulate(log), np.log(np.maximum(t, 1e-300))
    if is_quiet(t, log):
        # A column that was let go might have lifted the trace again, but would have needed about as long as for its fall.
        return "bounded" if np.isinf(lost) or t[-1] > RETURN * lost else "unresolved"
    rises = np.diff(np.interp(x[-1] - np.log(10) * np.array([6, 3, 0]), x, heights))
    is_even = rises.min() > BURSTS * rises.mean() and rises.sum() > TALL / 3
    return "slow growth" if is_even and t[-1] > 1e6 * t[1] else "unresolved"


def is_quiet(t, log) -> bool:
    """Whether a trace has seen no new height for decades of time, and neither decays nor rises."""
    if len(t) <= QUIET:
        return False
    rest, powers = np.log10(t[-1] / max(t[np.argmax(log)], t[1])), _powers(t, log)[:2]
    return bool(rest > QUIET - 0.01 and np.all((FADES < powers) & (powers < RISES)))


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
        return "exponential growth", float(after) if abs(after / before - 1) < STEADY else np.nan
    return ("blow-up" if power > STEEP and climbed > 0.99 * TOP else "unresolved"), np.nan
