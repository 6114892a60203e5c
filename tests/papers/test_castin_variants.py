"""Castin et al. 2025: every variant's velocity, masks as measures, stability and Lipschitz constants, mean-field errors."""

import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import linear_sum_assignment

import attnflow as af
from attnflow.engine.flow.conventions import conventions_of
from attnflow.engine.measures.bures import bures
from attnflow.engine.measures.conditional import conditional_distance, piecewise
from attnflow.theory.gaussian.lipschitz import (
    adversarial_constant,
    adversarial_tokens,
    general_bound,
    jacobian,
    local_lipschitz,
    mean_field_bound,
    per_input_bound,
    softmax_lipschitz,
)
from attnflow.theory.gaussian.mean_field import effective_share, mean_field_rate, moments, resolution_note, sample
from attnflow.theory.gaussian.rule_constants import constants
from attnflow.theory.gaussian.stability_bounds import prefix_mean_norm, stability_bound

Q, K = np.array([[0.7, -0.3], [0.2, 0.4]]), np.array([[0.3, 0.5], [-0.6, 0.1]])
V, B = np.array([[0.5, -0.4], [0.3, 0.9]]), Q.T @ K
W = [np.array([[0.8], [-0.2]]), np.array([[0.5], [1.1]])]
X = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.5]])
R2 = af.Euclidean()
HEADS = af.Heads([(af.Softmax(Q=Q[h : h + 1], K=K[h : h + 1]), W[h] @ V[h : h + 1]) for h in (0, 1)])

VELOCITIES = {
    "softmax": (af.Softmax(B), V, (-0.24450481, 0.39536396)),
    "scaled": (af.Softmax(B, 1 / np.sqrt(2)), V, (-0.23025154, 0.41116231)),
    "l2": (af.L2(Q=Q, K=K), V, (-0.30796906, 0.36387334)),
    "unnormalised": (af.Unnormalised(B), V, (-0.20148030, 0.32579339)),
    "sigmoid": (af.Sigmoid(B), V, (-0.09908938, 0.18778677)),
    "sigmoid sum": (af.Sigmoid(B, bias="-log n", total=True), V, (-0.14956904, 0.26132928)),
    "linear": (af.Linear(B), V, (0.00425, -0.150875)),
    "relu": (af.Relu(B), V, (-0.00991667, 0.002125)),
    "sinkhorn": (af.Sinkhorn(B), V, (-0.17855936, 0.41065980)),
    "sinkhorn half": (af.Sinkhorn(B, eps=0.5), V / 0.5, (-0.30528481, 0.75321869)),
    "three half-steps": (af.Sinkhorn(B, iterations=3), V, (-0.17911744, 0.41024818)),
    "two heads": (HEADS, 1.0, (0.02939615, 0.54390096)),
}  # fmt: skip


@pytest.mark.parametrize("name", VELOCITIES)
def test_velocity_of_the_third_token(name):
    rule, value, expected = VELOCITIES[name]
    assert_allclose(af.velocity(af.Flow(R2, rule, V=value), af.Particles(X))[2], expected, atol=1.1e-8)


def test_masses_and_causal_masks():
    heavy = af.velocity(af.Flow(R2, af.Softmax(B), V=V), af.Particles(X, [0.5, 0.3, 0.2]))[2]
    assert_allclose(heavy, (-0.03887741, 0.40902321), atol=1.1e-8)
    cases = [
        (af.Causal(af.Softmax(B)), (0.00069869, 0.63286754)),
        (af.Causal(af.Sigmoid(B)), (0.01005462, 0.27537356)),
        (af.Causal(af.Sigmoid(B), average="all"), (0.00670308, 0.18358237)),
    ]
    for rule, expected in cases:
        assert_allclose(af.velocity(af.Flow(R2, rule, V=V), af.Particles(X))[1], expected, atol=1.1e-8)


