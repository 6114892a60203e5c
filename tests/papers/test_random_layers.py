"""Networks with fresh Gaussian weights against the recursion of their common cosine."""

import jax
import numpy as np
import pytest
from numpy.testing import assert_allclose

from attnflow.engine.spaces import Sphere
from attnflow.papers.rigollet2025.figures.random_weights import SCHEMES, random_network
from attnflow.theory.sphere.random_layers import apart, outputs


@pytest.mark.parametrize("has_values", [False, True])
@pytest.mark.parametrize("name", ["Post-LN", "Pre-LN", "Peri-LN"])
@pytest.mark.broad(2)
def test_networks_follow_the_recursion(name, has_values):
    n, d, layers = 48, 256, 12
    start = Sphere().retract(jax.random.normal(jax.random.key(1), (n, d)))
    found = random_network(
        SCHEMES[name](), start, jax.random.key(2), layers=layers, beta=float(np.sqrt(d)), has_values=has_values
    )
    law = apart(name, n=n, layers=layers, has_values=has_values)
    # One draw of the weights: fluctuations of order d^{-1/2} per layer, and e^{σ²}/n is a mean over many tokens.
    assert_allclose(np.median(found, axis=1), law, rtol=0.25)


def test_the_recursion_without_scores_is_that_of_equal_weights():
    """σ² = 0: a is the mean of the tokens, and Post-LN with V = I is normalise(x + mean) of an equiangular prompt."""
    own, across = outputs(0.3, n=5, variance=0.0)
    assert_allclose([own, across], 0.3 + 0.7 / 5, rtol=1e-15)
    n, x = 5, np.eye(5)
    for left in apart("Post-LN", n=n, layers=3, has_values=False, variance=0.0):
        x = x + x.mean(axis=0)
        x = x / np.linalg.norm(x, axis=1, keepdims=True)
        assert_allclose(1 - x[0] @ x[1], left, rtol=1e-12)


def test_fresh_values_make_depth_scaling_a_power_law():
    """Once tokens agree, 1 − ρ loses the share 1/(2 + t) in every layer with √t and 1/(r² + 1) with Pre-LN."""
    for name in ("√t", "Pre-LN"):
        left = apart(name, n=4, layers=20000, has_values=True)
        slope = np.log(left[-1] / left[9999]) / np.log(2)
        assert_allclose(slope, -1.0, atol=0.02)  # O(1/log t) corrections of the start
