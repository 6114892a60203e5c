"""The emergence of clusters in self-attention dynamics (arXiv 2305.05465): limits of rescaled tokens."""

from __future__ import annotations

import numpy as np

from . import geshkovski2023_monotone, geshkovski2023_small  # noqa: F401
from .claim import Check, Claim, Hypothesis, Prediction, register
from .conditions import distinct, in_space, inner, positive_definite, rescaled, score_matrix, values
from .hardmax_certificate import ENOUGH, rows
from .search import Trial, euclidean_run, falsifier, random_trials, rescaled_run
from .value_matrix import classify

PAPER = "arXiv 2305.05465"
LARGEST = 512
"""Prompts up to this size get their limit computed in a prediction."""


def _limit_words(flow, mu, words) -> tuple[str, dict]:
    if mu.n > LARGEST:
        return words, {}
    from ..limits import limit

    found = limit(inner(flow), mu)
    numbers = {"certified": found.certificate.holds, "time": found.certificate.time, "error": found.certificate.error}
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


def line_check(run):
    z, t = rescaled(run)[-1], float(run.ts[-1])
    ends = _row_ends(z, score_matrix(run.flow, 1), values(run.flow, 1)[0, 0], t)
    return Check(
        "geshkovski2023.theorem1", ends["others"] <= 1 or None, "rows of P that are not yet e₁ or eₙ: at most one", ends
    )


def _row_ends(z, B, v, t):
    found = rows(z, B, log_scale=2 * v * t)
    extreme = {int(z[:, 0].argmin()), int(z[:, 0].argmax())}
    done = np.isin(found.leader, list(extreme)) & (found.gap > np.log(100))
    return {"others": int((~done).sum()), "rank": len(set(found.leader[done].tolist()))}


def _line_trial(rng):
    n = int(rng.integers(3, 8))
    x = np.sort(rng.uniform(-1, 1, (n, 1)) + rng.choice([0.0, 0.0, 2.0]), axis=0)
    horizons = np.array([3.0, 6.0, 9.0])
    others = [_row_ends(z, np.eye(1), 1.0, T)["others"] for T, z in zip(horizons, rescaled_run(x, horizons))]
    # Tokens a distance g apart need t of about log(1/g) to be told apart: the last horizon resolves 1e-3.
    resolved = np.diff(x[:, 0]).min() > 1e-3
    return Trial(min(others) / 1.5 if resolved else np.nan, horizons[-1], f"x = {np.round(x[:, 0], 3).tolist()}")


register(
    Claim(
        "geshkovski2023.theorem1", f"{PAPER}, theorem 2.1",
        "On the line with V, QK > 0, P(t) tends to a matrix whose rows, all but at most one, are e₁ or eₙ.",
        line_hypotheses, line_predict, line_check,
        falsifier("geshkovski2023.theorem1", printed=random_trials(_line_trial, 12)),
    )
)  # fmt: skip


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


def polytope_check(run):
    z, t = rescaled(run)[-1], float(run.ts[-1])
    return _polytope_outcome(
        "geshkovski2023.theorem2", z, score_matrix(run.flow, z.shape[1]), values(run.flow, z.shape[1])[0, 0], t
    )


def _polytope_outcome(key, z, B, c, t):
    found = rows(z, B, log_scale=2 * c * t)
    ok = found.is_settled.all() and found.smallest > ENOUGH
    residual = np.abs(np.einsum("id,de,ie->i", z[found.leader], B, z[found.leader] - z[found.leader[found.leader]]))
    numbers = {
        "leaders": len(set(found.leader.tolist())),
        "smallest_gap": found.smallest,
        "residual": float(residual.max()),
    }
    words = (
        "every token prefers a leader that prefers itself, for good"
        if ok
        else "the run is too short to settle every row"
    )
    return Check(key, bool(residual.max() < 1e-8) if ok else None, words, numbers)


def _polytope_trial(rng):
    n, d = int(rng.integers(3, 8)), int(rng.integers(1, 3))
    root = rng.normal(size=(d, d)) + np.eye(d)
    B, x, T = root.T @ root, rng.uniform(-3, 3, (n, d)) + rng.choice([0.0, 2.0]), 5.0
    z = rescaled_run(x, [T], B=B)[-1]
    outcome = _polytope_outcome("", z, B, 1.0, T)
    return Trial(np.nan if outcome.holds is None else 2.0 * (not outcome.holds), T, f"x = {np.round(x, 3).tolist()}")