def test_sigmoid_sum_tends_to_the_exponential_kernel():
    z = np.random.default_rng(0).standard_normal((1000, 2)) @ np.linalg.cholesky([[0.9, -0.2], [-0.2, 0.5]]).T + [
        0.4,
        -0.7,
    ]
    gaps = []
    for n in (100, 1000):
        mu = af.Particles(z[:n])
        total = af.velocity(af.Flow(R2, af.Sigmoid(B, bias="-log n", total=True), V=V), mu)
        gaps.append(
            float(jnp.sqrt(jnp.mean(jnp.sum((total - af.velocity(af.Flow(R2, af.Unnormalised(B), V=V), mu)) ** 2, 1))))
        )
    assert 0.005 < gaps[0] < 0.05 and 5 < gaps[0] / gaps[1] < 20


def test_mean_shift_is_the_gradient_of_a_smoothed_density():
    eps, x = 0.3, np.random.default_rng(1).standard_normal((6, 2))
    root = 1 / np.sqrt(2 * eps)
    shift = af.velocity(af.Flow(R2, af.L2(Q=root, K=root)), af.Particles(x)) - x

    def log_density(y):
        return jnp.log(jnp.mean(jnp.exp(-jnp.sum((y - x) ** 2, axis=1) / (2 * eps))))

    import jax

    assert_allclose(shift, eps * jax.vmap(jax.grad(log_density))(jnp.asarray(x)), rtol=1e-10)


@pytest.mark.slow
def test_first_token_of_a_causal_run_is_alone_and_later_tokens_do_not_reach_back():
    import jax

    flow = af.Flow(R2, af.Causal(af.Softmax(B)), V=V)
    run = af.evolve(flow, af.Particles(X), until=1.0, save=2, tol=1e-13)
    assert_allclose(run.x[-1, 0], jax.scipy.linalg.expm(V) @ X[0], rtol=1e-12)
    other = X.copy()
    other[2] = [3.0, -2.0]
    # Steps are chosen by all tokens, so equality is that of two accurate solutions.
    assert_allclose(
        af.evolve(flow, af.Particles(other), until=1.0, save=2, tol=1e-13).x[-1, :2], run.x[-1, :2], rtol=1e-11
    )
    tied = af.Flow(R2, af.Masked(af.Softmax(B), positions=np.full(3, 0.5)), V=V)
    assert_allclose(
        af.velocity(tied, af.Particles(X)), af.velocity(af.Flow(R2, af.Softmax(B), V=V), af.Particles(X)), rtol=1e-12
    )


def test_conditional_distance():
    x, y = np.random.default_rng(2).standard_normal((2, 4, 2))
    s = np.arange(1, 5) / 4
    for p in (1.0, 2.0):
        expected = np.mean(np.linalg.norm(x - y, axis=1) ** p) ** (1 / p)
        assert_allclose(conditional_distance(af.Particles(x), af.Particles(y), positions=s, p=p), expected, rtol=1e-12)
    tied = np.array([0.5, 0.5, 1.0, 1.0])
    pairs = [np.linalg.norm(x[h : h + 2, None] - y[None, h : h + 2], axis=-1) ** 2 for h in (0, 2)]
    cost = sum(pair[linear_sum_assignment(pair)].sum() for pair in pairs) / 4
    assert_allclose(conditional_distance(af.Particles(x), af.Particles(y), positions=tied), np.sqrt(cost), rtol=1e-12)
    far = conditional_distance(af.Particles(x), af.Particles(y), positions=tied, p=np.inf)
    assert_allclose(
        far, max(min(max(m[0, 0], m[1, 1]), max(m[0, 1], m[1, 0])) for m in map(np.sqrt, pairs)), rtol=1e-12
    )
    assert conditional_distance(af.Particles(x), af.Particles(y), positions=s, others=tied) == np.inf
    finer, places = piecewise(af.Particles(x[:2]), positions=s[:2], cells=4)
    assert np.isfinite(conditional_distance(af.Particles(x), finer, positions=s, others=places))
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        conditional_distance(af.Particles(x), af.Particles(y), positions=[0, 1, 2, 3])


