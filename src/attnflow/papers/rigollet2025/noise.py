"""Attention against noise: when order survives, how much of it, and whether it sets in with a jump."""

from __future__ import annotations

import numpy as np

from ...engine.attention import Softmax, Unnormalised
from ...engine.flow import Flow
from ...engine.flow.normalisation import PostLN
from ...engine.linalg.matrices import is_concrete, is_scheduled
from ...engine.measures import Particles
from ...engine.spaces import Sphere
from ...theory.sphere.noisy_circle import onset, ordered_law
from ...theory.sphere.noisy_sphere import critical_beta, critical_noise
from ...theory.sphere.uniform_law import growth
from ..claim import Claim, Hypothesis, compared, undecided
from ..hunt import sampled
from ..hypotheses import beta_of, equal_masses, model_of, positive_multiple, positive_weights, rule_speed
from ..trial import worst_ratio
from ..variables import value_matrix
from .hunts import fokker_planck_trial, jump_trial, noise_trial


def _is_noisy(flow, mu, rules) -> bool:
    return (
        isinstance(flow, Flow)
        and isinstance(mu, Particles)
        and mu.x.ndim == 2
        and mu.d >= 2
        and flow.noise is not None
        and isinstance(flow.space, Sphere)
        and isinstance(flow.normalisation, PostLN)
        and flow.feed_forward is None
        and isinstance(flow.attention, rules)
        and not is_scheduled(flow)
        and is_concrete(flow, mu)
    )


def _conditions(flow, mu):
    beta = beta_of(flow, mu.d)
    return [
        positive_multiple("V", value_matrix(flow, mu.d)),
        positive_weights(flow),
        equal_masses(mu),
        Hypothesis("B is a multiple of the identity, β ≥ 0", -1.0 if np.isnan(beta) else beta),
        Hypothesis("there is noise", float(np.asarray(flow.noise)) - 1e-12),
        Hypothesis("there are many tokens (50)", mu.n - 50.0),
    ]


def _kappa(flow, mu) -> tuple[float, float]:
    """κ in units where the drift is that of the paper, and the speed of the clock against that."""
    speed = float(value_matrix(flow, mu.d)[0, 0]) * rule_speed(flow, mu)
    return 2 * speed / float(np.asarray(flow.noise)) ** 2, speed


class OrderAgainstNoise(Claim):
    number = "noise"
    title = "How much order attention keeps against noise on the circle"
    printed = (
        "d = 2, noise √(2/κ), β = 0: the uniform law is the only stationary one up to κ = 2, then r = I₁(κr)/I₀(κr); (derived) "
        "for any β it loses stability at κ_c = β/I₁(β) (unnormalised), βI₀(β)/I₁(β) (softmax)."
    )
    latex = r"r = I_1(\kappa r)/I_0(\kappa r),\qquad \kappa_c = \beta/I_1(\beta)"
    provenance = "seen"
    kind = "theorem"
    decides = "static"
    hunts = {
        "printed": sampled(
            noise_trial, 6, law="β 0–1.8, κ from 0.6 to 2 times critical: Fourier modes to t = 400", steps=6
        )
    }

    def hypotheses(self, flow, mu):
        return _conditions(flow, mu) if _is_noisy(flow, mu, (Softmax, Unnormalised)) and mu.d == 2 else []

    def predict(self, flow, mu):
        beta, model = beta_of(flow, mu.d), model_of(flow)
        kappa, _ = _kappa(flow, mu)
        found, order = onset(beta, model=model), ordered_law(kappa, beta=beta, model=model).order
        words = (
            f"noise of strength 2/κ with κ = {kappa:.4g}: evenly spread tokens stay so up to κ = {found.linear:.6g}; the most "
            f"ordered stationary law has a mean of length {order:.4f}"
        )
        return words, {"kappa": kappa, "kappa_c": found.linear, "order": order}

    def check(self, run):
        """The order of the second half of the run and of each state in it, away from the onset and late enough."""
        mu, ts = run.at(0), np.asarray(run.ts, float)
        beta, model, (kappa, speed) = beta_of(run.flow, 2), model_of(run.flow), _kappa(run.flow, mu)
        found, late = onset(beta, model=model), ts >= ts[-1] / 2
        orders = np.linalg.norm(np.asarray(run.x, float)[late].mean(axis=1), axis=-1)
        order = float(orders.mean())
        span = ts[-1] * speed * float(growth(1, beta=beta, model=model)) * abs(1 - found.linear / kappa)
        below, above = kappa < 0.8 * found.ordered, kappa > 1.2 * found.linear
        if span < 20 or late.sum() < 10 or not (below or above):
            return undecided("too short, or too near the onset, to tell the order; run for longer", order=order)
        expected = ordered_law(kappa, beta=beta, model=model).order if above else 0.0
        # Finitely many tokens keep an order of n^{−1/2}, more near the onset.
        allowed = 3 / np.sqrt(mu.n * abs(1 - kappa / (found.linear if above else found.ordered))) + 0.02
        # One state strays more than the mean of ten or more.
        off = worst_ratio(abs(order - expected) / allowed, np.abs(orders - expected) / (2 * allowed))
        words = f"the mean of the tokens has length {order:.3f}, predicted {expected:.3f} within {allowed:.2g}"
        return compared(off, words, order=order, predicted=expected, strays=float(np.abs(orders - expected).max()))


