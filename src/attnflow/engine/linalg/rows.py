"""Rows of arrays: of unit length, or some of many."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

MOST = {"float16": 14, "bfloat16": 125, "float32": 125, "float64": 1021}
"""Exponents of two whose inverse is a normal number."""


def unit_rows(x):
    r"""The directions $x_i/|x_i|$ of the rows of an array of shape (…, d), of any size; NumPy arrays stay NumPy arrays."""
    xp = np if isinstance(x, np.ndarray) else jnp
    x = xp.asarray(x)
    x = x if xp.issubdtype(x.dtype, xp.floating) else x.astype(float)
    x = x * _power_of_two(xp, x)
    return x / xp.linalg.norm(x, axis=-1, keepdims=True)


def _power_of_two(xp, x):
    """Factors that bring rows near length 1 without rounding them, so that squares neither overflow nor vanish."""
    largest = xp.max(xp.abs(x), axis=-1, keepdims=True)
    if xp is jnp:
        return _inverse_power(jax.lax.stop_gradient(largest))
    exponent = np.clip(np.frexp(largest)[1], -MOST[x.dtype.name], MOST[x.dtype.name])
    return np.ldexp(np.ones_like(largest), -exponent)


def _inverse_power(a):
    """2^-k for a in [2^(k-1), 2^k), by its bits: XLA's frexp and ldexp take longer than the rest of a retraction."""
    kind, most, whole = jnp.finfo(a.dtype), MOST[a.dtype.name], jnp.dtype(f"int{8 * a.dtype.itemsize}")
    bias = 1 - kind.minexp
    k = jax.lax.bitcast_convert_type(a, whole) >> kind.nmant
    inverse = jnp.clip(2 * bias - 1 - k, bias - most, bias + most) << kind.nmant
    return jax.lax.bitcast_convert_type(inverse, a.dtype)


def taken(a, index, *, axis: int = 0):
    """Entries of a known array along an axis, by NumPy: JAX would compile for every number of them.

    What is shared out over several devices stays there.
    """
    if isinstance(a, jax.Array) and len(a.sharding.device_set) > 1:
        return jnp.take(a, index, axis=axis)
    return jax.device_put(np.take(np.asarray(a), index, axis=axis))
