"""What chance decides on the sphere: hemispheres (theorem 6.7) and weak attention (theorem 4.2 of arXiv 2312.10794)."""

from __future__ import annotations

from itertools import product

import numpy as np

from ..attention import Softmax
from .claim import Check, Claim, Hypothesis, Prediction, register
from .conditions import on_sphere, positive_multiple, score_matrix, values
from .geshkovski2024_rest import is_trap
from .hemisphere import best_direction, wendel
from .pairs import directions, some_times
from .search import Trial, both, falsifier, random_trials, sphere_run, unit

PAPER = "arXiv 2312.10794"
WEAK = 0.1
"""Attention with β‖B‖ up to this counts as weak."""
MOST = 1000
"""Coordinates of all tokens up to which a run is repeated at β = 0."""


# ---- Wendel ----------------------------------------------------------------------------------------------------------


def wendel_hypotheses(flow, mu):
    if not on_sphere(flow, mu) or mu.n < 2 or mu.n > 20000 or mu.d < 2:
        return []
    return [Hypothesis("two tokens or more", mu.n - 2.0)]


def wendel_predict(flow, mu):
    p = wendel(mu.n, mu.d)
    words = (
        f"{mu.n} uniform tokens share a hemisphere of S^{mu.d - 1} with probability {p:.6g}; then their cone collapses"
    )
    return Prediction("geshkovski2024.wendel", words, {"probability": p})


def hemispherical_signs(x) -> int:
    r"""How many of the prompts $(x_1, \pm x_2, \dots, \pm x_n)$ lie in a hemisphere.

    For tokens in general position the number is the same, $\sum_{k<d}\binom{n-1}{k}$, so every prompt is a full test
    of the probability for every law that does not change when tokens are reflected.
    """
    signs = np.array(list(product((1.0, -1.0), repeat=len(x) - 1)))
    flipped = [np.vstack([x[:1], s[:, None] * x[1:]]) for s in signs]
    return sum(best_direction(y)[1] > 1e-12 for y in flipped)


def _wendel_trial(rng):
    n, d = int(rng.integers(2, 7)), int(rng.integers(2, 5))
    x = unit(rng, n, d) if rng.random() < 0.7 else directions(unit(rng, 1, d) + 0.2 * rng.normal(size=(n, d)))
    count, expected = hemispherical_signs(x), wendel(n, d) * 2 ** (n - 1)
    return Trial(
        2 * abs(count - expected), 0.0, f"n = {n}, d = {d}: {count} of {2 ** (n - 1)} reflections, not {expected:g}"
    )


register(
    Claim(
        "geshkovski2024.wendel", f"{PAPER}, theorem 6.7 (Wendel 1962)",
        "n uniform tokens of S^{d−1} share a hemisphere with probability 2^{−(n−1)} Σ_{k<d} C(n−1, k).",
        wendel_hypotheses, wendel_predict, None,
        falsifier("geshkovski2024.wendel", printed=random_trials(_wendel_trial, 10)),
    )
)  # fmt: skip


# ---- weak attention --------------------------------------------------------------------------------------------------


def departure_bound(t, strength: float):
    r"""How far tokens can be from those of $\beta = 0$: $\frac12(e^{2\beta\|B\|}-1)(e^{2t}-1)$, an instance of $O(\beta)e^{3t}$.

    Derived: weights lie within a factor $e^{\pm2\beta\|B\|}$ of the masses, and the field at β = 0 has the Lipschitz
    constant 2 in the maximum norm, since $\|xx^\top-yy^\top\|\le|x-y|$.
    """
    return 0.5 * np.expm1(2 * strength) * np.expm1(2 * np.asarray(t, float))


def weak_hypotheses(flow, mu):
    if not on_sphere(flow, mu, (Softmax,)) or mu.n < 2 or mu.n * mu.d > MOST:
        return []
    strength = float(np.linalg.norm(score_matrix(flow, mu.d), 2))
    return [
        positive_multiple("V", values(flow, mu.d)),
        Hypothesis(f"attention is weak: β‖B‖ ≤ {WEAK}", WEAK - strength),
    ]


