"""Claims on particular states of Burger et al. 2025 (arXiv 2501.03096): peaks, near identity, kernels, uniform, steps."""

from __future__ import annotations

import numpy as np

from ..measures import Particles
from ..steady.funk_hecke import tilt, uniform_rates
from ..steady.kernel_descent import kernel_constants, outside_kernel, spread_outside
from ..steady.peaks import peak_energy, symmetric_peaks
from ..steady.scheme import advised_step, safe_step
from ..steady.score_matrix import structure
from ..steady.table import classify
from . import burger2025_search as search
from .burger2025 import PAPER, found_structure, gradient_flow, tokens
from .claim import Check, Claim, Hypothesis, Prediction, register


def _peak_conditions(flow, mu):
    def four(found):
        values = np.linalg.eigvalsh(found.B)
        x, mass = tokens(mu)
        axes = np.abs(x @ np.linalg.eigh(found.B)[1])
        spread = float(np.ptp(axes, axis=0).max() + np.ptp(mass))
        corners = len({tuple(np.sign(row)) for row in x @ np.linalg.eigh(found.B)[1]})
        return [
            Hypothesis("B is positive definite", float(values[0]) if values[0] > 0 else -1.0),
            Hypothesis("four equal tokens at (±cos φ, ±sin φ)", 1e-9 - spread if corners == 4 else -1.0),
        ]

    return gradient_flow(flow, mu, sign=-1, extra=four) if isinstance(mu, Particles) and mu.d == 2 and mu.n == 4 else []


def _predict_peaks(flow, mu):
    found = found_structure(flow, mu)
    assert found is not None
    l1, l2 = np.linalg.eigvalsh(found.B)
    u = symmetric_peaks(l1, l2)
    words = f"descent ends at cos²φ = {u:.10g} on the axis of {l1:.4g}, E = {peak_energy(l1, l2, u):.10g}"
    return Prediction("burger2025.peaks", words, {"u": u, "energy": float(peak_energy(l1, l2, u))})


def _check_peaks(run):
    found = structure(run.flow, 2)
    assert found is not None
    u = symmetric_peaks(*np.linalg.eigvalsh(found.B))
    axes = (np.asarray(run.x, float) @ np.linalg.eigh(found.B)[1])[..., 0] ** 2
    start, error = float(np.abs(axes[0] - u).max()), float(np.abs(axes[-1] - u).max())
    words = f"cos²φ off by {start:.1e} at the start, {error:.1e} at the end"
    return Check("burger2025.peaks", error <= max(start, 1e-6), words, {"start": start, "error": error})


register(
    Claim(
        key="burger2025.peaks",
        source=f"{PAPER}, lem:symmetricpeaks",
        printed="four symmetric tokens minimise where λ₁tanh(λ₁cos²φ) = λ₂tanh(λ₂sin²φ)",
        hypotheses=_peak_conditions,
        predict=_predict_peaks,
        check=_check_peaks,
        falsify=search.peaks,
        kind="lemma",
    )
)


def _near_identity(flow, mu):
    def near(found):
        values = np.linalg.eigvalsh(found.B)
        size = float(np.ptp(values) / max(abs(values.mean()), 1e-300))
        positive = Hypothesis("B is positive definite", float(values[0]) if values[0] > 0 else -1.0)
        return [positive, Hypothesis("B is within 10 % of a multiple of the identity", 0.1 - size)]

    return gradient_flow(flow, mu, sign=-1, extra=near)


def _predict_near_identity(flow, mu):
    found = found_structure(flow, mu)
    assert found is not None
    lam = float(np.linalg.eigvalsh(found.B).mean())
    alpha = tilt(mu.d, lam)
    words = f"the minimiser has density 1 + α(⟨x,Mx⟩ − tr M/d), α = {alpha:.6f}, M = B − {lam:.4g} I, up to O(|M|²)"
    return Prediction("burger2025.perturbidentity", words, {"alpha": alpha, "lam": lam})


register(
    Claim(
        key="burger2025.perturbidentity",
        source=f"{PAPER}, thm:perturbidentity; constant as in the authors' code",
        printed="B = I + hM: minimiser σ(1 + hα(⟨x,Mx⟩ − tr M/d)) + o(h) with C₁ from sin^{d−1}: α(2) = −1.7253 (code)",
        corrected="α = −I_{d/2}(1)/I_{d/2+1}(1), from sin^{d−2}: α(2) = −4.1633; errors are O(h²)",
        hypotheses=_near_identity,
        predict=_predict_near_identity,
        falsify=search.perturbed_identity,
    )
)


def _semidefinite(flow, mu):
    def flat(found):
        values = np.linalg.eigvalsh(found.B)
        is_flat = abs(values[0]) <= 1e-12 * values[-1]
        return [
            Hypothesis("B is positive semidefinite with a kernel", 0.0 if is_flat else -abs(float(values[0]))),
            Hypothesis("tokens spread in every direction outside the kernel", _spread(found, mu) - 1e-12),
        ]

    return gradient_flow(flow, mu, sign=-1, extra=flat)