class OnsetOfOrder(Claim):
    number = "onset of order"
    title = "Below β_* order sets in continuously as noise falls, above it with a jump"
    printed = (
        "Noisy unnormalised attention on S^{d−1}: the transition at κ_c = 2(β/2)^{d/2}/(Γ(d/2) I_{d/2}(β)) is continuous if and "
        "only if β ≤ β_*, where I_{d/2+1}(β_*)/I_{d/2}(β_*) = 1/d."
    )
    latex = r"\frac{I_{d/2+1}(\beta_*)}{I_{d/2}(\beta_*)} = \frac1d"
    provenance = "summarised"
    kind = "theorem"
    hunts = {
        "printed": sampled(
            jump_trial(critical_beta, critical_noise),
            8,
            law="d = 2–5, β at 0.7, 0.95, 1.05 and 1.4 β_*: curvature of the ordered branch at κ_c",
        )
    }

    def hypotheses(self, flow, mu):
        return _conditions(flow, mu) if _is_noisy(flow, mu, (Unnormalised,)) else []

    def predict(self, flow, mu):
        beta, star = beta_of(flow, mu.d), critical_beta(mu.d)
        kappa, threshold = _kappa(flow, mu)[0], critical_noise(mu.d, beta)
        how = "continuously" if beta <= star else "with a jump, and earlier, so that both laws are stable for some κ"
        words = (
            f"β = {beta:.4g}, β_* = {star:.6g} in d = {mu.d}: as noise falls order sets in {how}; the uniform law is stable up "
            f"to κ_c = {threshold:.6g}, here κ = {kappa:.4g}"
        )
        return words, {"beta_star": star, "kappa_c": threshold, "kappa": kappa}


class FokkerPlanck(Claim):
    number = "Fokker Planck"
    title = "The law of noisy tokens diffuses forward in time"
    printed = "∂_t μ + κ^{−1}Δμ = div(μ v[μ])."
    latex = r"\partial_t\mu = \kappa^{-1}\Delta\mu - \mathrm{div}(\mu\,v[\mu])"
    assumes = "tokens on the sphere with noise of strength 2/κ"
    provenance = "seen"
    kind = "equation"
    corrected = "∂_t μ = κ^{−1}Δμ − div(μ v[μ]): with the printed signs diffusion runs backward"
    erratum = "slip of the pen"
    hunts = {
        "printed": sampled(
            fokker_planck_trial(1), 2, law="2,000 noisy tokens on the circle, κ 1–4, β 0.3–1.5, t = 0.4"
        ),
        "corrected": sampled(
            fokker_planck_trial(-1), 3, law="2,000 noisy tokens on the circle, κ 1–4, β 0.3–1.5, t = 0.4"
        ),
    }
