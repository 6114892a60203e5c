"""Section 3: the self-attention field as a gradient, the rate of the interaction energy, and its extremes."""

from __future__ import annotations

from functools import partial
from itertools import islice

import numpy as np

from ...engine.linalg.matrices import multiple_of_identity
from ...theory.sphere.energy_bounds import energy_rate, uniform_moments
from ...theory.sphere.pair_cosines import directions, energy, some_times
from ..claim import Claim, Hypothesis, compared, refuted, undecided
from ..hunt import both, fixed, sampled
from ..hypotheses import beta_of, model_of, of_size, on_sphere, positive_weights, shifted_speed
from ..retrace import stretches
from ..tolerance import token_error
from ..trial import worst_ratio
from ..variables import value_matrix
from .hunts import (
    any_metric_trial,
    extremes_trial,
    field_trial,
    negative_trial,
    polygon_trial,
    rate_trial,
    undefined_energy,
)

MOST = 2000
"""Tokens up to which all pairs are formed."""
HOPS = 8
"""Saved intervals over which the rate is integrated."""
FINE, COARSE = (np.polynomial.legendre.leggauss(count) for count in (40, 24))
"""Nodes and weights of two quadratures on (−1, 1): their difference is the error."""
NODES = np.union1d(FINE[0], COARSE[0])


def _positive_beta(flow, mu) -> Hypothesis:
    beta = beta_of(flow, mu.d)
    return Hypothesis("B is a multiple of the identity, β > 0", -1.0 if np.isnan(beta) else beta - 1e-12)


class Field(Claim):
    number = "equation 3.7"
    title = "The self-attention field is the gradient of a logarithm"
    printed = "the SA field is ∇ log(β⁻¹ ∫ e^{β<x,y>} dμ(y))"
    latex = r"\mathcal X[\mu](x) = \beta^{-1}\,\nabla\log\int e^{\beta\langle x,y\rangle}\,d\mu(y)"
    assumes = "softmax on the sphere, V = B = I, β > 0"
    provenance = "seen"
    corrected = "β⁻¹∇ log ∫ e^{β<x,y>} dμ(y): inside the logarithm β⁻¹ has no effect"
    erratum = "slip of the pen"
    hunts = {
        "printed": sampled(field_trial("printed"), 5, law="2–5 uniform tokens, d = 2, 3, β in (1.5, 6)"),
        "corrected": sampled(field_trial("corrected"), 5, law="2–5 uniform tokens, d = 2, 3, β in (1.5, 6)"),
    }


