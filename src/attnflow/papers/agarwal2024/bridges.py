"""One bridge step: its score, its distance to an Euler step, and the plan against Langevin dynamics."""

from __future__ import annotations

import numpy as np

from ...engine.attention import Sinkhorn
from ...engine.linalg.matrices import multiple_of_identity
from ...theory.heat import gaussian_transport as closed
from ..claim import Claim, Hypothesis
from ..hunt import both, sampled
from ..hypotheses import is_gaussian
from .hunts import cubic_trial, fold_trial, gaussian_step_trial, langevin_trial, score_trial, small_step_trial


def _gaussian_self_attention(flow, mu):
    if not is_gaussian(flow, mu, Sinkhorn) or flow.attention.iterations is not None:
        return []
    B = np.asarray(flow.attention.score.B(mu.d), float)
    smallest = float(np.linalg.eigvalsh(np.asarray(mu.cov, float)).min())
    is_identity = multiple_of_identity(B) == 1
    return [
        Hypothesis("B = I", 0.0 if is_identity else -float(np.abs(B - np.eye(mu.d)).max())),
        Hypothesis("the covariance is invertible", smallest if smallest > 0 else -1.0),
    ]


class ScoreLimit(Claim):
    number = "score limit"
    title = "Sinkhorn attention estimates the score of the tokens' law"
    printed = "(bary − x)/ε tends to ½∇log ρ in L²(ρ) as ε → 0"
    latex = r"\frac{\mathrm{bary}_\varepsilon(x)-x}{\varepsilon} \to \tfrac12\nabla\log\rho\quad\text{in }L^2(\rho)"
    assumes = "a smooth positive density ρ with finite Fisher information"
    provenance = "seen"
    kind = "theorem"
    hunts = {"printed": sampled(score_trial, 4, law="mixtures of two Gaussians on the line, nodes, ε = 0.04 and 0.02")}


class OneStep(Claim):
    number = "proposition 1"
    title = "One bridge step is close to one explicit Euler step"
    printed = "W₂(Euler, bridge) < K ε C(ε) after one step with C(ε) → 0, and C = O(ε²) for Gaussians"
    corrected = "for N(0, s²) the distance is ε²/(8s³) + O(ε⁴), so C is O(ε); O(ε²) belongs to the relative entropy"
    latex = r"W_2 = s(\sqrt{1+u^2}-1) \approx \frac{\varepsilon^2}{8s^3},\quad u=\frac{\varepsilon}{2s^2}"
    provenance = "seen"
    erratum = "false"
    hunts = {
        "printed": sampled(cubic_trial, 3, law="Gaussians on the line, nodes, ε/s² = 0.2 and 0.1"),
        "corrected": both(
            sampled(gaussian_step_trial, 6, law="Gaussians on the line, nodes, ε/s² from 0.05 to 1"),
            sampled(small_step_trial, 4, law="mixtures of two Gaussians on the line, nodes, ε = 0.08 and 0.04"),
        ),
    }

    def hypotheses(self, flow, mu):
        return _gaussian_self_attention(flow, mu)

    def predict(self, flow, mu):
        lam, eps = np.linalg.eigvalsh(np.asarray(mu.cov, float)), float(flow.attention.eps)
        total = float(np.sqrt(sum(closed.euler_bridge_distance(np.sqrt(one), eps) ** 2 for one in lam)))
        words = f"one bridge step x ← 2x − bary(x) and one Euler step x ← x − (ε/2)∇log ρ end W₂ = {total:.6e} apart"
        return words, {"distance": total}


class Langevin(Claim):
    number = "theorem 1"
    title = "The plan of self-transport is close to Langevin dynamics"
    printed = "H(l|π) + H(π|l) ≤ ε²C(ε) with C(ε) → 0, l = Law(X₁, X_ε), dX = ½∇log ρ(X) + dW; C = O(ε²) for Gaussians"
    corrected = "the same with l = Law(X₀, X_ε) and dX = ½∇log ρ(X)dt + dW"
    latex = r"H(l\,|\,\pi) + H(\pi\,|\,l) \le \varepsilon^2 C(\varepsilon),\quad l = \mathrm{Law}(X_0,X_\varepsilon)"
    provenance = "seen"
    erratum = "slip of the pen"
    hunts = {
        "corrected": sampled(
            langevin_trial, 4, law="Gaussians, ε = 0.1 and 0.05 times λ, mixtures of two, 0.4 and 0.2 times"
        )
    }

    def hypotheses(self, flow, mu):
        return _gaussian_self_attention(flow, mu)

    def predict(self, flow, mu):
        eps = float(flow.attention.eps)
        total = float(
            sum(closed.langevin_divergence(eps / (2 * one)) for one in np.linalg.eigvalsh(np.asarray(mu.cov)))
        )
        words = f"the attention plan and a Langevin step of time ε differ by {total:.3e} in relative entropy, summed both ways"
        return words, {"divergence": total}


class FoldMargin(Claim):
    number = "fold margin"
    title = "A bridge step folds nothing while partners spread less than twice the temperature"
    printed = "the derivative of bary is Cov(Y|x)/ε, so x ← 2x − bary(x) is one to one where Cov(Y|x) < 2εI"
    latex = r"\nabla\mathrm{bary}(x) = \mathrm{Cov}_\pi(Y|x)/\varepsilon"
    assumes = "any prompt, Y the partner of x under the entropic plan"
    provenance = "derived"
    hunts = {"printed": sampled(fold_trial, 15, law="3–12 weighted tokens, d = 1–3, ε from 0.1 to 10, off the tokens")}
