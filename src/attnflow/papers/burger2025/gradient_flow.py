"""Energy dissipation, stationary states, and the transport distance with nonlocal mobility."""

from __future__ import annotations

import numpy as np

from ...engine.flow import velocity
from ...engine.linalg.rows import unit_rows
from ...engine.measures import Particles
from ...theory.sphere.interaction_energy import interaction_energy
from ...theory.sphere.steady.dissipation import dissipated_power
from ...theory.sphere.steady.gradient_structure import Structure, is_symmetric, structure, symmetric_part
from ...theory.sphere.steady.residual import stationarity
from ..claim import Claim, Hypothesis, compared, undecided
from ..hunt import both, sampled
from ..tolerance import tolerance
from .balance import balance
from .hunts import (
    any_score_trial,
    bounds_trial,
    dissipation_trial,
    geodesic_trial,
    nonsymmetric_trial,
    resting_trial,
    stationary_trial,
)


def found_structure(flow, mu) -> Structure | None:
    return structure(flow, mu.d) if isinstance(mu, Particles) and mu.x.ndim == 2 and mu.d > 1 else None


def structure_of(flow, mu) -> Structure:
    """The same for a flow whose hypotheses hold."""
    found = found_structure(flow, mu)
    assert found is not None
    return found


def tokens(mu):
    return unit_rows(np.asarray(mu.x, float)), np.asarray(mu.mass, float)


def gradient_flow(flow, mu, *, sign: int | None = None, extra=lambda found: ()):
    """V = cB with symmetric B, in the asked direction (+1 ascent of E, −1 descent), and what a claim needs besides."""
    found = found_structure(flow, mu)
    if found is None or (sign is not None and found.sign != sign):
        return []
    if not is_symmetric(found.B):
        return [Hypothesis("B is symmetric", -float(np.abs(found.B - found.B.T).max()))]
    return [Hypothesis("B is symmetric", 0.0), Hypothesis("V = cB with c ≠ 0", found.speed), *extra(found)]


class Dissipation(Claim):
    number = "dissipation"
    title = "The energy changes by what the flow dissipates"
    printed = (
        "for symmetric B and V = ±B: d/dt (E/2) = ±∫|v|²/mob dμ with E = ∬e^{⟨x,By⟩}dμdμ, mob = 1/K for softmax, "
        "K(x) = ∫e^{⟨x,By⟩}dμ(y), and mob = 1 without a normaliser; so E is monotone"
    )
    latex = r"\frac{d}{dt}\frac{E}{2} = \pm\int \frac{|v|^2}{\mathrm{mob}_\mu}\,d\mu"
    provenance = "summarised"
    kind = "theorem"
    decides = "trajectory"
    see = ("geshkovski2024.energy_identity", "castin2025.energy")
    hunts = {
        "printed": sampled(dissipation_trial, 12, law="symmetric B with normal entries, d = 2–4, 8 weighted tokens")
    }
    outside = {"B symmetric (any B, V = B)": sampled(any_score_trial, 4)}

    def hypotheses(self, flow, mu):
        return gradient_flow(flow, mu)

    def predict(self, flow, mu):
        found = structure_of(flow, mu)
        power, E = dissipated_power(flow, mu), interaction_energy(*tokens(mu), B=found.B)
        way = "rises" if found.sign > 0 else "falls"
        words = f"the energy E = ∬exp⟨x, βBy⟩, now {E:.6g}, {way} at all times; E/2 now at the rate {found.sign * power:.4g}"
        return words, {"energy": E, "rate": found.sign * power}

    def check(self, run):
        if len(run.ts) < 2:
            return undecided("one saved time shows no change of E; save two or more")
        seen = balance(run, structure_of(run.flow, run.at(0)))
        if not seen.is_decided.any():
            return undecided("errors as small as the run's own change the balance; save more times or lower tol")
        residual, room = seen.residual[seen.is_decided].max(), seen.room[seen.is_decided].max()
        words = (
            f"between saved times E/2 changes by the dissipation, up to {residual:.1e} of itself (allowed: {room:.1e})"
        )
        return compared(seen.ratio, words, residual=float(residual), room=float(room))


class StationaryStates(Claim):
    number = "stationary states"
    title = "Tokens that come to rest are at a stationary state of the energy"
    printed = (
        "every limit is stationary: Π_x B∫y e^{⟨x,By⟩}dμ(y) = 0 at every token x, for softmax as without a normaliser; "
        "tδ_z + (1−t)δ_{−z} is stationary for every eigenvector z and 0 ≤ t ≤ 1"
    )
    latex = r"\Pi_x B\int y\,e^{\langle x,By\rangle}\,d\mu(y) = 0"
    provenance = "summarised"
    kind = "theorem"
    decides = "end state"
    hunts = {
        "printed": both(
            sampled(stationary_trial, 10, law="states predicted from symmetric B, d = 2–4, uneven pairs"),
            sampled(resting_trial, 4, law="symmetric B, d = 2–3, 6 tokens, both directions, until they rest"),
        )
    }

    def hypotheses(self, flow, mu):
        return gradient_flow(flow, mu)

    def predict(self, flow, mu):
        residual = stationarity(structure_of(flow, mu).B, mu).worst
        words = (
            "tokens tend to a state where every token's velocity vanishes; softmax and the unnormalised rule have the same "
            f"ones (now the largest |Π_x βB∫y e^{{⟨x,βBy⟩}}dμ| is {residual:.2e})"
        )
        return words, {"residual": residual}

    def check(self, run):
        found, ts = structure_of(run.flow, run.at(0)), np.asarray(run.ts, float)
        if len(ts) < 2:
            return undecided("one saved time does not show rest; save two or more")
        speed = np.linalg.norm(np.asarray(velocity(run.flow, run.last), float), axis=1).max()
        moved = np.abs(np.asarray(run.x[-1] - run.x[-2], float)).max()
        pace = found.speed * np.linalg.norm(found.B, 2)
        numbers = {"speed": float(speed), "moved": float(moved)}
        # A velocity differs from the mean one of the last interval by no more than tokens that moved so far make of it.
        length, room = ts[-1] - ts[-2], moved + 3 * tolerance(run)
        allowed = max(1e-4 * pace, room / length + room * _stiffness(found))
        if moved > 10 * tolerance(run) or length * pace < 0.1 or allowed > 0.1 * pace:
            return undecided(
                "tokens still move, or the last interval is too short to show rest; run for longer", **numbers
            )
        words = f"tokens rest (moved {moved:.1e} in the last interval) at velocity {speed:.1e}, allowed {allowed:.1e}"
        return compared(speed / allowed, words, **numbers)


