"""Exponentials made for scores, against extended precision and the definitions they replace."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attnflow.engine.special.shifted_exponential import bounded_exp, exponential, sigmoid

RANGES = {np.float32: (-87.0, 88.7), np.float64: (-708.0, 709.7)}


@pytest.mark.skipif(np.finfo(np.longdouble).eps > 1e-18, reason="no extended precision on this machine")
@pytest.mark.parametrize("kind", RANGES)
@pytest.mark.parametrize("is_compiled", [False, True])
def test_exponentials_are_right_to_one_unit_in_the_last_place(kind, is_compiled):
    draw = np.random.default_rng(0)
    y = np.concatenate([draw.uniform(*RANGES[kind], 20_000), draw.uniform(-1, 1, 20_000), [0, *RANGES[kind]]])
    y = y.astype(kind)
    exact = np.exp(y.astype(np.longdouble))
    values = (jax.jit(exponential) if is_compiled else exponential)(jnp.asarray(y))
    assert values.dtype == kind
    assert np.abs(np.asarray(values).astype(np.longdouble) / exact - 1).max() < np.finfo(kind).eps


@pytest.mark.parametrize("kind", RANGES)
def test_what_is_not_heard_weighs_nothing_what_overflows_is_infinite_and_a_nan_stays_one(kind):
    y = jnp.array([-jnp.inf, -1e30, RANGES[kind][0] - 0.5, jnp.nan, 0.0], kind)
    assert_array_equal(bounded_exp(y), [0, 0, 0, np.nan, 1])
    y = jnp.array([-jnp.inf, jnp.nan, RANGES[kind][1] + 0.1, 1e30, jnp.inf], kind)
    assert_array_equal(exponential(y), [0, np.nan, np.inf, np.inf, np.inf])


def test_half_precision_is_left_to_the_library():
    y = jnp.linspace(-8, 0, 101, dtype=jnp.float16)
    assert_array_equal(bounded_exp(y), jnp.exp(y))


@pytest.mark.parametrize("s", [-900.0, -3.0, 0.0, 0.7, 900.0])
def test_sigmoid_and_its_derivatives(s):
    e = np.exp(-abs(s))
    value = (e if s < 0 else 1) / (1 + e)
    assert_allclose(sigmoid(jnp.asarray(s)), value, rtol=1e-15)
    assert_allclose(jax.grad(sigmoid)(s), e / (1 + e) ** 2, rtol=1e-13, atol=1e-300)
    assert_allclose(jax.grad(jax.grad(sigmoid))(s), e / (1 + e) ** 2 * (1 - 2 * value), rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("f", [bounded_exp, exponential])
def test_derivatives_of_the_exponential_are_itself(f):
    y = jnp.asarray(-1.3)
    assert_allclose(jax.grad(jax.grad(f))(y), np.exp(-1.3), rtol=1e-15)
