"""Sinkhorn attention against closed forms, the definition, finite differences and its own invariances."""

import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af
from attnflow.theory.heat import gaussian_transport as closed

N = 60
FREE = af.Euclidean()


def cloud(rng, n=N, d=2):
    mass = rng.random(n) + 0.1
    return af.Particles(rng.normal(size=(n, d)), mass)


def scaled_by_hand(C, mass, half_steps):
    """The definition, in plain numbers: normalise rows, then columns, and so on, of K = exp(C) against masses."""
    P = np.exp(C) * mass
    for k in range(half_steps):
        P = P / P.sum(axis=1, keepdims=True) if k % 2 == 0 else P * (mass / (mass @ P))
    return P


@pytest.mark.parametrize("half_steps", [1, 5])
@pytest.mark.parametrize("B", [1.0, [[1.0, 0.4], [-0.3, 0.5]]])
def test_truncated_rule_is_repeated_normalisation(rng, half_steps, B):
    mu = cloud(rng)
    P = af.attention_matrix(af.Flow(FREE, af.Sinkhorn(B, eps=0.5, iterations=half_steps)), mu)
    C = mu.x @ (np.eye(2) * B if np.ndim(B) == 0 else np.asarray(B)) @ mu.x.T / 0.5
    assert_allclose(P, scaled_by_hand(np.asarray(C), np.asarray(mu.mass), half_steps), atol=1e-13)


def test_even_counts_end_on_columns_and_say_so(rng):
    mu = cloud(rng)
    with pytest.warns(UserWarning, match="end on columns"):
        rule = af.Sinkhorn(eps=0.5, iterations=4)
    P = np.asarray(af.attention_matrix(af.Flow(FREE, rule), mu))
    assert_allclose(mu.mass @ P, mu.mass, atol=1e-14)
    assert_allclose(P, scaled_by_hand(np.asarray(mu.x @ mu.x.T) / 0.5, np.asarray(mu.mass), 4), atol=1e-13)


def test_one_half_step_is_softmax(rng):
    mu = cloud(rng)
    soft, hard = af.Softmax(beta=2.0), af.Sinkhorn(eps=0.5, iterations=1)
    assert_allclose(af.velocity(af.Flow(FREE, hard), mu), af.velocity(af.Flow(FREE, soft), mu), atol=1e-14)


@pytest.mark.parametrize(
    ("rule", "V", "expected"),
    [
        ({}, 1.0, (-0.17855936, 0.41065980)),
        ({"eps": 0.5}, 2.0, (-0.30528481, 0.75321869)),
        ({"iterations": 3}, 1.0, (-0.17911744, 0.41024818)),
    ],
)
@pytest.mark.broad(1)
def test_three_tokens(rule, V, expected):
    mu = af.Particles([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.5]])
    rule = af.Sinkhorn(Q=[[0.7, -0.3], [0.2, 0.4]], K=[[0.3, 0.5], [-0.6, 0.1]], **rule)
    flow = af.Flow(FREE, rule, V=V * np.array([[0.5, -0.4], [0.3, 0.9]]))
    assert_allclose(af.velocity(flow, mu)[2], expected, atol=5e-9)  # eight printed digits


@pytest.mark.parametrize("B", [1.0, [[1.0, 0.4], [0.4, 0.5]], [[1.0, 0.4], [-0.3, 0.5]], -1.0])
@pytest.mark.broad(2)
def test_converged_plan_is_doubly_stochastic(rng, B):
    mu = cloud(rng)
    P = np.asarray(af.attention_matrix(af.Flow(FREE, af.Sinkhorn(B, eps=0.4)), mu))
    assert_allclose(P.sum(axis=1), 1, atol=1e-13)
    assert_allclose(mu.mass @ P, mu.mass, atol=1e-13)


def test_symmetric_and_newton_solvers_agree(rng):
    mu, B = cloud(rng), np.array([[1.0, 0.4], [0.4, 0.5]])
    fast = af.Sinkhorn(B, eps=0.4)
    slow = af.Sinkhorn(lambda t: jnp.asarray(B), eps=0.4)
    assert fast.is_symmetric and not slow.is_symmetric
    assert_allclose(af.velocity(af.Flow(FREE, fast), mu), af.velocity(af.Flow(FREE, slow), mu), atol=1e-12)


def test_converged_plan_ignores_offsets_of_rows_and_columns(rng):
    """Dot products and squared distances give the same plan; so do shifted tokens."""
    mu = cloud(rng)
    near = af.attention_matrix(af.Flow(FREE, af.Sinkhorn(eps=0.4)), mu)
    far = af.attention_matrix(af.Flow(FREE, af.Sinkhorn(eps=0.4)), af.Particles(mu.x + 30.0, mu.mass))
    assert_allclose(far, near, atol=1e-12)
    distance = -0.5 * np.sum((np.asarray(mu.x)[:, None] - np.asarray(mu.x)) ** 2, axis=-1) / 0.4
    assert_allclose(near, scaled_by_hand(distance, np.asarray(mu.mass), 801), atol=1e-9)


