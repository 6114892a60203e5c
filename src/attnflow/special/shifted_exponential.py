"""Exponential function for scores that are known not to overflow.

Half the time of an exact sum in double precision goes into exponentials, and that of XLA handles overflow and NaN, which
shifted scores cannot produce. This one takes three quarters of its time (2 cores, float64), to a relative error of 5e-16.
"""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

LOWEST = -708.0
"""Below this the result is 0; the smallest normal number is e^−708.4."""

LN2_HIGH, LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10
"""ln 2 in two parts, so that k ln 2 is exact in the first for every exponent k."""

WHOLE = 6755399441055744.0
"""1.5 · 2⁵²: added to a whole number, it leaves that number in the last bits."""

TAYLOR = [1 / math.factorial(k) for k in range(13)]
"""Enough for |r| ≤ ½ ln 2: the next term is below 2e-16 of the sum."""


@jax.custom_jvp
def bounded_exp(y: Float[Array, "..."]) -> Float[Array, "..."]:
    r"""$$e^y = 2^k e^r,\quad k = \mathrm{round}(y/\ln 2),\quad y \le 709$$"""
    if y.dtype != jnp.float64:
        return jnp.exp(y)
    k = jnp.round(y * (1 / math.log(2)))
    shift = jax.lax.bitcast_convert_type(k + WHOLE, jnp.int64) << 52
    power = jax.lax.bitcast_convert_type(_polynomial(y - k * LN2_HIGH - k * LN2_LOW), jnp.int64) + shift
    return jnp.where(y < LOWEST, 0.0, jax.lax.bitcast_convert_type(power, jnp.float64))


@bounded_exp.defjvp
def _bounded_exp_jvp(at, along):
    value = bounded_exp(at[0])
    return value, value * along[0]


@jax.custom_jvp
def sigmoid(s: Float[Array, "..."]) -> Float[Array, "..."]:
    r"""$$\sigma(s) = 1/(1 + e^{-s})$$"""
    e = bounded_exp(-jnp.abs(s))
    return jnp.where(s < 0, e, 1) / (1 + e)


@sigmoid.defjvp
def _sigmoid_jvp(at, along):
    # By hand: |s| has no derivative at 0.
    value = sigmoid(at[0])
    return value, value * sigmoid(-at[0]) * along[0]


def _polynomial(r):
    """Taylor's sum, in pairs that do not wait for each other."""
    c, r2 = TAYLOR, r * r
    r4 = r2 * r2
    low = (c[0] + c[1] * r) + (c[2] + c[3] * r) * r2
    middle = (c[4] + c[5] * r) + (c[6] + c[7] * r) * r2
    high = (c[8] + c[9] * r) + (c[10] + c[11] * r) * r2 + c[12] * r4
    return low + (middle + high * r4) * r4
