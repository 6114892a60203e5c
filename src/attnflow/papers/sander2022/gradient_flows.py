"""Attention without a normaliser and Sinkhorn attention as Wasserstein gradient flows; softmax is none."""

from __future__ import annotations

import numpy as np

from ...engine.linalg.matrices import dense
from ..claim import Claim, Hypothesis, compared, undecided
from ..hunt import both, fixed, sampled
from ..hypotheses import LARGEST
from ..tolerance import exactness, token_error
from .hunts import any_value_trial, descent_run, descent_trial, kernel_trial, no_gradient, plan
from .normalisation import is_sinkhorn

WORK = 3e6
"""Squares of the number of tokens times intervals between saved times that a check integrates again."""


class Descent(Claim):
    number = "proposition 2"
    title = "Sinkhorn attention with V = −B descends the relative entropy of its kernel"
    printed = (
        "for B = Bᵀ = −V attention without a normaliser is the Wasserstein gradient flow of ½∫k⁰dμdμ, and Sinkhorn attention "
        "that of −½∫k log(k/k⁰)dμdμ, k the doubly stochastic form of k⁰ = e^{⟨x,By⟩/ε}"
    )
    latex = r"\mathcal F^\infty = -\tfrac12\int k^\infty\log\frac{k^\infty}{k^0}\,d\mu\,d\mu"
    provenance = "seen"
    decides = "trajectory"
    see = ("castin2025.sinkhorn_energy",)
    hunts = {
        "printed": both(
            sampled(descent_trial, 15, law="2–6 tokens, d = 1–3, symmetric B, also indefinite, ε = 0.3 and 1, V = −cB"),
            sampled(kernel_trial, 10, law="2–6 tokens, d = 1–3, symmetric B, no normaliser, V = −cB"),
        )
    }
    outside = {"V = −cB (any V)": sampled(any_value_trial, 4)}

    def hypotheses(self, flow, mu):
        if not is_sinkhorn(flow, mu):
            return []
        (B, V), c = _matrices(flow, mu.d), _pace(flow, mu.d)
        if B.shape != V.shape or not np.any(B):
            return []
        skew, off = np.abs(B - B.T).max() / np.abs(B).max(), np.abs(V + c * B).max() / max(np.abs(V).max(), 1e-300)
        return [
            Hypothesis("B is symmetric", exactness(mu) - float(skew)),
            Hypothesis("V = −cB with c > 0", exactness(mu) - float(off) if c > 0 else -1.0),
            Hypothesis(f"at most {LARGEST} tokens", float(LARGEST - mu.n)),
        ]

    def predict(self, flow, mu):
        scores = _scores(flow, np.asarray(mu.x, float))
        value = plan(scores, np.asarray(mu.mass, float), is_positive=flow.attention.is_symmetric)[1]
        words = f"the energy −½∫k log(k/k⁰), k the attention kernel and k⁰ its exponentials, now {value:.6g}, falls at all times"
        return words, {"energy": float(value)}

    def check(self, run):
        ts, n = np.asarray(run.ts, float), run.x.shape[1]
        if len(ts) < 2:
            return undecided("one saved time shows no change of the energy; save two or more")
        some = np.unique(np.linspace(0, len(ts) - 2, int(np.clip(WORK / n**2, 2, len(ts) - 1))).astype(int))
        residual, room = np.array([_interval(run, k) for k in some]).T
        decided = np.isfinite(residual)
        if not decided.any():
            return undecided("the flow is too stiff to be followed between saved times; save more of them")
        words = f"between saved times the energy falls by what the flow dissipates, up to {residual[decided].max():.1e}"
        ratio, most = float((residual / room)[decided].max()), float(room[decided].max())
        return compared(ratio, f"{words} (allowed {most:.1e})", room=most)


def _matrices(flow, d: int):
    return np.asarray(flow.attention.score.B(d), float), np.asarray(dense(flow.V, d), float)


def _pace(flow, d: int) -> float:
    """c of V = −cB, by least squares."""
    B, V = _matrices(flow, d)
    return -float(np.sum(V * B) / max(np.sum(B * B), 1e-300)) if B.shape == V.shape else -1.0


def _scores(flow, x):
    return float(flow.attention.score.beta) * x @ np.asarray(flow.attention.score.B(x.shape[1]), float) @ x.T


def _interval(run, k: int):
    """By how much the balance of energy fails from one saved state to the next, and by how much it may."""
    x, mass, error = np.asarray(run.x[k : k + 2], float), np.asarray(run.mass, float), token_error(run)[k + 1]
    (B, _), rule = _matrices(run.flow, x.shape[-1]), run.flow.attention
    eps, is_positive = float(rule.eps), rule.is_symmetric
    flow = {"B": B, "eps": eps, "c": _pace(run.flow, x.shape[-1]), "is_positive": is_positive}
    nudged = x[0] + error * np.random.default_rng(0).normal(size=x[0].shape)
    gains = [descent_run(start, float(run.ts[k + 1] - run.ts[k]), mass, **flow) for start in (x[0], nudged)]
    before, after = (plan(y @ B @ y.T / eps, mass, is_positive=is_positive)[1] for y in x)
    size = 1 + np.abs(B).max() * np.abs(x).max() / eps
    return abs(after - before - gains[0]), 10 * error * size + 30 * abs(gains[1] - gains[0])


class SoftmaxIsNoGradient(Claim):
    number = "proposition 3"
    title = "Softmax attention is no Wasserstein gradient flow"
    printed = "the field −∇log∫k⁰dμ of softmax attention with V = −B is not the Wasserstein gradient of any energy"
    latex = r"v_\mu = -\nabla\log\int k^0(\cdot,y)\,d\mu(y) \ne -\nabla_W\mathcal F(\mu)\ \text{for all }\mathcal F"
    assumes = "softmax in R^d, B symmetric and not 0, V = −B"
    provenance = "seen"
    hunts = {"printed": fixed(no_gradient)}
