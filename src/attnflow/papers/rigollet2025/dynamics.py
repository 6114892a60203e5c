"""Attention as mean shift, on the circle, without temperature, and in the mean field."""

from __future__ import annotations

import numpy as np

from ...engine.attention import Hardmax, Softmax
from ...engine.flow.normalisation import PostLN
from ...engine.spaces import Sphere
from ...theory.sphere.at_rest import rests_apart
from ...theory.sphere.pair_cosines import directions, lowest_cosine
from ..claim import Claim, Hypothesis, compared, holds, refuted, undecided
from ..hunt import sampled
from ..hypotheses import beta_of, is_plain, of_size, on_sphere, positive_multiple, positive_weights, sphere_model
from ..retrace import retraced
from ..tolerance import tolerance
from ..trial import worst_ratio
from ..variables import value_matrix
from .hunts import (
    angle_between,
    circle_trial,
    climbing,
    closest,
    field_trial,
    hardmax_trial,
    other_shift_trial,
    shift_trial,
    triangle_trial,
)

MOST = 2000
"""Tokens up to which all pairs of a run are looked at."""
TOGETHER = 1e-3
"""Tokens whose smallest cosine is within this of 1 are one cluster."""


class CircleSynchronises(Claim):
    number = "remark 2"
    title = "On the circle almost every start ends in one cluster, also for slightly negative β"
    printed = "d = 2, Q = K = V = I: for every β > −0.16 almost every start of SA or USA ends in one cluster."
    latex = r"d=2,\ \beta>-0.16:\quad x_i(t)\to x^*\text{ for almost every }x(0)\in(S^1)^n"
    provenance = "seen"
    decides = "end state"
    hunts = {"printed": sampled(circle_trial, 8, law="3–6 uniform angles, β −0.159–2, softmax or not, to t = 300")}
    outside = {"β > −0.16 (here β = −1)": sampled(triangle_trial, 3, law="three tokens near a triangle")}

    def hypotheses(self, flow, mu):
        if not on_sphere(flow, mu):
            return []
        if unfit := of_size(mu, d=(2, 2)):
            return unfit
        beta = beta_of(flow, mu.d)
        return [
            positive_multiple("V", value_matrix(flow, mu.d)),
            positive_weights(flow),
            Hypothesis("B is a multiple of the identity, β > −0.16", -1.0 if np.isnan(beta) else beta + 0.16),
            Hypothesis("there are two tokens at least", mu.n - 2.0),
        ]

    def predict(self, flow, mu):
        words = "almost every start ends in one cluster; the time that takes grows exponentially with β"
        return words, {"lowest_cosine": lowest_cosine(directions(mu.x))}

    def check(self, run):
        x, path = directions(run.x), retraced(run)
        first, last = (lowest_cosine(x[k]) for k in (0, -1))
        numbers = {"lowest_cosine": last, "first": first, "deviation": path}
        if path > 1:
            return refuted(f"saved states do not follow from each other: {path:.3g} times the tolerance", **numbers)
        if last < 1 - TOGETHER:
            if rests_apart(x, np.asarray(run.ts, float), **sphere_model(run)):
                return refuted(
                    "tokens rest apart in a stable state, or for longer than one that is not lasts", **numbers
                )
            return undecided(f"tokens are still apart (smallest cosine {last:.4g}); run for longer", **numbers)
        if np.isnan(path) or first > 1 - TOGETHER:
            return undecided("tokens are together, but the way there was not seen", **numbers)
        return holds("all tokens have come together in one cluster", **numbers)


class MeanShift(Claim):
    number = "mean shift"
    title = "Attention on the sphere is blurring mean shift on a slower clock"
    printed = "The softmax field coincides exactly with that of blurring mean shift, ∇ log(K∗μ) for K = e^{−β|x|²/2}."
    latex = r"\nabla\log(K*\mu) = \beta\,\Pi_x\sum_j P_{ij}x_j"
    provenance = "seen"
    kind = "lemma"
    corrected = "up to the factor β: ∇ log(K∗μ) is β times the field of attention"
    erratum = "convention"
    decides = "trajectory"
    hunts = {
        "printed": sampled(shift_trial(lambda beta: 1.0), 5, law="2–6 uniform tokens, d = 2–4, β 1.5–8"),
        "corrected": sampled(shift_trial(lambda beta: beta), 5, law="2–6 uniform tokens, d = 2–4, β 1.5–8"),
    }
    outside = {"B = I (any B)": sampled(other_shift_trial, 4, law="five uniform tokens, d = 3, normal B, β = 2")}

    def hypotheses(self, flow, mu):
        if not on_sphere(flow, mu, (Softmax,)):
            return []
        if unfit := of_size(mu, n=(2, MOST)):
            return unfit
        beta = beta_of(flow, mu.d)
        return [
            positive_multiple("V", value_matrix(flow, mu.d)),
            Hypothesis("B is a multiple of the identity, β > 0", -1.0 if np.isnan(beta) else beta - 1e-12),
        ]

    def predict(self, flow, mu):
        width = float(beta_of(flow, mu.d) ** -0.5)
        words = (
            f"tokens climb the logarithm of their own density, smoothed by a Gaussian of width β^(−1/2) = {width:.4g}, at 1/β "
            "of the speed of mean shift"
        )
        return words, {"width": width}

    def check(self, run):
        mass, d = np.asarray(run.mass, float), run.x.shape[-1]
        beta, speed = beta_of(run.flow, d), value_matrix(run.flow, d)[0, 0]
        ratio = retraced(run, lambda t, x: speed / beta * climbing(directions(x), mass, beta))
        if np.isnan(ratio):
            return undecided("no stretch between saved states could be integrated; save more often, or fewer tokens")
        return compared(ratio, f"saved states are {ratio:.2g} of the tolerance away from climbing the smoothed density")