class Identity(Claim):
    number = "energy identity"
    title = "The energy grows by the weighted mean of squared velocities"
    printed = (
        "(3.5)–(3.8): for every β ≥ 0, d/dt (1/2β)∬e^{β<x,y>} is the mean of |v|² (USA) or of Z|v|², Z(x) = ∫e^{β<x,y>}dμ(y) "
        "(SA); V = −I turns the sign"
    )
    latex = (
        r"\frac{d}{dt}\,\frac1{2\beta}\iint e^{\beta\langle x,y\rangle} = \int |v|^2\,d\mu\ (USA),\ "
        r"\int Z|v|^2\,d\mu\ (SA)\qquad(\beta>0)"
    )
    provenance = "seen"
    corrected = "for β > 0; at β = 0 the energy is ½|∫x dμ|²"
    erratum = "incomplete"
    kind = "lemma"
    decides = "trajectory"
    hunts = {
        "printed": both(
            sampled(rate_trial, 8, law="2–6 uniform tokens, β in (1e-3, 6), SA and USA, V = ±I"),
            fixed(undefined_energy),
        ),
        "corrected": sampled(rate_trial, 12, law="2–6 uniform tokens, β in (1e-3, 6), SA and USA, V = ±I"),
    }
    outside = {
        "B = I (any B): the energy still grows": sampled(any_metric_trial("growth"), 6),
        "B = I (any B): at the same rate": sampled(any_metric_trial("rate"), 4),
    }

    def hypotheses(self, flow, mu):
        if not on_sphere(flow, mu):
            return []
        if unfit := of_size(mu, n=(1, MOST)):
            return unfit
        c = multiple_of_identity(value_matrix(flow, mu.d))
        turns = Hypothesis("V is a multiple of the identity, not 0", -1.0 if c is None else abs(c) - 1e-12)
        return [_positive_beta(flow, mu), turns, positive_weights(flow)]

    def predict(self, flow, mu):
        rate = self._rate(flow, mu)(directions(mu.x))
        way = "grows" if value_matrix(flow, mu.d)[0, 0] > 0 else "falls"
        words = f"the energy ∬ e^{{β(<x,y>−1)}} {way} at all times, at first by {rate:.6g} per unit of time"
        return words, {"rate": rate}

    def _rate(self, flow, mu):
        """The rate of the energy as a function of unit tokens."""
        V, beta = float(value_matrix(flow, mu.d)[0, 0]), beta_of(flow, mu.d)
        mass, speed = np.asarray(mu.mass, float), shifted_speed(flow, mu)
        return partial(energy_rate, mass=mass, beta=beta, V=V, model=model_of(flow), speed=speed)

    def check(self, run):
        x, d = directions(run.x), run.x.shape[-1]
        mass, beta, way = np.asarray(run.mass, float), beta_of(run.flow, d), np.sign(value_matrix(run.flow, d)[0, 0])
        E_of = partial(energy, mass=mass, beta=beta)
        E = np.array([E_of(x[k]) for k in some_times(len(x), x.shape[1])])
        room = 10 * min(1.0, beta * float(token_error(run).max())) * E.max()
        wrong = float(np.max(-way * np.diff(E), initial=0.0))
        if not wrong <= room:
            return refuted(f"the energy moves the wrong way by {wrong:.3g}, {room:.2g} is allowed", wrong_way=wrong)
        rate = self._rate(run.flow, run.at(0))
        found = stretches(run, nodes=(1 + NODES) / 2) if run.stride is None else ()
        miss = [_miss(one, rate, E_of(x[one.first]), E_of(x[one.first + 1]), beta) for one in islice(found, HOPS)]
        if not miss:
            words = "the energy is monotone, but no saved interval is short enough to test its rate; save more times"
            return undecided(words, wrong_way=wrong)
        words = f"the energy misses the integral of squared velocities by {worst_ratio(miss):.2g} of what the tolerance allows"
        return compared(worst_ratio(miss), words, wrong_way=wrong)


def _miss(stretch, rate, start, end, beta) -> float:
    """How far the energy at the end of an interval is from what the identity adds up to, over what may be."""
    rates = np.array([rate(y) for y in directions(stretch.path[:-1])]) * stretch.length / 2
    fine, coarse = (weights @ rates[np.searchsorted(NODES, nodes)] for nodes, weights in (FINE, COARSE))
    room = 2 * min(1.0, beta * stretch.allowed) * max(start, end) + 3 * abs(fine - coarse)
    return float(abs(end - start - fine) / room)


class Extremes(Claim):
    number = "proposition 3.4"
    title = "The uniform law has the least energy, one cluster the largest"
    printed = "the uniform law is the unique minimiser of the energy, and Dirac masses are its only maximisers (β > 0)"
    latex = (
        r"\mathsf E(\sigma_d)\le\mathsf E(\mu)=\iint e^{\beta(\langle x,y\rangle-1)}d\mu\,d\mu\le\mathsf "
        r"E(\delta_x)=1,\quad\text{with equality only at }\sigma_d\text{ and at }\delta_x"
    )
    provenance = "seen"
    hunts = {
        "printed": both(
            sampled(
                extremes_trial, 12, law="2–12 weighted tokens, d = 2–5, β in (0.01, 10); repelled, gathered or neither"
            ),
            sampled(polygon_trial, 4, law="regular 24-gons disturbed by 5 %, β in (0.5, 4)"),
        )
    }
    outside = {"β > 0 (here β = −3)": sampled(negative_trial, 4)}

    def hypotheses(self, flow, mu):
        if not on_sphere(flow, mu):
            return []
        if unfit := of_size(mu, n=(1, MOST), d=(2, np.inf)):
            return unfit
        return [_positive_beta(flow, mu)]

    def predict(self, flow, mu):
        least = uniform_moments(beta_of(flow, mu.d), mu.d)[0]
        words = f"at all times ∬ e^{{β(<x,y>−1)}} lies between {least:.6g} (uniform law) and 1 (one cluster)"
        return words, {"least": least, "largest": 1.0}
