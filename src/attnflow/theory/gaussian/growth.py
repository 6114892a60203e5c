r"""Growth of the covariance over decades of its own clock $d\sigma = (1 + \mathrm{tr}\,\Sigma)\,dt$.

Covariances that grow without blow-up are pressed against planes where scores vanish: stiff, the more the larger they are.
An implicit method follows them in few steps, and the slope of $\log \mathrm{tr}$ against $\log\sigma$ tells fates apart:
large for blow-up, 1 for exponential growth, 0 for a limit, −1 for decay. Source: derived from Castin et al. 2025.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import equinox as eqx
import jax.numpy as jnp
import numpy as np

from ...engine.attention import L2, Sinkhorn
from ...engine.evolution.integrators.batched import abreast
from ...engine.evolution.integrators.level_crossing import EXPLICIT, Method, climb_levels
from ...engine.evolution.integrators.linearly_implicit import stiff_step
from ...engine.linalg.matrices import is_scheduled
from .factor_field import factor_field
from .graded_columns import scores_of_heads
from .graded_growth import STEADY, graded_fates

CLOCK = 10.0 ** np.arange(-2, 22.25, 0.5)
"""Values of σ, in units of the first size of the flow, at which the trace is recorded."""

TALL = 1e8
"""The least growth of the trace after which growth that cannot be faster than exponential is called exponential."""

TOP = 1e20
"""Traces, in units of the first or of one, at which a run ends: some grow like a blow-up over ten decades, and then rest."""

TRUSTED = 1e11
"""Beyond this value of the clock rounding decides how a covariance leaves a plane."""

SLOPES = {"blow-up": np.inf, "exponential growth": 1.0}
"""Of log tr against log σ at last."""

IMPLICIT = Method(partial(stiff_step, levels=6), 6)

PASSES = ((IMPLICIT, 1e-8, 1), (IMPLICIT, 1e-7, 5), (EXPLICIT, 1e-9, 100))
"""Methods, tolerances, and shares of the steps, of the first run and of those for fates that it leaves open.

Scores that vanish on a covariance of trace τ are known to about 1e-16 τ: more digits would stop implicit runs early. What turns
for ever is not stiff: it needs steps, and explicit steps are cheap."""


GRADED, AGAIN = 30, 3
"""How many times more steps runs by graded columns are given, where bursts take hundreds each; and where they only see again."""

SAME = 1e-5
"""By how much two blow-up times may differ that are the same: those of graded columns have six digits."""


class Growth(NamedTuple):
    """What became of one covariance: its fate, the slope of log tr against log σ, the rate of growth, the time reached."""

    fate: str
    slope: float
    rate: float
    reached: float


def growths(flow, starts, *, until, max_steps) -> list[Growth]:
    """The fates of many covariances; those that the first run leaves open are followed again, under softmax attention by columns
    of their own sizes, then with fewer digits and more steps, and at last by many explicit steps.

    Rates and times of growth are those of columns of their own sizes too, which see many more decades of it.
    """
    found: list = [None] * len(starts)
    is_tame, scores = is_at_most_exponential(flow, starts.shape[-2]), scores_of_heads(flow, starts.shape[-2])
    for k_pass, (method, tol, share) in enumerate(PASSES):
        left = [k for k, one in enumerate(found) if one is None or one.fate == "unresolved"]
        if k_pass == 1 and scores is not None:
            _see_again(scores, starts, found, until, max_steps)
            left = _by_graded_columns(scores, starts, found, left, until, GRADED * max_steps)
        if left:
            end, room = (jnp.asarray(number, starts.dtype) for number in (until, tol))
            seen = _follow_all(flow, starts[np.array(left)], end, room, jnp.asarray(share * max_steps), method)
            seen = {name: np.asarray(value) for name, value in seen.items()}
            for row, k in enumerate(left):
                found[k] = judge_growth({name: value[row] for name, value in seen.items()}, until, is_tame=is_tame)
    return found


def is_at_most_exponential(flow, d: int) -> bool:
    r"""Whether $|\Sigma'|\le c|\Sigma|$ for a constant c: Sinkhorn plans, and L2 attention whose keys tell all tokens apart."""
    if is_scheduled(flow):
        return False
    return all(_is_tame(rule, d) for rule in flow.attention.parts())


def _is_tame(rule, d) -> bool:
    if isinstance(rule, L2):
        K = np.asarray(rule.score.keys(jnp.eye(d)))
        return not rule.is_affine() and K.shape[1] >= d and bool(np.linalg.cond(K) < 1e8)
    return isinstance(rule, Sinkhorn) and rule.iterations is None


def _by_graded_columns(scores, starts, found, rows, until, max_steps):
    """What runs of graded columns see is written down; the other rows are returned."""
    if not rows:
        return rows
    fates = graded_fates(scores, starts[np.array(rows)], until=until, max_steps=max_steps)
    seen = {k: one for k, one in zip(rows, fates) if one[0] != "unresolved"}
    for k, (fate, rate, reached) in seen.items():
        found[k] = Growth(fate, SLOPES.get(fate, np.nan), rate, reached)
    return [k for k in rows if k not in seen]


def _see_again(scores, starts, found, until, max_steps):
    """What is said to grow is followed by graded columns too: their rates are those of many more decades."""
    first, growing = list(found), [k for k, one in enumerate(found) if one.fate in SLOPES]
    for k in _by_graded_columns(scores, starts, found, growing, until, AGAIN * max_steps):
        found[k] = first[k]._replace(rate=np.nan)
    for k in growing:
        one, again = first[k], found[k]
        # Of two blow-up times that agree the first has more digits.
        if one.fate == again.fate == "blow-up" and abs(one.reached - again.reached) < SAME * again.reached:
            found[k] = one


