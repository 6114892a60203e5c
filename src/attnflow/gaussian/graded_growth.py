"""Fates of softmax covariances from runs of graded columns: judged on the decades of the trace, and of time, passed."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from .graded_columns import Record, Scores, follow, follow_all
from .growth import Growth

TALL = 15 * np.log(10)
"""The least growth of log tr that shows a law: bursts of ten decades end at rest."""

EVEN, UNEVEN = 1.05, 1.5
"""Ratios of the times that equal parts of a climb take: growth is exponential if they are all but equal, and blows up if they
shrink all the way. Softmax covariances may climb in bursts, so laws between tr' ~ tr and tr' ~ tr² occur."""

LASTING = 0.85
"""The least part of its pace, as a power of tr, that a blow-up keeps."""

FLAT = 0.01
"""Powers of t that are none."""

BLURRED = 0.05
"""The share of steps that rounding makes beyond which a run says nothing."""

FALL = 0.1
"""Falls of log tr after a burst."""

ALIKE = 6
"""How many bursts must be alike to tell the law of all that follow."""

FURTHER = 1e8
"""How many times longer than asked for a run goes on: its steps lengthen with time, and slow bursts show only then."""


def graded_growths(scores: Scores, starts, *, until) -> list[Growth]:
    """The fates of many covariances; of what happens after `until` nothing is said."""
    rests = Growth("bounded", 0.0, np.nan, until)
    if not scores.size > 0:
        return [rests] * len(starts)
    end = jnp.asarray(until, starts.dtype)
    seen = jax.tree.map(np.asarray, follow_all(scores, starts, end))
    short = [Record(*(part[k] for part in seen)) for k in range(len(starts))]
    return [
        _judged(run if run.is_over else jax.tree.map(np.asarray, follow(scores, L, end)), until) if np.any(L) else rests
        for L, run in zip(starts, short)
    ]


def _judged(seen: Record, until) -> Growth:
    count = int(seen.steps)
    if seen.blurred > BLURRED * count:
        return Growth("unresolved", np.nan, np.nan, float(np.nansum(seen.h)))
    return fate_of_record(seen.h[:count], seen.log_trace[:count], float(seen.start), until)


def fate_of_record(h, log, start, until) -> Growth:
    """The fate of one run from the lengths of its steps and the log traces after them."""
    t, left = np.cumsum(h), np.append(np.cumsum(h[::-1])[::-1][1:], 0.0)
    if len(t) < 20 or not np.isfinite(log[-1]):
        return Growth("unresolved", np.nan, np.nan, float(t[-1]) if len(t) else 0.0)
    reached, powers = float(t[-1]), _powers(t, log)
    if reached >= until and np.all(np.abs(powers) < FLAT):
        return Growth("bounded", 0.0, np.nan, reached)
    if reached >= until and np.all(np.abs(powers[:3] + 1) < 0.3):
        return Growth("decay", -1.0, np.nan, reached)
    if reached >= until and np.all(powers[:4] > 0.05) and np.ptp(powers[:4]) < 0.1 * powers[0]:
        return Growth("slow growth", np.nan, np.nan, reached)
    return _of_bursts(log, left, reached) or _of_climb(log, left, start, reached)


def _powers(t, log):
    """The powers of t by which the trace grew in each of the last five decades of time, the last first; NaN before the run."""
    x = np.log(t[-1]) - np.log(10) * np.arange(6)
    return -np.diff(np.interp(x, np.log(t), log, left=np.nan)) / np.log(10)


def _of_bursts(log, left, reached) -> Growth | None:
    """What the pauses between bursts say, if each is the last one on another scale; None if there are few or they differ."""
    peaks = _peaks(log)[-ALIKE:]
    if len(peaks) < ALIKE:
        return None
    pauses, gains = -np.diff(left[peaks]), np.diff(log[peaks])
    if pauses.min() <= 0:
        return None
    ratios = pauses[1:] / pauses[:-1]
    if np.ptp(gains) > 0.05 * gains[-1] or np.ptp(ratios) > 0.05 * ratios[-1]:
        return None
    ratio, rate = ratios[-1], float(gains[-1] / pauses[-1])
    if ratio > 1 / EVEN:
        slow, even = Growth("slow growth", np.nan, np.nan, reached), Growth("exponential growth", 1.0, rate, reached)
        return slow if ratio > EVEN else even
    return Growth("blow-up", np.inf, rate, reached - float(left[peaks[-1]] - pauses[-1] * ratio / (1 - ratio)))


def _peaks(log):
    """Where the trace was at its largest so far, and then fell."""
    is_record = log >= np.maximum.accumulate(log)
    records = np.flatnonzero(is_record)
    lows = np.minimum.reduceat(log, records)
    return records[log[records] - lows > FALL]


def _of_climb(log, left, start, reached) -> Growth:
    """What the times say that the last three quarters of the climb took, and whether the run was still near its top."""
    top, climbed = log.max(), log.max() - start
    levels = top - climbed * np.array([0.75, 0.5, 0.25, 0.0])
    passed = np.array([_first_passage(log, left, level) for level in levels])
    times = -np.diff(passed)
    if climbed < TALL or np.any(times <= 0) or passed[-1] > 1e3 * times[-1]:
        return Growth("unresolved", np.nan, np.nan, reached)
    ratios, rate = times[1:] / times[:-1], float(climbed / 4 / times[-1])
    if np.all((ratios > 1 / EVEN) & (ratios < EVEN)):
        return Growth("exponential growth", 1.0, rate, reached)
    # Where log tr grows exponentially times shrink too, by less and less: that is no blow-up.
    if np.all(ratios < 1 / UNEVEN) and np.log(ratios[1]) < LASTING * np.log(ratios[0]):
        return Growth("blow-up", np.inf, rate, reached + float(times[-1] * ratios[-1] / (1 - ratios[-1])))
    return Growth("unresolved", np.nan, np.nan, reached)


def _first_passage(log, left, level):
    """The time left when log tr first passes the level."""
    k = int(np.argmax(log >= level))
    if k == 0:
        return left[0]
    share = (level - log[k - 1]) / (log[k] - log[k - 1])
    return left[k] + (1 - share) * (left[k - 1] - left[k])
