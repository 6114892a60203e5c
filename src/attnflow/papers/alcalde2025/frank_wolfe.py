"""Hardmax attention as a Frank–Wolfe step over the hull of the tokens: collapse for B ≤ 0, cells of the vertices for B > 0."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.attention import Hardmax
from ...engine.spaces import Euclidean
from ..claim import Claim, Hypothesis, compared, undecided
from ..hunt import both, fixed, sampled
from ..hypotheses import is_plain, on_rescaled_tokens, positive_definite, positive_multiple
from ..variables import growth_matrix, tokens_z, unrescaled, value_matrix
from .hunts import (
    bounded_steps_trial,
    collapse_trial,
    foreign_cell_trial,
    known_counterexample,
    leaders,
    line_trial,
    own_cells,
    straight_trial,
    summable_steps,
    vertex_trial,
)


def _rule(flow) -> Any:
    return unrescaled(flow).attention


class CollapseAtTheOrigin(Claim):
    number = "theorem 3.1"
    title = "Hardmax layers with a negative score matrix pull all tokens to 0 at rate 1/t"
    printed = (
        "B = −B* with B* ≥ 0 constant, layers x ← x + (2/(t+2))(argmax over the hull − x), 0 in the hull of the start: "
        "½⟨B*x, x⟩ ≤ (2/(t+1)) λ_max diam² at step t + 1."
    )
    latex = (
        r"0\in\operatorname{conv}\{x_j^s\}\ (s\le t)\ \Rightarrow\ \tfrac12\langle B_*x_i^{t+1}, x_i^{t+1}\rangle \le "
        r"\frac{2}{t+1}\lambda_{\max}(B_*)\,\mathrm{diam}(K^0)^2"
    )
    assumes = "hardmax layers, B = −B* with B* ≥ 0, 0 in the hull of the start"
    provenance = "transcribed"
    corrected = (
        "the bound holds as long as 0 lies in the hull of the tokens of every step; the hull may shrink away from it"
    )
    erratum = "false"
    hunts = {
        "printed": both(
            fixed(known_counterexample),
            sampled(
                line_trial(holds_zero=False), 4, law="2–4 normal tokens on the line with 0 between them, 2,000 layers"
            ),
        ),
        "corrected": sampled(
            line_trial(holds_zero=True), 12, law="2–4 normal tokens on the line, while 0 is between them"
        ),
    }


class VertexTheorem(Claim):
    number = "vertex theorem"
    kind = "theorem"
    title = "With a positive score matrix each token goes straight to the vertex it hears best"
    printed = (
        "B > 0, every vertex of the hull hears itself best, every token exactly one vertex v: hardmax layers of steps g_s give "
        "x(t) = Πx(0) + (1 − Π)v with Π = Π_s(1 − g_s); in continuous time x(t) = v + (x(0) − v)e^{−t}."
    )
    latex = r"x_i^t = \Pi_t x_i^0 + (1-\Pi_t)v_{\sigma(i)},\qquad \Pi_t=\prod_{s<t}(1-\gamma^s)"
    provenance = "transcribed"
    decides = "trajectory"
    in_layers = True
    hunts = {
        "printed": both(
            sampled(vertex_trial, 30, law="2–5 normal corners and 4 tokens between them, d = 1–3, 30 random steps"),
            sampled(straight_trial, 8, law="the same in continuous time", steps=8),
        )
    }
    outside = {"vertices hear themselves best (a flat triangle far from 0)": sampled(foreign_cell_trial, 2)}

    def hypotheses(self, flow, mu):
        if not is_plain(flow, mu, Euclidean, (Hardmax,)) or _rule(flow).others:
            return []
        B = np.asarray(_rule(flow).score.B(mu.d), float)
        found = [positive_multiple("V", value_matrix(flow, mu.d)), positive_definite("B", B)]
        if not all(one.holds for one in found):
            return found
        words = "every vertex of the hull hears itself best, and every token one vertex only"
        return [*found, Hypothesis(words, own_cells(np.asarray(mu.x, float), B))]

    def predict(self, flow, mu):
        B = np.asarray(_rule(flow).score.B(mu.d), float)
        first, _ = leaders(np.asarray(mu.x, float), B)
        c = float(value_matrix(flow, mu.d)[0, 0])
        words = (
            f"rescaled tokens go straight to {len(set(first.tolist()))} vertices of their hull, at distance e^{{−{c:g}t}} of "
            "the first one"
        )
        return words, {"leaders": first.tolist(), "rate": c}

    @on_rescaled_tokens
    def check(self, run):
        if len(run.ts) < 2:
            return undecided("one saved time shows no motion; save more")
        z, ts = tokens_z(run), np.asarray(run.ts, float)
        B = np.asarray(_rule(run.flow).score.B(z.shape[-1]), float)
        goal, left = z[0][leaders(z[0], B)[0]], np.exp(-growth_matrix(run)[0, 0] * ts)[:, None, None]
        off = np.abs(z - (goal + (z[0] - goal) * left)).max() / np.abs(z[0]).max()
        return compared(
            off / 1e-5, f"tokens stay within {off:.2g} of the straight way to their vertex", deviation=float(off)
        )


class ExponentialRate(Claim):
    number = "exponential rate"
    kind = "theorem"
    title = "How fast tokens reach their vertices depends on the steps"
    printed = "In the vertex theorem, steps g_t in (0, 1) give exponential convergence to the vertices."
    latex = r"\inf_tg_t>0\ \Rightarrow\ |x_i(t)-v_i|\le Ce^{-ct}"
    assumes = "those of the vertex theorem, steps in (0, 1)"
    provenance = "transcribed"
    corrected = "if inf g_t > 0; with summable steps such as 2^{−t−1} tokens stop on the way"
    erratum = "incomplete"
    hunts = {
        "printed": fixed(summable_steps),
        "corrected": sampled(
            bounded_steps_trial, 6, law="corners of a square and two tokens inside, steps in [0.02, 1)"
        ),
    }


class SoftmaxCollapse(Claim):
    number = "softmax collapse"
    kind = "proposition"
    title = "Softmax layers at last gather all tokens in one point of their hull"
    printed = (
        "Layers x ← x + γ(softmax average − x), B = I, β > 0, γ small: all tokens tend to one point of the first hull."
    )
    latex = r"x_i\leftarrow x_i+\gamma\Big(\sum_jP_{ij}x_j-x_i\Big):\quad x_i(k)\to x^*\in\operatorname{conv}\{x_j(0)\}"
    assumes = "softmax layers, B = I, β > 0, γ small"
    provenance = "transcribed"
    hunts = {
        "printed": sampled(
            collapse_trial,
            10,
            law="2–5 tokens in the unit ball, d = 1–3, β 0.1–1, γ 0.05–0.9; the diameter after 4,000 layers",
        )
    }
