"""Statements of arXiv 2305.05465 on a few tokens, where everything can be computed: remark 7.9 (false), lemmas 7.3, 7.8."""

from __future__ import annotations

import numpy as np

from .claim import Check, Claim, Hypothesis, Prediction, register
from .conditions import distinct, equal_masses, in_space, multiple, original, rescaled, score_matrix, values
from .geshkovski2023_unstable import bounded_interior_trial
from .line import escape_level, middle_row, pair_limit, symmetric_triple_limit
from .search import Trial, euclidean_run, falsifier, random_trials, rescaled_run

PAPER = "arXiv 2305.05465"


# ---- remark 7.9 ------------------------------------------------------------------------------------------------------


def pair_hypotheses(flow, mu):
    if not in_space(flow, mu) or mu.n != 2 or mu.d != 2:
        return []
    x = np.asarray(mu.x, float)
    if multiple(values(flow, 2)) != 1.0 or multiple(score_matrix(flow, 2)) != 1.0:
        return []
    off = float(np.abs(x[:, 0] - 1).max() + abs(x[0, 1] + x[1, 1]))
    return [Hypothesis("tokens are (1, ±e)", 1e-12 - off), distinct(mu), equal_masses(mu)]


def pair_predict(flow, mu):
    y = pair_limit(abs(float(mu.x[0, 1])))
    return Prediction(
        "geshkovski2023.remark7.9", f"two clusters remain, at (1, ±{y:.6g}); P tends to the identity", {"y": y}
    )


def pair_check(run):
    z = rescaled(run)[-1]
    y = pair_limit(abs(float(original(run)[0, 0, 1])))
    off = float(np.abs(np.abs(z[:, 1]) - y).max())
    late = float(run.ts[-1]) > 8
    return Check(
        "geshkovski2023.remark7.9", bool(off < 1e-6) if late else None, "z ends at (1, ±y)", {"y": y, "deviation": off}
    )


def _gap_trial(e):
    """The printed limit is one point, so the gap left at a late time, over its tolerance, is the violation."""
    T = 7.0
    z = rescaled_run(np.array([[1.0, e], [1.0, -e]]), [T])[-1]
    return abs(z[0, 1] - z[1, 1]), T


def _printed_pair(rng):
    e = float(rng.uniform(0.3, 1.0))
    gap, T = _gap_trial(e)
    return Trial(gap / 1e-3, T, f"x = (1, ±{e:.4f}): z stays {gap:.6f} apart")


def _corrected_pair(rng):
    e = float(rng.uniform(0.3, 1.0))
    gap, T = _gap_trial(e)
    return Trial(abs(gap - 2 * pair_limit(e)) / 1e-6, T, f"e = {e}")


register(
    Claim(
        "geshkovski2023.remark7.9", f"{PAPER}, remark 7.9",
        "n = d = 2, x = (1, ±e), B = V = I: both rescaled tokens tend to one point although P tends to the identity.",
        pair_hypotheses, pair_predict, pair_check,
        falsifier(
            "geshkovski2023.remark7.9", printed=random_trials(_printed_pair, 4),
            corrected=random_trials(_corrected_pair, 4),
        ),
        corrected="z tends to (1, ±y) with y > 0 given by an integral: two clusters, as many as the rank of P.", kind="lemma",
    )
)  # fmt: skip


# ---- lemma 7.3 -------------------------------------------------------------------------------------------------------


def escape_hypotheses(flow, mu):
    if not in_space(flow, mu) or mu.d != 1 or values(flow, 1)[0, 0] != 1 or score_matrix(flow, 1)[0, 0] != 1:
        return []
    beyond = float(np.max(np.asarray(mu.x))) - escape_level(mu.n)
    return [Hypothesis("the largest token is beyond √W(n²)", beyond), equal_masses(mu)]


