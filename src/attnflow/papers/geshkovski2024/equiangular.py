"""Sections 6.2 and appendix D: prompts whose tokens all see each other at the same angle."""

from __future__ import annotations

import numpy as np

from ...theory.sphere.equiangular import cosine, time_to
from ...theory.sphere.pair_cosines import directions, extremes, some_times
from ..claim import Claim, Hypothesis, compared, undecided
from ..hunt import sampled
from ..hypotheses import (
    beta_of,
    equal_masses,
    model_of,
    of_size,
    on_sphere,
    positive_multiple,
    positive_weights,
    rule_speed,
)
from ..tolerance import exactness, token_error
from ..variables import value_matrix
from .cluster_hunts import concentration_trial, equiangular_trial, late_trial, unequal_trial

EQUAL = 1e-12
"""Tokens whose cosines are within this of 1 are equal: no angle is left to close."""
UNSURE = 0.05
"""Where the tolerance may have grown to this, cosines say nothing."""


class Equiangular(Claim):
    number = "theorem 6.8"
    title = "Equal cosines stay equal and follow one scalar equation"
    printed = (
        "orthogonal tokens keep equal cosines ρ with ρ' = 2(1−ρ)((n−1)ρ+1)/(e^{β(1−ρ)}+n−1) (SA, (6.9)) or "
        "ρ' = (2/n)e^{βρ}(1−ρ)((n−1)ρ+1) (USA, (6.10))"
    )
    latex = r"\dot\rho = \frac{2(1-\rho)((n-1)\rho+1)}{e^{\beta(1-\rho)}+n-1}"
    provenance = "seen"
    decides = "trajectory"
    hunts = {"printed": sampled(equiangular_trial, 8, law="2–5 orthogonal tokens, β in (0, 5), SA and USA, t up to 5")}
    outside = {"equal cosines": sampled(unequal_trial, 4)}

    def hypotheses(self, flow, mu):
        if not on_sphere(flow, mu):
            return []
        if unfit := of_size(mu, n=(2, 4096)):
            return unfit
        x = directions(mu.x)
        # A glance at one row spares most prompts the look at all pairs.
        if np.ptp(x[1:] @ x[0]) > 1e-5:
            return []
        low, high = extremes(x)
        beta = beta_of(flow, mu.d)
        return [
            Hypothesis("all pairs have the same cosine", exactness(mu, 1e-9) - (high - low)),
            Hypothesis("the cosine is above −1/(n−1)", (low + high) / 2 + 1 / (mu.n - 1) - 1e-9),
            Hypothesis("tokens are not all equal", 1 - high - EQUAL),
            Hypothesis("B is a multiple of the identity, β ≥ 0", -1.0 if np.isnan(beta) else beta),
            positive_multiple("V", value_matrix(flow, mu.d)),
            positive_weights(flow),
            equal_masses(mu),
        ]

    def predict(self, flow, mu):
        speed, arguments = self._clock(flow, mu)
        target = max(0.999, (1 + arguments["rho0"]) / 2)
        t = time_to(target, **arguments) / speed
        return f"all cosines stay equal and reach {target:.4g} at t = {t:.6g}", {"time": t}

    def _clock(self, flow, mu):
        x = directions(mu.x)
        speed = float(value_matrix(flow, mu.d)[0, 0]) * rule_speed(flow, mu)
        return speed, {"n": mu.n, "beta": beta_of(flow, mu.d), "rho0": float(x[0] @ x[1]), "model": model_of(flow)}

    def check(self, run):
        speed, arguments = self._clock(run.flow, run.at(0))
        x, ts = directions(run.x), np.asarray(run.ts, float)
        some = some_times(len(ts), x.shape[1])
        rho = cosine(ts[some] * speed, **arguments)
        # A pair that is ahead gains: its lead grows like the speed of ρ itself, that is like e^{βρ}.
        grown = np.exp(np.minimum(arguments["beta"] * (np.maximum.accumulate(rho) - arguments["rho0"]), 700.0))
        room = np.maximum(1e-5, 10 * token_error(run)[some] * grown)
        off = np.array([np.abs(np.subtract(extremes(x[k]), r)).max() for k, r in zip(some, rho)])
        sure = room < UNSURE
        if not sure[1:].any():
            return undecided("at these temperatures and times the tolerance of the run drowns the cosines; lower it")
        words = f"cosines are within {off[sure].max():.2g} of their equation, {room[sure].max():.2g} is allowed"
        return compared(float((off / room)[sure].max()), words, deviation=float(off[sure].max()))


class LateBound(Claim):
    number = "equation D.8"
    title = "How fast the common cosine tends to 1"
    printed = "1 − ρ(t) ≤ ½ exp(n²e^β/(2(n+e^{β/2})) − nt/(n+e^{β/2})) for all t ≥ 0"
    latex = (
        r"1-\rho(t)\le\tfrac12\exp\Big(\frac{n^2e^\beta}{2(n+e^{\beta/2})}-\frac{nt}{n+e^{\beta/2}}\Big)"
        r"\qquad\big(t\ge\tfrac12ne^\beta\big)"
    )
    assumes = "softmax on the sphere, V = B = I, all cosines equal at the start and not negative"
    provenance = "seen"
    corrected = "only for t ≥ n e^β/2"
    erratum = "incomplete"
    hunts = {
        "printed": sampled(
            late_trial(is_late=False), 20, law="2–4 orthogonal tokens, β = 0 or in (0, 1.5), from t = 0 on"
        ),
        "corrected": sampled(late_trial(is_late=True), 20, law="the same from t = n e^β/2 on"),
    }


class Concentration(Claim):
    number = "theorem 6.9"
    title = "In huge dimension uniform tokens follow the equiangular equation"
    speaks_from = "d = (2n²)⁶⁴, which is 6·10⁵⁷ for two tokens: its probability is below 0 before"
    printed = (
        "for d ≥ d*(n, β) and uniform starts |<x_i, x_j> − ρ(t)| ≤ min(2c^{nt}√(log d/d), Ce^{−λt}), c = e^{10 max(1, β)}, "
        "with probability ≥ 1 − 2n²d^{−1/64}, which is positive from d = (2n²)⁶⁴ ≥ 6·10⁵⁷ on"
    )
    latex = r"|\langle x_i,x_j\rangle-\rho(t)|\le\min\big(2c^{nt}\sqrt{\log d/d},\,Ce^{-\lambda t}\big)"
    assumes = "V = B = I, uniform tokens, d ≥ d*(n, β)"
    provenance = "seen"
    hunts = {
        "printed": sampled(
            concentration_trial, 8,
            law="2–4 tokens with cosines up to √(log d/d), β in (0, 2), to first order in √(log d/d); ½ is attained at t = 0",
        )
    }  # fmt: skip
