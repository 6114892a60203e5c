"""The rules under which a Gaussian hears an affine field, and so stays Gaussian.

Source: Castin, Ablin, Carrillo, Peyré 2025 (arXiv 2501.18322); Sinkhorn and linear rows derived.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ..attention import L2, Attention, Heads, Linked, Sinkhorn, Softmax
from ..attention.linked import identity
from ..attention.masks import Biased, Causal, Masked
from ..matrices import dense
from .correlation import correlation, truncated
from .small import product, solve_positive


class Heard(NamedTuple):
    """The field c + Gx heard in N(α, LLᵀ): its value c + Gα at the mean and its change GX along listeners X."""

    centre: Float[Array, "d"]
    spread: Float[Array, "d r"]

    def through(self, V) -> Heard:
        V = dense(V, len(self.centre)).astype(self.centre.dtype)
        return Heard(product(V, self.centre[:, None])[:, 0], product(V, self.spread))


def hear(rule: Attention, mean: Float[Array, "d"], L: Float[Array, "d r"], X=None) -> Heard:
    """What N(mean, L Lᵀ) sounds like, before V, to listeners at mean and mean + X (columns; default L itself).

    Only Sinkhorn attention tells X = L from other listeners: its field is defined on the support of the law, and
    is taken constant across it.
    """
    match rule:
        case Softmax():
            return _softmax(rule.score, mean, L, L if X is None else X)
        case L2():
            return _l2(rule, mean, L, L if X is None else X)
        case Linked() if rule.link is identity:
            return _linear(rule.score, mean, L, L if X is None else X)
        case Sinkhorn():
            return _sinkhorn(rule, mean, L, X)
        case Heads():
            heard = [hear(head, mean, L, X).through(V) for head, V in rule.heads]
            return jax.tree.map(lambda *parts: sum(parts), *heard)
    raise ValueError(why_not_closed(rule))


def is_closed(rule: Attention) -> bool:
    """Whether a Gaussian stays Gaussian under the rule."""
    match rule:
        case Heads():
            return all(is_closed(head) for head, _ in rule.heads)
        case Sinkhorn():
            return rule.iterations is None or rule.iterations % 2 == 1
        case Linked():
            return rule.link is identity
    return isinstance(rule, Softmax | L2)


def why_not_closed(rule: Attention) -> str:
    name = type(rule).__name__
    match rule:
        case Masked() | Causal() | Biased():
            return f"{name} rules do not keep a Gaussian Gaussian; iid tokens move as under the rule without the mask"
        case Sinkhorn():
            return f"Sinkhorn stopped after {rule.iterations} half-steps ends on columns: use an odd number, or None"
        case Heads():
            return next(why_not_closed(head) for head, _ in rule.heads if not is_closed(head))
    return (
        f"{name} attention does not keep a Gaussian Gaussian; evolve Particles, "
        "or use evolve_projection for an approximation by moments"
    )


def _score_matrix(rule, mean):
    return (rule.score.beta * rule.score.B(len(mean))).astype(mean.dtype)


def _scores(score, X, Y):
    """The scores of listeners X with tokens Y (columns), through queries and keys: small scores keep their digits."""
    Q, K = score.weights if isinstance(score.weights, tuple) else (score.weights.T, None)
    queries = score.beta.astype(X.dtype) * _apply(Q, X)
    return product(queries.T, Y if K is None else _apply(K, Y))


def _apply(M, X):
    M = M.astype(X.dtype)
    return M * X if M.ndim == 0 else product(M, X)


def _softmax(score, mean, L, X) -> Heard:
    r"""Tilting $N(\alpha,\Sigma)$ by $e^{\langle b, y\rangle}$ moves its mean to $\alpha + \Sigma b$."""
    at_mean = _scores(score, mean[:, None], L)
    return Heard(mean + product(L, at_mean.T)[:, 0], product(L, _scores(score, X, L).T))


def _l2(rule, mean, L, X) -> Heard:
    r"""$$(I + 2\Sigma K^\top K)^{-1}(\alpha + 2\Sigma B^\top x)$$"""
    root = jnp.sqrt(rule.score.beta)
    Q, K = ((root * dense(M, len(mean))).astype(L.dtype) for M in rule.score.weights)
    KL, at_mean = product(K, L), product(Q - K, mean[:, None])
    inner = jnp.eye(L.shape[1], dtype=L.dtype) + 2 * product(KL.T, KL)
    heard = solve_positive(inner, product(KL.T, jnp.column_stack([at_mean, product(Q, X)])))
    along = 2 * product(L, heard)
    return Heard(mean + along[:, 0], along[:, 1:])


def _linear(score, mean, L, X) -> Heard:
    r"""$$(\Sigma + \alpha\alpha^\top) B^\top x$$"""
    tokens = jnp.column_stack([L, mean])
    return Heard(tokens @ _scores(score, mean[:, None], tokens)[0], tokens @ _scores(score, X, tokens).T)


def _sinkhorn(rule: Sinkhorn, mean, L, X) -> Heard:
    if rule.iterations is None:
        along = product(L, correlation(_scores(rule.score, L, L)).T)
        return Heard(mean, along if X is None else along @ (jnp.linalg.pinv(L) @ X))
    if rule.iterations % 2 == 0:
        raise ValueError(why_not_closed(rule))
    M = _score_matrix(rule, mean)
    start = M if rule.start == "distance" else jnp.zeros_like(M)
    return Heard(*truncated(M, mean, L, L if X is None else X, half_steps=rule.iterations, start=start))
