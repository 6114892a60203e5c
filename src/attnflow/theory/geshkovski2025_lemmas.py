"""Lemmas beside the theorems on metastability: tight groups, their clock, mean shift, and ripples of the uniform law."""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.integrate import quad

from .claim import Claim, Prediction, register
from .geshkovski2024_rest import sphere_velocity
from .modes import growth
from .search import Trial, falsifier, random_trials, sphere_run, unit

CAPS = "arXiv 2410.06833 (from a transcription)"


def _about_no_flow(flow, mu):
    return []


def _nothing(key):
    return lambda flow, mu: Prediction(key, "not about a single run")


def _lemma(key, source, printed, trials, *, corrected=None, kind: Literal["lemma", "derived"] = "lemma"):
    """A statement about no single run, hunted by `trials = (printed, corrected)`."""
    hunts = dict(zip(("printed", "corrected"), trials))
    register(
        Claim(
            key, source, printed, _about_no_flow, _nothing(key), None, falsifier(key, **hunts), corrected=corrected,
            kind=kind,
        )
    )  # fmt: skip


# ---- the clock of a tight group --------------------------------------------------------------------------------------


def collapse_time(u0: float, *, beta: float, c: float) -> float:
    r"""When $u' = u(1-u)e^{\beta(u-1)}$ reaches $1-u = e^{-c\beta}$, by quadrature in $s = -\ln(1-u)$."""
    slowness = lambda s: np.exp(beta * np.exp(-s)) / -np.expm1(-s)  # noqa: E731
    return quad(slowness, -np.log1p(-u0), c * beta, epsrel=1e-11, limit=400)[0]


def collapse_bound(u0: float, *, beta: float, c: float) -> float:
    r"""$e^{\beta(1-u_0)}/u_0+\beta^2ce/(\beta-1)$."""
    return float(np.exp(beta * (1 - u0)) / u0 + beta**2 * c * np.e / (beta - 1))


def _collapse_trial(rng):
    beta, c, u0 = (
        float(1 + 10 ** rng.uniform(-3, 1.5)),
        float(10 ** rng.uniform(-1, 1)),
        float(rng.uniform(0.05, 0.999)),
    )
    is_ahead = -np.log1p(-u0) < c * beta
    ratio = collapse_time(u0, beta=beta, c=c) / collapse_bound(u0, beta=beta, c=c) if is_ahead else 0.0
    return Trial(ratio, 0.0, f"β = {beta:.4g}, c = {c:.3g}, u₀ = {u0:.4g}", is_ahead)


_lemma(
    "geshkovski2025.collapse", f"{CAPS}, scalar lemma",
    "u' = u(1−u)e^{β(u−1)} has 1 − u ≤ e^{−cβ} by the time e^{β(1−u₀)}/u₀ + β²ce/(β−1).",
    (random_trials(_collapse_trial, 40),),
)  # fmt: skip


# ---- tight groups stay tight -----------------------------------------------------------------------------------------


def tight_margin(n: int, *, beta: float, delta: float, alpha: float) -> float:
    r"""$\frac1n\delta(1-\delta)e^{-\delta\beta}-ne^{-(1-\alpha)\beta}$: positive when a tight group cannot loosen."""
    return float(delta * (1 - delta) * np.exp(-delta * beta) / n - n * np.exp(-(1 - alpha) * beta))


def loosening(y, group, *, delta: float, alpha: float) -> float:
    """1 − the smallest cosine inside the group, in units of δ, while all outsiders stay below α."""
    inside, outside = y[:, :group], y[:, group:]
    apart = np.einsum("kid,kjd->kij", inside, outside).reshape(len(y), -1).max(axis=1) <= alpha
    lasts = len(apart) if apart.all() else int(np.argmin(apart))
    lowest = np.einsum("kid,kjd->kij", inside, inside).reshape(len(y), -1).min(axis=1)[:lasts]
    return float((1 - lowest).max() / delta) if lasts else np.nan


