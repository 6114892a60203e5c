"""Gaussian prompts: the closed equations against quadrature, tokens, reference values and each other."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af
from attnflow.engine.evolution.gaussian import evolve_projection, gaussian_layers
from attnflow.engine.flow.gaussian_field import barycentre_of, field_of, moment_velocity, stein_velocity
from attnflow.engine.linalg.covariance_factor import factor
from attnflow.engine.special.self_coupling import correlation
from attnflow.engine.summation.tiled import Tiled

Q, K = np.array([[0.7, -0.3], [0.2, 0.4]]), np.array([[0.3, 0.5], [-0.6, 0.1]])
V, B = np.array([[0.5, -0.4], [0.3, 0.9]]), Q.T @ K
W = [np.array([[0.8], [-0.2]]), np.array([[0.5], [1.1]])]
MU = af.Gaussian([0.4, -0.7], [[0.9, -0.2], [-0.2, 0.5]])
R2 = af.Euclidean()


def heads():
    return af.Heads([(af.Softmax(Q=Q[h : h + 1], K=K[h : h + 1]), W[h] @ V[h : h + 1]) for h in (0, 1)])


TABLE = {
    "softmax": (af.Softmax(Q=Q, K=K), V, (1.0157016029, -1.0300206376, 0.8635389076, -0.1325229049, 0.4065314240)),
    "l2": (af.L2(Q=Q, K=K), V, (0.8123326842, -0.9093052663, 0.8094373901, -0.0736874019, 0.3770333686)),
    "sinkhorn": (af.Sinkhorn(Q=Q, K=K), V, (0.9601419315, -1.2220046709, 0.8621172138, -0.1375391740, 0.4131756012)),
    "sinkhorn half": (
        af.Sinkhorn(Q=Q, K=K, eps=0.5), V / 0.5, (2.0501512644, -2.0241948550, 0.8004288688, -0.0205702706, 0.2704786792),
    ),
    "three half-steps": (
        af.Sinkhorn(Q=Q, K=K, iterations=3), V, (0.9615026491, -1.2082155656, 0.8621299659, -0.1375148250, 0.4131433154),
    ),
    "two heads": (heads(), 1.0, (0.4946400676, -1.5137349688, 0.9073020947, -0.2050300769, 0.4968312193)),
}  # fmt: skip


def packed(g):
    return np.concatenate([np.asarray(g.mean), np.asarray(g.cov)[[0, 0, 1], [0, 1, 1]]])


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.broad(1)
def test_reference_values_at_time_0_8(name):
    rule, value, expected = TABLE[name]
    run = af.evolve(af.Flow(R2, rule, V=value), MU, until=0.8, save=2)
    assert run.status == af.Status.DONE
    assert_allclose(packed(run.last), expected, atol=1.1e-10)


def test_in_single_precision_every_layer_is_one_step():
    with jax.enable_x64(False):
        law = af.Gaussian([0.5, 0.2], [[1.0, 0.3], [0.3, 0.5]])
        run = gaussian_layers(af.Flow(af.Euclidean(), af.Softmax(-0.3)), law, 5, 0.28492922706271323)
    assert int(run.steps) == 5


def test_ten_layers_keep_the_gaussian_and_are_euler():
    flow = af.Flow(R2, af.Softmax(Q=Q, K=K), V=V)
    run = gaussian_layers(flow, MU, 10, 0.08)
    expected = (0.9942397447, -1.0326035032, 0.8631723025, -0.1317575243, 0.4067922088)
    assert run.mean.shape == (11, 2)
    assert_allclose(packed(run.last), expected, atol=1.1e-10)


def gauss_hermite(g, order=40):
    line, weight = np.polynomial.hermite_e.hermegauss(order)
    z = np.stack(np.meshgrid(line, line), -1).reshape(-1, 2)
    mass = np.outer(weight, weight).reshape(-1)
    return af.Particles(np.asarray(g.mean) + z @ np.asarray(factor(g.cov)).T, mass)


@pytest.mark.parametrize("name", ["softmax", "l2", "linear"])
@pytest.mark.broad(1)
def test_closure_is_the_particle_field_of_the_same_law(name):
    rule = {"softmax": af.Softmax(Q=Q, K=K, beta=1.3), "l2": af.L2(Q=Q, K=K, beta=0.7), "linear": af.Linear(B, 2.0)}[
        name
    ]
    x = jnp.array([[0.7, -1.1], [-0.3, 0.4], [0.0, 0.0]])
    assert_allclose(
        rule.barycentre(x, gauss_hermite(MU), summation=Tiled()), barycentre_of(rule, MU)(x), rtol=1e-10, atol=1e-14
    )


def test_sinkhorn_coupling_solves_its_fixed_point_also_for_singular_scores():
    rng = np.random.default_rng(1)
    for score in (rng.standard_normal((3, 3)), np.outer([1.0, 2, 0], [0.5, -1, 1])):
        L = rng.standard_normal((3, 3))
        cov = L @ L.T
        C = L @ np.asarray(correlation(jnp.asarray(L.T @ score @ L))) @ L.T
        inverse = np.linalg.inv(cov)
        assert_allclose(C @ inverse, (cov - C @ inverse @ C.T) @ score, atol=1e-10 * np.abs(C).max())


def test_many_half_steps_are_sinkhorn():
    long = af.Flow(R2, af.Sinkhorn(Q=Q, K=K, iterations=61), V=V)
    full = af.Flow(R2, af.Sinkhorn(Q=Q, K=K), V=V)
    assert_allclose(field_of(long, MU).matrix, field_of(full, MU).matrix, rtol=1e-10)
    one = af.Flow(R2, af.Sinkhorn(Q=Q, K=K, iterations=1), V=V)
    assert_allclose(field_of(one, MU).matrix, field_of(af.Flow(R2, af.Softmax(B), V=V), MU).matrix, rtol=1e-12)


def test_derivative_of_the_correlation_function_where_singular_values_meet():
    for M in (np.eye(3) * 0.7, np.zeros((3, 3)), np.random.default_rng(0).standard_normal((3, 3))):
        D, h = np.random.default_rng(5).standard_normal((3, 3)), 1e-6
        tangent = jax.jvp(correlation, (jnp.asarray(M),), (jnp.asarray(D),))[1]
        difference = (correlation(jnp.asarray(M + h * D)) - correlation(jnp.asarray(M - h * D))) / (2 * h)
        assert_allclose(tangent, difference, atol=1e-8)  # central differences of step 1e-6


@pytest.mark.slow
def test_gradients_pass_through_a_run_from_an_isotropic_start():
    flow = af.Flow(R2, af.Softmax(B), V=V)

    def trace(scale):
        mu = af.Gaussian(jnp.zeros(2), scale * jnp.eye(2))
        return jnp.trace(af.evolve(flow, mu, until=0.5, save=2).cov[-1])

    h = 1e-5
    assert_allclose(jax.grad(trace)(0.8), (trace(0.8 + h) - trace(0.8 - h)) / (2 * h), rtol=1e-7)  # difference quotient


@pytest.mark.slow
def test_second_moment_of_any_cloud_under_linear_attention_is_the_softmax_covariance():
    x = np.random.default_rng(3).standard_normal((7, 2)) * 0.8
    M = x.T @ x / 7
    tokens = af.evolve(af.Flow(R2, af.Linear(B), V=V), af.Particles(x), until=0.8, save=2, tol=1e-13).x[-1]
    cov = af.evolve(af.Flow(R2, af.Softmax(B), V=V), af.Gaussian(np.zeros(2), M), until=0.8, save=2, tol=1e-13).cov[-1]
    assert_allclose(tokens.T @ tokens / 7, cov, atol=1e-12)


def test_linear_attention_closes_with_a_mean():
    run = af.evolve(af.Flow(R2, af.Linear(B), V=V), MU, until=0.8, save=2)
    second = MU.cov + jnp.outer(MU.mean, MU.mean)
    softmax = af.evolve(af.Flow(R2, af.Softmax(B), V=V), af.Gaussian(np.zeros(2), second), until=0.8, save=2)
    last = run.last
    assert_allclose(last.cov + jnp.outer(last.mean, last.mean), softmax.cov[-1], atol=1e-11)


def test_singular_start_keeps_its_rank_and_a_point_moves_by_the_exponential():
    flow = af.Flow(R2, af.Softmax(B), V=V)
    line = af.evolve(flow, af.Gaussian([0.4, -0.7], [[1.0, 2.0], [2.0, 4.0]]), until=0.8, save=2)
    assert np.linalg.eigvalsh(line.cov[-1])[0] < 1e-15
    point = af.evolve(flow, af.Gaussian([0.4, -0.7], np.zeros((2, 2))), until=0.8, save=2)
    assert_allclose(point.mean[-1], jax.scipy.linalg.expm(0.8 * V) @ np.array([0.4, -0.7]), atol=1e-12)
    assert np.all(np.asarray(point.cov[-1]) == 0)


def test_change_of_basis_and_scaling():
    T, flow = np.array([[1.2, 0.3], [-0.4, 0.9]]), af.Flow(R2, af.Softmax(B), V=V)
    back = np.linalg.inv(T)
    turned = af.Flow(R2, af.Softmax(back.T @ B @ back), V=T @ V @ back)
    moved = af.evolve(turned, af.Gaussian(T @ MU.mean, T @ MU.cov @ T.T), until=0.8, save=2).cov[-1]
    plain = af.evolve(flow, MU, until=0.8, save=2).cov[-1]
    assert_allclose(moved, T @ plain @ T.T, atol=1e-11)
    scaled = af.evolve(af.Flow(R2, af.Softmax(B / 3), V=3 * V), MU, until=0.8, save=2).cov[-1]
    assert_allclose(scaled, plain, atol=1e-11)


def test_splitting_a_head_changes_nothing():
    part = np.array([[0.3, 0.1], [-0.2, 0.8]])
    split = af.Heads([(af.Softmax(B), part), (af.Softmax(B), V - part)])
    assert_allclose(
        field_of(af.Flow(R2, split), MU).matrix, field_of(af.Flow(R2, af.Softmax(B), V=V), MU).matrix, rtol=1e-12
    )


def test_small_covariance_is_universal():
    small = af.Gaussian(np.zeros(2), 1e-8 * np.asarray(MU.cov))
    softmax = moment_velocity(af.Flow(R2, af.Softmax(B), V=V), small).cov
    assert_allclose(moment_velocity(af.Flow(R2, af.L2(Q=Q, K=K), V=V), small).cov, 2 * softmax, rtol=1e-6)  # O(Σ)
    sinkhorn = af.Flow(R2, af.Sinkhorn(B, eps=0.5), V=V / 0.5)
    assert_allclose(moment_velocity(sinkhorn, small).cov, softmax / 0.25, rtol=1e-6)  # O(Σ)


@pytest.mark.slow
def test_a_batch_is_its_members():
    flow = af.Flow(R2, af.Softmax(B), V=V)
    covs = np.stack([np.eye(2), [[1, 0.5], [0.5, 2]], [[0.2, 0], [0, 0]]])
    run = af.evolve(flow, af.Gaussian(np.zeros((3, 2)), covs), until=0.8, save=3)
    assert run.cov.shape == (3, 3, 2, 2)
    alone = af.evolve(flow, af.Gaussian(np.zeros(2), covs[1]), until=0.8, save=3)
    assert_allclose(run.cov[1], alone.cov, atol=1e-12)
    assert moment_velocity(flow, af.Gaussian(np.zeros((3, 2)), covs)).cov.shape == (3, 2, 2)


def test_jumping_weights_are_not_stepped_across():
    flow = af.Flow(R2, af.Softmax(lambda t: jnp.where(t < 0.3, 1.0, -2.0) * jnp.asarray(B)), V=1.0)
    run = af.evolve(flow, MU, until=0.8, save=2, jumps=[0.3])
    inverse = np.linalg.inv(MU.cov) - (0.3 - 2 * 0.5) * (B + B.T)
    assert_allclose(run.cov[-1], np.linalg.inv(inverse), atol=1e-10)


def test_stein_velocity_by_two_dimensional_quadrature():
    x, nodes = jnp.array([[0.7, -1.1]]), gauss_hermite(MU)
    expected = {"sigmoid": (0.25577639, -0.19859444), "exp": (0.58576761, -0.32017370)}
    for name, rule in {"sigmoid": af.Sigmoid(B), "exp": af.Unnormalised(B), "relu": af.Relu(B)}.items():
        flow = af.Flow(R2, rule, V=V)
        velocity = stein_velocity(flow, MU, x)
        if name in expected:
            assert_allclose(velocity[0], expected[name], atol=1e-8)
            assert_allclose(velocity[0], rule.barycentre(x, nodes, summation=Tiled())[0] @ V.T, atol=1e-9)
        else:
            # The kink makes product quadrature slow; a million symmetric samples are as far as this goes.
            z = np.random.default_rng(0).standard_normal((400_000, 2))
            y = np.asarray(MU.mean) + np.concatenate([z, -z]) @ np.asarray(factor(MU.cov)).T
            scores = np.maximum(np.asarray(x[0]) @ B @ y.T, 0)
            assert_allclose(velocity[0], V @ (scores @ y / len(y)), atol=2e-3)
    assert_allclose(stein_velocity(af.Flow(R2, af.Softmax(B), V=V), MU, x)[0], (0.59178, -0.32346), atol=1e-5)


def test_projection_of_the_exponential_kernel():
    L = factor(MU.cov)
    exact = af.Unnormalised(B).projected_field(MU.mean, L).through(jnp.asarray(V))
    assert_allclose(exact.centre, (0.59810622, -0.44218527), atol=1e-8)
    numeric = af.Linked(jnp.exp, B).projected_field(MU.mean, L).through(jnp.asarray(V))
    assert_allclose(exact.centre, numeric.centre, rtol=1e-10)
    assert_allclose(exact.spread, numeric.spread, rtol=1e-9)
    run = evolve_projection(af.Flow(R2, af.Sigmoid(B), V=V), MU, until=0.2, save=2)
    assert "APPROXIMATE" in run.notes[0]
    with pytest.raises(ValueError, match="infinite rate"):
        evolve_projection(af.Flow(R2, af.Unnormalised(4.0), V=V), MU)


def test_bad_input_is_one_clear_line():
    flow = af.Flow(R2, af.Softmax(B), V=V)
    cases = {
        "symmetric": lambda: af.Gaussian([0, 0.0], [[1, 0.5], [0, 1]]),
        "semidefinite": lambda: af.Gaussian([0, 0.0], [[1, 2.0], [2.0, 1]]),
        "does not keep a Gaussian": lambda: af.evolve(af.Flow(R2, af.Sigmoid(B)), MU),
        "without the mask": lambda: af.evolve(af.Flow(R2, af.Causal(af.Softmax(B))), MU),
        "odd number": lambda: af.evolve(af.Flow(R2, af.Sinkhorn(B, iterations=4)), MU),
        "Euclidean": lambda: af.evolve(af.Flow(af.Sphere(), af.Softmax(B)), MU),
        "merge": lambda: af.evolve(flow, MU, merge=1e-3),
        "feed-forward": lambda: af.evolve(af.Flow(R2, af.Softmax(B), V=V, feed_forward=af.FeedForward()), MU),
        "V of head 1": lambda: af.evolve(af.Flow(R2, af.Heads([(af.Softmax(B), 1.0), (af.Softmax(B), np.eye(3))])), MU),
    }  # fmt: skip
    for words, act in cases.items():
        with pytest.raises(ValueError, match=words) as caught:
            act()
        assert "\n" not in str(caught.value)
