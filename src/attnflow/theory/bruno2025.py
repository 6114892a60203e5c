"""Bruno, Pasqualotto, Agazzi 2025 (arXiv 2509.25040): three phases of attention at low temperature."""

from __future__ import annotations

import numpy as np

from ..attention import Softmax
from ..concentration import index_distance
from ..low_temperature import LowTemperatureLimit, first_collapse, mode_rate, pairing_time
from ..observe.clusters import clusters
from ..observe.resolution import resolution
from ..phases import heat_sign, limit_of
from . import bruno2025_search as search
from .claim import Check, Claim, Hypothesis, Prediction, register
from .conditions import on_sphere

PAPER = "Bruno, Pasqualotto, Agazzi 2025 (arXiv 2509.25040)"
COLD = 5.0
"""A smallest κ = β|Bᵀx| below this is no low temperature: the kernel is as wide as the sphere."""


def cold_limit(flow, mu) -> tuple[LowTemperatureLimit, float] | None:
    """The limit of a softmax flow on the sphere with invertible B, or None for any other flow."""
    if not on_sphere(flow, mu, (Softmax,)) or mu.d < 2:
        return None
    try:
        return limit_of(flow, mu.d)
    except ValueError:
        return None


def cold_conditions(flow, mu) -> list[Hypothesis]:
    """Invertible matrices, a low temperature, enough tokens."""
    found = cold_limit(flow, mu)
    if found is None:
        return []
    limit, beta = found
    smallest = [np.linalg.svd(M, compute_uv=False)[-1] for M in (limit.V, limit.B)]
    return [
        Hypothesis("V and B are invertible", float(min(smallest)) - 1e-12),
        Hypothesis("β|Bᵀx| is large for all directions", beta * float(smallest[1]) - COLD),
        Hypothesis("every token hears at least ten others effectively", resolution(flow, mu).n_eff - 10),
    ]


def _limit(flow, mu) -> tuple[LowTemperatureLimit, float]:
    found = cold_limit(flow, mu)
    assert found is not None  # asked only when the hypotheses hold
    return found


def _predict_linear(flow, mu):
    limit, beta = _limit(flow, mu)
    words = f"for t = O(1) tokens follow x' = ΠVBᵀx/|Bᵀx| without interacting: {limit.words}"
    numbers = {"eigenvalues": limit.dominant.eigenvalues.tolist(), "kind": limit.kind, "beta": beta}
    return Prediction("bruno2025.theorem-3.2", words, numbers)


def _check_linear(run):
    limit, beta = _limit(run.flow, run.at(0))
    x, ts = np.asarray(run.x, float), np.asarray(run.ts, float) - float(run.ts[0])
    late = int(np.searchsorted(ts, min(1.0, ts[-1]), side="right")) - 1
    if late < 1:
        return Check("bruno2025.theorem-3.2", None, "no state was saved up to t = 1", {})
    D = index_distance(x[late], limit.flow(x[0], float(ts[late])))
    moved = index_distance(x[late], x[0])
    numbers = {"distance": D, "moved": moved, "t": float(ts[late]), "beta": beta}
    words = (
        f"at t = {ts[late]:.3g} tokens are {D:.3g} from the linear flow; no rate is proved, so one β decides nothing"
    )
    return Check("bruno2025.theorem-3.2", None, words, numbers)


register(
    Claim(
        key="bruno2025.theorem-3.2",
        source=f"{PAPER}, Theorem 3.2",
        printed="as β → ∞ the tokens follow a linear, decoupled flow on every bounded time interval",
        hypotheses=cold_conditions,
        predict=_predict_linear,
        check=_check_linear,
        falsify=search.linear_limit,
    )
)


def _predict_dominant(flow, mu):
    limit, _ = _limit(flow, mu)
    numbers = {"dimension": limit.dominant.k, "gap": limit.dominant.gap, "block": limit.dominant.block}
    return Prediction(
        "bruno2025.proposition-3.4", f"the linear flow gathers on E, dim E = {limit.dominant.k}: {limit.words}", numbers
    )


register(
    Claim(
        key="bruno2025.proposition-3.4",
        source=f"{PAPER}, Proposition 3.4",
        printed="limits of the linear flow live on the generalised eigenspace of the eigenvalues with largest real part",
        corrected="true, but a Jordan block ends in its smaller true eigenspace, at rate 1/s only",
        hypotheses=cold_conditions,
        predict=_predict_dominant,
        falsify=search.dominant_space,
    )
)


def _heat_conditions(flow, mu):
    found = cold_limit(flow, mu)
    if found is None or heat_sign(found[0]) is None:
        return []
    limit, _ = found
    E, x = limit.dominant.basis, np.asarray(mu.x, float)
    away = np.abs(x - x @ E @ E.T).max()
    return [
        *cold_conditions(flow, mu),
        Hypothesis("B and V are multiples of the identity on E", 0.0),
        Hypothesis("tokens lie on E", 1e-3 - float(away)),
    ]


def _predict_heat(flow, mu):
    limit, beta = _limit(flow, mu)
    gamma = heat_sign(limit) or 0
    how = "diffuses, forward heat" if gamma < 0 else "sharpens, backward heat: ill posed, widths depend on the start"
    rates = (
        {l: float(mode_rate(l, beta, d=limit.dominant.k, gamma=gamma)) for l in (1, 2, 3)}
        if limit.dominant.k > 1
        else {}
    )
    words = f"over t = O(β) the density {how}: ∂ρ = {'−' if gamma > 0 else ''}Δρ/β on E"
    numbers = {"gamma": gamma, "rates": rates, "collapse_of_unit_deviation": first_collapse([1.0], beta=beta)}
    return Prediction("bruno2025.proposition-3.9", words, numbers)