def _tight_trial(rng):
    """Groups as loose as is allowed, outsiders as near, at temperatures just below the threshold."""
    d, group, others = int(rng.integers(2, 4)), int(rng.integers(2, 4)), int(rng.integers(1, 3))
    delta, n, model = float(10 ** rng.uniform(-2.5, -0.7)), group + others, str(rng.choice(["SA", "USA"]))
    half = np.arccos(1 - delta) / 2
    angles = np.concatenate([half * np.append([-1, 1], rng.uniform(-1, 1, group - 2)), rng.uniform(0.9, np.pi, others)])
    x = np.zeros((n, d))
    x[:, 0], x[:, 1] = np.cos(angles), np.sin(angles)
    alpha = float((x[:group] @ x[group:].T).max() + 1e-2)
    threshold = np.log(n**2 / (delta * (1 - delta))) / max(1 - alpha - delta, 1e-3)
    beta = float(threshold * (1 + 10 ** rng.uniform(-3, -0.5)))
    is_inside = alpha < 1 - delta and beta < 300 and tight_margin(n, beta=beta, delta=delta, alpha=alpha) > 0
    if not is_inside:
        return Trial(0.0, is_inside=False)
    y = sphere_run(x, np.linspace(0, 40, 41), beta=beta, model=model)
    ratio = loosening(y, group, delta=delta, alpha=alpha)
    return Trial(ratio - 1e-9, 40.0, f"{model}, β = {beta:.3g}, δ = {delta:.3g}, α = {alpha:.3g}")


_lemma(
    "geshkovski2025.tight", f"{CAPS}, lemma on tight groups",
    "A group of cosines ≥ 1 − δ whose outsiders stay below α stays so if (1/n)δ(1−δ)e^{−δβ} > ne^{−(1−α)β}.",
    (random_trials(_tight_trial, 12),),
)  # fmt: skip


# ---- mean shift ------------------------------------------------------------------------------------------------------


def _shift_trial(factor):
    def trial(rng):
        n, d, beta, h = int(rng.integers(2, 7)), int(rng.integers(2, 5)), float(rng.uniform(1.5, 8)), 1e-5
        x = unit(rng, n, d)
        value = lambda y: np.log(np.exp(-beta / 2 * ((x - y) ** 2).sum(axis=1)).sum())  # noqa: E731
        slope = np.array([(value(x[0] + h * e) - value(x[0] - h * e)) / (2 * h) for e in np.eye(d)])
        slope = slope - (slope @ x[0]) * x[0]
        v = factor(beta) * sphere_velocity(x, beta=beta)[0]
        off = float(np.linalg.norm(slope - v) / max(np.linalg.norm(slope), 1e-3))
        return Trial(
            off / 1e-6, 0.0, f"β = {beta:.3f}: ∇ log(K∗μ) is {off:.3g} away from the field, relative to itself"
        )

    return trial


_lemma(
    "geshkovski2025.mean_shift", "arXiv 2512.01868, mean shift",
    "The SA field coincides exactly with blurring mean shift, ∇ log(K∗μ) for K = e^{−β|x|²/2}.",
    (random_trials(_shift_trial(lambda beta: 1.0), 5), random_trials(_shift_trial(lambda beta: beta), 5)),
    corrected="up to the factor β: ∇ log(K∗μ) = β · SA field",
)  # fmt: skip


# ---- ripples of the uniform law --------------------------------------------------------------------------------------


def ripple_rate(k: int, *, beta: float, model: str = "SA", n: int = 512, size: float = 1e-5) -> float:
    """The growth rate of the k-th ripple, from the velocity of n slightly displaced tokens."""
    angles = 2 * np.pi * np.arange(n) / n
    moved = angles + size * np.sin(k * angles)
    x = np.stack([np.cos(moved), np.sin(moved)], axis=1)
    v = sphere_velocity(x, beta=beta, model=model)
    turning = v[:, 1] * x[:, 0] - v[:, 0] * x[:, 1]
    speed = 1.0 if model == "SA" else np.exp(beta)
    return float(2 * np.mean(turning * np.sin(k * angles)) / size * speed)


def _ripple_trial(rng):
    k, beta, model = int(rng.integers(1, 9)), float(10 ** rng.uniform(-1, 1.5)), str(rng.choice(["SA", "USA"]))
    found, expected = ripple_rate(k, beta=beta, model=model), float(growth(k, beta=beta, model=model))  # pyright: ignore[reportArgumentType]
    scale = max(abs(float(growth(np.arange(1, 20), beta=beta, model=model).max())), abs(expected))  # pyright: ignore[reportArgumentType]
    # Displacements of 1e-5 leave relative errors of their square times k⁴, and rounding over them.
    return Trial(
        abs(found - expected) / (1e-6 * scale), 0.0, f"{model}, k = {k}, β = {beta:.3g}: {found}, not {expected}"
    )


_lemma(
    "geshkovski2025.ripples", "derived from arXiv 2312.10794 (7.1)",
    "Around the uniform law of the circle the k-th mode grows at k²I_k(β)/β (USA), divided by I₀(β) (SA).",
    (random_trials(_ripple_trial, 12),), kind="derived",
)  # fmt: skip
