"""The emergence of clusters in self-attention dynamics (arXiv 2305.05465): limits of rescaled tokens."""

from __future__ import annotations

import numpy as np

from . import geshkovski2023_errata, geshkovski2023_layers, geshkovski2023_monotone, geshkovski2023_small  # noqa: F401
from .claim import Check, Claim, Hypothesis, Prediction, register
from .conditions import (
    LARGEST,
    distinct,
    in_space,
    inner,
    only_finite,
    pace,
    positive_definite,
    rescaled,
    score_matrix,
    values,
)
from .followed import SLACK, leaders_followed, planes_followed
from .geshkovski2023_search import (
    boundary_distance,
    codimension_trial,
    line_trial,
    off_planes,
    paranormal_trial,
    planes_trial,
    polytope_trial,
    soft_rows,
    square_trial,
    subspaces,
)
from .geshkovski2023_unstable import register_ends
from .search import both, falsifier, fixed, random_trials
from .value_matrix import classify

PAPER = "arXiv 2305.05465"


def _limit_words(flow, mu, words) -> tuple[str, dict]:
    if mu.n > LARGEST:
        return words, {}
    from ..limits import limit

    found = limit(inner(flow), mu)
    numbers = {"certified": found.certificate.holds, "time": found.certificate.time}
    if found.certificate.holds:
        numbers["error"] = found.certificate.error
    if found.vertices is not None:
        numbers["leaders"] = found.vertices.tolist()
    if found.planes is not None:
        numbers["planes"] = found.planes.tolist()
    return f"{words}; {found.words}", numbers


def _case(flow, mu, case: str) -> Hypothesis:
    V = classify(values(flow, mu.d), mu.d)
    return Hypothesis(f"V is of the kind “{case}”", (V.lam - V.second) / abs(V.lam) if V.case == case else -1.0)


# ---- Theorem 1 -------------------------------------------------------------------------------------------------------


def line_hypotheses(flow, mu):
    if not in_space(flow, mu) or mu.d != 1:
        return []
    V, B = values(flow, 1)[0, 0], score_matrix(flow, 1)[0, 0]
    return [Hypothesis("V > 0", V - 1e-15), Hypothesis("QK > 0", B - 1e-15), distinct(mu)]


def line_predict(flow, mu):
    words, numbers = _limit_words(
        flow, mu, "every row of P but at most one tends to that of the lowest or highest token"
    )
    return Prediction("geshkovski2023.theorem1", words, numbers)


@only_finite("geshkovski2023.theorem1")
def line_check(run):
    z, t, v = rescaled(run), float(run.ts[-1]), pace(run)[0, 0]
    b = score_matrix(run.flow, 1)[0, 0]
    others = soft_rows(z[-1], b, v, t) if z.shape[1] > 1 else 0
    # Once the largest score is beyond reach of the smallest first distance, a token off the origin is swept out at once.
    near = np.sqrt(b) * np.diff(np.sort(z[0, :, 0])).min(initial=np.inf)
    with np.errstate(over="ignore"):
        is_late = np.sqrt(b) * np.abs(z[-1]).max() * np.exp(v * t) * min(1.0, near) > 1e3
    words = "all rows of P but at most one are those of the lowest or the highest token"
    return Check(
        "geshkovski2023.theorem1", True if others <= 1 else False if is_late else None, words, {"others": others}
    )


register(
    Claim(
        "geshkovski2023.theorem1", f"{PAPER}, theorem 2.1",
        "On the line with V, QK > 0, P(t) tends to a matrix whose rows, all but at most one, are e₁ or eₙ.",
        line_hypotheses, line_predict, line_check,
        falsifier("geshkovski2023.theorem1", printed=random_trials(line_trial, 16)), in_layers=True,
    )
)  # fmt: skip


register_ends(line_hypotheses)


# ---- Theorem 2 -------------------------------------------------------------------------------------------------------


def polytope_hypotheses(flow, mu):
    if not in_space(flow, mu):
        return []
    return [_case(flow, mu, "identity"), positive_definite("B = QᵀK", score_matrix(flow, mu.d))]


def polytope_predict(flow, mu):
    words, numbers = _limit_words(
        flow, mu, "rescaled tokens tend to the finite set S of a polytope, generically to its vertices"
    )
    return Prediction("geshkovski2023.theorem2", words, numbers)


