"""Spaces of tokens: manifolds in R^d with tangent projection, retraction and distance."""

from __future__ import annotations

from abc import abstractmethod

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from .linalg.rows import unit_rows


class Space(eqx.Module):
    """Manifold in R^d, through what a flow needs of it; a new space needs these three methods alone."""

    @abstractmethod
    def tangent(self, x: Float[Array, "*n d"], v: Float[Array, "*n d"]) -> Float[Array, "*n d"]:
        """The projection of v on the tangent space at x."""

    @abstractmethod
    def retract(self, x: Float[Array, "*n d"]) -> Float[Array, "*n d"]:
        """The point of the space near x (retraction)."""

    @abstractmethod
    def distance(self, x: Float[Array, "*n d"], y: Float[Array, "*n d"]) -> Float[Array, "*n"]:
        """The geodesic distance."""


class Euclidean(Space):
    r"""All of $\mathbb R^d$.

    >>> import attnflow as af
    >>> import numpy as np
    >>> af.Euclidean().distance(np.array([0.0, 0.0]), np.array([3.0, 4.0])).item()
    5.0
    """

    def tangent(self, x, v):
        return v

    def retract(self, x):
        return x

    def distance(self, x, y):
        return jnp.linalg.norm(x - y, axis=-1)


class Sphere(Space):
    r"""The unit sphere $S^{d-1}$, where layer normalisation keeps tokens.

    >>> import attnflow as af
    >>> import numpy as np
    >>> af.Sphere().retract(np.array([0.0, 4.0])).tolist()
    [0.0, 1.0]
    """

    def tangent(self, x, v):
        r"""$$\Pi_x v = v - \langle x, v\rangle x$$"""
        return v - jnp.sum(x * v, axis=-1, keepdims=True) * x

    def retract(self, x):
        return unit_rows(jnp.asarray(x))

    def distance(self, x, y):
        # Half-angle form: arccos of the cosine loses half the digits at small angles.
        chord, sum_ = jnp.linalg.norm(x - y, axis=-1), jnp.linalg.norm(x + y, axis=-1)
        return 2 * jnp.arctan2(chord, sum_)
