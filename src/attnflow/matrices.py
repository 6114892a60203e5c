"""Matrices as users give them: a number times the identity, an array, or a function of time."""

from __future__ import annotations

import math
from collections.abc import Callable
from numbers import Real
from typing import Any, TypeAlias

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer
from jaxtyping import Array, Float

Scheduled: TypeAlias = Any
"""An array, or a `Schedule` until it is read at a time by `at`; rules do their arithmetic only after that."""


class Schedule(eqx.Module):
    """A quantity that depends on time; an `equinox.Module` inside keeps its parameters differentiable."""

    value: Callable[[Any], Any]

    def __call__(self, t):
        return jnp.asarray(self.value(t))


def at(tree, t):
    """The same rule or flow with every schedule read at time t."""

    def is_schedule(leaf):
        return isinstance(leaf, Schedule)

    return jax.tree.map(lambda leaf: leaf(t) if is_schedule(leaf) else leaf, tree, is_leaf=is_schedule)


def is_scheduled(tree) -> bool:
    leaves = jax.tree.leaves(tree, is_leaf=lambda leaf: isinstance(leaf, Schedule))
    return any(isinstance(leaf, Schedule) for leaf in leaves)


def is_concrete(*values) -> bool:
    """Whether values may be looked at: tracers inside `jit`, `vmap` and `grad`, and shares of other hosts, may not."""
    return not any(isinstance(leaf, Tracer) or _is_elsewhere(leaf) for leaf in jax.tree.leaves(values))


def _is_elsewhere(leaf) -> bool:
    return isinstance(leaf, jax.Array) and not (leaf.is_fully_addressable or leaf.is_fully_replicated)


def is_number(value) -> bool:
    """Whether a value is, or may turn out to be, one finite number."""
    if not is_concrete(value):
        return True
    if not isinstance(value, Real | np.ndarray | Array) or getattr(value, "ndim", 0):
        return False
    return math.isfinite(float(value))


def is_positive(value) -> bool:
    return is_number(value) and (not is_concrete(value) or bool(value > 0))


def as_array(value, name: str) -> Array:
    """A finite floating array in the caller's precision."""
    try:
        array = jnp.asarray(value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be an array of numbers, got {type(value).__name__}: {error}") from None
    if jnp.issubdtype(array.dtype, jnp.complexfloating):
        raise ValueError(f"{name} must be real, got {array.dtype}")
    if not jnp.issubdtype(array.dtype, jnp.floating):
        array = array.astype(jnp.result_type(float))
    if is_concrete(array) and not np.all(np.isfinite(np.asarray(array))):
        raise ValueError(f"{name} must be finite, but contains NaN or infinity")
    return array


def as_number(value, name: str) -> Scheduled:
    if callable(value):
        return Schedule(value)
    array = as_array(value, name)
    if array.ndim:
        raise ValueError(f"{name} must be a single number or a function of t, got an array of shape {array.shape}")
    return array


def as_matrix(value, name: str, square: bool = True) -> Scheduled:
    """A 0-d array for a multiple of the identity, a 2-d array, or a `Schedule`."""
    if callable(value):
        return Schedule(value)
    array = as_array(value, name)
    if array.ndim not in (0, 2):
        raise ValueError(f"{name} must be a number or a matrix, got an array of shape {array.shape}")
    if square and array.ndim == 2 and array.shape[0] != array.shape[1]:
        raise ValueError(f"{name} must be square, got shape {array.shape}")
    return array


def times(M: Array, x: Float[Array, "*n d"]) -> Float[Array, "*n c"]:
    """The rows M x_i, in the precision of x."""
    M = M.astype(x.dtype)
    return M * x if M.ndim == 0 else x @ M.T


def dense(M: Array, d: int) -> Float[Array, "k d"]:
    """The full matrix that a number stands for."""
    return M * jnp.eye(d, dtype=M.dtype) if M.ndim == 0 else M
