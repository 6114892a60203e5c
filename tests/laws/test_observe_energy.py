"""Velocity is the gradient of the energy wherever theory says so, and the energy changes at the rate theory says."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af
from attnflow.engine.attention.exponential import CONVENTIONS

B = np.array([[1, 0.3, 0], [0.3, -0.5, 0.2], [0, 0.2, 0.7]])
"""Symmetric and indefinite: the test matrix of Burger et al., section 2.3."""

N = 12
SPACES = {"sphere": af.Sphere(), "space": af.Euclidean()}


@pytest.fixture(scope="module")
def mu():
    rng = np.random.default_rng(7)
    return af.Particles(af.uniform_sphere(N, 3, seed=7).x, rng.random(N) + 0.2)


def gradient(flow, mu, **convention):
    """The Wasserstein gradient: of each token's place, per unit of its mass."""
    g = jax.grad(lambda x: af.energy(flow, mu.moved_to(x), **convention))(mu.x)
    return np.asarray(g / mu.mass[:, None])


RULES = {
    "unnormalised": (af.Unnormalised, 2.3),
    "unnormalised, negative": (af.Unnormalised, -1.4),
    "unnormalised, zero": (af.Unnormalised, 0.0),
    "linear": (af.Linear, 1.7),
    "relu": (af.Relu, 1.7),
    "sigmoid": (lambda B, beta: af.Sigmoid(B, beta, bias=-0.4), 1.7),
    "sigmoid, zero": (lambda B, beta: af.Sigmoid(B, beta, bias=-0.4), 0.0),
}


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("name", RULES)
@pytest.mark.broad(7)
def test_velocity_is_the_gradient(space, name, mu):
    make, beta = RULES[name]
    flow = af.Flow(SPACES[space], make(B, beta), V=B)
    assert_allclose(af.velocity(flow, mu), gradient(flow, mu), atol=1e-13)


@pytest.mark.parametrize("space", SPACES)
def test_softmax_velocity_is_the_gradient_over_the_normaliser(space, mu):
    flow = af.Flow(SPACES[space], af.Softmax(B, 2.3), V=B)
    Z = np.exp(np.asarray(af.log_partition(flow, mu)))
    direct = np.exp(2.3 * np.asarray(mu.x) @ B @ np.asarray(mu.x).T) @ np.asarray(mu.mass)
    assert_allclose(Z, direct, rtol=1e-13)
    assert_allclose(af.velocity(flow, mu), gradient(flow, mu) / Z[:, None], atol=1e-13)


def test_heads_add_up(mu):
    heads = af.Heads([(af.Unnormalised(B, 1.5), B), (af.Unnormalised(2.0, 0.7), 2.0)])
    flow = af.Flow(af.Sphere(), heads)
    assert_allclose(af.velocity(flow, mu), gradient(flow, mu), atol=1e-13)


@pytest.mark.parametrize("sign", [1, -1])
def test_sinkhorn_flow_descends_its_energy(sign, mu):
    eps, P = 0.6, B @ B
    flow = af.Flow(af.Euclidean(), af.Sinkhorn(P, eps=eps, tol=1e-14), V=sign * P / eps)
    # Solved to 1e-14 in the marginals; the field amplifies that by a small factor.
    assert_allclose(af.velocity(flow, mu), -sign * gradient(flow, mu), atol=1e-11)
    assert_allclose(gradient(flow, mu, convention="sander"), -gradient(flow, mu), atol=1e-13)


def test_heat_energy_is_descended_by_the_recentred_field(mu):
    eps = 0.6
    flow = af.Flow(af.Euclidean(), af.Sinkhorn(eps=eps, tol=1e-14), V=1.0)
    heard = np.asarray(af.velocity(flow, mu))
    # Same solver tolerance as above.
    assert_allclose((np.asarray(mu.x) - heard) / eps, -gradient(flow, mu, convention="heat"), atol=1e-11)


@pytest.mark.parametrize(("rule", "weight"), [(af.Unnormalised, 0.0), (af.Softmax, 1.0)])
@pytest.mark.parametrize("sign", [1, -1])
def test_dissipation_identity(rule, weight, sign, mu):
    """Token form of Burger et al. 2.3: d/dt E = ± Σ m_i Z_i^weight |v_i|²."""
    flow = af.Flow(af.Sphere(), rule(B, 1.0), V=sign * B)
    v, Z = np.asarray(af.velocity(flow, mu)), np.exp(np.asarray(af.log_partition(flow, mu)))
    power = sign * np.asarray(mu.mass) @ (Z**weight * np.sum(v**2, axis=1))
    h = 1e-6
    ahead, behind = (af.Particles(np.asarray(mu.x) + s * h * v, mu.mass) for s in (1, -1))
    difference = float(af.energy(flow, ahead) - af.energy(flow, behind)) / (2 * h)
    # A central difference with step 1e-6 loses ten digits to cancellation and is exact to 1e-12 otherwise.
    assert_allclose(difference, power, rtol=1e-7)
    assert_allclose(af.dissipation(flow, mu), power, rtol=1e-12)
    longer = af.Particles(3 * mu.x, mu.mass)  # tokens of any length stand for their directions
    assert_allclose(af.dissipation(flow, longer), power, rtol=1e-12)


