"""Rows of arrays: of unit length, or some of many."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np


def unit_rows(x):
    r"""The directions $x_i/|x_i|$ of the rows of an array of shape (…, d); NumPy arrays stay NumPy arrays."""
    xp = np if isinstance(x, np.ndarray) else jnp
    return x / xp.linalg.norm(x, axis=-1, keepdims=True)


def taken(a, index, *, axis: int = 0):
    """Entries of a known array along an axis, by NumPy: JAX would compile for every number of them.

    What is shared out over several devices stays there.
    """
    if isinstance(a, jax.Array) and len(a.sharding.device_set) > 1:
        return jnp.take(a, index, axis=axis)
    return jax.device_put(np.take(np.asarray(a), index, axis=axis))
