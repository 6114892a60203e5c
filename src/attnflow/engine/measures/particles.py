"""Weighted tokens: an empirical probability measure."""

from __future__ import annotations

import math

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ...errors import BadInput
from ..linalg.matrices import as_array, is_concrete
from ..linalg.shown import Shown

MOST_KNOWN = 2**16
"""Up to so many equal masses are numbers that can be looked at inside `jit` too, where sums then rely on them; more would
make compiled programs large."""


class Particles(Shown, eqx.Module):
    r"""Weighted tokens $\mu = \sum_j m_j \delta_{x_j}$.

    Masses are shares: they are divided by their sum. A token of mass 0 listens but is not heard.
    A leading axis on `x` is a batch of prompts.

    >>> import attnflow as af
    >>> mu = af.Particles([[0.0, 1.0], [1.0, 0.0]], mass=[3, 1])
    >>> mu, mu.mass.tolist()
    (Particles(tokens = 2, d = 2, masses = given), [0.75, 0.25])
    """

    x: Float[Array, "*b n d"]
    mass: Float[Array, "*b n"]

    def __init__(self, x, mass=None):
        self.x = _tokens(x)
        self.mass = _shares(mass, self.x)

    def facts(self):
        *batch, n, d = self.x.shape
        many = {"prompts": str(int(np.prod(batch)))} if batch else {}
        is_even = is_concrete(self.mass) and bool(np.ptp(np.asarray(self.mass), axis=-1).max() < 1e-12)
        return many | {"tokens": str(n), "d": str(d), "masses": "equal" if is_even else "given"}

    @property
    def n(self) -> int:
        return self.x.shape[-2]

    @property
    def d(self) -> int:
        return self.x.shape[-1]

    def moved_to(self, x: Float[Array, "*b n d"]) -> Particles:
        """The same masses at other places, without checking them again."""
        return eqx.tree_at(lambda mu: mu.x, self, x)


def _tokens(x):
    x = as_array(x, "tokens x")
    if x.ndim < 2:
        raise BadInput(f"tokens x must have shape (n, d), got {x.shape}; write one token as [[…]]")
    if 0 in x.shape:
        raise BadInput(f"tokens x must not be empty, got shape {x.shape}")
    return x


def _shares(mass, x):
    shape = x.shape[:-1]
    if mass is None:
        equal = lambda: jnp.full(shape, 1 / shape[-1], x.dtype)  # noqa: E731
        if math.prod(shape) > MOST_KNOWN:
            return equal()
        with jax.ensure_compile_time_eval():
            return equal()
    mass = _given(mass)
    if mass.shape[-1:] != shape[-1:] or mass.ndim > len(shape):
        raise BadInput(f"mass must have one entry per token, shape {shape}, got {mass.shape}")
    if is_concrete(mass):
        _check_shares(np.asarray(mass), x.dtype)
        mass = mass / mass.max(-1, keepdims=True)
    mass = jnp.broadcast_to(jnp.asarray(mass, x.dtype), shape)
    return mass / mass.sum(-1, keepdims=True)


def _given(mass):
    """Masses as they were given: those beyond single precision may have shares within it."""
    if isinstance(mass, jax.Array) or not is_concrete(mass):
        return as_array(mass, "mass")
    with jax.enable_x64(True):
        return np.asarray(as_array(mass, "mass"))


def _check_shares(mass, dtype) -> None:
    if np.any(mass < 0):
        raise BadInput("mass must not be negative")
    largest = mass.max(-1, keepdims=True)
    if not np.all(largest > 0):
        raise BadInput("mass must not be zero for all tokens")
    shares = np.where(mass > 0, mass / largest, 1)
    if shares.min() < float(jnp.finfo(dtype).tiny) * mass.shape[-1]:
        raise BadInput(f"a mass is {shares.min():.1g} of the largest, which {dtype} cannot hold; make it 0, or larger")
