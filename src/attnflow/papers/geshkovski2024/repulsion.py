"""Section 9: where tokens that repel each other can rest with the least energy."""

from __future__ import annotations

import numpy as np

from ...theory.sphere.energy_bounds import simplex_energy
from ..claim import Claim, Hypothesis
from ..hunt import both, fixed, sampled
from ..hypotheses import beta_of, equal_masses, of_size, on_sphere, positive_multiple
from ..variables import value_matrix
from .hunts import converse, sharp_trial, simplex_trial


class Sharp(Claim):
    number = "theorem 9.2"
    title = "Sharp configurations, for few tokens the simplex, have the least energy at every temperature"
    printed = "a global minimiser of the energy for every β is a sharp configuration"
    latex = (
        r"\mu\text{ sharp}\ \Rightarrow\ \mathsf E_\beta(\mu)=\min_{\nu=\frac1n\sum\delta_{y_i}}\mathsf "
        r"E_\beta(\nu)\quad\text{for every }\beta>0"
    )
    provenance = "seen"
    corrected = "the converse: sharp configurations are global minimisers for every β (Cohn and Kumar 2007)"
    erratum = "false"
    hunts = {
        "printed": fixed(converse),
        "corrected": both(
            sampled(
                sharp_trial, 8, law="descents from normal starts against six sharp sets, β in (0.2, 8); 1 is attained"
            ),
            sampled(simplex_trial, 8, law="descents from uniform starts of 2–6 ≤ d + 1 tokens; 1 is attained"),
        ),
    }

    def hypotheses(self, flow, mu):
        if not on_sphere(flow, mu):
            return []
        if unfit := of_size(mu, n=(1, 4096)):
            return unfit
        beta = beta_of(flow, mu.d)
        return [
            Hypothesis("B is a multiple of the identity, β > 0", -1.0 if np.isnan(beta) else beta - 1e-12),
            positive_multiple("−V", -value_matrix(flow, mu.d)),
            Hypothesis("n ≤ d + 1", mu.d + 1.0 - mu.n),
            equal_masses(mu),
        ]

    def predict(self, flow, mu):
        least = simplex_energy(mu.n, beta_of(flow, mu.d))
        words = f"the energy never falls below {least:.6g}, that of the regular simplex, where all cosines are −1/(n−1)"
        return words, {"cosine": -1 / (mu.n - 1) if mu.n > 1 else 1.0, "least": least}
