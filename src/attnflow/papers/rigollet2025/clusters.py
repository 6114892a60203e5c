"""Clusters: how many form first, how two of them merge, and how long prompts keep tokens apart."""

from __future__ import annotations

import numpy as np

from ...engine.attention import Softmax
from ...engine.observe.clusters import clusters
from ...theory.sphere.pair_cosines import directions
from ...theory.sphere.two_clusters import closing_speed, merging_law, merging_time
from ...theory.sphere.uniform_law import growth
from ..claim import Claim, Hypothesis, compared, undecided
from ..hunt import both, sampled
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
from ..retrace import and_path
from ..tolerance import exactness, stretch_error, tolerance
from ..variables import value_matrix
from .hunts import (
    cold_law_trial,
    context_trial,
    count_trial,
    large_ripple_trial,
    modes_trial,
    pair_trial,
    printed_pair_trial,
    ripple_trial,
    ripples_of,
    third_cluster_trial,
)

MOST = 2000
"""Tokens up to which all pairs of a run are looked at."""
BLURRED = 0.2
"""Errors of a run that change the modes of a circle by this share leave little to be compared."""
SAME = 1e-6
"""Tokens nearer than this are one cluster."""


class FirstClusters(Claim):
    number = "first clusters"
    title = "A nearly uniform circle breaks into about √(2β) clusters"
    printed = (
        "From a uniform start on the circle Θ(√β) clusters form; (derived) the k-th Fourier mode first grows at k²I_k(β)/β "
        "(unnormalised attention), divided by I₀(β) for softmax."
    )
    latex = r"\sigma_k = \frac{k^2}{\beta}\frac{I_k(\beta)}{I_0(\beta)}"
    provenance = "seen"
    kind = "lemma"
    decides = "trajectory"
    hunts = {
        "printed": both(
            sampled(ripple_trial, 12, law="modes 1–8, β 0.1–30, softmax or not: velocities of displaced tokens"),
            sampled(count_trial, 3, law="β 30–300: the fastest mode within 0.5 % of √(2β)"),
        )
    }
    outside = {"ripples are small": sampled(large_ripple_trial, 2, law="48 tokens displaced by 0.3 rad")}

    def hypotheses(self, flow, mu):
        if not on_sphere(flow, mu):
            return []
        if unfit := of_size(mu, n=(16, MOST), d=(2, 2)):
            return unfit
        beta, size = beta_of(flow, mu.d), float(np.abs(ripples_of(directions(mu.x))).max())
        return [
            positive_multiple("V", value_matrix(flow, mu.d)),
            positive_weights(flow),
            equal_masses(mu),
            Hypothesis("B is a multiple of the identity, β ≥ 0", -1.0 if np.isnan(beta) else beta),
            Hypothesis("tokens are spread evenly, up to Fourier modes of a thousandth", 1e-3 - size),
            Hypothesis("some Fourier mode is not zero", size - exactness(mu, 1e-9)),
        ]

    @staticmethod
    def _rates(flow, mu):
        k, speed = np.arange(1, mu.n // 4 + 1), value_matrix(flow, mu.d)[0, 0] * rule_speed(flow, mu)
        return growth(k, beta=beta_of(flow, mu.d), model=model_of(flow)) * speed

    def predict(self, flow, mu):
        rates = self._rates(flow, mu)
        k = int(np.argmax(rates)) + 1
        words = (
            f"the Fourier mode with {k} crests grows fastest, like e^({rates[k - 1]:.6g}t), and {k} first clusters form"
        )
        return words, {"mode": k, "rate": float(rates[k - 1])}

    def check(self, run):
        """Modes that began as large as any, while none exceeds three thousandths."""
        c, ts = np.abs(ripples_of(directions(run.x))), np.asarray(run.ts, float)
        small = c.max(axis=1) < 3e-3
        lasts = len(small) if small.all() else int(np.argmin(small))
        rates, strong = self._rates(run.flow, run.at(0)), c[0] > 0.3 * c[0].max()
        if lasts < 2 or np.abs(rates[strong] * ts[lasts - 1]).max() < 0.1:
            return undecided("modes were not followed while they were small; save earlier times")
        # Errors of the run are ripples, too, and grow as those do that are followed: they must stay the smaller ones.
        blur = float(stretch_error(run) / c[0, strong].min())
        if blur > BLURRED:
            return undecided(
                "ripples are hardly larger than the errors of the run; start with larger ones or lower tol"
            )
        found = np.log(c[1:lasts, strong] / c[0, strong])
        off = float(np.abs(found - np.outer(ts[1:lasts], rates[strong])).max())
        # Products of two modes feed a third: of the size of the largest against the smallest followed.
        allowed = 0.02 + blur + 10 * float(c[:lasts].max())
        ratio, path = and_path(off / allowed, run)
        words = f"log-amplitudes of small modes are {off:.2g} off the linear rates; {allowed:.2g} is allowed"
        return compared(ratio, words, deviation=off, **path)


class NumberOfModes(Claim):
    number = "number of modes"
    title = "A density estimate of n normal samples has about √(β log β) modes"
    printed = (
        "n samples of N(0, 1), kernel width β^{−1/2}, n^c ≤ β ≤ n^{2−c}: E[number of modes] is of order √(β log β)."
    )
    latex = r"\mathbb E[\#\text{modes}] = \Theta(\sqrt{\beta\log\beta})"
    assumes = "independent N(0, 1) samples, n^c ≤ β ≤ n^{2−c}"
    provenance = "seen"
    kind = "theorem"
    hunts = {"printed": sampled(modes_trial, 3, law="β = 10³ and 10⁷, n^0.6 to n^1.4: constants within 30 %", steps=6)}


class PairMerges(Claim):
    number = "theorem 6"
    title = "Two clusters close along their great circle, exponentially slowly when it is cold"
    printed = (
        "On the time scale e^{β(1−ρ₀)} the closest pair follows ρ = tanh(2s + artanh ρ₀) and merges in finite rescaled time s, "
        "the others waiting."
    )
    latex = (
        r"\theta' = -\sin\theta\Big[\frac{m_2}{m_1e^{\beta(1-\cos\theta)}+m_2}"
        r"+\frac{m_1}{m_2e^{\beta(1-\cos\theta)}+m_1}\Big]"
    )
    provenance = "seen"
    corrected = (
        "for two clusters of masses m₁, m₂: θ' = −sin θ [m₂/(m₁e^{β(1−cos θ)}+m₂) + m₁/(m₂e^{β(1−cos θ)}+m₁)]. A small angle is "
        "reached at about s = 1/(β(1−ρ₀²)(m₂/m₁+m₁/m₂)), but near 0 the angle only falls like e^{−t}: the pair never meets"
    )
    erratum = "false"
    decides = "trajectory"
    see = ("bruno2025.proposition3.11",)
    hunts = {
        "printed": sampled(printed_pair_trial, 6, law="two weighted tokens 0.4–2 rad apart, β 2–8"),
        "corrected": both(
            sampled(pair_trial, 6, law="two weighted tokens 0.4–2 rad apart, β 2–8"),
            sampled(cold_law_trial, 6, law="0.6–2.2 rad, β(1 − ρ₀) about 25 and 50: the leading law"),
        ),
    }
    outside = {"two clusters only (a third one)": sampled(third_cluster_trial, 2, law="tokens at 0, 1 and about 2 rad")}

    def hypotheses(self, flow, mu):
        if not on_sphere(flow, mu, (Softmax,)):
            return []
        if unfit := of_size(mu, n=(2, MOST), d=(2, np.inf)):
            return unfit
        found = clusters(mu, tol=SAME)
        if found.count != 2:
            return []
        beta = beta_of(flow, mu.d)
        return [
            positive_multiple("V", value_matrix(flow, mu.d)),
            Hypothesis("B is a multiple of the identity, β > 0", -1.0 if np.isnan(beta) else beta - 1e-12),
            Hypothesis("both clusters have mass", float(np.min(found.mass)) - 1e-12),
            Hypothesis("the two clusters are not opposite", np.pi - _angle(directions(found.centres)) - 1e-4),
        ]

    @staticmethod
    def _pair(flow, mu):
        found = clusters(mu, tol=SAME)
        labels, mass = np.asarray(found.labels), np.asarray(found.mass, float)
        law = {"beta": beta_of(flow, mu.d), "mass": (float(mass[0]), float(mass[1]))}
        return labels, law, float(value_matrix(flow, mu.d)[0, 0])

    def predict(self, flow, mu):
        labels, law, speed = self._pair(flow, mu)
        angle = _angle(_centres(directions(mu.x), labels))
        close = min(0.01, angle / 2)
        time = merging_time(angle, close, **law) / speed
        words = f"the two clusters, {angle:.4g} rad apart, come within {close:.3g} rad at t = {time:.6g}"
        return words, {"time": time, "law": merging_law(angle, **law) / speed, "angle": angle}

    def check(self, run):
        x, ts = directions(run.x), np.asarray(run.ts, float)
        labels, law, speed = self._pair(run.flow, run.at(0))
        angles = np.array([_angle(_centres(y, labels)) for y in x])
        clock = np.array([_due(angles[0], angle, law) for angle in angles]) / speed
        error = 100 * max(tolerance(run), 1e-9)
        # An error of the angle is one of the clock, by the speed at the start and where the pair is now.
        slow = np.array([1 / closing_speed(max(a, error), **law) for a in (angles[0], *angles[1:])]) / speed
        seen = angles > 100 * error
        if len(ts) < 2 or not seen[1:].any():
            return undecided("no saved time shows the pair on its way; save earlier times", angle=float(angles[-1]))
        off = float((np.abs(clock - ts) / (error * (slow[0] + slow) + 1e-6 * ts + 1e-9))[seen][1:].max())
        ratio, path = and_path(off, run)
        words = f"the time that the law gives to each angle is {off:.2g} of the tolerance off the clock"
        return compared(ratio, words, angle=float(angles[-1]), **path)


def _centres(x, labels):
    return directions(np.stack([x[labels == k].mean(axis=0) for k in (0, 1)]))


def _angle(centres) -> float:
    apart, across = np.linalg.norm(centres[0] - centres[1]), np.linalg.norm(centres[0] + centres[1])
    return float(2 * np.arctan2(apart, across))


def _due(start, angle, law) -> float:
    """The time from one angle to another, negative where the pair has parted."""
    if angle > start:
        return -merging_time(min(angle, np.pi - 1e-9), start, **law)
    return merging_time(start, max(angle, 1e-12), **law)


class LongContext(Claim):
    number = "theorem 7"
    title = "A long prompt keeps tokens apart only if β grows like log n"
    printed = (
        "β_n = γ log n, n tokens of common cosine ρ in (0, 1): one attention layer gives cosine 1, 4ρ/(1+3ρ), ρ for γ below, at, "
        "above 1/(1−ρ) as n → ∞."
    )
    latex = r"\gamma_c = \frac1{1-\rho}:\quad \rho\mapsto 1,\ \frac{4\rho}{1+3\rho},\ \rho"
    assumes = "tokens of common cosine ρ in (0, 1), β = γ log n"
    provenance = "seen"
    hunts = {
        "printed": sampled(
            context_trial, 12, law="ρ 0.1–0.9, γ at 0.4, 1 and 2.5 times the critical one, n = 60 and 1e32"
        )
    }
