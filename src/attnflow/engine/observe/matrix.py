"""Statistics of an attention matrix: rank, entropy of its rows, sums of its columns."""

from __future__ import annotations

from dataclasses import dataclass

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from ...errors import BadInput, quoted
from ..flow import AnyFlow, attention_matrix, check_fits
from ..linalg.arguments import as_annotated
from ..linalg.matrices import at
from ..measures import Particles
from ..summation.tiled import SINGLE_BLOCK, TILE_PAIRS, over_tiles, weights


@dataclass(frozen=True)
class Rank:
    """The number of singular values above `tol` times the largest, and the ratio across the cut that makes it."""

    rank: int
    tol: float
    gap: float
    """Smallest kept over largest dropped singular value; near 1, the rank hangs on the tolerance."""
    singular_values: np.ndarray


@as_annotated
def matrix_rank(P: ArrayLike, *, tol: float | None = None) -> Rank:
    """The numerical rank of a matrix at a relative tolerance.

    By default that of NumPy, n times machine precision, used in the published rank figures of Geshkovski et al. 2023.
    """
    P = np.asarray(P)
    if P.ndim != 2:
        raise BadInput(f"the rank is of one matrix, got shape {P.shape}; take one head at a time")
    s = np.linalg.svd(P.astype(np.float64), compute_uv=False)
    cut = max(P.shape) * float(np.finfo(np.float64).eps) if tol is None else float(tol)
    if not 0 < cut < 1:
        raise BadInput(f"tol must lie between 0 and 1, as a share of the largest singular value, got {quoted(tol)}")
    rank = int(np.sum(s > cut * s[0]))
    gap = np.inf if rank in (0, len(s)) or s[rank] == 0 else float(s[rank - 1] / s[rank])
    return Rank(rank, cut, gap, s)


class Listening(eqx.Module):
    """How each token listens, one entry per token."""

    entropy: jax.Array
    r"""$-\sum_j p_{ij}\log p_{ij}$ of the weights as shares of their row."""
    self_weight: jax.Array
    """The share of its own weight."""
    n_eff: jax.Array
    r"""$1/\sum_j p_{ij}^2$: how many tokens it effectively hears."""
    gap: jax.Array
    """The largest share minus the second largest."""

    @property
    def perplexity(self) -> jax.Array:
        return jnp.exp(self.entropy)


@as_annotated
def listening(flow: AnyFlow, mu: Particles, *, t: ArrayLike = 0.0) -> Listening:
    """How narrowly each token listens, without forming the attention matrix: O(n) memory."""
    check_fits(flow, mu)
    rule = at(flow.attention, jnp.asarray(t))
    return _listening(rule, flow.space, mu)


def rows_listening(P) -> Listening:
    """The same, read off an attention matrix (token i in row i)."""
    P = jnp.asarray(P)
    return _of_rows(P, jnp.diagonal(P))


@eqx.filter_jit
def _listening(rule, space, mu):
    mu = mu.moved_to(space.retract(mu.x))
    kernel = rule.kernel(mu.x, mu)
    own = jnp.arange(mu.n)

    def tile(rows):
        listeners, index = rows
        part = weights(_only(kernel, listeners))
        return _of_rows(part, jnp.take_along_axis(part, index[:, None], axis=1)[:, 0])

    size = mu.n if mu.n**2 <= SINGLE_BLOCK else max(16, TILE_PAIRS // mu.n)
    return over_tiles(tile, (kernel.listeners(), own), size)


def _only(kernel, listeners):
    """The kernel of a tile of listeners."""
    queries, row, places = listeners
    relations = tuple(eqx.tree_at(lambda r: r.rows, relation, p) for relation, p in zip(kernel.relations, places))
    return eqx.tree_at(
        lambda k: (k.queries, k.row, k.relations),
        kernel,
        (queries, row, relations),
        is_leaf=lambda leaf: leaf is None,
    )


def _of_rows(P, own):
    total = jnp.sum(jnp.abs(P), axis=1)
    share = jnp.abs(P) / total[:, None]
    top = jax.lax.top_k(share, min(2, share.shape[1]))[0]
    second = top[:, 1] if top.shape[1] > 1 else jnp.zeros_like(top[:, 0])
    entropy = -jnp.sum(jax.scipy.special.xlogy(share, share), axis=1)
    return Listening(entropy, jnp.abs(own) / total, 1 / jnp.sum(share**2, axis=1), top[:, 0] - second)


@dataclass(frozen=True)
class ColumnSums:
    r"""Sorted column sums $\sum_i m_i P_{ij}/m_j$ and their distance from 1."""

    sums: np.ndarray
    largest_gap: float
    mean_gap: float
    r"""$\sum_j m_j|\text{sum}_j - 1|$; no normalisation of rows or columns increases it."""


@as_annotated
def column_sums(flow: AnyFlow, mu) -> ColumnSums:
    """The profile of what tokens are heard: all 1 for converged Sinkhorn attention.

    Source: Sander et al. 2022 (arXiv 2110.11773), fig. 2.
    """
    P, mass = np.asarray(attention_matrix(flow, mu)), np.asarray(mu.mass)
    if P.ndim != 2:
        raise BadInput(f"column sums are of one head; there are {len(P)}")
    sums = (mass @ P)[mass > 0] / mass[mass > 0]
    gaps = np.abs(sums - 1)
    return ColumnSums(np.sort(sums), float(gaps.max()), float(mass[mass > 0] @ gaps))
