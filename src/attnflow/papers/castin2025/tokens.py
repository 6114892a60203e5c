"""Finitely many tokens: well-posedness, stability, masks, exact laws of means and second moments."""

from __future__ import annotations

import numpy as np
from scipy.linalg import expm
from scipy.special import exp1

from ...engine.attention import (
    L2,
    Attention,
    Causal,
    Heads,
    Linear,
    Masked,
    Relu,
    Sigmoid,
    Sinkhorn,
    Softmax,
    Unnormalised,
)
from ...engine.flow import Flow
from ...engine.linalg.matrices import multiple_of_identity
from ...engine.spaces import Euclidean
from ...theory.gaussian import closed_forms
from ...theory.gaussian.rule_constants import constants
from ...theory.gaussian.stability_bounds import stability_bound
from ..claim import Claim, Hypothesis, compared, undecided
from ..hunt import both, fixed, sampled
from ..hypotheses import follows, is_plain, without_motion
from ..independent import departure
from ..tolerance import token_error
from ..trial import worst_ratio
from ..variables import score_matrix, value_matrix
from . import token_hunts as trials
from .moments import covariance_rate


def is_token_flow(flow, mu, *rules) -> bool:
    """One prompt of tokens x in R^d under one of these constant rules, with nothing added."""
    return isinstance(flow, Flow) and is_plain(flow, mu, Euclidean, rules or Attention)


def _radius(x) -> float:
    return max(float(np.linalg.norm(np.asarray(x, float), axis=-1).max()), 1e-12)


# ---- well-posedness and stability ---------------------------------------------------------------------------------------


def is_normalised(rule) -> bool:
    """Whether weights are bounded whatever the tokens, so that |velocity| ≤ |V|R in the ball of radius R."""
    match rule:
        case Heads():
            return all(is_normalised(head) for head, _ in rule.heads)
        case Causal() | Masked():
            return is_normalised(rule.rule)
        case Sigmoid():
            return not rule.total and not isinstance(rule.bias, str)
    return isinstance(rule, Softmax | L2 | Sinkhorn)


def is_masked(rule) -> bool:
    return (
        any(is_masked(head) for head, _ in rule.heads) if isinstance(rule, Heads) else isinstance(rule, Causal | Masked)
    )


class Support(Claim):
    number = "support"
    title = "Tokens that start in a ball stay in a ball that grows exponentially"
    printed = (
        "Data supported in the ball of radius R₀ have a unique global solution under softmax, L2, sigmoid, masked, multi-head "
        "and Sinkhorn attention, supported in the ball of radius R₀ exp(∫|V|) (Σ_h|V_h| for heads, |V|/ε for Sinkhorn)."
    )
    latex = r"R(t) \le R_0\exp\Big(\int_0^t\|V_s\|\,ds\Big)"
    provenance = "summarised"
    kind = "theorem"
    decides = "monotone"
    see = ("castin2025.one_unnormalised_token",)
    hunts = {
        "printed": sampled(
            trials.support_trial, 16, law="4 tokens, d = 1–3, the five rules, normal V, or all along its top"
        )
    }
    outside = {"weights that are bounded (here unnormalised)": sampled(trials.ball_trial, 10)}

    def hypotheses(self, flow, mu):
        if not is_token_flow(flow, mu):
            return []
        return [Hypothesis("weights are bounded", 1.0 if is_normalised(flow.attention) else -1.0)]

    def predict(self, flow, mu):
        R, speed = _radius(mu.x), _speed(flow, mu)
        words = f"tokens within {R:.4g} of the origin stay within {R:.4g} e^({speed:.4g} t)"
        return words, {"radius": R, "speed": speed}

    def check(self, run):
        speed, sizes = _speed(run.flow, run.at(0)), np.linalg.norm(np.asarray(run.x, float), axis=-1).max(axis=-1)
        bound = max(sizes[0], 1e-300) * np.exp(np.minimum(speed * np.asarray(run.ts, float), 700)) + token_error(run)
        ratio = float(np.max((sizes / bound)[1:], initial=0.0))
        return without_motion(run) or compared(
            ratio, f"the largest |x| reaches {ratio:.3g} of its bound R₀e^({speed:.4g} t)", speed=speed
        )


