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
from .tiled import Tiled, over_tiles, prepare

TILE = 512
"""Listeners per tile that hear tokens outside of groups."""

BLOCK = 1024
"""Tokens of one group that are taken together."""

FEWEST = 32
"""Fewer tokens are not worth a group."""

MOST_GROUPS = 16
MOST_LOOSE = 0.1
"""The share of tokens outside of groups up to which condensed sums pay."""


class Grouping(eqx.Module):
    """Tight groups of tokens in blocks, and the tokens of none; lengths are filled up with n, so that few are compiled."""

    blocks: Int[Array, "b s"]
    owner: Int[Array, "b"]
    """The group of each block."""
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
        columns = [values, jnp.sum(values**2, axis=1, keepdims=True), jnp.ones_like(values[:, :1])]
        spoken = kernel.mass[:, None] * jnp.concatenate(columns, axis=1)
        condensed, off = _through_moments(kernel, spoken, groups)
        summed = condensed + _of_loose(kernel, spoken, groups.loose)
        listeners = jnp.take(kernel.queries, groups.loose, axis=0, mode="clip")
        exactly = over_tiles(lambda q: kernel.link.weigh(q @ kernel.keys.T) @ spoken, listeners, TILE)
        summed = summed.at[groups.loose].set(exactly, mode="drop")
        heard = summed[:, :-1] / summed[:, -1:]
        means, squares = heard[:, :-1], heard[:, -1]
        # Weights off by a share of themselves move a mean by at most that share of the spread around it.
        spread = jnp.sqrt(jnp.maximum(squares - jnp.sum(means**2, axis=1), 0))
        size = jnp.maximum(jnp.max(jnp.abs(means), axis=1), jnp.max(jnp.abs(values)))
        return Heard(means, jax.lax.stop_gradient(off * spread / (self.tol * size)))


def can_condense(kernel: Kernel) -> bool:
    """Whether weights are exponentials of inner products between tokens and themselves, normalised by rows."""
    is_softmax = kernel.link.is_exponential and kernel.link.is_shift_free and kernel.is_bilinear
    is_plain = kernel.row is None and not kernel.relations
    return is_softmax and is_plain and len(kernel.queries) == len(kernel.keys)


def _through_moments(kernel: Kernel, spoken, groups: Grouping):
    """What groups say to the listeners of groups, and the largest error of a weight, as a share of it; zero for others."""
    is_there = (groups.blocks < groups.tokens)[..., None]
    origins, away = _apart(kernel.queries, groups, is_there)
    centres, apart = _apart(kernel.keys, groups, is_there)
    keys, turned = _in_blocks(kernel.keys, groups), jnp.swapaxes(apart, 1, 2)
    said = jnp.where(is_there, _in_blocks(spoken, groups), 0)

    def moments(origin):
        """What each group says to listeners at one place, and how that grows with the distance from there."""
        # Products of a batch of blocks are slower than those of one after the other.
        strength = kernel.link.weigh(keys @ origin)[..., None] * said
        slopes = jax.lax.map(lambda block: block[0] @ block[1], (turned, strength))
        return _total(jnp.sum(strength, axis=1), groups), _total(slopes, groups)

    levels, slopes = jax.lax.map(moments, origins)
    slopes = jnp.swapaxes(slopes, 1, 2).reshape(groups.count, turned.shape[1], -1)

    def heard(block):
        a, e = block
        from_all = levels[a] + (e @ slopes[a]).reshape(len(e), *levels[a].shape)
        return jnp.sum(jnp.exp(e @ centres.T)[..., None] * from_all, axis=1)

    found = jax.lax.map(jax.checkpoint(heard), (groups.owner, away))
    u = jnp.linalg.norm(away, axis=-1) * jnp.max(jnp.linalg.norm(apart, axis=-1))
    # |1 - (1 + u) e^{-u}| of scores at most u, over what is left of the sum of weights; wide groups mean nothing.
    off = u**2 / 2 * jnp.exp(u)
    off = jnp.where(u < 0.1, off / (1 - off), jnp.inf)
    scattered = lambda a, b: a.at[groups.blocks].set(b, mode="drop")  # noqa: E731
    return scattered(jnp.zeros_like(spoken), found), scattered(jnp.zeros(len(spoken), spoken.dtype), off)


def _apart(vectors, groups: Grouping, is_there):
    """The means of groups, and vectors in blocks relative to them."""
    blocks = jnp.where(is_there, _in_blocks(vectors, groups), 0)
    sizes = _total(jnp.sum(is_there, axis=1), groups)
    middles = jax.lax.stop_gradient(_total(jnp.sum(blocks, axis=1), groups) / jnp.maximum(sizes, 1))
    return middles, jnp.where(is_there, blocks - middles[groups.owner][:, None], 0)


def _in_blocks(rows, groups: Grouping):
    return jnp.take(rows, groups.blocks, axis=0, mode="clip")


def _total(of_blocks, groups: Grouping):
    return jax.ops.segment_sum(of_blocks, groups.owner, groups.count)


def _of_loose(kernel: Kernel, spoken, loose):
    """What tokens outside of groups say to everybody."""
    keys = jnp.take(kernel.keys, loose, axis=0, mode="clip")
    said = jnp.take(spoken, loose, axis=0, mode="fill", fill_value=0)
    return over_tiles(lambda q: kernel.link.weigh(q @ keys.T) @ said, kernel.queries, TILE)


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
    filled = np.full(_rounded(len(loose)), n)
    filled[: len(loose)] = loose
    return Grouping(jnp.asarray(blocks), jnp.asarray(owner), jnp.asarray(filled), count, n)


def _rounded(length: int) -> int:
    """The next power of four, at least 64."""
    return 64 if length <= 64 else 4 ** int(np.ceil(np.log(length) / np.log(4)))
