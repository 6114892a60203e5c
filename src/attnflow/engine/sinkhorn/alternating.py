r"""Alternating normalisation of rows and columns in the log domain, for any score.

$$f_i = -\log\sum_j m_j e^{s_{ij} + g_j},\qquad g_j = -\log\sum_i m_i e^{s_{ij} + f_i}$$

It contracts by the squared second singular value of the plan, which tends to 1 as ε falls: slow for small ε.
Source: Sander et al. 2022 (arXiv 2110.11773), eq. (3) and appendix B; with masses.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ..summation.kernel import log_mass
from .gram import Gram


def half_step(gram: Gram, potential: Float[Array, "m"], mass: Float[Array, "m"]) -> Float[Array, "n"]:
    """The potential of the rows that normalises them, given the potential of the columns."""
    return -gram.log_sum(potential + log_mass(mass))


def rounds(gram: Gram, mass: Float[Array, "n"], *, start: Float[Array, "n"], count: int) -> Float[Array, "n"]:
    """The column potential after normalising rows and columns `count` times, from a column potential `start`."""
    if count == 0:
        return start
    # A potential varies by at most twice the largest score, so this leaves every number within range.
    spread = 4 * gram.reach() + jnp.ptp(start) + _range(log_mass(mass))
    is_bounded = spread < -jnp.log(jnp.finfo(mass.dtype).tiny) - 20
    return jax.lax.cond(is_bounded, lambda: _scaled(gram, mass, start, count), lambda: _logs(gram, mass, start, count))


def _scaled(gram, mass, start, count):
    """Without logarithms, with one kernel for all rounds."""
    over_columns, over_rows = gram.exponentials()
    level = jax.lax.stop_gradient(jnp.max(start))

    def once(_, v):
        return 1 / over_rows(mass / over_columns(mass * v))

    return jnp.log(jax.lax.fori_loop(0, count, once, jnp.exp(start - level))) + level


def _logs(gram, mass, start, count):
    def once(_, g):
        return half_step(gram.T, half_step(gram, g, mass), mass)

    return jax.lax.fori_loop(0, count, once, start)


def _range(level):
    heard = level > -jnp.inf
    return jnp.max(level) - jnp.min(jnp.where(heard, level, jnp.inf))
