"""The mean-field limit: how well finitely many tokens stand for a law."""

from __future__ import annotations

import numpy as np

from ...engine.attention import Softmax
from ...theory.gaussian.mean_field import effective_share
from ..claim import Claim, Hypothesis
from ..hunt import sampled
from . import token_hunts as trials
from .gaussians import is_closed_flow


class MeanField(Claim):
    number = "mean field"
    title = "Tokens drawn from a law follow the law as their number grows"
    printed = (
        "If n tokens tend to μ₀ in W_p, their flow tends to the solution μ_t of the Transformer PDE: "
        "W_p(μⁿ_t, μ_t) ≤ e^{∫L}W_p(μⁿ₀, μ₀). For independent tokens moments are then wrong by O(n^{−1/2})."
    )
    latex = r"W_p(\mu_t^n,\mu_t)\le e^{\int_0^tL}\,W_p(\mu_0^n,\mu_0)"
    assumes = "softmax, L2 or Sinkhorn in R^d, μ₀ of compact support (trials: Gaussian)"
    provenance = "summarised"
    kind = "theorem"
    hunts = {
        "printed": sampled(
            trials.mean_field_trial,
            4,
            law="16 and 256 independent tokens of a plane Gaussian, 24 draws each, softmax, t = 0.5",
            steps=8,
        )
    }


class EffectiveTokens(Claim):
    number = "effective sample size"
    title = "How many tokens of a Gaussian prompt a softmax listener hears in effect"
    printed = "For N(0, Σ) or any N(α, Σ) the softmax weights heard at x have effective sample size n e^{−xᵀBΣBᵀx} as n grows."
    latex = r"\mathrm{ESS}/n = e^{-x^\top B\Sigma B^\top x}"
    provenance = "derived"
    hunts = {
        "printed": sampled(
            trials.effective_trial, 10, law="d = 1 or 2, normal B, Σ and x, |Σ^{1/2}Bᵀx| ≤ 1.5, by quadrature"
        )
    }

    def hypotheses(self, flow, mu):
        return [Hypothesis("softmax attention on a Gaussian", 1.0)] if is_closed_flow(flow, mu, Softmax) else []

    def predict(self, flow, mu):
        values, vectors = np.linalg.eigh(np.asarray(mu.cov, float))
        steps = vectors.T * np.sqrt(np.clip(values, 0, None))[:, None]
        mean = np.asarray(mu.mean, float)
        share = float(np.min(np.asarray(effective_share(flow, mu, np.concatenate([mean + steps, mean - steps])))))
        words = f"a listener one standard deviation from the mean hears {100 * share:.3g} % of the tokens in effect, or more"
        return words, {"share": share, "tokens for 100": 100 / max(share, 1e-300)}
