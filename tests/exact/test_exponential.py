"""Exponentials made for shifted scores, against extended precision and the definitions they replace."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attnflow.special.shifted_exponential import bounded_exp, sigmoid

SCORES = np.concatenate(
    [
        np.random.default_rng(0).uniform(-708, 709, 10_000),
        np.random.default_rng(1).uniform(-1, 1, 10_000),
        [0, -708, 709],
    ]
)


@pytest.mark.skipif(np.finfo(np.longdouble).eps > 1e-18, reason="no extended precision on this machine")
def test_bounded_exponentials_are_right_to_three_units_in_the_last_place():
    exact = np.exp(SCORES.astype(np.longdouble))
    ratio = np.asarray(bounded_exp(jnp.asarray(SCORES))).astype(np.longdouble) / exact
    assert np.abs(ratio - 1).max() < 3 * np.finfo(float).eps


def test_what_is_not_heard_weighs_nothing_and_a_nan_stays_one():
    assert_array_equal(bounded_exp(jnp.array([-jnp.inf, -1e300, -708.5, jnp.nan, 0.0])), [0, 0, 0, np.nan, 1])


def test_single_precision_is_left_to_the_library():
    y = jnp.linspace(-80, 0, 101, dtype=jnp.float32)
    assert_array_equal(bounded_exp(y), jnp.exp(y))


@pytest.mark.parametrize("s", [-900.0, -3.0, 0.0, 0.7, 900.0])
def test_sigmoid_and_its_derivatives(s):
    e = np.exp(-abs(s))
    value = (e if s < 0 else 1) / (1 + e)
    assert_allclose(sigmoid(jnp.asarray(s)), value, rtol=1e-15)
    assert_allclose(jax.grad(sigmoid)(s), e / (1 + e) ** 2, rtol=1e-13, atol=1e-300)
    assert_allclose(jax.grad(jax.grad(sigmoid))(s), e / (1 + e) ** 2 * (1 - 2 * value), rtol=1e-12, atol=1e-300)


def test_derivatives_of_the_exponential_are_itself():
    y = jnp.asarray(-1.3)
    assert_allclose(jax.grad(jax.grad(bounded_exp))(y), np.exp(-1.3), rtol=1e-15)
