"""Rows of unit length."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np


def unit_rows(x):
    r"""The directions $x_i/|x_i|$ of the rows of an array of shape (…, d); NumPy arrays stay NumPy arrays."""
    xp = np if isinstance(x, np.ndarray) else jnp
    return x / xp.linalg.norm(x, axis=-1, keepdims=True)
