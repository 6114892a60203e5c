"""Lemmas of arXiv 2305.05465 that every run can be checked against: quantities that only grow or only shrink."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import pdist

from ..rescaled import Rescaled
from .claim import Check, Claim, Hypothesis, Prediction, register
from .conditions import (
    SLACK,
    along,
    equal_masses,
    in_space,
    multiple,
    only_finite,
    original,
    paces,
    positive_multiple,
    rescaled,
    rise,
    score_matrix,
    values,
)  # fmt: skip
from .geshkovski2023_search import extrema_trial
from .search import Trial, diagonal_run, euclidean_run, falsifier, random_trials, rescaled_run

PAPER = "arXiv 2305.05465"
PAIRED = 1000
"""Of so many tokens, evenly chosen, all pairs are looked at."""


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
    # All pairs of at most PAIRED tokens: those of a crowd would fill the memory.
    x = original(run)[:, :: -(-run.x.shape[1] // PAIRED)]
    apart = np.array([pdist(y) for y in x])
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
        distances_check, falsifier("geshkovski2023.distances", printed=random_trials(_distances_trial, 12)),
        kind="lemma", in_layers=True,
    )
)  # fmt: skip


# ---- hull (proposition 8.2) ------------------------------------------------------------------------------------------


def hull_hypotheses(flow, mu):
    return [positive_multiple("V", values(flow, mu.d))] if in_space(flow, mu) else []


@only_finite("geshkovski2023.hull")
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
        falsifier("geshkovski2023.hull", printed=random_trials(_hull_trial, 12)),
        kind="lemma", in_layers=True,
    )
)  # fmt: skip


# ---- eigen-coordinates (lemma 9.1) -----------------------------------------------------------------------------------


def _real_pairs(V):
    eigenvalues, vectors = np.linalg.eig(V)
    real = (np.abs(eigenvalues.imag) < 1e-12) & (eigenvalues.real >= 0)  # pyright: ignore[reportAttributeAccessIssue]
    rates = np.real(eigenvalues[real])
    return np.linalg.inv(vectors)[real].real, rates, float(np.linalg.cond(vectors))


def extrema_hypotheses(flow, mu):
    if not in_space(flow, mu):
        return []
    dual, _, condition = _real_pairs(values(flow, mu.d))
    return [
        Hypothesis("V has a real eigenvalue ≥ 0", len(dual) - 0.5),
        Hypothesis("the eigenbasis of V is well conditioned", 6 - np.log10(condition)),
    ]


def extrema_check(run):
    dual, rates, _ = _real_pairs(values(run.flow, run.x.shape[-1]))
    c = along(run, dual, rates)
    out = max(rise(c.max(axis=1)), rise(-c.min(axis=1)))
    words = "extreme eigen-coordinates of z move inwards"
    return Check("geshkovski2023.extrema", out < SLACK, words, {"largest_relative_rise": out})


register(
    Claim(
        "geshkovski2023.extrema", f"{PAPER}, lemma 9.1",
        "For a real eigenvalue λ_k ≥ 0 of V, max_j φ_k*(z_j) does not grow and min_j φ_k*(z_j) does not fall.",
        extrema_hypotheses, _says("geshkovski2023.extrema", "largest eigen-coordinates of z do not grow, smallest do not fall"),
        extrema_check, falsifier("geshkovski2023.extrema", printed=random_trials(extrema_trial, 10)),
        kind="lemma", in_layers=True,
    )
)  # fmt: skip


# ---- growth (lemma 9.3, corollary 9.2) -------------------------------------------------------------------------------


def growth_hypotheses(flow, mu):
    if not in_space(flow, mu):
        return []
    condition = float(np.linalg.cond(np.linalg.eig(values(flow, mu.d))[1]))
    return [Hypothesis("V is diagonalisable in a well-conditioned basis", 6 - np.log10(max(condition, 1.0)))]


def growth_check(run):
    spectrum, vectors = np.linalg.eig(values(run.flow, run.x.shape[-1]))
    # What e^{tλ} of x and the bound e^{t|λ|} combine to cannot overflow.
    growth = -np.abs(spectrum) + (np.real(paces(run, spectrum)) if isinstance(run.flow, Rescaled) else 0.0)
    fade = np.exp(np.outer(np.asarray(run.ts, float), growth))
    largest = np.abs(np.asarray(run.x, float) @ np.linalg.inv(vectors).T).max(axis=1) * fade
    out = max(rise(column) for column in largest.T)
    words = "no eigen-coordinate of x outgrows e^{|λ|t}"
    return Check("geshkovski2023.growth", out < SLACK, words, {"largest_relative_rise": out})


def _growth_trial(rng):
    n, d = int(rng.integers(2, 6)), int(rng.integers(1, 4))
    rates, M, c = rng.uniform(-1.2, 1.2, d), rng.normal(size=(d, d)), rng.normal(size=(n, d)) * 2
    ts = np.linspace(0, 3, 13)
    y = np.abs(diagonal_run(c, ts, rates=rates, M=M)).max(axis=1) * np.exp(np.outer(ts, rates - np.abs(rates)))
    words = f"rates = {np.round(rates, 4).tolist()}, M = {np.round(M, 4).tolist()}, c = {np.round(c, 4).tolist()}"
    return Trial(max(rise(column) for column in y.T) / 1e-7, 3.0, words)


register(
    Claim(
        "geshkovski2023.growth", f"{PAPER}, lemma 9.3 and corollary 9.2",
        "|φ_k*(x_i)| ≤ Ce^{|λ_k|t}; if all eigenvalues of V are real and ≥ 0, rescaled tokens stay bounded.",
        growth_hypotheses, _says("geshkovski2023.growth", "eigen-coordinates of x grow at most like e^{|λ|t}"), growth_check,
        falsifier("geshkovski2023.growth", printed=random_trials(_growth_trial, 10)),
        kind="lemma", in_layers=True,
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


def _decay(key, words):
    """A prediction on the clock of the flow: in units of V = −I, B = I time is 2βct, with βB = βI and V = −cI."""

    def predict(flow, mu):
        speed = -2 * float(multiple(score_matrix(flow, mu.d)) or 0.0) * float(multiple(values(flow, mu.d)) or 0.0)
        return Prediction(key, words.format(f"{speed:g}t·M(t)"), {"speed": speed})

    return predict


def _clock(run):
    """Tokens and times in the units of V = −I, B = I, and the least spread of the first tokens on its range."""
    d = run.x.shape[-1]
    b, c = multiple(score_matrix(run.flow, d)) or 1.0, -(multiple(values(run.flow, d)) or -1.0)
    x, t = original(run) * np.sqrt(b), (np.asarray(run.ts, float) - float(run.ts[0])) * c
    spectrum = np.linalg.eigvalsh(np.atleast_2d(np.cov(x[0].T, bias=True)))
    return x, t, float(spectrum[spectrum > 1e-12 * max((x[0] ** 2).sum(), 1e-300)].min(initial=np.inf))


def _log_energy(x):
    r"""$\log\sum_{ij}e^{\langle x_i,x_j\rangle}$, some rows at a time."""
    from scipy.special import logsumexp

    size = max(1, 2**22 // len(x))
    parts = [logsumexp(x[k : k + size] @ x.T) for k in range(0, len(x), size)]
    return float(np.asarray(logsumexp(parts)))


def repelled_check(run):
    x, t, least = _clock(run)
    n, d = x.shape[1:]
    some = np.unique(np.linspace(0, len(x) - 1, min(len(x), 101 if n <= 500 else 12)).astype(int))
    rises = rise([_log_energy(x[k]) for k in some])
    size = np.linalg.norm(x, axis=-1)
    over = float((size / np.maximum(size[0], np.sqrt(2 * n))).max())
    # 2tM tends to the identity on its range like 2tm/(1+2tm), so late tokens have Σ|x|² near nd/2t at most.
    is_late = 2 * t[-1] * least > 100
    left = float(2 * t[-1] * (size[-1] ** 2).sum() / (n * d)) if np.isfinite(least) else 0.0
    numbers = {"energy_rise": rises, "size_over_bound": over, "largest_token": float(size[-1].max())}
    if rises > SLACK or over > 1 + SLACK or (is_late and left > 2):
        words = "the energy rises, a token passes max(|x(0)|, √(2n)), or tokens do not tend to 0"
        return Check("geshkovski2023.theorem8.5", False, words, numbers)
    words = "the energy falls, no token passes max(|x(0)|, √(2n)), and tokens near 0"
    if not is_late and np.isfinite(least):
        return Check("geshkovski2023.theorem8.5", None, f"{words}; too early to tell whether they reach it", numbers)
    return Check("geshkovski2023.theorem8.5", True, words, numbers)


def repelled_ratio(y, T) -> float:
    """Against lemma 8.7 at every time, and against |x|² ≤ nd/T, twice the decay law, at the last."""
    n, d = y.shape[1:]
    size = np.linalg.norm(y, axis=-1)
    bound = float((size / np.maximum(size[0], np.sqrt(2 * n))).max())
    return max(bound - 1e-9, float(size[-1].max()) ** 2 * T / (n * d))


def _repelled_trial(rng):
    n, d = int(rng.integers(2, 6)), int(rng.integers(1, 3))
    x = rng.normal(size=(n, d)) * rng.choice([0.3, 1.0, 2.0])
    y = euclidean_run(x, np.array([0, 1, 10, 100.0]), V=-np.eye(d))
    return Trial(repelled_ratio(y, 100.0), 100.0, f"x = {np.round(x, 3).tolist()}")


register(
    Claim(
        "geshkovski2023.theorem8.5", f"{PAPER}, theorem 8.5, lemmas 8.7 and 8.9",
        "V = −I, B = I: every token x tends to 0, P to 1/n, and Σ e^{<x_i,x_j>} decreases.",
        repelled_hypotheses,
        _decay("geshkovski2023.theorem8.5", "all tokens tend to 0 like t^(−1/2): {} tends to the identity on its range"),
        repelled_check, falsifier("geshkovski2023.theorem8.5", printed=random_trials(_repelled_trial, 8)),
    )
)  # fmt: skip


def decay_check(run):
    x, t, least = _clock(run)
    off = decay_error(x[-1], t[-1], x[0])
    is_late = 2 * t[-1] * least > 100
    words = "2t·M(t) is the identity on its range" if is_late else "too early: 2t·M(0) is not yet large"
    return Check("geshkovski2023.decay", bool(off < 0.1) if is_late else None, words, {"deviation": off})


def decay_error(x, t, start) -> float:
    """How far the eigenvalues of 2tM, on the range of the start about its mean, which dies at once, are from 1."""
    rank = np.linalg.matrix_rank(start - start.mean(axis=0), tol=1e-6 * max(np.abs(start).max(), 1e-300))
    spectrum = np.sort(np.linalg.eigvalsh(2 * t * x.T @ x / len(x)))[::-1][:rank]
    return float(np.abs(spectrum - 1).max(initial=0.0))


def _decay_trial(rng):
    """Clouds in general position, on a line, far off the origin, or large."""
    n, d = int(rng.integers(2, 7)), int(rng.integers(1, 4))
    x = rng.normal(size=(n, d)) * rng.choice([0.5, 1.0, 2.0]) + rng.choice([0.0, 1.0])
    x = x if rng.random() < 0.7 else np.outer(x[:, 0], rng.normal(size=d))
    centred = x - x.mean(axis=0)
    spectrum = np.linalg.eigvalsh(centred.T @ centred / n)[-np.linalg.matrix_rank(centred, tol=1e-6) :]
    T = 400.0
    y = euclidean_run(x, np.array([0.0, T]), V=-np.eye(d))[-1]
    return Trial(decay_error(y, T, x) / 0.1, T, f"x = {np.round(x, 3).tolist()}", bool(spectrum.min() > 0.15))


register(
    Claim(
        "geshkovski2023.decay", "derived from theorem 8.5 of arXiv 2305.05465",
        "V = −I, B = I: M = (1/n)Σ x xᵀ obeys M' = −2M² asymptotically, so 2tM(t) → I on its range.",
        repelled_hypotheses, _decay("geshkovski2023.decay", "the eigenvalues of {} tend to 1, or stay 0"), decay_check,
        falsifier("geshkovski2023.decay", printed=random_trials(_decay_trial, 10)), kind="derived",
    )
)  # fmt: skip
