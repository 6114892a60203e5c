"""Causal attention: the first token attracts all others, and centres that no earlier token is near hold still meanwhile."""

from __future__ import annotations

import numpy as np

from ...engine.attention import Causal, Softmax
from ...engine.flow.normalisation import PostLN
from ...engine.spaces import Sphere
from ...theory.sphere.causal_centres import renyi_centres, slowest_rate
from ...theory.sphere.pair_cosines import directions
from ..claim import Claim, Hypothesis, holds, refuted, undecided
from ..hunt import both, fixed, sampled
from ..hypotheses import beta_of, equal_masses, is_plain, positive_multiple
from ..retrace import retraced
from ..trial import worst_ratio
from ..variables import value_matrix
from .hunts import (
    farthest_move,
    first_trial,
    frozen_trial,
    last_rate_trial,
    least_separation,
    leaves,
    meta_trial,
    none_frozen,
    renyi_hunt,
    repelled_trial,
)

ARRIVED = 1e-3
"""Tokens nearer to the first one than this have arrived."""


def is_causal(flow, mu) -> bool:
    """Softmax attention on the sphere in which token k hears the tokens up to k."""
    return (
        is_plain(flow, mu, Sphere, (Causal,))
        and isinstance(flow.attention.rule, Softmax)
        and isinstance(flow.normalisation, PostLN)
        and mu.d >= 2
    )


class FirstTokenAttracts(Claim):
    number = "theorem 4.1"
    title = "Under causal attention all tokens tend to the first one"
    printed = "Causal masking, V = I, any Q, K: for almost every start all tokens tend to x₁(0)."
    latex = r"\lim_{t\to\infty} x_k(t) = x_1(0)\quad\text{for all }k"
    provenance = "transcribed"
    decides = "end state"
    hunts = {
        "printed": both(
            sampled(first_trial, 4, law="2–4 uniform tokens, d = 2 or 3, normal B, β from 0.5 to 4, to t = 400"),
            sampled(last_rate_trial, 8, law="2 or 3 weighted tokens near the first one: the rate at last", steps=2),
        )
    }
    outside = {"V = I (here V = −I)": sampled(repelled_trial, 4, law="three uniform tokens on the circle, β = 1")}

    def hypotheses(self, flow, mu):
        if not is_causal(flow, mu):
            return []
        return [
            positive_multiple("V", value_matrix(flow, mu.d)),
            Hypothesis("the first token has mass", float(np.asarray(mu.mass)[0]) - 1e-300),
        ]

    def predict(self, flow, mu):
        first, speed = directions(np.asarray(mu.x, float)[:1])[0], float(value_matrix(flow, mu.d)[0, 0])
        rate = speed * slowest_rate(np.asarray(mu.mass, float))
        words = f"the first token does not move; for almost every start the others tend to it, at the end like e^{{−{rate:.4g}t}}"
        return words, {"limit": first.tolist(), "rate": rate}

    def check(self, run):
        x = directions(run.x)
        moved, apart = float(np.abs(x[:, 0] - x[0, 0]).max()), np.linalg.norm(x - x[0, :1], axis=-1).max(axis=1)
        ratio = retraced(run)
        numbers = {"first_moved": moved, "farthest": float(apart[-1]), "deviation": ratio}
        if moved > 1e-6:
            return refuted(f"the first token moves by {moved:.2g}", **numbers)
        if ratio > 1:
            return refuted(f"saved states do not follow from each other: {ratio:.3g} times the tolerance", **numbers)
        if apart[-1] > ARRIVED:
            return undecided(f"the farthest token is still {apart[-1]:.3g} from the first; run for longer", **numbers)
        if np.isnan(ratio) or apart[0] <= ARRIVED:
            return undecided("all tokens are at the first one, but the way there was not seen", **numbers)
        return holds(f"the first token rests and all others have come within {ARRIVED:g} of it", **numbers)


