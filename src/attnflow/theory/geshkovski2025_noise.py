"""Attention against noise on the circle (arXiv 2512.01868, section 7): when order survives, and how much of it."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import ive

from ..attention import Softmax, Unnormalised
from ..flow import Flow
from ..matrices import is_concrete
from ..measures import Particles
from ..normalisation import PostLN
from ..spaces import Sphere
from .claim import Check, Claim, Hypothesis, Prediction, register
from .conditions import beta_of, equal_masses, model_of, positive_multiple, rule_speed, values
from .modes import critical_kappa, growth, kuramoto_order
from .noisy_circle import onset, ordered_law
from .search import Trial, falsifier, random_trials

SURVEY = "arXiv 2512.01868"


def noisy_hypotheses(flow, mu):
    if not isinstance(flow, Flow) or not isinstance(mu, Particles) or mu.x.ndim != 2 or mu.d != 2 or flow.noise is None:
        return []
    plain = isinstance(flow.space, Sphere) and isinstance(flow.normalisation, PostLN) and flow.feed_forward is None
    if not plain or not isinstance(flow.attention, Softmax | Unnormalised) or not is_concrete(flow, mu):
        return []
    beta = beta_of(flow, mu.d)
    return [
        positive_multiple("V", values(flow, mu.d)),
        equal_masses(mu),
        Hypothesis("B is a multiple of the identity, β ≥ 0", -1.0 if np.isnan(beta) else beta),
        Hypothesis("there is noise", float(np.asarray(flow.noise)) - 1e-12),
        Hypothesis("there are many tokens", mu.n - 50.0),
    ]


def _kappa(flow, mu) -> tuple[float, float]:
    """κ in units where the drift is that of the paper, and the speed of the clock against that."""
    speed = float(values(flow, mu.d)[0, 0]) * rule_speed(flow, mu)
    return 2 * speed / float(np.asarray(flow.noise)) ** 2, speed


def noisy_predict(flow, mu):
    beta, model = beta_of(flow, mu.d), model_of(flow)
    kappa, _ = _kappa(flow, mu)
    found, order = onset(beta, model=model), ordered_law(kappa, beta=beta, model=model).order
    words = f"κ = {kappa:.4g}: the uniform law is stable up to κ = {found.linear:.6g}; the most ordered law has r = {order:.4f}"
    return Prediction("geshkovski2025.noise", words, {"kappa": kappa, "kappa_c": found.linear, "order": order})


def noisy_check(run):
    """The order of the second half of the run, away from the onset and for times that let a ripple grow."""
    key, mu = "geshkovski2025.noise", run.at(0)
    beta, model, (kappa, speed) = beta_of(run.flow, 2), model_of(run.flow), _kappa(run.flow, mu)
    found, ts = onset(beta, model=model), np.asarray(run.ts, float)
    late = ts >= (ts[0] + ts[-1]) / 2
    order = float(np.linalg.norm(np.asarray(run.x, float)[late].mean(axis=1), axis=-1).mean())
    span = (ts[-1] - ts[0]) * speed * float(growth(1, beta=beta, model=model)) * abs(1 - found.linear / kappa)
    below, above = kappa < 0.8 * found.ordered, kappa > 1.2 * found.linear
    if span < 20 or late.sum() < 10 or not (below or above):
        return Check(key, None, "too short, or too near the onset, to tell the order", {"order": order})
    expected = ordered_law(kappa, beta=beta, model=model).order if above else 0.0
    # Finitely many tokens keep an order of n^{−1/2}, more near the onset.
    allowed = 6 / np.sqrt(mu.n * abs(1 - kappa / (found.linear if above else found.ordered))) + 0.02
    words = "the order is that of the stationary law"
    return Check(key, bool(abs(order - expected) < allowed), words, {"order": order, "predicted": expected})


def settled_order(kappa: float, *, beta: float, T: float = 400.0, modes: int = 40) -> float:
    r"""The order that the Fokker–Planck equation of USA settles at, from its Fourier modes.

    $$c_k' = k\sum_l l\,\hat g_l c_l(c_{k-l}-c_{k+l})-\tfrac{k^2}\kappa c_k,\qquad \hat g_l = I_l(\beta)/\beta$$
    """
    l = np.arange(1, modes + 1)
    pull = np.where(l == 1, 0.5, 0.0) if beta == 0 else ive(l, beta) * np.exp(beta) / beta
    minus, plus = np.abs(l[:, None] - l[None]), l[:, None] + l[None]

    def field(t, c):
        full = np.concatenate([[1.0], c, np.zeros(modes + 1)])
        return l * ((full[minus] - full[plus]) @ (l * pull * c)) - l**2 / kappa * c

    start = 0.4**l
    return float(solve_ivp(field, (0, T), start, method="LSODA", rtol=1e-10, atol=1e-13).y[0, -1])


def _noise_trial(rng):
    """Away from the onset by a sixth or more, where order sets in continuously."""
    beta, factor = float(rng.choice([0.0, rng.uniform(0.2, 2)])), float(rng.choice([0.6, 0.85, 1.2, 2.0]))
    kappa = factor * critical_kappa(beta)
    found = settled_order(kappa, beta=beta)
    expected = kuramoto_order(kappa) if beta == 0 else ordered_law(kappa, beta=beta).order
    return Trial(
        abs(found - expected) / 1e-6, 400.0, f"β = {beta:.3f}, κ = {kappa:.4f}: r = {found:.6f}, not {expected:.6f}"
    )


register(
    Claim(
        "geshkovski2025.noise", f"{SURVEY}, section 7; κ_c derived",
        "d = 2, noise √(2/κ): at β = 0 the uniform law is the only stationary one up to κ = 2, then r = I₁(κr)/I₀(κr); for any β "
        "it loses stability at β/I₁(β) (USA), βI₀/I₁ (SA).",
        noisy_hypotheses, noisy_predict, noisy_check,
        falsifier("geshkovski2025.noise", printed=random_trials(_noise_trial, 6)),
    )
)  # fmt: skip