def test_bures_distance():
    a, b = af.Gaussian([0.0, 1.0], [[2.0, 0.3], [0.3, 1.0]]), af.Gaussian([1.0, 1.0], [[1.0, -0.2], [-0.2, 0.4]])
    from scipy.linalg import sqrtm

    root = sqrtm(np.asarray(a.cov))
    square = 1 + np.trace(a.cov + b.cov - 2 * sqrtm(root @ np.asarray(b.cov) @ root))
    assert_allclose(bures(a, b), np.sqrt(square.real), rtol=1e-10)
    assert_allclose(bures(a, af.Gaussian([0.0, 1.0], np.zeros((2, 2)))), np.sqrt(3.0), rtol=1e-12)
    assert float(bures(a, a)) < 1e-7


def test_hardy_norms_of_prefix_means():
    for n, norm in {2: 1.14412, 8: 1.37978, 64: 1.59785, 512: 1.72028}.items():
        assert_allclose(prefix_mean_norm(n), norm, atol=1e-5)
    assert_allclose(prefix_mean_norm(10, p=1.0), sum(1 / k for k in range(1, 11)), rtol=1e-13)


def random_prompts(rng, n=6, radius=1.0):
    x = rng.standard_normal((2, n, 2))
    return radius * x / np.maximum(1, np.linalg.norm(x, axis=-1, keepdims=True))


@pytest.mark.parametrize("name", ["softmax", "l2", "sigmoid", "unnormalised", "causal"])
@pytest.mark.broad(1)
def test_two_prompts_stay_within_the_stability_bound(name):
    rule = {
        "softmax": af.Softmax(B), "l2": af.L2(Q=Q, K=K), "sigmoid": af.Sigmoid(B), "unnormalised": af.Unnormalised(B),
        "causal": af.Causal(af.Softmax(B)),
    }[name]  # fmt: skip
    flow, rng = af.Flow(R2, rule, V=V), np.random.default_rng(4)
    bound = stability_bound(flow, 1.0, d=2, horizon=0.3, p=2.0)
    assert bound.is_certified
    for _ in range(3):
        x, y = random_prompts(rng)
        y = x + 0.05 * y
        ends = [af.evolve(flow, af.Particles(z), until=0.3, save=2).x[-1] for z in (x, y)]
        assert max(np.linalg.norm(end, axis=1).max() for end in ends) <= 1.05 * bound.radius[-1]
        before, after = distance(x, y, name), distance(*ends, name)
        assert np.log(after / before) <= bound.log_amplification[-1]


def distance(x, y, name):
    cost = np.linalg.norm(np.asarray(x)[:, None] - np.asarray(y)[None], axis=-1) ** 2
    rows, columns = (np.arange(len(x)),) * 2 if name == "causal" else linear_sum_assignment(cost)
    return np.sqrt(cost[rows, columns].mean())


def test_each_norm_is_taken_once(monkeypatch):
    flow, norms = af.Flow(R2, af.Softmax(np.eye(96)), V=lambda t: 2.0), []
    scheduled = stability_bound(flow, 0.1, d=96, horizon=0.5, pieces=20)
    exact = np.linalg.norm
    monkeypatch.setattr(np.linalg, "norm", lambda M, *a, **k: norms.append(np.shape(M)) or exact(M, *a, **k))
    large = stability_bound(af.Flow(R2, af.Softmax(np.eye(96)), V=2.0), 0.1, d=96, horizon=0.5, pieces=20)
    assert norms == [(96, 96)]
    small = stability_bound(af.Flow(R2, af.Softmax(1.0), V=2.0 * np.eye(2)), 0.1, d=2, horizon=0.5, pieces=20)
    for bound in (scheduled, large):
        assert_allclose(bound.log_amplification, small.log_amplification, rtol=1e-12)


