"""The one token on the line that may stay bounded (lemmas 7.5 to 7.8 of arXiv 2305.05465), caught by bisection.

Such a start is unstable: a hair to either side and the token escapes up or down. Bisecting on where it escapes finds the
start to round-off, and the run follows the bounded token for as long as double precision can.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq

from .claim import Check, Claim, Prediction, register
from .conditions import only_finite, pace, rescaled, score_matrix
from .search import Trial, falsifier, hunted, random_trials, rescaled_run, softmax

PAPER = "arXiv 2305.05465"


def balanced_start(x, token: int, *, until: float):
    """The start of one token, between its bounds, from which it escapes neither up nor down before `until`."""
    x = np.array(x, float)

    def escapes_up(start):
        x[token] = start
        return rescaled_run(x[:, None], [until])[-1, token, 0] > 0

    low, high = -np.abs(x).max() * 0.9, np.abs(x).max() * 0.9
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if escapes_up(middle) else (middle, high)
    x[token] = (low + high) / 2
    return x


def attention_row(z, token, t) -> np.ndarray:
    return softmax(np.exp(2 * t) * z[token] * z[None, :])[0]


def bounded_interior_trial(rng) -> Trial:
    r"""Lemma 7.8: $e^tx\to\theta_0$ and the row of P, up to corrections of order $e^{-2t}$."""
    low, high = int(rng.integers(1, 3)), int(rng.integers(1, 3))
    outer = np.sort(np.concatenate([-rng.uniform(0.9, 1.3, low), rng.uniform(0.9, 1.3, high)]))
    token, ends = low, rescaled_run(outer[:, None], [2.0])[-1][[0, -1], 0]
    # A disturbance grows like exp(−γ₁γₙe^{2t}/2): the run is followed while that is below 1e10.
    T = 0.5 * float(np.log(2 * np.log(1e10) / -(ends[0] * ends[1]))) if ends[0] < 0 < ends[1] else 0.0
    if not 1.5 < T < 3.0:
        return Trial(np.nan, is_inside=False)
    x = balanced_start(np.insert(outer, token, 0.0), token, until=T + 0.2)
    z = rescaled_run(x[:, None], [T])[-1][:, 0]
    theta = balancing_angle(np.delete(z, token))
    off = abs(np.exp(2 * T) * z[token] - theta)
    weights = np.exp(np.where(np.arange(len(z)) == token, 0.0, z) * theta)
    row = np.abs(attention_row(z, token, T) - weights / weights.sum()).max()
    return Trial(float(max(off / max(1.0, abs(theta)), row)) / 0.1, T, f"x = {x.tolist()}: θ off by {off:.3g}")


def balancing_angle(gamma) -> float:
    r"""The root of $\sum_i\gamma_ie^{\gamma_i\theta}=0$."""
    gamma = np.asarray(gamma, float)
    reach = 1.0
    while (gamma * np.exp(-gamma * reach)).sum() > 0 or (gamma * np.exp(gamma * reach)).sum() < 0:
        reach *= 2
    return float(brentq(lambda theta: (gamma * np.exp(gamma * theta)).sum(), -reach, reach))  # pyright: ignore[reportArgumentType]


def extreme_row(rng):
    """The row of the lowest token when it is the bounded one."""
    x = np.append(0.0, np.sort(rng.uniform(0.6, 1.5, int(rng.integers(1, 4)))))
    T = 4.0
    x = balanced_start(x, 0, until=4.6)
    z = rescaled_run(x[:, None], [T])[-1][:, 0]
    return x, T, attention_row(z, 0, T)


def _extreme_trial(which):
    def trial(rng):
        x, T, row = extreme_row(rng)
        worst = float(row.max() if which == "printed" else row[1:].max())
        return Trial(worst / 0.05, T, f"x = {x.tolist()}: at t = {T} the row is {np.round(row, 4).tolist()}")

    return trial


hunted(
    "geshkovski2023.lemma7.7",
    f"{PAPER}, lemma 7.7",
    "If the lowest token stays bounded, P_{1j} → 0 for every j in {1, …, n}.",
    random_trials(_extreme_trial("printed"), 2),
    random_trials(_extreme_trial("corrected"), 2),
    corrected="for every j in {2, …, n}: the row tends to its own unit vector",
)


# ---- lemmas 7.5 and 7.6 ----------------------------------------------------------------------------------------------


def strays(z) -> int:
    """Tokens that are neither at the lowest nor at the highest limit."""
    size = np.abs(z).max()
    return int((np.minimum(z - z.min(), z.max() - z) > 1e-2 * size).sum())


@only_finite("geshkovski2023.lemma7.5")
def ends_check(run):
    z, ts = rescaled(run)[..., 0], np.asarray(run.ts, float)
    v, b = pace(run)[0, 0], score_matrix(run.flow, 1)[0, 0]
    count, before = strays(z[-1]), strays(z[len(z) // 2])
    # Of two strays one is at least half their first distance off the origin in x; it is swept out once its logits are hard.
    middle, size = float(ts[len(ts) // 2]), np.abs(z[-1]).max()
    near = np.diff(np.sort(z[0])).min(initial=np.inf)
    hard = np.log(max(b * near * size, 1e-300)) + v * middle
    is_late = before >= 2 and v * (ts[-1] - middle) > 6 and hard > 10
    holds = True if count <= 1 else False if is_late else None
    words = "all tokens but at most one are at the lowest or highest limit" if holds else "not all tokens have arrived"
    return Check("geshkovski2023.lemma7.5", holds, words, {"strays": count})


def ends_predict(flow, mu):
    words = "rescaled tokens tend to the lowest or the highest limit; at most one stays bounded, and tends to 0"
    return Prediction("geshkovski2023.lemma7.5", words)


def _ends_trial(rng):
    n = int(rng.integers(3, 9))
    x = np.sort(rng.uniform(-1.5, 1.5, n) + rng.choice([0.0, 0.5, 2.0]))
    z = rescaled_run(x[:, None], [9.0])[-1][:, 0]
    return Trial(strays(z) / 1.5 if np.diff(x).min() > 1e-3 else np.nan, 9.0, f"x = {np.round(x, 4).tolist()}")


def register_ends(hypotheses) -> None:
    """The hypotheses are those of theorem 1, which is told in a file that reads this one."""
    register(
        Claim(
            "geshkovski2023.lemma7.5", f"{PAPER}, lemmas 7.5 and 7.6",
            "Growing tokens have z → γ₁ or γₙ only; at most one token stays bounded, and it tends to 0.",
            hypotheses, ends_predict, ends_check,
            falsifier("geshkovski2023.lemma7.5", printed=random_trials(_ends_trial, 12)), kind="lemma", in_layers=True,
        )
    )  # fmt: skip