def _speed(flow, mu) -> float:
    """|V|, or the sum of the norms of the heads: the largest speed over the largest token."""
    return constants(flow, d=mu.d, radius=_radius(mu.x)).speed


class UnnormalisedToken(Claim):
    number = "one unnormalised token"
    title = "Without a normaliser a single token can blow up"
    printed = (
        "Unnormalised attention, V = vI, B = aI with a, v > 0, all tokens at x₀: x' = v x e^{a|x|²} blows up at "
        "t* = E₁(a|x₀|²)/(2v), E₁ the exponential integral. So it has no global solutions."
    )
    latex = r"t^* = \frac{1}{2v}E_1(a|x_0|^2)"
    provenance = "derived"
    decides = "trajectory"
    hunts = {
        "printed": sampled(trials.explosion_trial, 3, law="a from 0.2 to 2, normal x₀ in the plane, until a|x|² = 30")
    }

    def hypotheses(self, flow, mu):
        if not is_token_flow(flow, mu, Unnormalised) or flow.attention.scale != "mean":
            return []
        x = np.asarray(mu.x, float)
        a, v = (multiple_of_identity(M) or -1.0 for M in (score_matrix(flow, mu.d), value_matrix(flow, mu.d)))
        return [
            Hypothesis("V = vI and B = aI with v, a > 0", min(a, v) - 1e-12),
            Hypothesis("all tokens are at one place", 1e-14 * _radius(x) - float(np.ptp(x, axis=0).max())),
            Hypothesis("it is not the origin", _radius(x) - 1e-9),
        ]

    def predict(self, flow, mu):
        a, v = _scales(flow, mu.d)
        time = closed_forms.unnormalised_blow_up(a, _radius(mu.x)) / v
        return f"the token blows up at t = {time:.8g}", {"blow_up": time}

    def check(self, run):
        a, v = _scales(run.flow, run.x.shape[-1])
        x, ts, error = np.asarray(run.x, float), np.asarray(run.ts, float), token_error(run)
        r = np.linalg.norm(x, axis=2)
        # The clock that |x| shows; an error of |x| is the larger in time the earlier it was made.
        clock = (exp1(a * r[0] ** 2) - exp1(a * r**2)) / (2 * v)
        room = np.maximum.accumulate(error * np.exp(-a * r.min(axis=1) ** 2) / (v * r.min(axis=1)))
        late = np.abs(clock - ts[:, None]).max(axis=1) / (room + 1e-15)
        turned = np.linalg.norm(x - x[0] * (r / r[0])[..., None], axis=2).max(axis=1) / (error * (r / r[0]).max(axis=1))
        return follows(run, worst_ratio(late, turned), law="the closed form |x|(t)")


def _scales(flow, d) -> tuple[float, float]:
    return float(score_matrix(flow, d)[0, 0]), float(value_matrix(flow, d)[0, 0])


class ShortSupport(Claim):
    number = "short support"
    title = "Without a normaliser tokens are sure to stay in a ball only for a short time"
    printed = (
        "Tokens in the ball of radius R₀ exist, and stay in a ball, at least until t* = E₁(|B|R₀²)/(2|V|) under unnormalised "
        "and t* = 1/(2|V||B|R₀²) under linear or ReLU attention: R' ≤ |V|R e^{|B|R²} and R' ≤ |V||B|R³."
    )
    latex = r"\dot R \le \|V\|R\,e^{\|B\|R^2}\quad\text{or}\quad \dot R \le \|V\|\|B\|R^3"
    provenance = "derived"
    decides = "monotone"
    see = ("castin2025.one_unnormalised_token",)
    hunts = {
        "printed": sampled(trials.short_support_trial, 3, law="3 tokens, unnormalised or linear, to 0.6 of that time")
    }

    def hypotheses(self, flow, mu):
        if not is_token_flow(flow, mu, Unnormalised, Linear, Relu):
            return []
        is_mean = getattr(flow.attention, "scale", "mean") == "mean"
        return [
            Hypothesis("weights are e^s, s or max(s, 0) of the score s, averaged over tokens", 1.0 if is_mean else -1.0)
        ]

    def predict(self, flow, mu):
        time = float(_time_to(flow, mu.d, np.inf) - _time_to(flow, mu.d, _radius(mu.x)))
        return f"tokens exist at least until t = {time:.4g}", {"until": time}

    def check(self, run):
        r, error = np.linalg.norm(np.asarray(run.x, float), axis=2).max(axis=1), token_error(run)
        clock = lambda r: _time_to(run.flow, run.x.shape[-1], np.maximum(r, 1e-12))  # noqa: E731
        needed, had = (clock(r - error) - clock(r[0]))[1:], np.asarray(run.ts, float)[1:]
        ratio = float(np.max(needed / had, initial=0.0))
        return without_motion(run) or compared(
            ratio, f"the largest |x| needed {ratio:.3g} of the time it had, at least"
        )


