"""What a prompt is: a probability measure on tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from .matrices import as_array, is_concrete

if TYPE_CHECKING:
    from .densities import Density


class Particles(eqx.Module):
    r"""Weighted tokens $\mu = \sum_j m_j \delta_{x_j}$.

    Masses are shares: they are divided by their sum. A token of mass 0 listens but is not heard.
    A leading axis on `x` is a batch of prompts.
    """

    x: Float[Array, "*b n d"]
    mass: Float[Array, "*b n"]

    def __init__(self, x, mass=None):
        self.x = _tokens(x)
        self.mass = _shares(mass, self.x)

    @property
    def n(self) -> int:
        return self.x.shape[-2]

    @property
    def d(self) -> int:
        return self.x.shape[-1]


class Gaussian(eqx.Module):
    r"""A prompt $N(\text{mean}, \text{cov})$; the covariance may be singular."""

    mean: Float[Array, "*b d"]
    cov: Float[Array, "*b d d"]

    def __init__(self, mean, cov):
        self.mean = as_array(mean, "mean")
        self.cov = _covariance(cov, self.mean)

    @property
    def d(self) -> int:
        return self.mean.shape[-1]


Measure: TypeAlias = "Particles | Gaussian | Density"


def _tokens(x):
    x = as_array(x, "tokens x")
    if x.ndim < 2:
        raise ValueError(f"tokens x must have shape (n, d), got {x.shape}; write one token as [[…]]")
    if 0 in x.shape:
        raise ValueError(f"tokens x must not be empty, got shape {x.shape}")
    return x


def _shares(mass, x):
    shape = x.shape[:-1]
    if mass is None:
        return jnp.full(shape, 1 / shape[-1], x.dtype)
    mass = as_array(mass, "mass").astype(x.dtype)
    if mass.shape[-1:] != shape[-1:] or mass.ndim > len(shape):
        raise ValueError(f"mass must have one entry per token, shape {shape}, got {mass.shape}")
    mass = jnp.broadcast_to(mass, shape)
    if is_concrete(mass):
        if np.any(np.asarray(mass) < 0):
            raise ValueError("mass must not be negative")
        if np.any(np.asarray(mass).sum(-1) == 0):
            raise ValueError("mass must not be zero for all tokens")
    return mass / mass.sum(-1, keepdims=True)


def _covariance(cov, mean):
    cov, d = as_array(cov, "cov").astype(mean.dtype), mean.shape[-1] if mean.ndim else 0
    if mean.ndim < 1 or d == 0:
        raise ValueError(f"mean must be a vector, got shape {mean.shape}")
    if cov.shape[-2:] != (d, d):
        raise ValueError(f"cov must have shape ({d}, {d}) to match the mean, got {cov.shape}")
    if is_concrete(cov):
        values = np.asarray(cov)
        # Each covariance of a batch is judged by its own size.
        slack = 100 * d * np.finfo(values.dtype).eps * np.abs(values).max(axis=(-2, -1))
        skew = np.abs(values - np.swapaxes(values, -1, -2)).max(axis=(-2, -1))
        if np.any(skew > slack):
            raise ValueError(f"cov must be symmetric, but differs from its transpose by {skew.max():.3g}")
        lowest = np.linalg.eigvalsh(values)[..., 0]
        if np.any(lowest < -slack):
            raise ValueError(f"cov must be positive semidefinite, its smallest eigenvalue is {lowest.min():.3g}")
    return cov
