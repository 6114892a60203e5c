"""A stiff solver for small dense systems, as a diffrax solver: linearly implicit Euler steps, extrapolated.

Kept beside the diffrax methods because those iterate Newton inside every stage: batched over a hundred covariances
they compile for tens of seconds, and fail on the long plateaus where a limit has been reached.
Source: Hairer, Wanner, Solving ODEs II, section IV.9 (SEULEX).
"""

from __future__ import annotations

from typing import ClassVar

import diffrax
import jax
import jax.numpy as jnp
import jax.scipy.linalg as jsl

LEVELS = 6


class LinearlyImplicit(diffrax.AbstractAdaptiveSolver):
    """Order 6 by extrapolating runs of 1 to 6 substeps; the state is one array."""

    term_structure: ClassVar = diffrax.AbstractTerm
    interpolation_cls: ClassVar = diffrax.LocalLinearInterpolation

    def order(self, terms):
        return LEVELS

    def error_order(self, terms):
        return LEVELS

    def init(self, terms, t0, t1, y0, args):
        return None

    def func(self, terms, t0, y0, args):
        return terms.vf(t0, y0, args)

    def step(self, terms, t0, t1, y0, args, solver_state, made_jump):
        def field(t, y):
            return terms.vf(t, y.reshape(y0.shape), args).reshape(-1)

        start = y0.reshape(-1)
        jacobian = jax.jacfwd(lambda y: field(t0, y))(start)
        rows = _substeps(field, jacobian, t0, t1 - t0, start)
        end, error = _extrapolate(rows)
        y1, y_error = (start + end).reshape(y0.shape), error.reshape(y0.shape)
        return y1, y_error, {"y0": y0, "y1": y1}, None, diffrax.RESULTS.successful


def _substeps(field, jacobian, t0, h, y):
    """The increments of y after 1, 2, … linearly implicit Euler steps, all runs abreast."""
    counts = jnp.arange(1, LEVELS + 1)
    small = h / counts
    lu = jax.vmap(lambda s: jsl.lu_factor(jnp.eye(len(y), dtype=y.dtype) - s * jacobian))(small)

    def one(lu, s, count, moved, i):
        step = jsl.lu_solve(lu, s * field(t0 + (i + 1) * s, y + moved))
        return jnp.where(i < count, moved + step, moved)

    def substep(moved, i):
        return jax.vmap(one, in_axes=(0, 0, 0, 0, None))(lu, small, counts, moved, i), None

    return jax.lax.scan(substep, jnp.zeros((LEVELS, len(y)), y.dtype), jnp.arange(LEVELS))[0]


def _extrapolate(rows):
    """Aitken–Neville in the number of substeps, and the difference of the last two orders."""
    table = [rows[0]]
    for j in range(1, len(rows)):
        new = [rows[j]]
        for k in range(j):
            new.append(new[k] + (new[k] - table[k]) / ((j + 1) / (j - k) - 1))
        table = new
    return table[-1], table[-1] - table[-2]
