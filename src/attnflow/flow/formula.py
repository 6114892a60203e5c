"""The equation of motion of a flow in LaTeX."""

from __future__ import annotations

from ..attention import L2, Attention, Hardmax, Heads, Linear, Relu, Sigmoid, Sinkhorn, Softmax, Unnormalised
from ..attention.masks import Causal, Positional
from ..spaces import Space, Sphere
from .normalisation import Normalisation, PostLN

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


def motion(space: Space, rule: Attention, *, normalisation, noise, feed_forward) -> str:
    """The equation of motion; empty where no formula is known for the rule."""
    push = _push(rule, has_feed_forward=feed_forward is not None)
    if not push:
        return ""
    project = r"\Pi_{x_i}" if isinstance(space, Sphere) else ""
    if noise is not None:
        return rf"dx_i = {project}\left({push}\right)dt + \sigma\,dW_i"
    if carries_radius(normalisation):
        return rf"\dot x_i = s_i\,{push},\qquad x_j \text{{ read as }} x_j/|x_j|"
    return rf"\dot x_i = {project}\left({push}\right)" if project else rf"\dot x_i = {push}"


def carries_radius(normalisation: Normalisation | None) -> bool:
    """Whether the scheme multiplies the output by a factor instead of projecting it."""
    return normalisation is not None and not isinstance(normalisation, PostLN)


def _push(rule: Attention, *, has_feed_forward: bool) -> str:
    if isinstance(rule, Heads):
        return r"V\sum_hV_h\sum_j w^h_{ij}x_j"
    span, inner = r"\sum_{j}", rule
    while isinstance(inner, Positional):
        span = r"\sum_{j\le i}" if isinstance(inner, Causal) else r"\sum_{j}^{\text{heard}}"
        inner = inner.rule
    weight = next((words for kind, words in WEIGHTS if isinstance(inner, kind)), "")
    if not weight:
        return ""
    more = r" + w\,\sigma(ax_i+b)" if has_feed_forward else ""
    return rf"V{span} {weight}\,x_j{more}"
