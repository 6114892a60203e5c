"""Burger, Kabri, Korolev, Roith, Weigand 2025 (arXiv 2501.03096): self-attention on the sphere as a gradient flow.

V = ±B makes attention climb or descend $E(\\mu) = \\iint e^{\\langle x,By\\rangle}d\\mu d\\mu$; softmax does so for a
transport distance with nonlocal mobility. The paper's text was seen in part: statements marked derived are ours.
"""

from __future__ import annotations

import numpy as np

from ..flow import Flow
from ..measures import Particles
from ..spaces import Sphere
from ..steady.axisymmetric import axial_minimiser, is_axial
from ..steady.circle import circle_minimiser
from ..steady.dissipation import dissipated_power, dissipation_balance
from ..steady.energy_of import pair_energy, unit
from ..steady.find import maximum
from ..steady.funk_hecke import funk_hecke
from ..steady.residual import stationarity
from ..steady.score_matrix import Structure, is_symmetric, structure, symmetric_part
from ..steady.stability import cluster_rates, pair_is_stable, smallest_stable_minority
from . import burger2025_search as search
from .claim import Check, Claim, Hypothesis, Prediction, register

PAPER = "Burger, Kabri, Korolev, Roith, Weigand 2025 (arXiv 2501.03096)"
LOCAL = "locally stable, not optimal"
UNRESOLVED = 0.05
"""A balance off by more than this share says that time was sampled too coarsely, not that energy is lost."""


def found_structure(flow, mu) -> Structure | None:
    return structure(flow, mu.d) if isinstance(mu, Particles) and mu.x.ndim == 2 else None


def tokens(mu):
    return unit(np.asarray(mu.x, float)), np.asarray(mu.mass, float)


def _energy(found: Structure, mu) -> float:
    return pair_energy(found.B, *tokens(mu))


def gradient_flow(flow, mu, *, sign: int | None = None, extra=lambda found: []):
    """V = cB with symmetric B, in the asked direction, and what a claim needs besides."""
    found = found_structure(flow, mu)
    if found is None or len(found.B) < 2 or (sign is not None and found.sign != sign):
        return []
    skew = float(np.abs(found.B - found.B.T).max())
    if not is_symmetric(found.B):
        return [Hypothesis("B is symmetric", -skew)]
    return [Hypothesis("B is symmetric", 0.0), Hypothesis("V = cB", abs(found.speed)), *extra(found)]


def least_energy(B: np.ndarray) -> tuple[float, bool]:
    """The least energy for symmetric B and whether it is exact; else the bound Λ₀(λ_min) from below."""
    values = np.linalg.eigvalsh(B)
    if values[0] <= 0:
        return float(np.exp(values[0])), True
    if values[-1] - values[0] < 1e-12:
        return float(funk_hecke(0, values[0], len(B))), True
    if len(B) == 2 and values[-1] < 40:
        return circle_minimiser(B).energy, True
    if len(B) == 3 and is_axial(B) and values[-1] < 10:
        return axial_minimiser(B, 12).energy, True
    return float(funk_hecke(0, values[0], len(B))), False


def _predict_dissipation(flow, mu):
    found = found_structure(flow, mu)
    assert found is not None
    power, E = dissipated_power(flow, mu), _energy(found, mu)
    way = "rises" if found.sign > 0 else "falls"
    words = f"E = {E:.6g} {way} monotonically; E/2 changes at the rate {found.sign * power:.4g} now"
    return Prediction("burger2025.dissipation", words, {"energy": E, "rate": found.sign * power})


def _check_dissipation(run):
    balance = dissipation_balance(run)
    # Between saved times the power is a spline: coarse saving makes an imbalance of its own.
    balanced = balance.residual < max(1e-6, 2 * balance.quadrature)
    is_resolved = balance.quadrature < UNRESOLVED and balance.residual < UNRESOLVED
    holds = False if balance.wrong_way >= 1e-9 else balanced if is_resolved or balanced else None
    words = f"largest move of E the wrong way {balance.wrong_way:.1e}, imbalance {balance.residual:.1e}"
    if holds is None:
        words += ": saved times are too far apart to integrate the power"
    numbers = {"wrong_way": balance.wrong_way, "residual": balance.residual, "quadrature": balance.quadrature}
    return Check("burger2025.dissipation", None if holds is None else bool(holds), words, numbers)


