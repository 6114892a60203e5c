"""The mean-field limit: how well finitely many tokens stand for a law."""

from __future__ import annotations

import numpy as np

from ...engine.attention import Softmax
from ...theory.gaussian.mean_field import least_share
from ..claim import Claim, Hypothesis
from ..hunt import both, sampled
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
    assumes = "softmax, L2 or Sinkhorn in R^d, μ₀ of compact support"
    provenance = "summarised"
    kind = "theorem"
    hunts = {
        "printed": sampled(
            trials.mean_field_trial,
            4,
            law="16 and 256 independent tokens of a uniform law on a parallelogram, 24 draws each, softmax, t = 0.5",
            steps=8,
        )
    }


class EffectiveTokens(Claim):
    number = "effective sample size"
    title = "How many tokens of a Gaussian prompt a softmax row attends to in effect"
    printed = (
        "For N(α, Σ) the softmax weights at x have effective sample size n e^{−xᵀBΣBᵀx} as n grows; one standard deviation from "
        "the mean the least share is e^{−max|Σ^{1/2}Bᵀ(α + Σ^{1/2}u)|²} over |u| = 1, for α = 0 e^{−‖Σ^{1/2}BΣ^{1/2}‖²}."
    )
    latex = (
        r"\mathrm{ESS}/n = e^{-x^\top B\Sigma B^\top x}\ \ge\ "
        r"e^{-\max_{|u|=1}|\Sigma^{1/2}B^\top(\alpha+\Sigma^{1/2}u)|^2}\quad(x=\alpha+\Sigma^{1/2}u)"
    )
    provenance = "derived"
    hunts = {
        "printed": both(
            sampled(trials.effective_trial, 10, law="d = 1 or 2, normal B, Σ and x, |Σ^{1/2}Bᵀx| ≤ 1.5, by quadrature"),
            sampled(trials.least_share_trial, 10, law="d = 1–4, normal B, Σ and α (or 0): 60 ascents over |u| = 1"),
        )
    }

    def hypotheses(self, flow, mu):
        return [Hypothesis("softmax attention on a Gaussian", 1.0)] if is_closed_flow(flow, mu, Softmax) else []

    def predict(self, flow, mu):
        B = np.asarray(flow.attention.score.matrix(mu.d), float)
        share = least_share(B, np.asarray(mu.mean, float), np.asarray(mu.cov, float))
        words = f"a token one standard deviation from the mean attends to {100 * share:.3g} % of the tokens in effect, or more"
        return words, {"share": share, "tokens for 100": 100 / max(share, 1e-300)}
