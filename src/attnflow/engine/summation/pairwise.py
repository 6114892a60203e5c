"""Exact sums whose weights depend on their own score alone, in square tiles that stay in cache.

Where weights are symmetric or causal, half of all tiles suffice.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from .columns import Columns, times, turned_times
from .kernel import Kernel


def is_pairwise(kernel: Kernel) -> bool:
    """Whether the sums of this file apply: nothing but scores matters, or nothing but scores and causal order."""
    has_plain_scores = kernel.row is None and kernel.column is None
    return kernel.link.is_pointwise and has_plain_scores and (not kernel.relations or is_causal(kernel))


def is_causal(kernel: Kernel) -> bool:
    return len(kernel.relations) == 1 and kernel.relations[0].is_prefix


def sums_of_others(kernel: Kernel, columns: Columns, tile: int) -> Columns:
    r"""$$\sum_{j\ne i} \varphi(s_{ij})\,y_j$$ for weights that are symmetric."""
    return _symmetric(kernel, columns, tile, with_own=False)


def pairwise_sums(kernel: Kernel, columns: Columns, tile: int) -> Columns:
    r"""$$\sum_j \varphi(s_{ij})\,y_j$$ over all j that i hears."""
    if is_causal(kernel):
        return _causal(kernel, columns, tile)
    return _symmetric(kernel, columns, tile) if kernel.is_symmetric else _all(kernel, columns, tile)


def _all(kernel, columns, tile):
    speakers = _speakers(kernel, columns, tile)

    def rows(q):
        def hear(sums, speaker):
            k, y = speaker
            return _added(sums, times(kernel.link.weigh(q @ k.T), y)), None

        nothing = jax.tree.map(lambda y: jnp.zeros((len(q), *y.shape[1:]), y.dtype), columns)
        return jax.lax.scan(hear, nothing, speakers)[0]

    return _joined(jax.lax.map(jax.checkpoint(rows), _listeners(kernel, tile)), len(kernel.queries))


def _symmetric(kernel, columns, tile, *, with_own: bool = True):
    """The weights between two tiles serve both."""
    queries, (keys, speakers) = _listeners(kernel, tile), _speakers(kernel, columns, tile)
    turned = _turned(speakers)

    def pair(sums, ij):
        (there, back), (i, j) = sums, ij
        w = kernel.link.weigh(queries[i] @ keys[j].T)
        # A product wᵀ y is slow on CPUs; yᵀ w is not, so what flows back is summed transposed.
        return (
            _added(there, times(w, _at(speakers, j)), at=i),
            _added(back, turned_times(_at(turned, i), w), at=j),
        ), None

    def within(q, k, y):
        w = kernel.link.weigh(q @ k.T)
        return times(w if with_own else jnp.where(jnp.eye(len(w), dtype=bool), 0, w), y)

    own = jax.lax.map(lambda tile: within(*tile), (queries, keys, speakers))
    start = own, jax.tree.map(jnp.zeros_like, turned)
    (there, back), _ = jax.lax.scan(jax.checkpoint(pair), start, _indices(np.triu_indices(len(queries), 1)))
    return _joined(_added(there, _turned(back)), len(kernel.queries))


def _causal(kernel, columns, tile):
    """Tiles of later tokens are never weighed."""
    queries, (keys, speakers) = _listeners(kernel, tile), _speakers(kernel, columns, tile)
    is_heard = jnp.tril(jnp.ones((queries.shape[1],) * 2, bool))

    def diagonal(tile):
        q, k, y = tile
        return times(jnp.where(is_heard, kernel.link.weigh(q @ k.T), 0), y)

    def pair(sums, ij):
        i, j = ij
        return _added(sums, times(kernel.link.weigh(queries[i] @ keys[j].T), _at(speakers, j)), at=i), None

    own = jax.lax.map(diagonal, (queries, keys, speakers))
    sums, _ = jax.lax.scan(jax.checkpoint(pair), own, _indices(np.tril_indices(len(queries), -1)))
    return _joined(sums, len(kernel.queries))


def _at(tiles, i):
    return jax.tree.map(lambda a: a[i], tiles)


def _added(sums, more, *, at=...):
    return jax.tree.map(lambda a, b: a.at[at].add(b), sums, more)


def _turned(tiles):
    return jax.tree.map(lambda a: jnp.swapaxes(a, 1, 2) if a.ndim == 3 else a, tiles)


def _listeners(kernel, tile):
    return _tiles(kernel.queries, kernel.queries[-1:], tile)


def _speakers(kernel, columns, tile):
    """Keys and what is summed; what fills the last tile adds nothing, and has scores as finite as a token's."""
    tiled = jax.tree.map(lambda y: _tiles(y, jnp.zeros_like(y[-1:]), tile), columns)
    return _tiles(kernel.keys, kernel.keys[-1:], tile), tiled


def _tiles(a, last, most: int):
    """Equal tiles of at most so many rows, the last filled up with `last`."""
    count = -(-len(a) // most)
    size = -(-len(a) // count)
    filled = jnp.concatenate([a, jnp.broadcast_to(last, (count * size - len(a), *a.shape[1:]))])
    return filled.reshape(count, size, *a.shape[1:])


def _indices(pairs):
    return tuple(jnp.asarray(k) for k in pairs)


def _joined(tiles, n):
    return jax.tree.map(lambda a: a.reshape(-1, *a.shape[2:])[:n], tiles)