def test_no_doubly_stochastic_matrix_is_nearer_to_the_kernel(rng):
    mu = af.Particles(rng.normal(size=(N, 2)))
    C = np.asarray(mu.x @ mu.x.T) / 0.4
    P = np.asarray(af.attention_matrix(af.Flow(FREE, af.Sinkhorn(eps=0.4)), mu))

    def divergence(P):
        return np.sum(P * (np.log(P) - C))

    for _ in range(20):
        rival = scaled_by_hand(C + rng.normal(size=C.shape), np.full(N, 1 / N), 401)
        assert divergence(P) <= divergence(0.9 * P + 0.1 * rival) + 1e-12


@pytest.mark.parametrize("start", ["dot", "distance"])
@pytest.mark.parametrize("iterations", [1, 9])
def test_truncated_slope_on_a_gaussian(start, iterations):
    mu = af.quadrature_nodes(lambda x: np.exp(-(x**2) / 2), 241, low=-9.0, high=9.0)
    flow = af.Flow(FREE, af.Sinkhorn(eps=0.7, iterations=iterations, start=start))
    slope = closed.truncated_matrix([[1.0]], 1.0, 0.7, iterations=iterations, start=start)[0, 0]
    inner = np.abs(mu.x[:, 0]) < 2
    assert_allclose(af.velocity(flow, mu)[inner, 0], slope * mu.x[inner, 0], atol=1e-11)


@pytest.mark.slow
def test_any_score_on_a_gaussian_in_the_plane():
    S, B = np.array([[1.0, 0.6], [0.6, 0.8]]), np.array([[1.2, 0.5], [-0.7, 0.9]])
    inverse = np.linalg.inv(S)
    mu = af.quadrature_nodes(
        lambda p: np.exp(-0.5 * np.einsum("ni,ij,nj->n", p, inverse, p)), 41, low=[-6.4, -6.4], high=[6.4, 6.4]
    )
    kept = np.einsum("ni,ij,nj->n", mu.x, inverse, mu.x) < 45
    mu = af.Particles(np.asarray(mu.x)[kept], np.asarray(mu.mass)[kept])
    heard = af.velocity(af.Flow(FREE, af.Sinkhorn(B, eps=0.8)), mu)
    expected = np.asarray(mu.x) @ closed.doubly_stochastic_matrix(S, B, 0.8).T
    inner = np.einsum("ni,ij,nj->n", mu.x, inverse, mu.x) < 9
    # Nodes end at Mahalanobis² = 45 with spacing 0.32.
    assert_allclose(heard[inner], expected[inner], atol=1e-5)


def central(values, h):
    """The derivative at 0 to fourth order from values at −2h, −h, h, 2h."""
    return (8 * (values[2] - values[1]) - (values[3] - values[0])) / (12 * h)


@pytest.mark.parametrize(
    ("B", "iterations", "mode"),
    [(1.0, None, "reverse"), ([[1.0, 0.4], [-0.3, 0.5]], None, "forward"), (1.0, 3, "reverse")],
)
@pytest.mark.broad(1)
def test_derivatives_are_those_of_finite_differences(rng, B, iterations, mode):
    mu = cloud(rng)
    weights, direction = jnp.asarray(rng.normal(size=(N, 2))), jnp.asarray(rng.normal(size=(N, 2)))
    flow = af.Flow(FREE, af.Sinkhorn(B, eps=0.4, iterations=iterations))

    def loss(s):
        moved = af.Particles(mu.x + s * direction, mu.mass * (1 + s * weights[:, 0] / 9))
        return jnp.sum(weights * af.velocity(flow, moved))

    forward = lambda s: jax.jvp(loss, (s,), (1.0,))  # noqa: E731
    both, h = jax.jit(forward if mode == "forward" else jax.value_and_grad(loss)), 1e-4
    values = [both(k * h)[0] for k in (-2.0, -1.0, 1.0, 2.0)]
    assert_allclose(both(0.0)[1], central(values, h), rtol=1e-8)


@pytest.mark.slow
def test_gradient_flows_to_eps_and_through_a_batch(rng):
    x = jnp.asarray(rng.normal(size=(3, N, 2)))

    @jax.jit
    @jax.value_and_grad
    def size(eps):
        one = lambda x: af.velocity(af.Flow(FREE, af.Sinkhorn(eps=eps)), af.Particles(x))  # noqa: E731
        return jnp.sum(jax.vmap(one)(x) ** 2)

    h = 1e-4
    values = [size(0.4 + k * h)[0] for k in (-2.0, -1.0, 1.0, 2.0)]
    assert_allclose(size(0.4)[1], central(values, h), rtol=1e-8)


