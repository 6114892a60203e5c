"""The harmonic sum on S² against the exact one; error estimates of all fast sums at coarse tolerances."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import sph_harm_y

import attnflow as af
from attnflow.engine.summation.circle import Circle
from attnflow.engine.summation.gauss import Gauss
from attnflow.engine.summation.tiled import Tiled
from attnflow.engine.summation.two_sphere import TwoSphere
from attnflow.engine.summation.zonal import degree_on_sphere, legendre_modes, zonal

pytest.importorskip("jax_finufft")

N = 500


def unit(x):
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


@jax.jit
def both(strategy, kernel, y):
    return Tiled().sum(kernel, y), strategy.sum(kernel, y), strategy.hear(kernel, y)


def on_sphere(beta, eps=1e-14, **options):
    return TwoSphere(zonal(beta, degree_on_sphere(beta, eps), jnp.float64), eps=eps, **options)


def test_legendre_functions_are_those_of_scipy():
    degree, theta = 7, 0.9
    modes, waves = legendre_modes(degree), np.exp(1j * theta * np.arange(-7, 8))
    for l, m in ((0, 0), (4, 0), (5, 2), (6, 3), (7, 7)):
        value = modes[m, l] @ waves * (1j if m % 2 else 1)
        # Orthonormal for the uniform probability and without the sign (−1)^m of Condon and Shortley.
        assert_allclose(value, (-1) ** m * np.sqrt(4 * np.pi) * sph_harm_y(l, m, theta, 0.0), atol=4e-14)


def test_error_is_at_round_off_with_poles_and_any_rotation(rng):
    x = np.concatenate([unit(rng.normal(size=(N - 4, 3))), [[0, 0, 1], [0, 0, -1.0], [1, 0, 0], [1e-9, 0, -1]]])
    mu = af.Particles(x, rng.uniform(0.1, 1, N))
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    strategy = on_sphere(30.0)
    for rule in (af.Softmax(beta=30.0), af.Softmax(B=30 * turn), af.Unnormalised(beta=30.0, scale="shifted")):
        exact, fast, heard = both(strategy, rule.kernel(mu.x, mu), mu.x)
        assert not np.any(np.asarray(heard.is_wrong))
        assert_allclose(fast, exact, atol=1e-13)


def test_other_temperatures_are_noticed(rng):
    mu = af.Particles(unit(rng.normal(size=(N, 3))))
    exact, fast, heard = both(on_sphere(30.0), af.Softmax(beta=29.0).kernel(mu.x, mu), mu.x)
    assert np.all(np.asarray(heard.is_wrong))
    assert_allclose(fast, exact, atol=1e-13)


def test_gradients_know_of_every_B(rng):
    mu, weights = af.Particles(unit(rng.normal(size=(N, 3)))), rng.normal(size=(N, 3))

    def slope(strategy):
        f = lambda x, B: jnp.sum(weights * strategy.sum(af.Softmax(B=B).kernel(x, mu), x))  # noqa: E731
        return jax.jit(jax.grad(f, argnums=(0, 1)))(mu.x, 30.0 * jnp.eye(3))

    for one, other in zip(slope(Tiled()), slope(on_sphere(30.0))):
        assert_allclose(other, one, atol=1e-12 * np.abs(one).max())


@pytest.mark.parametrize("eps", [1e-5, 1e-9])
@pytest.mark.parametrize("kind", ["circle", "sphere", "gauss"])
@pytest.mark.broad(2)
def test_estimates_hold_at_coarse_tolerances(rng, kind, eps):
    d = 2 if kind == "circle" else 3
    centres = unit(rng.normal(size=(4, d)))
    mu = af.Particles(unit(centres[rng.integers(4, size=N)] + 0.3 * rng.normal(size=(N, d))))
    strategy = {
        "circle": Circle(97, 1e3, eps),
        "sphere": on_sphere(30.0, eps, tol=1e3),
        "gauss": Gauss((33,) * 3, 1e3, eps),
    }
    exact, _, heard = both(strategy[kind], af.Softmax(beta=30.0).kernel(mu.x, mu), mu.x)
    error = np.abs(heard.sums - exact).max(1)
    usual = np.mean(np.abs(mu.x).max(1))
    assert np.all(error <= 1e3 * np.asarray(heard.excess) * np.maximum(np.abs(exact).max(1), usual))