def _spread(found, mu) -> float:
    return spread_outside(found.B, *tokens(mu)) if np.linalg.eigvalsh(found.B)[-1] > 0 else -1.0


def _predict_semidefinite(flow, mu):
    found = found_structure(flow, mu)
    assert found is not None
    constants = kernel_constants(outside_kernel(found.B)[0]) / found.speed
    after = 1 / (found.speed * _spread(found, mu))
    words = (
        f"algebraic: ⟨h_k²⟩ ~ c_k/t with c_k = {np.array2string(constants, precision=4)}, well after t = {after:.3g}; "
        "stopping rules never trigger"
    )
    return Prediction("burger2025.semidefinite", words, {"constants": constants, "after": after})


def _check_semidefinite(run):
    found = structure(run.flow, run.x.shape[-1])
    assert found is not None
    values, vectors = outside_kernel(found.B)
    t, mass = float(run.ts[-1]), np.asarray(run.mass, float)
    second = mass @ (np.asarray(run.x[-1], float) @ vectors) ** 2
    ratio = second * found.speed * t / kernel_constants(values)
    # A start close to the kernel, or almost flat, is remembered as t + 1/spread in place of t.
    remembers = _spread(found, run.at(0)) * found.speed * t < 20
    is_late = bool(np.all(t * found.speed * values**2 > 100)) and not remembers
    holds = bool(np.all(np.abs(ratio - 1) < 0.25)) if is_late else None
    words = f"⟨h²⟩·2λ²t = {np.array2string(ratio, precision=3)} at t = {t:g}" + ("" if is_late else " (too early)")
    return Check("burger2025.semidefinite", holds, words, {"ratio": ratio})


register(
    Claim(
        key="burger2025.semidefinite",
        source="derived; Figure 3c,d",
        printed="semidefinite descent of tokens that spread in every direction outside ker B is algebraic: "
        "⟨h_k²⟩ ~ 1/(2λ_k²t), E − 1 ~ ½Σλ_k²⟨h_k²⟩²",
        hypotheses=_semidefinite,
        predict=_predict_semidefinite,
        check=_check_semidefinite,
        falsify=search.semidefinite,
        kind="derived",
    )
)


def _isotropic(flow, mu):
    same = lambda found: [Hypothesis("B = λI", 1e-12 - float(np.ptp(np.linalg.eigvalsh(found.B))))]  # noqa: E731
    return gradient_flow(flow, mu, extra=same)


def _predict_uniform(flow, mu):
    found = found_structure(flow, mu)
    assert found is not None
    lam = float(found.B[0, 0])
    rates = found.sign * found.speed * uniform_rates(np.arange(1, 5), lam, mu.d, normalisation=found.normalisation)
    words = f"harmonics of degree 1 to 4 on the uniform state grow at {np.array2string(rates, precision=4)}"
    return Prediction("burger2025.uniform", words, {"rates": rates})


register(
    Claim(
        key="burger2025.uniform",
        source="derived",
        printed="a degree-k harmonic on the uniform state grows at ±k(k+d−2)Λ_k(λ), divided by Λ₀(λ) for softmax",
        hypotheses=_isotropic,
        predict=_predict_uniform,
        falsify=search.uniform_growth,
        kind="derived",
    )
)


def _predict_step(flow, mu):
    found = found_structure(flow, mu)
    assert found is not None
    safe, advised = safe_step(found), advised_step(found)
    words = f"layers of η < {safe:.4g} throw no token through the origin; take η ≤ {advised:.4g} to keep E monotone"
    return Prediction("burger2025.step", words, {"safe": safe, "advised": advised})


register(
    Claim(
        key="burger2025.step",
        source="derived, for the scheme of the authors' code",
        printed="normalise(x + ηg) = normalise(x + η'Π_x g), η' = η/(1 + η⟨x,g⟩); positive if η‖B‖e^{‖B‖} < 1 (USA) "
        "or η‖B‖ < 1 (SA)",
        hypotheses=gradient_flow,
        predict=_predict_step,
        falsify=search.safe_steps,
        kind="derived",
    )
)


def _predict_class(flow, mu):
    found = found_structure(flow, mu)
    assert found is not None
    row = classify(found.B)
    case = f"{row.definiteness}{f' ({row.condition})' if row.condition else ''}"
    words = (
        f"B is {case}: most energy {row.maximum} at {row.maximisers}; least energy {row.minimum} at {row.minimisers}"
    )
    return Prediction("burger2025.table", words, {"definiteness": row.definiteness})


register(
    Claim(
        key="burger2025.table",
        source=f"{PAPER}, Table 1 (not seen; classification derived, complete)",
        printed="the definiteness of B decides the extremisers: positive (semi)definite B ≠ 0: Diracs have most energy; negative "
        "(semi)definite: equal antipodal pairs; indefinite: the larger of e^{λ_max} and cosh λ_min; λ_min < 0: Diracs "
        "have least energy; λ_min = 0: measures on ker B; λ_min > 0: one smooth measure",
        hypotheses=gradient_flow,
        predict=_predict_class,
        falsify=search.table_beaten,
        kind="derived",
    )
)
