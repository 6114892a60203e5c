"""The equation of a run in LaTeX, and what its symbols mean."""

from __future__ import annotations

from ..attention import L2, Attention, Hardmax, Heads, Linear, Relu, Sigmoid, Sinkhorn, Softmax, Unnormalised
from ..attention.masks import Biased, Causal, Positional
from ..flow import Flow
from ..flow.normalisation import PostLN
from ..flow.rescaled import Rescaled
from ..linalg.matrices import Schedule, multiple_of_identity
from ..linalg.shown import shown
from ..measures import Gaussian
from ..spaces import Sphere

WEIGHTS: tuple[tuple[type[Attention], str], ...] = (
    (Softmax, r"\frac{m_je^{\beta\langle x_i,Bx_j\rangle}}{\sum_k m_ke^{\beta\langle x_i,Bx_k\rangle}}"),
    (Unnormalised, r"m_je^{\beta\langle x_i,Bx_j\rangle}"),
    (L2, r"\frac{m_je^{-\beta|Qx_i-Kx_j|^2}}{\sum_k m_ke^{-\beta|Qx_i-Kx_k|^2}}"),
    (Sinkhorn, r"m_je^{\langle x_i,Bx_j\rangle/\varepsilon+f_i+g_j}"),
    (Sigmoid, r"m_j\,\sigma(\beta\langle x_i,Bx_j\rangle+b)"),
    (Linear, r"m_j\langle x_i,Bx_j\rangle"),
    (Relu, r"m_j\max(\langle x_i,Bx_j\rangle,0)"),
    (Hardmax, r"\mathbf 1\{j\in\operatorname*{argmax}_k\langle x_i,Bx_k\rangle\}"),
)
"""The weight with which token i hears token j."""

RESCALED = r"z_i = e^{-tV}x_i"


def equation(flow) -> str:
    """The equation of motion; empty where no formula is known for the rule."""
    if isinstance(flow, Rescaled):
        inner = equation(flow.flow)
        return f"{inner},\\qquad {RESCALED}" if inner else ""
    if not isinstance(flow, Flow):
        return ""
    push = _push(flow)
    if not push:
        return ""
    project = r"\Pi_{x_i}" if isinstance(flow.space, Sphere) else ""
    return {
        "": rf"\dot x_i = {project}\left({push}\right)" if project else rf"\dot x_i = {push}",
        "noise": rf"dx_i = {project}\left({push}\right)dt + \sigma\,dW_i",
        "radius": rf"\dot x_i = s_i\,{push},\qquad x_j \text{{ read as }} x_j/|x_j|",
    }[_kind(flow)]


def _kind(flow: Flow) -> str:
    if flow.noise is not None:
        return "noise"
    return "" if flow.normalisation is None or isinstance(flow.normalisation, PostLN) else "radius"


def _push(flow: Flow) -> str:
    rule = flow.attention
    if isinstance(rule, Heads):
        return r"V\sum_hV_h\sum_j w^h_{ij}x_j"
    span, inner = r"\sum_{j}", rule
    while isinstance(inner, Positional):
        span = r"\sum_{j\le i}" if isinstance(inner, Causal) else r"\sum_{j}^{\text{heard}}"
        inner = inner.rule
    weight = next((words for kind, words in WEIGHTS if isinstance(inner, kind)), "")
    if not weight:
        return ""
    more = r" + w\,\sigma(ax_i+b)" if flow.feed_forward is not None else ""
    return rf"V{span} {weight}\,x_j{more}"


def symbols(run) -> list[tuple[str, str]]:
    """Every symbol of the equation (LaTeX) and its meaning, with its value where it has one."""
    flow = run.flow.flow if isinstance(run.flow, Rescaled) else run.flow
    if not isinstance(flow, Flow):
        return []
    d, rule = run.states.d, flow.attention
    listed = [("x_i", f"token i, a {'unit ' if isinstance(flow.space, Sphere) else ''}vector of dimension {d}")]
    if isinstance(run.states, Gaussian):
        listed = [
            ("x_i", f"a token, drawn from the law N(m, Σ) in dimension {d}; sums over tokens are means over the law")
        ]
    is_law = isinstance(run.states, Gaussian)
    listed.append(("m_j", "weight of token j under the law" if is_law else "share of token j: all shares sum to 1"))
    listed += [*_of_rule(rule, d), ("V", f"value matrix, {_matrix(flow.V)}")]
    if isinstance(flow.space, Sphere):
        listed.append(
            (r"\Pi_{x}", "projection on the directions at right angles to x, so that tokens stay unit vectors")
        )
    if flow.noise is not None:
        listed.append((r"\sigma", f"strength of the noise, {shown(flow.noise)}; W are independent Brownian motions"))
    if _kind(flow) == "radius":
        listed.append(("s_i", f"what the normalisation {type(flow.normalisation).__name__} multiplies the output with"))
    if isinstance(run.flow, Rescaled):
        listed.append(("z_i", "rescaled token: growth by the linear part of the flow is taken out"))
    return listed


def _of_rule(rule, d) -> list[tuple[str, str]]:
    listed = []
    while isinstance(rule, Positional):
        if isinstance(rule, Causal):
            listed.append((r"j\le i", "a token hears itself and those before it"))
        elif isinstance(rule, Biased):
            listed.append((r"\text{heard}", "scores carry a bias by position"))
        else:
            listed.append((r"\text{heard}", "only tokens that the mask lets through"))
        rule = rule.rule
    score = getattr(rule, "score", None)
    if isinstance(rule, Heads):
        return [*listed, ("w^h_{ij}", "weights of head h"), ("V_h", "value matrix of head h")]
    if score is None:
        return listed
    if isinstance(rule, Sinkhorn):
        listed.append((r"\varepsilon", f"temperature, {_inverse(score.beta)}"))
        listed.append(("f_i, g_j", "numbers that make all rows and columns of the weights sum to 1"))
    elif not isinstance(rule, Hardmax):
        listed.append((r"\beta", f"inverse temperature, {shown(score.beta)}: how sharply tokens listen"))
    if isinstance(rule, L2):
        return [*listed, ("Q, K", "query and key matrices")]
    if isinstance(score.weights, tuple):
        return [*listed, ("B", "score matrix QᵀK of queries and keys")]
    return [*listed, ("B", f"score matrix, {_matrix(score.weights)}")]


def _inverse(beta) -> str:
    return "a function of t" if isinstance(beta, Schedule) else f"{1 / float(beta):.3g}"


def _matrix(value) -> str:
    if isinstance(value, Schedule):
        return "a function of t"
    number = multiple_of_identity(value)
    if number is None:
        return shown(value)
    return {1.0: "the identity I", -1.0: "−I"}.get(float(number), f"{float(number):.3g} times the identity")
