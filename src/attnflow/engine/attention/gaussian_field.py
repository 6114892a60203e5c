"""Gaussian closure: the affine field that an attention rule makes in a Gaussian prompt.

Source: Castin, Ablin, Carrillo, Peyré 2025 (arXiv 2501.18322); Sinkhorn and linear rows derived.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float
from scipy.special import ndtri

from ..linalg.matrices import dense
from ..linalg.small import product

LINK_NODES = 120
"""Gauss–Hermite nodes: links as steep as a sigmoid of standard deviation 6 are resolved to 1e-8."""

TENSOR_NODES, SOBOL_BITS = 24, 12
"""Nodes per axis of a product rule, and the logarithm of the number of Sobol points."""


class GaussianField(NamedTuple):
    """The field c + Gx heard in N(α, LLᵀ): its value c + Gα at the mean and its change GX along listeners X."""

    centre: Float[Array, "d"]
    spread: Float[Array, "d r"]

    def through(self, V) -> GaussianField:
        """The same field multiplied by V."""
        V = dense(V, len(self.centre)).astype(self.centre.dtype)
        return GaussianField(product(V, self.centre[:, None])[:, 0], product(V, self.spread))


def link_quadrature(link: Callable, centre: Float[Array, "n"], spread: Float[Array, "n"]):
    r"""$E\varphi(s)$ and $E\varphi'(s)$ for $s \sim N(\text{centre}, \text{spread}^2)$, by Gauss–Hermite nodes."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(LINK_NODES)
    weights = jnp.asarray(weights / weights.sum(), centre.dtype)
    scores = centre[:, None] + spread[:, None] * jnp.asarray(nodes, centre.dtype)
    slope = jax.vmap(jax.vmap(jax.grad(lambda s: link(s))))(scores)
    return link(scores) @ weights, slope @ weights


def nodes(r: int) -> tuple[Array, Array]:
    """Standard normal points and weights: a product rule up to dimension 3, symmetric Sobol points beyond."""
    if r <= 3:
        line, weight = np.polynomial.hermite_e.hermegauss(TENSOR_NODES)
        grid = np.stack(np.meshgrid(*[line] * r, indexing="ij"), -1).reshape(-1, r)
        weights = np.prod(np.stack(np.meshgrid(*[weight / weight.sum()] * r, indexing="ij"), -1), -1).reshape(-1)
        return jnp.asarray(grid), jnp.asarray(weights)
    from scipy.stats import qmc  # half a second to import, needed in dimension 4 and higher alone

    half = ndtri(qmc.Sobol(r, rng=0).random_base2(SOBOL_BITS))
    points = np.concatenate([half, -half])
    root = np.linalg.cholesky(points.T @ points / len(points))
    points = np.linalg.solve(root, points.T).T
    return jnp.asarray(points), jnp.full(len(points), 1 / len(points))
