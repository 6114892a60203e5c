"""Exponential functions of scores.

Most of the time of an exact sum goes into exponentials. Those of XLA take more than twice as long in single precision, and a
quarter longer in double; these are right to one unit in the last place.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float


@dataclass(frozen=True)
class Format:
    """What the exponential needs to know of a floating-point format."""

    integer: type
    mantissa: int
    """Bits after the point."""
    lowest: float
    """Below this the result is 0: it would be smaller than normal numbers are."""
    ln2: tuple[float, float]
    """ln 2 in two parts, so that k ln 2 is exact in the first for every exponent k."""
    polynomial: tuple[float, ...]
    """Least relative error on |r| ≤ ½ ln 2 among the polynomials of this degree (Remez)."""


FORMATS = {
    # Error 1.9e-9.
    np.dtype("float32"): Format(
        np.int32, 23, -87.0, (0.693359375, -2.12194440e-4),
        (1, 1.00000003634, 0.499999920751, 0.166664200721, 0.0416682261893, 0.00837482405059, 0.00138368357425),
    ),
    # Error 3.1e-18.
    np.dtype("float64"): Format(
        np.int64, 52, -708.0, (0.6931471803691238, 1.9082149292705877e-10),
        (
            1, 1, 0.50000000000000176857, 0.16666666666666168664, 0.041666666666492767156, 0.0083333333335592715161,
            0.0013888888951224025498, 0.00019841269432678992129, 0.000024801486521387325951, 2.7557622530993388785e-6,
            2.7632293294404130062e-7, 2.4994304873278692549e-8,
        ),
    ),
}  # fmt: skip


@jax.custom_jvp
def bounded_exp(y: Float[Array, "..."]) -> Float[Array, "..."]:
    r"""$$e^y = 2^k e^r,\quad k = \mathrm{round}(y/\ln 2)$$ for y known not to overflow."""
    if y.dtype not in FORMATS:
        return jnp.exp(y)
    kind, number = FORMATS[y.dtype], y.dtype.type
    k = jnp.round(y * number(1 / math.log(2)))
    high, low = map(number, kind.ln2)
    # 1.5 · 2^mantissa, added to a whole number, leaves that number in the last bits; shifted, it adds to the exponent.
    shift = _bits(k + number(1.5 * 2**kind.mantissa), kind) << kind.mantissa
    power = _bits(_polynomial(y - k * high - k * low, kind.polynomial), kind) + shift
    return jnp.where(y < number(kind.lowest), number(0), jax.lax.bitcast_convert_type(power, y.dtype))


@bounded_exp.defjvp
def _bounded_exp_jvp(at, along):
    value = bounded_exp(at[0])
    return value, value * along[0]


def exponential(y: Float[Array, "..."]) -> Float[Array, "..."]:
    """The same for any y: infinite where it overflows."""
    return jnp.where(y > jnp.log(jnp.finfo(y.dtype).max), jnp.inf, bounded_exp(y))


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


def _bits(a, kind: Format):
    return jax.lax.bitcast_convert_type(a, kind.integer)


def _polynomial(r, coefficients):
    *lower, value = (r.dtype.type(c) for c in coefficients)
    for c in reversed(lower):
        value = value * r + c
    return value