def _check_heat(run):
    limit, beta = _limit(run.flow, run.at(0))
    gamma, key = heat_sign(limit), "bruno2025.proposition-3.9"
    if gamma is None or gamma > 0 or limit.dominant.k != 2:
        return Check(key, None, "only forward heat on a circle is compared mode by mode", {})
    z = np.asarray(run.x, float) @ limit.dominant.basis @ np.array([1, 1j])
    mass, t = np.asarray(run.mass, float), float(run.ts[-1] - run.ts[0])
    speed = abs(np.trace(limit.dominant.basis.T @ limit.V @ limit.dominant.basis)) / 2
    first, last = (np.abs(z[k] ** -1 @ mass) for k in (0, -1))
    heat = first * np.exp(-speed * t / beta)
    # The exact rate differs from heat by 1/(2β) relative near uniform; nonlinear terms are of the same order.
    room = 5 / beta * first + 1e-6
    numbers = {"mode": float(last), "heat": float(heat), "room": float(room)}
    return Check(key, bool(abs(last - heat) <= room), f"first mode {last:.4g}, heat equation {heat:.4g}", numbers)


register(
    Claim(
        key="bruno2025.proposition-3.9",
        source=f"{PAPER}, Proposition 3.9",
        printed="on E the density follows ∂ρ = ∓Δρ/β; a mixture first collapses at T = min σ²",
        corrected="with σ a standard deviation the collapse is at t = β min σ²/2; once βσ² ≲ 5 widths follow Lambert W",
        hypotheses=_heat_conditions,
        predict=_predict_heat,
        check=_check_heat,
        falsify=search.collapse_time,
    )
)

register(
    Claim(
        key="bruno2025.remark-3.10",
        source=f"{PAPER}, Remark 3.10",
        printed="unnormalised attention in the same scaling follows ∂ρ = Δ(ρ²)",
        corrected="∂ρ = −(γ/2)Δ(ρ²) for V = γI: factor one half and the sign",
        hypotheses=lambda flow, mu: [],
        predict=lambda flow, mu: Prediction("bruno2025.remark-3.10", "porous medium", {}),
        falsify=search.porous_medium,
    )
)


def _pairing_conditions(flow, mu):
    found = cold_limit(flow, mu)
    if found is None or (heat_sign(found[0]) or 0) < 1 or not _is_identity(found[0]):
        return []
    _, beta = found
    groups = clusters(mu, tol=0.1 / np.sqrt(beta))
    if groups.count < 2 or groups.count > 50:
        return []
    angles = _angles(groups)
    return [
        Hypothesis("clusters are far apart on the scale of the kernel", beta * (1 - np.cos(angles[0])) - 3),
        Hypothesis("the closest pair is unique", angles[1] - angles[0] - 0.02 if len(angles) > 1 else 1.0),
        Hypothesis("β is large", beta - COLD),
    ]


def _is_identity(limit):
    return all(np.allclose(M, np.eye(limit.d), atol=1e-10) for M in (limit.V, limit.B))


def _angles(groups):
    unit = groups.centres / np.linalg.norm(groups.centres, axis=1, keepdims=True)
    pairs = np.triu_indices(groups.count, 1)
    return np.sort(np.arccos(np.clip((unit @ unit.T)[pairs], -1, 1)))


def _merge_time(mu, beta):
    groups = clusters(mu, tol=0.1 / np.sqrt(beta))
    unit = groups.centres / np.linalg.norm(groups.centres, axis=1, keepdims=True)
    cosines = unit @ unit.T - 3 * np.eye(groups.count)
    i, j = np.unravel_index(np.argmax(cosines), cosines.shape)
    angle = float(np.arccos(np.clip(cosines[i, j], -1, 1)))
    return angle, pairing_time(angle, min(1e-3, angle / 2), beta=beta, masses=(groups.mass[i], groups.mass[j]))


def _predict_pairing(flow, mu):
    _, beta = _limit(flow, mu)
    angle, time = _merge_time(mu, beta)
    words = f"the closest pair, {angle:.4g} apart, merges at about t = {time:.4g}; everything else waits"
    return Prediction("bruno2025.proposition-3.11", words, {"angle": angle, "time": time})


def _check_pairing(run):
    _, beta = _limit(run.flow, run.at(0))
    _, time = _merge_time(run.at(0), beta)
    start, end = (clusters(run.at(k), tol=0.1 / np.sqrt(beta)).count for k in (0, -1))
    t = float(run.ts[-1] - run.ts[0])
    numbers = {"predicted": time, "t": t, "clusters": (start, end)}
    # The other clusters pull a little; a tenth of the predicted time is left undecided.
    if abs(t - time) < 0.1 * time:
        return Check("bruno2025.proposition-3.11", None, "the run ends too close to the predicted merging", numbers)
    holds = end < start if t > time else end == start
    return Check(
        "bruno2025.proposition-3.11",
        bool(holds),
        f"{start} → {end} clusters at t = {t:.4g}, merging at {time:.4g}",
        numbers,
    )


register(
    Claim(
        key="bruno2025.proposition-3.11",
        source=f"{PAPER}, Proposition 3.11; Rigollet 2025 (arXiv 2512.01868)",
        printed="in the clock dt = e^{β(1−cos θ)}ds the closest pair closes along its geodesic while all others wait, "
        "and merges in finite rescaled time (the survey)",
        corrected="in that clock tan(θ/2) = tan(θ₀/2)e^{−2s}: the pair never meets; times are by quadrature of the exact law",
        hypotheses=_pairing_conditions,
        predict=_predict_pairing,
        check=_check_pairing,
        falsify=search.pairing,
    )
)