def escape_predict(flow, mu):
    words = "the largest token grows like e^t for ever"
    return Prediction("geshkovski2023.lemma7.3", words, {"level": escape_level(mu.n)})


def escape_check(run):
    top, t = original(run)[..., 0].max(axis=1), np.asarray(run.ts, float)
    short = escape_shortfall(top, t, run.x.shape[1])
    words = "the largest token grows, and like e^t once n/x² is small"
    return Check("geshkovski2023.lemma7.3", short < 1e-6, words, {"last": float(top[-1]), "shortfall": short})


def escape_shortfall(top, t, n) -> float:
    r"""By how much the growth of the largest token falls short of $(\log x)'\ge\max(0, 1-\frac n{ex^2})$."""
    promised = np.maximum(0.0, 1 - n / (np.e * top[:-1] ** 2)) * np.diff(t)
    return float(np.max(promised - np.diff(np.log(np.maximum(top, 1e-300))), initial=0.0))


def _escape_trial(rng):
    n = int(rng.integers(2, 8))
    x = rng.uniform(-3, 0.5, (n, 1))
    x[-1] = escape_level(n) * 1.001
    ts = np.linspace(0, 3, 13)
    top = euclidean_run(x, ts)[..., 0].max(axis=1)
    return Trial(escape_shortfall(top, ts, n) / 1e-7, 3.0, f"x = {np.round(x[:, 0], 3).tolist()}")


register(
    Claim(
        "geshkovski2023.lemma7.3", f"{PAPER}, lemma 7.3",
        "d = 1: once x_n exceeds the root A of A² = n²e^{−A²}, it grows at least like e^t.",
        escape_hypotheses, escape_predict, escape_check,
        falsifier("geshkovski2023.lemma7.3", printed=random_trials(_escape_trial, 8)), kind="lemma",
    )
)  # fmt: skip


# ---- lemma 7.8 -------------------------------------------------------------------------------------------------------


def middle_hypotheses(flow, mu):
    if (
        not in_space(flow, mu)
        or mu.d != 1
        or mu.n != 3
        or values(flow, 1)[0, 0] != 1
        or score_matrix(flow, 1)[0, 0] != 1
    ):
        return []
    x = np.sort(np.asarray(mu.x, float)[:, 0])
    off = float(abs(x[1]) + abs(x[0] + x[2]))
    return [Hypothesis("tokens are (−u, 0, u)", 1e-12 - off), distinct(mu), equal_masses(mu)]


def middle_predict(flow, mu):
    u = float(np.abs(np.asarray(mu.x)).max())
    z = symmetric_triple_limit(u)
    words = f"outer tokens z tend to ±{z:.6f}; the middle row of P to (1/3, 1/3, 1/3), rank 3; unstable: any disturbance ends it"
    return Prediction("geshkovski2023.lemma7.8", words, {"z": z, "row": middle_row(-z, z)})


def middle_check(run):
    z = np.sort(rescaled(run)[-1][:, 0])
    expected = symmetric_triple_limit(float(np.abs(original(run)[0]).max()))
    if not 2.0 <= float(run.ts[-1]) <= 3.0:
        return Check(
            "geshkovski2023.lemma7.8", None, "decidable for 2 ≤ t ≤ 3 only: round-off breaks the symmetry later"
        )
    off = float(abs(z[2] - expected))
    return Check("geshkovski2023.lemma7.8", off < 1e-3, "outer tokens are at ±z", {"deviation": off})


register(
    Claim(
        "geshkovski2023.lemma7.8", f"{PAPER}, lemma 7.8",
        "An interior token that stays bounded has e^t x → θ₀, the root of Σ γ_i e^{γ_iθ} = 0; its row of P tends to e^{γ_jθ₀}/Σ.",
        middle_hypotheses, middle_predict, middle_check,
        falsifier("geshkovski2023.lemma7.8", printed=random_trials(bounded_interior_trial, 2)), kind="lemma",
    )
)  # fmt: skip