def test_large_jacobians_are_never_written_out(rng, monkeypatch):
    flow, mu = af.Flow(R2, af.Softmax(0.3), V=0.7), af.Particles(rng.normal(size=(5, 3)))
    dense = softmax_lipschitz(flow, mu)
    monkeypatch.setattr("attnflow.theory.gaussian.lipschitz.DENSE", 4)
    assert_allclose(softmax_lipschitz(flow, mu), dense, rtol=1e-9)


def test_bounds_that_certify_nothing_say_so():
    sinkhorn = stability_bound(af.Flow(R2, af.Sinkhorn(B), V=V), 1.0, d=2, horizon=1.0)
    assert not sinkhorn.is_certified and "no certified" in str(sinkhorn)
    masked = stability_bound(af.Flow(R2, af.Causal(af.Softmax(B)), V=V), 1.0, d=2, horizon=1.0, p=1.0)
    assert not masked.is_certified
    assert stability_bound(af.Flow(R2, af.Softmax(2.0), V=2.0), 2.0, d=2, horizon=3.0).is_vacuous
    assert stability_bound(af.Flow(R2, af.Unnormalised(1.0)), 1.0, d=2, horizon=1.0).radius[-1] == np.inf
    softmax = constants(af.Flow(R2, af.Softmax(B), V=V), d=2, radius=1.3)
    b, v = np.linalg.norm(B, 2) * 1.69, np.linalg.norm(V, 2)
    assert_allclose(
        np.exp(softmax.log_lip_x) + np.exp(softmax.log_lip_mu) <= mean_field_bound(B, V, radius=1.3) * (1 + 1e-12), True
    )
    assert_allclose(np.exp(softmax.log_lip_x), v * b, rtol=1e-12)


@pytest.mark.parametrize("wrap", [lambda rule: rule, af.Causal])
def test_written_out_jacobian_is_the_derivative(wrap):
    import jax

    flow, mu = (
        af.Flow(R2, wrap(af.Softmax(B, 1.7)), V=V),
        af.Particles(np.random.default_rng(3).standard_normal((5, 2))),
    )
    derivative = jax.jacfwd(lambda x: af.velocity(flow, af.Particles(x)))(mu.x).reshape(10, 10)
    assert_allclose(jacobian(flow, mu), derivative, atol=1e-12)
    assert_allclose(local_lipschitz(flow, mu), np.linalg.norm(derivative, 2), rtol=1e-9)


def test_lipschitz_bounds_and_the_one_that_fails():
    rng = np.random.default_rng(6)
    for _ in range(5):
        B, V = rng.standard_normal((2, 2, 2))
        x = random_prompts(rng)[0]
        flow = af.Flow(R2, af.Softmax(B), V=V)
        local = np.linalg.norm(jacobian(flow, af.Particles(x)), 2)
        assert local <= general_bound(B, V, radius=1.0, n=6)
        assert local <= per_input_bound(B, V, x)
    B, x = np.array([[0.0, 0.0], [4.0, 0.0]]), np.array([[1.0, 0], [-1, 0], [1, 0], [-1, 0]])
    local = np.linalg.norm(jacobian(af.Flow(R2, af.Softmax(B)), af.Particles(x)), 2)
    assert_allclose(local, 4.2360680, atol=1e-7)
    assert_allclose(per_input_bound(B, np.eye(2), x, as_printed=True), 2.0, rtol=1e-12)
    assert local <= per_input_bound(B, np.eye(2), x)


def test_adversarial_tokens_grow_like_the_root_of_n():
    flow = af.Flow(R2, af.Softmax(np.diag([1.0, 0.4])))
    sizes = [
        np.linalg.norm(jacobian(flow, adversarial_tokens(np.diag([1.0, 0.4]), radius=4.0, n=n)), 2) for n in (8, 32)
    ]
    assert 1.8 < sizes[1] / sizes[0] < 2.6  # √(32/8) = 2 up to terms of lower order in n
    known = [adversarial_constant(np.diag([1.0, 0.4]), radius=4.0, n=n) for n in (8, 32)]
    assert_allclose(sizes, known, rtol=1e-12)


