"""Castin et al. 2025: blow-up, long-time limits, equilibria and their stability, with the specification's numbers."""

import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af
from attnflow.engine.flow.gaussian_field import moment_velocity
from attnflow.theory.gaussian import (
    blow_up,
    equilibrium_residual,
    fate_of,
    isotropic_lines,
    isotropic_subspace,
    largest_isotropic_rank,
    line_stability,
    linear_stability,
    long_time,
)
from attnflow.theory.gaussian import closed_forms as cf
from attnflow.theory.gaussian.lasting import is_settled, what_follows

R2 = af.Euclidean()
START = af.Gaussian([0.0, 0.0], [[1, 0.2], [0.2, 0.7]])


def softmax(B, V=1.0):
    return af.Flow(R2, af.Softmax(B), V=V)


def test_blow_up_along_an_eigenvector():
    seen = blow_up(softmax([[1, 0.4], [-0.2, 0.5]], [[0.9, 0.3], [0.1, -0.4]]), START)
    assert seen.verdict == "blow-up" and seen.rank == 1
    assert_allclose(seen.time, 0.4940460716, atol=1e-10)
    assert_allclose(np.abs(seen.direction), (0.99715, 0.07539), atol=1e-5)
    assert_allclose(seen.constant, 0.5353711, atol=1e-7)


def test_blow_up_with_a_profile_of_rank_two():
    mu = af.Gaussian([0.0, 0.0], [[0.48, -0.6], [-0.6, 1.49]])
    seen = blow_up(softmax([[0.41, 3.16], [-0.11, 0.48]], [[-1.28, 1.12], [-0.48, 0.34]]), mu)
    assert seen.rank == 2
    assert_allclose(seen.time, 1.64162914, atol=1e-8)
    assert_allclose(seen.profile, (0.81204, 0.18796), atol=1e-5)
    assert_allclose(seen.rho[-1], 0.0846653, atol=1e-7)


def test_blow_up_that_turns_log_periodically():
    seen = blow_up(softmax([[1, 0.2], [0, 0.6]], [[0.3, -1], [1, 0.3]]), START)
    assert_allclose(seen.time, 2.0095314544, atol=1e-10)
    assert 0.25 < seen.rho.min() < 0.45 < 0.55 < seen.rho.max() < 0.7


def test_a_batch_blows_up_at_the_closed_form_times():
    B = np.array([[0.6, 0.2], [-0.5, 0.9]])
    covs = np.stack([[[1, 0.2], [0.2, 0.7]], [[0.3, 0.0], [0.0, 0.0]], [[2, -1.0], [-1, 0.6]]])
    mu = af.Gaussian(np.zeros((3, 2)), covs)
    seen, known = blow_up(softmax(B), mu, closed_form=False), blow_up(softmax(B), mu)
    exact = [cf.softmax_identity_blow_up(B, cov) for cov in covs]
    assert_allclose(seen.time, exact, rtol=1e-11)
    assert_allclose(known.time, exact, rtol=1e-14)
    assert list(known.verdict) == ["blow-up"] * 3 and list(known.rank) == list(seen.rank) == [1, 1, 1]
    assert_allclose(known.rho[:, -1], seen.rho[:, -1], rtol=1e-9)
    assert_allclose(known.shapes[:, -1], seen.shapes[:, -1], atol=1e-8)  # one step past 1e14, or exactly there
    assert_allclose(known.constant, seen.constant, rtol=1e-9)


def test_closed_forms_of_what_does_not_blow_up_agree_with_runs():
    B = np.array([[-0.6, 0.2], [0.5, 0.1]])
    covs = np.stack([[[1, 0.2], [0.2, 0.1]], [[0.3, 0.0], [0.0, 0.0]]])
    mu = af.Gaussian(np.zeros((2, 2)), covs)
    seen, known = blow_up(softmax(B), mu, until=0.5, closed_form=False), blow_up(softmax(B), mu, until=0.5)
    assert list(seen.verdict) == list(known.verdict) == ["bounded"] * 2
    for k, cov in enumerate(covs):
        end = cf.softmax_identity(B, cov, t=0.5)
        assert_allclose(known.shapes[k, -1], end / np.trace(end), atol=1e-12)


def test_l2_blows_up_only_through_singular_keys():
    flow = af.Flow(R2, af.L2(Q=[[0.0, 1.0]], K=[[1.0, 0.0]]), V=[[0, 0], [0, 1]])
    seen = blow_up(flow, af.Gaussian([0.0, 0.0], [[1, 0.5], [0.5, 1]]))
    assert seen.verdict == "blow-up"
    assert_allclose(seen.time, 3.0, atol=1e-10)


