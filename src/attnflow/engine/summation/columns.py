"""What is summed: values, and beside them the ones whose sum is the normaliser.

Few values share one product with the ones. Beside many, the ones are a product of their own: one more column would cost more,
and arrays of 2^k + 1 columns would be copied at every tile (measured, 2 cores).
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

WIDE = 16
"""From so many values on the normaliser is apart."""

Columns = tuple[Float[Array, "*n c"]] | tuple[Float[Array, "*n c"], Float[Array, "*n"]]


def columns_of(values: Float[Array, "m c"]) -> Columns:
    """Values and ones."""
    if values.shape[1] < WIDE:
        return (jnp.concatenate([values, jnp.ones_like(values[:, :1])], axis=1),)
    return values, jnp.ones_like(values[:, 0])


def scaled(columns: Columns, mass: Float[Array, "m"]) -> Columns:
    """Each row times its mass."""
    return jax.tree.map(lambda y: y * (mass[:, None] if y.ndim == 2 else mass), columns)


def times(w: Float[Array, "n m"], columns: Columns) -> Columns:
    """w y; the barrier keeps the weights from being computed once for each of two products."""
    w = w if len(columns) == 1 else jax.lax.optimization_barrier(w)
    return jax.tree.map(lambda y: w @ y, columns)


def turned_times(columns: Columns, w: Float[Array, "m n"]) -> Columns:
    """yᵀ w of columns that lie as rows."""
    w = w if len(columns) == 1 else jax.lax.optimization_barrier(w)
    return jax.tree.map(lambda y: y @ w, columns)


def sums_of(columns: Columns) -> Float[Array, "n c"]:
    """The sums of the values alone."""
    return columns[0][:, :-1] if len(columns) == 1 else columns[0]


def means_of(columns: Columns) -> Float[Array, "n c"]:
    """The sums of the values over the normaliser."""
    total = columns[0][:, -1:] if len(columns) == 1 else columns[1][:, None]
    return sums_of(columns) / total