register(
    Claim(
        key="burger2025.dissipation",
        source=f"{PAPER}, section 2, energy dissipation",
        printed="for symmetric B and V = ±B, d/dt (E/2) = ±∫|v|²/mob dμ: E is monotone, mob = 1/K (softmax) or 1",
        hypotheses=gradient_flow,
        predict=_predict_dissipation,
        check=_check_dissipation,
        falsify=search.dissipation_identity,
    )
)


def _not_gradient(flow, mu):
    if not (isinstance(flow, Flow) and isinstance(flow.space, Sphere) and isinstance(mu, Particles)):
        return []
    found = found_structure(flow, mu)
    if found is None or is_symmetric(found.B):
        return []
    return [Hypothesis("B is not symmetric", float(np.abs(found.B - found.B.T).max()))]


def _predict_not_gradient(flow, mu):
    found = found_structure(flow, mu)
    assert found is not None
    low, high = np.linalg.eigvalsh(symmetric_part(found.B))[[0, -1]]
    top = float(np.exp(np.linalg.norm(found.B, 2)))
    words = f"not a gradient flow of E: E may rise and fall; max E lies in [{np.exp(high):.6g}, {top:.6g}]"
    numbers = {"max_lower": float(np.exp(high)), "max_upper": top, "min_lower": float(np.exp(min(low, 0.0)))}
    return Prediction("burger2025.nonsymmetric", words, numbers)


def _check_not_gradient(run):
    found = structure(run.flow, run.x.shape[-1])
    assert found is not None
    E = np.array([pair_energy(found.B, unit(np.asarray(x, float)), np.asarray(run.mass, float)) for x in run.x])
    low = float(np.exp(min(np.linalg.eigvalsh(symmetric_part(found.B))[0], 0.0)))
    top = float(np.exp(np.linalg.norm(found.B, 2)))
    holds = bool(E.min() >= low * (1 - 1e-6) and E.max() <= top * (1 + 1e-6))
    return Check("burger2025.nonsymmetric", holds, f"E stays in [{E.min():.6g}, {E.max():.6g}]", {"energy": E})


register(
    Claim(
        key="burger2025.nonsymmetric",
        source="derived",
        printed="for non-symmetric B: min E = e^{λ_min(B_s)} if λ_min(B_s) < 0, e^{λ_max(B_s)} ≤ max E ≤ e^{‖B‖}; "
        "no gradient flow of E",
        hypotheses=_not_gradient,
        predict=_predict_not_gradient,
        check=_check_not_gradient,
        falsify=search.nonsymmetric_bounds,
        kind="derived",
    )
)


def _predict_maximum(flow, mu):
    found = found_structure(flow, mu)
    assert found is not None
    best = maximum(found.B)
    kinds = " or ".join(f"{state.kind} ({state.family})" for state in best.states)
    words = f"max E = {best.energy:.8g}, reached by {kinds}"
    return Prediction("burger2025.maximum", words, {"energy": best.energy, "kinds": [s.kind for s in best.states]})


def _check_maximum(run):
    found = structure(run.flow, run.x.shape[-1])
    assert found is not None
    best, E = maximum(found.B), _energy(found, run.last)
    gap = (best.energy - E) / best.energy
    holds = gap > -1e-6
    words = f"E = {E:.8g}, relative gap {gap:.2e} to the maximum"
    if gap > 1e-3 and stationarity(found.B, run.last).worst < 1e-4:
        words += f" ({LOCAL})"
    return Check("burger2025.maximum", bool(holds), words, {"energy": E, "maximum": best.energy, "gap": gap})


