"""Entropic self-coupling of a Gaussian under Sinkhorn iterations, converged or truncated."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float


@jax.custom_jvp
def correlation(M: Float[Array, "r r"]) -> Float[Array, "r r"]:
    r"""The function $f(b) = 2b/(1+\sqrt{1+4b^2})$ of the singular values of M.

    With $M = L^\top B L/\varepsilon$ the entropic self-coupling of $N(\alpha, LL^\top)$ has covariance $L f(M) L^\top$.
    """
    if M.shape == (2, 2):
        return _in_the_plane(M)
    left, b, right = jnp.linalg.svd(M)
    return (left * (b * _slack(b))) @ right


def _in_the_plane(M):
    r"""With a rotation R such that the columns of MR are orthogonal, of lengths b: $f(M) = MR\,\mathrm{diag}(f(b)/b)R^\top$."""
    # Entries of order one: their squares must neither overflow nor vanish.
    largest = jnp.max(jnp.abs(M))
    a, c = (M / jnp.where(largest > 0, largest, 1)).T
    angle = jnp.arctan2(2 * jnp.sum(a * c), jnp.sum((a - c) * (a + c))) / 2
    cos, sin = jnp.cos(angle), jnp.sin(angle)
    first, second = cos * M[:, 0] + sin * M[:, 1], cos * M[:, 1] - sin * M[:, 0]
    first = first * _slack(jnp.hypot(first[0], first[1]))
    second = second * _slack(jnp.hypot(second[0], second[1]))
    return jnp.stack([cos * first - sin * second, sin * first + cos * second], axis=1)


def _slack(b):
    r"""$1 - f(b)^2 = f(b)/b$."""
    return 2 / (1 + jnp.hypot(1.0, 2 * b))


@correlation.defjvp
def _correlation_jvp(primals, tangents):
    # Divided differences of f in closed form (from f = b(1 − f²)): no division where singular values meet.
    left, b, right = jnp.linalg.svd(primals[0])
    slack = _slack(b)
    f = b * slack
    turned = left.T @ tangents[0] @ right.T
    even, odd = (turned + turned.T) / 2, (turned - turned.T) / 2
    difference = slack[:, None] * slack[None, :] / (1 + f[:, None] * f[None, :])
    total = b[:, None] + b[None, :]
    mean_slope = jnp.where(total > 0, (f[:, None] + f[None, :]) / jnp.where(total > 0, total, 1), 1)
    return (left * f) @ right, left @ (difference * even + mean_slope * odd) @ right


def truncated(M: Float[Array, "d d"], mean, L: Float[Array, "d r"], X: Float[Array, "d p"], *, half_steps: int, start):
    r"""The barycentre at the mean, and its change along X, after an odd number of half-steps (1 is softmax).

    The potentials stay quadratic, $-x^\top F x/2$ and $-y^\top G y/2$ with linear parts p, h, from G = `start`. Source:
    Sander et al. (arXiv 2110.11773); an even number ends on columns and does not close.
    """
    cov, eye = L @ L.T, jnp.eye(len(mean), dtype=L.dtype)

    def round_(carry, _):
        G, h = carry
        inner = jnp.linalg.solve(eye + cov @ G, jnp.column_stack([cov @ M.T, mean + cov @ h]))
        F, p = M @ inner[:, :-1], -M @ inner[:, -1]
        outer = jnp.linalg.solve(eye + cov @ F, jnp.column_stack([cov @ M, mean + cov @ p]))
        return (M.T @ outer[:, :-1], -M.T @ outer[:, -1]), None

    (G, h), _ = jax.lax.scan(round_, (start, jnp.zeros_like(mean)), length=(half_steps - 1) // 2)
    at_mean = mean + cov @ (h + M.T @ mean)
    heard = jnp.linalg.solve(eye + cov @ G, jnp.column_stack([at_mean, L @ (L.T @ M.T @ X)]))
    return heard[:, 0], heard[:, 1:]
