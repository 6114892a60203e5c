"""Castin, Ablin, Carrillo, Peyré 2025 (arXiv 2501.18322): Gaussian prompts.

Claims on tokens are in castin2025_tokens, those on energies in castin2025_energies.

The paper's full text was not re-read: theorem numbers are not cited, and statements marked "derived" are not claimed to
be printed.
"""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from ..attention import L2, Sinkhorn, Softmax
from ..closure.hear import _score_matrix, is_closed
from ..flow import Flow
from ..matrices import dense, is_concrete, is_scheduled
from ..measures import Gaussian
from ..spaces import Euclidean
from . import castin2025_energies as energies
from . import castin2025_gaussian_search as search
from . import castin2025_tokens as tokens
from . import gaussian_closed_forms as closed_forms
from .claim import Check, Claim, Hypothesis, Prediction, register
from .gaussian_closed_forms import attracting_profiles

SOURCE = "Castin, Ablin, Carrillo, Peyré 2025, arXiv 2501.18322"


def is_gaussian_flow(flow, mu, *rules) -> bool:
    """Whether a plain flow in R^d with fixed weights moves one Gaussian under one of the rules."""
    return (
        isinstance(flow, Flow) and isinstance(mu, Gaussian) and isinstance(flow.space, Euclidean) and mu.mean.ndim == 1
        and flow.noise is None and flow.feed_forward is None and isinstance(flow.attention, rules or object)
        and is_closed(flow.attention) and is_concrete(flow, mu) and not is_scheduled(flow)
    )  # fmt: skip


def weights(flow, d):
    """B (with β) and V as NumPy arrays."""
    return np.asarray(_score_matrix(flow.attention, jnp.zeros(d))), np.asarray(dense(flow.V, d))


def scalar_of(V) -> float | None:
    """v if V = vI, else None."""
    v = float(V[0, 0])
    return v if np.abs(V - v * np.eye(len(V))).max() <= 1e-13 * max(abs(v), 1e-300) else None


# Gaussians stay Gaussian and keep their rank.


def _closed_hypotheses(flow, mu):
    return [Hypothesis("the rule hears an affine field in a Gaussian", 1.0)] if is_gaussian_flow(flow, mu) else []


def _rank(cov) -> int:
    return int(np.linalg.matrix_rank(np.asarray(cov), hermitian=True))


def _closed_predict(flow, mu):
    words = f"the law stays Gaussian and its covariance keeps rank {_rank(mu.cov)} at all finite times"
    return Prediction("castin2025.gaussians", words, {"rank": _rank(mu.cov)})


def _closed_check(run):
    lows = np.linalg.eigvalsh(np.asarray(run.cov))[..., 0] / np.trace(np.asarray(run.cov), axis1=-2, axis2=-1)
    worst, start = float(lows.min()), _rank(run.cov[0])
    excess = max(_rank(cov) for cov in np.asarray(run.cov)) - start
    holds = bool(worst > -1e-12 and excess <= 0)
    return Check(
        "castin2025.gaussians",
        holds,
        "covariances stay semidefinite and gain no rank",
        {"lowest": worst, "excess": excess},
    )


register(
    Claim(
        key="castin2025.gaussians",
        source=SOURCE,
        printed="Under softmax, multi-head, L2 and Sinkhorn attention Gaussian data stay Gaussian; rank(Σ) is conserved.",
        hypotheses=_closed_hypotheses,
        predict=_closed_predict,
        check=_closed_check,
        falsify=search.gaussians,
    )
)


# V = vI: closed form, blow-up time, limit.


def _identity_hypotheses(flow, mu):
    if not is_gaussian_flow(flow, mu, Softmax):
        return []
    V = weights(flow, mu.d)[1]
    return [Hypothesis("V is a multiple of the identity", 0.0)] if scalar_of(V) is not None else []


def _identity_predict(flow, mu):
    B, V = weights(flow, mu.d)
    v, cov = float(V[0, 0]), np.asarray(mu.cov)
    time = closed_forms.softmax_identity_blow_up(B, cov, v=v)
    if np.isfinite(time):
        return Prediction("castin2025.identity", f"the covariance blows up at t = {time:.10g}", {"blow_up": time})
    limit = closed_forms.softmax_identity_limit(B, cov, v=v)
    rank = int(np.linalg.matrix_rank(limit, hermitian=True, tol=1e-12 * np.trace(cov)))
    return Prediction(
        "castin2025.identity", f"the covariance tends to a limit of rank {rank}", {"limit": limit, "rank": rank}
    )


