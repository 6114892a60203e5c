"""Section 6.1: tokens that share a hemisphere collapse, and how often uniform tokens share one."""

from __future__ import annotations

import numpy as np
from scipy.special import chdtrc

from ...theory.sphere.hemisphere import best_direction, wendel
from ...theory.sphere.pair_cosines import directions, lowest_cosine
from ..claim import Claim, Hypothesis, compared
from ..hunt import sampled
from ..hypotheses import model_of, of_size, on_sphere, positive_multiple, positive_weights, rule_speed
from ..tolerance import token_error
from ..trial import worst_ratio
from ..variables import score_matrix, value_matrix
from .cluster_hunts import collapse_excess, collapse_rate_trial, cone_trial, wendel_trial, whole_sphere_trial

MOST = 20_000
"""Tokens up to which a common hemisphere is looked for."""
UNLIKELY = 1e-3
"""Prompts whose mean and covariance are as far from uniform as one uniform prompt in so many are not called uniform."""


class ConeCollapse(Claim):
    number = "lemma 6.4"
    title = "Tokens that share a hemisphere collapse to one point, exponentially"
    printed = (
        "V = I, any Q, K, all <x_i(0), w> > 0: min <x_i, w> is nondecreasing and tokens tend to one point of their cone "
        "exponentially (theorem 6.3: so do almost all prompts of n ≤ d uniform tokens)"
    )
    latex = (
        r"\langle x_i(0),w\rangle>0\ \forall i\ \Rightarrow\ \min_i\langle x_i(t),w\rangle\text{ "
        r"nondecreasing},\quad |x_i(t)-x^*|\le Ce^{-\lambda t}"
    )
    provenance = "seen"
    decides = "trajectory"
    see = ("geshkovski2024.equation6.8",)
    hunts = {
        "printed": sampled(
            cone_trial, 8, law="2–6 tokens of a hemisphere, one at its rim, any B of norm 1, β < 4, t = 60"
        )
    }
    outside = {"all tokens in a hemisphere": sampled(whole_sphere_trial, 4)}

    def hypotheses(self, flow, mu):
        if not on_sphere(flow, mu):
            return []
        if unfit := of_size(mu, n=(2, MOST)):
            return unfit
        return [
            positive_multiple("V", value_matrix(flow, mu.d)),
            positive_weights(flow),
            Hypothesis("all tokens lie in an open hemisphere", best_direction(directions(mu.x))[1] - 1e-12),
        ]

    def predict(self, flow, mu):
        w, depth = best_direction(directions(mu.x))
        words = f"one cluster, exponentially fast; the smallest <x_i, w> starts at {depth:.4g} and never falls"
        return words, {"depth": depth, "w": w.tolist()}

    def check(self, run):
        x, d = directions(run.x), run.x.shape[-1]
        depth = (x @ best_direction(x[0])[0]).min(axis=1)
        fall, room = float(np.max(-np.diff(depth), initial=0.0)), 10 * float(token_error(run).max())
        strength = float(np.linalg.norm(score_matrix(run.flow, d), 2))
        weight = float(np.asarray(run.mass).min()) * np.exp(-strength * (2 if model_of(run.flow) == "SA" else 1))
        speed = float(value_matrix(run.flow, d)[0, 0]) * rule_speed(run.flow, run.at(0))
        late = worst_ratio(
            0.0, collapse_excess([lowest_cosine(y) for y in x], np.asarray(run.ts, float) * speed, weight)
        )
        words = f"the smallest <x_i, w> falls by {fall:.2g}, cosines lag the proved rate by {late:.2g}; {room:.2g} is allowed"
        return compared(worst_ratio(fall / room, late / room), words, largest_fall=fall, late=late, allowed=room)


class CollapseRate(Claim):
    number = "equation 6.8"
    title = "How fast tokens in a cone collapse"
    printed = "1 − α ≤ ½ exp(−(t − t₀)/(2n e^β)) once α = min <x_i, x*> ≥ 1/2, x* the limit"
    latex = r"1-\alpha(t) \le \tfrac12\exp\Big(-\frac{t-t_0}{2ne^{2\beta}}\Big)"
    assumes = "softmax on the sphere, V = B = I, tokens in an open hemisphere"
    provenance = "seen"
    corrected = "the exponent has e^{2β}, as in (6.7)"
    erratum = "slip of the pen"
    hunts = {
        "printed": sampled(collapse_rate_trial(1.0, high=5.5, most=2), 6, law="two tokens at 120°, β < 5.5"),
        "corrected": sampled(
            collapse_rate_trial(2.0, high=3.0), 8, law="2–4 tokens up to 60° from their middle, β < 3"
        ),
    }


class Wendel(Claim):
    number = "theorem 6.7"
    title = "How often uniform tokens share a hemisphere"
    printed = (
        "n uniform tokens of S^{d−1} share a hemisphere with probability 2^{−(n−1)} Σ_{k<d} C(n−1, k) (Wendel 1962)"
    )
    latex = r"P = 2^{-(n-1)}\sum_{k<d}\binom{n-1}{k}"
    provenance = "seen"
    hunts = {"printed": sampled(wendel_trial, 10, law="2–6 tokens, uniform or in a cap, all their reflections counted")}

    def hypotheses(self, flow, mu):
        if not on_sphere(flow, mu):
            return []
        if unfit := of_size(mu, n=(2, MOST), d=(2, np.inf)):
            return unfit
        return [
            positive_multiple("V", value_matrix(flow, mu.d)),
            positive_weights(flow),
            Hypothesis("tokens look uniform (tests of Rayleigh and Bingham)", likelihood(directions(mu.x)) - UNLIKELY),
        ]

    def predict(self, flow, mu):
        p, shares = wendel(mu.n, mu.d), best_direction(directions(mu.x))[1] > 1e-12
        words = (
            f"{mu.n} uniform tokens share a hemisphere of S^{mu.d - 1}, and then collapse as a cone, with probability {p:.6g}; "
            f"these {'do' if shares else 'do not'}"
        )
        return words, {"probability": p, "shares": bool(shares)}


def likelihood(x) -> float:
    r"""The smaller p-value of two tests of uniformity: $nd|m|^2\sim\chi^2_d$ and $\frac{nd(d+2)}2(\|M\|^2-\frac1d)\sim\chi^2$."""
    n, d = x.shape
    mean, second = x.mean(axis=0), x.T @ x / n
    rayleigh = chdtrc(d, n * d * (mean @ mean))
    if d == 1:
        return float(rayleigh)
    bingham = chdtrc((d - 1) * (d + 2) / 2, max(0.0, n * d * (d + 2) / 2 * ((second**2).sum() - 1 / d)))
    return float(min(rayleigh, bingham))
