r"""Damped fixed-point iteration for the scaling of a symmetric positive kernel, in a dozen products for every ε.

The Jacobian of $h \mapsto h - \omega\log a$ is $(1-\omega)I - \omega P$ with the spectrum of $P$ in $[0, 1]$, so
$\omega = 2/3$ contracts by 1/3 for every ε, n, d and data. The diagonal of the kernel is 1, so nothing is exponential
in 1/ε and no logarithmic sums are needed.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from .gram import Gram

OMEGA = 2 / 3


class Scaling(NamedTuple):
    """A potential with the work it took and the L1 error of the marginals it leaves."""

    potential: Float[Array, "n"]
    iterations: Int[Array, ""]
    error: Float[Array, ""]


def symmetric_scaling(gram: Gram, mass: Float[Array, "n"], *, tol: float, max_iterations: int) -> Scaling:
    r"""The $h$ with $e^{h_i}\sum_j K_{ij} m_j e^{h_j} = 1$, for $K_{ii} = 1$; massless tokens get 0.

    Derivatives are implicit: $(I + P)\,dh = -\,d\log a$, of condition number at most 2.
    Source: Knight, Ruiz, Uçar 2014; Feydy et al. 2019 (arXiv 1810.08278), eq. (25), with ω = 1/2.
    """
    product, is_heard = gram.exponential(), mass > 0

    def log_ratio(h):
        total = product(mass * jnp.exp(h))
        return jnp.where(is_heard, h + jnp.log(jnp.where(is_heard, total, 1)), h)

    def solve(f, h):
        def error(log_a):
            return mass @ jnp.abs(jnp.expm1(log_a))

        def is_open(state):
            _, log_a, k = state
            return (error(log_a) > tol) & (k < max_iterations)

        def improve(state):
            h, log_a, k = state
            h = h - OMEGA * log_a
            return h, log_ratio(h), k + 1

        h, log_a, k = jax.lax.while_loop(is_open, improve, (h, log_ratio(h), jnp.asarray(1)))
        return h, (k.astype(h.dtype), error(log_a))

    total = product(mass)
    start = jnp.where(is_heard, -0.5 * jnp.log(jnp.where(is_heard, total, 1)), 0)
    h, (k, error) = jax.lax.custom_root(log_ratio, jax.lax.stop_gradient(start), solve, _tangent, has_aux=True)
    return Scaling(h, jnp.asarray(k, int), error)


def _tangent(matvec, b):
    return jax.lax.custom_linear_solve(matvec, b, solve=_richardson, transpose_solve=_richardson)


def _richardson(matvec, b):
    """Solve (I + P) δ = b for a spectrum of P in [0, 1]; contracts by 1/3."""
    goal = 10 * jnp.finfo(b.dtype).eps * jnp.max(jnp.abs(b))

    def is_open(state):
        _, r, k = state
        return (jnp.max(jnp.abs(r)) > goal) & (k < 100)

    def improve(state):
        x, r, k = state
        x = x + OMEGA * r
        return x, b - matvec(x), k + 1

    x, _, _ = jax.lax.while_loop(is_open, improve, (jnp.zeros_like(b), b, 0))
    return x
