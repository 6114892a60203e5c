"""Whether saved states follow each other as an equation says: each is integrated to the next by SciPy, apart from the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from ..engine.attention import Causal, Hardmax, Unnormalised
from ..engine.flow.normalisation import NGPT, MixLN, PeriLN, PreLN, SqrtLN
from .hypotheses import shifted_speed
from .independent import Exhausted, method_for, softmax
from .retrace_sample import LARGE, sampled
from .tolerance import INDEPENDENT, merged, stretch_error, tolerance, unsure
from .trial import worst_ratio
from .variables import score_matrix, unrescaled, value_matrix

HOPS = 100
"""At most so many saved states are integrated to the next."""
WORK = 3e7
"""Pairs of tokens looked at before the rest of a run is left out."""
LEAST = 600
"""Velocities that are asked for whatever the number of tokens: one interval that proves too long, one with its two neighbours."""
CALL = 6e3
"""Pairs that could be looked at in the time a call of a field takes by itself."""
WIDE = 500
"""The dimension from which on the products of a pair cost more than the rest."""
ALLOWED = 3.0
"""By how much an honest deviation may exceed that of a run started a little beside."""
FAR = 0.5
"""An error that may have grown to half the size of tokens says nothing of where they are."""
SUDDEN = 2.0
"""Tokens that move by more than this, compared with the intervals before and after, make a jump."""

Field = Callable[..., np.ndarray]
"""Velocities of tokens at a time; of some tokens among all, whose places are then given, too."""


# ---- the equation ----------------------------------------------------------------------------------------------------


def attention_field(flow, mu, rows=None) -> Field:
    """The velocity of tokens on the sphere under softmax, causal, unnormalised or hard attention and any scheme, in NumPy.

    With `rows`, of these tokens alone, and the field takes the places of all tokens besides.
    """
    flow, m = unrescaled(flow), np.asarray(mu.mass, float)
    rows = np.arange(len(m)) if rows is None else rows
    B, V = (_number_or_matrix(M) for M in (score_matrix(flow, mu.d), value_matrix(flow, mu.d).T))
    rule: Any = flow.attention
    log_mass = np.log(np.maximum(m, 1e-300))
    mask = np.arange(len(m)) <= rows[:, None] if isinstance(rule, Causal) else None
    # Weights e^{s − ‖βB‖} on a clock that is faster by as much: no overflow.
    speed, top = (
        (shifted_speed(flow, mu), np.linalg.norm(score_matrix(flow, mu.d), 2))
        if isinstance(rule, Unnormalised)
        else (1.0, 0.0)
    )

    def outputs(theta, heard):
        queries = np.dot(theta, B)
        scores = queries @ heard.T
        if isinstance(rule, Hardmax):
            return np.dot(_best_heard(rule, scores, queries, m, rows) @ heard, V)
        if isinstance(rule, Unnormalised):
            return speed * np.dot((np.exp(scores - top) * m) @ heard, V)
        scores += log_mass
        return np.dot(softmax(scores if mask is None else np.where(mask, scores, -np.inf)) @ heard, V)

    return lambda t, x, keys=None: _pushed(flow.normalisation, t, x, x if keys is None else keys, outputs)


def _best_heard(rule: Hardmax, scores, queries, mass, rows):
    """Row weights on the tokens with the best score, ties shared by mass."""
    size = np.linalg.norm(queries, axis=1, keepdims=True)
    is_heard = (mass > 0) & ~((np.arange(len(mass)) == rows[:, None]) & rule.others)
    scores = np.where(is_heard, scores, -np.inf)
    weights = (scores >= scores.max(axis=1, keepdims=True) - rule.ties * size) * mass
    return weights / weights.sum(axis=1, keepdims=True)


def _pushed(scheme, t, x, keys, outputs):
    r = np.linalg.norm(x, axis=1, keepdims=True)
    theta = x / r
    a = outputs(theta, theta if keys is x else keys / np.linalg.norm(keys, axis=1, keepdims=True))
    if isinstance(scheme, PeriLN | NGPT):
        a = a / np.linalg.norm(a, axis=1, keepdims=True)
    if isinstance(scheme, PreLN | PeriLN) or (isinstance(scheme, MixLN) and t >= _number(scheme.tau)):
        return a
    a = a - (a * theta).sum(axis=1, keepdims=True) * theta
    if isinstance(scheme, NGPT):
        return _number(scheme.alpha) * a
    return a / np.sqrt(1 + t) if isinstance(scheme, SqrtLN) else r * a


def _number_or_matrix(M):
    """The number c instead of cI, so that products with it cost nothing."""
    return M[0, 0] if np.array_equal(M, M[0, 0] * np.eye(len(M))) else M


def _number(value) -> float:
    return float(np.asarray(value))


# ---- saved states against it -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stretch:
    """One saved interval: tokens that leave its first saved state under the equation, and how far the run may be from them."""

    first: int
    length: float
    path: np.ndarray
    """Tokens at the nodes of the interval and at its end."""
    allowed: float
    is_sure: bool
    """Whether so little is allowed that a run which keeps to it follows the equation."""


def stretches(run, field: Field | None = None, *, nodes=()) -> Iterator[Stretch]:
    """Saved intervals integrated anew, where that says something; `nodes` in (0, 1) are further times inside them."""
    return (one for one in _attempts(run, field, nodes) if one.is_sure)


def _attempts(run, field: Field | None, nodes=()) -> Iterator[Stretch]:
    """The same with intervals on which only what is far off is seen to be wrong.

    What is allowed is how far starts moved by the error of the run come out, so that unstable stretches refute nothing.
    First those that tell most, until the work is used up.
    """
    field = attention_field(run.flow, run.at(0)) if field is None else field
    x, ts, budget = np.asarray(run.x, float), np.asarray(run.ts, float), _Budget(field, run)
    error = stretch_error(run) + merged(run)
    rng, inner = np.random.default_rng(0), np.asarray(nodes, float)
    for k in telling(x)[:HOPS]:
        if budget.left <= 0:
            return
        beside = rng.normal(size=x[k].shape)
        beside *= error * np.abs(x[k]).max() / np.abs(beside).max()
        times = np.append(ts[k] + inner * (ts[k + 1] - ts[k]), ts[k + 1])
        if (path := budget.reach(x[k], ts[k], times)) is None:
            continue
        # Both ways: a token on a watershed may fall to either side.
        tried = (budget.reach(x[k] + way * beside, ts[k], times[-1:]) for way in (1, -1))
        near = [one[-1] for one in tried if one is not None]
        if len(near) < 2:
            continue
        size = np.abs(x[k + 1]).max()
        allowed = ALLOWED * (np.abs(np.subtract(near, path[-1])).max() + error * size)
        if allowed < FAR * size:
            yield Stretch(k, float(ts[k + 1] - ts[k]), path, float(allowed), allowed < unsure(run) * size)


def retraced(run, field: Field | None = None) -> float:
    """How far saved states are from where the equation leads from the one before, over what the tolerance allows.

    NaN when nothing could be integrated within reason.
    """
    return _retraced_once(Same(run)) if field is None else _farthest(run, field)


def and_path(ratio: float, run) -> tuple[float, dict[str, float]]:
    """A violation ratio, or that of the path where it is worse, and the latter as a number where it could be retraced."""
    path = retraced(run)
    return (ratio, {}) if np.isnan(path) else (worst_ratio(ratio, path), {"path": path})


@dataclass(frozen=True, eq=False)
class Same:
    """A run as a key: many claims ask about one and the same."""

    run: Any

    def __eq__(self, other):
        return self.run is other.run

    def __hash__(self):
        return id(self.run)


@lru_cache(maxsize=1)
def _retraced_once(same: Same) -> float:
    return _farthest(same.run, None)


def _farthest(run, field: Field | None) -> float:
    x = np.asarray(run.x, float)
    if field is None and x.shape[1] > LARGE:
        fields, error = partial(attention_field, run.flow, run.at(0)), stretch_error(run) + merged(run)
        return sampled(fields, x, np.asarray(run.ts, float), telling(x), error=error, unsure=unsure(run))[0]
    ratios = {}
    for one in _attempts(run, field):
        ratio = np.abs(one.path[-1] - x[one.first + 1]).max() / one.allowed
        if one.is_sure or ratio > 1:
            ratios[one.first] = float(ratio)
    worst = max(ratios.values(), default=np.nan)
    # What is wrong with a run may be one jump: other intervals do not speak for it.
    return np.nan if worst <= 1 and not ratios.keys() >= _jump(x) else worst


def _jump(x) -> set[int]:
    """The interval in which tokens go much farther than before and after, if there is one."""
    moved, (k, *_) = np.pad(np.abs(np.diff(x, axis=0)).max(axis=(1, 2)), 1), telling(x)
    beside = moved[k] + moved[k + 2]
    return {k} if moved[k + 1] > max(SUDDEN * beside, 0.1 * np.abs(x).max()) else set()


def telling(x) -> list[int]:
    """First states of intervals: jumps, the first, the last, then those where tokens move most."""
    moved = np.abs(np.diff(x, axis=0)).max(axis=(1, 2), initial=0.0)
    if not len(moved):
        return []
    # A jump is long beside its neighbours, however slow the run has become.
    beside = np.pad(moved, 1)
    jumps = np.argsort(-moved / (beside[:-2] + beside[2:] + 1e-9)).tolist()
    return list(dict.fromkeys([jumps[0], 0, len(moved) - 1, *jumps[1:2], *np.argsort(-moved).tolist()]))


class _Budget:
    """A field whose evaluations are counted; no stretch may take more than a third of the work."""

    def __init__(self, field: Field, run):
        n, d = np.shape(run.x)[-2:]
        calls = max(LEAST if n <= LARGE else 0, WORK / (n**2 * (1 + d / WIDE) + CALL))
        self.field, self.left, self.most = field, int(calls), int(calls / 3)
        # A tenth of the run's own tolerance: what is allowed is many times that.
        self.rtol = max(INDEPENDENT, tolerance(run) / 10)

    def __call__(self, t, y):
        self.left, self.spent = self.left - 1, self.spent + 1
        if self.left < 0 or self.spent > self.most:
            raise Exhausted
        return self.field(t, y.reshape(self.shape)).ravel()

    def reach(self, x, start: float, times):
        """Tokens at these times; None when the work is used up or the solver gives up."""
        self.shape, self.spent = x.shape, 0
        try:
            span, method = (start, times[-1]), method_for(x.size)
            out = solve_ivp(self, span, x.ravel(), t_eval=times, method=method, rtol=self.rtol, atol=self.rtol / 100)
        except Exhausted:
            return None
        return out.y.T.reshape(len(times), *x.shape) if out.success else None
