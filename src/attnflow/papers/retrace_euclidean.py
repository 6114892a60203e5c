"""Whether saved tokens of R^d move as their flow says: an independent integrator goes from every saved state to the next.

The same as `retrace.py` does on the sphere, for tokens x or z, where scores overflow unless differences are taken first.
NumPy only, none of the engine's code. All intervals between saved times are done at once, in steps that are halved until
two of them agree; neighbours of every state show how much an error of the run may have grown on the way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..engine.flow.rescaled import Rescaled
from ..engine.linalg.matrices import multiple_of_identity
from .claim import Finding, refuted, undecided
from .retrace import FAR, Same, telling
from .retrace_sample import LARGE, sampled
from .tolerance import ADDED, merged, rescaled_error, stretch_error, token_error, tolerance, unsure
from .variables import is_layered, score_matrix, tokens_x, value_matrix

Field = Callable[..., np.ndarray]
"""Velocities of states (k, n, d) at times (k,); of some tokens among all, whose places are then given, too."""
FEWEST, MOST = 4, 256
"""Steps between two saved times."""
PAIRS, MANY = 5e7, 4e8
"""Pairs of tokens that may be looked at, and of many tokens: seconds."""
ENOUGH = 300
"""Steps of the method that show a few intervals, however many tokens there are."""
SAFETY = 3.0
"""Errors that were estimated from differences are taken this many times."""


@dataclass(frozen=True)
class Retraced:
    """How far saved states are from where an independent integrator takes the states before them."""

    worst: float = 0.0
    """The largest distance over what errors allow: above 1 the states are not those of the flow."""
    at: float = 0.0
    share: float = 0.0
    """Of the intervals between saved times, those that could be followed."""


def off_course(run) -> Finding | None:
    """What a check of a course answers first: a run that does not follow its flow, or shows one time only."""
    if len(run.ts) < 2:
        return undecided("one saved time shows no motion: save more times")
    found = retraced(run)
    if found.worst > 1:
        words = f"saved tokens do not move as the flow does: at t = {found.at:.4g} they are {found.worst:.3g} times"
        return refuted(f"{words} farther off than the errors of a run allow", retraced=found.worst)
    return None


def retraced(run) -> Retraced:
    """For softmax attention in R^d, tokens x or z, in the flow or in layers."""
    return _retraced(Same(run))


@lru_cache(maxsize=1)
def _retraced(same: Same) -> Retraced:
    run = same.run
    x, ts, share = np.asarray(run.x, float), np.asarray(run.ts, float), stretch_error(run) / (ADDED * tolerance(run))
    is_z = isinstance(run.flow, Rescaled)
    with np.errstate(all="ignore"):
        # Of errors that add up over the run an interval has its share, of what merging moved perhaps all.
        whole = rescaled_error(run) if is_z and not is_layered(run) else token_error(run)
        error = share * whole + (1 - share) * merged(run)
        if is_layered(run):
            return _layers(run, error=error, loose=unsure(run))
        field = rescaled_field(run) if is_z else token_field(run)
        if x.shape[1] <= LARGE:
            return retrace(field, x, ts, error=error, loose=unsure(run))
        alone = lambda rows: lambda t, y, keys: field(y[None], np.array([t]), keys[None])[0]  # noqa: E731
        size = np.abs(x).max(axis=(1, 2))
        worst, at = sampled(alone, x, ts, telling(x), error=float((error / size).max()), unsure=unsure(run))
        return Retraced() if np.isnan(worst) else Retraced(worst, at, 1.0)


# ---- fields -----------------------------------------------------------------------------------------------------------


def token_field(run) -> Field:
    r"""$\dot x_i = \sum_jP_{ij}Vx_j$."""
    M, V, log_m = _parts(run)

    def field(x, t, keys=None):
        heard = x if keys is None else keys
        return _softmax(x @ M @ np.swapaxes(heard, -1, -2) + log_m) @ heard @ V.T

    return field


def rescaled_field(run) -> Field:
    r"""$\dot z_i = V\sum_jP_{ij}(z_j-z_i)$, with scores from differences of tokens, the huge factor last."""
    M, V, log_m = _parts(run)
    growth, top = _growth(V)

    def field(z, t, keys=None):
        heard = z if keys is None else keys
        grown = growth(heard, t)
        pull = (grown if keys is None else growth(z, t)) @ M
        best = np.argmax(pull @ np.swapaxes(grown, -1, -2), axis=-1)
        apart = grown[:, None] - np.take_along_axis(grown, best[..., None], axis=1)[:, :, None]
        scores = np.einsum("kid,kijd->kij", pull, apart) * np.exp(np.minimum(2 * top * t, 690.0))[:, None, None]
        return (_softmax(scores + log_m) @ heard - z) @ V.T

    return field


def _growth(V):
    r"""$e^{t(V-\lambda)}$ on tokens, and λ: the largest real part, so that nothing overflows."""
    c = multiple_of_identity(V)
    if c is not None:
        return (lambda z, t: z), c
    values, vectors = np.linalg.eig(V)
    top, inverse = float(np.real(values).max()), np.linalg.inv(vectors)

    def growth(z, t):
        return np.real((z @ inverse.T) * np.exp(np.outer(t, values - top))[:, None, :] @ vectors.T)

    return growth, top


def _parts(run):
    d, mass = run.x.shape[-1], np.asarray(run.mass, float)
    log_m = np.where(mass > 0, np.log(np.maximum(mass, 1e-300)), -np.inf)
    return score_matrix(run.flow, d), value_matrix(run.flow, d), log_m


def _softmax(scores):
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


# ---- between saved times ----------------------------------------------------------------------------------------------


def retrace(field: Field, states, ts, *, error, loose=0.01) -> Retraced:
    """Every state against the one before it; `error` says how wrong the states of an honest run may be."""
    looked = _looked_at(states)
    starts = _with_neighbours(states[looked], error[looked])
    t, h = np.tile(ts[looked], 3), np.tile(np.diff(ts)[looked], 3)
    coarse, steps = _advanced(field, starts, t, h, FEWEST), FEWEST
    fine, left = coarse.copy(), np.arange(len(looked))
    numerical, budget = np.full(len(looked), np.inf), _affordable(states.shape[1])
    while steps < MOST and 0 < 2 * steps * len(left) <= budget:
        steps, budget = 2 * steps, budget - 2 * steps * len(left)
        rows = np.concatenate([left + part * len(looked) for part in range(3)])
        fine[rows] = _advanced(field, starts[rows], t[rows], h[rows], steps)
        numerical[left] = np.abs(fine[left] - coarse[left]).max(axis=(1, 2))
        coarse[rows] = fine[rows]
        left = left[~(numerical[left] < 0.1 * error[looked[left]])]
    return _judged(fine, states[looked + 1], ts[looked + 1], error[looked + 1], loose, numerical)


def _looked_at(states) -> np.ndarray:
    """The states to start from: all, or evenly chosen ones with those that tell most, as many as there is time for."""
    count, most = len(states) - 1, int(_affordable(states.shape[1]) / (16 * FEWEST))
    if most >= count:
        return np.arange(count)
    few = np.linspace(0, count - 1, max(most - 3, 0)).astype(int).tolist()
    return np.unique([*telling(states)[: min(most, 3)], *few]).astype(int)


def _affordable(n: int) -> float:
    """Steps of the fourth-order method, for a state and two neighbours."""
    cost = 3 * 4 * n**2
    return max(PAIRS / cost, min(ENOUGH, MANY / cost))


def _with_neighbours(states, error):
    """The states, and two opposite neighbours of each as far off as a run may be wrong."""
    beside = error[:, None, None] * np.random.default_rng(0).normal(size=states.shape)
    return np.concatenate([states, states + beside, states - beside])


def _advanced(field: Field, y, t, h, steps: int):
    """The classical fourth-order method, every state on its own clock."""
    t, h = t.copy(), h / steps
    wide = h[:, None, None]
    for _ in range(steps):
        k1 = field(y, t)
        k2 = field(y + wide / 2 * k1, t + h / 2)
        k3 = field(y + wide / 2 * k2, t + h / 2)
        y = y + wide / 6 * (k1 + 2 * k2 + 2 * k3 + field(y + wide * k3, t + h))
        t = t + h
    return y


def _judged(ends, goal, ts, error, loose, numerical: float | np.ndarray = 0.0) -> Retraced:
    here, *near = np.split(ends, 3)
    grown = np.max([np.abs(other - here).max(axis=(1, 2)) for other in near], axis=0)
    allowed = SAFETY * (numerical + grown) + error
    size, off = np.maximum(np.abs(goal), np.abs(here)).max(axis=(1, 2)), np.abs(here - goal).max(axis=(1, 2))
    # Where much is allowed, only what is off by more than that says something.
    is_clear = (allowed <= loose * size) | ((allowed < off) & (allowed < FAR * size))
    if not is_clear.any():
        return Retraced()
    ratios = np.where(is_clear, off / allowed, 0.0)
    worst = int(np.argmax(ratios))
    return Retraced(float(ratios[worst]), float(ts[worst]), float(is_clear.mean()))


def _layers(run, *, error, loose) -> Retraced:
    r"""Layers $x\leftarrow x+\eta a$ from every saved one to the next."""
    x, ts, eta, field = tokens_x(run), np.asarray(run.ts, float), run.stride.step, token_field(run)
    looked = _looked_at(x)
    counts = np.round(np.diff(ts)[looked] / eta).astype(int)
    if not len(looked) or counts.max() > MOST:
        return Retraced()
    y = _with_neighbours(x[looked], error[looked])
    for k in range(counts.max()):
        y = np.where((k < np.tile(counts, 3))[:, None, None], y + eta * field(y, ts), y)
    return _judged(y, x[looked + 1], ts[looked + 1], error[looked + 1], loose)
