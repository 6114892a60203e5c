"""Affine fields, and those a Gaussian makes."""

from __future__ import annotations

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from ..attention import Attention
from ..matrices import at
from ..measures import Gaussian
from .factor import factor
from .hear import Heard, hear


class Affine(eqx.Module):
    """The map x ↦ matrix x + shift."""

    matrix: Float[Array, "d d"]
    shift: Float[Array, "d"]

    def __call__(self, x: Float[Array, "*n d"]) -> Float[Array, "*n d"]:
        return x @ self.matrix.T + self.shift


def barycentre_of(rule: Attention, g: Gaussian) -> Affine:
    """What a listener at x hears from a Gaussian."""
    return _affine(hear(rule, g.mean, factor(g.cov), jnp.eye(g.d, dtype=g.cov.dtype)), g.mean)


def field_of(flow, g: Gaussian, *, t=0.0) -> Affine:
    """The velocity of a token at x in the Gaussian prompt g."""
    listeners = jnp.eye(g.d, dtype=g.cov.dtype)
    return _affine(drift(at(flow, jnp.asarray(t, g.mean.dtype)), g.mean, factor(g.cov), listeners), g.mean)


def _affine(heard: Heard, mean) -> Affine:
    return Affine(heard.spread, heard.centre - heard.spread @ mean)


def drift(flow, mean: Float[Array, "d"], L: Float[Array, "d r"], X=None) -> Heard:
    r"""The velocity of the mean and of the factor, $\alpha' = b + G\alpha$ and $L' = GL$, of a flow read at one time."""
    said = hear(flow.attention, mean, L, X).through(flow.V)
    if flow.feed_forward is None:
        return said
    return _add_layer(flow.feed_forward, said, mean, L if X is None else X)


def _add_layer(layer, said: Heard, mean, X) -> Heard:
    """Add a feed-forward layer w (a x + b), which must be affine."""
    if layer.activation != "identity":
        raise ValueError(
            f"a {layer.activation} feed-forward layer does not keep a Gaussian Gaussian; "
            'use activation="identity", or Particles'
        )
    slope = layer(X.T) - layer(jnp.zeros_like(X.T))
    return Heard(said.centre + layer(mean[None])[0], said.spread + slope.T)