def weak_predict(flow, mu):
    strength = float(np.linalg.norm(score_matrix(flow, mu.d), 2))
    bound = float(departure_bound(1.0, strength))
    words = f"almost surely one cluster as β → 0; at t = 1 within {bound:.3g} of where β = 0 leads"
    return Prediction("geshkovski2024.theorem4.2", words, {"departure": bound})


def weak_check(run):
    x, mass = directions(run.x), np.asarray(run.mass, float)
    c = float(values(run.flow, x.shape[-1])[0, 0])
    strength = float(np.linalg.norm(score_matrix(run.flow, x.shape[-1]), 2))
    ts = (np.asarray(run.ts, float) - float(run.ts[0])) * c
    some = [k for k in some_times(len(ts), x.shape[1]) if 0 < ts[k] and departure_bound(ts[k], strength) < 2]
    if not some:
        return Check("geshkovski2024.theorem4.2", None, "no saved time is early enough for the bound to say anything")
    ratio = departure_ratio(x[some], sphere_run(x[0], ts[some], beta=0.0, mass=mass), ts[some], strength)
    words = "tokens are no farther from those of β = 0 than O(β)e^{3t} allows"
    return Check("geshkovski2024.theorem4.2", bool(ratio <= 1), words, {"over_bound": ratio})


def departure_ratio(x, free, ts, strength) -> float:
    """By how much the bound is passed; integration errors of 1e-6 are forgiven."""
    apart = np.linalg.norm(x - free, axis=-1).max(axis=1)
    return float(np.max(apart / (departure_bound(ts, strength) + 1e-6)))


def _departure_trial(rng):
    n, d, beta = int(rng.integers(2, 8)), int(rng.integers(2, 5)), float(10 ** rng.uniform(-4, -1))
    x, B, ts = unit(rng, n, d), rng.normal(size=(d, d)), np.array([0.05, 0.2, 0.5, 1.0, 2.0])
    if rng.random() < 0.3:
        x = directions(x * np.array([1.0] + [1e-2] * (d - 1)))
    B = B / np.linalg.norm(B, 2)
    ratio = departure_ratio(sphere_run(x, ts, beta=beta, B=B), sphere_run(x, ts, beta=0.0), ts, beta)
    return Trial(ratio, 2.0, f"β = {beta:.3g}, B = {np.round(B, 3).tolist()}, x = {np.round(x, 3).tolist()}")


def _one_cluster_trial(rng):
    n, d, beta, T = int(rng.integers(2, 7)), int(rng.integers(2, 4)), float(rng.uniform(0, 0.05)), 60.0
    x, B = unit(rng, n, d), rng.normal(size=(d, d))
    B = B / np.linalg.norm(B, 2)
    end = sphere_run(x, [T], beta=beta, B=B)[-1]
    lowest = float((end @ end.T).min())
    trapped = 2.0 if lowest < 1 - 1e-3 and is_trap(end, beta=beta, B=B) else np.nan
    ratio = (1 - lowest) / 1e-3 if lowest > 1 - 1e-3 else trapped
    return Trial(ratio, T, f"β = {beta:.3g}, B = {np.round(B, 3).tolist()}, x = {np.round(x, 4).tolist()}")


register(
    Claim(
        "geshkovski2024.theorem4.2", f"{PAPER}, theorem 4.2",
        "V = I, any Q, K: the probability of one cluster tends to 1 as β → 0, and |x^β(t) − x⁰(t)| ≤ O(β)e^{3t}.",
        weak_hypotheses, weak_predict, weak_check,
        falsifier(
            "geshkovski2024.theorem4.2",
            printed=both(random_trials(_departure_trial, 10), random_trials(_one_cluster_trial, 6)),
        ),
    )
)  # fmt: skip