@only_finite("geshkovski2023.theorem2")
def polytope_check(run):
    return _vertices_check("geshkovski2023.theorem2", run)


def _vertices_check(key, run, allowed: float = SLACK):
    """Tokens must go where the certificate of an earlier time sends them."""
    d = run.x.shape[-1]
    V = classify(pace(run), d)
    found = leaders_followed(
        rescaled(run), np.asarray(run.ts, float), V, pace(run), score_matrix(run.flow, d), mass=run.mass
    )
    numbers = {"leaders": found.leaders, "strayed": found.strayed, "certified_at": found.since}
    if found.strayed > allowed:
        return Check(key, False, "tokens stray from the way to their leaders", numbers)
    if not found.is_settled:
        return Check(key, None, "the run is too short to settle every row", numbers)
    return Check(key, True, "every token prefers a leader that prefers itself, for good, and goes there", numbers)


register(
    Claim(
        "geshkovski2023.theorem2", f"{PAPER}, theorem 3.1 (8.1)",
        "V = I, B positive definite: conv z(t) tends to a polytope and every z_i to a point of the finite set S on it.",
        polytope_hypotheses, polytope_predict, polytope_check,
        falsifier("geshkovski2023.theorem2", printed=random_trials(polytope_trial, 16)), in_layers=True,
    )
)  # fmt: skip


# ---- Theorem 3 -------------------------------------------------------------------------------------------------------


def triple_hypotheses(flow, mu):
    if not in_space(flow, mu):
        return []
    V = classify(values(flow, mu.d), mu.d)
    if V.case in ("identity", "minus identity", "zero") and mu.d > 1:
        return []
    spectral = Hypothesis(
        "V has a real, positive, simple eigenvalue above all others in modulus",
        (V.lam - V.second) / abs(V.lam) if V.case in ("hyperplane", "identity") else -1.0,
    )
    if not spectral.holds:
        return [spectral]
    phi = V.right[:, 0]
    return [spectral, Hypothesis("<Qφ₁, Kφ₁> > 0", float(phi @ score_matrix(flow, mu.d) @ phi) - 1e-15)]


def triple_predict(flow, mu):
    words, numbers = _limit_words(flow, mu, "φ₁*(z_i) tends to one of at most three values a, 0, b")
    return Prediction("geshkovski2023.theorem3", words, numbers)


@only_finite("geshkovski2023.theorem3")
def triple_check(run):
    d, ts = run.x.shape[-1], np.asarray(run.ts, float)
    V, z = classify(pace(run), d), rescaled(run)
    found = planes_followed(z, ts, V, pace(run), score_matrix(run.flow, d), mass=np.asarray(run.mass))
    c = z @ V.left[0]
    size, low, high = max(np.abs(c[0]).max(), 1e-300), c.min(axis=1), c.max(axis=1)
    outward = max(float(np.max(np.diff(high), initial=0)), float(np.max(-np.diff(low), initial=0))) / size
    apart = off_planes(c[-1], low[-1], high[-1]) / size
    numbers = {"off_planes": apart, "planes": [low[-1], high[-1]], "outward_motion": outward, "strayed": found.strayed}
    if outward > SLACK or found.strayed > SLACK:
        return Check(
            "geshkovski2023.theorem3", False, "coordinates φ₁* move outwards, or away from their plane", numbers
        )
    words = "extreme coordinates move inwards; every φ₁* is near a, 0 or b"
    if apart >= 1e-3:
        return Check("geshkovski2023.theorem3", None, "not every φ₁* has reached a plane yet", numbers)
    return Check("geshkovski2023.theorem3", True, words, numbers)


register(
    Claim(
        "geshkovski2023.theorem3", f"{PAPER}, theorem 4.2",
        "For a good triple, φ₁*(z_i) tends to a value in {0, a, b}: at most three parallel hyperplanes.",
        triple_hypotheses, triple_predict, triple_check,
        falsifier("geshkovski2023.theorem3", printed=random_trials(planes_trial, 10)), in_layers=True,
    )
)  # fmt: skip


# ---- Theorem 4 and the conjecture ------------------------------------------------------------------------------------


