"""A space that is only defined by its three methods is projected on, stepped in and stayed in, like the sphere."""

import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af
from attnflow.engine.spaces import Space

AXES = np.array([1.0, 4.0, 0.25])


class Ellipsoid(Space):
    """The points with Σ_k a_k x_k² = 1."""

    def tangent(self, x, v):
        normal = jnp.asarray(AXES, x.dtype) * x
        normal = normal / jnp.linalg.norm(normal, axis=-1, keepdims=True)
        return v - jnp.sum(normal * v, axis=-1, keepdims=True) * normal

    def retract(self, x):
        return x / jnp.sqrt(jnp.sum(jnp.asarray(AXES, x.dtype) * x**2, axis=-1, keepdims=True))

    def distance(self, x, y):
        return jnp.linalg.norm(x - y, axis=-1)


class TwoCircles(Space):
    """The product of two circles in R⁴."""

    def tangent(self, x, v):
        return self._on_each(lambda x, v: af.Sphere().tangent(x, v), x, v)

    def retract(self, x):
        return self._on_each(af.Sphere().retract, x)

    def distance(self, x, y):
        parts = [af.Sphere().distance(x[..., k : k + 2], y[..., k : k + 2]) for k in (0, 2)]
        return jnp.hypot(*parts)

    def _on_each(self, f, *arrays):
        return jnp.concatenate([f(*(a[..., k : k + 2] for a in arrays)) for k in (0, 2)], axis=-1)


def on_ellipsoid(x):
    return np.sum(AXES * x**2, axis=-1) - 1


def on_two_circles(x):
    return np.stack([np.sum(x[..., :2] ** 2, axis=-1), np.sum(x[..., 2:] ** 2, axis=-1)]) - 1


CASES = {"ellipsoid": (Ellipsoid(), 3, on_ellipsoid), "two circles": (TwoCircles(), 4, on_two_circles)}


@pytest.fixture(params=CASES)
def case(request, rng):
    space, d, defect = CASES[request.param]
    x = np.asarray(space.retract(jnp.asarray(rng.normal(size=(6, d)))))
    V = rng.normal(size=(d, d))
    return space, af.Particles(x), af.Flow(space, af.Softmax(beta=1.5), V=V), defect


def test_velocities_are_tangent_and_the_projection_of_the_free_one(case):
    space, mu, flow, defect = case
    v = np.asarray(af.velocity(flow, mu))
    slope = (defect(np.asarray(mu.x) + 1e-6 * v) - defect(np.asarray(mu.x) - 1e-6 * v)) / 2e-6
    assert_allclose(slope, 0, atol=1e-9)
    free = af.velocity(af.Flow(af.Euclidean(), af.Softmax(beta=1.5), V=flow.V), mu)
    assert_allclose(v, space.tangent(mu.x, jnp.asarray(free)), atol=1e-14)
    assert np.abs(np.asarray(free) - v).max() > 0.1


@pytest.mark.broad(1)
def test_runs_stay_in_the_space(case):
    _, mu, flow, defect = case
    for options in ({}, {"method": "heun", "step": 0.1}, {"merge": 1e-3}):
        run = af.evolve(flow, mu, until=2.0, save=5, **options)
        assert run.status == af.Status.DONE
        assert_allclose(defect(np.asarray(run.x)), 0, atol=1e-14)
    assert_allclose(defect(np.asarray(af.layers(flow, mu, 5, 0.2).x)), 0, atol=1e-14)


@pytest.mark.parametrize(("method", "order"), [("euler", 1), ("heun", 2), ("rk4", 4)])
@pytest.mark.slow
def test_fixed_steps_have_their_order(case, method, order):
    _, mu, flow, _ = case
    exact = np.asarray(af.evolve(flow, mu, until=0.5, save=1, tol=1e-13).x[-1])
    errors = [
        np.abs(np.asarray(af.evolve(flow, mu, until=0.5, save=1, method=method, step=h).x[-1]) - exact).max()
        for h in (0.5 / 32, 0.5 / 64)
    ]
    # Two step sizes: the order is read to a quarter.
    assert abs(np.log2(errors[0] / errors[1]) - order) < 0.25