class CentresHoldStill(Claim):
    number = "lemma 5.1"
    title = "Tokens that start far from all earlier ones hardly move for a long time"
    printed = (
        "d = 2, Q = K = V = I, a token s farther than c(1+2ε)/√β from all earlier ones, c beyond the maximum of "
        "h(x) = e^{β(cos x − 1)} sin x: it moves less than εc/√β up to time T if T s h(c/√β) < εc/√β."
    )
    latex = (
        r"T\,s\,h(c\beta^{-1/2}) < \varepsilon c\beta^{-1/2}\ \Rightarrow\ |x_s(t)-x_s(0)| < \varepsilon c\beta^{-1/2}"
    )
    provenance = "transcribed"
    decides = "trajectory"
    hunts = {"printed": sampled(meta_trial, 8, law="3–8 uniform angles, β from 20 to 200, every strong centre")}

    def hypotheses(self, flow, mu):
        if not is_causal(flow, mu) or mu.d != 2:
            return []
        beta = beta_of(flow, 2)
        found = [
            positive_multiple("V", value_matrix(flow, 2)),
            Hypothesis("B is a multiple of the identity, β > 0", -1.0 if np.isnan(beta) else beta - 1e-12),
            equal_masses(mu),
        ]
        if not all(one.holds for one in found):
            return found
        centres = self._centres(flow, mu)
        return [*found, Hypothesis("there is a strong Rényi centre besides the first token", len(centres) - 2.0)]

    @staticmethod
    def _centres(flow, mu):
        return renyi_centres(directions(mu.x), least_separation(beta_of(flow, 2)), is_strong=True)

    def predict(self, flow, mu):
        x, beta, speed = directions(mu.x), beta_of(flow, 2), value_matrix(flow, 2)[0, 0]
        times = {int(s): leaves(x, s, beta=beta) / speed for s in self._centres(flow, mu)[1:]}
        first = min(times, key=lambda s: times[s])
        words = (
            f"{len(times) + 1} tokens start far from all earlier ones; token {first} moves less than a kernel width "
            f"β^(−1/2) up to t = {times[first]:.4g}, the others for longer"
        )
        return words, {"centres": [0, *times], "times": list(times.values())}

    def check(self, run):
        x, ts = directions(run.x), np.asarray(run.ts, float) * value_matrix(run.flow, 2)[0, 0]
        beta = beta_of(run.flow, 2)
        ratio, seen = farthest_move(x, ts, self._centres(run.flow, run.at(0)), beta=beta)
        path = retraced(run)
        numbers = {"ratio": ratio, "deviation": path, "times": seen}
        if seen == 0:
            return undecided("no state was saved within the time the lemma speaks of; save earlier times", **numbers)
        if worst_ratio(ratio, path) > 1:
            return refuted(f"a centre moves {ratio:.3g} times as far as allowed (path off by {path:.3g})", **numbers)
        return holds(f"centres move at most {ratio:.3g} of what is allowed", **numbers)


class FrozenTokensCapture(Claim):
    number = "theorem 5.2"
    title = "Frozen tokens that are far apart capture all others on the circle"
    printed = (
        "d = 2, frozen tokens more than c/√β apart with weights a_j ≥ 1, N = n + Σa_j, h(x) = e^{β(cos x−1)} sin x, g = h': "
        "if N h((c−1−2ε)/√β) < h(ε/√β) and N g((c−2ε)/√β) < g(ε/√β), every free token ends within ε/√β of a frozen one."
    )
    latex = (
        r"Nh\big(\tfrac{c-1-2\varepsilon}{\sqrt\beta}\big)<h\big(\tfrac\varepsilon{\sqrt\beta}\big),\ "
        r"-Ng\big(\tfrac{c-2\varepsilon}{\sqrt\beta}\big)<g\big(\tfrac\varepsilon{\sqrt\beta}\big)\ \Rightarrow\ "
        r"\operatorname{dist}(x_i(\infty),\{y_j\})\le\tfrac\varepsilon{\sqrt\beta}"
    )
    assumes = "d = 2, softmax, V = I, frozen tokens more than c/√β apart with weights at least 1"
    provenance = "transcribed"
    corrected = "the second condition is −N g((c−2ε)/√β) < g(ε/√β), and there is at least one frozen token"
    erratum = "slip of the pen"
    hunts = {
        "printed": fixed(none_frozen),
        "corrected": sampled(
            frozen_trial, 40, law="1–2 frozen tokens as near as allowed, 1–2 free ones anywhere, β 6–14, to t = 1e16"
        ),
    }


class StrongCentres(Claim):
    number = "lemma C.1"
    title = "How many tokens are far from all earlier ones"
    printed = "d = 3: the expected number of strong Rényi centres at angle δ is (3 sin²(δ/2))^{−1}."
    latex = r"\mathbb E[\#] = \frac{1}{\sin^2(\delta/2)}"
    assumes = "d = 3, independent uniform tokens in a sequence without end"
    provenance = "quoted"
    corrected = "(sin²(δ/2))^{−1}: one over the share p of a cap of radius δ; with n tokens (1 − (1−p)^n)/p"
    erratum = "false"
    hunts = {"printed": renyi_hunt("printed"), "corrected": renyi_hunt("corrected")}
