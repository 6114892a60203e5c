"""Neighbours of the metastability paper: causal masking (2411.04990), the survey (2512.01868), Frank–Wolfe (2508.09628)."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ..attention import Causal, Softmax
from ..spaces import Sphere
from .causal import (
    away_from_first,
    capture_margins,
    left_uncaptured,
    printed_strong_centres,
    renyi_centres,
    slowest_rate,
    strong_centres,
)
from .claim import Check, Claim, Prediction, register
from .conditions import is_plain, positive_multiple, values
from .long_context import cosine_after, critical_gamma, limit_cosine
from .search import Trial, falsifier, fixed, hunted, random_trials, unit

# ---- causal masking --------------------------------------------------------------------------------------------------


def causal_hypotheses(flow, mu):
    if not is_plain(flow, mu, Sphere, (Causal,)) or not isinstance(flow.attention.rule, Softmax) or mu.d < 2:
        return []
    return [positive_multiple("V", values(flow, mu.d))]


def causal_predict(flow, mu):
    x, rate = np.asarray(mu.x, float)[0], float(values(flow, mu.d)[0, 0]) * slowest_rate(np.asarray(mu.mass, float))
    words = f"all tokens tend to the first one, like e^{{−{rate:.4g}t}} at the end"
    return Prediction("geshkovski2025.causal", words, {"limit": (x / np.linalg.norm(x)).tolist(), "rate": rate})


def causal_check(run):
    x = np.asarray(run.x, float)
    fixed_ = float(np.abs(x[:, 0] - x[0, 0]).max())
    apart = float(np.linalg.norm(x[-1] - x[0, :1], axis=-1).max())
    holds = False if fixed_ > 1e-7 else True if apart < 1e-3 else None
    return Check(
        "geshkovski2025.causal",
        holds,
        "the first token rests and the others arrive",
        {"farthest": apart, "first_moved": fixed_},
    )


def _causal_trial(rng):
    n, d, beta = int(rng.integers(2, 5)), int(rng.integers(2, 4)), float(rng.uniform(0.5, 4))
    x, B = unit(rng, n, d), rng.normal(size=(d, d))
    words = f"β = {beta:.2f}, B = {np.round(B, 3).tolist()}, x = {np.round(x, 3).tolist()}: a stable state away from x₁"
    return Trial(away_from_first(x, beta=beta, B=B), 400.0, words)


register(
    Claim(
        "geshkovski2025.causal", "arXiv 2411.04990, theorem 4.1 (transcribed)",
        "Causal masking, V = I, any Q, K: for almost every start all tokens tend to x₁(0).",
        causal_hypotheses, causal_predict, causal_check,
        falsifier("geshkovski2025.causal", printed=random_trials(_causal_trial, 4)),
    )
)  # fmt: skip


def _renyi(formula):
    def trials(seed, effort):
        rng, delta = np.random.default_rng(seed), 0.5
        counts = [len(renyi_centres(unit(rng, 800, 3), delta, is_strong=True)) for _ in range(150 * effort)]
        error = np.std(counts) / np.sqrt(len(counts))
        off = abs(np.mean(counts) - formula(delta)) / (4 * error)
        return [
            Trial(
                float(off),
                0.0,
                f"d = 3, δ = {delta}: {np.mean(counts):.2f} ± {error:.2f} centres, formula {formula(delta):.2f}",
            )
        ]

    return trials


hunted(
    "geshkovski2025.renyi",
    "arXiv 2411.04990, lemma C.1 (as quoted)",
    "d = 3: the expected number of strong Rényi centres is (3 sin²(δ/2))^{−1}.",
    _renyi(printed_strong_centres),
    _renyi(lambda delta: strong_centres(delta, 3, n=800)),
    corrected="(sin²(δ/2))^{−1}: one over the share of a cap",
)


def _frozen_trial(rng):
    """Frozen tokens as near as the conditions allow, one of them or two, and free tokens anywhere."""
    beta, eps, c = float(rng.uniform(6, 14)), float(rng.uniform(0.05, 0.2)), float(rng.uniform(2.2, 9))
    n, weights = int(rng.integers(1, 3)), rng.uniform(1, 1.5, int(rng.integers(1, 3)))
    gap = c / np.sqrt(beta)
    inside = min(capture_margins(n=n, weights=weights, beta=beta, eps=eps, c=c)) > 0 and gap < np.pi
    if not inside:
        return Trial(np.nan, is_inside=False)
    free, frozen = rng.uniform(-np.pi, np.pi, n), gap * np.arange(len(weights))
    # The weakest pull is e^{−2β} > 1e-12, so that by then only a token at rest is left.
    left = [left_uncaptured(free, frozen, weights, beta=beta, eps=eps, until=t) for t in (1e15, 1e16)]
    is_moving = left[1] > 1 and abs(left[1] - left[0]) > 1e-6 * left[0]
    words = (
        f"β = {beta:.2f}, ε = {eps:.2f}, frozen at {np.round(frozen, 2).tolist()}, free at {np.round(free, 2).tolist()}"
    )
    return Trial(np.nan if is_moving else left[1], 1e16, words)


def _none_frozen():
    """Without a frozen token the conditions can hold, and nothing captures."""
    inside = min(capture_margins(n=2, weights=[], beta=11, eps=0.09, c=5.68)) > 0
    return Trial(
        np.inf, 0.0, "two free tokens, none frozen, β = 11, ε = 0.09, c = 5.68: nobody can be captured", inside
    )


hunted(
    "geshkovski2025.frozen",
    "arXiv 2411.04990, frozen-token theorem (transcribed)",
    "d = 2: if N h((c−1−2ε)/√β) < h(ε/√β) and N g((c−2ε)/√β) < g(ε/√β), every free token is captured.",
    fixed(_none_frozen),
    random_trials(_frozen_trial, 60),
    corrected="the second condition is −N g((c−2ε)/√β) < g(ε/√β), and there is at least one frozen token",
    kind="theorem",
)


# ---- noise, long context ------------------------------------------------------------------------------


def _heat_trial(sign):
    """Brownian motion on the circle, no attention: E cos X falls like e^{−t/κ}; the printed equation lets it grow."""

    def trial(rng):
        kappa, t = float(rng.uniform(1, 4)), 1.0
        angles = np.sqrt(2 / kappa * t) * rng.normal(size=200_000)
        measured, predicted = float(np.cos(angles).mean()), float(np.exp(sign * t / kappa))
        return Trial(
            abs(measured - predicted) / 0.01,
            t,
            f"κ = {kappa:.2f}: E cos X(1) = {measured:.3f}, the equation says {predicted:.3f}",
        )

    return trial


hunted(
    "geshkovski2025.fokker_planck",
    "arXiv 2512.01868, section 7",
    "∂_t μ + κ^{−1}Δμ = div(μ v[μ]).",
    random_trials(_heat_trial(1), 2),
    random_trials(_heat_trial(-1), 2),
    corrected="∂_t μ = κ^{−1}Δμ − div(μ v[μ]): the printed sign is a backward equation",
)


def _context_trial(rng):
    rho = float(rng.uniform(0.1, 0.9))
    gamma = critical_gamma(rho) * float(rng.choice([0.4, 1.0, 2.5]))
    sizes = 10.0 ** np.array([4, 8, 16, 32])
    off = [abs(cosine_after(rho, n=n, gamma=gamma) - limit_cosine(rho, gamma=gamma)) for n in sizes]
    return Trial(off[-1] / 1e-3, 0.0, f"ρ = {rho:.3f}, γ = {gamma:.3f}: errors {np.round(off, 5).tolist()}")


hunted(
    "geshkovski2025.long_context",
    "arXiv 2512.01868, theorem 7 (arXiv 2510.05554)",
    "β_n = γ log n, cosine ρ: one layer gives cosine 1, 4ρ/(1+3ρ), ρ for γ below, at, above 1/(1−ρ) as n → ∞.",
    random_trials(_context_trial, 12),
    kind="theorem",
)


# ---- Frank–Wolfe attention (arXiv 2508.09628) ------------------------------------------------------------------------


def frank_wolfe_violation(x, *, steps: int, is_exact: bool = False) -> tuple[float, int]:
    r"""By how much the bound is exceeded at worst, and when, for tokens on the line.

    $$x_i\leftarrow x_i+\tfrac2{t+2}\big(\arg\max_y\langle-x_i,y\rangle-x_i\big),\qquad
      \tfrac12|x_i|^2\Big/\big(\tfrac2{t+1}\mathrm{diam}^2\big)$$

    Here B = −I, so tokens look for the point farthest against them; d = 1 in exact fractions if asked.
    """
    x = [Fraction(v) for v in x] if is_exact else np.array(x, float)
    diam2 = (max(x) - min(x)) ** 2
    worst, when = 0.0, 0
    for t in range(steps):
        ratio = float(max(v * v for v in x) / 2 / (diam2 * 2 / (t + 1)))
        worst, when = max((worst, when), (ratio, t))
        low, high = min(x), max(x)
        g = Fraction(2, t + 2) if is_exact else 2 / (t + 2)
        x = [v + g * ((low if v > 0 else high if v < 0 else v) - v) for v in x]
        if not is_exact:
            x = np.array(x)
    return worst, when


def _frank_wolfe_known():
    worst, when = frank_wolfe_violation([3.0, -1.0], steps=2000)
    return Trial(worst, 2000, f"d = 1, tokens 3 and −1: ratio {worst:.3g} at step {when}; the hull shrinks away from 0")


def _frank_wolfe_random(rng):
    x = rng.normal(size=int(rng.integers(2, 5)))
    x = x - x.mean() * float(rng.uniform(0, 0.5))
    if x.min() >= 0 or x.max() <= 0:
        return Trial(np.nan, is_inside=False)
    worst, when = frank_wolfe_violation(x, steps=3000)
    return Trial(worst, 3000, f"tokens {np.round(x, 4).tolist()}: ratio {worst:.3g} at step {when}")


hunted(
    "geshkovski2025.frank_wolfe",
    "arXiv 2508.09628, theorem 3.1",
    "B* ≥ 0 constant, step 2/(t+2), 0 in the hull: ½<B*x, x> ≤ (2/(t+1)) λ_max diam².",
    lambda seed, effort: [_frank_wolfe_known(), *random_trials(_frank_wolfe_random, 6)(seed, effort)],
    corrected="false: the hull may shrink away from 0 and a token then stays off it",
    kind="theorem",
)


def _product(steps):
    """Π(1 − g_t) must tend to 0 for an exponential (or any) collapse."""

    def trial():
        left = float(np.prod(1 - steps))
        return Trial(left / 1e-6, len(steps), f"Π(1 − g) tends to {left:.6f}, not to 0")

    return trial


hunted(
    "geshkovski2025.frank_wolfe_rate",
    "arXiv 2508.09628, section 4",
    "Steps g_t in (0, 1) give exponential convergence.",
    fixed(_product(0.5 ** np.arange(1, 200))),
    fixed(_product(np.full(200, 0.1)), _product(np.full(2000, 0.01))),
    corrected="if inf g_t > 0",
)
