"""Velocities of every variant on three tokens: values of the specification of the Transformer PDE (T2)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af

Q, K = np.array([[0.7, -0.3], [0.2, 0.4]]), np.array([[0.3, 0.5], [-0.6, 0.1]])
V = np.array([[0.5, -0.4], [0.3, 0.9]])
TOKENS = [[1, 0], [0, 1], [-1, 0.5]]
W = np.array([[0.8], [-0.2]]), np.array([[0.5], [1.1]])

THIRD_TOKEN = {
    "softmax": (af.Softmax(Q=Q, K=K), (-0.24450481, 0.39536396)),
    "softmax over root k": (af.Softmax(Q=Q, K=K, beta=2**-0.5), (-0.23025154, 0.41116231)),
    "L2": (af.L2(Q=Q, K=K), (-0.30796906, 0.36387334)),
    "unnormalised": (af.Unnormalised(Q=Q, K=K), (-0.20148030, 0.32579339)),
    "sigmoid": (af.Sigmoid(Q=Q, K=K), (-0.09908938, 0.18778677)),
    "sigmoid sum": (af.Sigmoid(Q=Q, K=K, bias="-log n", total=True), (-0.14956904, 0.26132928)),
    "sigmoid sum, number": (af.Sigmoid(Q=Q, K=K, bias=-np.log(3), total=True), (-0.14956904, 0.26132928)),
    "linear": (af.Linear(Q=Q, K=K), (0.00425, -0.150875)),
    "relu": (af.Relu(Q=Q, K=K), (-0.00991667, 0.002125)),
    "sinkhorn": (af.Sinkhorn(Q=Q, K=K), (-0.17855936, 0.41065980)),
    "three half steps": (af.Sinkhorn(Q=Q, K=K, iterations=3), (-0.17911744, 0.41024818)),
}


@pytest.mark.parametrize("case", THIRD_TOKEN)
def test_velocity_of_the_third_token(case):
    rule, expected = THIRD_TOKEN[case]
    v = af.velocity(af.Flow(af.Euclidean(), rule, V=V), af.Particles(TOKENS))
    assert_allclose(v[2], expected, atol=1e-8)  # eight digits are given


def test_a_prefactor_is_the_users_value_matrix():
    flow = af.Flow(af.Euclidean(), af.Sinkhorn(Q=Q, K=K, eps=0.5), V=V / 0.5)
    assert_allclose(af.velocity(flow, af.Particles(TOKENS))[2], (-0.30528481, 0.75321869), atol=1e-8)


def test_two_heads_have_their_own_values():
    rules = [af.Softmax(Q=Q[h : h + 1], K=K[h : h + 1]) for h in (0, 1)]
    products = af.Heads([(rules[h], W[h] @ V[h : h + 1]) for h in (0, 1)])
    pairs = af.Heads([(rules[h], (W[h], V[h : h + 1])) for h in (0, 1)])
    for heads in (products, pairs):
        v = af.velocity(af.Flow(af.Euclidean(), heads), af.Particles(TOKENS))
        assert_allclose(v[2], (0.02939615, 0.54390096), atol=1e-8)  # eight digits are given


def test_masses_enter_as_log_weights():
    mu = af.Particles(TOKENS, mass=[0.5, 0.3, 0.2])
    assert_allclose(
        af.velocity(af.Flow(af.Euclidean(), af.Softmax(Q=Q, K=K), V=V), mu)[2], (-0.03887741, 0.40902321), atol=1e-8
    )


@pytest.mark.parametrize(
    "rule, average, expected",
    [
        (af.Softmax(Q=Q, K=K), "heard", (0.00069869, 0.63286754)),
        (af.Sigmoid(Q=Q, K=K), "heard", (0.01005462, 0.27537356)),
        (af.Sigmoid(Q=Q, K=K), "all", (0.00670308, 0.18358237)),
    ],
)
def test_second_token_under_a_causal_mask(rule, average, expected):
    flow = af.Flow(af.Euclidean(), af.Causal(rule, average=average), V=V)
    assert_allclose(af.velocity(flow, af.Particles(TOKENS))[1], expected, atol=1e-8)


SINGLE = [af.Softmax(Q=Q, K=K), af.Unnormalised(Q=Q, K=K), af.L2(Q=Q, K=K), af.Sigmoid(Q=Q, K=K), af.Hardmax(Q=Q, K=K)]


@pytest.mark.parametrize("rule", SINGLE, ids=lambda rule: type(rule).__name__)
@pytest.mark.broad(2)
def test_causal_attention_is_unmasked_attention_on_each_prefix(rule, rng):
    x, mass = rng.normal(size=(5, 2)), rng.uniform(0.5, 1, 5)
    masked = af.velocity(af.Flow(af.Euclidean(), af.Causal(rule), V=V), af.Particles(x, mass))
    for k in range(5):
        alone = af.velocity(af.Flow(af.Euclidean(), rule, V=V), af.Particles(x[: k + 1], mass[: k + 1]))
        assert_allclose(masked[k], alone[k], atol=1e-12)


@pytest.mark.parametrize("causal", [False, True])
def test_a_window_is_unmasked_attention_on_its_tokens(causal, rng):
    x, mass, width = rng.normal(size=(6, 2)), rng.uniform(0.5, 2, 6), 3
    windowed = af.Windowed(af.Softmax(Q=Q, K=K), width, causal=causal)
    v = af.velocity(af.Flow(af.Euclidean(), windowed, V=V), af.Particles(x, mass))
    for i in range(6):
        heard = slice(max(0, i - width + 1), i + 1 if causal else i + width)
        weights = mass[heard] * np.exp(x[heard] @ K.T @ Q @ x[i])
        assert_allclose(v[i], V @ (weights @ x[heard]) / weights.sum(), atol=1e-13)


def test_a_token_whose_window_has_no_mass_is_refused():
    rule = af.Windowed(af.Softmax(), 2, causal=True)
    flow = af.Flow(af.Euclidean(), rule)
    assert np.isfinite(af.velocity(flow, af.Particles(np.eye(3), [1.0, 0.0, 1.0]))).all()
    with pytest.raises(af.BadInput, match="hear"):
        af.velocity(flow, af.Particles(np.eye(3), [0.0, 1.0, 1.0]))


def test_ties_of_position_hear_each_other(rng):
    x = rng.normal(size=(4, 2))
    rule, mu = af.Softmax(Q=Q, K=K), af.Particles(x)
    flow = lambda rule: af.Flow(af.Euclidean(), rule, V=V)  # noqa: E731
    everyone = af.velocity(flow(af.Masked(rule, positions=[0.5] * 4)), mu)
    assert_allclose(everyone, af.velocity(flow(rule), mu), atol=1e-13)
    ordered = af.velocity(flow(af.Masked(rule, positions=[0.1, 0.2, 0.7, 0.9])), mu)
    assert_allclose(ordered, af.velocity(flow(af.Causal(rule)), mu), atol=1e-13)
    table = np.tril(np.ones((4, 4), bool))
    assert_allclose(af.velocity(flow(af.Masked(rule, table=table)), mu), ordered, atol=1e-13)


def test_distance_bias_lowers_scores(rng):
    x, slope = rng.normal(size=(5, 2)), 0.3
    P = np.asarray(
        af.attention_matrix(af.Flow(af.Euclidean(), af.Biased(af.Softmax(Q=Q, K=K), slope)), af.Particles(x))
    )
    i, j = np.indices((5, 5))
    expected = np.exp(x @ Q.T @ K @ x.T - slope * abs(i - j))
    assert_allclose(P, expected / expected.sum(1, keepdims=True), atol=1e-13)


def test_hardmax_shares_ties_and_may_exclude_itself():
    mu = af.Particles([[0.0, 1.0], [1.0, 1.0], [-1.0, 1.0]], mass=[0.2, 0.2, 0.6])
    v = af.velocity(af.Flow(af.Euclidean(), af.Hardmax()), mu)
    assert_allclose(v[0], (-0.4, 1.0), atol=1e-13)  # all three score 1: their centre of mass
    others = af.velocity(af.Flow(af.Euclidean(), af.Hardmax(others=True)), mu)
    assert_allclose(others[1], (0.0, 1.0), atol=1e-13)


def test_unnormalised_constants_only_change_the_clock(rng):
    mu = af.Particles(rng.normal(size=(6, 3)))
    speed = lambda scale: np.asarray(af.velocity(af.Flow(af.Sphere(), af.Unnormalised(beta=3.0, scale=scale)), mu))  # noqa: E731
    assert_allclose(speed("shifted"), speed("mean") * np.exp(-3), rtol=1e-12)
    assert_allclose(speed("sum"), speed("mean") * 6, rtol=1e-12)
    assert_allclose(speed(0.25), speed("mean") / 4, rtol=1e-12)


@pytest.mark.parametrize("rule", [af.Softmax(beta=0.0), af.Unnormalised(beta=0.0)])
def test_infinite_temperature_on_the_circle_is_kuramoto(rule, rng):
    angle = rng.uniform(0, 2 * np.pi, 9)
    x = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    turned = np.mean(np.sin(angle[None] - angle[:, None]), axis=1)
    expected = turned[:, None] * np.stack([-np.sin(angle), np.cos(angle)], axis=1)
    assert_allclose(af.velocity(af.Flow(af.Sphere(), rule), af.Particles(x)), expected, atol=1e-13)
