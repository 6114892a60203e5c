"""The Fourier sum on the circle against the exact one, and its coefficients against Bessel functions."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import ive

import attnflow as af
from attnflow.engine.summation.circle import Circle, have_one_length, modes_on_circle, scaled_bessel
from attnflow.engine.summation.tiled import Tiled

pytest.importorskip("jax_finufft")

N = 500


def circle(rng, n=N):
    angle = rng.uniform(0, 2 * np.pi, n)
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


@jax.jit
def both(strategy, kernel, y):
    return Tiled().sum(kernel, y), strategy.sum(kernel, y), strategy.hear(kernel, y).is_wrong


@pytest.mark.parametrize("r", [1e-3, 1.0, 81.0, 1e4])
def test_coefficients_are_scaled_bessel_functions(r):
    modes = modes_on_circle(r, 1e-16)
    kept, left_out = scaled_bessel(jnp.asarray(r), modes)
    # The trapezoidal rule is exact up to the round-off of its samples.
    assert_allclose(kept, ive(np.abs(np.arange(modes) - modes // 2), r), atol=1e-16)
    # Round-off of thousands of samples counts as left out.
    assert float(left_out) < 1e-13


@pytest.mark.parametrize("beta", [1.0, 81.0, 1000.0])
def test_error_is_at_round_off(rng, beta):
    mu = af.Particles(circle(rng), rng.uniform(0.1, 1, N))
    exact, fast, wrong = both(Circle(modes_on_circle(1000.0, 1e-15)), af.Softmax(beta=beta).kernel(mu.x, mu), mu.x)
    assert not np.any(np.asarray(wrong))
    assert_allclose(fast, exact, atol=1e-13)


def test_rotated_and_repelled_and_unnormalised(rng):
    mu = af.Particles(circle(rng))
    turn = np.array([[0.6, -0.8], [0.8, 0.6]])
    rules = [af.Softmax(B=9 * turn), af.Softmax(beta=-9.0), af.Unnormalised(beta=3.0)]
    for rule in [*rules, af.Unnormalised(beta=9.0, scale="shifted"), af.Sinkhorn(eps=0.3, iterations=3)]:
        kernel = rule.kernel(mu.x, mu)
        exact, fast, _ = both(Circle(97), kernel, mu.x)
        assert_allclose(fast, exact, atol=1e-12 * np.abs(exact).max())


def test_too_few_modes_and_uneven_radii_are_noticed(rng):
    mu = af.Particles(circle(rng))
    uneven = af.Particles(circle(rng) * rng.uniform(0.9, 1.1, (N, 1)))
    for state, beta in ((mu, 1000.0), (uneven, 9.0)):
        exact, fast, wrong = both(Circle(97), af.Softmax(beta=beta).kernel(state.x, state), state.x)
        assert np.all(np.asarray(wrong))
        assert_allclose(fast, exact, atol=1e-13)


def test_gradients_know_of_every_B(rng):
    """The form holds for multiples of rotations only, its derivatives for all directions."""
    mu, weights = af.Particles(circle(rng)), rng.normal(size=(N, 2))

    def f(strategy):
        return lambda x, B: jnp.sum(weights * strategy.sum(af.Softmax(B=B).kernel(x, mu), x))

    slopes = [jax.jit(jax.grad(f(s), argnums=(0, 1)))(mu.x, 9.0 * jnp.eye(2)) for s in (Tiled(), Circle(97))]
    for one, other in zip(*slopes):
        assert_allclose(other, one, atol=1e-12 * np.abs(one).max())


def test_only_circles_are_circles(rng):
    x = circle(rng)
    assert have_one_length(3 * x, x)
    assert not have_one_length(x @ np.diag([1.0, 2.0]), x)
