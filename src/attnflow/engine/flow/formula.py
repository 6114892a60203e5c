"""The equation of motion of a flow in LaTeX."""

from __future__ import annotations

from ..attention import L2, Attention, Hardmax, Heads, Linear, Relu, Sigmoid, Sinkhorn, Softmax, Unnormalised
from ..attention.masks import Causal, Positional
from ..linalg.shown import shown
from ..spaces import Euclidean, Space, Sphere
from .normalisation import NGPT, MixLN, Normalisation, PeriLN, PostLN, PreLN, SqrtLN

WEIGHTS: tuple[tuple[type[Attention], str], ...] = (
    (Softmax, r"\frac{m_je^{\beta\langle x_i,Bx_j\rangle}}{\sum_k m_ke^{\beta\langle x_i,Bx_k\rangle}}"),
    (Unnormalised, r"m_je^{\beta\langle x_i,Bx_j\rangle}"),
    (L2, r"\frac{m_je^{-\beta|Qx_i-Kx_j|^2}}{\sum_k m_ke^{-\beta|Qx_i-Kx_k|^2}}"),
    (Sinkhorn, r"m_je^{\langle x_i,Bx_j\rangle/\varepsilon+f_i+g_j}"),
    (Sigmoid, r"m_j\,\sigma(\beta\langle x_i,Bx_j\rangle+b)"),
    (Linear, r"m_j\langle x_i,Bx_j\rangle"),
    (Relu, r"m_j\max(\langle x_i,Bx_j\rangle,0)"),
    (Hardmax, r"\frac{m_j\mathbf 1\{j\in C_i\}}{\sum_{k\in C_i}m_k}"),
)
"""The weight with which token i hears token j."""

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
    span = r"\sum_{j}"
    while isinstance(rule, Positional):
        span = r"\sum_{j\le i}" if isinstance(rule, Causal) else r"\sum_{j}^{\text{heard}}"
        rule = rule.rule
    # A user's rule that is made from one of ours may have other weights.
    weight = dict(WEIGHTS).get(type(rule), "")
    return rf"V{span} {constant(rule)[0]}{weight}\,x_j" if weight else ""


def constant(rule: Attention) -> tuple[str, str]:
    """The constant in front of the weights, and what it means; nothing where it is 1."""
    if isinstance(rule, Unnormalised) and not (isinstance(rule.scale, str) and rule.scale == "mean"):
        known = {"shifted": "exp(−β‖B‖)", "sum": "the number of tokens"}
        return r"c\,", f"constant of the weights, {known.get(shown(rule.scale), shown(rule.scale))}"
    if isinstance(rule, Sigmoid) and rule.total:
        return r"c\,", "constant of the weights, the number of tokens"
    return "", ""