def test_adversarial_constant_on_a_repelling_eigenvector():
    B = np.array([[-0.9, 0.3], [0.3, 0.2]])
    for n, radius in ((2, 0.3), (8, 1.3), (32, 0.8)):
        sizes = np.linalg.norm(jacobian(af.Flow(R2, af.Softmax(B)), adversarial_tokens(B, radius=radius, n=n)), 2)
        assert_allclose(adversarial_constant(B, radius=radius, n=n), sizes, rtol=1e-12)


def test_effective_share():
    flow, mu = af.Flow(R2, af.Softmax(B)), af.Gaussian([0.4, -0.7], [[0.9, -0.2], [-0.2, 0.5]])
    assert_allclose(effective_share(flow, mu, [0.7, -1.1])[0], 0.8430100494, atol=1e-9)
    assert resolution_note(flow, mu, sample(mu, 512)) is None
    assert "only" in resolution_note(af.Flow(R2, af.Softmax(8.0)), mu, sample(mu, 64))


@pytest.mark.slow
def test_matched_tokens_follow_the_gaussian_flow():
    mu = af.Gaussian([0.4, -0.7], [[0.9, -0.2], [-0.2, 0.5]])
    flow = af.Flow(R2, af.Softmax(B), V=V)
    tokens = af.evolve(flow, sample(mu, 1024), until=0.8, save=1, tol=1e-6, method="dopri5").last
    exact = af.evolve(flow, mu, until=0.8, save=1).last
    # n = 1024 Sobol tokens; the specification quotes 1e-3 at n = 4096.
    assert_allclose(moments(tokens).mean, exact.mean, atol=1e-3)
    assert_allclose(moments(tokens).cov, exact.cov, atol=2e-3)


@pytest.mark.slow
def test_rates_in_the_number_of_tokens():
    mu = af.Gaussian([0.4, -0.7], [[0.9, -0.2], [-0.2, 0.5]])
    flow = af.Flow(R2, af.Softmax(2 * B), V=V)
    free = mean_field_rate(flow, mu, counts=[128, 512, 2048], until=0.5, kind="iid")
    assert -0.8 < free.slope < -0.3
    matched = mean_field_rate(flow, mu, counts=[128, 512, 2048], until=0.5, kind="matched")
    assert np.all(matched.cov_error < free.cov_error / 3)


def test_conventions_line():
    line = conventions_of(af.Flow(R2, af.Causal(af.Sigmoid(B, bias=-1.0))))
    assert "mean over tokens" in line and "bias -1" in line and "mask j <= i" in line and "\n" not in line
    assert "3 half-steps" in conventions_of(af.Flow(R2, af.Sinkhorn(B, iterations=3)))


def test_masks_that_leave_a_token_nothing_to_hear():
    x = np.random.default_rng(0).standard_normal((4, 2))
    padded, rule = af.Particles(x, [0.0, 1, 1, 1]), af.Softmax()
    cases = {
        "only tokens of mass 0": lambda: af.velocity(af.Flow(R2, af.Causal(rule)), padded),
        "token 0": lambda: af.evolve(af.Flow(R2, af.Masked(rule, positions=[0.1, 0.2, 0.3, 0.3])), padded),
        "put padding at the end": lambda: af.velocity(af.Flow(R2, af.Masked(rule, table=np.eye(4) > 0)), padded),
        r"lie in \[0, 1\], got 1.5": lambda: af.Masked(rule, positions=[0, 0.5, 1.5]),
        "mask each head": lambda: af.Causal(af.Heads([(rule, 1.0)])),
    }
    for words, act in cases.items():
        with pytest.raises(ValueError, match=words):
            act()
    last = af.velocity(af.Flow(R2, af.Causal(rule)), af.Particles(x, [1.0, 1, 1, 0]))
    assert np.all(np.isfinite(last))
