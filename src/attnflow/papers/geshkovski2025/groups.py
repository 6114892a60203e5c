"""Lemmas behind the caps theorem: the least cosine of a cap, the clock of its collapse, and what keeps a group tight."""

from __future__ import annotations

import numpy as np

from ...theory.sphere.caps import find_caps
from ...theory.sphere.pair_cosines import directions
from ..claim import Claim, Hypothesis, compared
from ..hunt import sampled
from ..hypotheses import beta_of, equal_masses, of_size, on_sphere, positive_multiple, positive_weights
from ..tolerance import token_error
from ..trial import worst_ratio
from ..variables import value_matrix
from .caps import caps_at, clock, in_caps
from .hunts import (
    cap_shortfall,
    collapse_trial,
    growth_trial,
    loose_trial,
    loosening,
    slow_trial,
    tight_reach,
    tight_size,
    tight_trial,
)

FEW = 500
"""Tokens up to which all cosines of a run are formed."""


class CapGrowth(Claim):
    number = "cap growth"
    title = "The least cosine of a cap grows at least as a scalar equation says"
    printed = "the least cosine ρ of a cap obeys ρ' ≥ (2/n)ρ(1−ρ)e^{β(ρ−1)} − 2ne^{−(1−α)β} while tokens are in S_q(2ε)"
    latex = r"\dot\rho \ge \tfrac2n\rho(1-\rho)e^{\beta(\rho-1)}-2ne^{-(1-\alpha)\beta}"
    provenance = "transcribed"
    kind = "lemma"
    decides = "trajectory"
    hunts = {
        "printed": sampled(growth_trial, 12, law="1–3 caps of 2–4 tokens, d = 2, 3, β in (2, 12), SA and USA, t = 20")
    }

    def hypotheses(self, flow, mu):
        return in_caps(flow, mu)

    def predict(self, flow, mu):
        _, _, found = caps_at(flow, mu)
        drag = 2 * found.n * float(np.exp(-(1 - found.alpha) * found.beta))
        words = (
            f"the least cosine ρ of every cap stays above the solution of u' = (2/n)u(1−u)e^{{β(u−1)}} − {drag:.3g} that "
            "starts with it"
        )
        return words, {"alpha": found.alpha, "drag": drag}

    def check(self, run):
        labels, centres, found = caps_at(run.flow, run.at(0))
        ts = np.asarray(run.ts, float) * clock(run.flow, run.at(0))
        room = 10 * float(token_error(run).max())
        short = cap_shortfall(directions(run.x), ts, labels, centres, found, room=room)
        words = f"least cosines fall below their scalar equation by {short * room:.2g} at most, {room:.2g} is allowed"
        return compared(short, words, shortfall=short * room, allowed=room)


class Collapse(Claim):
    number = "collapse"
    title = "How long the scalar equation of a cap takes"
    printed = "u' = u(1−u)e^{β(u−1)} has 1 − u ≤ e^{−cβ} by the time e^{β(1−u₀)}/u₀ + β²ce/(β−1)"
    latex = (
        r"\dot u=u(1-u)e^{\beta(u-1)}:\quad 1-u(t)\le e^{-c\beta}\ \text{ for }\ "
        r"t\ge\frac{e^{\beta(1-u_0)}}{u_0}+\frac{\beta^2ce}{\beta-1}"
    )
    assumes = "β > 1, c > 0, 0 < u₀ < 1"
    provenance = "transcribed"
    kind = "lemma"
    hunts = {"printed": sampled(collapse_trial, 40, law="β in (1.001, 33), c in (0.1, 10), u₀ in (0.05, 0.999)")}


