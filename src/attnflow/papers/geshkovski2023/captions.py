"""Captions that a computation contradicts: the normal of the planes of figure 6, an eigenvalue of figure 13."""

from __future__ import annotations

from ..claim import Claim
from ..hunt import fixed, sampled
from .hunts.captions import caption_trial, normal_trial


class Normal(Claim):
    number = "figure 6"
    title = "What the limiting hyperplanes are perpendicular to"
    printed = "The limiting hyperplanes are perpendicular to φ₁."
    latex = r"H=\{x:\langle\varphi_1^*,x\rangle=c\},\qquad V^\top\varphi_1^*=\lambda_1\varphi_1^*"
    assumes = "a good triple (definition 4.1)"
    provenance = "seen"
    corrected = "to the dual vector φ₁*, which is φ₁ only for symmetric V"
    erratum = "false"
    hunts = {
        "printed": sampled(normal_trial("printed"), 1, law="12 tokens in [−5, 5]², V of the figure, t = 12"),
        "corrected": sampled(normal_trial("corrected"), 1, law="the same"),
    }


class Eigenvalue(Claim):
    number = "figure 13"
    title = "The complex eigenvalue of the matrix of figure 13"
    printed = "V of figure 13 has the eigenvalue 1 − 0.08i."
    latex = r"0.1-0.08i\in\sigma(V)"
    assumes = "the matrix V printed below figure 13"
    provenance = "seen"
    corrected = "0.1 − 0.08i"
    erratum = "slip of the pen"
    hunts = {"printed": fixed(caption_trial(1 - 0.08j)), "corrected": fixed(caption_trial(0.1 - 0.08j))}