def _time_to(flow, d, R):
    v, b = (max(float(np.linalg.norm(M, 2)), 1e-300) for M in (value_matrix(flow, d), score_matrix(flow, d)))
    return trials.time_to(R, b=b, v=v, is_linear=isinstance(flow.attention, Linear | Relu))


class Stability(Claim):
    number = "stability"
    title = "Nearby prompts separate at most exponentially in the Wasserstein distance"
    printed = (
        "W_p(μ_t, ν_t) ≤ e^{∫L} W_p(μ₀, ν₀) for data in one ball, L = Lip_x + Lip_μ the Lipschitz constants of the velocity "
        "in the token and in the law (constants derived, e.g. L = |V|(1 + 3|B|R²)e^{2|B|R²} for softmax)."
    )
    latex = r"W_p(\mu_t,\nu_t) \le \exp\Big(\int_0^t L\Big)\,W_p(\mu_0,\nu_0)"
    provenance = "summarised"
    kind = "theorem"
    hunts = {
        "printed": sampled(
            trials.stability_trial, 8, law="two nearby prompts of 4 tokens, d = 1 or 2, W₁ or W₂, t ≤ 0.5"
        )
    }

    def hypotheses(self, flow, mu):
        if not is_token_flow(flow, mu):
            return []
        return [
            Hypothesis("weights are bounded", 1.0 if is_normalised(flow.attention) else -1.0),
            Hypothesis("every token hears every other", -1.0 if is_masked(flow.attention) else 1.0),
            Hypothesis("an explicit constant is known (not for Sinkhorn)", -1.0 if _has_plan(flow.attention) else 1.0),
        ]

    def predict(self, flow, mu):
        return _stability_words(flow, mu)


def _has_plan(rule) -> bool:
    return any(_has_plan(head) for head, _ in rule.heads) if isinstance(rule, Heads) else isinstance(rule, Sinkhorn)


def _stability_words(flow, mu):
    bound = stability_bound(flow, _radius(mu.x), d=mu.d, horizon=1.0, p=2.0, pieces=50)
    growth = float(bound.log_amplification[-1])
    if bound.is_vacuous:
        words = f"the bound on the distance of two prompts at t = 1, e^({growth:.3g}), says nothing"
    else:
        words = f"until t = 1 the distance W₂ to any other prompt in the ball grows at most {np.exp(growth):.4g}-fold"
    return words, {"log amplification": growth, "is_vacuous": bound.is_vacuous}


class MaskedStability(Claim):
    number = "masked stability"
    title = "Nearby causal sequences separate at most exponentially, but faster than without a mask"
    printed = (
        "For masked attention the bound of the stability theorem holds with the same L in the conditional distance "
        "d_p(μ,ν)^p = ∫W_p^p(μ(·|s), ν(·|s))ds over positions s."
    )
    corrected = (
        "L = Lip_x + (p/(p−1)) Lip_μ for 1 < p ≤ ∞: averages over prefixes are a Hardy operator, whose norm exceeds 1. For "
        "p = 1 no constant serves every number of tokens. (The printed theorem was not seen and may restrict p.)"
    )
    latex = r"L = \mathrm{Lip}_x + \tfrac{p}{p-1}\,\mathrm{Lip}_\mu"
    provenance = "summarised"
    erratum = "false"
    kind = "theorem"
    hunts = {
        "printed": fixed(*(lambda n=n: trials.prefix_trial(n, 2.0, as_printed=True) for n in (2, 64))),
        "corrected": both(
            sampled(
                trials.masked_trial,
                6,
                law="two nearby causal sequences of 6 tokens, d = 1 or 2, p = 1.5, 2 or ∞, t ≤ 0.5",
            ),
            sampled(
                trials.exponent_trial,
                10,
                law="no scores, 2–80 tokens, p from 1.1 to ∞, the worst start of Hardy's bound",
            ),
            fixed(trials.no_constant),
        ),
    }

    def hypotheses(self, flow, mu):
        if not is_token_flow(flow, mu, Causal, Masked):
            return []
        return [Hypothesis("weights are bounded", 1.0 if is_normalised(flow.attention) else -1.0)]

    def predict(self, flow, mu):
        return _stability_words(flow, mu)


