"""The equation of motion of a flow in LaTeX."""

from __future__ import annotations

from ..attention import L2, Attention, Hardmax, Heads, Linear, Relu, Sigmoid, Sinkhorn, Softmax, Unnormalised
from ..attention.masks import Biased, Causal, Masked, Positional
from ..linalg.shown import shown
from ..spaces import Euclidean, Space, Sphere
from .normalisation import NGPT, MixLN, Normalisation, PeriLN, PostLN, PreLN, SqrtLN

SHARE = r"\frac{m_je^{#j}}{\sum_{%k}m_ke^{#k}}"
WEIGHTS: tuple[tuple[type[Attention], str, str], ...] = (
    (Softmax, r"\beta\langle x_i,Bx_j\rangle", SHARE),
    (Unnormalised, r"\beta\langle x_i,Bx_j\rangle", r"@e^{#j}"),
    (L2, r"-\beta|Qx_i-Kx_j|^2", SHARE),
    (Sinkhorn, r"\langle x_i,Bx_j\rangle/\varepsilon+f_i+g_j", r"m_je^{#j}"),
    (Sigmoid, r"\beta\langle x_i,Bx_j\rangle", r"@\,\sigma(#j+b)"),
    (Linear, r"\beta\langle x_i,Bx_j\rangle", r"@(#j)"),
    (Relu, r"\beta\langle x_i,Bx_j\rangle", r"@\max(#j,0)"),
    (Hardmax, "", r"\frac{m_j\mathbf 1\{j\in C_i\}}{\sum_{k\in C_i}m_k}"),
)
"""The score of a pair and the weight with which token i hears token j. In the weight #j is the score of (i, j) with its
bias, %k says which tokens k are heard, and @ is the mass of token j, as a share of the mass that a masked rule averages
over."""

RESCALED = r"z_i = e^{-tV}x_i"


SCHEMES: tuple[tuple[type[Normalisation], str], ...] = (
    (PreLN, r"a_i"),
    (PeriLN, r"\frac{a_i}{|a_i|}"),
    (MixLN, r"\begin{cases}|x_i|\,\Pi_{x_i}a_i & t<\tau\\ a_i & t\ge\tau\end{cases}"),
    (NGPT, r"\alpha\,\Pi_{x_i}\frac{a_i}{|a_i|}"),
    (SqrtLN, r"\frac{1}{\sqrt{1+t}}\,\Pi_{x_i}a_i"),
)
"""Velocities by the output $a_i$ of attention, where more than the projection happens to it."""

READ = r"x_j \text{ read as } x_j/|x_j|"


def motion(space: Space, rule: Attention, *, normalisation, noise, feed_forward) -> str:
    """The equation of motion; empty where no formula is known for the rule or the scheme."""
    push = _push(rule, has_feed_forward=feed_forward is not None)
    if not push:
        return ""
    velocity, more = (push if isinstance(space, Euclidean) else rf"\Pi_{{x_i}}\left({push}\right)"), ""
    if has_scheme(normalisation):
        velocity = next((words for kind, words in SCHEMES if isinstance(normalisation, kind)), "")
        more = rf",\qquad a_i = {push}" + ("" if isinstance(normalisation.space, Sphere) else rf",\quad {READ}")
    if not velocity:
        return ""
    left = rf"\dot x_i = {velocity}" if noise is None else rf"dx_i = \left({velocity}\right)dt + \sigma\,dW_i"
    return left + more


def has_scheme(normalisation: Normalisation | None) -> bool:
    """Whether layer normalisation does more than project."""
    return normalisation is not None and not isinstance(normalisation, PostLN)


def _push(rule: Attention, *, has_feed_forward: bool) -> str:
    heard, more = _heard(rule), r" + w\,\sigma(ax_i+b)"
    return heard + more if heard and has_feed_forward else heard


def _heard(rule: Attention) -> str:
    """The value matrix times what a token hears."""
    if isinstance(rule, Heads):
        return r"V\sum_hV_h\sum_j w^h_{ij}x_j"
    heard, bias, is_average = [], "", True
    while isinstance(rule, Positional):
        if isinstance(rule, Biased):
            bias += _bias(rule)
        else:
            heard.append(_mask(rule))
            is_average = is_average and getattr(rule, "average", "heard") == "heard"
        rule = rule.rule
    # A user's rule that is made from one of ours may have other weights.
    score, weight = next((words for kind, *words in WEIGHTS if type(rule) is kind), ("", ""))
    if not weight:
        return ""
    span = r",\ ".join(heard) or "#"
    share = (
        r"\frac{m_j}{\sum_{%k}m_k}" if heard and is_average and "number of tokens" not in constant(rule)[1] else "m_j"
    )
    weight = weight.replace("@", share)
    for letter in "jk":
        of_letter = score.replace("x_j", f"x_{letter}") + bias.replace("#", letter)
        weight = weight.replace(f"#{letter}", of_letter).replace(f"%{letter}", span.replace("#", letter))
    return rf"V\sum_{{{span.replace('#', 'j')}}} {constant(rule)[0]}{weight}\,x_j"


def _bias(rule: Biased) -> str:
    """What is added to the score of tokens i and #."""
    if rule.table is not None:
        return "+b_{i#}"
    return r"-\lambda|i-#|" if rule.positions is None else r"-\lambda|s_i-s_#|"


def _mask(mask: Positional) -> str:
    """Which tokens # token i hears."""
    if isinstance(mask, Causal):
        return r"#\le i"
    return r"s_#\le s_i" if isinstance(mask, Masked) and mask.table is None else r"#\text{ heard}"


def constant(rule: Attention) -> tuple[str, str]:
    """The constant in front of the weights, and what it means; nothing where it is 1."""
    if isinstance(rule, Unnormalised) and not (isinstance(rule.scale, str) and rule.scale == "mean"):
        known = {"shifted": "exp(−β‖B‖)", "sum": "the number of tokens"}
        return r"c\,", f"constant of the weights, {known.get(shown(rule.scale), shown(rule.scale))}"
    if isinstance(rule, Sigmoid) and rule.total:
        return r"c\,", "constant of the weights, the number of tokens"
    return "", ""
