r"""Sums over tight groups of tokens through their moments: O(n · groups) in any dimension.

With $q_i = \bar q_a + \varepsilon_i$ in group a and $k_j = \bar k_b + \delta_j$ in group b,
$$e^{\langle q_i, k_j\rangle} = e^{\langle\bar q_a, k_j\rangle}\,e^{\langle\varepsilon_i, \bar k_b\rangle}\,
e^{\langle\varepsilon_i, \delta_j\rangle},$$
and only the last factor, of second order in the width of groups, is expanded: $1 + \langle\varepsilon_i, \delta_j\rangle$.
"""

from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from .accuracy import Heard, repaired
from .kernel import Kernel
from .tiled import TILE_PAIRS, Tiled, over_tiles, prepare

BLOCK = 1024
"""Tokens of one group that are taken together."""

FEWEST = 32
"""Fewer tokens are not worth a group."""

MOST_GROUPS = 16
MOST_LOOSE = 1 / 16
"""The share of tokens outside of groups up to which condensed sums pay."""


class Grouping(eqx.Module):
    """Tight groups of tokens in blocks, and the tokens of none; lengths are filled up with n, so that few are compiled."""

    blocks: Int[Array, "b s"]
    owner: Int[Array, "b"]
    """The group of each block."""
    place: Int[Array, "n"]
    """Where each token stands in the blocks; behind them if it is in no group."""
    loose: Int[Array, "l"]
    """Tokens of no group."""
    count: int = eqx.field(static=True)
    tokens: int = eqx.field(static=True)


class Condensed(eqx.Module):
    """Sums in which tokens hear groups through their moments; those that could err by more than `tol` hear every token."""

    grouping: Grouping
    tol: float = eqx.field(static=True, default=1e-10)
    exact: Tiled = Tiled()

    def sum(self, kernel: Kernel, values: Float[Array, "m c"]) -> Float[Array, "n c"]:
        if not can_condense(kernel) or len(kernel.keys) != self.grouping.tokens:
            return self.exact.sum(kernel, values)
        return repaired(self.hear(kernel, values), kernel, values, self.exact)

    def hear(self, kernel: Kernel, values: Float[Array, "m c"]) -> Heard:
        """The sums with bounds of their errors, before any is recomputed."""
        kernel, groups = prepare(kernel, True), self.grouping
        spoken = kernel.mass[:, None] * jnp.concatenate([values, jnp.ones_like(values[:, :1])], axis=1)
        summed, squares = _through_moments(kernel, spoken, groups)
        if len(groups.loose):
            summed = (
                (summed + _of_loose(kernel, spoken, groups.loose))
                .at[groups.loose]
                .set(_to_loose(kernel, spoken, groups.loose), mode="drop")
            )
        means = summed[:, :-1] / summed[:, -1:]
        error = jnp.sum(squares * _farthest(means, values, groups), axis=1) / summed[:, -1]
        size = jnp.maximum(jnp.max(jnp.abs(means), axis=1), jnp.max(jnp.abs(values)))
        return Heard(means, jax.lax.stop_gradient(error / (self.tol * size)))


def can_condense(kernel: Kernel) -> bool:
    """Whether weights are exponentials of inner products between tokens and themselves, normalised by rows."""
    is_softmax = kernel.link.is_exponential and kernel.link.is_shift_free and kernel.is_bilinear
    is_plain = kernel.row is None and not kernel.relations
    return is_softmax and is_plain and len(kernel.queries) == len(kernel.keys)


def _through_moments(kernel: Kernel, spoken, groups: Grouping):
    r"""What groups say to the listeners of groups, zero for others; and bounds, group by group, of the weights left out.

    A weight lacks $w(e^g - 1 - g) \le w g^2 e^u/2$, $g = \langle\varepsilon_i, \delta_j\rangle$, $|g| \le u$; with δ among
    what is said, moments tell the sums of $w g^2$.
    """
    origins, centres, c = _middles(kernel.queries, groups), _middles(kernel.keys, groups), spoken.shape[1]
    # Before the loop, where XLA would evaluate it anew for every column.
    strengths = kernel.link.weigh(kernel.keys @ origins.T)

    def say(block):
        """What a block says to listeners at the origins, and how that grows with the distance from there."""
        tokens, group = block
        keys, strength = _taken(kernel.keys, tokens), _taken(strengths, tokens)
        said = jnp.where((tokens < groups.tokens)[:, None], _taken(spoken, tokens), 0)
        apart = jnp.where(said[:, -1:] > 0, keys - centres[group], 0)
        strong = strength[..., None] * jnp.concatenate([said, said[:, -1:] * apart], axis=1)[:, None]
        slopes = apart.T @ strong.reshape(len(keys), -1)
        return strength.T @ said, slopes.reshape(-1, *strong.shape[1:]), jnp.max(jnp.sum(apart**2, axis=1))

    levels, slopes, widths = jax.lax.map(jax.checkpoint(say), (groups.blocks, groups.owner))
    levels, slopes = jnp.swapaxes(_total(levels, groups), 0, 1), _total(slopes, groups)
    slopes = slopes.transpose(2, 1, 0, 3).reshape(groups.count, slopes.shape[1], -1)

    def hear(block):
        tokens, group = block
        away = _taken(kernel.queries, tokens) - origins[group]
        grown = (away @ slopes[group]).reshape(len(away), groups.count, -1)
        near, u = jnp.exp(away @ centres.T), jnp.sqrt(jnp.sum(away**2, axis=1) * jnp.max(widths))[:, None]
        squares = near * jnp.sum(grown[..., c:] * away[:, None], axis=-1)
        summed = jnp.sum(near[..., None] * (levels[group] + grown[..., :c]), axis=1)
        # Where u is not small, weights 1 + g may be none.
        return summed, jnp.where(u < 0.5, squares * jnp.exp(u) / 2, jnp.inf)

    found = jax.lax.map(jax.checkpoint(hear), (groups.blocks, groups.owner))
    return tuple(jnp.take(_flat(one), groups.place, axis=0, mode="fill", fill_value=0) for one in found)


