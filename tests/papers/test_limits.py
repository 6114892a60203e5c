"""Certified limits against brute force, the finite set S, closed forms of small prompts, and bad input."""

import itertools

import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af
from attnflow.theory.limits import one_dimension as line
from attnflow.theory.limits.hardmax_certificate import follow
from attnflow.theory.limits.polytope import contains, enumerate_limits, is_possible_limit, residual
from attnflow.theory.limits.value_matrix import classify, coordinate_error

F6 = np.array([[0.64709742, 0.81911926], [0.61210449, 0.63263484]])


def plain(V=1.0, **score):
    return af.Flow(af.Euclidean(), af.Softmax(**score), V=V)


def brute(flow, mu, until):
    return np.asarray(af.evolve(af.rescale(flow), mu, until=until, save=[until], tol=1e-11).x[-1])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.broad(1)
def test_polytope_of_forty_tokens(seed):
    flow, mu = plain(), af.Particles(np.random.default_rng(seed).uniform(-5, 5, (40, 3)))
    found = af.limit(flow, mu)
    assert found.certificate.holds and found.certificate.error < 1e-9
    end = brute(flow, mu, 12.0)
    at_certificate = brute(flow, mu, found.certificate.time)
    assert_allclose(end, follow(at_certificate, found.leaders, 12.0 - found.certificate.time), atol=1e-9)
    assert_allclose(end[found.vertices], found.z[found.vertices], atol=1e-9)
    assert residual(found.z, found.z[found.vertices]).max() < 1e-8
    assert set(found.polytope[0]) == set(found.vertices)
    assert np.linalg.matrix_rank(found.P) == len(found.vertices)


def test_masses_are_repeats():
    rng = np.random.default_rng(7)
    x = rng.uniform(-2, 2, (20, 2))
    counts = rng.integers(1, 4, 20)
    repeated = af.limit(plain(), af.Particles(np.repeat(x, counts, axis=0)))
    weighed = af.limit(plain(), af.Particles(x, counts.astype(float)))
    assert_allclose(repeated.z, np.repeat(weighed.z, counts, axis=0), atol=1e-10)
    assert_allclose(repeated.P.sum(axis=1), 1, rtol=1e-14)
    assert any("coincident" in note for note in repeated.notes)


def test_a_flow_in_z_has_the_limit_of_the_flow():
    flow, mu = (
        af.Flow(af.Euclidean(), af.Softmax(), V=[[1.0, 0.0], [0.0, 0.5]]),
        af.Particles([[1.0, 0.2], [-2.0, 1.0], [0.3, 0.1]]),
    )
    here, there = af.limit(flow, mu), af.limit(af.rescale(flow), mu)
    assert here.words == there.words
    assert_allclose(here.coordinates, there.coordinates, atol=0)


def test_scale_of_v_is_a_clock():
    x = np.random.default_rng(8).uniform(-2, 2, (20, 2))
    slow, fast = af.limit(plain(0.5), af.Particles(x)), af.limit(plain(), af.Particles(x))
    assert_allclose(slow.z, fast.z, atol=1e-9)
    assert_allclose(slow.certificate.time, 2 * fast.certificate.time)


@pytest.mark.parametrize("size", [1e-9, 1e5])
def test_scale_of_the_tokens_does_not_matter(size):
    x = np.random.default_rng(8).uniform(-2, 2, (20, 2))
    same, other = af.limit(plain(), af.Particles(x)), af.limit(plain(beta=size**-2), af.Particles(x * size))
    assert_allclose(other.z / size, same.z, atol=1e-10)
    assert_allclose(other.certificate.error / size, same.certificate.error, rtol=0.5)  # of the same order


def test_any_score_matrix_is_certified_outside_the_theorem():
    rng = np.random.default_rng(4)
    flow = plain(B=rng.uniform(-1, 1, (2, 2)))
    mu = af.Particles(rng.uniform(-5, 5, (20, 2)))
    found = af.limit(flow, mu)
    assert found.certificate.holds and "outside the hypotheses" in found.words
    assert_allclose(brute(flow, mu, 14.0)[found.vertices], found.z[found.vertices], atol=1e-8)