def test_conventions_differ_by_their_constants(mu):
    beta = 1.8
    flow = af.Flow(af.Sphere(), af.Softmax(B, beta))
    total = np.asarray(mu.mass) @ np.exp(beta * np.asarray(mu.x) @ B @ np.asarray(mu.x).T) @ np.asarray(mu.mass)
    norm = np.abs(np.linalg.eigvalsh(B)).max()
    expected = {
        "geshkovski": total / (2 * beta),
        "burger": total,
        "normalised": total * np.exp(-beta * norm),
        "castin": total / 2,
    }
    for name in CONVENTIONS:
        assert_allclose(af.energy(flow, mu, convention=name), expected[name], rtol=1e-13)
        assert_allclose(af.log_energy(flow, mu, convention=name), np.log(expected[name]), rtol=1e-12, atol=1e-13)


def test_beta_zero_is_the_kuramoto_energy(mu):
    flow = af.Flow(af.Sphere(), af.Softmax(beta=0.0))
    mean = np.asarray(mu.mass) @ np.asarray(mu.x)
    assert_allclose(af.energy(flow, mu), mean @ mean / 2, rtol=1e-14)


def test_dirac_maximises_and_energy_is_bounded(mu):
    flow = af.Flow(af.Sphere(), af.Softmax(beta=4.0))
    dirac = af.Particles(np.tile([[0.0, 0, 1]], (N, 1)))
    assert_allclose(af.energy(flow, dirac, convention="normalised"), 1.0, rtol=1e-14)
    assert 0 < float(af.energy(flow, mu, convention="normalised")) < 1


def test_logarithm_survives_where_the_energy_overflows(mu):
    flow = af.Flow(af.Sphere(), af.Softmax(beta=5000.0))
    s = 5000.0 * np.asarray(mu.x) @ np.asarray(mu.x).T + np.log(np.outer(mu.mass, mu.mass))
    direct = s.max() + np.log(np.exp(s - s.max()).sum()) - np.log(2 * 5000.0)
    assert_allclose(af.log_energy(flow, mu), direct, rtol=1e-14)


def test_tiles_give_the_same_energy(monkeypatch):
    """Beyond one block the sum runs in tiles, also backwards."""
    from attnflow.engine.attention import pair_energy as module

    monkeypatch.setattr(module, "SINGLE_BLOCK", 1)
    monkeypatch.setattr(module, "TILE_PAIRS", 900)
    mu = af.uniform_sphere(50, 3, seed=1)
    x, m = np.asarray(mu.x), np.asarray(mu.mass)
    flow = af.Flow(af.Sphere(), af.Unnormalised(beta=3.0))
    assert_allclose(af.energy(flow, mu), m @ np.exp(3.0 * x @ x.T) @ m / 6, rtol=1e-13)
    assert_allclose(af.velocity(flow, mu), gradient(flow, mu), atol=1e-13)


def test_works_in_jit_vmap_and_along_runs(mu):
    flow = af.Flow(af.Sphere(), af.Softmax(beta=2.0))
    plain = float(af.energy(flow, mu))
    assert_allclose(jax.jit(lambda m: af.energy(flow, m))(mu), plain, rtol=1e-14)
    stacked = jax.tree.map(lambda a, b: jnp.stack([a, b]), mu, mu.moved_to(mu.x[::-1]))
    assert_allclose(jax.vmap(lambda m: af.energy(flow, m))(stacked)[0], plain, rtol=1e-14)
    assert_allclose(af.energy(flow, stacked)[0], plain, rtol=1e-14)
    slope = jax.grad(lambda b: af.energy(af.Flow(af.Sphere(), af.Softmax(beta=b)), mu))(2.0)
    ends = [float(af.energy(af.Flow(af.Sphere(), af.Softmax(beta=2.0 + h)), mu)) for h in (-1e-6, 1e-6)]
    # Central difference in beta: ten digits go to cancellation.
    assert_allclose(slope, (ends[1] - ends[0]) / 2e-6, rtol=1e-8)


def test_energy_of_a_schedule_follows_time(mu):
    flow = af.Flow(af.Sphere(), af.Softmax(beta=lambda t: 1.0 + t))
    fixed = af.Flow(af.Sphere(), af.Softmax(beta=3.0))
    assert_allclose(af.energy(flow, mu, t=2.0), af.energy(fixed, mu), rtol=1e-14)


def test_logarithm_needs_a_positive_energy(mu):
    with pytest.raises(ValueError, match="needs beta > 0"):
        af.log_energy(af.Flow(af.Sphere(), af.Softmax(beta=-1.0)), mu)
    with pytest.raises(ValueError, match="no exponential energy"):
        af.log_energy(af.Flow(af.Sphere(), af.Linear()), mu)


@pytest.mark.parametrize(
    ("rule", "options", "words"),
    [
        (af.Hardmax(), {}, "no energy is known for Hardmax"),
        (af.L2(), {}, "no energy is known for L2"),
        (af.Causal(af.Softmax()), {}, "no energy is known for Causal"),
        (af.Sinkhorn(iterations=3), {}, "truncated"),
        (af.Linked(jnp.tanh), {}, "by hand"),
        (af.Softmax(), {"convention": "newton"}, "must be one of geshkovski"),
        (af.Sinkhorn(), {"convention": "geshkovski"}, "must be one of castin"),
    ],
)
def test_unknown_energies_are_refused(rule, options, words, mu):
    with pytest.raises(ValueError, match=words):
        af.energy(af.Flow(af.Euclidean(), rule), mu, **options)