register(
    Claim(
        "geshkovski2023.theorem2", f"{PAPER}, theorem 3.1 (8.1)",
        "V = I, B positive definite: conv z(t) tends to a polytope and every z_i to a point of the finite set S on it.",
        polytope_hypotheses, polytope_predict, polytope_check,
        falsifier("geshkovski2023.theorem2", printed=random_trials(_polytope_trial, 12)),
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


def triple_check(run):
    V = classify(values(run.flow, run.x.shape[-1]), run.x.shape[-1])
    c = rescaled(run) @ V.left[0]
    return _planes_outcome(c)


def _planes_outcome(c):
    size = np.abs(c[0]).max()
    low, high = c.min(axis=1), c.max(axis=1)
    bend = max(float(np.max(np.diff(high), initial=0)), float(np.max(-np.diff(low), initial=0))) / size
    apart = np.abs(c[-1][:, None] - np.array([low[-1], 0.0, high[-1]])).min(axis=1).max() / size
    holds = False if bend > 1e-6 else True if apart < 1e-3 else None
    numbers = {
        "farthest_from_planes": float(apart),
        "planes": [float(low[-1]), float(high[-1])],
        "outward_motion": bend,
    }
    words = (
        "extreme coordinates move inwards; every φ₁* is near a, 0 or b"
        if holds
        else "not every φ₁* has reached a plane yet"
    )
    return Check("geshkovski2023.theorem3", holds, words, numbers)


def _triple_trial(rng):
    n, d = int(rng.integers(3, 7)), 2
    M = rng.uniform(0, 1, (d, d))
    V = classify(M, d)
    if V.case != "hyperplane" or V.lam - V.second < 0.4:
        return Trial(np.nan, is_inside=False)
    x, T = rng.uniform(-1, 1, (n, d)), 6.0 / V.lam
    ts = np.linspace(0, T, 13)
    z = np.stack([y @ _expm(-t * M).T for t, y in zip(ts, euclidean_run(x, ts, V=M))])
    c = z @ V.left[0]
    grown = max(float(np.max(np.diff(c.max(axis=1)), initial=0)), float(np.max(-np.diff(c.min(axis=1)), initial=0)))
    return Trial(grown / (1e-6 * np.abs(c).max()), T, f"V = {np.round(M, 4).tolist()}, x = {np.round(x, 3).tolist()}")


def _expm(M):
    from scipy.linalg import expm

    return expm(M)


register(
    Claim(
        "geshkovski2023.theorem3", f"{PAPER}, theorem 4.2",
        "For a good triple, φ₁*(z_i) tends to a value in {0, a, b}: at most three parallel hyperplanes.",
        triple_hypotheses, triple_predict, triple_check,
        falsifier("geshkovski2023.theorem3", printed=random_trials(_triple_trial, 8)),
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


def paranormal_check(run):
    V = classify(values(run.flow, run.x.shape[-1]), run.x.shape[-1])
    c = rescaled(run) @ V.left.T
    directions = np.random.default_rng(0).normal(size=(64, c.shape[-1]))
    support = (c @ directions.T).max(axis=1)
    bend = float(np.max(np.diff(support, axis=0), initial=0.0) / np.abs(support).max())
    return Check(
        "geshkovski2023.theorem4", bend < 1e-6, "the hull of the dominant coordinates shrinks", {"outward_motion": bend}
    )


register(
    Claim(
        "geshkovski2023.theorem4", f"{PAPER}, theorem 5.2",
        "Paranormal V, B positive definite: z_i tends to (∂K ∪ {0}) × G for a polytope K in the dominant space F.",
        paranormal_hypotheses, paranormal_predict, paranormal_check,
    )
)  # fmt: skip


def codimension_hypotheses(flow, mu):
    if not in_space(flow, mu):
        return []
    count = int((np.linalg.eigvals(values(flow, mu.d)).real > 0).sum())
    return [Hypothesis("some eigenvalue of V has positive real part", count - 0.5)]


def codimension_predict(flow, mu):
    count = int((np.linalg.eigvals(values(flow, mu.d)).real > 0).sum())
    words = f"conjectured: at most three parallel subspaces of codimension {count}"
    return Prediction("geshkovski2023.conjecture4.3", words, {"codimension": count})


register(
    Claim(
        "geshkovski2023.conjecture4.3", f"{PAPER}, conjecture 4.3",
        "With k eigenvalues of positive real part, tokens cluster to at most three parallel subspaces of codimension k.",
        codimension_hypotheses, codimension_predict, kind="conjecture",
    )
)  # fmt: skip
