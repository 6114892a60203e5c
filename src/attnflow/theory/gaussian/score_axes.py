"""Change of basis in which directions that no score sees are coordinate axes.

Limits of low rank live where scores vanish. In general coordinates a vanishing score is a difference of large numbers,
and its rounding error, times t = 1e8, is a false force; in these coordinates it is a product of small ones.
"""

from __future__ import annotations

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from ...engine.attention import Heads
from ...engine.attention.heads import product_of
from ...engine.attention.score import Score
from ...engine.flow import Flow
from ...engine.linalg.matrices import dense, is_scheduled


def seen_axes(flow: Flow, d: int) -> tuple[Float[Array, "d d"], Float[Array, "d"]]:
    """An orthogonal basis T, the directions that scores see first, and which of its columns those are."""
    if is_scheduled(flow):
        return jnp.eye(d), jnp.ones(d)
    parts = [_unit(dense(M, d)) for score in scores_of(flow.attention) for M in _sides(score)]
    _, sizes, axes = jnp.linalg.svd(jnp.concatenate(parts))
    count = jnp.sum(sizes > 10 * d * jnp.finfo(sizes.dtype).eps)
    return axes.T, (jnp.arange(d) < count).astype(sizes.dtype)


def turned(flow: Flow, T: Float[Array, "d d"], seen: Float[Array, "d"]) -> Flow:
    r"""The flow of $T^\top x$; scores are exactly zero along unseen axes."""
    if is_scheduled(flow):
        return flow
    flow = eqx.tree_at(lambda f: (f.attention, f.V), flow, (_rule(flow.attention, T, seen), _conjugate(flow.V, T)))
    if flow.feed_forward is None:
        return flow
    w, a = T.T @ dense(flow.feed_forward.w, len(T)), dense(flow.feed_forward.a, len(T)) @ T
    return eqx.tree_at(lambda f: (f.feed_forward.w, f.feed_forward.a), flow, (w, a))


def _rule(rule, T, seen):
    if isinstance(rule, Heads):
        heads = tuple((_rule(head, T, seen), _conjugate(product_of(V), T)) for head, V in rule.heads)
        return eqx.tree_at(lambda r: r.heads, rule, heads)
    weights, d = rule.score.weights, len(T)
    if isinstance(weights, tuple):
        new = tuple((dense(M, d) @ T) * seen for M in weights)
    else:
        new = seen[:, None] * _conjugate(weights, T) * seen if weights.ndim else weights
    return eqx.tree_at(lambda r: r.score.weights, rule, new)


def scores_of(rule) -> list[Score]:
    """The scores of a rule, one for each head."""
    return [score for head, _ in rule.heads for score in scores_of(head)] if isinstance(rule, Heads) else [rule.score]


def _sides(score):
    """Matrices whose common kernel no score sees."""
    return score.weights if isinstance(score.weights, tuple) else (score.weights, score.weights.T)


def _unit(M):
    size = jnp.linalg.norm(M)
    return M / jnp.where(size > 0, size, 1)


def _conjugate(M, T):
    return T.T @ M @ T if M.ndim else M
