"""Measures of most and least energy: for every symmetric B, among four tokens, and near a multiple of the identity."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

from ...engine.measures import Particles
from ...engine.special.funk_hecke import funk_hecke
from ...theory.sphere.steady.axial_minimiser import axial_minimiser, is_axial
from ...theory.sphere.steady.circle_minimiser import circle_minimiser
from ...theory.sphere.steady.extremisers import classify
from ...theory.sphere.steady.four_peaks import peak_energy, symmetric_peaks
from ...theory.sphere.steady.perturbed_minimiser import tilt
from ...theory.sphere.steady.predicted_states import maximum
from ..claim import Claim, Hypothesis, compared, undecided
from ..hunt import sampled
from ..tolerance import exactness, token_error
from .gradient_flow import gradient_flow, structure_of, tokens
from .hunts import (
    any_maximum_trial,
    authors_constant_trial,
    constant_trial,
    maximum_trial,
    minimum_trial,
    peak_speed,
    peaks_trial,
)


class Maximisers(Claim):
    number = "maximisers"
    title = "The most energy is that of one cluster or of two opposite ones"
    printed = (
        "max E = max{e^{λ_max}, cosh λ_min} for every symmetric B: one cluster at a top eigenvector, or equal opposite "
        "clusters at a bottom one (a positive eigenvalue of largest modulus gives the first: caption of figure 2)"
    )
    latex = r"\max E = \max\{e^{\lambda_{\max}}, \cosh\lambda_{\min}\}"
    provenance = "derived"
    hunts = {
        "printed": sampled(maximum_trial, 10, law="symmetric B, d = 2–4, best of searches with 2–8 weighted tokens")
    }
    outside = {"B symmetric (any B)": sampled(any_maximum_trial, 6)}

    def hypotheses(self, flow, mu):
        return gradient_flow(flow, mu, sign=1)

    def predict(self, flow, mu):
        B = structure_of(flow, mu).B
        row, best = classify(B), maximum(B)
        words = f"B is {row.definiteness}: no measure has more energy than {best.energy:.8g} = {row.maximum}, the energy of "
        return words + row.maximisers, {
            "energy": best.energy, "kinds": [state.kind for state in best.states], "definiteness": row.definiteness,
        }  # fmt: skip


class Minimisers(Claim):
    number = "minimisers"
    title = "The least energy, and who has it"
    printed = (
        "λ_min < 0: min E = e^{λ_min}, by the clusters at bottom eigenvectors alone; λ_min = 0: 1, by the measures on ker B; "
        "λ_min > 0: one minimiser, with K = E_min on its support, uniform if B = λI"
    )
    latex = r"\lambda_{\min}<0:\ \min E = e^{\lambda_{\min}};\qquad B=\lambda I>0:\ \min E = \Lambda_0(\lambda)"
    provenance = "derived"
    hunts = {
        "printed": sampled(
            minimum_trial, 5, law="symmetric B, half of them positive definite, d = 2–4, best of searches", steps=8
        )
    }

    def hypotheses(self, flow, mu):
        return gradient_flow(flow, mu, sign=-1)

    def predict(self, flow, mu):
        B = structure_of(flow, mu).B
        row, (energy, is_exact) = classify(B), least_energy(B)
        words = f"B is {row.definiteness}: no measure has less energy than {energy:.8g}"
        words += f", that of {row.minimisers}" if is_exact else " (a lower bound); the least has " + row.minimisers
        return words, {"energy": energy, "is_exact": is_exact, "definiteness": row.definiteness}


def least_energy(B: np.ndarray) -> tuple[float, bool]:
    """The least energy for symmetric B and whether it is exact; else the bound Λ₀(λ_min) from below."""
    values = np.linalg.eigvalsh(B)
    if values[0] <= 0:
        return float(np.exp(values[0])), True
    if values[-1] - values[0] < 1e-12:
        return float(funk_hecke(0, values[0], d=len(B))), True
    if len(B) == 2 and values[-1] < 40:
        return circle_minimiser(B).energy, True
    if len(B) == 3 and is_axial(B) and values[-1] < 10:
        return axial_minimiser(B, 12).energy, True
    return float(funk_hecke(0, values[0], d=len(B))), False


class SymmetricPeaks(Claim):
    number = "symmetric peaks"
    title = "Where four symmetric tokens on the circle have least energy"
    printed = (
        "equal masses at (±cos φ, ±sin φ) in the eigenbasis of B = diag(λ₁, λ₂) > 0 have least energy where "
        "λ₁tanh(λ₁cos²φ) = λ₂tanh(λ₂sin²φ)"
    )
    latex = r"\lambda_1\tanh(\lambda_1\cos^2\varphi) = \lambda_2\tanh(\lambda_2\sin^2\varphi)"
    provenance = "summarised"
    kind = "lemma"
    decides = "trajectory"
    hunts = {
        "printed": sampled(
            peaks_trial, 12, law="log λ uniform in ±2 (without a normaliser ±0.7), any φ; run to its end"
        )
    }

    def hypotheses(self, flow, mu):
        if not (isinstance(mu, Particles) and mu.x.ndim == 2 and mu.d == 2 and mu.n == 4):
            return []
        return gradient_flow(flow, mu, sign=-1, extra=lambda found: _four_peaks(found, mu))

    def predict(self, flow, mu):
        l1, l2 = np.linalg.eigvalsh(structure_of(flow, mu).B)
        u = symmetric_peaks(l1, l2)
        words = (
            f"the four tokens stay at (±cos φ, ±sin φ) and tend to cos²φ = {u:.10g}, measured from the eigenvector of βB of "
            f"eigenvalue {l1:.4g}, with energy {peak_energy(l1, l2, u):.10g}"
        )
        return words, {"u": u, "energy": float(peak_energy(l1, l2, u))}

    def check(self, run):
        found, ts = structure_of(run.flow, run.at(0)), np.asarray(run.ts, float)
        values, axes = np.linalg.eigh(found.B)
        x = np.asarray(run.x, float) @ axes
        u = _followed(found, float(np.mean(x[0, :, 0] ** 2)), ts)
        told = np.sign(x[0]) * np.sqrt(np.stack([u, 1 - u], axis=-1))[:, None]
        error, room = np.abs(x - told).max(axis=(1, 2)), _room(run, found, u)
        end = float(abs(u[-1] - symmetric_peaks(*values)))
        numbers = {"error": float(np.abs(x[-1, :, 0] ** 2 - symmetric_peaks(*values)).max()), "left": end}
        is_told = room < 0.01
        if is_told.sum() < 2:
            return undecided(
                "symmetric prompts are unstable here: rounding decides before the next saved time", **numbers
            )
        words = f"up to t = {ts[is_told][-1]:.3g} tokens follow the equation of φ, to {error[is_told].max():.1e}"
        words = f"{words}; cos²φ is {end:.1e} from its limit"
        return compared(float((error / room)[is_told].max()), words, room=float(room[is_told].max()), **numbers)


def _four_peaks(found, mu):
    values, axes = np.linalg.eigh(found.B)
    x, mass = tokens(mu)
    spread = float(np.ptp(np.abs(x @ axes), axis=0).max() + np.ptp(mass))
    corners = len({tuple(np.sign(row)) for row in x @ axes})
    return [
        Hypothesis("B is positive definite", float(values[0]) if values[0] > 0 else -1.0),
        Hypothesis("four equal tokens at (±cos φ, ±sin φ)", exactness(mu, 1e-9) - spread if corners == 4 else -1.0),
    ]


def _followed(found, u0: float, ts) -> np.ndarray:
    """cos²φ at the saved times by its own equation."""
    values = np.linalg.eigvalsh(found.B)
    if len(ts) == 1:
        return np.array([u0])
    rate = lambda t, u: found.speed * peak_speed(values, u, normalisation=found.normalisation)  # noqa: E731
    return solve_ivp(rate, (0, ts[-1]), [u0], t_eval=ts, method="LSODA", rtol=1e-10, atol=1e-12).y[0]


def _room(run, found, u) -> np.ndarray:
    """What errors of the run's size may grow to at the fastest linear rate along the symmetric motion."""
    ts, error = np.asarray(run.ts, float), token_error(run)
    rates = np.array([_growth(found, np.asarray(tokens, float)) for tokens in run.x])
    grown = np.concatenate([[0.0], np.cumsum(np.diff(ts) * np.maximum(rates[1:], rates[:-1]))])
    return 10 * error * np.exp(np.minimum(np.maximum(grown, 0), 60))


