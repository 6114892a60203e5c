"""Neighbours of the metastability paper: causal masking (2411.04990), normalisation (2510.22026), the survey (2512.01868),
Frank–Wolfe attention (2508.09628)."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ..attention import Causal, Softmax
from ..spaces import Sphere
from .causal import capture_margins, printed_strong_centres, renyi_centres, strong_centres
from .claim import Check, Claim, Prediction, register
from .conditions import is_plain, positive_multiple, values
from .long_context import cosine_after, critical_gamma, limit_cosine
from .search import Trial, falsifier, fixed, random_trials, sphere_run, unit


def _about_no_flow(flow, mu):
    return []


def _nothing(key):
    return lambda flow, mu: Prediction(key, "not about a single run")


# ---- causal masking --------------------------------------------------------------------------------------------------


def causal_hypotheses(flow, mu):
    if not is_plain(flow, mu, Sphere, (Causal,)) or not isinstance(flow.attention.rule, Softmax) or mu.d < 2:
        return []
    return [positive_multiple("V", values(flow, mu.d))]


def causal_predict(flow, mu):
    x = np.asarray(mu.x, float)[0]
    return Prediction(
        "geshkovski2025.causal",
        "all tokens tend to the first one, like e^{−t/2} at the end",
        {"limit": (x / np.linalg.norm(x)).tolist()},
    )


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
    n, d = 4, 3
    B = rng.normal(size=(d, d))
    end = sphere_run(unit(rng, n, d), [0.0, 150.0], beta=1.0, B=B, mask=np.tril(np.ones((n, n), bool)))
    apart = float(np.linalg.norm(end[1] - end[0, :1], axis=-1).max())
    return Trial(np.nan if 1e-3 < apart < 1.9 else apart / 1e-3, 150.0, f"B = {np.round(B, 3).tolist()}")


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


register(
    Claim(
        "geshkovski2025.renyi", "arXiv 2411.04990, lemma C.1 (as quoted)",
        "d = 3: the expected number of strong Rényi centres is (3 sin²(δ/2))^{−1}.",
        _about_no_flow, _nothing("geshkovski2025.renyi"), None,
        falsifier(
            "geshkovski2025.renyi", printed=_renyi(printed_strong_centres),
            corrected=_renyi(lambda delta: strong_centres(delta, 3, n=800)),
        ),
        corrected="(sin²(δ/2))^{−1}: one over the share of a cap", kind="lemma",
    )
)  # fmt: skip


def _frozen_trial(sign):
    """Free token near the middle of two frozen ones; the second condition with the given sign must forbid resting there."""

    def trial(rng):
        beta, eps, c = float(rng.uniform(2, 40)), float(rng.uniform(0.05, 0.4)), float(rng.uniform(2.9, 6))
        first, second, third = capture_margins(n=1, weights=[1, 1], beta=beta, eps=eps, c=c)
        from .causal import interaction_slope

        root = np.sqrt(beta)
        far = interaction_slope((c - 2 * eps) / root, beta=beta)
        near = interaction_slope(eps / root, beta=beta)
        condition = near - 3 * far if sign > 0 else third
        inside = first > 0 and second > 0 and condition > 0 and c / root < np.pi
        # What the proof needs: near a frozen token its own pull must outweigh the most negative slope of the rest.
        needed = near + 3 * min(0.0, float(far))
        words = f"β = {beta:.2f}, ε = {eps:.2f}, c = {c:.2f}: conditions hold, yet the needed margin is {needed:.3g}"
        return Trial(0.5 if needed > 0 else 2.0, 0.0, words, bool(inside))

    return trial


register(
    Claim(
        "geshkovski2025.frozen", "arXiv 2411.04990, frozen-token theorem (transcribed)",
        "d = 2: if N h((c−1−2ε)/√β) < h(ε/√β) and N g((c−2ε)/√β) < g(ε/√β), every free token is captured.",
        _about_no_flow, _nothing("geshkovski2025.frozen"), None,
        falsifier("geshkovski2025.frozen", corrected=random_trials(_frozen_trial(-1), 200)),
        corrected="the second condition is −N g((c−2ε)/√β) < g(ε/√β), and there is at least one frozen token",
    )
)  # fmt: skip


# ---- normalisation, noise, long context ------------------------------------------------------------------------------


def _one_dimension():
    """On S⁰ = {−1, 1} there is no tangent direction, so tokens of different sign never meet."""
    x = np.array([[1.0], [-1.0]])
    end = sphere_run(x, [100.0], beta=1.0)[-1]
    return Trial(float(abs(end[0, 0] - end[1, 0])) / 1e-3, 100.0, "d = 1, x = (1, −1): nothing moves")


register(
    Claim(
        "geshkovski2025.schemes", "arXiv 2510.22026, clustering theorem (transcribed)",
        "Post-LN, nGPT and CoD synchronise almost surely from a uniform start, in every dimension.",
        _about_no_flow, _nothing("geshkovski2025.schemes"), None,
        falsifier("geshkovski2025.schemes", printed=fixed(_one_dimension)), corrected="for d ≥ 2",
    )
)  # fmt: skip


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


register(
    Claim(
        "geshkovski2025.fokker_planck", "arXiv 2512.01868, section 7", "∂_t μ + κ^{−1}Δμ = div(μ v[μ]).",
        _about_no_flow, _nothing("geshkovski2025.fokker_planck"), None,
        falsifier(
            "geshkovski2025.fokker_planck", printed=random_trials(_heat_trial(1), 2),
            corrected=random_trials(_heat_trial(-1), 2),
        ),
        corrected="∂_t μ = κ^{−1}Δμ − div(μ v[μ]): the printed sign is a backward equation", kind="lemma",
    )
)  # fmt: skip


def _context_trial(rng):
    rho = float(rng.uniform(0.1, 0.9))
    gamma = critical_gamma(rho) * float(rng.choice([0.4, 1.0, 2.5]))
    sizes = 10.0 ** np.array([4, 8, 16, 32])
    off = [abs(cosine_after(rho, n=n, gamma=gamma) - limit_cosine(rho, gamma=gamma)) for n in sizes]
    return Trial(off[-1] / 1e-3, 0.0, f"ρ = {rho:.3f}, γ = {gamma:.3f}: errors {np.round(off, 5).tolist()}")


register(
    Claim(
        "geshkovski2025.long_context", "arXiv 2512.01868, theorem 7 (arXiv 2510.05554)",
        "β_n = γ log n, cosine ρ: one layer gives cosine 1, 4ρ/(1+3ρ), ρ for γ below, at, above 1/(1−ρ) as n → ∞.",
        _about_no_flow, _nothing("geshkovski2025.long_context"), None,
        falsifier("geshkovski2025.long_context", printed=random_trials(_context_trial, 12)),
    )
)  # fmt: skip


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


register(
    Claim(
        "geshkovski2025.frank_wolfe", "arXiv 2508.09628, theorem 3.1",
        "B* ≥ 0 constant, step 2/(t+2), 0 in the hull: ½<B*x, x> ≤ (2/(t+1)) λ_max diam².",
        _about_no_flow, _nothing("geshkovski2025.frank_wolfe"), None,
        falsifier(
            "geshkovski2025.frank_wolfe",
            printed=lambda seed, effort: [_frank_wolfe_known(), *random_trials(_frank_wolfe_random, 6)(seed, effort)],
        ),
        corrected="false: the hull may shrink away from 0 and a token then stays off it",
    )
)  # fmt: skip


def _product(steps):
    """Π(1 − g_t) must tend to 0 for an exponential (or any) collapse."""

    def trial():
        left = float(np.prod(1 - steps))
        return Trial(left / 1e-6, len(steps), f"Π(1 − g) tends to {left:.6f}, not to 0")

    return trial


register(
    Claim(
        "geshkovski2025.frank_wolfe_rate", "arXiv 2508.09628, section 4", "Steps g_t in (0, 1) give exponential convergence.",
        _about_no_flow, _nothing("geshkovski2025.frank_wolfe_rate"), None,
        falsifier(
            "geshkovski2025.frank_wolfe_rate", printed=fixed(_product(0.5 ** np.arange(1, 200))),
            corrected=fixed(_product(np.full(200, 0.1)), _product(np.full(2000, 0.01))),
        ),
        corrected="if inf g_t > 0", kind="lemma",
    )
)  # fmt: skip
