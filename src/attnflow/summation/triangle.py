"""Exact sums that look at each pair of tokens once: symmetric weights, and the weights of a causal mask."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ..kernel import Kernel


def symmetric_sums(kernel: Kernel, columns: Float[Array, "n c"], tile: int) -> Float[Array, "n c"]:
    r"""$$\sum_j \varphi(s_{ij})\,y_j$$ for $s_{ij} = s_{ji}$: the weights between two tiles serve both."""
    queries, keys, speakers = _tiles(kernel, columns, tile)
    turned = jnp.swapaxes(speakers, 1, 2)

    def pair(sums, ij):
        (there, back), (i, j) = sums, ij
        w = kernel.link.weigh(queries[i] @ keys[j].T)
        # A product wᵀ y is slow on CPUs; yᵀ w is not, so what flows back is summed transposed.
        return (there.at[i].add(w @ speakers[j]), back.at[j].add(turned[i] @ w)), None

    own = jax.lax.map(lambda t: kernel.link.weigh(t[0] @ t[1].T) @ t[2], (queries, keys, speakers))
    start = own, jnp.zeros_like(turned)
    (there, back), _ = jax.lax.scan(jax.checkpoint(pair), start, _indices(np.triu_indices(len(queries), 1)))
    return _rows(there + jnp.swapaxes(back, 1, 2), len(columns))


def causal_sums(kernel: Kernel, columns: Float[Array, "n c"], tile: int) -> Float[Array, "n c"]:
    r"""$$\sum_{j \le i} \varphi(s_{ij})\,y_j$$ without ever weighing a tile of later tokens."""
    queries, keys, speakers = _tiles(kernel, columns, tile)
    is_heard = jnp.tril(jnp.ones((queries.shape[1],) * 2, bool))

    def diagonal(tile):
        q, k, y = tile
        return jnp.where(is_heard, kernel.link.weigh(q @ k.T), 0) @ y

    def pair(sums, ij):
        i, j = ij
        return sums.at[i].add(kernel.link.weigh(queries[i] @ keys[j].T) @ speakers[j]), None

    own = jax.lax.map(diagonal, (queries, keys, speakers))
    sums, _ = jax.lax.scan(jax.checkpoint(pair), own, _indices(np.tril_indices(len(queries), -1)))
    return _rows(sums, len(columns))


def _tiles(kernel, columns, most: int):
    """Queries, keys and what is summed in equal tiles; what fills the last one adds nothing."""
    n = len(columns)
    count = -(-n // most)
    size = -(-n // count)

    def split(a, last):
        filled = jnp.concatenate([a, jnp.broadcast_to(last, (count * size - n, a.shape[1]))])
        return filled.reshape(count, size, a.shape[1])

    # Scores of a repeated token are finite wherever the others are.
    return (
        split(kernel.queries, kernel.queries[-1:]),
        split(kernel.keys, kernel.keys[-1:]),
        split(columns, jnp.zeros_like(columns[-1:])),
    )


def _indices(pairs):
    return tuple(jnp.asarray(k) for k in pairs)


def _rows(tiles, n):
    return tiles.reshape(-1, tiles.shape[2])[:n]
