"""Lemmas of arXiv 2305.05465 that every run can be checked against: quantities that only grow or only shrink."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import pdist

from .claim import Check, Claim, Hypothesis, Prediction, register
from .conditions import (
    SLACK,
    equal_masses,
    in_space,
    multiple,
    original,
    positive_multiple,
    rescaled,
    rise,
    score_matrix,
    values,
)  # fmt: skip
from .search import Trial, euclidean_run, falsifier, random_trials, rescaled_run

PAPER = "arXiv 2305.05465"


def _says(key, words):
    return lambda flow, mu: Prediction(key, words)


def _directions(d):
    rng = np.random.default_rng(0)
    return np.vstack([np.eye(d), -np.eye(d), rng.normal(size=(64, d))])


# ---- distances (lemma 7.2) -------------------------------------------------------------------------------------------


def distances_hypotheses(flow, mu):
    if not in_space(flow, mu):
        return []
    return [positive_multiple("V", values(flow, mu.d)), positive_multiple("βB", score_matrix(flow, mu.d))]


def distances_check(run):
    apart = np.array([pdist(x) for x in original(run)])
    fall = float(np.max((apart[:-1] - apart[1:]) / np.maximum(apart[:-1], 1e-300), initial=0.0))
    return Check(
        "geshkovski2023.distances", fall < SLACK, "no two tokens x come nearer", {"largest_relative_fall": fall}
    )


def _distances_trial(rng):
    n, d = int(rng.integers(2, 7)), int(rng.integers(1, 4))
    x = rng.normal(size=(n, d)) * rng.choice([0.05, 1.0]) + rng.choice([0.0, 1.0])
    apart = np.array([pdist(y) for y in euclidean_run(x, np.linspace(0, 2, 9))])
    fall = float(np.max(1 - apart[1:] / apart[:-1], initial=0))
    return Trial(fall / 1e-7, 2.0, f"x = {np.round(x, 3).tolist()}")


register(
    Claim(
        "geshkovski2023.distances", f"{PAPER}, lemma 7.2", "B = V = I: the distance of every pair of tokens x grows.",
        distances_hypotheses, _says("geshkovski2023.distances", "no two tokens x ever come nearer to each other"),
        distances_check, falsifier("geshkovski2023.distances", printed=random_trials(_distances_trial, 12)), kind="lemma",
    )
)  # fmt: skip


# ---- hull (proposition 8.2) ------------------------------------------------------------------------------------------


def hull_hypotheses(flow, mu):
    return [positive_multiple("V", values(flow, mu.d))] if in_space(flow, mu) else []


def hull_check(run):
    z = rescaled(run)
    out = rise((z @ _directions(z.shape[-1]).T).max(axis=1))
    return Check("geshkovski2023.hull", out < SLACK, "the hull of z only shrinks", {"largest_relative_rise": out})


def _hull_trial(rng):
    n, d = int(rng.integers(2, 8)), int(rng.integers(1, 4))
    x, B = rng.normal(size=(n, d)) * 2 + rng.choice([0.0, 2.0]), rng.normal(size=(d, d))
    z = rescaled_run(x, np.linspace(0, 3, 13), B=B)
    return Trial(
        rise((z @ _directions(d).T).max(axis=1)) / 1e-7,
        3.0,
        f"B = {np.round(B, 3).tolist()}, x = {np.round(x, 3).tolist()}",
    )


register(
    Claim(
        "geshkovski2023.hull", f"{PAPER}, proposition 8.2", "V = I: the convex hull of the rescaled tokens shrinks.",
        hull_hypotheses, _says("geshkovski2023.hull", "the convex hull of z only shrinks, for any B"), hull_check,
        falsifier("geshkovski2023.hull", printed=random_trials(_hull_trial, 12)), kind="lemma",
    )
)  # fmt: skip


# ---- eigen-coordinates (lemma 9.1) -----------------------------------------------------------------------------------


def _real_pairs(V):
    eigenvalues, vectors = np.linalg.eig(V)
    real = (np.abs(eigenvalues.imag) < 1e-12) & (eigenvalues.real >= 0)  # pyright: ignore[reportAttributeAccessIssue]
    return np.linalg.inv(vectors)[real].real, float(np.linalg.cond(vectors))


def extrema_hypotheses(flow, mu):
    if not in_space(flow, mu):
        return []
    dual, condition = _real_pairs(values(flow, mu.d))
    return [
        Hypothesis("V has a real eigenvalue ≥ 0", len(dual) - 0.5),
        Hypothesis("the eigenbasis of V is well conditioned", 6 - np.log10(condition)),
    ]


def extrema_check(run):
    dual, _ = _real_pairs(values(run.flow, run.x.shape[-1]))
    c = rescaled(run) @ dual.T
    out = max(rise(c.max(axis=1)), rise(-c.min(axis=1)))
    words = "extreme eigen-coordinates of z move inwards"
    return Check("geshkovski2023.extrema", out < SLACK, words, {"largest_relative_rise": out})


register(
    Claim(
        "geshkovski2023.extrema", f"{PAPER}, lemma 9.1",
        "For a real eigenvalue λ_k ≥ 0 of V, max_j φ_k*(z_j) does not grow and min_j φ_k*(z_j) does not fall.",
        extrema_hypotheses, _says("geshkovski2023.extrema", "largest eigen-coordinates of z do not grow, smallest do not fall"),
        extrema_check, kind="lemma",
    )
)  # fmt: skip


# ---- V = −I (theorem 8.5, lemmas 8.7 and 8.9) ------------------------------------------------------------------------


def repelled_hypotheses(flow, mu):
    if not in_space(flow, mu):
        return []
    V = multiple(values(flow, mu.d))
    if V is None or V >= 0:
        return []
    return [positive_multiple("βB", score_matrix(flow, mu.d)), equal_masses(mu)]


def repelled_check(run):
    x = original(run) * np.sqrt(multiple(score_matrix(run.flow, run.x.shape[-1])) or 1.0)
    n = x.shape[1]
    energy = np.exp(x @ x.mT).sum(axis=(1, 2)) if np.abs(x).max() < 18 else np.zeros(len(x))
    size = np.linalg.norm(x, axis=-1)
    over = float((size / np.maximum(size[0], np.sqrt(2 * n))).max())
    numbers = {"energy_rise": rise(energy), "size_over_bound": over, "largest_token": float(size[-1].max())}
    holds = bool(numbers["energy_rise"] < SLACK and over <= 1 + SLACK and size[-1].max() <= size[0].max() + SLACK)
    return Check("geshkovski2023.theorem8.5", holds, "the energy falls and no token passes max(|x(0)|, √(2n))", numbers)


def _repelled_trial(rng):
    n, d = int(rng.integers(2, 6)), int(rng.integers(1, 3))
    x = rng.normal(size=(n, d)) * rng.choice([0.3, 1.0, 2.0])
    y = euclidean_run(x, np.array([0, 1, 10, 100.0]), V=-np.eye(d))
    size = np.linalg.norm(y, axis=-1)
    bound = float((size / np.maximum(size[0], np.sqrt(2 * n))).max())
    return Trial(max(bound - 1e-9, size[-1].max() / max(0.5, size[0].max())), 100.0, f"x = {np.round(x, 3).tolist()}")


register(
    Claim(
        "geshkovski2023.theorem8.5", f"{PAPER}, theorem 8.5, lemmas 8.7 and 8.9",
        "V = −I, B = I: every token x tends to 0, P to 1/n, and Σ e^{<x_i,x_j>} decreases.",
        repelled_hypotheses,
        _says("geshkovski2023.theorem8.5", "all tokens tend to 0 like t^(−1/2): 2t·M(t) tends to the identity on its range"),
        repelled_check, falsifier("geshkovski2023.theorem8.5", printed=random_trials(_repelled_trial, 8)),
    )
)  # fmt: skip


def decay_check(run):
    x, t = original(run), np.asarray(run.ts)
    scale = (multiple(score_matrix(run.flow, x.shape[-1])) or 1.0) * -(multiple(values(run.flow, x.shape[-1])) or -1.0)
    M = 2 * t[-1] * scale * x[-1].T @ x[-1] / x.shape[1]
    spectrum = np.sort(np.linalg.eigvalsh(M))[::-1][: np.linalg.matrix_rank(x[0])]
    off = float(np.abs(spectrum - 1).max())
    late = scale * t[-1] >= 100
    return Check(
        "geshkovski2023.decay",
        bool(off < 0.1) if late else None,
        "2t·M(t) is the identity on its range",
        {"deviation": off},
    )


register(
    Claim(
        "geshkovski2023.decay", "derived from theorem 8.5 of arXiv 2305.05465",
        "V = −I, B = I: M = (1/n)Σ x xᵀ obeys M' = −2M² asymptotically, so 2tM(t) → I on its range.",
        repelled_hypotheses, _says("geshkovski2023.decay", "the eigenvalues of 2t·M(t) tend to 1"), decay_check, kind="derived",
    )
)  # fmt: skip