def paranormal_hypotheses(flow, mu):
    if not in_space(flow, mu) or classify(values(flow, mu.d), mu.d).case in ("identity", "minus identity", "zero"):
        return []
    return [_case(flow, mu, "paranormal"), positive_definite("B = QᵀK", score_matrix(flow, mu.d))]


def paranormal_predict(flow, mu):
    words, numbers = _limit_words(flow, mu, "tokens tend to (boundary of a polytope ∪ {0}) × the rest of space")
    return Prediction("geshkovski2023.theorem4", words, numbers)


@only_finite("geshkovski2023.theorem4")
def paranormal_check(run):
    V = classify(pace(run), run.x.shape[-1])
    u = rescaled(run) @ V.left.T
    directions = np.random.default_rng(0).normal(size=(64, u.shape[-1]))
    support, size = (u @ directions.T).max(axis=1), max(np.linalg.norm(u[0], axis=1).max(), 1e-300)
    outward = float(np.max(np.diff(support, axis=0), initial=0.0)) / size
    if outward > SLACK:
        words = "the hull of the dominant coordinates grows"
        return Check("geshkovski2023.theorem4", False, words, {"outward_motion": outward})
    followed = _vertices_check("geshkovski2023.theorem4", run)
    off = boundary_distance(u[-1]) / size
    numbers = {**followed.numbers, "outward_motion": outward, "off_boundary": off}
    if followed.holds is None and off < 1e-3:
        return Check(
            "geshkovski2023.theorem4", True, "tokens are on the boundary of the shrinking hull, or at 0", numbers
        )
    return Check("geshkovski2023.theorem4", followed.holds, followed.words, numbers)


register(
    Claim(
        "geshkovski2023.theorem4", f"{PAPER}, theorem 5.2",
        "Paranormal V, B positive definite: z_i tends to (∂K ∪ {0}) × G for a polytope K in the dominant space F.",
        paranormal_hypotheses, paranormal_predict, paranormal_check,
        falsifier("geshkovski2023.theorem4", printed=random_trials(paranormal_trial, 8)), in_layers=True,
    )
)  # fmt: skip


def _growing(flow, mu) -> int:
    return int((np.linalg.eigvals(values(flow, mu.d)).real > 1e-12).sum())


def codimension_hypotheses(flow, mu):
    conditions = triple_hypotheses(flow, mu)
    return [*conditions, distinct(mu)] if conditions and conditions[0].holds else conditions


def codimension_predict(flow, mu):
    count = _growing(flow, mu)
    words = f"conjectured, for almost every start: at most three parallel subspaces of codimension {count}"
    return Prediction("geshkovski2023.conjecture4.3", words, {"codimension": count})


@only_finite("geshkovski2023.conjecture4.3")
def codimension_check(run):
    """Growing coordinates that rest must be in three places at most; a run that still moves decides nothing."""
    key, d = "geshkovski2023.conjecture4.3", run.x.shape[-1]
    spectrum, vectors = np.linalg.eig(values(run.flow, d))
    if run.x.shape[1] > 2000 or len(run.ts) < 3 or np.linalg.cond(vectors) > 1e6:
        return Check(key, None, "not decided: too many tokens, too few times, or no trustworthy eigenbasis")
    c = rescaled(run) @ np.linalg.inv(vectors)[np.real(spectrum) > 1e-12].T
    size = max(np.abs(c[0]).max(), 1e-300)
    moving = float(np.abs(c[-1] - c[-2]).max()) / size
    count = subspaces(c[-1], tol=0.01 * size)
    numbers = {"subspaces": count, "last_motion": moving}
    holds = None if moving > 1e-4 else count <= 3
    return Check(key, holds, f"growing coordinates are in {count} place(s) at the end", numbers)


register(
    Claim(
        "geshkovski2023.conjecture4.3", f"{PAPER}, conjecture 4.3",
        "With k eigenvalues of positive real part, tokens cluster to at most three parallel subspaces of codimension k.",
        codimension_hypotheses, codimension_predict, codimension_check,
        falsifier(
            "geshkovski2023.conjecture4.3", printed=both(fixed(square_trial), random_trials(codimension_trial, 3)),
            corrected=random_trials(codimension_trial, 6),
        ),
        corrected="for almost every start: the symmetric start (±1, ±1) under V = diag(1, 0.9) keeps four points",
        kind="conjecture", in_layers=True,
    )
)  # fmt: skip
