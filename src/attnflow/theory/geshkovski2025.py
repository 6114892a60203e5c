"""Dynamic metastability (arXiv 2410.06833) and its neighbours: the closest pair merges first; the rest is told beside."""

from __future__ import annotations

import numpy as np

from ..attention import Softmax
from . import (  # noqa: F401
    geshkovski2025_caps,
    geshkovski2025_groups,
    geshkovski2025_neighbours,
    geshkovski2025_noise,
    geshkovski2025_schemes,
    geshkovski2025_sphere,
    geshkovski2025_staircase,
    variance_law,
)
from .claim import Check, Claim, Hypothesis, Prediction, register
from .conditions import beta_of, on_sphere, positive_multiple, values
from .geshkovski2025_caps import MOST, find_caps
from .pair_merging import merging_law, merging_time, printed_pair_cosine, rescaled_pair_cosine
from .search import Trial, falsifier, random_trials

# ---- pair merging ----------------------------------------------------------------------------------------------------


def pair_hypotheses(flow, mu):
    if not on_sphere(flow, mu, (Softmax,)) or mu.n < 2 or mu.n > MOST:
        return []
    x = np.asarray(mu.x, float)
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    labels, centres = find_caps(x, reach=1 - 1e-9)
    if labels.max() != 1:
        return []
    beta = beta_of(flow, mu.d)
    rho = float(centres[0] @ centres[1])
    return [
        positive_multiple("V", values(flow, mu.d)),
        Hypothesis("B is a multiple of the identity, β > 0", -1.0 if np.isnan(beta) else beta),
        Hypothesis("the two clusters are not antipodal", 1 + rho - 1e-9),
    ]


def _pair(flow, mu):
    x = np.asarray(mu.x, float)
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    labels, centres = find_caps(x, reach=1 - 1e-9)
    mass = np.bincount(labels, np.asarray(mu.mass, float))
    angle = 2 * np.arctan2(np.linalg.norm(centres[0] - centres[1]), np.linalg.norm(centres[0] + centres[1]))
    return float(angle), tuple(mass), beta_of(flow, mu.d), float(values(flow, mu.d)[0, 0])


def pair_predict(flow, mu):
    angle, mass, beta, speed = _pair(flow, mu)
    exact = merging_time(angle, min(0.01, angle / 2), beta=beta, mass=mass) / speed
    numbers = {"time": exact, "law": merging_law(angle, beta=beta, mass=mass) / speed}
    return Prediction("geshkovski2025.pair", f"the two clusters come within 0.01 rad at t = {exact:.6g}", numbers)


def pair_check(run):
    angle, mass, beta, speed = _pair(run.flow, run.at(0))
    now = _pair(run.flow, run.at(-1))[0] if pair_hypotheses(run.flow, run.at(-1)) else 0.0
    elapsed = float(run.ts[-1] - run.ts[0]) * speed
    if elapsed == 0:
        return Check("geshkovski2025.pair", None, "the run has not moved")
    if now < 1e-4:
        due = merging_time(angle, min(1e-4, angle), beta=beta, mass=mass)
        return Check(
            "geshkovski2025.pair", bool(due <= elapsed * (1 + 1e-6)), "the pair has merged in time", {"due": due}
        )
    expected = merging_time(angle, min(now, angle), beta=beta, mass=mass)
    off = abs(expected / elapsed - 1)
    return Check("geshkovski2025.pair", off < 1e-4, "the angle follows its clock", {"relative_deviation": off})


def _pair_trial(which):
    def trial(rng):
        beta, rho0 = float(rng.uniform(15, 40)), float(rng.uniform(0.2, 0.8))
        unit = np.exp(beta * (1 - rho0))
        s = 1.02 * merging_time(float(np.arccos(rho0)), 1e-5, beta=beta) / unit
        cosine = printed_pair_cosine(s, rho0) if which == "printed" else rescaled_pair_cosine(s, rho0, beta=beta)
        words = f"β = {beta:.2f}, ρ₀ = {rho0:.3f}: at s = {s:.4f} the pair has merged, the formula gives ρ = {float(cosine):.4f}"
        return Trial(float(1 - cosine) / 1e-3, s * unit, words)

    return trial


register(
    Claim(
        "geshkovski2025.pair", "arXiv 2512.01868, theorem 6",
        "On the time scale e^{β(1−ρ₀)} the closest pair follows ρ = tanh(2s + artanh ρ₀).",
        pair_hypotheses, pair_predict, pair_check,
        falsifier(
            "geshkovski2025.pair", printed=random_trials(_pair_trial("printed"), 6),
            corrected=random_trials(_pair_trial("corrected"), 6),
        ),
        corrected="θ' = −sin θ [m₂/(m₁e^{β(1−cos θ)}+m₂) + m₁/(m₂e^{β(1−cos θ)}+m₁)]: the pair merges at finite s",
    )
)  # fmt: skip
