"""Distances between Gaussians."""

from __future__ import annotations

import jax.numpy as jnp

from ...errors import BadInput
from ..linalg.arguments import as_annotated
from ..linalg.covariance_factor import factor
from ..linalg.matrices import is_concrete
from .gaussian import Gaussian


@as_annotated
def bures(mu: Gaussian, nu: Gaussian):
    r"""The Wasserstein distance of two Gaussians.

    $$W_2^2 = |\alpha - \beta|^2 + \mathrm{tr}\,\Sigma + \mathrm{tr}\,T - 2\,\|\Sigma^{1/2}T^{1/2}\|_*$$
    """
    if mu.d != nu.d:
        raise BadInput(f"both Gaussians must have one dimension, got {mu.d} and {nu.d}")
    L, M = (jnp.vectorize(factor, signature="(d,d)->(d,d)")(g.cov) for g in (mu, nu))
    # The best rotation of one factor onto the other: no square roots of products, exact for singular covariances.
    left, _, right = jnp.linalg.svd(jnp.swapaxes(M, -1, -2) @ L)
    shift = jnp.sum((mu.mean - nu.mean) ** 2, axis=-1)
    found = jnp.sqrt(shift + jnp.sum((L - M @ (left @ right)) ** 2, axis=(-2, -1)))
    if is_concrete(found) and not bool(jnp.isfinite(found).all()):
        raise BadInput(
            "the squared distance leaves the range of numbers: means or covariances are too large; scale them"
        )
    return found