@pytest.mark.slow
def test_hyperplanes_of_figure_6():
    V = classify(F6, 2)
    assert_allclose(V.eigenvalues.real, (1.34799, -0.06826), atol=6e-6)  # five decimals given
    assert_allclose(V.right[:, 0], (0.760, 0.650), atol=6e-4)  # three decimals given
    assert_allclose(V.left[0] / np.linalg.norm(V.left[0]), (0.658, 0.753), atol=6e-4)
    flow, mu = plain(F6), af.Particles(np.random.default_rng(0).uniform(-5, 5, (20, 2)))
    found = af.limit(flow, mu)
    assert found.certificate.holds and len(found.planes) == 2
    assert_allclose(brute(flow, mu, 25.0) @ V.left[0], found.coordinates[:, 0], atol=1e-8)
    assert_allclose(found.z @ V.left[0], found.coordinates[:, 0], rtol=1e-12)


@pytest.mark.slow
def test_paranormal_limit_and_the_way_followers_leave():
    flow = plain(np.diag([1.0, 1.0, -0.5]))
    mu = af.Particles(np.random.default_rng(0).uniform(-5, 5, (40, 3)))
    found = af.limit(flow, mu)
    assert found.certificate.holds and found.case == "paranormal" and found.certificate.time < 10
    assert np.linalg.matrix_rank(found.P) == len(found.vertices)
    before, end = brute(flow, mu, 16.0), brute(flow, mu, 20.0)
    assert_allclose(end[:, :2], found.z[:, :2], atol=1e-7)  # followers are e^{-20} away by nature
    follower = np.flatnonzero(found.leaders != np.arange(40))
    leave = np.array([z[follower, 2] - z[found.leaders[follower], 2] for z in (before, end)])
    assert_allclose(np.log(leave[1] / leave[0]) / 4, 0.5, atol=1e-6)


def random_basis(values, seed):
    T = np.random.default_rng(seed).normal(size=(len(values), len(values))) + 2 * np.eye(len(values))
    return T @ np.diag(values) @ np.linalg.inv(T)


JORDAN_INSIDE = np.array([[2.0, 0.0, 0.0], [0.0, 0.5, 1.0], [0.0, 0.0, 0.5]])
SPIRAL_INSIDE = np.array([[1.5, 0.0, 0.0], [0.0, 0.2, 0.8], [0.0, -0.8, 0.2]])
UNEVEN = np.array([[1.3, 0.4, 0.1], [0.4, 0.9, 0.2], [0.1, 0.2, 0.6]])


WEIGHTS = {
    "scaled": (0.7, UNEVEN),
    "mixed": (random_basis([1.5, 0.4, -0.3], 0), UNEVEN),
    "singular B": (1.0, np.outer([1.0, 0.5, -0.3], [1.0, 0.5, -0.3])),
    "singular V": (random_basis([1.5, 0.4, 0.0], 1), UNEVEN),
    "jordan inside": (JORDAN_INSIDE, UNEVEN),
    "spiral inside": (SPIRAL_INSIDE, UNEVEN),
    "paranormal": (random_basis([1.0, 1.0, -0.6], 2), UNEVEN),
    "paranormal growing": (random_basis([1.0, 1.0, 0.3], 3), UNEVEN),
}
SOON = [("scaled", "degenerate"), ("mixed", "plain")]
BRUTE = [
    pytest.param(*case, marks=() if case in SOON else pytest.mark.slow)
    for case in itertools.product(WEIGHTS, ("plain", "degenerate"))
]


@pytest.mark.parametrize(("weights", "start"), BRUTE)
@pytest.mark.broad(1)
def test_certified_limits_are_those_of_brute_force(weights, start):
    V, B = WEIGHTS[weights]
    x = np.random.default_rng(5).uniform(-2, 2, (12, 3))
    if start == "degenerate":
        x = x + np.array([1.0, 0.0, 0.0])
        x[3], x[7] = x[2], 0.0  # twins, and a token at the origin, where every row is tied at first
    flow, mu = plain(V, B=B), af.Particles(x, np.arange(1.0, 13.0))
    found, kind = af.limit(flow, mu), classify(V, 3)
    assert found.certificate.holds and found.certificate.error <= 1e-8 and found.certificate.integration < 1e-8
    end = brute(flow, mu, found.certificate.time + 19 / kind.lam)
    # Followers are e^{-19} short of their leader; where z diverges, its digits drown the dominant ones.
    assert_allclose(end @ kind.left.T, found.z @ kind.left.T, atol=1e-8 + 1e-15 * np.abs(end).max())


