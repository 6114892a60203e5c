"""Who synchronises: directions of tokens under every normalisation scheme."""

from __future__ import annotations

import numpy as np

from ...engine.attention import Softmax
from ...engine.flow.normalisation import NGPT, MixLN, PeriLN, PreLN, SqrtLN
from ...engine.spaces import Sphere
from ...theory.sphere.at_rest import is_trap
from ...theory.sphere.pair_cosines import directions, lowest_cosine
from ..claim import Claim, Hypothesis, holds, refuted, undecided
from ..hunt import fixed, sampled
from ..hypotheses import beta_of, is_plain, multiple_of_identity
from ..retrace import retraced
from ..variables import value_matrix
from .hunts import STILL, TOGETHER, either_trial, one_dimension, repelled_trial, together_trial


def _conditions(flow, mu, schemes):
    if not is_plain(flow, mu, Sphere, (Softmax,)) or not isinstance(flow.normalisation, schemes):
        return []
    beta = beta_of(flow, mu.d)
    return [
        Hypothesis("V = I", -1.0 if multiple_of_identity(value_matrix(flow, mu.d)) != 1.0 else 1.0),
        Hypothesis("B is a multiple of the identity, β ≥ 0", -1.0 if np.isnan(beta) else beta),
        Hypothesis("d ≥ 2", mu.d - 2.0),
        Hypothesis("there are two tokens at least", mu.n - 2.0),
    ]


def _seen(run):
    """Directions, whether saved states follow from each other, and the numbers that say so."""
    theta = directions(run.x)
    path = retraced(run)
    numbers = {"lowest_cosine": lowest_cosine(theta[-1]), "first": lowest_cosine(theta[0]), "deviation": path}
    return theta, path, numbers


def _rests_apart(theta, run) -> bool:
    """Whether directions stay, to the last digits, in a state that keeps its neighbours."""
    if theta.shape[1] > 40 or np.abs(theta[-1] - theta[len(theta) // 2]).max() > 1e-9:
        return False
    return is_trap(theta[-1], beta=beta_of(run.flow, theta.shape[-1]))


class Synchronise(Claim):
    number = "clustering theorem"
    kind = "theorem"
    title = "Under Post-LN, nGPT and depth-scaled normalisation all tokens take one direction"
    printed = "Post-LN, nGPT and depth-scaled normalisation synchronise almost surely from a uniform start, in every dimension."
    latex = (
        r"\theta_i(t)\to\theta^*\quad(i=1,\dots,n)\ \text{almost "
        r"surely},\qquad\theta_i(0)\sim\mathrm{Unif}(S^{d-1}),\ d\ge2"
    )
    provenance = "transcribed"
    corrected = "for d ≥ 2: on the two points of S⁰ there is no way from one to the other"
    erratum = "incomplete"
    decides = "end state"
    hunts = {
        "printed": fixed(one_dimension),
        "corrected": sampled(together_trial, 6, law="3–5 uniform tokens, d = 2 or 3, β 0–2, to t = 500 (1e5 for √t)"),
    }

    def hypotheses(self, flow, mu):
        # Post-LN is the flow of arXiv 2312.10794, whose theorems speak of it.
        return _conditions(flow, mu, (NGPT, SqrtLN))

    def predict(self, flow, mu):
        words = (
            "for almost every start the directions of all tokens tend to a common one; how long that takes is not said"
        )
        return words, {"lowest_cosine": lowest_cosine(directions(mu.x))}

    def check(self, run):
        theta, path, numbers = _seen(run)
        if path > 1:
            return refuted(f"saved states do not follow from each other: {path:.3g} times the tolerance", **numbers)
        if numbers["lowest_cosine"] < 1 - TOGETHER:
            if _rests_apart(theta, run):
                return refuted("directions rest apart in a stable state", **numbers)
            return undecided(f"directions still differ (smallest cosine {numbers['lowest_cosine']:.4g})", **numbers)
        if np.isnan(path) or numbers["first"] > 1 - TOGETHER:
            return undecided("directions agree, but the way there was not seen", **numbers)
        return holds("directions have synchronised", **numbers)


class Alternative(Claim):
    number = "alternative"
    kind = "theorem"
    title = "Under Pre-, Peri- and Mix-LN tokens synchronise, or some radius stops growing"
    printed = "Pre-, Peri- and Mix-LN from a Gaussian start, d ≥ 2: directions synchronise or min_j liminf r_j' = 0."
    latex = r"\theta_i(t)\to\theta^*\ (i=1,\dots,n)\quad\text{or}\quad\min_j\liminf_{t\to\infty}\dot r_j(t)=0"
    provenance = "transcribed"
    decides = "end state"
    hunts = {"printed": sampled(either_trial, 6, law="3–5 normal tokens, d = 2 or 3, β 0–2, to t = 2000")}
    outside = {"β ≥ 0 (here β = −3, d = 2)": sampled(repelled_trial, 3, law="three tokens near a triangle")}

    def hypotheses(self, flow, mu):
        return _conditions(flow, mu, (PreLN, PeriLN, MixLN))

    def predict(self, flow, mu):
        words = (
            "for almost every start the directions of all tokens tend to a common one, unless some |x_i| stops growing"
        )
        return words, {"lowest_cosine": lowest_cosine(directions(mu.x))}

    def check(self, run):
        theta, path, numbers = _seen(run)
        growth = _slowest_growth(run)
        numbers["slowest_radius"] = growth
        if path > 1:
            return refuted(f"saved states do not follow from each other: {path:.3g} times the tolerance", **numbers)
        if numbers["lowest_cosine"] < 1 - TOGETHER:
            if growth > STILL and _rests_apart(theta, run):
                return refuted("directions rest apart in a stable state while all radii grow", **numbers)
            return undecided(f"directions still differ (smallest cosine {numbers['lowest_cosine']:.4g})", **numbers)
        if np.isnan(path) or numbers["first"] > 1 - TOGETHER:
            return undecided("directions agree, but the way there was not seen", **numbers)
        return holds("directions have synchronised", **numbers)


def _slowest_growth(run) -> float:
    """The smallest mean growth of a radius over the second half of a run; 0 for one saved time."""
    x, ts = np.asarray(run.x, float), np.asarray(run.ts, float)
    middle = len(ts) // 2
    if ts[-1] <= ts[middle]:
        return 0.0
    grown = np.diff(np.linalg.norm(x[[middle, -1]], axis=-1), axis=0)[0]
    return float(grown.min() / (ts[-1] - ts[middle]))