register(
    Claim(
        key="burger2025.maximum",
        source=f"{PAPER}, section on maximisers (complete form derived)",
        printed="the eigenvalue of largest modulus positive: the maximisers are the Diracs at its eigenvectors",
        corrected="max E = max{e^{λ_max}, cosh λ_min} for every symmetric B: Diracs in the top eigenspace, or equal "
        "antipodal pairs in the bottom one",
        hypotheses=lambda flow, mu: gradient_flow(flow, mu, sign=1),
        predict=_predict_maximum,
        check=_check_maximum,
        falsify=search.maximum_beaten,
    )
)


def _predict_minimum(flow, mu):
    found = found_structure(flow, mu)
    assert found is not None
    lam = float(np.linalg.eigvalsh(found.B)[0])
    energy, is_exact = least_energy(found.B)
    kind = "a Dirac in the bottom eigenspace" if lam < 0 else "measures on ker B" if lam == 0 else "one smooth measure"
    words = f"min E {'=' if is_exact else '≥'} {energy:.8g}: {kind}"
    return Prediction("burger2025.minimum", words, {"energy": energy, "is_exact": is_exact})


def _check_minimum(run):
    found = structure(run.flow, run.x.shape[-1])
    assert found is not None
    (least, is_exact), E = least_energy(found.B), _energy(found, run.last)
    words = f"E = {E:.10g} is above {'the minimum' if is_exact else 'the lower bound'} by {E - least:.2e}"
    return Check("burger2025.minimum", bool(E >= least * (1 - 1e-6)), words, {"energy": E, "least": least})


register(
    Claim(
        key="burger2025.minimum",
        source=f"{PAPER}, section on minimisers (complete form derived)",
        printed="λ_min < 0: exactly the Diracs in the bottom eigenspace; λ_min = 0: measures on ker B; B = λI: uniform; "
        "λ_min > 0: one minimiser, K = E_min on its support",
        hypotheses=lambda flow, mu: gradient_flow(flow, mu, sign=-1),
        predict=_predict_minimum,
        check=_check_minimum,
        falsify=search.minimum_beaten,
    )
)


def _predict_stationary(flow, mu):
    found = found_structure(flow, mu)
    assert found is not None
    residual = stationarity(found.B, mu).worst
    words = f"softmax and constant normalisation share their steady states; this state has residual {residual:.2e}"
    return Prediction("burger2025.stationary", words, {"residual": residual})


def _check_stationary(run):
    found = structure(run.flow, run.x.shape[-1])
    assert found is not None
    first, last = stationarity(found.B, run.at(0)).worst, stationarity(found.B, run.last).worst
    is_steady = run.status.name == "STEADY"
    holds = last < max(1e-3, first) if is_steady else None
    words = f"residual {first:.1e} at the start, {last:.1e} at t = {float(run.ts[-1]):g}"
    return Check("burger2025.stationary", holds, words, {"first": first, "last": last})


register(
    Claim(
        key="burger2025.stationary",
        source=f"{PAPER}, section 2 and lem:statcomb",
        printed="every limit is stationary: Π_x B∫y e^{⟨x,By⟩}dμ = 0 on the support; tδ_z + (1−t)δ_{−z} is, for eigenvectors z",
        hypotheses=gradient_flow,
        predict=_predict_stationary,
        check=_check_stationary,
        falsify=search.states_rest,
    )
)


def _predict_clusters(flow, mu):
    found = found_structure(flow, mu)
    assert found is not None
    values = np.linalg.eigvalsh(found.B)
    alone = [_keeps_together(found.B, i, found.sign) for i in range(len(values))]
    ones = sorted({float(np.round(v, 12)) for v, is_stable in zip(values, alone) if is_stable})
    pairs = {
        float(v): smallest_stable_minority(v, np.delete(values, i))
        for i, v in enumerate(values)
        if found.sign > 0 and pair_is_stable(v, np.delete(values, i))
    }
    described = [f"pair at λ = {v:.4g} with minority above {p:.3f}" for v, p in pairs.items() if p is not None]
    turns = [" (free to turn in its eigenspace)" if np.isclose(values, v).sum() > 1 else "" for v in ones]
    described = [*(f"one cluster at λ = {v:.4g}{turn}" for v, turn in zip(ones, turns)), *described]
    words = f"linearly stable: {'; '.join(described) or 'no cluster state'} (local stability is not optimality)"
    return Prediction("burger2025.clusters", words, {"one": ones, "pair": pairs})


