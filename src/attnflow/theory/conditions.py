"""Hypotheses that many claims share, and the tokens of a run in the variables a claim speaks of."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..attention import Causal, Softmax, Unnormalised
from ..flow import Flow
from ..matrices import is_concrete, is_scheduled
from ..measures import Particles
from ..normalisation import PostLN
from ..rescaled import Rescaled
from ..spaces import Euclidean, Sphere
from .claim import Check, Hypothesis

LARGEST = 512
"""Prompts up to this size get their limit computed in a prediction."""
SLACK = 1e-7
"""What the tolerance of a run may add to a monotone quantity."""


def inner(flow):
    """The flow itself, also when it is seen in z-variables."""
    return flow.flow if isinstance(flow, Rescaled) else flow


def is_plain(flow, mu, space, rules=(Softmax,)) -> bool:
    """One prompt under one constant rule, with nothing added."""
    flow = inner(flow)
    return (
        isinstance(flow, Flow)
        and isinstance(mu, Particles)
        and mu.x.ndim == 2
        and isinstance(flow.space, space)
        and isinstance(flow.attention, rules)
        and flow.feed_forward is None
        and flow.noise is None
        and not is_scheduled(flow)
        and is_concrete(flow, mu)
    )


def in_space(flow, mu) -> bool:
    return is_plain(flow, mu, Euclidean)


def on_sphere(flow, mu, rules=(Softmax, Unnormalised)) -> bool:
    return is_plain(flow, mu, Sphere, rules) and isinstance(inner(flow).normalisation, PostLN)


def score_matrix(flow, d) -> np.ndarray:
    """βB."""
    rule = inner(flow).attention
    rule: Any = rule.rule if isinstance(rule, Causal) else rule
    return float(rule.score.beta) * np.asarray(rule.score.B(d), float)


def values(flow, d) -> np.ndarray:
    V = np.asarray(inner(flow).V, float)
    return V * np.eye(d) if V.ndim == 0 else V


def multiple(M) -> float | None:
    """The number c if M = cI, else None."""
    c = float(M[0, 0])
    return c if np.abs(M - c * np.eye(len(M))).max() <= 1e-12 * max(1.0, abs(c)) else None


def positive_multiple(words: str, M) -> Hypothesis:
    c = multiple(M)
    return Hypothesis(f"{words} is a positive multiple of the identity", -1.0 if c is None else c - 1e-15)


def positive_definite(words: str, M) -> Hypothesis:
    size = max(1e-300, np.abs(M).max())
    skew = np.abs(M - M.T).max() / size
    lowest = float(np.linalg.eigvalsh((M + M.T) / 2).min() / size)
    return Hypothesis(f"{words} is symmetric positive definite", lowest - 1e-12 if skew < 1e-12 else -float(skew))


def distinct(mu) -> Hypothesis:
    """The smallest distance between two tokens."""
    x = np.asarray(mu.x, float)
    if len(x) == 1:
        return Hypothesis("tokens are distinct", 1.0)
    from scipy.spatial import KDTree

    return Hypothesis("tokens are distinct", float(np.asarray(KDTree(x).query(x, k=2)[0])[:, 1].min()) - 1e-14)


def equal_masses(mu) -> Hypothesis:
    mass = np.asarray(mu.mass, float)
    return Hypothesis("masses are equal", 1e-9 - float(np.ptp(mass) * len(mass)))


def beta_of(flow, d) -> float:
    """β of a score βI, NaN when B is not a multiple of the identity."""
    c = multiple(score_matrix(flow, d))
    return float("nan") if c is None else c


def original(run) -> np.ndarray:
    """Tokens x of a run, also when it was done in z."""
    x = np.asarray(run.x, float)
    if not isinstance(run.flow, Rescaled):
        return x
    return _moved(run, x, 1.0)


def rescaled(run) -> np.ndarray:
    """Tokens z of a run, also when it was done in x."""
    x = np.asarray(run.x, float)
    return x if isinstance(run.flow, Rescaled) else _moved(run, x, -1.0)


def only_finite(key: str):
    """For checks on rescaled tokens: a run in x whose e^{−tV}x overflows decides nothing."""

    def guarded(check):
        def checked(run):
            with np.errstate(over="ignore", invalid="ignore"):
                if not np.isfinite(rescaled(run)).all():
                    return Check(key, None, "rescaled tokens leave the range of numbers; run the flow rescaled")
            return check(run)

        return checked

    return guarded


def along(run, dual, rates) -> np.ndarray:
    r"""Coordinates $\varphi^*(z)$ along left eigenvectors of V (rows) with their eigenvalues, without forming z."""
    close = getattr(run, "close", None)
    if close is not None:
        # Exact, also where coordinates that diverge would drown the others in z.
        c = np.stack([close.coordinates(run, k) for k in range(len(run.ts))])
        return c @ (np.asarray(dual) @ np.asarray(run.flow.basis)).T
    c = np.asarray(run.x, float) @ np.asarray(dual).T
    if isinstance(run.flow, Rescaled):
        return c
    return c * np.exp(-np.outer(np.asarray(run.ts, float), rates))[:, None, :]


def _moved(run, x, sign):
    from scipy.linalg import expm

    V, ts = values(run.flow, x.shape[-1]), np.asarray(run.ts, float)
    return np.stack([tokens @ expm(sign * t * V).T for t, tokens in zip(ts, x)])


def rise(series) -> float:
    """The largest increase between neighbouring times, relative to the size of the series."""
    series = np.asarray(series, float)
    if len(series) < 2:
        return 0.0
    return float(np.max(np.diff(series, axis=0), initial=0.0) / max(1e-300, np.abs(series).max()))
