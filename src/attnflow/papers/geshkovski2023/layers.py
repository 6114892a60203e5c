"""Remarks 1.1 and 3.4 and section 6: the same theorems for layers, and prompts that are close to each other."""

from __future__ import annotations

from ..claim import Claim
from ..hunt import both, fixed, sampled
from .hunts.layers import (
    hull_layers_trial,
    line_layers_trial,
    nearby_trial,
    overshoot,
    polytope_layers_trial,
    repelled_layers_trial,
    spectral_layers_trial,
)

_LAYERS = both(
    sampled(hull_layers_trial, 8, law="V = I: 2–7 tokens, steps 0.05 to 2, 20 layers"),
    sampled(polytope_layers_trial, 6, law="prompts of theorem 3.1"),
    sampled(line_layers_trial, 6, law="tokens on the line"),
    sampled(spectral_layers_trial(1), 2, law="rates 1 and ±0.6"),
    sampled(spectral_layers_trial(2), 2, law="rates 1, 1 and ±0.6"),
    sampled(repelled_layers_trial, 6, law="V = −I, steps below 1"),
)


class Layers(Claim):
    number = "remark 3.4"
    title = "The theorems hold for layers too"
    printed = (
        "Theorems 2.1, 3.1, 4.2, 5.2 and 8.5 hold for layers x + ηPVx too, with z^k = R^{−k}x^k, whenever R = I + ηV is "
        "invertible (remarks 1.1 and 3.4)."
    )
    latex = r"z_i^{k+1} = z_i^k+\eta\sum_jP_{ij}R^{-1}V(z_j^k-z_i^k),\qquad R = I+\eta V"
    assumes = "those of the theorem in question, layers of step η with R = I + ηV invertible"
    provenance = "summarised"
    corrected = "for V = −I only with η < 1: longer steps can throw tokens outwards"
    erratum = "incomplete"
    hunts = {"printed": both(fixed(overshoot), _LAYERS), "corrected": _LAYERS}


class Stability(Claim):
    number = "proposition 6.6"
    title = "Prompts that are close stay close for a while"
    printed = (
        "Prompts in a ball of radius R: W₂(μ_t, ν_t) ≤ e^{C(T,R)t} W₂(μ₀, ν₀). The constant is not given; the one tried "
        "here is that of softmax attention on the ball (`gaussian.stability_bounds`)."
    )
    latex = r"W_2(\mu_t,\nu_t)\le e^{C(T,R)t}\,W_2(\mu_0,\nu_0)"
    assumes = "softmax in R^d, both prompts in a ball of radius R"
    provenance = "seen"
    hunts = {"printed": sampled(nearby_trial, 6, law="2–6 tokens in balls of radius 0.3 to 1, any V and B, to t = 0.5")}
