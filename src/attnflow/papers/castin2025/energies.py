"""Energies: attention with V = cB as a gradient flow, for tokens and for covariances."""

from __future__ import annotations

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ...engine.attention import Sinkhorn, Softmax, Unnormalised
from ...engine.flow import Flow
from ...engine.measures import Particles
from ...engine.observe.energy import energy, log_energy
from ...engine.spaces import Euclidean
from ...theory.gaussian import closed_forms
from ..claim import Claim, Hypothesis, undecided
from ..hunt import sampled
from ..hypotheses import follows, is_plain
from ..independent import departure
from ..tolerance import exactness, token_error
from ..variables import score_matrix, value_matrix
from . import energy_hunts as trials
from .gaussians import follows_field, is_closed_flow, scalar_value, weights

LARGEST = 300
"""Prompts up to this size are followed again to check a run."""


def _multiple_of(B, V) -> tuple[float, float]:
    """The c with V ≈ cB, and what is left over, relative to V."""
    c = float(np.sum(V * B) / max(np.sum(B * B), 1e-300))
    return c, float(np.abs(V - c * B).max() / max(np.abs(V).max(), 1e-300))


def _gradient_hypotheses(B, V, mu) -> list[Hypothesis]:
    """B symmetric and V = cB, c ≠ 0; B is that of the score, with β."""
    size, (c, off) = max(float(np.abs(B).max()), 1e-300), _multiple_of(B, V)
    return [
        Hypothesis("B is symmetric", exactness(mu) - float(np.abs(B - B.T).max()) / size),
        Hypothesis("V is a multiple of B, and not 0", exactness(mu) - off if c else -1.0),
    ]


def _token_hypotheses(flow, mu, *rules) -> list[Hypothesis]:
    if not isinstance(flow, Flow) or not is_plain(flow, mu, Euclidean, rules):
        return []
    masses = Hypothesis("all masses are positive", float(np.asarray(mu.mass, float).min()) - 1e-300)
    return [*_gradient_hypotheses(score_matrix(flow, mu.d), value_matrix(flow, mu.d), mu), masses]


def _way(flow, d) -> str:
    return "rises" if _multiple_of(score_matrix(flow, d), value_matrix(flow, d))[0] > 0 else "falls"


def _follows_gradient(run, velocity: Callable, *, law: str):
    """Whether tokens go where a velocity, given as a function of tokens, leads between saved times."""
    n = run.x.shape[1]
    if n > LARGEST:
        return undecided(f"gradient flows are followed again up to {LARGEST} tokens, this prompt has {n}")
    compiled = eqx.filter_jit(velocity)

    def field(x):
        # Integrators take the rounding of single precision for stiffness.
        with jax.enable_x64(True):
            return np.asarray(compiled(jnp.asarray(x)), float)

    ratio = departure(np.asarray(run.x, float), np.asarray(run.ts, float), field, error=token_error(run))
    return follows(run, ratio, law=law)


# ---- tokens -----------------------------------------------------------------------------------------------------------


class InteractionEnergy(Claim):
    number = "energy"
    title = "Attention with V = cB climbs or descends the interaction energy"
    printed = (
        "B = Bᵀ, V = cB: unnormalised attention is c times the Wasserstein gradient ascent of E = ½∬e^{xᵀBy}dμdμ; softmax "
        "attention is the same in the metric weighted by Z_μ(x) = ∫e^{xᵀBy}dμ(y), so dE/dt = c⁻¹∫Z_μ|v|²dμ."
    )
    latex = r"\dot x = \frac{c}{Z_\mu(x)}\nabla\frac{\delta E}{\delta\mu}(x),\quad E = \tfrac12\iint e^{x^\top By}\,d\mu\,d\mu"
    provenance = "summarised"
    kind = "proposition"
    decides = "trajectory"
    see = ("geshkovski2024.energy_identity", "burger2025.dissipation")
    hunts = {
        "printed": sampled(
            trials.energy_trial, 10, law="d = 1–3, 5 weighted tokens, symmetric normal B, V = ±B, t ≤ 0.1"
        )
    }
    outside = {
        "V a multiple of B (any V)": sampled(trials.any_value_trial, 4),
        "B symmetric (any B, V = B)": sampled(trials.any_score_trial, 4),
    }

    def hypotheses(self, flow, mu):
        found = _token_hypotheses(flow, mu, Softmax, Unnormalised)
        return found if getattr(getattr(flow, "attention", None), "scale", "mean") == "mean" else []

    def predict(self, flow, mu):
        now = float(log_energy(flow, mu, convention="castin"))
        words = f"the interaction energy ½∬e^(xᵀBy), now e^({now:.6g}), {_way(flow, mu.d)} for ever"
        return words, {"log energy": now}

    def check(self, run):
        return _follows_gradient(run, _ascent(run.flow, run.at(0)), law="the gradient flow of the energy")


