"""Error estimate of a fast sum for every listener, and an exact sum for those where it fails.

A Fourier sum errs by a small part of the *total* weight, so a listener whose own weights add up to little hears noise.
Its normaliser tells: the estimate is (total weight / normaliser) × (error of the transform).
"""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from ...errors import Notice
from .fourier import Plan, exponential_sum
from .kernel import Kernel
from .tiled import TILE_PAIRS

MANY = 0.1
"""The share of tokens summed exactly beyond which the user is told."""


class Heard(NamedTuple):
    """A sum for every listener with the estimated error of its largest entry, in units of what is allowed."""

    sums: Float[Array, "n c"]
    excess: Float[Array, "n"]

    @property
    def is_wrong(self) -> Bool[Array, "n"]:
        # Written so that NaN counts as wrong.
        return ~(self.excess <= 1)


def attempt(plan: Plan, kernel: Kernel, values: Float[Array, "m c"], tol: float) -> Heard:
    """The fast sum and its estimated error; allowed is tol × the larger of what is heard and the mean size of values."""
    columns = kernel.mass[:, None] * jnp.concatenate([values, jnp.ones_like(values[:, :1])], axis=1)
    offsets = jnp.zeros_like(kernel.mass) if kernel.column is None else kernel.column
    summed = exponential_sum(jax.lax.stop_gradient(plan), kernel.queries, kernel.keys, offsets, columns)
    excess, is_positive = _excess(*jax.lax.stop_gradient((plan, kernel, values, summed)), tol)
    if kernel.link.is_normalised:
        return Heard(summed[:, :-1] / jnp.where(is_positive, summed[:, -1], 1)[:, None], excess)
    return Heard(summed[:, :-1] * _scale(plan, kernel)[:, None], excess)


def _excess(plan, kernel, values, summed, tol):
    normaliser = summed[:, -1]
    is_positive = normaliser > 0
    weight = plan.strengths * kernel.mass
    size = jnp.max(jnp.abs(values), axis=1)
    heard = jnp.max(jnp.abs(summed[:, :-1]), axis=1) / jnp.where(is_positive, normaliser, 1)
    noise = plan.error * (weight @ size + heard * jnp.sum(weight)) / jnp.where(is_positive, normaliser, 1)
    usual = kernel.mass @ size / jnp.sum(kernel.mass)
    allowed = tol * jnp.maximum(heard, usual)
    error = noise + plan.relative * jnp.maximum(heard, usual)
    return jnp.where(is_positive, error / allowed, jnp.inf), is_positive


def _scale(plan, kernel):
    row = 0 if kernel.row is None else kernel.row
    return jnp.exp(jax.lax.stop_gradient(plan.log_scale) + row)


def better(one: Heard, other: Heard) -> Heard:
    """For every listener the sum with the smaller estimated error."""
    is_first = one.excess <= other.excess
    return Heard(jnp.where(is_first[:, None], one.sums, other.sums), jnp.where(is_first, one.excess, other.excess))


def repaired(heard: Heard, kernel: Kernel, values: Float[Array, "m c"], exact: Any) -> Float[Array, "n c"]:
    """The same sums, recomputed exactly where they are wrong; the cost grows with the number of such listeners."""
    n, m = kernel.queries.shape[0], kernel.keys.shape[0]
    size = max(16, min(n, TILE_PAIRS // m))
    count = -(-n // size)

    def recompute():
        _tell_if_many(heard.is_wrong)
        order = jnp.argsort(~heard.is_wrong, stable=True)
        places = jnp.pad(order, (0, count * size - n), mode="edge").reshape(count, size)
        tiles = jax.lax.map(jax.checkpoint(one_tile), places)
        return heard.sums.at[order].set(tiles.reshape(count * size, -1)[:n])

    def one_tile(places):
        return jax.lax.cond(
            heard.is_wrong[places[0]],
            lambda: exact.sum(listeners_at(kernel, places), values),
            lambda: heard.sums[places],
        )

    return jax.lax.cond(jnp.any(heard.is_wrong), recompute, lambda: heard.sums)


def listeners_at(kernel: Kernel, places) -> Kernel:
    row = None if kernel.row is None else kernel.row[places]
    return replace(kernel, queries=kernel.queries[places], row=row, is_symmetric=False)


def _tell_if_many(is_wrong) -> None:
    """Say, also from compiled code, that a fast sum has become an exact one."""
    n, count = is_wrong.shape[0], jnp.sum(is_wrong)

    def warn(count):
        # In a batch both branches run, so the count is looked at again.
        if count > MANY * n:
            warnings.warn(
                # The same words at every step of a run, so that they are said once.
                f"fast sums could not hold their tolerance for more than {MANY:.0%} of {n} tokens, summed exactly; "
                'if this is slow, loosen tol or use summation="exact"',
                Notice,
                stacklevel=2,
            )

    jax.lax.cond(count > MANY * n, lambda: jax.debug.callback(warn, count), lambda: None)
