"""Products with the pair kernel of a score, dense while that fits one block and tile by tile beyond."""

from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from ..summation.tiled import SINGLE_BLOCK, TILE_PAIRS, over_tiles

STORED_PAIRS = 2**24
"""Up to this many pairs (128 MB) a kernel that is used again and again is kept; beyond, tiles are formed anew."""


class Gram(eqx.Module):
    r"""The numbers $s_{ij} = \langle q_i, k_j\rangle + r_i + c_j$ for all pairs, in O(n + m) memory."""

    queries: Float[Array, "n k"]
    keys: Float[Array, "m k"]
    row: Float[Array, "n"]
    column: Float[Array, "m"]

    @property
    def is_one_block(self) -> bool:
        return self.queries.shape[0] * self.keys.shape[0] <= SINGLE_BLOCK

    def dense(self) -> Float[Array, "n m"]:
        return self.queries @ self.keys.T + self.row[:, None] + self.column

    def exponential(self):
        r"""The map $u \mapsto \sum_j e^{s_{ij}} u_j$."""
        return self.exponentials()[0]

    def exponentials(self):
        r"""The maps $u \mapsto \sum_j e^{s_{ij}} u_j$ and $u \mapsto \sum_i e^{s_{ij}} u_i$."""
        if self.queries.shape[0] * self.keys.shape[0] <= STORED_PAIRS:
            K = jnp.exp(self.dense())
            return lambda u: K @ u, lambda u: u @ K
        return self.exponential_sum, self.T.exponential_sum

    def exponential_sum(self, u: Float[Array, "m"]) -> Float[Array, "n"]:
        r"""$$\sum_j e^{s_{ij}} u_j$$"""
        return self._by_tiles(lambda s: jnp.exp(s) @ u)

    def reach(self) -> Float[Array, ""]:
        """No score is larger in size."""
        size = jnp.max(jnp.linalg.norm(self.queries, axis=1)) * jnp.max(jnp.linalg.norm(self.keys, axis=1))
        return size + jnp.max(jnp.abs(self.row)) + jnp.max(jnp.abs(self.column))

    def largest(self, is_heard: Bool[Array, "n"]) -> Float[Array, ""]:
        """The largest size of a score between tokens that are heard."""
        sizes = self._by_tiles(lambda s: jnp.max(jnp.abs(s) * is_heard, axis=1))
        return jnp.max(sizes * is_heard)

    def log_sum(self, offset: Float[Array, "m"]) -> Float[Array, "n"]:
        r"""$$\log\sum_j e^{s_{ij} + o_j}$$"""
        return self._by_tiles(lambda s: jax.nn.logsumexp(s + offset, axis=1))

    def _by_tiles(self, f):
        def rows(part):
            queries, row = part
            return f(queries @ self.keys.T + row[:, None] + self.column)

        return over_tiles(rows, (self.queries, self.row), self._tile())

    def _tile(self) -> int:
        n, m = self.queries.shape[0], self.keys.shape[0]
        return n if self.is_one_block else max(16, min(n, TILE_PAIRS // m))

    def scaled(self, share) -> Gram:
        """All numbers multiplied by one."""
        return Gram(share * self.queries, self.keys, share * self.row, share * self.column)

    @property
    def T(self) -> Gram:
        """The same pairs seen from the keys."""
        return Gram(self.keys, self.queries, self.column, self.row)
