"""Section 7: on the circle tokens are coupled oscillators."""

from __future__ import annotations

import numpy as np

from ...engine.linalg.matrices import multiple_of_identity
from ..claim import Claim, Hypothesis, compared, undecided
from ..hunt import sampled
from ..hypotheses import beta_of, model_of, of_size, on_sphere, shifted_speed
from ..retrace import retraced
from ..variables import value_matrix
from .cluster_hunts import circle_trial, oscillators, turned


class Oscillators(Claim):
    number = "equation 7.1"
    title = "Tokens on the circle are coupled oscillators, at β = 0 those of Kuramoto"
    printed = (
        "d = 2, V = I: θ_i' = −(1/n)Σ_j e^{β cos(θ_i−θ_j)} sin(θ_i−θ_j) (USA); at β = 0 the Kuramoto model with K = 1"
    )
    latex = r"\dot\theta_i = -\frac1n\sum_j e^{\beta\cos(\theta_i-\theta_j)}\sin(\theta_i-\theta_j)"
    provenance = "seen"
    decides = "trajectory"
    hunts = {
        "printed": sampled(circle_trial, 8, law="2–8 tokens on the circle, β in (0, 6), SA and USA, against runs in R²")
    }

    def hypotheses(self, flow, mu):
        if not on_sphere(flow, mu):
            return []
        if unfit := of_size(mu, d=(2, 2)):
            return unfit
        beta, c = beta_of(flow, mu.d), multiple_of_identity(value_matrix(flow, mu.d))
        return [
            Hypothesis("B is a multiple of the identity", -1.0 if np.isnan(beta) else 1.0),
            Hypothesis("V is a multiple of the identity", -1.0 if c is None else 1.0),
        ]

    def predict(self, flow, mu):
        x, c = np.asarray(mu.x, float), float(value_matrix(flow, 2)[0, 0])
        order = float(np.hypot(*(np.asarray(mu.mass, float) @ x)))
        words = f"angles follow coupled oscillators, with order parameter |Σ m_j e^{{iθ_j}}| = {order:.6g} at the start"
        return words, {"order": order, "coupling": c, "beta": beta_of(flow, 2)}

    def check(self, run):
        field = oscillators(
            beta_of(run.flow, 2), np.asarray(run.mass, float), model=model_of(run.flow),
            speed=float(value_matrix(run.flow, 2)[0, 0]) * shifted_speed(run.flow, run.at(0)),
        )  # fmt: skip
        off = (
            retraced(run, lambda t, x: turned(x, field(t, np.arctan2(x[:, 1], x[:, 0])))) if len(run.ts) > 1 else np.nan
        )
        if np.isnan(off):
            return undecided("no saved interval is short enough to follow the oscillators; save more times")
        return compared(
            off, f"tokens are {off:.2g} of what the tolerance allows from oscillators, saved time to saved time"
        )
