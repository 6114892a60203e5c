"""Lipschitz constants of one attention layer: the Jacobian, bounds on a ball and for one input, tokens that reach them."""

from __future__ import annotations

import numpy as np

from ...engine.attention import Causal, Softmax
from ...engine.flow import Flow
from ...engine.spaces import Euclidean
from ...theory.gaussian.lipschitz import general_bound, per_input_bound
from ..claim import Claim, Hypothesis
from ..hunt import both, fixed, sampled
from ..hypotheses import equal_masses, is_plain
from ..variables import score_matrix, value_matrix
from . import hunts as trials
from .jacobian import local_constant

LARGEST = 1000
"""Prompts up to this size get their local constant computed."""


def _hypotheses(flow, mu, *rules) -> list[Hypothesis]:
    if not isinstance(flow, Flow) or not is_plain(flow, mu, Euclidean, rules):
        return []
    if isinstance(flow.attention, Causal) and not isinstance(flow.attention.rule, Softmax):
        return []
    return [equal_masses(mu), Hypothesis(f"at most {LARGEST} tokens, so that the Jacobian is quick", LARGEST - mu.n)]


def _parts(flow, x):
    """Tokens, βB, V."""
    x = np.asarray(x, float)
    return x, score_matrix(flow, x.shape[-1]), value_matrix(flow, x.shape[-1])


def _local(flow, x) -> float:
    return local_constant(*_parts(flow, x), is_causal=isinstance(flow.attention, Causal))


def _radius(x) -> float:
    return max(float(np.linalg.norm(np.asarray(x, float), axis=-1).max()), 1e-12)


def _words(local: float, bound: float, name: str):
    words = f"near these tokens attention has Lipschitz constant {local:.4g}, below its {name} {bound:.4g}"
    return words, {"local": local, "bound": bound}


class Jacobian(Claim):
    number = "jacobian"
    title = "The Jacobian of the attention map, written out"
    printed = (
        "f(X)_i = VΣ_jP_ijx_j has the derivative blocks J_ij = P_ijV(I + (x_j − m_i)(Bᵀx_i)ᵀ) + δ_ijVC_iBᵀ, with m_i and C_i the "
        "mean and covariance of what token i hears; its norm is the local Lipschitz constant."
    )
    latex = r"J_{ij} = P_{ij}V(I + (x_j - m_i)(B^\top x_i)^\top) + \delta_{ij}VC_iB^\top"
    assumes = "softmax in R^d, any B and V"
    provenance = "derived"
    hunts = {
        "printed": sampled(
            trials.jacobian_trial, 10, law="5 normal tokens in the plane, normal B and V, by differences"
        )
    }


class GeneralBound(Claim):
    number = "general bound"
    title = "On a ball attention is Lipschitz with a constant of order √n"
    printed = (
        "For n tokens in the ball of radius R, with or without a causal mask, the attention map has a Lipschitz constant of at "
        "most √3|V|(|B|²R⁴(4n+1) + n)^{1/2} in the Euclidean norm of all tokens."
    )
    latex = r"\mathrm{Lip} \le \sqrt3\,\|V\|\,\big(\|B\|^2R^4(4n+1) + n\big)^{1/2}"
    provenance = "summarised"
    kind = "theorem"
    hunts = {
        "printed": sampled(
            trials.general_trial,
            20,
            law="5 normal tokens in the plane, or near adversarial ones, normal B and V, mask or none",
        )
    }

    def hypotheses(self, flow, mu):
        return _hypotheses(flow, mu, Softmax, Causal)

    def predict(self, flow, mu):
        return _words(_local(flow, mu.x), _general(flow, mu.x), "general bound")


def _general(flow, x) -> float:
    x, B, V = _parts(flow, x)
    return general_bound(B, V, radius=_radius(x), n=len(x))


class MeanFieldBound(Claim):
    number = "mean field bound"
    title = "On a ball attention is Lipschitz with a constant that does not depend on the number of tokens"
    printed = (
        "On laws in the ball of radius R attention is Lipschitz in W_p with constant at most |V|(1 + 3|B|R²)e^{2|B|R²}, so the "
        "local constant of n equal masses is at most that too."
    )
    latex = r"\mathrm{Lip}_{W_p} \le \|V\|(1 + 3\|B\|R^2)e^{2\|B\|R^2}"
    provenance = "summarised"
    kind = "theorem"
    see = ("castin2025.stability", "castin2025.masked_stability")
    hunts = {
        "printed": sampled(trials.mean_field_trial, 20, law="5 normal tokens of size 0.5 in the plane, normal B and V")
    }

    def hypotheses(self, flow, mu):
        return _hypotheses(flow, mu, Softmax)

    def predict(self, flow, mu):
        x, B, V = _parts(flow, mu.x)
        log_bound = _log_mean_field(B, V, _radius(x))
        general, b = np.log(max(_general(flow, x), 1e-300)), float(np.linalg.norm(B, 2)) * _radius(x) ** 2
        useless = f"; it beats the general bound from n ~ e^({_log_crossing(b):.3g}) tokens on"
        words = f"the Lipschitz constant for any number of tokens is at most e^({log_bound:.4g})"
        return words + (useless if log_bound > general else ""), {"log bound": log_bound, "log general bound": general}


