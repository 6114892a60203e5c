"""How fast tokens align: equal cosines as one equation, and the variance of tokens that nearly agree."""

from __future__ import annotations

import numpy as np

from ...engine.attention import Softmax
from ...engine.flow.normalisation import NGPT, MixLN, PeriLN, PostLN, PreLN, SqrtLN
from ...engine.spaces import Sphere
from ...theory.sphere.equiangular import rate
from ...theory.sphere.pair_cosines import directions, extremes, some_times
from ..claim import Claim, Hypothesis, compared, refuted, undecided
from ..hunt import both, sampled
from ..hypotheses import beta_of, equal_masses, is_plain, multiple_of_identity, of_size
from ..retrace import and_path
from ..tolerance import exactness, tolerance
from ..variables import score_matrix, value_matrix
from .hunts import (
    cosine_trial,
    ngpt_trial,
    spread_trial,
    tail_trial,
    unequal_radii_trial,
    variance_trial,
    wide_cone_trial,
)
from .laws import FLOOR, cone_limit, decay_ratio, scheme_cosine, speed_and_growth, variance, widest

RADIAL = (PreLN, PeriLN, MixLN)
"""Schemes under which the radius is part of the state."""
OTHERS = (*RADIAL, NGPT, SqrtLN)
"""Schemes besides Post-LN, whose equal cosines have a closed clock (arXiv 2312.10794, theorem 6.8)."""
TAILS = {
    "PreLN": "t⁻²",
    "PeriLN": "t⁻²",
    "MixLN": "t⁻² after τ",
    "SqrtLN": "e^{−4√t}",
    "NGPT": "e^{−2αt}",
    "PostLN": "e^{−2t}",
}


def _is_one(flow, mu) -> Hypothesis:
    return Hypothesis("V = I", -1.0 if multiple_of_identity(value_matrix(flow, mu.d)) != 1.0 else 1.0)


class EqualCosines(Claim):
    number = "equal cosines"
    kind = "table"
    title = "Equal cosines stay equal under every scheme and follow one equation"
    printed = (
        "Tokens with one common cosine ρ and radius keep it so; ρ' is the Post-LN rate over the speed s of the scheme, and 1 − ρ "
        "falls like e^{−2t} (Post), t^{−2} (Pre, Peri, Mix), e^{−2αt} (nGPT), e^{−4√t} (depth-scaled)."
    )
    latex = r"\rho'=\frac1s\,\frac{2(1-\rho)((n-1)\rho+1)}{e^{\beta(1-\rho)}+n-1}"
    provenance = "transcribed"
    decides = "trajectory"
    hunts = {
        "printed": both(
            sampled(cosine_trial, 10, law="2–5 orthogonal tokens, any scheme, β 0–4, to t = 6"),
            sampled(tail_trial, 2, law="n 2–19, β 0–3: slopes between late times", steps=8),
        )
    }
    outside = {"equal radii": sampled(unequal_radii_trial, 2, law="three orthogonal tokens of unequal length, Pre-LN")}

    def hypotheses(self, flow, mu):
        is_ours = is_plain(flow, mu, Sphere, (Softmax,)) and isinstance(flow.normalisation, OTHERS)
        if not is_ours:
            return []
        if unfit := of_size(mu, n=(2, 4096)):
            return unfit
        x = np.asarray(mu.x, float)
        theta, r = directions(x), np.linalg.norm(x, axis=1)
        # A glance at one row spares most prompts the look at all pairs.
        if np.ptp(theta[1:] @ theta[0]) > 1e-5:
            return []
        low, high = extremes(theta)
        beta = beta_of(flow, mu.d)
        return [
            Hypothesis("all pairs have the same cosine", exactness(mu, 1e-9) - (high - low)),
            Hypothesis("the cosine is above −1/(n−1) and below 1", min(low + 1 / (mu.n - 1), 1 - high) - 1e-9),
            Hypothesis("all radii are equal", exactness(mu, 1e-9) - float(np.ptp(r) / r[0])),
            Hypothesis("B is a multiple of the identity, β ≥ 0", -1.0 if np.isnan(beta) else beta),
            _is_one(flow, mu),
            equal_masses(mu),
        ]

    @staticmethod
    def _start(flow, mu):
        x = np.asarray(mu.x, float)
        theta = directions(x[:2])
        r0 = float(np.linalg.norm(x[0])) if isinstance(flow.normalisation, RADIAL) else 1.0
        return {"n": mu.n, "beta": beta_of(flow, mu.d), "rho0": float(theta[0] @ theta[1]), "r0": r0}

    def predict(self, flow, mu):
        start, scheme = self._start(flow, mu), flow.normalisation
        s, _ = speed_and_growth(scheme, 0.0, start["rho0"], start["r0"], n=mu.n, beta=start["beta"])
        velocity = float(rate(start["rho0"], n=mu.n, beta=start["beta"]) / s)
        name = type(scheme).__name__
        words = (
            f"all cosines stay equal under {name}; they first grow by {velocity:.6g} per unit of time, and at last their "
            f"distance to 1 falls like {TAILS[name]}"
        )
        return words, {"velocity": velocity, "cosine": start["rho0"]}

    def check(self, run):
        x, ts = np.asarray(run.x, float), np.asarray(run.ts, float)
        if len(ts) < 2:
            return undecided("one saved time shows no motion; save more")
        theta, some, start = directions(x), some_times(len(ts), x.shape[1]), self._start(run.flow, run.at(0))
        log, radius = scheme_cosine(run.flow.normalisation, ts[some], **start)
        off = np.max([np.abs(np.subtract(extremes(theta[k]), rho)) for k, rho in zip(some, -np.expm1(-log))])
        if isinstance(run.flow.normalisation, RADIAL):
            r = np.linalg.norm(x[some], axis=-1)
            off = np.maximum(off, (np.abs(r - radius[:, None]) / radius[:, None]).max())
        # Cosines hide which token is which: the path tells.
        allowed = max(1e-5, 1000 * tolerance(run))
        ratio, path = and_path(off / allowed, run)
        words = f"cosines (and radii) follow the equation of the scheme to {off:.2g}; {allowed:.0e} is allowed"
        return compared(ratio, words, deviation=float(off), **path)


