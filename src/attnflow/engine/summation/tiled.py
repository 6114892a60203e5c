"""Exact summation over all tokens, a tile of listeners at a time: O(n) memory, any rule."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from ..special.shifted_exponential import bounded_exp
from .columns import columns_of, means_of, scaled, sums_of, times, turned_times
from .kernel import Kernel, Link, log_mass
from .pairwise import is_causal, is_pairwise, pairwise_sums

SINGLE_BLOCK = 2048 * 2048
"""Up to this many pairs one dense block is faster than a loop over tiles (measured, 2 cores)."""

TILE_PAIRS = 2**23
"""Pairs per tile beyond that (measured, 2 cores)."""

TILE_ROWS, TILE_ROWS_TURNED = 512, 256
"""Most listeners per tile; and where listeners lie along the minor axis (measured, 2 cores)."""

WORTH_BOUNDING = 512
"""From so many keys on, leaving out the maxima of rows pays for a look at the scores (measured, 2 cores)."""

SQUARE_TILE = 1024
"""Listeners and speakers per tile where weights depend on their own score alone (measured, 2 cores)."""


class Tiled(eqx.Module):
    """Exact summation. `tile` fixes the listeners per tile; `is_bounded` promises scores that cannot overflow."""

    tile: int | None = eqx.field(static=True, default=None)
    is_bounded: bool = eqx.field(static=True, default=False)

    def sum(self, kernel: Kernel, values: Float[Array, "m c"]) -> Float[Array, "n c"]:
        r"""$$\sum_j w_{ij} y_j$$ with the normaliser folded into the same product."""
        if self.is_bounded or not _is_worth_bounding(kernel, self.tile or WORTH_BOUNDING):
            return self._sum(prepare(kernel, self.is_bounded), values)
        return jax.lax.cond(
            for_all_members(is_bounded(kernel)),
            lambda: self._sum(prepare(kernel, True), values),
            lambda: self._sum(kernel, values),
        )

    def _sum(self, kernel: Kernel, values):
        columns = columns_of(values)
        if kernel.keys.shape[0] > (tile := self.tile or SQUARE_TILE) and is_pairwise(kernel):
            return _attend_in_squares(kernel, columns, tile)
        if (size := self._size(kernel)) < kernel.queries.shape[0] and _is_turnable(kernel):
            return over_tiles(lambda queries: _attend_turned(kernel, queries, columns), kernel.queries, size)
        return over_tiles(lambda rows: _attend(kernel, rows, columns), kernel.listeners(), size)

    def _size(self, kernel: Kernel) -> int:
        n, m = kernel.queries.shape[0], kernel.keys.shape[0]
        if self.tile is not None:
            return min(self.tile, n)
        if n * m <= SINGLE_BLOCK:
            return n
        return min(TILE_ROWS_TURNED if _is_turnable(kernel) else TILE_ROWS, max(16, TILE_PAIRS // m))


def over_tiles(f, listeners, size: int):
    """Apply f to tiles of listeners and put the results in one array, recomputing tiles in reverse mode."""
    n = jax.tree.leaves(listeners)[0].shape[0]
    if size >= n:
        return f(listeners)
    count = -(-n // size)
    padded = jax.tree.map(lambda a: _split(a, count, size), listeners)
    out = jax.lax.map(jax.checkpoint(f), padded)
    return jax.tree.map(lambda a: a.reshape(count * size, *a.shape[2:])[:n], out)


def _split(a, count, size):
    extra = count * size - a.shape[0]
    padded = jnp.concatenate([a, jnp.broadcast_to(a[-1:], (extra, *a.shape[1:]))]) if extra else a
    return padded.reshape(count, size, *a.shape[1:])


class Shifted(Link):
    """Exponentials of scores known to reach at most `top` and not to stay far below it: no row maximum is needed."""

    top: Float[Array, ""]
    is_normalised: ClassVar[bool] = True
    is_pointwise: ClassVar[bool] = True

    def weigh(self, scores, axis=-1):
        return bounded_exp(scores - self.top)


def prepare(kernel: Kernel, is_bounded: bool) -> Kernel:
    """For bounded scores, one upper bound of all of them, and offsets of columns moved into the masses."""
    if not (is_bounded and _is_softmax(kernel)) or kernel.row is not None:
        return kernel
    kernel = replace(kernel, link=Shifted(_top(kernel)))
    if kernel.column is None:
        return kernel
    level = kernel.column - jax.lax.stop_gradient(jnp.max(kernel.column))
    return replace(kernel, mass=kernel.mass * jnp.exp(level), column=None)


def is_bounded(kernel: Kernel) -> Bool[Array, ""]:
    """Whether no row can underflow: its best score lies within twice the Cauchy–Schwarz bound of the highest possible."""
    level = jax.lax.stop_gradient(log_mass(kernel.mass) + (0 if kernel.column is None else kernel.column))
    heard = level > -jnp.inf
    uneven = jnp.max(level) - jnp.min(jnp.where(heard, level, jnp.inf))
    return 2 * _top(kernel) + uneven < room(level.dtype)


def room(dtype) -> float:
    """Exponentials of numbers above minus this are normal, with some digits to spare for sums."""
    return -math.log(float(jnp.finfo(dtype).tiny)) - 20


@jax.custom_batching.custom_vmap
def for_all_members(flag: Bool[Array, ""]) -> Bool[Array, ""]:
    """One answer for a whole batch: with one for each member, `vmap` would compute both branches."""
    return flag


@for_all_members.def_vmap
def _for_all_members(axis_size, in_batched, flag):
    return (jnp.all(flag, axis=0) if in_batched[0] else flag), False


def _is_worth_bounding(kernel: Kernel, least: int) -> bool:
    """Whether a look at the scores may pay: many pairs, and rows that hear at least themselves."""
    is_plain = kernel.row is None and (not kernel.relations or is_causal(kernel))
    return _is_softmax(kernel) and is_plain and kernel.keys.shape[0] >= least


def _is_softmax(kernel: Kernel) -> bool:
    return kernel.link.is_exponential and kernel.link.is_shift_free and kernel.is_bilinear


def _top(kernel: Kernel):
    """The Cauchy–Schwarz bound of all scores."""
    return jax.lax.stop_gradient(_longest(kernel.queries) * _longest(kernel.keys))


def _longest(vectors):
    return jnp.sqrt(jnp.max(jnp.sum(vectors**2, axis=1)))


def _attend_in_squares(kernel: Kernel, columns, tile: int):
    if kernel.link.is_normalised:
        return means_of(pairwise_sums(kernel, scaled(columns, kernel.mass), tile))
    summed = pairwise_sums(kernel, scaled((sums_of(columns),), kernel.mass), tile)[0]
    return summed / jnp.cumsum(kernel.mass)[:, None] if kernel.relations and kernel.average else summed


def _attend(kernel: Kernel, listeners, columns):
    scores = kernel.scores(listeners)
    if kernel.link.is_shift_free:
        summed = times(kernel.link.weigh(scores + log_mass(kernel.mass)), columns)
    else:
        summed = times(kernel.link.weigh(scores), scaled(columns, kernel.mass))
    return means_of(summed) if kernel.link.is_normalised else sums_of(summed) / _share_heard(kernel, scores)[:, None]


def _is_turnable(kernel: Kernel) -> bool:
    """Whether each weight depends on its whole row: a maximum over rows is slow, one over columns is not."""
    return not kernel.link.is_pointwise and not kernel.relations and kernel.row is None


def _attend_turned(kernel: Kernel, queries, columns):
    scores = kernel.turned_scores(queries)
    if kernel.link.is_shift_free:
        w = kernel.link.weigh(scores + log_mass(kernel.mass)[:, None], axis=0)
    else:
        w, columns = kernel.link.weigh(scores, axis=0), scaled(columns, kernel.mass)
    return means_of(_upright(turned_times(_upright(columns), w)))


def _upright(columns):
    return jax.tree.map(jnp.transpose, columns)


def _share_heard(kernel: Kernel, scores):
    """The mass an unnormalised row is averaged over: all of it unless something is masked."""
    if not (kernel.relations and kernel.average):
        return jnp.ones(scores.shape[0], scores.dtype)
    return kernel.heard(scores) @ kernel.mass


def weights(kernel: Kernel) -> Float[Array, "n m"]:
    """The weights themselves: O(n m) memory, for those who ask for the matrix."""
    scores = kernel.scores(kernel.listeners())
    if kernel.link.is_shift_free:
        rows = kernel.link.weigh(scores + log_mass(kernel.mass))
    else:
        rows = kernel.link.weigh(scores) * kernel.mass
    total = rows.sum(axis=-1) if kernel.link.is_normalised else _share_heard(kernel, scores)
    return rows / total[:, None]
