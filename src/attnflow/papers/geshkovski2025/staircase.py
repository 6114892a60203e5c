"""The staircase of the energy: its plateaus, its clocks, and what was transcribed of them."""

from __future__ import annotations

import numpy as np

from ...engine.attention import Unnormalised
from ...theory.sphere.pair_cosines import directions
from ...theory.sphere.staircase import energy, height, plateau_length
from ..claim import Claim, Hypothesis, holds, refuted, undecided
from ..hunt import fixed, sampled
from ..hypotheses import beta_of, equal_masses, of_size, on_sphere, positive_multiple, positive_weights
from ..tolerance import token_error
from ..variables import value_matrix
from .staircase_hunts import (
    angles_from_first,
    clock_b_trial,
    figure_plateaus,
    figure_start,
    figure_turns,
    plateau_trial,
    scale_trial,
    timescale_trial,
    touching,
)

MOST = 200
"""Tokens up to which a run is looked at as a staircase."""


class Staircase(Claim):
    number = "staircase"
    title = "Tokens join the first cluster one by one, and the energy climbs a staircase"
    printed = (
        "angles with cos(θ_i−θ₁) > cos(θ_k−θ_i) + c log β/β (2 ≤ i < k, c > 1), USA with merging, on clock A: as β → ∞ the "
        "energy is a step function with at most n plateaus, the last at 1 (derived: heights Σ(m_q/n)², lengths 1/(2c), c the "
        "joint share of the pair that merges)"
    )
    latex = (
        r"\cos(\theta_i-\theta_1)>\cos(\theta_k-\theta_i)+c\tfrac{\log\beta}\beta\ (2\le i<k,\ c>1)\ \Rightarrow\ "
        r"\mathsf E_\beta\to\sum_{q=1}^{N}h_q\mathbf 1_{[T_{q-1},T_q)},\quad N\le n,\ h_N=1"
    )
    provenance = "transcribed"
    kind = "theorem"
    decides = "trajectory"
    see = ("geshkovski2025.timescale", "geshkovski2025.energy_scale")
    hunts = {
        "printed": sampled(
            plateau_trial, 3, law="3–6 angles, each twice as far from the first as the one before, β 1e8–1e12"
        )
    }
    outside = {"nearer to the first than to a later one": fixed(figure_turns)}

    def hypotheses(self, flow, mu):
        if not on_sphere(flow, mu, (Unnormalised,)):
            return []
        if unfit := of_size(mu, n=(2, MOST), d=(2, 2)):
            return unfit
        beta = beta_of(flow, mu.d)
        if np.isnan(beta) or beta <= np.e:
            return []
        theta, _, margin = angles_from_first(directions(mu.x))
        return [
            positive_multiple("V", value_matrix(flow, mu.d)),
            positive_weights(flow),
            equal_masses(mu),
            Hypothesis("angles lie in [0, π]", np.pi - float(theta[-1])),
            Hypothesis("tokens are farther apart than 1/√(β log β)", float(np.diff(theta).min()) - touching(beta)),
            Hypothesis("every token is nearer to the first than to a later one", margin - np.log(beta) / beta),
        ]

    def predict(self, flow, mu):
        n = mu.n
        heights = [height(np.append(k + 1, np.ones(n - 1 - k))) for k in range(n)]
        lengths = [plateau_length((k + 2) / n) for k in range(n - 1)]
        words = (
            "tokens join the first one after the other, and for large β the energy (1/n²)Σe^{β(<x_i,x_j>−1)} rests at "
            + ", ".join(f"{h:.4g}" for h in heights)
        )
        return words, {"plateaus": heights, "lengths on clock A": lengths}

    def check(self, run):
        x, beta = directions(run.x), beta_of(run.flow, 2)
        _, order, _ = angles_from_first(x[0])
        E = np.array([energy(np.arctan2(y[:, 1], y[:, 0]), beta=beta) for y in x])
        fall, room = float(np.max(-np.diff(E), initial=0.0)), 10 * min(1.0, beta * float(token_error(run).max()))
        gaps = np.linalg.norm(np.diff(x[:, order], axis=1), axis=-1) < touching(beta)
        # Merged neighbours must come first: no gap is closed behind an open one.
        in_turn = bool((np.diff(gaps.astype(int), axis=1) <= 0).all())
        numbers = {"merged": int(gaps[-1].sum()), "energy": float(E[-1]), "largest_fall": fall, "allowed": room}
        if fall > room or not in_turn:
            words = (
                "a later pair merges first" if not in_turn else f"the energy falls by {fall:.2g}, {room:.2g} is allowed"
            )
            return refuted(words, **numbers)
        if not gaps[-1].any():
            return undecided("no two tokens have merged yet; run for longer", **numbers)
        return holds(
            f"{int(gaps[-1].sum())} tokens have joined the first, in turn, and the energy never falls", **numbers
        )


