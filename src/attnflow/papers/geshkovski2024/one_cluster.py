"""Sections 4 to 6: almost every prompt on the sphere ends as one cluster."""

from __future__ import annotations

import numpy as np

from ...engine.attention import Softmax
from ...theory.sphere.at_rest import rests_apart
from ...theory.sphere.pair_cosines import directions, lowest_cosine, some_times
from ..claim import Claim, Finding, Hypothesis, compared, holds, refuted, undecided
from ..hunt import both, sampled
from ..hypotheses import beta_of, of_size, on_sphere, positive_multiple, positive_weights, sphere_model
from ..independent import sphere_run
from ..tolerance import token_error
from ..variables import score_matrix, value_matrix
from .cluster_hunts import (
    ONE,
    ascent_trial,
    cluster_trial,
    departure_bound,
    departure_ratio,
    departure_trial,
    fast_trial,
    speaks_until,
    threshold,
    weak_cluster_trial,
)

WEAK = 0.1
"""Attention with β‖B‖ up to this counts as weak."""
MOST = 1000
"""Coordinates of all tokens up to which a run is repeated at β = 0."""
WORDS = "almost every start ends in one cluster; no time is given, and the way there may be very long"


def _attracted(flow, mu, what: str, margin) -> list[Hypothesis]:
    """Tokens on a sphere of dimension 1 or more under V = cI, c > 0, and a condition on β, the multiple in B."""
    if not on_sphere(flow, mu):
        return []
    if unfit := of_size(mu, n=(2, np.inf), d=(2, np.inf)):
        return unfit
    beta = beta_of(flow, mu.d)
    return [
        positive_multiple("V", value_matrix(flow, mu.d)),
        positive_weights(flow),
        Hypothesis(f"B is a multiple of the identity, {what}", -1.0 if np.isnan(beta) else float(margin(beta))),
    ]


def _gathered(run) -> Finding:
    """Whether a run ends in one cluster, or at rest in a state that keeps its neighbours."""
    x = directions(run.x[-1])
    lowest = lowest_cosine(x)
    if lowest > 1 - ONE:
        return holds(f"one cluster: all cosines are above {1 - ONE:g}", lowest_cosine=lowest)
    if rests_apart(directions(run.x), np.asarray(run.ts, float), **sphere_model(run)):
        words = (
            "tokens rest in several clusters that are stable, or that they would have left in this time if they are not"
        )
        return refuted(words, lowest_cosine=lowest)
    words = f"the smallest cosine is {lowest:.3g}: not one cluster yet, and no time is claimed; run for longer"
    return undecided(words, lowest_cosine=lowest)


class AtInfiniteTemperature(Claim):
    number = "theorem 4.1"
    title = "At β = 0 almost every prompt ends as one cluster"
    printed = "β = 0, d, n ≥ 2, V = I: almost every start ends in one cluster"
    latex = r"\beta=0,\ V=I,\ d,n\ge2:\quad x_i(t)\to x^*\quad(i=1,\dots,n)\text{ for almost every }x(0)\in(S^{d-1})^n"
    provenance = "seen"
    decides = "end state"
    see = ("geshkovski2024.theorem6.1",)
    hunts = {
        "printed": sampled(
            cluster_trial(high=0.0), 6, law="3–5 tokens, uniform or near polygons and antipodes, d = 2, 3"
        )
    }

    def hypotheses(self, flow, mu):
        if not on_sphere(flow, mu):
            return []
        if unfit := of_size(mu, n=(2, np.inf), d=(2, np.inf)):
            return unfit
        strength = float(np.linalg.norm(score_matrix(flow, mu.d), 2))
        return [
            positive_multiple("V", value_matrix(flow, mu.d)),
            positive_weights(flow),
            Hypothesis("β = 0", 1e-12 - strength),
        ]

    def predict(self, flow, mu):
        return WORDS, {}

    def check(self, run):
        return _gathered(run)