@pytest.mark.slow
def test_growth_without_blow_up():
    K = np.array([[0.8, 0.1], [0.3, 0.9]])
    for rule in (af.L2(Q=K, K=K), af.Sinkhorn(1.0)):
        seen = blow_up(af.Flow(R2, rule, V=1.0), START)
        assert seen.verdict == "exponential growth"
        assert_allclose(seen.exponent, 1.0, atol=1e-6)


def drawn(k: int):
    """Softmax and a Gaussian prompt of normal entries, as an integrator in quadruple precision met them."""
    d = 2 + k % 5
    B, V, L = np.random.default_rng([777001, k]).normal(size=(3, d, d))
    return softmax(B, V), af.Gaussian(np.zeros(d), L @ L.T)


def test_a_blow_up_behind_a_plane_where_scores_vanish_has_its_time():
    """In double precision plain factors explode 5e-4 too early: rounding decides how the covariance leaves the plane."""
    seen = blow_up(*drawn(333))
    assert seen.verdict == "blow-up"
    # Quadruple precision at three tolerances; graded columns have six digits.
    assert_allclose(seen.time, 0.4993555, rtol=1e-6)


@pytest.mark.slow
def test_a_rate_of_growth_is_that_of_late_decades_or_none():
    seen = blow_up(*drawn(318))
    assert seen.verdict == "exponential growth"
    assert_allclose(seen.rate, 5.6577e7, rtol=1e-3)  # traces e^56 to e^62 in quadruple precision; 3.5e3 before 1e8
    still_rising = blow_up(*drawn(122))  # 18, 29, 38 per unit of time over three times two decades
    assert still_rising.verdict == "exponential growth" and np.isnan(still_rising.rate)


def test_exponential_growth_under_softmax_is_recognised_with_its_rate():
    B = [[0.2, 2.6, 1.5], [1.5, -2, -0.3], [-0.6, 0.5, -2.3]]
    V = [[1.2, 1.1, -1.3], [-1, -0.8, 0], [0.6, 2, -0.2]]
    L = np.array([[0.8, 0.2, 1.8], [0.7, 1.4, -1.1], [-0.2, -0.8, 1.5]])
    seen = blow_up(softmax(B, V), af.Gaussian(np.zeros(3), L @ L.T))
    assert seen.verdict == "exponential growth"
    assert_allclose(seen.rate, 3.2449, atol=1e-4)  # four printed digits, from an independent integrator
    assert blow_up(softmax(-np.eye(2)), START, closed_form=False).verdict == "decay"


def test_long_run_to_zero_has_the_known_sizes():
    rs = np.random.RandomState(35)
    Q = rs.rand(2, 2)
    G = rs.randn(2, 2)
    V = G @ G.T
    assert_allclose(np.linalg.eigvalsh(V), (1.987, 3.370), atol=1e-3)
    run = long_time(softmax(-Q.T @ Q / np.sqrt(2), V), af.Gaussian([0.0, 0.0], np.eye(2) / 2), until=1e5)
    assert run.verdict == "zero" and run.rank == 0
    assert_allclose(run.eigenvalues[-1], (2.857e-4, 8.66e-6), rtol=1e-2)  # quoted to 1 %


