"""Consensus-based optimisation on the engine of attention: Bungert, Roith, Wacker 2022."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af
from attnflow.theory.cbo import (
    CBO,
    OBJECTIVES,
    consensus,
    consensus_of,
    drift,
    gaussian_of_dot,
    geometric,
    minimise,
    step,
)

KERNELS = ("gaussian", "laplace", "inverse quadratic", "compact", "constant")


@pytest.fixture
def x(rng):
    return jnp.asarray(rng.normal(size=(60, 3)))


def by_differences(kernel, kappa, x, energy):
    """The consensus by the n × n × d array of differences."""
    r = np.linalg.norm(np.asarray(x)[:, None] - np.asarray(x)[None], axis=2) / kappa
    k = {
        "gaussian": np.exp(-(r**2) / 2),
        "laplace": np.exp(-r),
        "inverse quadratic": 1 / (1 + r**2),
        "compact": (r <= 1) * 1.0,
        "constant": np.ones_like(r),
    }[kernel]
    w = k * np.exp(-np.asarray(energy))
    return w @ np.asarray(x) / w.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("kernel", KERNELS)
def test_consensus_is_the_weighted_mean(kernel, x):
    f = OBJECTIVES["ackley"]
    cbo = CBO(f, kernel, kappa=0.7, alpha=2.0)
    assert_allclose(consensus(cbo, x), by_differences(kernel, 0.7, x, 2 * f(x)), atol=1e-13)


def test_large_alpha_neither_overflows_nor_forgets_the_neighbours(x):
    m = consensus(CBO(OBJECTIVES["quadratic"], "gaussian", kappa=0.5, alpha=1e6), x)
    assert np.all(np.isfinite(m))


def test_attention_on_the_sphere_is_noiseless_polarised_cbo(x):
    x = af.Sphere().retract(x)
    flow = af.Flow(af.Sphere(), af.Softmax(beta=7.0))
    v = af.velocity(flow, af.Particles(x))
    assert_allclose(drift(consensus_of(flow), x), v, atol=1e-14)
    gaussian = CBO(None, "gaussian", kappa=7**-0.5, space=af.Sphere())
    assert_allclose(drift(gaussian, x), v, atol=1e-14)


def test_attention_in_space_is_cbo_that_seeks_large_norms(x):
    flow = af.Flow(af.Euclidean(), af.Softmax(beta=0.7))
    assert_allclose(drift(gaussian_of_dot(flow.attention), x) + x, af.velocity(flow, af.Particles(x)), atol=1e-13)


def test_mean_shift_climbs_the_logarithm_of_the_smoothed_measure(x):
    beta = 1.3

    def log_density(y):
        return jnp.log(jnp.mean(jnp.exp(-beta / 2 * jnp.sum((y - x) ** 2, axis=1))))

    climb = jax.vmap(jax.grad(log_density))(x) / beta
    assert_allclose(drift(CBO(None, "gaussian", kappa=beta**-0.5), x), climb, atol=1e-13)


def test_bias_enters_as_log_masses(x):
    weights = jnp.linspace(1, 3, len(x))
    flow = af.Flow(af.Euclidean(), af.Softmax(beta=0.7))
    heard = af.velocity(flow, af.Particles(x, weights))
    cbo = CBO(lambda y: -jnp.log(weights), af.Softmax(beta=0.7), alpha=1.0)
    assert_allclose(consensus(cbo, x), heard, atol=1e-13)


def test_noise_sizes(x):
    z = jnp.ones_like(x)
    rest = {"kernel": "gaussian", "lam": 0.0, "sigma": 2.0}
    away = np.asarray(x - consensus(CBO(None, "gaussian"), x))
    isotropic = step(CBO(None, **rest), x, dt=0.25, z=z) - x
    anisotropic = step(CBO(None, noise="anisotropic", **rest), x, dt=0.25, z=z) - x
    assert_allclose(isotropic, np.linalg.norm(away, axis=1, keepdims=True) * np.ones(3), atol=1e-14)
    assert_allclose(anisotropic, away, atol=1e-14)


def test_steps_stay_on_the_sphere(x):
    cbo = CBO(OBJECTIVES["ackley"], "laplace", space=af.Sphere())
    moved = step(cbo, af.Sphere().retract(x), dt=0.1, z=x)
    assert_allclose(np.linalg.norm(moved, axis=1), 1, atol=1e-15)


def test_runs_of_a_batch_are_independent_and_repeatable():
    cbo = CBO(OBJECTIVES["quadratic"], alpha=50.0)
    a, b = (minimise(cbo, d=2, n=30, runs=3, steps=60, seed=4) for _ in range(2))
    assert np.array_equal(a.particles, b.particles)
    assert np.abs(a.particles[0] - a.particles[1]).min() > 0


@pytest.mark.parametrize("name", ["ackley", "rastrigin", "griewank", "himmelblau"])
@pytest.mark.slow
def test_minima_are_found(name):
    f = OBJECTIVES[name]
    cbo = CBO(f, alpha=geometric(30.0, 0.5, cap=1e6), sigma=1.0, noise="anisotropic")
    found = minimise(cbo, d=2, n=200, runs=4, box=f.box, steps=600, dt=0.05, seed=2)
    misses = np.linalg.norm(found.x[:, None] - f.minima(2)[None], axis=2).min(axis=1)
    # A stochastic search: the last decades are those of the noise.
    assert np.median(misses) < 1e-2


def test_polarised_particles_find_all_four_minima():
    f = OBJECTIVES["himmelblau"]
    cbo = CBO(f, "gaussian", kappa=1.0, alpha=1.0, sigma=0.3)
    particles = minimise(cbo, d=2, n=300, box=f.box, steps=600, dt=0.02, seed=1).particles[0]
    near = np.linalg.norm(particles[:, None] - f.minima(2)[None], axis=2) < 0.3
    assert np.all(near.sum(axis=0) >= 20)


def test_minimum_on_the_sphere_is_found():
    centre = jnp.array([0.6, 0.0, 0.8])
    cbo = CBO(lambda x: OBJECTIVES["ackley"](3 * (x - centre)), alpha=1e4, sigma=0.5, space=af.Sphere())
    found = minimise(cbo, d=3, n=200, runs=2, steps=400, dt=0.05, seed=0)
    # The noise shrinks with the disagreement; a thousandth is reached long before the end.
    assert_allclose(found.x, np.tile(centre, (2, 1)), atol=1e-3)


@pytest.mark.parametrize(
    "bad",
    [{"kernel": "square"}, {"noise": "loud"}, {"kernel": "gaussian", "kappa": 0.0}, {"objective": 3.0}],
)
def test_bad_input_is_refused(bad):
    with pytest.raises(ValueError):
        CBO(**bad)


def test_nan_of_the_objective_is_told():
    with pytest.raises(ValueError, match="finite"):
        minimise(CBO(lambda x: jnp.sqrt(-jnp.sum(x**2, axis=-1))), d=2, n=30, runs=3, steps=60)