def _ascent(flow, mu: Particles):
    r"""$c\,\nabla_{x_i}E/(m_iZ_i)$ by automatic differentiation; without $Z_i$ for unnormalised attention."""
    score, is_softmax = flow.attention.score, isinstance(flow.attention, Softmax)
    c, _ = _multiple_of(score_matrix(flow, mu.d), value_matrix(flow, mu.d))

    def velocity(x):
        scores = lambda x: score.queries(x) @ score.keys(x).T  # noqa: E731
        # A common factor of E and Z keeps both in the range of numbers.
        top = jax.lax.stop_gradient(jnp.max(scores(x)))
        E = lambda x: mu.mass @ jnp.exp(scores(x) - top) @ mu.mass / 2  # noqa: E731
        slope = c * jax.grad(E)(x) / mu.mass[:, None]
        return slope / (jnp.exp(scores(x) - top) @ mu.mass)[:, None] if is_softmax else slope * jnp.exp(top)

    return velocity


class TransportEnergy(Claim):
    number = "sinkhorn energy"
    title = "Sinkhorn attention with V = cB is a gradient flow of the entropic cost of self-transport"
    printed = (
        "Sinkhorn, B = Bᵀ, V = cB/ε: −c times the Wasserstein gradient ascent of F = OT_ε(μ,μ)/(2ε), the entropic cost of "
        "transport from μ to itself for −xᵀBy; so dF/dt = −c⁻¹∫|v|²dμ."
    )
    latex = (
        r"\dot x = -c\,\nabla\frac{\delta F}{\delta\mu}(x),\quad F = \mathrm{OT}_\varepsilon(\mu,\mu)/(2\varepsilon)"
    )
    provenance = "summarised"
    kind = "proposition"
    decides = "trajectory"
    see = ("sander2022.proposition2", "sander2022.mean")
    hunts = {
        "printed": sampled(trials.transport_trial, 6, law="d = 1–3, 4 weighted tokens, scores up to 2, ε = 0.5, 1 or 2")
    }
    outside = {"B symmetric (any B, V = B)": sampled(trials.any_plan_trial, 4)}

    def hypotheses(self, flow, mu):
        found = _token_hypotheses(flow, mu, Sinkhorn)
        converged = lambda: Hypothesis("Sinkhorn is converged", 0.0 if flow.attention.iterations is None else -1.0)  # noqa: E731
        return [*found, converged()] if found else []

    def predict(self, flow, mu):
        now = float(energy(flow, mu, convention="castin"))
        way = {"rises": "falls", "falls": "rises"}[_way(flow, mu.d)]
        return f"the entropic cost of self-transport over 2ε, now {now:.6g}, {way} for ever", {"F": now}

    def check(self, run):
        return _follows_gradient(run, _plan_descent(run.flow, run.at(0)), law="the gradient flow of the transport cost")


def _plan_descent(flow, mu: Particles):
    r"""$-c\,\nabla_{x_i}F/m_i$ by automatic differentiation."""
    c, _ = _multiple_of(score_matrix(flow, mu.d), value_matrix(flow, mu.d))
    F = lambda x: energy(flow, mu.moved_to(x), convention="castin")  # noqa: E731
    return lambda x: -c * jax.grad(F)(x) / mu.mass[:, None]


