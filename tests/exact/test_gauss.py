"""The fast Gauss sum against the exact one: every listener within the tolerance it promises, or summed exactly."""

import warnings

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af
from attnflow.engine.summation.gauss import Gauss, balance, modes_for, periodic_gauss
from attnflow.engine.summation.tiled import Tiled

pytest.importorskip("jax_finufft")


def unit(x):
    return np.asarray(x) / np.linalg.norm(x, axis=-1, keepdims=True)


N = 600
PLANE, SPACE = Gauss((73, 73)), Gauss((49, 49, 49))


@jax.jit
def exact(kernel, y):
    return Tiled().sum(kernel, y)


@jax.jit
def fast(strategy, kernel, y):
    return strategy.sum(kernel, y), strategy.hear(kernel, y)


def compare(strategy, rule, x, mass=None):
    """Error of the final sums, error of the unrepaired ones where they are trusted, and the share of failures."""
    mu = af.Particles(x, mass)
    kernel = rule.kernel(mu.x, mu)
    truth = np.asarray(exact(kernel, mu.x))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sums, heard = fast(strategy, kernel, mu.x)
    usual = float(mu.mass @ jnp.max(jnp.abs(mu.x), axis=1))
    size = np.maximum(np.abs(truth).max(1), usual)
    trusted = ~np.asarray(heard.is_wrong)
    error = np.abs(np.asarray(heard.sums) - truth).max(1) / size
    estimate = np.asarray(heard.excess) * strategy.tol
    assert np.all(error[trusted] <= estimate[trusted])
    assert np.all(np.isfinite(np.asarray(sums)))
    return np.max(np.abs(np.asarray(sums) - truth).max(1) / size), 1 - trusted.mean()


def sphere(rng, d, n=N):
    return unit(rng.normal(size=(n, d)))


RULES = {
    "softmax": lambda d: af.Softmax(beta=20.0),
    "unnormalised": lambda d: af.Unnormalised(beta=4.0),
    "unnormalised shifted": lambda d: af.Unnormalised(beta=20.0, scale="shifted"),
    "unnormalised sum": lambda d: af.Unnormalised(beta=2.0, scale="sum"),
    "l2": lambda d: af.L2(beta=8.0),
    "l2 with Q and K": lambda d: af.L2(Q=np.eye(d), K=1.3 * np.eye(d), beta=3.0),
    "any B": lambda d: af.Softmax(B=6 * np.random.default_rng(5).normal(size=(d, d))),
    "singular B": lambda d: af.Softmax(B=np.diag([9.0, 0.0, 0.0][:d])),
    "zero": lambda d: af.Softmax(beta=0.0),
    "repulsive": lambda d: af.Softmax(beta=-8.0),
}


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("name", RULES)
@pytest.mark.broad(2)
def test_equals_the_exact_sum_on_the_sphere(rng, name, d):
    error, failures = compare({2: PLANE, 3: SPACE}[d], RULES[name](d), sphere(rng, d), rng.uniform(0.1, 1, N))
    assert error <= 2e-13
    assert failures <= 0.02


@pytest.mark.parametrize("rule", [af.Softmax(beta=1.0), af.L2(beta=2.0), af.Unnormalised(beta=0.3)])
@pytest.mark.broad(1)
def test_bounded_clouds_of_the_plane_and_the_line(rng, rule):
    x = rng.uniform([1.0, -3.0], [5.0, 1.0], size=(N, 2))
    assert compare(PLANE, rule, x)[0] <= 1e-12
    assert compare(Gauss((145,)), rule, x[:, :1])[0] <= 1e-12


def test_sinkhorn_potentials_are_column_offsets(rng):
    # The iterations of the potentials are exact; a few half-steps suffice to make columns uneven.
    assert compare(SPACE, af.Sinkhorn(eps=0.2, iterations=5), sphere(rng, 3))[0] <= 1e-12


def test_rectangular_keys_use_their_own_dimension(rng):
    Q, K = rng.normal(size=(2, 2, 5))
    assert compare(PLANE, af.Softmax(Q=Q, K=K, beta=3.0), sphere(rng, 5))[0] <= 1e-12


