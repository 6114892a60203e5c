"""Exact sums whose weights depend on their own score alone, in square tiles that stay in cache.

Where weights are symmetric or causal, half of all tiles suffice.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from .kernel import Kernel

WIDE = 16
"""From so many columns on, the normaliser is a product of its own: one more column of a wide product costs more (measured,
2 cores)."""


def is_pairwise(kernel: Kernel) -> bool:
    """Whether the sums of this file apply: nothing but scores matters, or nothing but scores and causal order."""
    has_plain_scores = kernel.row is None and kernel.column is None
    return kernel.link.is_pointwise and has_plain_scores and (not kernel.relations or is_causal(kernel))


def is_causal(kernel: Kernel) -> bool:
    return len(kernel.relations) == 1 and kernel.relations[0].is_prefix


def sums_of_others(kernel: Kernel, columns: Float[Array, "n c"], tile: int) -> Float[Array, "n c"]:
    r"""$$\sum_{j\ne i} \varphi(s_{ij})\,y_j$$ for weights that are symmetric."""
    return _symmetric(kernel, columns, tile, with_own=False)


def pairwise_sums(kernel: Kernel, columns: Float[Array, "m c"], tile: int) -> Float[Array, "n c"]:
    r"""$$\sum_j \varphi(s_{ij})\,y_j$$ over all j that i hears."""
    if is_causal(kernel):
        return _causal(kernel, columns, tile)
    return _symmetric(kernel, columns, tile) if kernel.is_symmetric else _all(kernel, columns, tile)


def _all(kernel, columns, tile):
    speakers = _speakers(kernel, columns, tile)

    def rows(q):
        def hear(sums, speaker):
            k, y = speaker
            return sums + times(kernel.link.weigh(q @ k.T), y), None

        return jax.lax.scan(hear, jnp.zeros((len(q), columns.shape[1]), columns.dtype), speakers)[0]

    return _joined(jax.lax.map(jax.checkpoint(rows), _listeners(kernel, tile)), len(kernel.queries))


def _symmetric(kernel, columns, tile, *, with_own: bool = True):
    """The weights between two tiles serve both."""
    queries, (keys, speakers) = _listeners(kernel, tile), _speakers(kernel, columns, tile)
    turned = jnp.swapaxes(speakers, 1, 2)

    def pair(sums, ij):
        (there, back), (i, j) = sums, ij
        w = kernel.link.weigh(queries[i] @ keys[j].T)
        # A product wᵀ y is slow on CPUs; yᵀ w is not, so what flows back is summed transposed.
        return (there.at[i].add(times(w, speakers[j])), back.at[j].add(_turned_times(turned[i], w))), None

    def within(q, k, y):
        w = kernel.link.weigh(q @ k.T)
        return times(w if with_own else jnp.where(jnp.eye(len(w), dtype=bool), 0, w), y)

    own = jax.lax.map(lambda tile: within(*tile), (queries, keys, speakers))
    start = own, jnp.zeros_like(turned)
    (there, back), _ = jax.lax.scan(jax.checkpoint(pair), start, _indices(np.triu_indices(len(queries), 1)))
    return _joined(there + jnp.swapaxes(back, 1, 2), len(columns))


def _causal(kernel, columns, tile):
    """Tiles of later tokens are never weighed."""
    queries, (keys, speakers) = _listeners(kernel, tile), _speakers(kernel, columns, tile)
    is_heard = jnp.tril(jnp.ones((queries.shape[1],) * 2, bool))

    def diagonal(tile):
        q, k, y = tile
        return times(jnp.where(is_heard, kernel.link.weigh(q @ k.T), 0), y)

    def pair(sums, ij):
        i, j = ij
        return sums.at[i].add(times(kernel.link.weigh(queries[i] @ keys[j].T), speakers[j])), None

    own = jax.lax.map(diagonal, (queries, keys, speakers))
    sums, _ = jax.lax.scan(jax.checkpoint(pair), own, _indices(np.tril_indices(len(queries), -1)))
    return _joined(sums, len(columns))


def times(w, y):
    """w y; the barrier keeps the weights from being computed once for each of two products."""
    if y.shape[1] <= WIDE:
        return w @ y
    w = jax.lax.optimization_barrier(w)
    return jnp.concatenate([w @ y[:, :-1], (w @ y[:, -1])[:, None]], axis=1)


def _turned_times(y, w):
    if y.shape[0] <= WIDE:
        return y @ w
    w = jax.lax.optimization_barrier(w)
    return jnp.concatenate([y[:-1] @ w, (y[-1] @ w)[None]])


def _listeners(kernel, tile):
    return _tiles(kernel.queries, kernel.queries[-1:], tile)


def _speakers(kernel, columns, tile):
    """Keys and what is summed; what fills the last tile adds nothing, and has scores as finite as a token's."""
    return _tiles(kernel.keys, kernel.keys[-1:], tile), _tiles(columns, jnp.zeros_like(columns[-1:]), tile)


def _tiles(a, last, most: int):
    """Equal tiles of at most so many rows, the last filled up with `last`."""
    count = -(-len(a) // most)
    size = -(-len(a) // count)
    filled = jnp.concatenate([a, jnp.broadcast_to(last, (count * size - len(a), a.shape[1]))])
    return filled.reshape(count, size, a.shape[1])


def _indices(pairs):
    return tuple(jnp.asarray(k) for k in pairs)


def _joined(tiles, n):
    return tiles.reshape(-1, tiles.shape[2])[:n]