class ClockB(Claim):
    number = "clock B"
    title = "On the clock of the published figure merging times have a closed form"
    printed = (
        "on the clock dθ/ds = log(β)g/|g| a pair at gap Δ merges in Δ√(m₁m₂/(m₁+m₂))/log β; the energy is half way up at gap "
        "√(2 ln 2/β)"
    )
    latex = (
        r"\frac{d\theta}{ds}=\log\beta\,\frac g{|g|}:\quad "
        r"s_{\text{merge}}=\frac\Delta{\log\beta}\sqrt{\frac{m_1m_2}{m_1+m_2}},\qquad \text{half way up at gap "
        r"}\sqrt{2\ln2/\beta}"
    )
    assumes = "two clusters on the circle, unnormalised attention, β large"
    provenance = "derived"
    hunts = {"printed": sampled(clock_b_trial, 3, law="2–5 tokens with gaps 0.15–0.5 rad, β in (1000, 4000)")}


class TimeScale(Claim):
    number = "timescale"
    title = "When the gap of a merging pair reaches the size of a cluster"
    printed = "u' = −c log(β) sin u reaches the scale β^{−1/2} at 2/c"
    latex = r"\dot u=-c\log(\beta)\sin u:\quad u\sim\beta^{-1/2}\text{ at }t\to\frac1{2c}"
    assumes = "c > 0, β large, 0 < u₀ < π"
    provenance = "transcribed"
    corrected = "at 1/(2c)"
    erratum = "false"
    kind = "lemma"
    hunts = {
        "printed": sampled(timescale_trial(2.0), 5, law="c in (0.2, 1), u₀ in (0.3, 2), β = 1e30"),
        "corrected": sampled(timescale_trial(0.5), 5, law="c in (0.2, 1), u₀ in (0.3, 2), β = 1e30"),
    }


class EnergyScale(Claim):
    number = "energy scale"
    title = "On which scale the energy climbs to 1"
    printed = "with E = (1/(2βe^βn²))Σ e^{β<x_i,x_j>} the energy tends to a staircase that ends at 1"
    latex = r"\mathsf E_\beta=\frac1{n^2}\sum_{i,j}e^{\beta(\langle x_i,x_j\rangle-1)}\to1"
    assumes = "unnormalised attention on the circle, V = B = I, β → ∞"
    provenance = "transcribed"
    corrected = "with E = (1/n²)Σ e^{β(<x_i,x_j>−1)}; on the transcribed scale it tends to 0"
    erratum = "slip of the pen"
    kind = "theorem"
    hunts = {
        "printed": sampled(
            scale_trial(is_normalised=False), 3, law="runs on clock A that merge to the end, β in (100, 1e4)"
        ),
        "corrected": sampled(
            scale_trial(is_normalised=True), 3, law="runs on clock A that merge to the end, β in (100, 1e4)"
        ),
    }


class FigureStart(Claim):
    number = "staircase figure start"
    title = "Whether the start of the staircase figure is one of the theorem"
    printed = "the start of the figure satisfies the staircase theorem; its plateaus are .28, .44, .68, 1"
    latex = r"\mathsf E:\ 0.28,\ 0.44,\ 0.52,\ 1"
    assumes = "the five angles of the authors' code"
    provenance = "authors' code"
    corrected = "it violates the hypothesis; clusters 4 and 5 merge before joining the first: plateaus .28, .44, .52, 1"
    erratum = "false"
    kind = "figure"
    hunts = {"printed": fixed(figure_start), "corrected": fixed(figure_plateaus)}
