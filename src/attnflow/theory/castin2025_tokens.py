"""Castin et al. 2025 and 2024 on finitely many tokens: support, stability, masks, means, energies, Lipschitz bounds."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from ..attention import Linked, Sinkhorn, Softmax
from ..attention.linked import identity
from ..flow import Flow, Particles_at
from ..matrices import dense, is_concrete, is_scheduled
from ..measures import Particles
from ..spaces import Euclidean
from . import castin2025_search as search
from . import lipschitz
from .claim import Check, Claim, Hypothesis, Prediction, register
from .stability_bounds import stability_bound
from .variant_constants import constants

SOURCE = "Castin, Ablin, Carrillo, Peyré 2025, arXiv 2501.18322"
SMOOTH = "Castin, Ablin, Peyré 2024, arXiv 2312.14820"


def is_token_flow(flow, mu, *rules) -> bool:
    """Whether a plain flow in R^d with fixed weights moves tokens under one of the rules."""
    return (
        isinstance(flow, Flow) and isinstance(mu, Particles) and isinstance(flow.space, Euclidean) and mu.x.ndim == 2
        and flow.noise is None and flow.feed_forward is None and isinstance(flow.attention, rules or object)
        and is_concrete(flow, mu) and not is_scheduled(flow)
    )  # fmt: skip


def _radius(x) -> float:
    return float(jnp.max(jnp.linalg.norm(x, axis=-1)))


# Support radius.


def _support_hypotheses(flow, mu):
    if not is_token_flow(flow, mu):
        return []
    try:
        constants(flow, d=mu.d, radius=1.0)
    except (ValueError, AttributeError):
        return []
    return [Hypothesis("the tokens lie in a ball", 1.0)]


def _support_predict(flow, mu):
    bound = stability_bound(flow, _radius(mu.x) or 1e-12, d=mu.d, horizon=1.0, pieces=50)
    return Prediction("castin2025.support", f"at t = 1, {bound}", {"radius": float(bound.radius[-1])})


def _support_check(run):
    horizon = float(run.ts[-1] - run.ts[0])
    bound = stability_bound(
        run.flow, _radius(run.x[0]) or 1e-12, d=run.x.shape[-1], horizon=max(horizon, 1e-12), pieces=200
    )
    sizes = np.linalg.norm(np.asarray(run.x), axis=-1).max(axis=-1)
    allowed = np.interp(np.asarray(run.ts - run.ts[0]), bound.ts, bound.radius)
    ratio = float((sizes / allowed).max())
    return Check(
        "castin2025.support", ratio <= 1 + 1e-6, "tokens stay inside the growing ball", {"largest ratio": ratio}
    )


register(
    Claim(
        key="castin2025.support",
        source=SOURCE,
        printed="Compactly supported data: unique global solution with R(t) ≤ R₀ exp(∫|V|) for softmax, L2, sigmoid, masked and "
        "(with |V|/ε) Sinkhorn attention.",
        corrected="The unnormalised and linear kernels are not globally well posed: their bound ends in finite time.",
        hypotheses=_support_hypotheses,
        predict=_support_predict,
        check=_support_check,
        falsify=search.support,
    )
)


# Stability, with and without masks.


register(
    Claim(
        key="castin2025.stability",
        source=SOURCE + " (statement; constants derived)",
        printed="W_p(μ_t, ν_t) ≤ e^{∫L} W_p(μ₀, ν₀) with L = Lip_x + Lip_μ; for masks the same with "
        "the conditional distance d_p.",
        corrected="For masks L = Lip_x + (p/(p−1)) Lip_μ with 1 < p ≤ ∞; p = 1 has no constant independent of n.",
        hypotheses=_support_hypotheses,
        predict=lambda flow, mu: Prediction(
            "castin2025.stability",
            str(stability_bound(flow, _radius(mu.x) or 1e-12, d=mu.d, horizon=1.0, p=2.0, pieces=50)),
        ),
        falsify=search.stability,
    )
)


# Sinkhorn: the mean moves by the exponential of V.


def _mean_hypotheses(flow, mu):
    if not is_token_flow(flow, mu, Sinkhorn):
        return []
    return [Hypothesis("Sinkhorn attention is converged", 0.0)] if flow.attention.iterations is None else []


def _mean_at(flow, mean, t):
    return jax.scipy.linalg.expm(t * dense(flow.V, len(mean))) @ mean


def _mean_predict(flow, mu):
    return Prediction(
        "castin2025.sinkhorn_mean",
        "the mean moves as e^{tV}",
        {"mean at 1": np.asarray(_mean_at(flow, mu.mass @ mu.x, 1.0))},
    )


def _mean_check(run):
    means = jnp.einsum("n,knd->kd", run.mass, run.x)
    known = jnp.stack([_mean_at(run.flow, means[0], t - run.ts[0]) for t in run.ts])
    error = float(jnp.max(jnp.abs(means - known)) / jnp.max(jnp.abs(run.x)))
    return Check(
        "castin2025.sinkhorn_mean", error < 1e-5, "the mean is e^{tV} times the first mean", {"relative error": error}
    )


register(
    Claim(
        key="castin2025.sinkhorn_mean",
        source="derived from " + SOURCE,
        printed="Sinkhorn attention: the mean is e^{tV/ε} α₀ exactly, for every number of tokens (V here includes 1/ε).",
        hypotheses=_mean_hypotheses,
        predict=_mean_predict,
        check=_mean_check,
        falsify=search.means,
        kind="derived",
    )
)


# Linear attention: second moments close.


def _linear_hypotheses(flow, mu):
    if not is_token_flow(flow, mu, Linked) or flow.attention.link is not identity:
        return []
    return [Hypothesis("attention is linear", 1.0)]


def _linear_check(run):
    from ..evolution import evolve
    from ..measures import Gaussian

    d = run.x.shape[-1]
    moments = np.einsum("n,kni,knj->kij", *map(np.asarray, (run.mass, run.x, run.x)))
    score = run.flow.attention.score
    flow = Flow(Euclidean(), Softmax(score.beta * score.B(d)), V=run.flow.V)
    exact = evolve(
        flow,
        Gaussian(np.zeros(d), moments[0]),
        until=float(run.ts[-1]),
        start=float(run.ts[0]),
        save=[float(run.ts[-1])],
    )
    error = float(np.abs(np.asarray(exact.cov[-1]) - moments[-1]).max() / np.abs(moments[-1]).max())
    return Check(
        "castin2025.linear",
        error < 1e-5,
        "second moments follow the softmax covariance equation",
        {"relative error": error},
    )


register(
    Claim(
        key="castin2025.linear",
        source="derived; compare arXiv 2512.11784",
        printed="Linear attention: M = Σ m_j x_j x_jᵀ of any tokens obeys M' = VMBᵀM + MBMVᵀ exactly.",
        hypotheses=_linear_hypotheses,
        predict=lambda flow, mu: Prediction(
            "castin2025.linear", "second moments follow the softmax covariance equation"
        ),
        check=_linear_check,
        falsify=search.moments,
        kind="derived",
    )
)


# Lipschitz constants of one layer.


def _layer_hypotheses(flow, mu):
    return [Hypothesis("softmax attention on tokens", 1.0)] if is_token_flow(flow, mu, Softmax) and mu.n <= 64 else []


def _layer_numbers(flow, mu):
    B, V = float(flow.attention.score.beta) * np.asarray(flow.attention.score.B(mu.d)), np.asarray(dense(flow.V, mu.d))
    return {
        "local": float(np.linalg.norm(lipschitz.jacobian(flow, mu), 2)),
        "general bound": lipschitz.general_bound(B, V, radius=_radius(mu.x), n=mu.n),
        "per-input bound": lipschitz.per_input_bound(B, V, mu.x),
    }


def _layer_predict(flow, mu):
    numbers = _layer_numbers(flow, mu)
    return Prediction(
        "castin2025.smoothness", f"the attention map has local Lipschitz constant {numbers['local']:.4g}", numbers
    )


def _layer_check(run):
    found = [_layer_numbers(run.flow, Particles_at(run.at(0), x)) for x in (run.x[0], run.x[-1])]
    ratio = max(number["local"] / min(number["general bound"], number["per-input bound"]) for number in found)
    return Check(
        "castin2025.smoothness", ratio <= 1, "the local constant stays below the bounds", {"largest ratio": ratio}
    )


register(
    Claim(
        key="castin2025.smoothness",
        source=SMOOTH + " (per-input bound: authors' code)",
        printed="Local Lipschitz constant ≤ |V|(R²r²(n+1) + n)^{1/2} with R = max_i |Bᵀx_i|, r the diameter.",
        corrected="R = max_i max(|Bx_i|, |Bᵀx_i|): the printed one fails for B that is not symmetric.",
        hypotheses=_layer_hypotheses,
        predict=_layer_predict,
        check=_layer_check,
        falsify=search.smoothness,
        kind="lemma",
    )
)
