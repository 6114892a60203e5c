"""Velocity field of a Gaussian prompt: affine where the rule keeps Gaussians (closure), else by Stein's formula."""

from __future__ import annotations

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.typing import ArrayLike
from jaxtyping import Array, Float

from ...errors import BadInput
from ..attention import Attention
from ..attention.gaussian_field import GaussianField
from ..linalg.arguments import as_annotated, shaped
from ..linalg.covariance_factor import factor
from ..linalg.matrices import at, is_concrete, times
from ..measures import Gaussian
from ..spaces import Euclidean
from .flow import AnyFlow, Flow, check_fits


class Affine(eqx.Module):
    """The map x ↦ matrix x + shift."""

    matrix: Float[Array, "d d"]
    shift: Float[Array, "d"]

    def __call__(self, x: Float[Array, "*n d"]) -> Float[Array, "*n d"]:
        return x @ self.matrix.T + self.shift


class MomentVelocity(NamedTuple):
    """The time derivatives of mean and covariance."""

    mean: Float[Array, "*b d"]
    cov: Float[Array, "*b d d"]


@as_annotated
def barycentre_of(rule: Attention, g: Gaussian) -> Affine:
    """What a listener at x hears from a Gaussian."""
    return _affine(rule.gaussian_field(g.mean, factor(g.cov), jnp.eye(g.d, dtype=g.cov.dtype)), g.mean)


@as_annotated
def field_of(flow: Flow, g: Gaussian, *, t: ArrayLike = 0.0) -> Affine:
    """The velocity of a token at x in the Gaussian prompt g."""
    listeners = jnp.eye(g.d, dtype=g.cov.dtype)
    said = drift(at(flow, jnp.asarray(t, g.mean.dtype)), g.mean, factor(g.cov), listeners)
    return _in_range(_affine(said, g.mean), g)


def _in_range(found, g: Gaussian):
    """What was found for a finite prompt, unless it left the range of numbers."""
    if is_concrete(found, g) and _is_finite(g) and not _is_finite(found):
        raise BadInput(
            "the velocity leaves the range of numbers: mean, covariance or matrices are too large; scale them"
        )
    return found


def _is_finite(tree) -> bool:
    return all(bool(jnp.isfinite(leaf).all()) for leaf in jax.tree.leaves(tree))


def _affine(heard: GaussianField, mean) -> Affine:
    return Affine(heard.spread, heard.centre - heard.spread @ mean)


def drift(flow: Flow, mean: Float[Array, "d"], L: Float[Array, "d r"], X=None) -> GaussianField:
    r"""The velocity of the mean and of the factor, $\alpha' = b + G\alpha$ and $L' = GL$, of a flow read at one time."""
    said = flow.attention.gaussian_field(mean, L, X).through(flow.V)
    if flow.feed_forward is None:
        return said
    return _add_layer(flow.feed_forward, said, mean, L if X is None else X)


def _add_layer(layer, said: GaussianField, mean, X) -> GaussianField:
    """Add a feed-forward layer w (a x + b), which must be affine."""
    if layer.activation != "identity" or layer.gate is not None:
        raise BadInput(
            f"a {layer.activation} feed-forward layer does not keep a Gaussian Gaussian; "
            'use activation="identity", or Particles'
        )
    slope = layer(X.T) - layer(jnp.zeros_like(X.T))
    return GaussianField(said.centre + layer(mean[None])[0], said.spread + slope.T)


@as_annotated
def moment_velocity(flow: AnyFlow, mu: Gaussian, t: ArrayLike = 0.0) -> MomentVelocity:
    r"""How a Gaussian prompt moves: $\alpha' = b + G\alpha$ and $\Sigma' = G\Sigma + \Sigma G^\top$."""
    check_closed(flow, mu)
    assert isinstance(flow, Flow)
    now: Flow = at(flow, jnp.asarray(t, mu.mean.dtype))

    def one(mean, cov):
        L = factor(cov)
        said = drift(now, mean, L)
        half = said.spread @ L.T
        return MomentVelocity(said.centre, half + half.T)

    if mu.mean.ndim == 1:
        return _in_range(one(mu.mean, mu.cov), mu)
    return _in_range(jnp.vectorize(one, signature="(d),(d,d)->(d),(d,d)")(mu.mean, mu.cov), mu)


@as_annotated
def stein_velocity(flow: Flow, g: Gaussian, x: Float[Array, "n d"], *, t: ArrayLike = 0.0) -> Float[Array, "n d"]:
    r"""The velocity of tokens at x in a Gaussian prompt, by one quadrature over the score.

    $$\Gamma(x) = V\big(\alpha\,E\varphi(s) + \Sigma B^\top x\,E\varphi'(s)\big),\quad
      s \sim N(x^\top B\alpha,\ x^\top B\Sigma B^\top x)$$
    """
    check_fits(flow, g)
    x = jnp.asarray(shaped(x, "x", "n d", d=g.d), g.mean.dtype)
    if flow.attention.why_not_closed() is None:
        return field_of(flow, g, t=t)(x)
    flow = at(flow, jnp.asarray(t, g.mean.dtype))
    said = times(flow.V, flow.attention.gaussian_barycentre(g.mean, g.cov, x))
    return _in_range(said if flow.feed_forward is None else said + flow.feed_forward(x), g)


def check_closed(flow, mu) -> None:
    """Raise a clear error when the flow does not keep Gaussians Gaussian."""
    check_gaussian(flow, mu)
    if (reason := flow.attention.why_not_closed()) is not None:
        raise BadInput(reason)
    flow.attention.check(mu.d, 1)
    _check_shapes(flow, mu.d)


def check_gaussian(flow, mu) -> None:
    """Raise a clear error when a flow cannot act on a Gaussian at all."""
    if not isinstance(flow, Flow):
        raise BadInput(f"a Gaussian moves under a Flow, got {type(flow).__name__}")
    if not isinstance(flow.space, Euclidean):
        raise BadInput("a Gaussian lives in Euclidean space; use Particles on the sphere")
    if flow.noise is not None:
        raise BadInput("noise is for Particles: the Gaussian equations here are those of the flow without noise")
    if not isinstance(mu, Gaussian):
        raise BadInput(f"these equations move a Gaussian, got {type(mu).__name__}")
    check_fits(flow, mu)


def _check_shapes(flow, d) -> None:
    """Weights that depend on time, and affine layers, are tried on one token before anything is compiled."""
    try:
        now = jax.eval_shape(lambda: _one_step(at(flow, 0.0), jnp.zeros(d)))
    except TypeError as error:
        raise BadInput(f"weights or feed-forward layer do not fit dimension {d}: {error}".split("\n")[0]) from None
    if now.shape != (d,):
        raise BadInput(f"the flow turns tokens of dimension {d} into shape {now.shape}; check V and the feed-forward")


def _one_step(flow, x):
    matrices = jax.tree.leaves([rule.score.weights for rule in flow.attention.parts()])
    scores = [times(M, x[None])[0] for M in matrices]
    moved = times(flow.V, x[None])[0]
    extra = 0 if flow.feed_forward is None else flow.feed_forward(x[None])[0]
    return moved + extra + 0 * sum(jnp.sum(s) for s in scores)
