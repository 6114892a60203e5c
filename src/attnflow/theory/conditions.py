"""Hypotheses that many claims share, and the tokens of a run in the variables a claim speaks of."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ..attention import Causal, Softmax, Unnormalised
from ..flow import Flow
from ..matrices import is_concrete, is_scheduled
from ..measures import Particles
from ..normalisation import PostLN
from ..rescaled import Rescaled
from ..spaces import Euclidean, Sphere
from .claim import Check, Hypothesis, is_layered

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


def model_of(flow) -> Literal["SA", "USA"]:
    return "SA" if isinstance(inner(flow).attention, Softmax) else "USA"


def rule_speed(flow, mu) -> float:
    """How much faster the clock of an unnormalised rule is than that of the mean form; 1 for softmax."""
    rule: Any = inner(flow).attention
    scale = "mean" if isinstance(rule, Softmax) else rule.scale
    if scale == "shifted":
        return float(np.exp(-np.linalg.norm(score_matrix(flow, mu.d), 2)))
    return float({"mean": 1, "sum": mu.n}[scale] if isinstance(scale, str) else scale)


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
                if not np.isfinite(rescaled(run)).all() or not np.isfinite(pace(run)).all():
                    return Check(key, None, "rescaled tokens leave the range of numbers; run the flow rescaled")
            if is_layered(run) and not _keeps_case(run):
                return Check(key, None, f"layers of step {run.stride.step:g} put V in another case of the theory")
            return check(run)

        return checked

    return guarded


def _keeps_case(run) -> bool:
    from .value_matrix import classify

    d = run.x.shape[-1]
    return classify(pace(run), d).case == classify(values(run.flow, d), d).case


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
    return c * np.exp(-np.outer(np.asarray(run.ts, float), paces(run, rates)))[:, None, :]


def pace(run) -> np.ndarray:
    r"""The matrix W for which $z = e^{-tW}x$: V, or in layers of step η $W = \log(I+\eta V)/\eta$, so that $z^k = R^{-k}x^k$.

    NaN where $I+\eta V$ has no real logarithm.
    """
    V = values(run.flow, run.x.shape[-1])
    if not is_layered(run):
        return V
    eta, c = run.stride.step, multiple(V)
    if c is not None:
        return (np.log1p(eta * c) / eta if eta * c > -1 else np.nan) * np.eye(len(V))
    R = np.eye(len(V)) + eta * V
    spectrum = np.linalg.eigvals(R)
    if ((np.abs(np.imag(spectrum)) < 1e-12) & (np.real(spectrum) < 1e-12)).any():
        return np.full_like(V, np.nan)
    from scipy.linalg import logm

    return np.real(logm(R)) / eta


def paces(run, rates):
    r"""The eigenvalues of `pace` for eigenvalues of V: λ, or in layers $\log(1+\eta\lambda)/\eta$."""
    if not is_layered(run):
        return rates
    logs = np.log(1 + run.stride.step * np.asarray(rates, complex)) / run.stride.step
    return logs.real if np.isrealobj(rates) else logs


def _moved(run, x, sign):
    from scipy.linalg import expm

    V, ts = pace(run), np.asarray(run.ts, float)
    if not np.isfinite(V).all():
        return np.full_like(x, np.nan)
    return np.stack([tokens @ expm(sign * t * V).T for t, tokens in zip(ts, x)])


def rise(series) -> float:
    """The largest increase between neighbouring times, relative to the size of the series."""
    series = np.asarray(series, float)
    if len(series) < 2:
        return 0.0
    return float(np.max(np.diff(series, axis=0), initial=0.0) / max(1e-300, np.abs(series).max()))
