"""Attention at small temperature: Sinkhorn and softmax attention become diffusions."""

from __future__ import annotations

from ..claim import Claim
from ..hunt import sampled
from .hunts import half_limit_trial, limit_trial, printed_softmax_trial, softmax_limit_trial


class SinkhornLimit(Claim):
    number = "theorem 1"
    title = "Sinkhorn attention at small temperature is a heat flow"
    printed = "for B symmetric positive definite the field, less its leading part Vx/ε, tends to V B⁻¹∇log ρ as ε → 0"
    corrected = "it tends to ½ V B⁻¹∇log ρ, so V = −B gives the heat equation ∂ρ = ½Δρ"
    latex = r"\frac1\varepsilon\Big(\int k^\infty_\varepsilon(x,y)\,Vy\,d\mu(y) - Vx\Big) \to \tfrac12 VB^{-1}\nabla\log\rho(x)"
    assumes = "Sinkhorn attention, B symmetric positive definite, a smooth positive density ρ"
    provenance = "seen"
    erratum = "false"
    hunts = {
        "printed": sampled(limit_trial, 3, law="mixtures of two Gaussians on the line, nodes, B and V numbers"),
        "corrected": sampled(half_limit_trial, 4, law="mixtures of two Gaussians on the line, nodes, B and V numbers"),
    }


class SoftmaxLimit(Claim):
    number = "proposition 4"
    title = "Softmax attention at small temperature follows the score at another point"
    printed = "softmax of −|Qx − Ky|²/(2ε) with V = −QᵀK, plus QᵀQx/ε, tends to −QᵀK⁻¹(∇log ρ)(K⁻¹Qx)"
    corrected = "it tends to −QᵀK⁻ᵀ(∇log ρ)(K⁻¹Qx)"
    latex = r"-Q^\top K^{-\top}\,(\nabla\log\rho)(K^{-1}Qx)"
    assumes = "softmax, Q and K invertible, a smooth positive density ρ"
    provenance = "seen"
    erratum = "slip of the pen"
    hunts = {
        "printed": sampled(
            printed_softmax_trial, 3, law="mixtures of two Gaussians in the plane, nodes, QᵀK symmetric"
        ),
        "corrected": sampled(
            softmax_limit_trial, 4, law="mixtures of two Gaussians in the plane, nodes, QᵀK symmetric"
        ),
    }