@pytest.mark.slow
def test_fast_and_slow_coordinates_are_kept_apart():
    flow = plain(random_basis([1.0, -0.9], 4))  # z grows like e^{1.9 t} against its dominant coordinate
    found = af.limit(flow, af.Particles(np.random.default_rng(3).uniform(-2, 2, (12, 2))))
    assert found.certificate.holds and found.certificate.error < 1e-8
    assert 1 <= len(found.planes) <= 2


@pytest.mark.slow
def test_the_bound_on_planes_is_kept_by_the_run():
    V = random_basis([1.2, 0.7, -0.4], 6)
    flow, mu, kind = plain(V), af.Particles(np.random.default_rng(8).uniform(-2, 2, (12, 3))), classify(V, 3)
    final = af.limit(flow, mu)
    for until in (5.0, 8.0, 12.0):
        early = af.limit(flow, mu, until=until)
        off = np.abs(early.planes[[0, -1]] - final.planes[[0, -1]]).max() if len(early.planes) else 0.0
        assert off <= early.certificate.error
    assert final.certificate.error < early.certificate.error < 1
    assert_allclose(kind.left @ V, kind.lam * kind.left, atol=1e-12)


def test_the_stated_error_covers_the_integration():
    V, B = WEIGHTS["scaled"]
    mu = af.Particles(np.random.default_rng(5).uniform(-2, 2, (12, 3)), np.arange(1.0, 13.0))
    fine = af.limit(plain(V, B=B), mu)
    for tol in (1e-4, 1e-6, 1e-8):
        coarse = af.limit(plain(V, B=B), mu, tol=tol)
        proved = coarse.certificate.error - coarse.certificate.integration
        assert proved < np.linalg.norm(coarse.z - fine.z, axis=1).max() <= coarse.certificate.error < 1e3 * tol


@pytest.mark.slow
def test_a_run_too_coarse_for_its_ties_is_not_certified():
    x = np.random.default_rng(3).uniform(-2, 2, (12, 2))
    fates = []
    for place in 0.5009607035925683 + np.array([-1e-3, -1e-11, -1e-12, 1e-12, 1e-11, 1e-3]):
        x[11] = np.array([0.3, 0.9]) * (1 - place) + np.array([0.5, -0.9]) * place  # the border of two basins is here
        fine, coarse = (af.limit(plain(), af.Particles(x), tol=tol) for tol in (1e-11, 1e-6))
        fates.append(int(fine.leaders[11]))
        assert coarse.certificate.holds == (abs(place - 0.5009607035925683) > 1e-4)
    assert fates == [7, 7, 7, 4, 4, 4]


def test_one_token_and_no_score():
    one = af.limit(plain(), af.Particles([[0.3, -2.0]]))
    assert one.certificate.holds and one.certificate.error == 0
    assert_allclose(one.z, [[0.3, -2.0]])
    assert_allclose(af.limit(plain(F6), af.Particles([[0.3, -2.0]])).planes, classify(F6, 2).left[0] @ [0.3, -2.0])
    x = np.array([[1.0, 0.0], [0.0, 2.0], [-4.0, 1.0]])
    silent = af.limit(plain(B=0.0), af.Particles(x, [1.0, 1.0, 2.0]))
    assert silent.certificate.holds
    assert_allclose(silent.z, np.tile([-1.75, 1.0], (3, 1)))


def test_exceptional_row_with_masses():
    x, mass = [[-1.2], [-0.5], [0.0], [0.5], [1.2]], np.array([1.0, 2.0, 5.0, 2.0, 1.0])
    found = af.limit(plain(), af.Particles(x, mass))
    assert list(found.undecided) == [2]
    assert_allclose(found.P[2], mass / mass.sum(), rtol=1e-9)
    row = line.exceptional_row([-2.0, 0.0, 1.0], [0.3, 0.1, 0.6], 1)
    theta = line.middle_angle(-2.0, 1.0, low=0.3, high=0.6)
    assert_allclose(
        row, np.array([0.3 * np.exp(-2 * theta), 0.1, 0.6 * np.exp(theta)]) / (row[1] ** -1 * 0.1), rtol=1e-12
    )
    assert_allclose(row @ [-2.0, 0.0, 1.0], 0, atol=1e-14)  # the bounded token is pulled both ways alike