def _keeps_together(B, axis, sign) -> bool:
    """Whether one cluster is stable, but for turning inside its eigenspace, which costs nothing."""
    rates, values = cluster_rates(B, axis, sign=sign), np.linalg.eigvalsh(B)
    others = ~np.isclose(np.delete(values, axis), values[axis])
    return bool((rates.within < 0).all() and (rates.mean[others] < 0).all())


def _check_clusters(run):
    found = structure(run.flow, run.x.shape[-1])
    assert found is not None
    x, mass = tokens(run.last)
    z = np.linalg.eigh((x.T * mass) @ x)[1][:, -1]
    cosine = x @ z
    values, vectors = np.linalg.eigh(found.B)
    axis = int(np.argmax(np.abs(vectors.T @ z)))
    p = float(np.clip(mass[cosine > 0].sum() / mass.sum(), 0.0, 1.0))
    settled = np.abs(cosine).min() > 1 - 1e-6 and abs(vectors[:, axis] @ z) > 1 - 1e-6
    numbers = {"share": p, "eigenvalue": float(values[axis])}
    if not settled:
        return Check("burger2025.clusters", None, "the run has not settled into one or two clusters", numbers)
    rates = cluster_rates(found.B, axis, p=max(p, 1 - p), normalisation=found.normalisation, sign=found.sign)
    worst = max(rates.within.max(), rates.mean.max()) if len(rates.mean) else float(rates.within.max())
    words = f"{'one cluster' if p in (0.0, 1.0) else 'two clusters'}, share {p:.3f}, largest rate {worst:.3g}"
    return Check("burger2025.clusters", bool(worst < 1e-6), words, numbers | {"rate": float(worst)})


register(
    Claim(
        key="burger2025.clusters",
        source=f"derived; states of lem:statcomb in {PAPER}",
        printed="clusters and antipodal pairs that runs end in are those with negative closed-form rates: one cluster at the "
        "top eigenvalue > 0; equal pairs iff ν < λ tanh λ for all other ν (and ν > λ for λ < 0)",
        hypotheses=gradient_flow,
        predict=_predict_clusters,
        check=_check_clusters,
        falsify=search.criterion_disagrees,
        kind="derived",
    )
)


def _geodesic_conditions(flow, mu):
    is_softmax = lambda found: [Hypothesis("softmax normalisation", 0.0 if found.normalisation == "SA" else -1.0)]  # noqa: E731
    return gradient_flow(flow, mu, extra=is_softmax)


def _predict_geodesics(flow, mu):
    found = found_structure(flow, mu)
    assert found is not None
    speed = float(np.sqrt(dissipated_power(flow, mu)))
    reach = float(np.exp(np.linalg.norm(found.B, 2) / 2))
    words = f"the prompt moves at speed {speed:.4g} in W_mob, which lies within a factor {reach:.4g} of W₂"
    return Prediction("burger2025.geodesics", words, {"speed": speed, "factor": reach})


register(
    Claim(
        key="burger2025.geodesics",
        source=f"{PAPER}, Theorem 2.2 (bounds derived)",
        printed="minimising paths of W_mob exist and have constant speed; e^{−‖B‖/2}W₂ ≤ W_mob ≤ e^{‖B‖/2}W₂",
        hypotheses=_geodesic_conditions,
        predict=_predict_geodesics,
        falsify=search.geodesics,
    )
)


from . import burger2025_states  # noqa: E402, F401  (registers the claims on particular states)