def _log_crossing(b: float) -> float:
    """log n where $3(b^2(4n+1) + n) = (1+3b)^2e^{4b}$, $b = |B|R^2$: both bounds are equal there."""
    grown = 4 * b + 2 * np.log1p(3 * b) - np.log(3)
    # The right side exceeds 3b² by 1/3 at least, so the logarithm is that of a positive number.
    return float(grown + np.log1p(-np.exp(2 * np.log(max(b, 1e-150)) - grown)) - np.log1p(4 * b * b))


def _log_mean_field(B, V, R: float) -> float:
    b = float(np.linalg.norm(B, 2)) * R * R
    return float(np.log(max(np.linalg.norm(V, 2), 1e-300)) + np.log1p(3 * b) + 2 * b)


class PerInputBound(Claim):
    number = "input bound"
    title = "A bound on the Lipschitz constant from the tokens at hand"
    printed = "The local Lipschitz constant is at most |V|(R²r²(n+1) + n)^{1/2}, R = max_i |Bᵀx_i|, r the diameter of the tokens."
    corrected = "R = max_i max(|Bx_i|, |Bᵀx_i|): with |Bᵀx_i| alone it fails for B that is not symmetric."
    latex = (
        r"\|J\| \le \|V\|\,\big(R^2r^2(n+1) + n\big)^{1/2},\quad R=\max_i\max(|Bx_i|,|B^\top x_i|),\quad "
        r"r=\max_{i,j}|x_i-x_j|"
    )
    provenance = "authors' code"
    erratum = "false"
    kind = "lemma"
    hunts = {
        "printed": both(
            fixed(trials.nilpotent_layer),
            sampled(trials.printed_trial, 20, law="5 normal tokens of size 2 in the plane, normal B and V"),
        ),
        "corrected": sampled(trials.per_input_trial, 40, law="5 normal tokens of size 2 in the plane, normal B and V"),
    }

    def hypotheses(self, flow, mu):
        return _hypotheses(flow, mu, Softmax)

    def predict(self, flow, mu):
        return _words(_local(flow, mu.x), _per_input(flow, mu.x), "bound for these tokens")


def _per_input(flow, x) -> float:
    x, B, V = _parts(flow, x)
    return max(per_input_bound(B, V, x), 1e-300)


class AdversarialTokens(Claim):
    number = "adversarial tokens"
    title = "There are tokens at which the Lipschitz constant grows like √n"
    printed = (
        "One token at Ru against n − 1 at Ru/2 (u an eigenvector of Bᵀ for its largest eigenvalue λ₊), or at −Ru against Ru (for "
        "the smallest, λ₋): the local constant grows like √n until n ~ e^{2R²γ}, γ = max(−λ₋, λ₊/8)."
    )
    latex = (
        r"\|Df_{(x_1,\dots,x_n)}\|\sim\sqrt n\ \text{ while } n\lesssim e^{2R^2\gamma},\quad "
        r"\gamma=\max(-\lambda_-,\lambda_+/8)"
    )
    assumes = "softmax in R^d, u an eigenvector of Bᵀ for an extreme real eigenvalue, tokens of size R"
    provenance = "authors' code"
    kind = "theorem"
    hunts = {
        "printed": sampled(
            trials.adversarial_trial, 10, law="symmetric normal B in the plane, R from 1 to 3, n and 4n ≤ e^{2R²γ}/20"
        )
    }


class LargeRadius(Claim):
    number = "large radius"
    title = "Far from the origin attention is smooth at almost every prompt"
    printed = "For almost every X the local constant at RX is at most about √n|V| as R → ∞."
    latex = r"\limsup_{R\to\infty}\|J(RX)\| \le \sqrt n\,\|V\|"
    assumes = "softmax in R^d, tokens in general position"
    provenance = "summarised"
    kind = "proposition"
    hunts = {
        "printed": sampled(trials.radius_trial, 20, law="5 normal tokens in the plane, at R = 1000, normal B and V")
    }