def test_long_run_to_an_isotropic_line_and_its_stability():
    rs = np.random.RandomState(36)
    B = rs.randn(2, 2).T @ rs.randn(2, 2)
    V = np.random.RandomState(32).randn(2, 2)
    assert_allclose(np.linalg.eigvalsh(B + B.T), (-3.3213, 0.7403), atol=1e-4)
    flow = softmax(B / np.sqrt(2), V)
    run = long_time(flow, af.Gaussian(np.zeros((2, 2)), np.stack([np.eye(2) / 2, [[0.8, -0.3], [-0.3, 0.2]]])))
    assert list(run.verdict) == ["isotropic"] * 2 and list(run.rank) == [1, 1]
    lines = isotropic_lines(B)
    assert lines.shape == (2, 2)
    for line in lines:
        assert abs(line @ B @ line) < 1e-14
        assert line_stability(flow, line, size=0.7).max() < 0
    ends = np.linalg.eigh(run.cov[:, -1])[1][:, :, -1]
    assert np.all(np.abs(ends @ lines.T).max(axis=1) > 1 - 1e-10)


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.slow
def test_line_stability_by_the_jacobian_of_the_covariance_equation(d):
    rng = np.random.default_rng(d)
    V, Q, K = rng.standard_normal((3, d, d))
    l = isotropic_subspace(Q.T @ K, 1)[0][:, 0]
    c = 0.6
    for rule, scale in ((af.Softmax(Q=Q, K=K), 1.0), (af.L2(Q=Q, K=K), 1.0), (af.Sinkhorn(Q=Q, K=K, eps=0.5), 1 / 0.5)):
        flow = af.Flow(R2, rule, V=V * scale)
        known = np.sort(np.append(line_stability(flow, l, size=c), np.zeros(d * (d + 1) // 2 - d)))
        # A sliver of full rank makes the equation smooth; its defective zeros then move by the root of 1e-9.
        cov = c * np.outer(l, l) + 1e-9 * np.eye(d)
        found = np.sort(linear_stability(flow, af.Gaussian(np.zeros(d), cov)).real)
        assert_allclose(found, known, atol=2e-3 * np.abs(known).max())


def test_isotropic_subspaces_are_equilibria_for_every_value_matrix():
    rng = np.random.default_rng(7)
    B, V = rng.standard_normal((2, 4, 4))
    L, residual = isotropic_subspace(B, 2)
    assert residual < 1e-10 and largest_isotropic_rank(B) == 2
    mu = af.Gaussian(np.zeros(4), L @ np.diag([0.5, 2.0]) @ L.T)
    for rule in (af.Softmax(B), af.L2(Q=B.T, K=np.eye(4)), af.Sinkhorn(B)):
        assert equilibrium_residual(af.Flow(R2, rule, V=V), mu) < 1e-9


@pytest.mark.slow
def test_rotations_have_no_limit():
    skew = np.array([[0.0, -1.0], [1.0, 0.0]])
    flow = softmax(1.0, skew)
    velocity = moment_velocity(flow, START).cov
    assert abs(jnp.trace(velocity)) < 1e-14
    run = af.evolve(flow, START, until=5.0, save=3)
    values = np.linalg.eigvalsh(run.cov)
    assert_allclose(values, np.broadcast_to(values[0], values.shape), rtol=1e-10)
    assert fate_of(flow, START).verdict == "rotating"


def test_fate_by_theory_names_its_rule():
    assert_allclose(
        fate_of(softmax(1.0), START).numbers["time"], cf.softmax_identity_blow_up(np.eye(2), START.cov), rtol=1e-12
    )
    assert fate_of(softmax(-1.0), START).verdict == "zero"
    q = np.array([0.6, 0.8])
    lines = fate_of(softmax(-np.outer(q, q)), START)
    assert lines.verdict == "isotropic" and lines.numbers["rank"] == 1
    assert_allclose(lines.numbers["limit"], cf.softmax_identity_limit(-np.outer(q, q), START.cov), atol=1e-14)
    assert largest_isotropic_rank(-np.outer(q, q), V_is_identity=True) == 1


def test_blow_up_times_scale_and_follow_closed_forms():
    B, S = np.array([[0.6, 0.2], [-0.5, 0.9]]), np.asarray(START.cov)
    scheduled = af.Flow(R2, af.Softmax(lambda t: (1 + t) * jnp.asarray(B)))
    exact = -1 + np.sqrt(1 + 2 * cf.softmax_identity_blow_up(B, S))
    assert_allclose(blow_up(scheduled, START).time, exact, rtol=1e-11)
    W = np.array([[0.2, 0.1], [-0.3, 0.1]])
    layer = af.FeedForward(a=W, activation="identity")
    seen = blow_up(af.Flow(R2, af.Softmax(B), feed_forward=layer), START)
    assert_allclose(seen.time, cf.riccati_blow_up(B, W, S, until=5.0), rtol=1e-11)
    tilted = softmax([[1, 0.4], [-0.2, 0.5]], [[0.9, 0.3], [0.1, -0.4]])
    covs = np.stack([scale * S for scale in (1e-6, 1.0, 1e6)])
    times = blow_up(tilted, af.Gaussian(np.zeros((3, 2)), covs), until=1e8, closed_form=False).time * (1e-6, 1.0, 1e6)
    assert_allclose(times, 0.4940460716, atol=1e-10)


@pytest.mark.slow
def test_large_limits_and_stiff_growth_are_told_apart():
    def drawn(seed):
        rng = np.random.default_rng(seed)
        flow = softmax(rng.standard_normal((3, 3)), rng.standard_normal((3, 3)))
        A = rng.standard_normal((3, 3))
        return flow, af.Gaussian(np.zeros(3), A @ A.T)

    large = fate_of(*drawn(5))
    assert large.verdict == "isotropic" and large.numbers["rank"] == 1
    # Grows like a blow-up at t = 1.2169144201 by explicit and by implicit steps alike; its smallest column is 1e-15 of the
    # largest, so that its shape cannot be followed further, and nothing may be said of rest.
    assert fate_of(*drawn(2)).verdict in ("blow-up", "undecided", "unresolved")


@pytest.mark.slow
def test_stiff_blow_ups_are_located_to_ten_digits():
    T = np.array([[1.0, 0.4], [-0.3, 0.8]])
    inverse, S = np.linalg.inv(T), T @ np.diag([0.5, 0.7]) @ T.T

    def turned(B):
        return inverse.T @ np.diag(B) @ inverse

    # In the basis T one coordinate contracts at rate w while the other follows σ' = 2 w₂ σ + 2 b σ².
    for w in (-1e3, -1e5):
        layer = af.FeedForward(a=T @ np.diag([w, 0.3]) @ inverse, activation="identity")
        seen = blow_up(af.Flow(R2, af.Softmax(turned([-0.2, 0.6])), feed_forward=layer), af.Gaussian([0.0, 0.0], S))
        assert_allclose(seen.time, np.log1p(0.3 / (0.6 * 0.7)) / 0.6, rtol=1e-10)
    # Two heads whose scales differ by a million.
    heads = [(af.Softmax(turned([-1e6, 0.0])), np.eye(2)), (af.Softmax(turned([0.0, 0.6])), np.eye(2))]
    seen = blow_up(af.Flow(R2, af.Heads(heads)), af.Gaussian([0.0, 0.0], S))
    assert_allclose(seen.time, 1 / (2 * 0.6 * 0.7), rtol=1e-10)
    # L2 with a singular K, in another basis: Σ₁₂ = ½/(1 − t/3).
    rule = af.L2(Q=np.array([[0.0, 1.0]]) @ inverse, K=np.array([[1.0, 0.0]]) @ inverse)
    flow = af.Flow(R2, rule, V=T @ np.diag([0.0, 1.0]) @ inverse)
    seen = blow_up(flow, af.Gaussian([0.0, 0.0], T @ np.array([[1, 0.5], [0.5, 1]]) @ T.T))
    assert_allclose(seen.time, 3.0, rtol=1e-10)


def test_bad_input_of_fates_is_one_clear_line():
    flow, tokens = softmax(1.0), af.Particles([[0.0, 1.0]])
    cases = {
        "got Particles": lambda: blow_up(flow, tokens),
        "until must be": lambda: long_time(flow, START, until=-1.0),
        "tol must lie": lambda: blow_up(flow, START, tol=0.0),
        "do not fit": lambda: blow_up(af.Flow(R2, af.Softmax(), V=lambda t: jnp.eye(3)), START),
        "one dimension": lambda: af.bures(START, af.Gaussian(np.zeros(3), np.eye(3))),
        "positive semidefinite": lambda: af.Gaussian(np.zeros((2, 2)), [1e8 * np.eye(2), [[1e-8, 2e-8], [2e-8, 1e-8]]]),
    }  # fmt: skip
    for words, act in cases.items():
        with pytest.raises(ValueError, match=words) as caught:
            act()
        assert "\n" not in str(caught.value)


def test_a_blow_up_seen_by_implicit_steps_alone_says_how_well_its_time_is_known():
    """Two tolerances agree on the fate; quadruple precision explodes at 0.0283562919."""
    B, V, L = np.random.default_rng([9001, 6, 58]).standard_normal((3, 6, 6))
    fate = af.fate_of(af.Flow(af.Euclidean(), af.Softmax(B), V=V), af.Gaussian(np.zeros(6), L @ L.T))
    assert fate.verdict == "blow-up" and "another tolerance moves the time by" in fate.rule
    assert_allclose(fate.numbers["time"], 0.028356291938946655, rtol=1e-6)  # extrapolated from tr Σ = 1e14


def test_settled_shapes_are_those_that_go_on_growing(rng):
    """Near a stable shape yes, and a long run of the shape agrees; near an unstable one no."""
    B, V = np.eye(2)[None], np.diag([2.0, 1.0])[None]
    angle = np.array([1e-5, np.pi / 2 - 1e-5])
    near = np.stack([np.cos(angle), np.sin(angle)], axis=-1)[:, :, None] * np.array([[1.0, 0.0]])
    assert is_settled(B, V, near).tolist() == [True, False]
    assert what_follows(B, V, near[0]) == "blow-up"
    N = rng.normal(size=(40, 3, 3))
    N /= np.linalg.norm(N, axis=(1, 2), keepdims=True)
    assert not is_settled(rng.normal(size=(1, 3, 3)), rng.normal(size=(1, 3, 3)), N).any()