def _stiffness(found) -> float:
    """By how much velocities differ where tokens do: a bound on the Jacobian of the flow."""
    size = float(np.linalg.norm(found.B, 2))
    return found.speed * size * (1 + 2 * size) * (1.0 if found.normalisation == "SA" else float(np.exp(size)))


class Geodesics(Claim):
    number = "theorem 2.2"
    title = "Shortest paths exist in the transport distance of softmax attention"
    printed = (
        "if W_mob(μ₀, μ₁) < ∞ then paths of least action ∫∫|v|²/mob dμdt exist, and they are the shortest paths "
        "∫(∫|v|²/mob dμ)^{1/2}dt: their speed is constant"
    )
    latex = r"W_{\mathrm{mob}}(\mu_0,\mu_1)^2 = \inf\int_0^1\!\!\int\frac{|v_t|^2}{\mathrm{mob}_{\mu_t}}\,d\mu_t\,dt"
    assumes = "softmax on the sphere, symmetric B, W_mob(μ₀, μ₁) finite"
    provenance = "summarised"
    hunts = {
        "printed": sampled(
            geodesic_trial, 2, law="two prompts of 5 tokens on the circle, symmetric B/2, 16 intervals", steps=8
        )
    }


class DistanceBounds(Claim):
    number = "distance bounds"
    title = "The transport distance of softmax attention is comparable to W₂"
    printed = "e^{−‖B‖/2}W₂ ≤ W_mob ≤ e^{‖B‖/2}W₂"
    latex = r"e^{-\|B\|/2}W_2 \le W_{\mathrm{mob}} \le e^{\|B\|/2}W_2"
    provenance = "derived"
    hunts = {"printed": sampled(bounds_trial, 2, law="two prompts of 5 tokens on the circle, symmetric B/2", steps=8)}

    def hypotheses(self, flow, mu):
        return gradient_flow(flow, mu, extra=_softmax)

    def predict(self, flow, mu):
        found = structure_of(flow, mu)
        # The dissipated power divides |v|² by the speed of the clock; the distance does not.
        speed = float(np.sqrt(dissipated_power(flow, mu) * found.speed))
        reach = float(np.exp(np.linalg.norm(found.B, 2) / 2))
        words = (
            f"softmax attention is the gradient flow of E in a transport distance W_mob within a factor {reach:.4g} of W₂; "
            f"the prompt now moves in it at speed {speed:.4g}"
        )
        return words, {"speed": speed, "factor": reach}


def _softmax(found):
    return [Hypothesis("the rule is softmax", 0.0 if found.normalisation == "SA" else -1.0)]


class NonsymmetricScores(Claim):
    number = "nonsymmetric scores"
    title = "Without a symmetric score matrix attention is no gradient flow; the energy keeps its bounds"
    printed = (
        "for any B with symmetric part S: e^{min(λ_min(S), 0)} ≤ E ≤ e^{‖B‖}, max E ≥ e^{λ_max(S)}, and "
        "min E = e^{λ_min(S)} if λ_min(S) < 0"
    )
    latex = (
        r"S=\tfrac12(B+B^\top):\quad e^{\min(\lambda_{\min}(S),0)}\le E\le e^{\|B\|},\quad \max E\ge "
        r"e^{\lambda_{\max}(S)},\quad \lambda_{\min}(S)<0\Rightarrow\min E=e^{\lambda_{\min}(S)}"
    )
    provenance = "derived"
    hunts = {
        "printed": sampled(nonsymmetric_trial, 6, law="B with normal entries, d = 2–3, best of searches with 5 tokens")
    }

    def hypotheses(self, flow, mu):
        found = found_structure(flow, mu)
        if found is None:
            return []
        skew = float(np.abs(found.B - found.B.T).max())
        return [Hypothesis("B is not symmetric", -1.0 if is_symmetric(found.B) else skew)]

    def predict(self, flow, mu):
        low, high, top = _bounds(structure_of(flow, mu).B)
        words = (
            f"B is not symmetric, so this is not a gradient flow of E = ∬exp⟨x, βBy⟩: E may rise and fall, between "
            f"{low:.6g} and {top:.6g}; its maximum is at least {high:.6g}"
        )
        return words, {"max_lower": high, "max_upper": top, "min_lower": low}


def _bounds(B):
    values = np.linalg.eigvalsh(symmetric_part(B))
    return tuple(float(np.exp(v)) for v in (min(values[0], 0.0), values[-1], np.linalg.norm(B, 2)))