@pytest.mark.parametrize(
    ("V", "case"),
    [
        ([[1.0, 1e-9], [0.0, 1.0]], "ill-conditioned"),
        ([[1.0, 1.0], [0.0, 1.0 - 1e-7]], "ill-conditioned"),
        ([[1.0, 1.0], [0.0, 1.0 - 1e-9]], "jordan"),
        ([[0.0, -1.0], [1.0, 0.0]], "complex"),
        ([[1.0, 1.0], [0.0, 1.0]], "jordan"),
        ([[2.0, 0.0], [0.0, -3.0]], "mixed"),
        ([[-1.0, 0.0], [0.0, -2.0]], "negative"),
    ],
)
def test_no_theorem_is_said_plainly(V, case):
    found = af.limit(plain(np.array(V)), af.Particles(np.eye(2)))
    assert found.case == case and found.z is None and not found.certificate.holds
    assert "no theorem" in found.words


def test_repelling_values_send_tokens_to_zero():
    found = af.limit(plain(-1.0), af.Particles(np.eye(2)))
    assert found.certificate.holds and found.z is None
    assert_allclose(found.x, 0)
    assert_allclose(found.P, 0.5)


def test_symmetric_triple_is_reported_unstable():
    found = af.limit(plain(), af.Particles([[-1.0], [0.0], [1.0]]))
    assert not found.certificate.holds and list(found.undecided) == [1]
    assert_allclose(found.P, [[1, 0, 0], [1 / 3, 1 / 3, 1 / 3], [0, 0, 1]], atol=1e-12)
    assert_allclose(found.z[:, 0], (-0.843718, 0, 0.843718), atol=1e-6)  # six decimals given
    assert_allclose(line.symmetric_triple_limit(1.0), found.z[2, 0], atol=1e-9)


def test_tied_tokens_rest_between_their_leaders():
    pairs = af.limit(plain(), af.Particles([[1.0, 0.3], [-1.0, -0.3], [0.2, 2.0], [-0.2, -2.0], [0.0, 0.0]]))
    square = af.limit(plain(), af.Particles([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [0.3, 0.0]]))
    for found in (pairs, square):
        assert list(found.undecided) == [4] and not found.certificate.holds
        assert residual(found.z, found.z[found.vertices]).max() < 1e-8
    assert_allclose(pairs.z[4], 0, atol=1e-12)
    assert_allclose(square.z[4], (square.z[0, 0], 0), atol=1e-12)


def test_bad_input_is_refused_in_one_line():
    mu = af.Particles(np.eye(2))
    with pytest.raises(ValueError, match="square"):
        plain(np.ones((2, 3)))
    with pytest.raises(ValueError, match="same shape"):
        plain(Q=np.ones((2, 2)), K=np.ones((3, 2)))
    with pytest.raises(ValueError, match="V = 0"):
        af.limit(plain(0.0), mu)
    with pytest.raises(ValueError, match="positive time"):
        af.limit(plain(), mu, until=-1.0)
    with pytest.raises(ValueError, match="dimension"):
        af.limit(plain(np.eye(3)), mu)
    with pytest.raises(ValueError, match="Euclidean"):
        af.limit(af.Flow(af.Sphere(), af.Softmax()), mu)
    with pytest.raises(ValueError, match="Softmax"):
        af.limit(af.Flow(af.Euclidean(), af.Unnormalised()), mu)


@pytest.mark.slow
def test_rounding_of_ill_conditioned_coordinates_is_in_the_error():
    P, inverse = np.array([[2.0, 1.0], [1.0, 1.0]]), np.array([[1.0, -1.0], [-1.0, 2.0]])
    V = P @ np.array([[1.0, 2.0**12], [0.0, 0.5]]) @ inverse  # exact in floating point
    x, found = np.random.default_rng(8).uniform(-2, 2, (20, 2)), classify(V, 2)
    exact = np.sqrt(5) * x @ (np.array([1.0, 2.0**13]) @ inverse)
    bound = coordinate_error(V, found, x)
    assert 0 < np.abs(x @ found.left[0] - exact).max() <= bound < 1e-3 * np.abs(exact).max()
    certificate = af.limit(plain(V), af.Particles(x)).certificate
    assert certificate.error >= certificate.integration >= bound
    assert coordinate_error(np.eye(2), classify(1.0, 2), x) == 0


def test_zero_and_ill_conditioned_eigenvalues_are_reported():
    assert any("eigenvalue 0" in note for note in classify(np.diag([1.0, 0.0]), 2).notes)
    nearly = np.array([[1.0, 1.0], [0.0, 1.0 - 1e-10]])
    assert any("ill-conditioned" in note for note in classify(nearly, 2).notes)


