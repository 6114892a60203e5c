"""Hypotheses that many claims share."""

from __future__ import annotations

from functools import lru_cache, wraps
from typing import Any, Literal

import numpy as np
from scipy.spatial import KDTree

from ..engine.attention import Attention, Softmax, Unnormalised
from ..engine.flow import Flow
from ..engine.flow.normalisation import PostLN
from ..engine.linalg.matrices import is_concrete, is_scheduled, multiple_of_identity
from ..engine.measures import Gaussian, Particles
from ..engine.observe.resolution import resolution
from ..engine.spaces import Euclidean, Sphere
from ..theory.limits.value_matrix import classify
from ..theory.low_temperature.recognise import limit_of
from .claim import Finding, Hypothesis, compared, undecided
from .tolerance import exactness, tolerance
from .variables import growth_matrix, is_layered, score_matrix, tokens_z, unrescaled, value_matrix

LARGEST = 512
"""Prompts up to this size get their limit computed in a prediction."""
COLD = 5.0
"""A smallest κ = β|Bᵀx| below this is no low temperature: the kernel is as wide as the sphere."""


def is_plain(flow, mu, space, rules=(Softmax,)) -> bool:
    """One prompt under one constant rule, with nothing added."""
    flow = unrescaled(flow)
    return (
        isinstance(flow, Flow)
        and isinstance(mu, Particles)
        and mu.x.ndim == 2
        and isinstance(flow.space, space)
        and isinstance(flow.attention, rules)
        and not flow.attention.is_affine()
        and flow.feed_forward is None
        and flow.noise is None
        and not is_scheduled(flow)
        and is_concrete(flow, mu)
    )


def in_space(flow, mu) -> bool:
    return is_plain(flow, mu, Euclidean)


def is_gaussian(flow, mu, rules: Any = Attention) -> bool:
    """One Gaussian prompt under one constant rule that keeps it Gaussian, with nothing added but a feed-forward layer."""
    return (
        isinstance(flow, Flow)
        and isinstance(mu, Gaussian)
        and mu.mean.ndim == 1
        and isinstance(flow.space, Euclidean)
        and isinstance(flow.attention, rules)
        and flow.attention.why_not_closed() is None
        and (flow.feed_forward is None or (flow.feed_forward.activation == "identity" and flow.feed_forward.is_plain))
        and flow.noise is None
        and not is_scheduled(flow)
        and is_concrete(flow, mu)
    )


def on_sphere(flow, mu, rules=(Softmax, Unnormalised)) -> bool:
    return is_plain(flow, mu, Sphere, rules) and isinstance(unrescaled(flow).normalisation, PostLN)


def positive_multiple(words: str, M) -> Hypothesis:
    c = multiple_of_identity(M)
    return Hypothesis(f"{words} is a positive multiple of the identity", -1.0 if c is None else c - 1e-15)


def positive_weights(flow) -> Hypothesis:
    """A negative scale would turn the way in which V moves tokens."""
    is_known = unrescaled(flow).attention.has_positive_weights()
    return Hypothesis("weights are positive", 0.0 if is_known else -1.0)


def positive_definite(words: str, M) -> Hypothesis:
    size = max(1e-300, np.abs(M).max())
    skew = np.abs(M - M.T).max() / size
    lowest = float(np.linalg.eigvalsh((M + M.T) / 2).min() / size)
    return Hypothesis(f"{words} is symmetric positive definite", lowest - 1e-12 if skew < 1e-12 else -float(skew))


def of_size(mu, *, n: tuple[float, float] = (1, np.inf), d: tuple[float, float] = (1, np.inf)) -> list[Hypothesis]:
    """What a prompt has too few or too many of; nothing where it fits. To be asked before what is costly."""
    sizes = ((f"tokens: {_between(*n)}", mu.n, n), (f"dimensions: {_between(*d)}", mu.d, d))
    margins = [(words, float(min(size - low, high - size))) for words, size, (low, high) in sizes]
    return [Hypothesis(words, margin) for words, margin in margins if margin < 0]


def _between(low, high) -> str:
    if low == high:
        return f"{low:g}"
    return f"{low:g} or more" if high == np.inf else f"{low:g} to {high:g}"


def distinct(mu) -> Hypothesis:
    """The smallest distance between two tokens."""
    x = np.asarray(mu.x, float)
    if len(x) == 1:
        return Hypothesis("tokens are distinct", 1.0)
    return Hypothesis("tokens are distinct", float(np.asarray(KDTree(x).query(x, k=2)[0])[:, 1].min()) - 1e-14)


def equal_masses(mu) -> Hypothesis:
    mass = np.asarray(mu.mass, float)
    return Hypothesis("masses are equal", exactness(mu, 1e-9) - float(np.ptp(mass) * len(mass)))


def beta_of(flow, d) -> float:
    """β of a score βI, NaN when B is not a multiple of the identity."""
    c = multiple_of_identity(score_matrix(flow, d))
    return float("nan") if c is None else c