class WeakAttention(Claim):
    number = "theorem 4.2"
    title = "Weak attention moves tokens almost as β = 0 does"
    printed = "V = I, any Q, K: the probability of one cluster tends to 1 as β → 0, and |x^β(t) − x⁰(t)| ≤ O(β)e^{3t}"
    latex = r"|x^\beta(t) - x^0(t)| \le O(\beta)\,e^{3t}"
    provenance = "seen"
    decides = "trajectory"
    hunts = {
        "printed": both(
            sampled(departure_trial, 10, law="2–7 tokens, d = 2–4, any B of norm 1, β in (1e-4, 0.1), t up to 2"),
            sampled(weak_cluster_trial, 6, law="2–6 uniform tokens, any B of norm 1, β < 0.05, t = 60"),
        )
    }
    outside = {"V = I (here V = 3I on the clock of V = I)": sampled(fast_trial, 4)}

    def hypotheses(self, flow, mu):
        if not on_sphere(flow, mu, (Softmax,)):
            return []
        if unfit := of_size(mu, n=(2, MOST // mu.d)):
            return unfit
        strength = float(np.linalg.norm(score_matrix(flow, mu.d), 2))
        return [
            positive_multiple("V", value_matrix(flow, mu.d)),
            Hypothesis(f"attention is weak: β‖B‖ ≤ {WEAK}", WEAK - strength),
        ]

    def predict(self, flow, mu):
        strength, c = self._constants(flow, mu.d)
        bound, last = float(departure_bound(c, strength)), speaks_until(strength) / c
        words = (
            f"tokens stay within ½(e^{{2β‖B‖}}−1)(e^{{2ct}}−1) of where β = 0 leads (V = cI): {bound:.3g} at t = 1; "
            f"this says something until t = {last:.3g}. Almost surely one cluster as β → 0"
        )
        return words, {"departure": bound, "speaks_until": last}

    def _constants(self, flow, d):
        return float(np.linalg.norm(score_matrix(flow, d), 2)), float(value_matrix(flow, d)[0, 0])

    def check(self, run):
        x, mass = directions(run.x), np.asarray(run.mass, float)
        strength, c = self._constants(run.flow, x.shape[-1])
        ts = np.asarray(run.ts, float) * c
        last = speaks_until(strength)
        some = [k for k in some_times(len(ts), x.shape[1]) if 0 < ts[k] < last]
        if not some:
            words = f"no saved time lies before t = {last / c:.3g}, after which the bound says nothing"
            return undecided(words, speaks_until=last / c)
        free = sphere_run(x[0], ts[some], beta=0.0, mass=mass)
        ratio = departure_ratio(x[some], free, ts[some], strength, error=10 * float(token_error(run).max()))
        return compared(ratio, "distance from the tokens of β = 0, over its bound")


class SmallBeta(Claim):
    number = "theorem 4.3"
    title = "At high temperature almost every prompt ends as one cluster"
    printed = "V = B = I: almost every start ends in one cluster if β ≤ C/n; on the circle if β ≤ 1"
    latex = (
        r"\beta\le C/n\ (d\ge2)\text{ or }\beta\le1\ (d=2):\quad x_i(t)\to x^*\text{ for almost every "
        r"}x(0)\in(S^{d-1})^n"
    )
    provenance = "seen"
    decides = "end state"
    see = ("geshkovski2024.theorem6.1",)
    hunts = {
        "printed": sampled(
            cluster_trial(high=1.0, d=2), 6, law="3–5 tokens of the circle, uniform or near polygons, β < 1"
        )
    }

    def hypotheses(self, flow, mu):
        if getattr(mu, "d", 0) != 2:
            return []
        return _attracted(flow, mu, "0 ≤ β ≤ 1", lambda beta: min(beta, 1 - beta))

    def predict(self, flow, mu):
        return WORDS, {}

    def check(self, run):
        return _gathered(run)


class LargeBeta(Claim):
    number = "theorem 5.1"
    title = "At low temperature almost every prompt ends as one cluster"
    printed = (
        "V = B = I: almost every start ends in one cluster if β ≥ C(d)n²; on the circle if (n−1)τ < π/2 where "
        "β sin²τ = cos τ, about β ≥ n²/π² as it is quoted"
    )
    latex = (
        r"\beta\ge C(d)\,n^2,\text{ or }d=2,\ (n-1)\tau<\tfrac\pi2,\ \beta\sin^2\tau=\cos\tau:\quad x_i(t)\to "
        r"x^*\text{ for almost every }x(0)"
    )
    provenance = "seen"
    decides = "end state"
    see = ("geshkovski2024.theorem6.1",)
    hunts = {
        "printed": sampled(ascent_trial, 8, law="ascents of the energy from 3–5 uniform tokens of the circle, β to 6.9")
    }

    def hypotheses(self, flow, mu):
        if not on_sphere(flow, mu):
            return []
        if unfit := of_size(mu, n=(2, np.inf), d=(2, 2)):
            return unfit
        least = threshold(mu.n)
        return _attracted(flow, mu, f"β ≥ {least:.4g}", lambda beta: beta - least)

    def predict(self, flow, mu):
        return WORDS, {"threshold": threshold(mu.n)}

    def check(self, run):
        return _gathered(run)


class OneCluster(Claim):
    number = "theorem 6.1"
    title = "From three dimensions on almost every prompt ends as one cluster, at every temperature"
    printed = "V = B = I, d ≥ 3, β ≥ 0: almost every start ends in one cluster, SA and USA"
    latex = r"d\ge3,\ \beta\ge0:\quad x_i(t)\to x^*\text{ for almost every }x(0)\in(S^{d-1})^n"
    provenance = "seen"
    decides = "end state"
    hunts = {
        "printed": sampled(
            cluster_trial(high=2.0, d=3), 8, law="3–5 tokens, uniform or near polygons and antipodes, β < 2"
        )
    }

    def hypotheses(self, flow, mu):
        if getattr(mu, "d", 0) < 3:
            return []
        return _attracted(flow, mu, "β ≥ 0", lambda beta: beta)

    def predict(self, flow, mu):
        return WORDS, {}

    def check(self, run):
        return _gathered(run)
