"""First phase, t = O(1): tokens stop interacting, follow a linear flow, and align with its dominant eigenspace."""

from __future__ import annotations

import numpy as np

from ...theory.low_temperature.coupling import coupling
from ..claim import Claim, compared, undecided
from ..hunt import sampled
from ..hypotheses import cold, cold_limit
from ..retrace import and_path
from ..tolerance import tolerance
from ..trial import worst_ratio
from .hunts import (
    crowd_trial,
    dominant_trial,
    gap_trial,
    jordan_trial,
    linear_trial,
    noisy_limit_trial,
    order_trial,
    rotation_trial,
    weaker_axis_trial,
)

CROWD = 3000
"""Tokens up to which all pairs of a saved state are looked at."""


class LinearLimit(Claim):
    number = "theorem 3.2"
    title = "At low temperature tokens stop interacting and follow a linear flow"
    printed = "As β → ∞ the tokens follow x' = ΠVBᵀx/|Bᵀx|, a linear, decoupled flow, on every bounded time interval."
    latex = r"\chi_\infty(x) = \Pi_x V\frac{B^\top x}{|B^\top x|}"
    provenance = "seen"
    decides = "trajectory"
    hunts = {
        "printed": sampled(linear_trial, 4, law="200 tokens around the circle, normal V, B near I, β = 30 and 240")
    }
    outside = {"tokens everywhere (a half circle)": sampled(gap_trial, 3, law="150 tokens on a half circle, normal V")}

    def hypotheses(self, flow, mu):
        return cold(flow, mu)

    def predict(self, flow, mu):
        limit, beta = cold_limit(flow, mu)
        words = f"up to t of order 1 each token moves by itself, x' = ΠVBᵀx/|Bᵀx|: {limit.words}"
        return words, {"eigenvalues": limit.dominant.eigenvalues.tolist(), "kind": limit.kind, "beta": beta}

    def check(self, run):
        """Distances to the linear flow against Grönwall's bound, made from the barycentres at the saved states."""
        limit, beta = cold_limit(run.flow, run.at(0))
        x, ts = np.asarray(run.x, float), np.asarray(run.ts, float)
        if x.shape[1] > CROWD:
            return undecided(f"more than {CROWD} tokens: the bound is not computed")
        near = coupling(limit, x, ts, beta=beta, mass=np.asarray(run.mass, float), error=100 * tolerance(run))
        moved = np.linalg.norm(near.limit - x[0], axis=2)
        # A time tells something when the linear flow has moved further than attention may differ from it.
        telling = [k for k in near.seen if _rms(moved[k]) > 2 * _rms(near.allowed[k])]
        if not telling:
            return undecided(
                "the distance to the linear flow cannot be bounded below its motion: colder, or saved more often"
            )
        k = telling[-1]
        share = worst_ratio(*(near.apart[j] / near.allowed[j] for j in telling))
        ratio, path = and_path(share, run)
        words = (
            f"up to t = {ts[k]:.3g} tokens stay within {share:.2g} of the bound of their distance to the linear flow; at that "
            f"time they are {_rms(near.apart[k]):.3g} away and have moved by {_rms(moved[k]):.3g}"
        )
        numbers = {"distance": _rms(near.apart[k]), "moved": _rms(moved[k]), "t": float(ts[k]), **path}
        return compared(ratio, words, **numbers)


def _rms(a) -> float:
    return float(np.sqrt(np.mean(a**2)))


class FinitelyManyTokens(Claim):
    number = "corollary 3.3"
    title = "Many independent tokens follow the linear flow if β grows slowly with their number"
    printed = "W₁(μ^{n,β_n}_t, μ^∞_t) → 0 as n → ∞ if β_n → ∞ slowly enough."
    latex = r"W_1(\mu^{n,\beta_n}_t, \mu^\infty_t)\to 0"
    assumes = "V and B invertible, independent tokens of a positive Lipschitz density"
    provenance = "seen"
    hunts = {
        "printed": sampled(crowd_trial, 4, law="50 tokens at β = 8 and 400 at β = 128, normal V, B near I", steps=8)
    }


