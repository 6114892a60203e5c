"""Tokens in separated caps: they collapse inside and stay for a time that grows exponentially with β."""

from __future__ import annotations

import numpy as np

from ...theory.sphere.caps import Caps, caps_of, find_caps, widest
from ...theory.sphere.pair_cosines import directions
from ..claim import Claim, Hypothesis, holds, refuted, undecided
from ..hunt import sampled
from ..hypotheses import beta_of, equal_masses, of_size, on_sphere, positive_multiple, positive_weights, shifted_speed
from ..tolerance import exactness, token_error
from ..trial import worst_ratio
from ..variables import value_matrix
from .hunts import crowd_ratio, crowd_time, crowd_trial, lambda_trial, near_caps_trial, poles_trial

MOST = 100_000
"""Tokens up to which groups are looked for."""


def caps_at(flow, mu) -> tuple[np.ndarray, np.ndarray, Caps]:
    """The cap of every token, the centres of the caps, and the constants of the theorem."""
    x = directions(mu.x)
    labels, centres = find_caps(x)
    return labels, centres, caps_of(x, centres, beta=beta_of(flow, mu.d))


def clock(flow, mu) -> float:
    """How much faster time runs than for V = I and SA, or USA with weights e^{β(<x,y>−1)}."""
    return float(value_matrix(flow, mu.d)[0, 0]) * shifted_speed(flow, mu)


def in_caps(flow, mu) -> list[Hypothesis]:
    """Tokens in small, separated caps under V = cI, c > 0, and β > 1."""
    if not on_sphere(flow, mu):
        return []
    if unfit := of_size(mu, n=(2, MOST)):
        return unfit
    beta = beta_of(flow, mu.d)
    if np.isnan(beta) or beta <= 1:
        return []
    # α ≥ −1 and ε < 1/16 bound γ from above: most crowds are ruled out without looking for caps.
    best = 2 - np.log(32 * mu.n**2) / beta
    if best <= 0:
        return [Hypothesis("caps are separated: γ > 0", float(best) - 1e-9)]
    _, _, found = caps_at(flow, mu)
    return [
        positive_multiple("V", value_matrix(flow, mu.d)),
        positive_weights(flow),
        equal_masses(mu),
        Hypothesis("caps are small: ε < 1/16", 1 / 16 - found.eps),
        Hypothesis("caps are separated: γ > 0", float(found.gamma)),
    ]


class CapsTheorem(Claim):
    number = "caps"
    title = "Tokens in separated caps collapse early and stay until exponentially late"
    printed = (
        "β > 1, tokens in caps S_q(ε), ε < 1/16, γ > 0, SA or shifted USA: tokens stay in S_q(2ε) until T₂ ≥ (ε/n)e^{(1−α)β}, "
        "and from T₁ ≤ 2ne^{8εβ} + enλβ²/(β−1) on |x_i − x_j|² ≤ 2e^{−λβ} inside a cap"
    )
    latex = r"|x_i-x_j|^2\le2e^{-\lambda\beta}\ (T_1\le t\le T_2),\quad T_2\ge\tfrac\varepsilon n e^{(1-\alpha)\beta}"
    provenance = "transcribed"
    kind = "theorem"
    decides = "trajectory"
    see = ("geshkovski2025.lambda",)
    hunts = {
        "printed": sampled(
            poles_trial, 3, law="three tokens at each of two poles of S², β in (6.5, 8.5), SA and USA", steps=8
        )
    }
    outside = {"caps are separated: γ > 0": sampled(near_caps_trial, 1)}

    def hypotheses(self, flow, mu):
        conditions = in_caps(flow, mu)
        if len(conditions) < 4:
            return conditions
        _, _, found = caps_at(flow, mu)
        room = float(np.log(found.T2 / found.T1())) if found.lam > 0 else -1.0
        return [*conditions, Hypothesis("there is room between T₁ and T₂", room)]

    def predict(self, flow, mu):
        labels, _, found = caps_at(flow, mu)
        speed, lam = clock(flow, mu), 0.99 * found.lam
        count, spread = int(labels.max() + 1), found.spread(lam)
        numbers = {"caps": count, "T1": found.T1(lam) / speed, "T2": found.T2 / speed, "spread": spread}
        words = (
            f"{count} metastable clusters: squared distances inside are at most {spread:.2g} from t = {numbers['T1']:.4g} on, "
            f"and no token leaves its cap before t = {numbers['T2']:.4g}"
        )
        return words, numbers

    def check(self, run):
        labels, centres, found = caps_at(run.flow, run.at(0))
        lam = 0.99 * found.lam
        ts, x = np.asarray(run.ts, float) * clock(run.flow, run.at(0)), directions(run.x)
        early, late = ts <= found.T2, (ts >= found.T1(lam)) & (ts <= found.T2)
        room = 10 * float(token_error(run).max())
        depth = float(np.einsum("kid,id->ki", x[early], centres[labels]).min())
        wide, allowed = worst_ratio(0.0, *(widest(y, labels) for y in x[late])), found.spread(lam)
        numbers = {"depth": depth, "spread": float(wide), "allowed": allowed, "tolerance": room}
        words = f"smallest cosine with the centre of a cap {depth:.4g}, {1 - 2 * found.eps:.4g} is claimed until T₂"
        if depth < 1 - 2 * found.eps - room or wide > allowed + room:
            return refuted(
                f"{words}; largest squared distance {wide:.2g} after T₁, {allowed:.2g} is claimed", **numbers
            )
        if not late.any():
            return undecided(f"{words}; no saved time lies between T₁ and T₂", **numbers)
        return holds(f"{words}; largest squared distance {wide:.2g} after T₁, {allowed:.2g} is claimed", **numbers)


