"""Masks and biases between positions, as a kernel reads them."""

from __future__ import annotations

from typing import ClassVar

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array

from ..summation.kernel import Relation


class Order(Relation):
    """Order of given positions: a token hears those at positions not after its own."""

    rows: Array
    columns: Array

    def bias(self, row, column):
        return _not_after(row, column)


class Prefix(Relation):
    """Causal order: a token hears itself and the tokens before it."""

    rows: Array
    columns: Array
    is_prefix: ClassVar[bool] = True

    @staticmethod
    def of(n: int) -> Prefix:
        return Prefix(jnp.arange(n), jnp.arange(n))

    def bias(self, row, column):
        return _not_after(row, column)


class Table(Relation):
    """Mask or bias given as a table of truth values or of score offsets."""

    rows: Array
    columns: None = None

    def bias(self, row, column):
        return jnp.where(row, 0.0, -jnp.inf) if row.dtype == bool else row


class NotSelf(Relation):
    """Mask of the diagonal: no token hears itself."""

    rows: Array
    columns: Array

    @staticmethod
    def of(n: int) -> NotSelf:
        return NotSelf(jnp.arange(n), jnp.arange(n))

    def bias(self, row, column):
        return jnp.where(column[None, :] == row[:, None], -jnp.inf, 0.0)


class Window(Relation):
    """Sliding window: a token hears those less than `width` places away; columns of −1 are always heard."""

    rows: Array
    columns: Array
    width: int = eqx.field(static=True)

    @staticmethod
    def of(n: int, width: int) -> Window:
        return Window(jnp.arange(n), jnp.arange(n), width)

    def bias(self, row, column):
        is_near = jnp.abs(row[:, None] - column[None, :]) < self.width
        return jnp.where(is_near | (column[None, :] < 0), 0.0, -jnp.inf)


class Distance(Relation):
    """Linear bias in the distance of positions (ALiBi)."""

    rows: Array
    columns: Array
    slope: Array

    def bias(self, row, column):
        return -self.slope * jnp.abs(row[:, None] - column[None, :])


def _not_after(row, column):
    return jnp.where(column[None, :] <= row[:, None], 0.0, -jnp.inf)