class DominantSpace(Claim):
    number = "proposition 3.4"
    title = "The linear flow gathers on the eigenspace of largest real part"
    printed = (
        "Limits of the linear flow live on the generalised eigenspace of the eigenvalues of VBᵀ with largest real part."
    )
    latex = (
        r"\operatorname{supp}\mu_\infty\subset\bigoplus_{\operatorname{Re}\lambda=\max\operatorname{Re}\sigma(VB^"
        r"\top)}\ker(VB^\top-\lambda)^d"
    )
    provenance = "seen"
    hunts = {
        "printed": sampled(dominant_trial, 6, law="normal A of size 2–4, 50 uniform tokens, to t = 40/gap", steps=8)
    }
    outside = {"starts off the weaker eigenspaces": sampled(weaker_axis_trial, 2, law="two tokens on the weaker axis")}

    def hypotheses(self, flow, mu):
        return cold(flow, mu)

    def predict(self, flow, mu):
        limit, _ = cold_limit(flow, mu)
        words = f"the linear flow gathers on a space of dimension {limit.dominant.k}: {limit.words}"
        return words, {"dimension": limit.dominant.k, "gap": limit.dominant.gap, "block": limit.dominant.block}


class JordanBlock(Claim):
    number = "Jordan block"
    title = "Under a Jordan block tokens end at its one eigenvector, but slowly"
    printed = (
        "A = [[1, 1], [0, 1]], B = I, uniform start: the mean of sin² of the angle to the eigenvector is 2/(4 + t²)."
    )
    latex = r"\mathbb E\sin^2\varphi = \frac{2}{4+t^2}"
    assumes = "B = I, V a Jordan block of size 2, tokens uniform on the circle"
    provenance = "derived"
    see = ("bruno2025.proposition3.4",)
    hunts = {"printed": sampled(jordan_trial, 5, law="20,000 tokens around the circle, t 1–30")}


class LimitsDoNotCommute(Claim):
    number = "remark 3.5"
    title = "Long times after low temperatures are not low temperatures after long times"
    printed = (
        "Measures on the dominant eigenspace need not maximise the energy: the limits β → ∞ and t → ∞ do not commute."
    )
    latex = r"\lim_{t\to\infty}\lim_{\beta\to\infty}\mu_t^\beta\ne\lim_{\beta\to\infty}\lim_{t\to\infty}\mu_t^\beta"
    assumes = "V and B invertible, tokens of a positive Lipschitz density"
    provenance = "seen"
    see = ("alcalde2026.terminal_phase",)
    hunts = {
        "printed": sampled(
            order_trial,
            3,
            law="40 tokens, V = diag(1, 0.2–0.5), B > 0, leading axes of V and VBᵀ 0.2 rad apart or more",
            steps=10,
        )
    }


class NoLimit(Claim):
    number = "remark 3.6"
    title = "Tokens may turn for ever"
    printed = (
        "No limit need exist: under a rotation V of the plane, other than ±I, and B = I the linear flow turns all tokens for "
        "ever, and the law with them unless the rotation keeps it."
    )
    latex = r"V=R_\omega\in SO(2),\ B=I:\quad\mu_t=(R_{t\sin\omega})_\#\mu_0"
    assumes = "d = 2, B = I, V a rotation other than ±I, tokens of a positive Lipschitz density that is not uniform"
    provenance = "seen"
    hunts = {"printed": sampled(rotation_trial, 4, law="120 uneven tokens, ω 0.6–2.5, β = 100: half a turn", steps=8)}


class AddedNoise(Claim):
    number = "remark 3.7"
    title = "Noise adds a Laplacian to the linear limit"
    printed = "With noise the limit gains a Laplacian; (its constant derived) σ²/2 for noise σdW of every token."
    latex = r"\partial_t\mu + \operatorname{div}(\mu\,\chi_\infty) = \frac{\sigma^2}2\Delta\mu"
    assumes = "V and B invertible, tokens of a positive Lipschitz density, noise on the sphere"
    provenance = "seen"
    see = ("rigollet2025.fokker_planck",)
    hunts = {
        "printed": sampled(
            noisy_limit_trial, 2, law="1,200 noisy tokens, β = 160, |V| ≤ 1/2, B near I, σ 1–1.5, t = 0.3", steps=8
        )
    }
