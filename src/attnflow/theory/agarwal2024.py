"""Agarwal, Harchaoui, Mulcahy, Pal 2024 (arXiv 2406.10823, and two posters) and Sander et al. 2022 (arXiv 2110.11773).

Sinkhorn attention with V = −I, re-centred, is one step of the heat flow.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import expm

from ..attention import Sinkhorn
from ..entropic.self_transport import self_transport
from ..evolution.bridge import BridgeFlow
from ..evolution.bridge_steps import Heat, Strang, Surrogate
from ..flow import Flow
from ..matrices import Schedule, is_concrete
from ..measures import Gaussian, Particles
from ..spaces import Euclidean, Sphere
from . import agarwal2024_search as search
from . import entropic_gaussian as closed
from .claim import Check, Claim, Hypothesis, Prediction, register

SB = "Agarwal, Harchaoui, Mulcahy, Pal 2024 (arXiv 2406.10823)"
SIAM = "Agarwal, Harchaoui, Mulcahy, Pal 2024, SIAM poster"
SLDS = "Agarwal, Mulcahy, Pal, Harchaoui 2024, SLDS poster"
SANDER = "Sander, Ablin, Blondel, Peyré 2022 (arXiv 2110.11773)"


def _bridge_conditions(kind, space):
    def conditions(flow, mu):
        if not (isinstance(flow, BridgeFlow) and isinstance(flow.space, space) and isinstance(flow.step, kind)):
            return []
        whole = abs(getattr(flow.step, "fraction", 1.0) - 1)
        return [Hypothesis("the step lasts exactly ε", -whole if whole else 0.0)]

    return conditions


def _weighted(run, k):
    x, m = np.asarray(run.x[k], float), np.asarray(run.mass, float)
    mean = m @ x
    return mean, float(m @ np.sum((x - mean) ** 2, axis=1))


def _is_resolved(run) -> bool:
    return not any("not resolved" in note or "noise-dominated" in note for note in run.notes)


def _decided(run, holds: bool) -> bool | None:
    """Samples carry an error of their own, so only quadrature nodes can refute a statement about densities."""
    layers = getattr(run, "layers", ())
    has_nodes = bool(layers) and layers[0].resolution.spacing is not None
    return True if holds else False if has_nodes else None


def _predict_heat(flow, mu):
    x, m = np.asarray(mu.x, float), np.asarray(mu.mass, float)
    total = float(m @ np.sum((x - m @ x) ** 2, axis=1))
    words = f"the law spreads like heat: mean fixed, total variance {total:.4g} + {mu.d} t up to O(ε²)"
    return Prediction("agarwal2024.heat", words, {"total_variance": total, "rate": float(mu.d), "eps": flow.eps})


def _check_heat(run):
    (mean, first), (last_mean, last), t = _weighted(run, 0), _weighted(run, -1), float(run.ts[-1])
    drift = float(np.linalg.norm(last_mean - mean))
    d, eps = run.x.shape[-1], run.flow.eps
    error = last - first - d * t
    # For a Gaussian of that variance the deviation is ε²/8 Σ(1/λ − 1/(λ+t)); three times that is room for other laws.
    room = 3 * eps**2 / 8 * d * d / max(first, eps) + 1e-9 * last
    numbers = {"mean_drift": drift, "variance_error": error, "room": room, "t": t}
    if not _is_resolved(run):
        return Check("agarwal2024.heat", None, "the tokens do not resolve a heat flow", numbers)
    words = f"total variance off by {error:.2e} after t = {t:g}"
    holds = bool(drift < 1e-6 * (1 + np.sqrt(last)) and abs(error) < room)
    return Check("agarwal2024.heat", _decided(run, holds), words, numbers)


register(
    Claim(
        key="agarwal2024.heat",
        source=f"{SB}; {SLDS}",
        printed="sup over k ≤ T/ε of W₂(bridge steps, heat flow) tends to 0; first order",
        corrected="second order in ε, when and only when the step is ε",
        hypotheses=_bridge_conditions(Heat, Euclidean),
        predict=_predict_heat,
        check=_check_heat,
        falsify=search.heat_order,
    )
)


def _predict_sphere(flow, mu):
    mean = np.linalg.norm(np.asarray(mu.mass) @ np.asarray(mu.x))
    words = f"the mean, of length {mean:.4g}, shrinks by exp(−(d−1)t/2); degree-l harmonics by exp(−l(l+d−2)t/2)"
    return Prediction("agarwal2024.sphere_heat", words, {"mean": float(mean), "rate": (mu.d - 1) / 2})


def _check_sphere(run):
    m, d, t = np.asarray(run.mass), run.x.shape[-1], float(run.ts[-1])
    first, last = (np.linalg.norm(m @ np.asarray(run.x[k])) for k in (0, -1))
    error = float(last - first * search.harmonic_decay(1, d, t))
    numbers = {"error": error, "t": t}
    if not _is_resolved(run):
        return Check("agarwal2024.sphere_heat", None, "the tokens do not resolve a heat flow", numbers)
    room = d**2 * run.flow.eps**2 + 1e-9
    return Check(
        "agarwal2024.sphere_heat", _decided(run, abs(error) < room), f"length of the mean off by {error:.2e}", numbers
    )


register(
    Claim(
        key="agarwal2024.sphere_heat",
        source="derived; related to Mulcahy, Pal 2025 (arXiv 2512.18867)",
        printed="layer-normed Sinkhorn attention with V = −I solves ∂ρ = ½Δρ on the sphere, second order in ε = 1/β",
        hypotheses=_bridge_conditions(Heat, Sphere),
        predict=_predict_sphere,
        check=_check_sphere,
        falsify=search.sphere_heat,
        kind="derived",
    )
)


def _check_energy(run):
    values = []
    for k in range(len(run.ts)):
        s = self_transport(np.asarray(run.x[k]), run.flow.eps, mass=np.asarray(run.mass))
        values.append(-s.value / (2 * run.flow.eps))
    rise = float(np.max(np.diff(values))) if len(values) > 1 else 0.0
    holds = rise < 1e-8 * (1 + abs(values[0]))
    return Check(
        "agarwal2024.energy", bool(holds), f"largest rise of F_ε between saved states {rise:.1e}", {"rise": rise}
    )


register(
    Claim(
        key="agarwal2024.energy",
        source="derived",
        printed="F_ε = −OT_ε/(2ε) − (d/4) log 2πε never rises at a bridge step (observed; no proof for the finite step)",
        hypotheses=_bridge_conditions(Heat, Euclidean),
        predict=lambda flow, mu: Prediction("agarwal2024.energy", "F_ε falls at every step"),
        check=_check_energy,
        falsify=search.energy_rise,
        kind="conjecture",
    )
)


def _fokker_planck_words(flow, mu):
    order = 2 if isinstance(flow.step, Strang) else 1
    return Prediction("agarwal2024.fokker_planck", f"order {order} in ε", {"order": order})


register(
    Claim(
        key="agarwal2024.fokker_planck",
        source=f"{SIAM}, theorem 3",
        printed="bridge steps of the surrogate (ρ/ν)^(−θ) converge uniformly to the gradient flow of ½KL(ρ|ν)",
        corrected="they converge to first order only; splitting the drift off (Strang) makes it second",
        hypotheses=_bridge_conditions((Surrogate, Strang), Euclidean),
        predict=_fokker_planck_words,
        falsify=search.fokker_planck_order,
    )
)


def _gaussian_self_attention(flow, mu):
    if not (isinstance(mu, Gaussian) and _is_free_sinkhorn(flow) and is_concrete(mu.cov) and mu.cov.ndim == 2):
        return []
    B = np.asarray(flow.attention.score.B(mu.d))
    smallest = float(np.linalg.eigvalsh(np.asarray(mu.cov)).min())
    return [
        Hypothesis("B = I", -float(np.abs(B - np.eye(mu.d)).max()) if not np.allclose(B, np.eye(mu.d)) else 0.0),
        Hypothesis("the covariance is invertible", smallest if smallest > 0 else -1.0),
    ]


def _predict_langevin(flow, mu):
    lam = np.linalg.eigvalsh(np.asarray(mu.cov, float))
    eps = float(flow.attention.eps)
    total = float(sum(closed.langevin_divergence(eps / (2 * one)) for one in lam))
    words = f"plan and Langevin law of (X₀, X_ε) differ by {total:.3e} in symmetrised relative entropy"
    return Prediction("agarwal2024.langevin", words, {"divergence": total})


register(
    Claim(
        key="agarwal2024.langevin",
        source=f"{SIAM}, theorem 1 (read Law(X₀, X_ε))",
        printed="H(l|π) + H(π|l) ≤ ε² C(ε), with C = O(ε²) for Gaussians",
        hypotheses=_gaussian_self_attention,
        predict=_predict_langevin,
        falsify=search.langevin,
    )
)


def _predict_one_step(flow, mu):
    lam, eps = np.linalg.eigvalsh(np.asarray(mu.cov, float)), float(flow.attention.eps)
    total = float(np.sqrt(sum(closed.euler_bridge_distance(np.sqrt(one), eps) ** 2 for one in lam)))
    return Prediction("agarwal2024.one_step", f"W₂(Euler, bridge) = {total:.6e} after one step", {"distance": total})


register(
    Claim(
        key="agarwal2024.one_step",
        source=f"{SLDS}, proposition 1; {SIAM}, theorem 2",
        printed="W₂(Euler, bridge) < K ε C(ε) after one step, with C = O(ε²) for Gaussians",
        corrected="for N(0, s²) it is ε²/(8s³) + O(ε⁴): C is O(ε); O(ε²) belongs to the relative entropy",
        hypotheses=_gaussian_self_attention,
        predict=_predict_one_step,
        falsify=search.one_step_rate,
    )
)


def _is_free_sinkhorn(flow) -> bool:
    """A plain flow of R^d by converged Sinkhorn attention with constant, known weights."""
    if not (isinstance(flow, Flow) and isinstance(flow.space, Euclidean) and isinstance(flow.attention, Sinkhorn)):
        return False
    parts = (flow.V, flow.attention.score.beta, flow.attention.score.weights)
    has_extras = flow.feed_forward is not None or flow.noise is not None
    is_fixed = not any(
        isinstance(p, Schedule) for p in (parts[0], parts[1], *np.atleast_1d(np.array(parts[2], object)))
    )
    return flow.attention.iterations is None and not has_extras and is_fixed and is_concrete(*parts)


def _sinkhorn_descent(flow, mu):
    if not (isinstance(mu, Particles) and _is_free_sinkhorn(flow)):
        return []
    B, V = np.asarray(flow.attention.score.B(mu.d), float), np.asarray(flow.V, float)
    V = V * np.eye(mu.d) if V.ndim == 0 else V
    if B.shape != V.shape:
        return []
    scale = -np.sum(V * B) / max(np.sum(B * B), 1e-300)
    off = np.abs(V + scale * B).max() / max(np.abs(V).max(), 1e-300)
    return [
        Hypothesis("B is symmetric positive semidefinite", 0.0 if flow.attention.is_symmetric else -1.0),
        Hypothesis("V = −cB with c > 0", 1e-12 - off if scale > 0 else -1.0),
    ]


def _descent_energy(flow, x, mass):
    eps = float(flow.attention.eps)
    B = np.asarray(flow.attention.score.B(x.shape[1]), float)
    s = self_transport(x, eps, mass=mass, B=B, tol=1e-12)
    return (mass @ np.sum(x * (x @ B), axis=1) - s.value) / (2 * eps)


def _predict_descent(flow, mu):
    value = _descent_energy(flow, np.asarray(mu.x, float), np.asarray(mu.mass, float))
    words = f"the flow descends the energy −½∫k log(k/k⁰), now {value:.6g}"
    return Prediction("agarwal2024.sinkhorn_descent", words, {"energy": float(value)})


def _check_descent(run):
    mass = np.asarray(run.mass, float)
    some = np.unique(np.linspace(0, len(run.ts) - 1, 21).astype(int))
    values = np.array([_descent_energy(run.flow, np.asarray(run.x[k], float), mass) for k in some])
    rise = float(np.max(np.diff(values))) if len(values) > 1 else 0.0
    holds = rise < 1e-6 * (1 + np.abs(values).max())
    words = f"energy from {values[0]:.6g} to {values[-1]:.6g}, largest rise {rise:.1e}"
    return Check("agarwal2024.sinkhorn_descent", bool(holds), words, {"energy": values, "rise": rise})


register(
    Claim(
        key="agarwal2024.sinkhorn_descent",
        source=f"{SANDER}, proposition 2",
        printed="for B = Bᵀ = −V Sinkhorn attention is the Wasserstein gradient descent of −½∫k log(k/k⁰)",
        hypotheses=_sinkhorn_descent,
        predict=_predict_descent,
        check=_check_descent,
        falsify=search.sinkhorn_descent,
    )
)


def _moves_mean(flow, mu):
    if not (isinstance(mu, Particles) and _is_free_sinkhorn(flow)):
        return []
    return [Hypothesis("columns are normalised", 1.0)]


def _check_mean(run):
    V, m = np.asarray(run.flow.V, float), np.asarray(run.mass, float)
    d = run.x.shape[-1]
    V = V * np.eye(d) if V.ndim == 0 else V
    t = float(run.ts[-1] - run.ts[0])
    expected = expm(t * V) @ (m @ np.asarray(run.x[0], float))
    error = float(np.abs(m @ np.asarray(run.x[-1], float) - expected).max())
    size = np.abs(run.x).max() + np.abs(expected).max()
    holds = error < 1e-5 * size
    return Check("agarwal2024.mean", bool(holds), f"mean off e^(tV) by {error:.1e}", {"error": error})


register(
    Claim(
        key="agarwal2024.mean",
        source="derived from double stochasticity",
        printed="Sinkhorn attention moves the mean by e^(tV), whatever the tokens do",
        hypotheses=_moves_mean,
        predict=lambda flow, mu: Prediction("agarwal2024.mean", "the mean moves by e^(tV)"),
        check=_check_mean,
        falsify=search.means,
        kind="derived",
    )
)


def _never(flow, mu):
    """Statements about limits ε → 0 are not about a single run."""
    return []


def _no_prediction(flow, mu):
    raise ValueError("this claim is about a limit, not about a single run")


register(
    Claim(
        key="agarwal2024.score_limit",
        source=f"{SLDS}; abstract of arXiv 2505.07647",
        printed="(bary − x)/ε tends to ½∇log ρ in L²(ρ)",
        hypotheses=_never,
        predict=_no_prediction,
        falsify=search.score_limit,
    )
)
register(
    Claim(
        key="agarwal2024.sinkformer_limit",
        source=f"{SANDER}, theorem 1",
        printed="for B symmetric positive definite the re-centred field tends to V B⁻¹∇log ρ",
        corrected="it tends to ½ V B⁻¹∇log ρ, so V = −B gives ∂ρ = ½Δρ",
        hypotheses=_never,
        predict=_no_prediction,
        falsify=search.sinkformer_factor,
    )
)
register(
    Claim(
        key="agarwal2024.softmax_limit",
        source=f"{SANDER}, proposition 4",
        printed="softmax of −|Qx−Ky|²/(2ε), re-centred, tends to −QᵀK⁻¹(∇log ρ)(K⁻¹Qx)",
        corrected="it tends to −QᵀK⁻ᵀ(∇log ρ)(K⁻¹Qx)",
        hypotheses=_never,
        predict=_no_prediction,
        falsify=search.softmax_transpose,
    )
)