def test_massless_tokens_listen_but_are_not_heard(rng):
    mu = cloud(rng)
    x = np.concatenate([mu.x, [[40.0, 0.0]]])
    for B in (1.0, [[1.0, 0.4], [-0.3, 0.5]]):
        flow = af.Flow(FREE, af.Sinkhorn(B, eps=0.4))
        with_deaf = af.velocity(flow, af.Particles(x, np.append(mu.mass, 0.0)))
        assert_allclose(with_deaf[:-1], af.velocity(flow, mu), atol=1e-12)
        assert np.all(np.isfinite(with_deaf))


def test_single_precision_and_coincident_and_frozen_tokens(rng):
    mu = cloud(rng)
    flow = af.Flow(FREE, af.Sinkhorn(eps=0.4))
    single = af.velocity(flow, af.Particles(np.asarray(mu.x, np.float32), np.asarray(mu.mass, np.float32)))
    assert single.dtype == jnp.float32
    assert_allclose(single, af.velocity(flow, mu), atol=5e-6)  # single precision
    doubled = af.Particles(np.concatenate([mu.x, mu.x]), np.concatenate([mu.mass, mu.mass]))
    assert_allclose(af.velocity(flow, doubled)[:N], af.velocity(flow, mu), atol=1e-12)
    frozen = af.Flow(FREE, af.Sinkhorn(eps=1e-9))
    assert_allclose(af.velocity(frozen, mu), mu.x, atol=1e-12)


def test_column_gap_never_grows_over_odd_counts(rng):
    mu = cloud(rng)
    gaps = [af.column_sums(af.Flow(FREE, af.Sinkhorn(eps=0.4, iterations=k)), mu).mean_gap for k in (1, 3, 5, 7)]
    assert np.all(np.diff(gaps) <= 1e-15)
    assert af.column_sums(af.Flow(FREE, af.Sinkhorn(eps=0.4)), mu).largest_gap < 1e-10


def test_scaling_out_of_steps_is_reported(rng, monkeypatch):
    monkeypatch.setitem(sys.modules["attnflow.engine.attention.sinkhorn"].MAX_ITERATIONS, False, 2)
    flow = af.Flow(FREE, af.Sinkhorn([[0.0, 1.0], [-1.0, 0.0]], eps=5e-2))
    with pytest.warns(UserWarning, match="stopped after"):
        jax.block_until_ready(af.velocity(flow, af.Particles(rng.normal(size=(13, 2)))))
        jax.effects_barrier()


@pytest.mark.parametrize("eps", [1.0, 0.1, 0.05])
@pytest.mark.broad(1)
def test_newton_scales_plans_that_split_into_blocks(eps):
    """Alternation would need 1e13 half-steps here: the second singular value of such plans is 1 to twelve digits."""
    rng = np.random.default_rng(3)
    mu = af.Particles(3 * rng.normal(size=(30, 2)))
    scaling = af.Sinkhorn(rng.normal(size=(2, 2)), eps=eps).potential(mu)
    # At eps = 0.05 scores are several thousand, so that sums are known to 1e-11 only.
    assert scaling.iterations <= 30 and scaling.error < (1e-12 if eps > 0.1 else 1e-11)


@pytest.mark.slow
def test_newton_scaling_has_implicit_derivatives_by_products_too(rng, monkeypatch):
    B, x = rng.normal(size=(2, 2)), rng.normal(size=(9, 2))

    def spoken(x):
        return jnp.sum(jnp.sin(af.velocity(af.Flow(FREE, af.Sinkhorn(B, eps=0.5)), af.Particles(x))))

    direction, h = rng.normal(size=(9, 2)), 1e-5
    slope = jnp.sum(jax.grad(spoken)(jnp.asarray(x)) * direction)
    assert_allclose(slope, (spoken(x + h * direction) - spoken(x - h * direction)) / (2 * h), rtol=1e-7)  # O(h²)
    forward = jax.jvp(spoken, (jnp.asarray(x),), (jnp.asarray(direction),))[1]
    assert_allclose(forward, slope, rtol=1e-10)
    dense = af.Sinkhorn(B, eps=0.1).potential(af.Particles(x))
    monkeypatch.setattr(sys.modules["attnflow.engine.sinkhorn.newton"], "DENSE", 4)
    products = af.Sinkhorn(B, eps=0.1).potential(af.Particles(x))
    assert products.error < 1e-12
    assert_allclose(products.potential, dense.potential, atol=1e-9)  # the plan's own condition times 1e-12


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"eps": 0.0}, "eps must be positive"),
        ({"eps": -1.0}, "eps must be positive"),
        ({"iterations": 0}, "iterations must be"),
        ({"iterations": 2.5}, "iterations must be"),
        ({"start": "cosine"}, "start must be"),
        ({"B": [[0.0, 1.0], [0.0, 0.0]], "start": "distance"}, "symmetric positive"),
    ],
)
def test_bad_input_is_one_clear_line(options, words):
    with pytest.raises(ValueError, match=words) as error:
        af.Sinkhorn(**options)
    assert "\n" not in str(error.value)


def test_masks_are_refused():
    with pytest.raises(ValueError, match="cannot be masked"):
        af.Causal(af.Sinkhorn())