class ClosestPairOfHardmax(Claim):
    number = "hardmax"
    title = "Under hardmax on the sphere the closest pair stays the closest and closes exponentially"
    printed = (
        "x_i' = Π(argmax over x_j ≠ x_i of ⟨x_i, x_j⟩); then (derived) the closest pair stays the closest, with "
        "tan(θ/2) = tan(θ₀/2)e^{−2t}. If tokens may hear themselves nothing moves."
    )
    latex = r"\tan\frac{\theta(t)}2 = \tan\frac{\theta_0}2\,e^{-2t}"
    provenance = "derived"
    kind = "derived"
    decides = "trajectory"
    hunts = {"printed": sampled(hardmax_trial, 5, law="2–6 uniform tokens, d = 2–4, to t = 1.5", steps=12)}

    def hypotheses(self, flow, mu):
        is_ours = is_plain(flow, mu, Sphere, (Hardmax,)) and isinstance(flow.normalisation, PostLN)
        if not is_ours:
            return []
        if unfit := of_size(mu, n=(2, MOST)):
            return unfit
        conditions = [
            positive_multiple("V", value_matrix(flow, mu.d)),
            positive_multiple("B", np.asarray(flow.attention.score.B(mu.d), float)),
        ]
        if not flow.attention.others:
            return conditions
        return [*conditions, Hypothesis("one pair is closest", closest(directions(mu.x))[2] - 1e-9)]

    def predict(self, flow, mu):
        if not flow.attention.others:
            return "nothing moves: every token hears itself best; use others=True", {}
        i, j, _ = closest(directions(mu.x))
        words = f"tokens {i} and {j} are closest and stay so; their angle θ closes like tan(θ/2) = tan(θ₀/2)e^(−2t)"
        return words, {"pair": [i, j]}

    def check(self, run):
        x, ts = directions(run.x), np.asarray(run.ts, float)
        clock, allowed = ts * value_matrix(run.flow, x.shape[-1])[0, 0], max(1e-5, 1000 * tolerance(run))
        if len(ts) < 2:
            return undecided("one saved time shows no motion; save more")
        if not run.flow.attention.others:
            moved = float(np.abs(x - x[0]).max())
            return compared(moved / allowed, f"tokens move by {moved:.2g}; {allowed:.0e} is allowed", moved=moved)
        i, j, _ = closest(x[0])
        angle = angle_between(x, i, j)
        off = float(np.abs(angle - 2 * np.arctan(np.tan(angle[0] / 2) * np.exp(-2 * clock))).max())
        # A rival may tie with the pair, but not come nearer; at first contact all angles of a cluster are rounding.
        rival = float(np.max([angle_between(y, i, j) - angle_between(y, *closest(y)[:2]) for y in x]))
        words = f"the angle of the closest pair is {off:.2g} off its law, another pair is nearer by {max(rival, 0):.2g}"
        return compared(worst_ratio(off / allowed, rival / allowed), words, deviation=off)


class MeanFieldCollapse(Claim):
    number = "theorem 5"
    title = "A density with a mean collapses exponentially when |β| is small"
    printed = "An L² density with |∫x dμ₀| > 0 and |β| < β₀(μ₀): W₂(μ_t, δ) ≤ Ce^{−t/100} for some point."
    latex = r"W_2(\mu_t, \delta_{x_\infty}) \le C e^{-t/100}"
    assumes = "V = B = I on the sphere, an L² density whose mean is not 0, |β| small"
    provenance = "seen"
    hunts = {
        "printed": sampled(field_trial, 3, law="80 quantiles of smooth densities on the circle with a mean, |β| ≤ 0.1")
    }
