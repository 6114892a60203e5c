"""How wrong an honest run may be: by the tolerance it was asked for, its precision, that of its rule, and growth.

Every check reads these; none has a constant of its own for what rounding and steps may do.
"""

from __future__ import annotations

import jax
import numpy as np
from scipy.linalg import expm

from ..engine.attention import Heads, Sinkhorn
from ..engine.flow.rescaled import Rescaled
from .variables import growth_matrix, unrescaled

INDEPENDENT = 1e-10
"""What integrators of the checks are good to."""
ADDED = 100
"""Errors of steps add up to no more than so many times the tolerance of one."""


def rounding(of) -> float:
    """The distance of 1 to the next number, in the coarsest precision of a prompt or of the saved states of a run."""
    numbers = (np.asarray(leaf).dtype for leaf in jax.tree.leaves((getattr(of, "states", of), getattr(of, "ts", ()))))
    return max(float(np.finfo(kind).eps) for kind in numbers if kind.kind == "f")


def exactness(of, least: float = 1e-12) -> float:
    """How far numbers that were meant to be equal, as masses or entries of matrices, may be apart in their precision.

    Thirty roundings, and `least` where double precision has less, since users compute what they give.
    """
    return max(least, 30 * rounding(of))


def tolerance(run) -> float:
    """The local error that a run was asked for, as far as its precision, its rule, and our integrators can hold it."""
    # As the engine does, a hundred roundings where no tolerance was asked for.
    floor = max(INDEPENDENT, 100 * rounding(run))
    return max(getattr(run, "tol", None) or 1e-8, floor, _rule_tolerance(run.flow))


def _rule_tolerance(flow) -> float:
    """How far the weights of a Sinkhorn rule may be from doubly stochastic, which is an error of every velocity."""
    rule = getattr(unrescaled(flow), "attention", None)
    rules = [head for head, _ in rule.heads] if isinstance(rule, Heads) else [rule]
    return max(one.tol or 0.0 if isinstance(one, Sinkhorn) else 0.0 for one in rules)


def stretch_error(run) -> float:
    """The error, relative to the size of tokens, that steps between two neighbouring saved times add up to.

    Over hundreds of honest runs of every rule it was at most four times the tolerance, and mostly a tenth of it.
    """
    return 20 * tolerance(run)


def unsure(run) -> float:
    """Where more than this share of the size of tokens is allowed, an interval between saved times says nothing.

    A hundredth, and for loose tolerances up to a tenth: a run doctored by less than its own error is not told apart.
    """
    return float(np.clip(1000 * tolerance(run), 0.01, 0.1))


def merged(run) -> float:
    """How far merging moved tokens, all times together."""
    return sum(merge.displacement for merge in getattr(run, "merges", ()))


def token_error(run) -> np.ndarray:
    r"""How wrong the tokens x of a run may be at every saved time.

    A run of rescaled tokens is held to its tolerance in z, so its tokens x = e^{tW}z may be wrong by $\|e^{tW}\|$ times
    that. Merging moves tokens, too.
    """
    return _error(run) * (_stretch(run, 1.0) if isinstance(run.flow, Rescaled) else 1.0)


def rescaled_error(run) -> np.ndarray:
    """How wrong the rescaled tokens z of a run may be at every saved time."""
    return _error(run) * (1.0 if isinstance(run.flow, Rescaled) else _stretch(run, -1.0))


def _error(run) -> np.ndarray:
    """In the variables of the run."""
    size = ADDED * tolerance(run) * np.maximum(1.0, np.abs(np.asarray(run.x, float)).max(axis=(1, 2)))
    return size + merged(run)


def _stretch(run, sign) -> np.ndarray:
    r"""$\|e^{\pm tW}\|$ at every saved time."""
    W, ts = growth_matrix(run), np.asarray(run.ts, float)
    if not np.isfinite(W).all():
        return np.full(len(ts), np.nan)
    with np.errstate(over="ignore", invalid="ignore"):
        grown = [expm(sign * t * W) for t in ts]
    return np.array([np.linalg.norm(g, 2) if np.isfinite(g).all() else np.inf for g in grown])


def covariance_error(run) -> np.ndarray:
    r"""How wrong the covariance of a Gaussian run may be at every saved time.

    The tolerance is that of a factor L of Σ, so Σ may be wrong by $2|L|$ times that.
    """
    spread = np.sqrt(np.trace(np.asarray(run.cov, float), axis1=1, axis2=2))
    return ADDED * tolerance(run) * np.maximum(1.0, spread) * np.maximum(spread, 1e-150)


def moment_error(run) -> np.ndarray:
    """The same for mean and covariance together."""
    size = np.maximum(1.0, np.abs(np.asarray(run.mean, float)).max(axis=1))
    return np.maximum(covariance_error(run), ADDED * tolerance(run) * size)