def _identity_check(run):
    B, V = weights(run.flow, run.cov.shape[-1])
    v, start = float(V[0, 0]), np.asarray(run.cov[0])
    time = closed_forms.softmax_identity_blow_up(B, start, v=v)
    inside = [k for k, t in enumerate(np.asarray(run.ts)) if t < 0.9 * time]
    errors = [_relative(run.cov[k], closed_forms.softmax_identity(B, start, t=float(run.ts[k]), v=v)) for k in inside]
    worst = max(errors)
    return Check(
        "castin2025.identity", worst < 1e-6, "the closed form of Σ(t)", {"relative error": worst, "blow_up": time}
    )


def _relative(a, b) -> float:
    scale = np.abs(b).max()
    return float(np.abs(np.asarray(a) - b).max() / scale) if scale > 0 else 0.0


register(
    Claim(
        key="castin2025.identity",
        source="derived from " + SOURCE,
        printed="Softmax, V = vI: Σ(t) = L₀(I − tvL₀ᵀ(B+Bᵀ)L₀)⁻¹L₀ᵀ; it blows up iff λ = λ_max(vL₀ᵀ(B+Bᵀ)L₀) > 0, at 1/λ; "
        "else Σ∞ = L₀ΠL₀ᵀ with Π the projector on the kernel.",
        hypotheses=_identity_hypotheses,
        predict=_identity_predict,
        check=_identity_check,
        falsify=search.identity,
        kind="derived",
    )
)


# V > 0: the sign of B + Bᵀ.


def _positive_hypotheses(flow, mu):
    if not is_gaussian_flow(flow, mu, Softmax):
        return []
    B, V = weights(flow, mu.d)
    if np.abs(V - V.T).max() > 1e-13 * np.abs(V).max():
        return []
    top, low = np.linalg.eigvalsh(B + B.T)[-1], np.linalg.eigvalsh(V)[0]
    slack = 1e-13 * np.linalg.norm(B)
    return [
        Hypothesis("V is positive definite", float(low)),
        Hypothesis("B + Bᵀ is negative semidefinite", float(slack - top)),
    ]


def _positive_predict(flow, mu):
    B, _ = weights(flow, mu.d)
    rank = mu.d - int(np.linalg.matrix_rank(B + B.T, hermitian=True))
    return Prediction("castin2025.rank", f"no blow-up; limit points have rank at most {rank}", {"rank": rank})


def _positive_check(run):
    V = weights(run.flow, run.cov.shape[-1])[1]
    size = np.einsum("ij,kji->k", np.linalg.inv(V), np.asarray(run.cov))
    rise = float(np.diff(size).max() / size[0]) if len(size) > 1 else 0.0
    return Check("castin2025.rank", rise <= 1e-9, "tr(V⁻¹Σ) never increases", {"largest rise": rise})


register(
    Claim(
        key="castin2025.rank",
        source="derived from " + SOURCE,
        printed="Softmax, V = Vᵀ > 0, B + Bᵀ ≤ 0: Σ is bounded, and limit points satisfy (B+Bᵀ)Σ = 0: rank ≤ d − rank(B+Bᵀ).",
        hypotheses=_positive_hypotheses,
        predict=_positive_predict,
        check=_positive_check,
        falsify=search.rank,
        kind="derived",
    )
)


# No finite-time blow-up for L2 (K of full column rank) and Sinkhorn.


def _global_hypotheses(flow, mu):
    if not is_gaussian_flow(flow, mu, L2, Sinkhorn):
        return []
    if isinstance(flow.attention, Sinkhorn):
        return [Hypothesis("Sinkhorn attention is converged", 0.0)] if flow.attention.iterations is None else []
    K = np.sqrt(float(flow.attention.score.beta)) * np.asarray(dense(flow.attention.score.weights[1], mu.d))
    smallest = np.linalg.svd(K, compute_uv=False).min() if K.shape[0] >= mu.d else -1.0
    return [Hypothesis("K has full column rank", float(smallest - 1e-12) if smallest > 0 else -1.0)]


def _global_rate(flow, d) -> float:
    """A constant c with |Σ(t)| ≤ e^{ct} tr Σ₀."""
    V = np.asarray(dense(flow.V, d))
    if isinstance(flow.attention, Sinkhorn):
        return closed_forms.growth_bound(V)
    return closed_forms.growth_bound(V, *(np.asarray(dense(M, d)) for M in flow.attention.score.weights))


def _global_predict(flow, mu):
    rate = _global_rate(flow, mu.d)
    return Prediction(
        "castin2025.global", f"no finite-time blow-up: tr Σ grows at most like e^({rate:.4g} t)", {"rate": rate}
    )


def _global_check(run):
    rate, traces = _global_rate(run.flow, run.cov.shape[-1]), np.trace(np.asarray(run.cov), axis1=-2, axis2=-1)
    margin = float((np.log(traces / traces[0]) - rate * np.asarray(run.ts - run.ts[0])).max())
    return Check("castin2025.global", margin <= 1e-9, "tr Σ(t) ≤ e^{ct} tr Σ(0)", {"log excess": margin, "rate": rate})


