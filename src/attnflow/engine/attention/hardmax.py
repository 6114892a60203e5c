from __future__ import annotations

from typing import ClassVar

import equinox as eqx
import jax.numpy as jnp

from ...errors import BadInput
from ..linalg.arguments import as_annotated, inside
from ..summation.kernel import Kernel, Link
from .base import Scored
from .relations import NotSelf
from .score import Score


class Argmax(Link):
    """All tokens within `ties` of the best score of the row."""

    ties: float = eqx.field(static=True)
    is_normalised: ClassVar[bool] = True

    def weigh(self, scores, axis=-1):
        top = jnp.max(scores, axis=axis, keepdims=True)
        return (scores >= top - self.ties).astype(scores.dtype)


FINEST = 1e-12
"""Scores that differ by less, against the largest possible, differ by rounding."""


class Hardmax(Scored):
    r"""Token $x$ follows the mean of the tokens it hears best, the limit $\beta\to\infty$ of softmax.

    $$C(x) = \arg\max_j \langle x, Bx_j\rangle$$

    Scores within `ties` of the best, relative to $|Qx|\max_j|Kx_j|$, count as equal. With `others=True` a token does not
    hear itself, as on the sphere, where nothing would move otherwise. Source: Geshkovski et al., arXiv 2312.10794 (9.5)
    and 2512.01868.

    >>> import attnflow as af
    >>> mu = af.Particles([[1.0, 0.0], [0.0, 1.0]])
    >>> af.attention_matrix(af.Flow(af.Sphere(), af.Hardmax()), mu).round(9).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    score: Score
    ties: float = eqx.field(static=True)
    others: bool = eqx.field(static=True)
    rescaled_weights: ClassVar[str | None] = "hard"

    @as_annotated
    def __init__(self, B=None, *, Q=None, K=None, ties=FINEST, others: bool = False):
        inside(ties, "ties", least=0, below=1)
        self.score, self.ties, self.others = Score(B, Q, K, 1.0), float(ties), bool(others)

    def kernel(self, x, mu):
        relations = (NotSelf.of(mu.n),) if self.others else ()
        queries, keys = self.score.queries(x), self.score.keys(mu.x)
        queries = _scaled(queries, jnp.max(jnp.linalg.norm(keys, axis=1)))
        # Scores are at most 1 in size; a token without mass is put far below them, at no cost in the product.
        silent = jnp.where(mu.mass > 0, 0, -4).astype(keys.dtype)
        queries = jnp.concatenate([queries, jnp.ones_like(queries[:, :1])], axis=1)
        keys = jnp.concatenate([keys, silent[:, None]], axis=1)
        return Kernel(queries, keys, mu.mass, Argmax(self.ties), relations=relations)

    def check(self, d, n):
        super().check(d, n)
        if self.others and n < 2:
            raise BadInput("Hardmax(others=True) needs at least two tokens")

    def why_not_rescaled(self):
        if self.others:
            return "hear themselves; with Hardmax(others=True) evolve the flow itself"
        wide = f"are tied up to rounding; with ties = {self.ties:g} evolve the flow itself, or leave ties out"
        return wide if self.ties > FINEST else None

    def why_not_mergeable(self):
        words = "tokens that do not hear themselves still hear their equals and cannot merge with them"
        return words if self.others else None


def _scaled(queries, largest_key):
    """Queries whose scores are at most 1: who is heard best does not depend on the length of a query."""
    size = jnp.linalg.norm(queries, axis=1, keepdims=True) * largest_key
    return queries / jnp.where(size > 0, size, 1)