def model_of(flow) -> Literal["SA", "USA"]:
    return "SA" if isinstance(unrescaled(flow).attention, Softmax) else "USA"


def rule_speed(flow, mu) -> float:
    """How much faster the clock of an unnormalised rule is than that of the mean form; 1 for softmax."""
    rule: Any = unrescaled(flow).attention
    scale = "mean" if isinstance(rule, Softmax) else rule.scale
    if scale == "shifted":
        return float(np.exp(-np.linalg.norm(score_matrix(flow, mu.d), 2)))
    return float({"mean": 1, "sum": mu.n}[scale] if isinstance(scale, str) else scale)


def shifted_speed(flow, mu) -> float:
    r"""How much faster the clock of an unnormalised rule is than with weights $e^{s-\|\beta B\|}$; 1 for softmax."""
    rule: Any = unrescaled(flow).attention
    if isinstance(rule, Softmax) or (isinstance(rule.scale, str) and rule.scale == "shifted"):
        return 1.0
    with np.errstate(over="ignore"):
        return rule_speed(flow, mu) * float(np.exp(np.linalg.norm(score_matrix(flow, mu.d), 2)))


def sphere_model(run) -> dict[str, Any]:
    """What `sphere_velocity` needs for the velocities of a run with V = cI and a score βI, on its own clock."""
    d = run.x.shape[-1]
    V = float(value_matrix(run.flow, d)[0, 0]) * shifted_speed(run.flow, run.at(0))
    return {"beta": beta_of(run.flow, d), "V": V, "model": model_of(run.flow), "mass": np.asarray(run.mass, float)}


def on_rescaled_tokens(check):
    """For checks on z: a run in x whose e^{−tV}x overflows decides nothing, nor do layers that change the case of V."""

    @wraps(check)
    def guarded(self, run):
        with np.errstate(over="ignore", invalid="ignore"):
            if not np.isfinite(tokens_z(run)).all() or not np.isfinite(growth_matrix(run)).all():
                return undecided("rescaled tokens leave the range of numbers; run the flow rescaled")
        if is_layered(run) and not _keeps_case(run):
            return undecided(f"layers of step {run.stride.step:g} put V in another case of the theory")
        return check(self, run)

    return guarded


def _keeps_case(run) -> bool:
    d = run.x.shape[-1]
    return classify(growth_matrix(run), d).case == classify(value_matrix(run.flow, d), d).case


def without_motion(run) -> Finding | None:
    """Undecided, for a run with one saved time; None for others."""
    return undecided("one saved time shows no motion; save two or more") if len(run.ts) < 2 else None


def follows(run, ratio: float, *, law: str) -> Finding:
    """What a check found that compared all saved states with a law; `ratio` is in units of the error a run may have."""
    tol = tolerance(run)
    if (still := without_motion(run)) is not None:
        return still
    if np.isnan(ratio):
        return undecided(f"{law} cannot be followed from one saved time to the next; save more times", tol=tol)
    words = f"saved states deviate from {law} by {ratio:.2g} of the error that tolerance {tol:.0e} allows"
    return compared(ratio, words, tol=tol)


def largest_rise(series) -> float:
    """The largest increase between neighbouring times, relative to the size of the series."""
    series = np.asarray(series, float)
    if len(series) < 2:
        return 0.0
    return float(np.max(np.diff(series, axis=0), initial=0.0) / max(1e-300, np.abs(series).max()))


def singular_values(M) -> np.ndarray:
    """From the largest on; kept, since many claims ask for those of the same matrices."""
    M = np.ascontiguousarray(M, float)
    return _singular_values(M.tobytes(), len(M))


@lru_cache(maxsize=8)
def _singular_values(entries: bytes, d: int) -> np.ndarray:
    return np.linalg.svd(np.frombuffer(entries).reshape(d, -1), compute_uv=False)


def _is_singular(M) -> bool:
    largest, *_, smallest = singular_values(M)
    return bool(smallest <= largest * len(M) * np.finfo(float).eps)


def cold_limit(flow, mu) -> Any:
    """The low-temperature limit of a softmax flow on the sphere and its β; None for other flows and singular B."""
    if not on_sphere(flow, mu, (Softmax,)) or mu.d < 2:
        return None
    matrices = score_matrix(flow, mu.d), value_matrix(flow, mu.d)
    if not float(flow.attention.score.beta) > 0 or any(_is_singular(M) for M in matrices):
        return None
    return limit_of(flow, mu.d)


def cold(flow, mu) -> list[Hypothesis]:
    """Invertible matrices, a low temperature, enough tokens."""
    found = cold_limit(flow, mu)
    if found is None:
        return []
    limit, beta = found
    smallest = [singular_values(M)[-1] for M in (limit.V, limit.B)]
    return [
        Hypothesis("V and B are invertible", float(min(smallest)) - 1e-12),
        Hypothesis("β|Bᵀx| is large for all directions", beta * float(smallest[1]) - COLD),
        Hypothesis("every token hears at least ten others effectively", resolution(flow, mu).n_eff - 10),
    ]