register(
    Claim(
        key="castin2025.global",
        source="derived from " + SOURCE,
        printed="L2 and Sinkhorn attention never blow up on Gaussians.",
        corrected="Sinkhorn never does; L2 does not if K has full column rank, and can if K is singular (t* = 3 in an example).",
        hypotheses=_global_hypotheses,
        predict=_global_predict,
        check=_global_check,
        falsify=search.growth,
    )
)


# Blow-up profiles.


def _profile_hypotheses(flow, mu):
    if not is_gaussian_flow(flow, mu, Softmax):
        return []
    B, V = weights(flow, mu.d)
    candidates = attracting_profiles(B, V) if scalar_of(V) is None else []
    return (
        [Hypothesis("an extreme eigenvector l of V has (eigenvalue)·lᵀBl > 0", max(c[0] * c[2] for c in candidates))]
        if candidates
        else []
    )


def _profile_predict(flow, mu):
    B, V = weights(flow, mu.d)
    lines = [{"direction": l, "constant": 1 / (2 * lam * q)} for lam, l, q in attracting_profiles(B, V)]
    words = f"if Σ blows up along an eigenvector of V, (t* − t) tr Σ tends to {lines[0]['constant']:.6g}"
    return Prediction("castin2025.profile", words, {"profiles": lines})


register(
    Claim(
        key="castin2025.profile",
        source="derived from " + SOURCE,
        printed="Blow-up ends on the rank-one circle of Σ/tr Σ (suggested by the published figures).",
        corrected="Rank one along an eigenvector Vl = λl with λ lᵀBl > 0 is usual, with (t*−t) tr Σ → 1/(2λ lᵀBl); rank two and "
        "log-periodic rotation also occur.",
        hypotheses=_profile_hypotheses,
        predict=_profile_predict,
        falsify=search.profiles,
        kind="derived",
    )
)


# Gradient-flow structures of the covariance.


def _bures_hypotheses(flow, mu):
    if not is_gaussian_flow(flow, mu, Softmax):
        return []
    B, V = weights(flow, mu.d)
    sign = np.sign(np.sum(V * B)) or 1.0
    if np.abs(V - sign * B).max() > 1e-13 * np.abs(B).max():
        return []
    return [Hypothesis("B is symmetric and V = ±B", float(1e-13 * np.abs(B).max() - np.abs(B - B.T).max()))]


def _bures_predict(flow, mu):
    B, V = weights(flow, mu.d)
    way = "increases" if np.sum(V * B) > 0 else "decreases"
    return Prediction("castin2025.bures", f"tr(BΣBΣ)/4 {way}: Σ is its Bures–Wasserstein gradient flow")


def _bures_check(run):
    B, V = weights(run.flow, run.cov.shape[-1])
    sign = 1.0 if np.sum(V * B) > 0 else -1.0
    energy = sign * closed_forms.bures_energy(B, np.asarray(run.cov))
    drop = float(-np.diff(energy).min() / np.abs(energy).max()) if len(energy) > 1 else 0.0
    return Check("castin2025.bures", drop <= 1e-9, "the energy moves one way", {"largest step against": max(drop, 0.0)})


register(
    Claim(
        key="castin2025.bures",
        source="derived from " + SOURCE,
        printed="Softmax on Gaussians with V = ±B = ±Bᵀ: Σ' is Bures–Wasserstein ascent/descent of tr(BΣBΣ)/4.",
        hypotheses=_bures_hypotheses,
        predict=_bures_predict,
        check=_bures_check,
        falsify=search.bures,
        kind="derived",
    )
)


def _fisher_check(run):
    B, V = weights(run.flow, run.cov.shape[-1])
    values = closed_forms.fisher_energy(B, np.asarray(run.cov), v=float(V[0, 0]))
    drop = float(-np.diff(values).min() / np.abs(values).max()) if len(values) > 1 else 0.0
    return Check(
        "castin2025.fisher_rao", drop <= 1e-9, "v tr(BΣ) never decreases", {"largest step against": max(drop, 0.0)}
    )


register(
    Claim(
        key="castin2025.fisher_rao",
        source="derived from " + SOURCE,
        printed="Softmax on Gaussians with V = vI, any B: Σ' = vΣ(B+Bᵀ)Σ is Fisher–Rao ascent of v tr(BΣ).",
        hypotheses=_identity_hypotheses,
        predict=lambda flow, mu: Prediction("castin2025.fisher_rao", "v tr(BΣ) never decreases"),
        check=_fisher_check,
        falsify=search.fisher_rao,
        kind="derived",
    )
)

__all__ = ["attracting_profiles", "energies", "is_gaussian_flow", "tokens", "weights"]
