"""The same sums by the short path for bounded scores and by the safe one, inside `jit`, `vmap` and `grad` too."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af
from attnflow.engine.summation.tiled import Tiled, is_bounded

N = 80
SMALL = Tiled(tile=32)
"""More tokens than a tile, so that scores are looked at."""


def tokens(seed=0, d=3, scale=1.0):
    return scale * np.random.default_rng(seed).normal(size=(N, d))


def by_hand(x, mass, beta):
    """The softmax average in NumPy, with the row maximum taken out."""
    s = beta * x @ x.T + np.log(mass)
    w = np.exp(s - s.max(axis=1, keepdims=True))
    return w @ x / w.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("d", [2, 17])  # below and above the width where the normaliser is a product of its own
@pytest.mark.parametrize("scale, bounded", [(1.0, True), (60.0, False)])
def test_both_paths_sum_alike(d, scale, bounded):
    x, flow = tokens(d=d, scale=scale), af.Flow(af.Euclidean(), af.Softmax(beta=0.5))
    mass = np.random.default_rng(1).random(N)
    mu = af.Particles(x, mass)
    assert bool(is_bounded(flow.attention.kernel(mu.x, mu))) == bounded
    assert_allclose(af.velocity(flow, mu, summation=SMALL), by_hand(x, mass / mass.sum(), 0.5), rtol=1e-11, atol=1e-12)


def test_masses_that_differ_by_many_orders_are_not_bounded():
    mass = np.ones(N)
    mass[:2] = 0.0, 1e-300
    flow, mu = af.Flow(af.Euclidean(), af.Softmax()), af.Particles(tokens(), mass)
    assert not is_bounded(flow.attention.kernel(mu.x, mu))
    assert is_bounded(flow.attention.kernel(mu.x, af.Particles(tokens(), np.arange(N))))


def velocities(flow, x):
    """By the path that looks at the scores, and by the safe one."""
    return [af.velocity(flow, af.Particles(x), summation=Tiled(tile=tile)) for tile in (32, N)]


@pytest.mark.parametrize("rule", [af.L2(Q=np.eye(3), K=np.eye(3)), af.Causal(af.Softmax(beta=2.0))])
def test_inside_jit(rule):
    seen, safe = jax.jit(velocities)(af.Flow(af.Euclidean(), rule), jnp.asarray(tokens(scale=0.3)))
    assert_allclose(seen, safe, rtol=1e-11, atol=1e-13)


def test_inside_vmap_and_derivatives():
    flow, x = af.Flow(af.Euclidean(), af.Softmax(beta=2.0)), jnp.asarray(tokens(scale=0.3))

    def all_of(x):
        batch = jax.vmap(lambda x: velocities(flow, x))(jnp.stack([x, 200 * x]))  # not bounded: all take the safe path
        slopes = [jax.grad(lambda x, k=k: jnp.sum(jnp.sin(velocities(flow, x)[k])))(x) for k in range(2)]
        return batch, slopes, jax.jvp(lambda x: velocities(flow, x), (x,), (x[::-1],))[1]

    for seen, safe in jax.jit(all_of)(x):
        assert_allclose(seen, safe, rtol=1e-9, atol=1e-12)  # derivatives lose a digit or two to cancellation


def test_a_batch_computes_one_path_only():
    v = lambda x: af.velocity(af.Flow(af.Euclidean(), af.Softmax()), af.Particles(x), summation=SMALL)  # noqa: E731
    assert "cond[" in str(jax.make_jaxpr(jax.vmap(v))(jnp.stack([tokens(), tokens(1)])))


def test_equal_masses_are_known_inside_jit():
    flow = af.Flow(af.Sphere(), af.Softmax(beta=3.0))

    def velocity(x):
        return af.velocity(flow, af.Particles(x), summation="exact")

    # No cond: that scores are bounded is a fact of the sphere and the rule.
    assert "cond[" not in str(jax.make_jaxpr(velocity)(jnp.ones((1500, 3))))