# ---- exact laws ---------------------------------------------------------------------------------------------------------

PREFIX = 64
"""As many tokens from the front of a causal sequence are followed again."""


class CausalPrefix(Claim):
    number = "causal prefix"
    title = "Under a causal mask the first tokens move as if the others did not exist"
    printed = (
        "Causal softmax attention: x₁(t) = e^{tV}x₁(0), and changing token j never changes the tokens before it, so the first "
        "k tokens are a flow of their own."
    )
    latex = r"x_1(t) = e^{tV}x_1(0)"
    provenance = "derived"
    decides = "trajectory"
    hunts = {
        "printed": sampled(
            trials.prefix_flow_trial, 6, law="6 tokens, d = 1–3, normal B and V, all after the third changed"
        )
    }
    outside = {"a causal mask (here none)": sampled(trials.unmasked_prefix_trial, 4)}

    def hypotheses(self, flow, mu):
        if not is_token_flow(flow, mu, Causal) or not isinstance(flow.attention.rule, Softmax):
            return []
        return [Hypothesis("all masses are positive", float(np.asarray(mu.mass, float).min()) - 1e-300)]

    def predict(self, flow, mu):
        first = expm(value_matrix(flow, mu.d)) @ np.asarray(mu.x[0], float)
        return "the first token moves as e^(tV)x₁, whatever the others do", {"first token at 1": first}

    def check(self, run):
        x, d = np.asarray(run.x, float)[:, :PREFIX], run.x.shape[-1]
        B, V, mass = score_matrix(run.flow, d), value_matrix(run.flow, d), np.asarray(run.mass, float)[:PREFIX]
        field = lambda y: trials.causal_softmax(y @ B @ y.T + np.log(mass)) @ y @ V.T  # noqa: E731
        ratio = departure(x, np.asarray(run.ts, float), field, error=token_error(run))
        return follows(run, ratio, law=f"the flow of the first {x.shape[1]} tokens alone")


class LinearMoments(Claim):
    number = "linear moments"
    title = "Linear attention: second moments of any tokens obey the covariance equation of softmax"
    printed = "Linear attention: M = Σ_j m_j x_j x_jᵀ of any tokens obeys M' = VMBᵀM + MBMVᵀ exactly (compare arXiv 2512.11784)."
    latex = r"\dot M = VMB^\top M + MBMV^\top"
    provenance = "derived"
    decides = "trajectory"
    hunts = {
        "printed": sampled(
            trials.linear_trial, 8, law="2–6 weighted tokens, d = 1–3, normal B and V, to half the safe time"
        )
    }
    outside = {"linear attention (here softmax)": sampled(trials.softmax_moments_trial, 4)}

    def hypotheses(self, flow, mu):
        if not is_token_flow(flow, mu, Linear):
            return []
        return [Hypothesis("weights are the scores themselves", 1.0)]

    def predict(self, flow, mu):
        x, mass = np.asarray(mu.x, float), np.asarray(mu.mass, float)
        rate = covariance_rate((x.T * mass) @ x, score_matrix(flow, mu.d), value_matrix(flow, mu.d))
        words = f"second moments follow the covariance equation of softmax; their trace changes at rate {np.trace(rate):.4g}"
        return words, {"rate": rate}

    def check(self, run):
        x, d = np.asarray(run.x, float), run.x.shape[-1]
        if d > 128:
            return undecided("second moments are followed again up to d = 128")
        B, V = score_matrix(run.flow, d), value_matrix(run.flow, d)
        M = np.einsum("n,kni,knj->kij", np.asarray(run.mass, float), x, x)
        error = 2 * token_error(run) * np.linalg.norm(x, axis=2).max(axis=1)
        ratio = departure(M, np.asarray(run.ts, float), lambda S: covariance_rate(S, B, V), error=error)
        return follows(run, ratio, law="the equation of second moments")