def _farthest(means, values, groups: Grouping):
    """Bounds of the distances from what each listener hears to the values of each group."""
    middles = _middles(values, groups)
    apart = _taken(values, groups.blocks) - middles[groups.owner][:, None]
    squares = jnp.where(groups.blocks < groups.tokens, jnp.sum(apart**2, axis=-1), 0)
    radii = jax.ops.segment_max(jnp.max(squares, axis=1), groups.owner, groups.count)
    away = jnp.sum(means**2, axis=1, keepdims=True) + jnp.sum(middles**2, axis=1) - 2 * means @ middles.T
    # Padding is a group of no tokens, whose largest square is −inf.
    return jnp.sqrt(jnp.maximum(away, 0)) + jnp.sqrt(jnp.maximum(radii, 0))


def _middles(vectors, groups: Grouping):
    """The means of groups: where sums are expanded, so that derivatives need not follow them."""
    is_there = (groups.blocks < groups.tokens)[..., None]
    sums = _total(jnp.sum(jnp.where(is_there, _taken(vectors, groups.blocks), 0), axis=1), groups)
    return jax.lax.stop_gradient(sums / jnp.maximum(_total(jnp.sum(is_there, axis=1), groups), 1))


def _taken(rows, tokens):
    return jnp.take(rows, tokens, axis=0, mode="clip")


def _flat(blocks):
    return blocks.reshape(-1, blocks.shape[-1])


def _total(of_blocks, groups: Grouping):
    return jax.ops.segment_sum(of_blocks, groups.owner, groups.count)


def _of_loose(kernel: Kernel, spoken, loose):
    """What tokens outside of groups say to everybody."""
    keys, said = _taken(kernel.keys, loose), jnp.take(spoken, loose, axis=0, mode="fill", fill_value=0)
    return over_tiles(lambda q: kernel.link.weigh(q @ keys.T) @ said, kernel.queries, TILE_PAIRS // len(loose))


def _to_loose(kernel: Kernel, spoken, loose):
    """What everybody says to them."""
    listeners = _taken(kernel.queries, loose)
    size = max(16, TILE_PAIRS // len(spoken))
    return over_tiles(lambda q: kernel.link.weigh(q @ kernel.keys.T) @ spoken, listeners, size)


# ---- which tokens form groups ----------------------------------------------------------------------------------------


def grouped(x: np.ndarray, radius: float) -> Grouping | None:
    """Tokens within `radius` of the centres of heavy groups; None where too many belong to none."""
    n, most = len(x), MOST_LOOSE * len(x)
    free, members, lonely = np.arange(n), [], 0
    while len(free) and len(members) < MOST_GROUPS and lonely <= most / FEWEST:
        near = _within(x[free], x[free[0]], 2 * radius)
        near &= _within(x[free], x[free[near]].mean(axis=0), radius)
        if near.sum() >= FEWEST:
            members.append(free[near])
        else:
            near, lonely = np.arange(len(free)) == 0, lonely + 1
        free = free[~near]
    loose = np.setdiff1d(np.arange(n), np.concatenate(members)) if members else np.arange(n)
    return None if len(loose) > most else _grouping(n, members, loose)


def _within(x, centre, radius):
    return np.sum((x - centre) ** 2, axis=1) <= radius**2


def _grouping(n: int, members, loose) -> Grouping:
    count = 1 << (len(members) - 1).bit_length()
    blocks = np.full((n // BLOCK + count + 1, BLOCK), n)
    owner, row = np.zeros(len(blocks), int), 0
    for a, tokens in enumerate(members):
        for part in np.split(tokens, range(BLOCK, len(tokens), BLOCK)):
            blocks[row, : len(part)], owner[row], row = part, a, row + 1
    place = np.full(n + 1, blocks.size)
    place[blocks.ravel()[::-1]] = np.arange(blocks.size)[::-1]
    place[loose] = blocks.size
    filled = np.full(_rounded(len(loose)), n)
    filled[: len(loose)] = loose
    blocks, owner, place, filled = map(jnp.asarray, (blocks, owner, place[:n], filled))
    return Grouping(blocks, owner, place, filled, count, n)


def _rounded(length: int) -> int:
    """None, or the next power of four, at least 64."""
    return 0 if length == 0 else max(64, 4 ** int(np.ceil(np.log(length) / np.log(4))))
