"""Energies of the Transformer PDE on tokens, as claims: interaction energy, transport energy and their dissipation."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from ..attention import Sinkhorn, Softmax, Unnormalised
from ..flow import attention_matrix
from ..matrices import dense
from . import castin2025_search as search
from .castin2025_tokens import SOURCE, is_token_flow
from .claim import Check, Claim, Hypothesis, Prediction, register

# Energies.


def _energy_sign(flow, mu, *rules):
    """±1 when B is symmetric and V = ±B, else None."""
    if not is_token_flow(flow, mu, *rules) or getattr(flow.attention, "scale", "mean") != "mean":
        return None
    if isinstance(flow.attention, Sinkhorn) and flow.attention.iterations is not None:
        return None
    score = flow.attention.score
    B, V = np.asarray(score.B(mu.d)), np.asarray(dense(flow.V, mu.d))
    if np.abs(B - B.T).max() > 1e-13 * np.abs(B).max() or not np.any(B):
        return None
    ratio = np.sum(V * B) / np.sum(B * B)
    return float(np.sign(ratio)) if ratio and np.abs(V - ratio * B).max() <= 1e-12 * np.abs(V).max() else None


def interaction_energy(flow, x, mass):
    r"""$E = \frac12\iint e^{\beta x^\top By}\,d\mu\,d\mu$"""
    score = flow.attention.score
    scores = score.queries(x) @ score.keys(x).T
    return mass @ jnp.exp(scores) @ mass / 2


def dissipation_ratio(flow, mu) -> float:
    r"""$c\,dE/dt$ over $\int Z|v|^2$ (softmax) or $\int|v|^2$ (unnormalised), for $V = c\beta B$: one for a gradient flow."""
    score, d = flow.attention.score, mu.d
    v = flow.field(mu, 0.0, _exact(flow, mu))
    slope = jnp.sum(jax.grad(lambda x: interaction_energy(flow, x, mu.mass))(mu.x) * v)
    B, V = score.B(d), dense(flow.V, d)
    c = jnp.sum(V * B) / jnp.sum(B * B) / score.beta
    Z = jnp.exp(score.queries(mu.x) @ score.keys(mu.x).T) @ mu.mass if isinstance(flow.attention, Softmax) else 1.0
    return float(slope * c / jnp.sum(mu.mass * Z * jnp.sum(v * v, axis=1)))


def _exact(flow, mu):
    from ..summation import choose

    return choose("exact", flow, mu)


def _energy_hypotheses(flow, mu):
    sign = _energy_sign(flow, mu, Softmax, Unnormalised)
    return [] if sign is None else [Hypothesis("B is symmetric and V is a multiple of B", 0.0)]


def _energy_predict(flow, mu):
    way = (
        "increases"
        if (_energy_sign(flow, mu, Softmax, Unnormalised) or 1) * float(flow.attention.score.beta) > 0
        else "decreases"
    )
    return Prediction(
        "castin2025.energy", f"the interaction energy {way}", {"dissipation ratio": dissipation_ratio(flow, mu)}
    )


def _energy_check(run):
    worst = max(
        abs(dissipation_ratio(run.flow, run.at(k)) - 1) for k in range(0, len(run.ts), max(1, len(run.ts) // 5))
    )
    return Check(
        "castin2025.energy",
        bool(worst < 1e-6 or not np.isfinite(worst)),
        "dE/dt is the (twisted) squared speed",
        {"worst error": worst},
    )


register(
    Claim(
        key="castin2025.energy",
        source=SOURCE + " (recalled; constants derived)",
        printed="B = Bᵀ, V = ±B: unnormalised attention is the Wasserstein gradient flow of ½∬e^{xᵀBy}, softmax the "
        "one in the metric weighted by Z_μ(x).",
        hypotheses=_energy_hypotheses,
        predict=_energy_predict,
        check=_energy_check,
        falsify=search.energies,
    )
)


def _transport_hypotheses(flow, mu):
    return (
        [] if _energy_sign(flow, mu, Sinkhorn) is None else [Hypothesis("B is symmetric and V is a multiple of B", 0.0)]
    )


def transport_energy(flow, mu) -> float:
    r"""$F = \int f\,d\mu$ with the symmetric potential of the plan, $P_{ij} = m_je^{s_{ij} + f_i + f_j}$."""
    x = mu.x
    score = flow.attention.score
    P = attention_matrix(flow, mu)
    # f_i is read off the diagonal: P_ii = m_i exp(s_ii + 2 f_i).
    own = jnp.sum(score.queries(x) * score.keys(x), axis=1)
    f = (jnp.log(jnp.diagonal(P) / mu.mass) - own) / 2
    return float(mu.mass @ f)


def _transport_check(run):
    flow, sign = run.flow, _energy_sign(run.flow, run.at(0), Sinkhorn)
    energies = np.array([transport_energy(flow, run.at(k)) for k in range(len(run.ts))])
    rise = float((sign * np.diff(energies)).max() / np.abs(energies).max()) if len(energies) > 1 else 0.0
    return Check(
        "castin2025.sinkhorn_energy",
        rise <= 1e-8,
        "the self-transport cost moves one way",
        {"largest step against": max(rise, 0.0)},
    )


register(
    Claim(
        key="castin2025.sinkhorn_energy",
        source=SOURCE + " (recalled; derived)",
        printed="Sinkhorn, B = Bᵀ, V = ±B: Wasserstein gradient flow of ∓OT_ε(μ,μ)/(2ε) with cost −xᵀBy.",
        hypotheses=_transport_hypotheses,
        predict=lambda flow, mu: Prediction(
            "castin2025.sinkhorn_energy", "the self-transport cost is monotone", {"F": transport_energy(flow, mu)}
        ),
        check=_transport_check,
        falsify=search.transport_energy,
    )
)