class TightGroups(Claim):
    number = "tight"
    title = "A tight group stays tight while others are far"
    printed = "a group of cosines ≥ 1 − δ whose outsiders stay below α stays so if (1/n)δ(1−δ)e^{−δβ} > ne^{−(1−α)β}"
    latex = r"\tfrac1n\delta(1-\delta)e^{-\delta\beta} > ne^{-(1-\alpha)\beta}"
    provenance = "transcribed"
    kind = "lemma"
    decides = "trajectory"
    hunts = {
        "printed": sampled(
            tight_trial,
            12,
            law="groups of 2–3 as loose as allowed, 1–2 outsiders as near, β at the threshold, SA and USA",
        )
    }
    outside = {"outsiders below α": sampled(loose_trial, 1)}

    def hypotheses(self, flow, mu):
        if not on_sphere(flow, mu):
            return []
        if unfit := of_size(mu, n=(3, FEW)):
            return unfit
        beta = beta_of(flow, mu.d)
        if np.isnan(beta) or beta <= 1:
            return []
        x = directions(mu.x)
        margins = [alpha - float((x[inside] @ x[~inside].T).max()) for inside, _, alpha in tight_groups(flow, mu)]
        return [
            positive_multiple("V", value_matrix(flow, mu.d)),
            positive_weights(flow),
            equal_masses(mu),
            Hypothesis("some group is tight, and its outsiders far enough", max(margins, default=-1.0)),
        ]

    def predict(self, flow, mu):
        delta = [delta for _, delta, _ in _apart(mu, tight_groups(flow, mu))]
        words = (
            f"{len(delta)} group(s) keep all their cosines above {1 - max(delta):.4g} as long as outsiders stay away"
        )
        return words, {"delta": delta}

    def check(self, run):
        y, room = directions(run.x), 10 * float(token_error(run).max())
        found = []
        for inside, delta, alpha in _apart(run.at(0), tight_groups(run.flow, run.at(0))):
            order = np.concatenate([np.flatnonzero(inside), np.flatnonzero(~inside)])
            found.append(loosening(y[:, order], int(inside.sum()), delta=delta, alpha=alpha) / (1 + room / delta))
        return compared(worst_ratio(*found), "1 − the least cosine of a tight group, over its δ")


def tight_groups(flow, mu) -> list[tuple[np.ndarray, float, float]]:
    """Groups of at least two tokens with the δ and α of the lemma."""
    x, beta = directions(mu.x), beta_of(flow, mu.d)
    labels, _ = find_caps(x)
    found = []
    for k in np.flatnonzero((np.bincount(labels) > 1) & (np.bincount(labels) < mu.n)):
        inside = labels == k
        delta = tight_size(1 - float((x[inside] @ x[inside].T).min()), beta)
        if delta < 1:
            found.append((inside, delta, tight_reach(mu.n, beta=beta, delta=delta)))
    return found


def _apart(mu, groups):
    """The groups whose outsiders are far enough at the start."""
    x = directions(mu.x)
    return [group for group in groups if float((x[group[0]] @ x[~group[0]].T).max()) <= group[2]]


class SlowManifold(Claim):
    number = "slow manifold"
    title = "A flow that is fast towards a slow set stays near a flow in it"
    printed = "dist(u, v) + √(E(u) − E(v)) ≤ e^{−(1−ε)t}√(E(u₀) − E(v₀)) + Cδ"
    latex = r"\operatorname{dist}(u,v)+\sqrt{E(u)-E(v)}\le C\,e^{-(1-\varepsilon)t}\sqrt{E(u_0)-E(v_0)}+C\delta"
    assumes = "E grows quickly off a manifold and slowly (δ) along it"
    provenance = "transcribed"
    corrected = "with a constant before the first term; as transcribed it fails at t = 0"
    erratum = "incomplete"
    kind = "theorem"
    hunts = {
        "printed": sampled(slow_trial(1.0), 4, law="E = x²/2 with the slow set {0}"),
        "corrected": sampled(
            slow_trial(1 + np.sqrt(2)), 4, law="E = x²/2 with the slow set {0}, constant 1 + √2, attained at t = 0"
        ),
    }