@eqx.filter_jit
def _follow_all(flow, starts, until, tol, max_steps, method):
    return abreast(lambda L: _follow(flow, L, until, tol, max_steps, method), starts)


def _follow(flow, L, until, tol, max_steps, method):
    shape, start = L.shape, jnp.maximum(1.0, jnp.sum(L**2))

    def field(state):
        L, t = state[:-2].reshape(shape), state[-2]
        speed = 1 / (1 + jnp.sum(L**2))
        return jnp.concatenate([(factor_field(flow, L, t) * speed).ravel(), speed[None], jnp.ones(1, L.dtype)])

    def scale(state):
        return jnp.append(jnp.full(state.size - 2, jnp.max(jnp.abs(state[:-2]))), state[-2:])

    def is_over(state):
        return (state[-2] >= until) | (jnp.sum(state[:-2] ** 2) > TOP * start)

    seen = climb_levels(
        field, jnp.append(L.ravel(), jnp.zeros(2, L.dtype)), levels=jnp.asarray(CLOCK, L.dtype), height=lambda state: state[-1],
        scale=scale, is_over=is_over, tol=tol, max_steps=max_steps, method=method,
    )  # fmt: skip
    trace = jnp.sum(seen.states[:, :-2] ** 2, axis=1)
    return {"trace": trace / start, "t": seen.states[:, -2], "clock": seen.states[:, -1], "is_reached": seen.is_reached}


def judge_growth(seen, until, *, is_tame=False) -> Growth:
    """The fate of one run, from what was seen at the values of the clock."""
    reached = float(np.max(seen["t"]))
    clock, first = np.unique(seen["clock"], return_index=True)
    trace, t = seen["trace"][first], seen["t"][first]
    clock, trace, t = (a[(clock > 0) & (trace > 0) & np.isfinite(trace)] for a in (clock, trace, t))
    if len(clock) < 3:
        return Growth("decay" if np.any(seen["trace"] == 0) else "unresolved", np.nan, np.nan, reached)
    slope, last = _slope(clock, trace, (2, 0)), _slope(clock, trace, (0.5, 0))
    if is_tame and trace[-1] > TALL and _goes_on(trace, t):
        return Growth("exponential growth", 1.0, _settled_rate(trace, t), reached)
    if trace[-1] > 1e13 and max(slope, last / 2) > 3 and clock[-1] < 10 * TRUSTED:
        return Growth("blow-up", slope, np.nan, reached)
    if _has_come_to_rest(clock, trace, t):
        return Growth("bounded", slope, np.nan, reached)
    is_trusted = (clock <= TRUSTED) | (t >= until)
    clock, trace, t = (a[is_trusted] for a in (clock, trace, t))
    verdict = _verdict(clock, trace, t, until)
    rate = _settled_rate(trace, t) if verdict == "exponential growth" else np.nan
    return Growth(verdict, _slope(clock, trace, (2, 0)), rate, reached)


def _goes_on(trace, t) -> bool:
    """Whether the second half of the climb took at most twice as long as the first."""
    y = np.maximum.accumulate(np.log(trace))
    start, middle, end = np.interp([max(y[0], 0.0), y[-1] / 2, y[-1]], y, t)
    return bool(end - middle < 2 * (middle - start) and trace[-1] > 0.1 * trace.max())


def _has_come_to_rest(clock, trace, t) -> bool:
    """Whether the trace has stood still for six decades of the clock, most of the time: rounding could only have moved it."""
    slopes = [_slope(clock, trace, (k + 1, k)) for k in range(6)]
    return bool(max(map(abs, slopes)) < 1e-3 and clock[-1] > 1e8 and t[-1] > 1e3 * np.interp(clock[-1] / 1e6, clock, t))


def _verdict(clock, trace, t, until):
    """What the slopes over the last two decades of the clock, the two before, and the last half decade say."""
    slope, before, last = (_slope(clock, trace, decades) for decades in ((2, 0), (4, 2), (0.5, 0)))
    is_steady = abs(slope - 1) < abs(before - 1) + 0.02
    if trace[-1] > 1e4 and abs(slope - 1) < 0.1 and abs(before - 1) < 0.5 and is_steady:
        return "exponential growth"
    if trace[-1] > 1e3 and 0.2 < slope < 0.8 and abs(slope - before) < 0.1 and abs(slope - last) < 0.2:
        return "slow growth"
    if clock[-1] > 1e4 and slope < -0.5 and before < -0.3:
        return "decay"
    # A large covariance may rest for decades of σ, which are short in t, before it leaves a saddle.
    rests = t[-1] >= until or (abs(slope) < 1e-2 > abs(before) and t[-1] > 1e3 * np.interp(clock[-1] / 1e4, clock, t))
    if rests and (max(abs(slope), abs(last)) < 0.2 or clock[-1] < 1e4):
        return "bounded"
    return "unresolved"


def _slope(clock, trace, decades):
    """The mean slope between two distances, in decades of the clock, from the end."""
    x, y = np.log(clock), np.log(trace)
    early, late = (x[-1] - np.log(10) * back for back in decades)
    return float((np.interp(late, x, y) - np.interp(early, x, y)) / (late - early))


def _settled_rate(trace, t):
    """The rate over the last decades of the trace, if the decades before had it too; NaN while growth still turns or gathers."""
    y = np.maximum.accumulate(np.log(trace))
    times = np.interp(y[-1] - np.log(10) * np.array([5.0, 2.5, 0.0]), y, t)
    with np.errstate(divide="ignore", invalid="ignore"):
        before, after = 2.5 * np.log(10) / np.diff(times)
        return float(after) if abs(after / before - 1) < STEADY else np.nan
