"""Factor of a covariance, Σ = L Lᵀ, which can neither lose positivity nor gain rank."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float


@jax.custom_jvp
def factor(cov: Float[Array, "d d"]) -> Float[Array, "d d"]:
    """The factor L = U s of Σ = U s² Uᵀ; columns of directions without spread are exactly zero."""
    vectors, roots = _spectrum(cov)
    return vectors * roots


def _spectrum(cov):
    values, vectors = jnp.linalg.eigh(cov)
    noise = cov.shape[-1] * jnp.finfo(cov.dtype).eps * jnp.max(jnp.abs(values))
    return vectors, jnp.sqrt(jnp.where(values > noise, values, 0))


@factor.defjvp
def _factor_jvp(primals, tangents):
    # Any dL with dL Lᵀ + L dLᵀ = dΣ will do; this one is smooth where eigenvalues of Σ meet, unlike that of `eigh`.
    vectors, roots = _spectrum(primals[0])
    turned = vectors.T @ tangents[0] @ vectors
    total = roots[:, None] ** 2 + roots[None, :] ** 2
    share = jnp.where(total > 0, roots[None, :] / jnp.where(total > 0, total, 1), 0)
    return vectors * roots, vectors @ (turned * share)