class LargestLambda(Claim):
    number = "lambda"
    title = "Which rates λ the caps theorem allows"
    printed = "λ < e^{(1−α)β} c^{−1}(1 − e^{−γβ}), c = (β−1)ε/(β²n²e), gives T₁ < T₂"
    latex = (
        r"\lambda<e^{(1-\alpha)\beta}\,c\,(1-e^{-\gamma\beta}),\quad c=\frac{(\beta-1)\varepsilon}{\beta^2n^2e}\ "
        r"\Rightarrow\ T_1<T_2"
    )
    assumes = "separated caps, γ > 0, β > 1"
    provenance = "transcribed"
    corrected = "c instead of c^{−1}"
    erratum = "slip of the pen"
    kind = "theorem"
    hunts = {
        "printed": sampled(
            lambda_trial("printed"), 40, law="2–6 tokens in caps of ε = 0.01 or 0.005 at two poles, β in (4.5, 8)"
        ),
        "corrected": sampled(lambda_trial("corrected"), 40, law="the same with 99 % of the largest λ"),
    }


def crowd_at(flow, mu) -> tuple[np.ndarray, np.ndarray, Caps]:
    """Groups, their centres, and the constants with the number of caps in place of that of tokens."""
    labels, centres, found = caps_at(flow, mu)
    return labels, centres, Caps(len(centres), found.beta, found.eps, found.alpha)


class Crowd(Claim):
    number = "crowd"
    title = "Many tokens in few caps: times depend on the number of caps only"
    printed = (
        "μ₀ = (1/k)Σν_q, ν_q in separated caps: T₁ < (ε/k)e^{β(1−α−8ε)} < T₂; supports stay in S_q(2ε), variances in a cap "
        "are at most e^{−λβ} after T₁ (its proof, as transcribed, has gaps)"
    )
    latex = (
        r"\mu_0=\tfrac1k\sum_q\nu_q:\quad T_1<\tfrac\varepsilon ke^{\beta(1-\alpha-8\varepsilon)}<T_2,\quad "
        r"\operatorname{supp}\nu_q(t)\subset S_q(2\varepsilon),\quad \operatorname{Var}\nu_q(t)\le "
        r"e^{-\lambda\beta}\ (t\ge T_1)"
    )
    provenance = "transcribed"
    kind = "theorem"
    decides = "trajectory"
    hunts = {
        "printed": sampled(
            crowd_trial, 16, law="2 or 3 caps of 6–11 tokens on a circle, full up to their rims, β near the threshold"
        )
    }

    def hypotheses(self, flow, mu):
        if not on_sphere(flow, mu):
            return []
        if unfit := of_size(mu, n=(2, MOST)):
            return unfit
        beta = beta_of(flow, mu.d)
        if np.isnan(beta) or beta <= 1:
            return []
        labels, _, found = crowd_at(flow, mu)
        if found.n in (1, mu.n):
            return []
        share = np.bincount(labels, np.asarray(mu.mass, float))
        room = float(np.log(crowd_time(found) / found.T1())) if found.lam > 0 else -1.0
        return [
            positive_multiple("V", value_matrix(flow, mu.d)),
            positive_weights(flow),
            Hypothesis("caps have equal masses", exactness(mu, 1e-9) - float(np.ptp(share))),
            Hypothesis("caps are small: ε < 1/16", 1 / 16 - found.eps),
            Hypothesis("caps are separated: γ > 0 with k for n", float(found.gamma)),
            Hypothesis("T₁ lies before the time (ε/k)e^{β(1−α−8ε)}", room),
        ]

    def predict(self, flow, mu):
        _, _, found = crowd_at(flow, mu)
        speed = clock(flow, mu)
        numbers = {"caps": found.n, "T1": found.T1() / speed, "time": crowd_time(found) / speed}
        words = (
            f"{found.n} clusters: no token leaves its cap before t = {numbers['time']:.4g}, and variances inside are at most "
            f"{np.exp(-found.lam * found.beta):.2g} from t = {numbers['T1']:.4g} on"
        )
        return words, numbers

    def check(self, run):
        labels, centres, found = crowd_at(run.flow, run.at(0))
        ts = np.asarray(run.ts, float) * clock(run.flow, run.at(0))
        worst, is_seen = crowd_ratio(
            directions(run.x), ts, labels, centres, found, error=10 * float(token_error(run).max())
        )
        words = f"depth in caps and variances are {worst:.3g} of what is claimed at most"
        if worst > 1:
            return refuted(words, ratio=worst)
        if not is_seen:
            return undecided(f"{words}; no saved time lies after T₁ and before the time claimed", ratio=worst)
        return holds(words, ratio=worst)
