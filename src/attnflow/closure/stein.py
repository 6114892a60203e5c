"""The exact velocity field of a Gaussian under rules that weigh each score by a link function."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ..attention import Linked, Sigmoid, Unnormalised
from ..matrices import at, times
from ..measures import Gaussian
from .hear import is_closed

NODES = 120
"""Gauss–Hermite nodes: links as steep as a sigmoid of standard deviation 6 are resolved to 1e-8."""


def stein_velocity(flow, g: Gaussian, x: Float[Array, "n d"], *, t=0.0) -> Float[Array, "n d"]:
    r"""The velocity of tokens at x in a Gaussian prompt, by one quadrature over the score.

    $$\Gamma(x) = V\big(\alpha\,E\varphi(s) + \Sigma B^\top x\,E\varphi'(s)\big),\quad
      s \sim N(x^\top B\alpha,\ x^\top B\Sigma B^\top x)$$
    """
    from .affine import field_of

    if is_closed(flow.attention):
        return field_of(flow, g, t=t)(jnp.asarray(x, g.mean.dtype))
    flow = at(flow, jnp.asarray(t, g.mean.dtype))
    heard = stein_barycentre(flow.attention, g.mean, g.cov, jnp.asarray(x, g.mean.dtype))
    said = times(flow.V, heard)
    return said if flow.feed_forward is None else said + flow.feed_forward(jnp.asarray(x, g.mean.dtype))


def stein_barycentre(rule, mean, cov, x) -> Float[Array, "n d"]:
    B = (rule.score.beta * rule.score.B(len(mean))).astype(mean.dtype)
    ahead = x @ B
    centre, spread = ahead @ mean, jnp.sqrt(jnp.maximum(jnp.einsum("ni,ij,nj->n", ahead, cov, ahead), 0))
    value, slope = averages(rule, centre, spread)
    return value[:, None] * mean + slope[:, None] * (ahead @ cov)


def averages(rule, centre: Float[Array, "n"], spread: Float[Array, "n"]):
    r"""$E\varphi(s)$ and $E\varphi'(s)$ for $s \sim N(\text{centre}, \text{spread}^2)$."""
    match rule:
        case Unnormalised():
            value = _constant(rule, centre) * jnp.exp(centre + spread**2 / 2)
            return value, value
        case Linked() if rule.link is jax.nn.relu:
            ratio = centre / jnp.where(spread > 0, spread, 1)
            cdf = jnp.where(spread > 0, jax.scipy.stats.norm.cdf(ratio), centre > 0)
            return centre * cdf + spread * jax.scipy.stats.norm.pdf(ratio), cdf
        case Linked():
            return _quadrature(rule.link, centre, spread)
        case Sigmoid() if not isinstance(rule.bias, str) and not rule.total:
            return _quadrature(lambda s: jax.nn.sigmoid(s + rule.bias), centre, spread)
    raise ValueError(
        f"no velocity in a Gaussian is known for {rule!r}; it takes the mean form of Sigmoid, Unnormalised and links"
    )


def _constant(rule: Unnormalised, like):
    if rule.scale == "mean":
        return 1.0
    if isinstance(rule.scale, str):
        raise ValueError(f'a Gaussian has no number of tokens: scale="{rule.scale}" needs Particles; use scale="mean"')
    return rule.scale.astype(like.dtype)


def _quadrature(link: Callable, centre, spread):
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    weights = jnp.asarray(weights / weights.sum(), centre.dtype)
    scores = centre[:, None] + spread[:, None] * jnp.asarray(nodes, centre.dtype)
    slope = jax.vmap(jax.vmap(jax.grad(lambda s: link(s))))(scores)
    return link(scores) @ weights, slope @ weights
