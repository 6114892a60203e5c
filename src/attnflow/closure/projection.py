"""APPROXIMATE Gaussians for rules that do not close: at every time, the Gaussian with the true first two derivatives."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float
from scipy.stats import norm, qmc

from ..attention import Attention, Heads, Unnormalised
from .hear import Heard, hear, is_closed
from .stein import _constant, stein_barycentre

TENSOR_NODES, SOBOL_BITS = 24, 12


def projected(rule: Attention, mean: Float[Array, "d"], L: Float[Array, "d r"]) -> Heard:
    r"""The moment derivatives $E\,\Gamma(x)$ and $E\,\Gamma(x) z^\top$ for $x = \alpha + Lz$, before V."""
    match rule:
        case Heads():
            heard = [projected(head, mean, L).through(V) for head, V in rule.heads]
            return jax.tree.map(lambda *parts: sum(parts), *heard)
        case Unnormalised():
            return _exponential(rule, mean, L)
    if is_closed(rule):
        return hear(rule, mean, L)
    z, weights = nodes(L.shape[1])
    said = stein_barycentre(rule, mean, L @ L.T, mean + z.astype(L.dtype) @ L.T)
    weighted = weights.astype(L.dtype)[:, None] * said
    return Heard(weighted.sum(0), weighted.T @ z.astype(L.dtype))


def is_integrable(rule: Attention, mean, L) -> Array:
    r"""Whether the moments change at a finite rate: for the exponential kernel iff $\|\Sigma^{1/2}B\Sigma^{1/2}\| < 1$."""
    match rule:
        case Heads():
            return jnp.all(jnp.stack([is_integrable(head, mean, L) for head, _ in rule.heads]))
        case Unnormalised():
            return jnp.linalg.norm(L.T @ _matrix(rule, mean) @ L, ord=2) < 1
    return jnp.asarray(True)


def _matrix(rule, mean):
    return (rule.score.beta * rule.score.B(len(mean))).astype(mean.dtype)


def _exponential(rule, mean, L) -> Heard:
    """The pair (z, w) of x = α + Lz and y = α + Lw is Gaussian under the weight exp(xᵀBy); NaN when it is not integrable."""
    B, r = _matrix(rule, mean), L.shape[1]
    S, eye = L.T @ B @ L, jnp.eye(L.shape[1], dtype=L.dtype)
    precision = jnp.block([[eye, -S], [-S.T, eye]])
    linear = jnp.concatenate([L.T @ (B @ mean), L.T @ (B.T @ mean)])
    chol = jnp.linalg.cholesky(precision)
    cov = jax.scipy.linalg.cho_solve((chol, True), jnp.eye(2 * r, dtype=L.dtype))
    centre = cov @ linear
    log_mass = mean @ B @ mean + linear @ centre / 2 - jnp.sum(jnp.log(jnp.diagonal(chol)))
    mass = _constant(rule, mean) * jnp.exp(log_mass)
    z, w = centre[:r], centre[r:]
    along = jnp.outer(mean, z) + L @ (cov[r:, :r] + jnp.outer(w, z))
    return Heard(mass * (mean + L @ w), mass * along)


def nodes(r: int):
    """Standard normal points and weights: a product rule up to dimension 3, symmetric Sobol points beyond."""
    if r <= 3:
        line, weight = np.polynomial.hermite_e.hermegauss(TENSOR_NODES)
        grid = np.stack(np.meshgrid(*[line] * r, indexing="ij"), -1).reshape(-1, r)
        weights = np.prod(np.stack(np.meshgrid(*[weight / weight.sum()] * r, indexing="ij"), -1), -1).reshape(-1)
        return jnp.asarray(grid), jnp.asarray(weights)
    half = norm.ppf(qmc.Sobol(r, rng=0).random_base2(SOBOL_BITS))
    points = np.concatenate([half, -half])
    root = np.linalg.cholesky(points.T @ points / len(points))
    points = np.linalg.solve(root, points.T).T
    return jnp.asarray(points), jnp.full(len(points), 1 / len(points))
