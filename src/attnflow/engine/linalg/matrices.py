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

from ...errors import BadInput

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
    try:
        return math.isfinite(float(value))
    except (OverflowError, ValueError, TypeError):  # too large, words, complex
        return False


def is_count(value, *, least: int, most: int) -> bool:
    """Whether a value is a whole number within these bounds; truth values are none."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and bool(least <= value <= most)


def is_positive(value) -> bool:
    return is_number(value) and (not is_concrete(value) or bool(value > 0))


def as_array(value, name: str) -> Array:
    """A finite floating array in the caller's precision."""
    try:
        array = jnp.asarray(_plain(value))
    except OverflowError:
        raise BadInput(f"{name} must fit floating-point numbers, got a larger whole number") from None
    except (TypeError, ValueError) as error:
        raise BadInput(f"{name} must be an array of numbers, got {type(value).__name__}: {error}") from None
    if jnp.issubdtype(array.dtype, jnp.complexfloating):
        raise BadInput(f"{name} must be real, got {array.dtype}")
    if not jnp.issubdtype(array.dtype, jnp.floating):
        array = array.astype(jnp.result_type(float))
    if is_concrete(array) and not np.all(np.isfinite(np.asarray(array))):
        raise BadInput(f"{name} must be finite, but contains NaN or infinity")
    return array


def _plain(value):
    """Tensors of PyTorch, data frames and labelled arrays as what JAX can read."""
    if hasattr(value, "detach"):
        value = value.detach().cpu()
    is_foreign = hasattr(value, "__array__") and not isinstance(value, np.ndarray | np.generic | jax.Array | Tracer)
    return np.asarray(value) if is_foreign else value


def as_number(value, name: str) -> Scheduled:
    if callable(value):
        return Schedule(value)
    array = as_array(value, name)
    if array.ndim:
        raise BadInput(f"{name} must be a single number or a function of t, got an array of shape {array.shape}")
    if (
        is_concrete(array)
        and abs(float(array)) < float(jnp.finfo(array.dtype).tiny)
        and (given := float(_plain(value)))
    ):
        raise BadInput(
            f"{name} = {given:.3g} is too small for {array.dtype}, which would take it for 0; scale tokens up"
        )
    return array


def as_matrix(value, name: str, square: bool = True) -> Scheduled:
    """A 0-d array for a multiple of the identity, a 2-d array, or a `Schedule`."""
    if callable(value):
        return Schedule(value)
    array = as_array(value, name)
    if array.ndim not in (0, 2):
        raise BadInput(f"{name} must be a number or a matrix, got an array of shape {array.shape}")
    if square and array.ndim == 2 and array.shape[0] != array.shape[1]:
        raise BadInput(f"{name} must be square, got shape {array.shape}")
    return array


def times(M: Array, x: Float[Array, "*n d"]) -> Float[Array, "*n c"]:
    """The rows M x_i, in the precision of x."""
    M = M.astype(x.dtype)
    return M * x if M.ndim == 0 else x @ M.T


def dense(M: Array, d: int) -> Float[Array, "k d"]:
    """The full matrix that a number stands for."""
    if M.ndim:
        return M
    # Known numbers by NumPy: outside jit JAX would compile for every d.
    return M * (np.eye(d, dtype=M.dtype) if is_concrete(M) else jnp.eye(d, dtype=M.dtype))


def multiple_of_identity(M) -> float | None:
    """The number c if M = cI to twelve digits of its largest entry, else None; a single number is one."""
    M = np.asarray(M, np.float64)
    if M.ndim == 0:
        return float(M)
    if M.ndim != 2 or M.shape[0] != M.shape[1]:
        return None
    c = float(M[0, 0])
    return c if np.abs(M - c * np.eye(len(M))).max() <= 1e-12 * np.abs(M).max() else None