def adversarial(rng):
    """Clouds chosen to break Fourier sums, as (rule, tokens, masses)."""
    cluster = unit([1.0, 0, 0] + 1e-3 * rng.normal(size=(N, 3)))
    outliers = np.concatenate([cluster[:-5], sphere(rng, 3, 5)])
    antipodal = np.concatenate([cluster[: N // 2], -cluster[N // 2 :]])
    uniform = sphere(rng, 3)
    flat = np.ones(N)
    return {
        "cluster and far outliers": (af.Softmax(beta=30.0), outliers, flat),
        "antipodal mass": (af.Softmax(beta=30.0), antipodal, flat),
        "antipodal mass, repelled": (af.Softmax(beta=-30.0), antipodal, flat),
        "one cluster, repelled": (af.Softmax(beta=-30.0), cluster, flat),
        "beta = 10000": (af.Softmax(beta=1e4), uniform, flat),
        "strongly anisotropic": (af.Softmax(B=np.diag([300.0, 1.0, 0.01])), uniform, flat),
        "indefinite": (af.Softmax(B=np.diag([20.0, -20.0, 3.0])), uniform, flat),
        "rotation and one cluster": (af.Softmax(B=30 * np.roll(np.eye(3), 1, 0)), cluster, flat),
        "huge spread": (af.L2(beta=1.0), rng.normal(size=(N, 3)) * 10.0 ** rng.uniform(0, 6, (N, 1)), flat),
        "huge spread, bilinear": (af.Softmax(beta=1.0), 1e3 * rng.normal(size=(N, 3)), flat),
        "duplicated tokens": (af.Softmax(beta=30.0), uniform[rng.integers(3, size=N)], flat),
        "all equal": (af.Softmax(beta=30.0), np.broadcast_to(uniform[:1], (N, 3)), flat),
        "masses from 1e-300 to 1": (af.Softmax(beta=30.0), uniform, 10.0 ** rng.uniform(-300, 0, N)),
        "all mass on one token": (af.Softmax(beta=30.0), uniform, np.eye(N)[3]),
        "unnormalised, anisotropic": (af.Unnormalised(B=np.diag([30.0, 1.0, 0.1])), uniform, flat),
    }


@pytest.mark.parametrize("case", range(15))
@pytest.mark.broad(2)
def test_no_cloud_breaks_the_promise(rng, case):
    name, (rule, x, mass) = list(adversarial(rng).items())[case]
    error, _ = compare(SPACE, rule, x, mass)
    # The sums promise 1e-10; scores of size s lose s units of round-off in the exact sum as well.
    assert error <= 1e-10, name


def test_one_cluster_stays_fast_whatever_B(rng):
    """Moving listeners onto keys rescues tight clusters that the bilinear form puts far from themselves."""
    for name in ("one cluster, repelled", "rotation and one cluster"):
        rule, x, mass = adversarial(rng)[name]
        assert compare(SPACE, rule, x, mass)[1] == 0


def test_falling_back_as_a_whole_is_said(rng):
    mu = af.Particles(1e3 * rng.normal(size=(N, 3)))
    kernel = af.Softmax().kernel(mu.x, mu)
    with pytest.warns(UserWarning, match="could not hold their tolerance for more than 10% of 600"):
        jax.block_until_ready(fast(SPACE, kernel, mu.x))
        jax.effects_barrier()


def test_single_precision_keeps_its_own_tolerance(rng):
    mu = af.Particles(jnp.asarray(sphere(rng, 2), jnp.float32))
    kernel = af.Softmax(beta=9.0).kernel(mu.x, mu)
    sums, heard = fast(Gauss((41, 41), tol=1e-4, eps=1e-7), kernel, mu.x)
    assert sums.dtype == jnp.float32 and not np.any(np.asarray(heard.is_wrong))
    # Single precision: 1e-4 is what the strategy was asked for.
    assert_allclose(sums, exact(kernel, mu.x), atol=1e-4)


def scalar(strategy, weights):
    def f(x, mass, B):
        mu = af.Particles(x, mass)
        return jnp.sum(weights * strategy.sum(af.Softmax(B=B).kernel(mu.x, mu), mu.x) ** 2)

    return f


def test_gradients_are_those_of_the_exact_sum(rng):
    x, mass, B = (
        jnp.asarray(sphere(rng, 2, 200)),
        jnp.asarray(rng.uniform(0.1, 1, 200)),
        jnp.asarray([[5.0, 1], [-2, 3]]),
    )
    weights = rng.normal(size=(200, 2))
    pairs = zip(*(jax.jit(jax.grad(scalar(s, weights), argnums=(0, 1, 2)))(x, mass, B) for s in (Tiled(), PLANE)))
    for one, other in pairs:
        assert_allclose(other, one, atol=1e-12 * np.abs(one).max())


@pytest.mark.slow
def test_gradients_survive_listeners_summed_exactly(rng):
    x = np.concatenate([unit([1.0, 0] + 1e-3 * rng.normal(size=(197, 2))), unit([[-1.0, 0.1], [-1, 0], [0, 1]])])
    mass, B = jnp.asarray(np.append(np.ones(197), [1e-9] * 3)), 60.0 * jnp.eye(2)
    weights = rng.normal(size=(200, 2))
    slopes = [jax.jit(jax.grad(scalar(s, weights)))(jnp.asarray(x), mass, B) for s in (Tiled(), PLANE)]
    mu = af.Particles(x, mass)
    assert np.any(np.asarray(jax.jit(PLANE.hear)(af.Softmax(B=B).kernel(mu.x, mu), mu.x).is_wrong))
    assert_allclose(slopes[1], slopes[0], atol=1e-10 * np.abs(slopes[0]).max())


def heard_by(strategy, mu):
    return lambda x: strategy.sum(af.Softmax(beta=9.0).kernel(x, mu), mu.x)


def test_forward_derivatives(rng):
    x, dx = jnp.asarray(sphere(rng, 2, 200)), jnp.asarray(rng.normal(size=(200, 2)))
    mu = af.Particles(x)
    slope = lambda s: jax.jit(lambda x, dx: jax.jvp(heard_by(s, mu), (x,), (dx,))[1])  # noqa: E731
    one, other = (slope(s)(x, dx) for s in (Tiled(), PLANE))
    assert_allclose(other, one, atol=1e-12)


def test_batches(rng):
    x = jnp.asarray(sphere(rng, 2, 200))
    batch, mu = jnp.stack([x, -x]), af.Particles(x)
    one, other = (jax.jit(jax.vmap(heard_by(s, mu)))(batch) for s in (Tiled(), PLANE))
    assert_allclose(other, one, atol=1e-12)


def test_masked_kernels_are_summed_exactly(rng):
    mu = af.Particles(sphere(rng, 3))
    kernel = af.Causal(af.Softmax(beta=3.0)).kernel(mu.x, mu)
    assert_allclose(SPACE.sum(kernel, mu.x), exact(kernel, mu.x), atol=1e-14)


def test_listeners_need_not_be_tokens(rng):
    mu, x = af.Particles(sphere(rng, 2)), jnp.asarray(sphere(rng, 2, 77))
    kernel = af.Softmax(beta=9.0).kernel(x, mu)
    assert_allclose(fast(PLANE, kernel, mu.x)[0], exact(kernel, mu.x), atol=1e-13)


@pytest.mark.parametrize("reach", [0.5, 10.0, 40.0])
def test_periodic_gauss_is_a_gauss_within_its_error(reach):
    M = modes_for(reach, 1e-14)
    period, coefficients, error = periodic_gauss(M, jnp.asarray(reach))
    r = np.linspace(-reach, reach, 301)
    series = np.real(np.exp(2j * np.pi * np.outer(r, np.arange(M) - M // 2) / float(period)) @ np.asarray(coefficients))
    assert np.abs(series - np.exp(-(r**2) / 2)).max() <= float(error) + 1e-15
    assert float(error) <= 1e-14


def test_balance_is_the_singular_value_form_on_isotropic_tokens(rng):
    B = rng.normal(size=(3, 3))
    x = np.concatenate([np.eye(3), -np.eye(3)])
    to_query, to_key = balance(x @ B, x, np)
    assert_allclose(to_query.T @ to_key, np.eye(3), atol=1e-12)
    _, S, Wt = np.linalg.svd(B)
    # The identity that keeps thin clouds invertible (1e-3) moves the metric by about as much.
    assert_allclose(to_key.T @ to_key, Wt.T @ np.diag(S) @ Wt, rtol=0.02, atol=0.02 * S.max())


def test_repairs_of_many_listeners_are_not_taken_for_symmetric_sums():
    # Listeners that failed come first in the tiles of a repair, which is longer than a tile of a symmetric sum.
    rng = np.random.default_rng(3)
    x = np.concatenate([rng.normal(size=(1300, 2)) * 1e-3 + [1, 0], rng.normal(size=(1300, 2))])
    mu, flow = af.Particles(x), af.Flow(af.Sphere(), af.Softmax(beta=200.0))
    exact = af.velocity(flow, mu, summation=Tiled(tile=100))
    assert_allclose(af.velocity(flow, mu, summation="exact"), exact, atol=1e-12)
    with pytest.warns(UserWarning, match="could not hold their tolerance for more than 10% of 2600"):
        repaired = af.velocity(flow, mu, summation=Gauss((161, 161), tol=1e-12, exact=Tiled(is_bounded=True)))
        assert_allclose(repaired, exact, atol=1e-12)
        jax.effects_barrier()