class VarianceLaw(Claim):
    number = "variance law"
    kind = "theorem"
    title = "The variance of tokens that nearly agree falls at twice the speed of the scheme"
    printed = (
        "V = I, |B| ≤ 1, ⟨θ_j, θ_k⟩ ≥ 1 − δ with δ < 1/(100 n²β²): Var' = −Θ(Var/scale) with scale 1 (Post-LN), t (Pre-, "
        "Peri-, Mix-LN), α_t (nGPT), √t (depth-scaled)."
    )
    latex = r"\mathrm{Var}' = -(2+O(\delta))\,\mathrm{Var}/s,\qquad \delta<\frac1{100\,n^2\max(1,\beta^2)}"
    provenance = "transcribed"
    corrected = (
        "δ < 1/(100 n² max(1, β²)), small also when β is, and the scale of nGPT is 1/α_t: then Var' = −(2 + O(δ)) Var/s, and "
        "Pre-LN radii grow by between (1 − δ)t and t"
    )
    erratum = "false"
    decides = "trajectory"
    hunts = {
        "printed": both(
            sampled(wide_cone_trial, 2, law="an antipodal pair, β 0.005–0.02"),
            sampled(ngpt_trial(1), 6, law="2–5 close tokens under nGPT, α 0.03–30"),
        ),
        "corrected": both(
            sampled(variance_trial, 10, law="2–5 tokens in the cone, d = 2–4, any B of norm 1, β 0.1–5, to t = 3"),
            sampled(ngpt_trial(-1), 6, law="2–5 close tokens under nGPT, α 0.03–30"),
        ),
    }
    outside = {"tokens nearly agree": sampled(spread_trial, 4, law="five tokens over half a sphere, Pre-LN, β = 5")}

    def hypotheses(self, flow, mu):
        schemes = (PostLN, *OTHERS)
        if not is_plain(flow, mu, Sphere, (Softmax,)) or not isinstance(flow.normalisation, schemes):
            return []
        if unfit := of_size(mu, n=(2, np.inf)):
            return unfit
        beta, delta = float(np.linalg.norm(score_matrix(flow, mu.d), 2)), widest(directions(mu.x))
        return [
            _is_one(flow, mu),
            Hypothesis("tokens nearly agree: 1 − cos < 1/(100 n² max(1, β²))", cone_limit(mu.n, beta) - delta),
            Hypothesis("tokens are not all equal", delta - 1e-12),
            equal_masses(mu),
            Hypothesis("d ≥ 2", mu.d - 2.0),
        ]

    def predict(self, flow, mu):
        name = type(flow.normalisation).__name__
        words = f"the variance of directions falls like {TAILS[name]} under {name}: Var' = −2 Var/s, s the speed of the scheme"
        return words, {"scheme": name, "variance": float(variance(directions(mu.x)))}

    def check(self, run):
        x, ts, scheme = np.asarray(run.x, float), np.asarray(run.ts, float), run.flow.normalisation
        seen = np.cumprod(variance(directions(x)) > max(FLOOR, (10 * tolerance(run)) ** 2)).astype(bool)
        if seen.sum() < 2:
            return undecided("the variance vanished before the second saved time; save earlier times")
        decay = decay_ratio(scheme, ts[seen], x[seen])
        ratio, path = and_path(decay, run)
        numbers = {"decay": decay, "variance": float(variance(directions(x[0]))), **path}
        if isinstance(scheme, PreLN) and not _grows(x, ts):
            return refuted("radii do not grow by between (1 − δ)t and t", **numbers)
        words = f"log Var leaves its bounds by {decay:.3g} of the 2 % allowed"
        return compared(ratio, words, **numbers)


def _grows(x, ts) -> bool:
    """Whether Pre-LN radii grow by between (1 − δ)t and t, up to the tolerance of a run."""
    r, t = np.linalg.norm(x, axis=-1), (ts - ts[0])[:, None]
    grown, delta, slack = r - r[0], widest(directions(x[0])), 1e-6 * (1 + t)
    return bool((grown <= t + slack).all() and (grown >= (1 - delta) * t - slack).all())
