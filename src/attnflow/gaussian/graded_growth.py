"""Fates of softmax covariances from runs of graded columns: judged on the decades of the trace, and of time, passed."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from .graded_columns import Scores, follow
from .growth import Growth

TALL = 15 * np.log(10)
"""The least growth of log tr that shows a law: bursts of ten decades end at rest."""

EVEN, UNEVEN = 1.05, 1.5
"""Ratios of the times that equal parts of a climb take: growth is exponential if they are all but equal; if they shrink all the
way it blows up, if they lengthen it is slow. Softmax covariances may climb in bursts, so laws between tr' ~ tr and tr' ~ tr² occur."""

FLAT = 0.01
"""Powers of t that are none."""

BLURRED = 0.05
"""The share of steps that rounding makes beyond which a run says nothing."""

STEPS = 30_000

FURTHER = 1e8
"""How many times longer than asked for a run goes on: its steps lengthen with time, and slow bursts show only then."""


def graded_growth(scores: Scores, L, *, until, max_steps=STEPS) -> Growth:
    """The fate of one covariance; of what happens after `until` nothing is said."""
    seen = follow(scores, L, jnp.asarray(until, L.dtype), jnp.asarray(max_steps))
    count = int(seen.steps)
    if seen.blurred > BLURRED * count:
        return Growth("unresolved", np.nan, np.nan, float(np.nansum(seen.h)))
    return fate_of_record(np.asarray(seen.h)[:count], np.asarray(seen.log_trace)[:count], float(seen.start))


def fate_of_record(h, log, start) -> Growth:
    """The fate of one run from the lengths of its steps and the log traces after them."""
    t, left = np.cumsum(h), np.append(np.cumsum(h[::-1])[::-1][1:], 0.0)
    if len(t) < 20 or not np.isfinite(log[-1]):
        return Growth("unresolved", np.nan, np.nan, float(t[-1]) if len(t) else 0.0)
    reached, powers = float(t[-1]), _powers(t, log)
    if np.all(np.abs(powers[:5]) < FLAT):
        return Growth("bounded", 0.0, np.nan, reached)
    if np.all(np.abs(powers[:3] + 1) < 0.3):
        return Growth("decay", -1.0, np.nan, reached)
    if np.all(powers[:4] > 0.05) and np.ptp(powers[:4]) < 0.1 * powers[0]:
        return Growth("slow growth", np.nan, np.nan, reached)
    return _of_climb(log, left, start, reached)


def _powers(t, log):
    """The powers of t by which the trace grew in each of the last five decades of time, the last one first; NaN before the run."""
    x = np.log(t[-1]) - np.log(10) * np.arange(6)
    return -np.diff(np.interp(x, np.log(t), log, left=np.nan)) / np.log(10)


def _of_climb(log, left, start, reached) -> Growth:
    """What the times say that the last three quarters of the climb took, and whether the run was still near its top."""
    top, climbed = log.max(), log.max() - start
    levels = top - climbed * np.array([0.75, 0.5, 0.25, 0.0])
    passed = np.array([_first_passage(log, left, level) for level in levels])
    times = -np.diff(passed)
    if climbed < TALL or np.any(times <= 0) or passed[-1] > 10 * times[-1]:
        return Growth("unresolved", np.nan, np.nan, reached)
    ratios, rate = times[1:] / times[:-1], float(climbed / 4 / times[-1])
    if np.all((ratios > 1 / EVEN) & (ratios < EVEN)):
        return Growth("exponential growth", 1.0, rate, reached)
    if np.all(ratios < 1 / UNEVEN):
        return Growth("blow-up", np.inf, rate, reached + float(times[-1] * ratios[-1] / (1 - ratios[-1])))
    return Growth("slow growth" if np.all(ratios > UNEVEN) else "unresolved", np.nan, np.nan, reached)


def _first_passage(log, left, level):
    """The time left when log tr first passes the level."""
    k = int(np.argmax(log >= level))
    if k == 0:
        return left[0]
    share = (level - log[k - 1]) / (log[k] - log[k - 1])
    return left[k] + (1 - share) * (left[k - 1] - left[k])