@pytest.mark.parametrize(
    ("vertices", "count"),
    [
        (list(itertools.product((-1, 1), repeat=2)), 9),
        (list(itertools.product((-1, 1), repeat=3)), 27),
        (np.vstack([np.eye(3), -np.eye(3)]), 27),
        ([(2, 0), (3, 0), (2.5, 1)], 1),
    ],
)
def test_set_s_is_enumerated(vertices, count):
    S = enumerate_limits(vertices)
    assert len(S) == count and residual(S, vertices).max() < 1e-12
    assert is_possible_limit(vertices) == (count > 1)


def test_set_s_in_another_metric_is_a_change_of_variables():
    rng = np.random.default_rng(2)
    root = np.array([[1.2, 0.3], [0.0, 0.8]])
    vertices = rng.normal(size=(5, 2)) * 3
    S = enumerate_limits(vertices, root.T @ root)
    moved = enumerate_limits(vertices @ root.T)
    order = lambda a: a[np.lexsort(np.round(a, 6).T)]  # noqa: E731
    assert_allclose(order(S @ root.T), order(moved), atol=1e-9)
    assert all(contains(vertices, s) for s in S)


def test_numbers_of_the_line():
    assert_allclose((line.escape_level(2), line.escape_level(40)), (1.09643, 2.37628), atol=6e-6)
    assert_allclose(line.middle_row(-1.0, 1.0), 1 / 3, rtol=1e-14)
    theta = line.middle_angle(-0.7, 1.3, low=2, high=3)
    assert_allclose(2 * -0.7 * np.exp(-0.7 * theta) + 3 * 1.3 * np.exp(1.3 * theta), 0, atol=1e-14)
    assert_allclose((line.pair_limit(0.3), line.pair_limit(0.5)), (0.0052120, 0.1873768), atol=6e-8)
    assert_allclose(line.pair_limit(0.05) * np.exp(1 / (2 * 0.05**2)), 1.32811, rtol=1e-3)  # leading order in e
    assert_allclose(line.repelled_pair([1.0, 10.0]), (0.598395, 0.219848), atol=6e-7)
    assert_allclose(2000 * line.repelled_pair(1000.0) ** 2, 0.99966, atol=6e-6)


def test_remark_7_9_leaves_two_clusters():
    found = af.limit(plain(), af.Particles([[1.0, 0.5], [1.0, -0.5]]))
    assert found.certificate.holds and len(found.vertices) == 2
    assert_allclose(found.z[0], (1.0, line.pair_limit(0.5)), atol=1e-9)
    assert_allclose(found.P, np.eye(2))


def test_limit_in_single_precision_keeps_its_promise():
    x = np.random.default_rng(1).uniform(-5, 5, (20, 2))
    single = af.limit(plain(), af.Particles(jnp.asarray(x, jnp.float32)))
    double = af.limit(plain(), af.Particles(x))
    assert_allclose(single.z, double.z, atol=1e-3)  # single precision, amplified by the hardmax


def test_attention_becomes_hard_doubly_exponentially():
    from attnflow.papers.independent import rescaled_run

    x = np.array([[-1.3], [-0.4], [0.5], [1.6]])
    z = rescaled_run(x, [3.0, 3.5])
    logits = [np.exp(2 * t) * y[3, 0] * (y[3, 0] - y[0, 0]) for t, y in zip((3.0, 3.5), z)]
    assert_allclose(np.log(logits[1] / logits[0]) / 0.5, 2.0, atol=1e-6)  # different leaders: slope 2
    own = [np.exp(2 * t) * y[3, 0] * (y[3, 0] - y[2, 0]) for t, y in zip((3.0, 3.5), z)]
    assert_allclose(np.log(own[1] / own[0]) / 0.5, 1.0, atol=1e-6)  # a follower of the same leader: slope 1


def test_a_limit_that_a_stopped_run_leaves_open_says_so(monkeypatch):
    from functools import partial

    monkeypatch.setattr("attnflow.theory.limits.search.evolve", partial(af.evolve, max_steps=1))
    found = af.limit(af.Flow(af.Euclidean(), af.Softmax()), af.Particles([[1.0, 0.2], [-0.7, 0.4], [0.1, -0.9]]))
    assert not found.certificate.holds and found.z is None
    assert "slides along a tie" in found.certificate.words and "\n" not in found.certificate.words