def _growth(found, x) -> float:
    """The largest rate at which a small displacement of the angles grows."""
    theta, h = np.arctan2(x[:, 1], x[:, 0]), 1e-5
    J = [(_turning(found, theta + h * e) - _turning(found, theta - h * e)) / (2 * h) for e in np.eye(len(x))]
    return float(np.linalg.eigvalsh((np.array(J) + np.array(J).T) / 2)[-1])


def _turning(found, theta):
    """Angular velocities of tokens on the circle."""
    x, across = np.stack([np.cos(theta), np.sin(theta)], 1), np.stack([-np.sin(theta), np.cos(theta)], 1)
    K = np.exp(x @ found.B @ x.T) / len(x)
    K = K / K.sum(axis=1, keepdims=True) if found.normalisation == "SA" else K
    return found.sign * found.speed * np.sum((K @ x @ found.B) * across, axis=1)


class PerturbedIdentity(Claim):
    number = "perturbed identity"
    title = "The minimiser near a multiple of the identity, to first order"
    printed = (
        "B = I + hM: minimiser σ(1 + hα(⟨x,Mx⟩ − tr M/d)) + o(h), σ uniform, α(2) = −1.7253 (sin^{d−1} in a constant)"
    )
    corrected = "α = −I_{d/2}(1)/I_{d/2+1}(1), from sin^{d−2}: α(2) = −4.1633; errors are O(h²)"
    latex = r"\mu_h = \sigma(1 + h\alpha(\langle x,Mx\rangle - \operatorname{tr}M/d)) + o(h),\ \alpha = -I_{d/2}(1)/I_{d/2+1}(1)"
    provenance = "authors' code"
    erratum = "slip of the pen"
    kind = "theorem"
    hunts = {
        "printed": sampled(authors_constant_trial, 3, law="symmetric 2 × 2 M with normal entries, h = 0.02 and 0.01"),
        "corrected": sampled(constant_trial, 5, law="symmetric 2 × 2 M with normal entries, h = 0.02 and 0.01"),
    }

    def hypotheses(self, flow, mu):
        return gradient_flow(flow, mu, sign=-1, extra=_near_identity)

    def predict(self, flow, mu):
        lam = float(np.linalg.eigvalsh(structure_of(flow, mu).B).mean())
        alpha = tilt(mu.d, lam)
        words = (
            f"the least energy belongs to the density 1 + α(⟨x,Mx⟩ − tr M/d) against the uniform law, α = {alpha:.6f}, "
            f"M = βB − {lam:.4g} I, up to O(|M|²)"
        )
        return words, {"alpha": alpha, "lam": lam}


def _near_identity(found):
    values = np.linalg.eigvalsh(found.B)
    size = float(np.ptp(values) / max(abs(values.mean()), 1e-300))
    return [
        Hypothesis("B is positive definite", float(values[0]) if values[0] > 0 else -1.0),
        Hypothesis("B is within 10 % of a multiple of the identity", 0.1 - size),
    ]
