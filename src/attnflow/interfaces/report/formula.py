"""What the symbols in the equation of a run mean."""

from __future__ import annotations

from ...engine.attention import L2, Hardmax, Heads, Sinkhorn
from ...engine.attention.masks import Biased, Causal, Masked, Positional
from ...engine.flow import Flow
from ...engine.flow.formula import constant, has_scheme
from ...engine.flow.normalisation import NGPT, MixLN
from ...engine.flow.rescaled import Rescaled
from ...engine.linalg.matrices import Schedule, multiple_of_identity
from ...engine.linalg.shown import shown
from ...engine.measures import Gaussian
from ...engine.spaces import Sphere


def symbols(run) -> list[tuple[str, str]]:
    """Every symbol of the equation (LaTeX) and its meaning, with its value where it has one."""
    flow = run.flow.flow if isinstance(run.flow, Rescaled) else run.flow
    if not isinstance(flow, Flow):
        return []
    d, rule = run.states.d, flow.attention
    listed = [("x_i", f"token i, a {'unit ' if isinstance(flow.state_space, Sphere) else ''}vector of dimension {d}")]
    if isinstance(run.states, Gaussian):
        listed = [
            ("x_i", f"a token, drawn from the law N(m, Σ) in dimension {d}; sums over tokens are means over the law")
        ]
    is_law = isinstance(run.states, Gaussian)
    listed.append(("m_j", "weight of token j under the law" if is_law else "share of token j: all shares sum to 1"))
    listed += [*_of_rule(rule, d), ("V", f"value matrix, {_matrix(flow.V)}")]
    if r"\Pi" in flow.equation():
        onto = "directions orthogonal to x; it keeps lengths" if isinstance(flow.space, Sphere) else "tangents at x"
        listed.append((r"\Pi_{x}", f"projection on the {onto}"))
    if flow.noise is not None:
        listed.append((r"\sigma", f"strength of the noise, {shown(flow.noise)}; W are independent Brownian motions"))
    if has_scheme(flow.normalisation):
        listed.append(("a_i", f"what attention says to token i; {type(flow.normalisation).__name__} normalises it"))
    if isinstance(flow.normalisation, MixLN):
        listed.append((r"\tau", f"when normalisation changes, {shown(flow.normalisation.tau)}"))
    if isinstance(flow.normalisation, NGPT):
        listed.append((r"\alpha", f"step size of the scheme, {shown(flow.normalisation.alpha)}"))
    if isinstance(run.flow, Rescaled):
        listed.append(("z_i", "rescaled token: growth by the linear part of the flow is taken out"))
    return listed


def _of_rule(rule, d) -> list[tuple[str, str]]:
    listed = []
    while isinstance(rule, Positional):
        if isinstance(rule, Causal):
            listed.append((r"j\le i", "a token hears itself and those before it"))
        elif isinstance(rule, Biased) and rule.slope is not None:
            listed.append((r"\lambda", f"how much a unit of distance in position lowers a score, {shown(rule.slope)}"))
        elif isinstance(rule, Biased):
            listed.append(("b_{ij}", "bias of a score by position, from a table"))
        elif isinstance(rule, Masked) and rule.table is None:
            listed.append(("s_j", "position of token j: a token hears those at its own position and before it"))
        else:
            listed.append((r"\text{heard}", "only tokens that the mask lets through"))
        rule = rule.rule
    if constant(rule)[0]:
        listed.append(("c", constant(rule)[1]))
    score = getattr(rule, "score", None)
    if isinstance(rule, Heads):
        return [*listed, ("w^h_{ij}", "weights of head h"), ("V_h", "value matrix of head h")]
    if score is None:
        return listed
    if isinstance(rule, Sinkhorn):
        listed.append((r"\varepsilon", f"temperature, {_inverse(score.beta)}"))
        listed.append(("f_i, g_j", "numbers that make all rows and columns of the weights sum to 1"))
    elif isinstance(rule, Hardmax):
        listed.append(("C_i", "the tokens of largest ⟨x_i, Bx_k⟩" + ", other than i" * rule.others))
    else:
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