class NotConvex(Claim):
    number = "not convex"
    title = "The energies of attention are not convex along geodesics"
    printed = (
        "Neither energy is convex along Wasserstein geodesics: for B = Bᵀ and E = ½∬e^{xᵀBy}dμdμ one token that moves along "
        "an eigenvector shows it for E if the eigenvalue is negative, for −E if it is positive."
    )
    latex = (
        r"Bz=\lambda z,\ \lambda<0:\quad E(\delta_0)=\tfrac12>\tfrac12\big(E(\delta_{-sz})+E(\delta_{sz})\big)"
        r"=\tfrac12e^{\lambda s^2|z|^2}"
    )
    assumes = "B symmetric and not 0"
    provenance = "derived"
    see = ("castin2025.energy",)
    hunts = {"printed": sampled(trials.convexity_trial, 10, law="symmetric normal B, d = 1–3, one token through 0")}


# ---- covariances ------------------------------------------------------------------------------------------------------


class BuresWasserstein(Claim):
    number = "Bures Wasserstein"
    title = "Covariances under softmax with V = cB follow a Bures–Wasserstein gradient"
    printed = "Softmax on Gaussians, B = Bᵀ, V = cB: Σ' = c(BΣBΣ + ΣBΣB) is c times the Bures–Wasserstein gradient of tr(BΣBΣ)/4."
    latex = r"\dot\Sigma = 2c\,(\nabla E\,\Sigma + \Sigma\nabla E),\quad E = \tfrac14\operatorname{tr}(B\Sigma B\Sigma)"
    provenance = "derived"
    decides = "trajectory"
    hunts = {
        "printed": sampled(trials.bures_trial, 20, law="d = 2 or 3, symmetric normal B, V = ±B, small steps in W₂")
    }
    outside = {"B symmetric (any B, V = B)": sampled(trials.any_bures_trial, 4)}

    def hypotheses(self, flow, mu):
        return _gradient_hypotheses(*weights(flow, mu.d), mu) if is_closed_flow(flow, mu, Softmax) else []

    def predict(self, flow, mu):
        B, _ = weights(flow, mu.d)
        now, way = float(closed_forms.bures_energy(B, np.asarray(mu.cov, float))), _way(flow, mu.d)
        return f"tr(BΣBΣ)/4, now {now:.6g}, {way} until Σ rests or blows up", {"energy": now}

    def check(self, run):
        B, V = weights(run.flow, run.cov.shape[-1])
        c, _ = _multiple_of(B, V)

        def field(S):
            slope = B @ S @ B / 2
            return 2 * c * (slope @ S + S @ slope)

        return follows_field(run, field, law="the Bures–Wasserstein gradient flow")


class FisherRao(Claim):
    number = "Fisher Rao"
    title = "Covariances under softmax with V = vI follow a Fisher–Rao gradient"
    printed = "Softmax on Gaussians, V = vI, any B: Σ' = vΣ(B+Bᵀ)Σ is the Fisher–Rao gradient ascent of v tr(BΣ)."
    latex = r"\dot\Sigma = 2\Sigma\,\nabla E\,\Sigma,\quad E = v\operatorname{tr}(B\Sigma)"
    provenance = "derived"
    decides = "trajectory"
    hunts = {
        "printed": sampled(
            trials.fisher_trial, 20, law="d = 2 or 3, normal B, v = −1, 0.5 or 2, small steps in entropy"
        )
    }
    outside = {"V = vI (here V = diag(1, 2))": sampled(trials.any_fisher_trial, 4)}

    def hypotheses(self, flow, mu):
        return scalar_value(flow, mu)

    def predict(self, flow, mu):
        B, V = weights(flow, mu.d)
        now = float(closed_forms.fisher_energy(B, np.asarray(mu.cov, float), v=float(V[0, 0])))
        return f"v tr(BΣ), now {now:.6g}, rises until Σ rests or blows up", {"energy": now}

    def check(self, run):
        B, V = weights(run.flow, run.cov.shape[-1])
        return follows_field(run, lambda S: V[0, 0] * S @ (B + B.T) @ S, law="the Fisher–Rao gradient flow")
