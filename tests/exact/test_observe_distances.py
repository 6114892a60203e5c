"""Transport distances against linear programming and closed forms; hulls, cosines, attention statistics."""

import numpy as np
import ot
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.distance import cdist
from scipy.special import i0

import attnflow as af
from attnflow.engine.observe.matrix import rows_listening
from attnflow.engine.observe.resolution import uniform_n_eff


def weighted(x, rng):
    return af.Particles(x, rng.random(len(x)) + 0.1)


@pytest.mark.parametrize("p", [1, 2, 3])
def test_circle_equals_the_linear_programme(p, rng):
    a, b = rng.random(9) * 2 * np.pi, rng.random(13) * 2 * np.pi
    mu, nu = (weighted(np.stack([np.cos(s), np.sin(s)], 1), rng) for s in (a, b))
    arc = np.abs(a[:, None] - b)
    arc = np.minimum(arc, 2 * np.pi - arc)
    exact = ot.emd2(np.asarray(mu.mass), np.asarray(nu.mass), arc**p) ** (1 / p)
    assert_allclose(af.wasserstein(mu, nu, p=p, metric="geodesic"), exact, rtol=1e-9)


def test_rotation_of_the_uniform_circle_costs_nothing_and_of_a_dirac_its_angle():
    fine = af.polygon(64)
    turned = af.polygon(64, phase=np.pi / 64)
    assert_allclose(af.wasserstein(fine, turned, metric="geodesic"), np.pi / 64, rtol=1e-9)
    one, other = (af.Particles([[np.cos(s), np.sin(s)]]) for s in (0.3, 2.0))
    assert_allclose(af.wasserstein(one, other, metric="geodesic"), 1.7, rtol=1e-9)
    assert_allclose(af.wasserstein(one, other), 2 * np.sin(0.85), rtol=1e-14)


@pytest.mark.parametrize("p", [1, 2])
def test_line_equals_the_linear_programme(p, rng):
    mu, nu = weighted(rng.normal(size=(9, 1)), rng), weighted(rng.normal(size=(14, 1)), rng)
    exact = ot.emd2(np.asarray(mu.mass), np.asarray(nu.mass), cdist(mu.x, nu.x) ** p) ** (1 / p)
    assert_allclose(af.wasserstein(mu, nu, p=p), exact, rtol=1e-12)


def test_assignment_equals_the_linear_programme(rng):
    x, y = rng.normal(size=(20, 3)), rng.normal(size=(20, 3))
    exact = ot.emd2(np.full(20, 0.05), np.full(20, 0.05), cdist(x, y) ** 2) ** 0.5
    assert_allclose(af.wasserstein(af.Particles(x), af.Particles(y)), exact, rtol=1e-12)


def test_sphere_geodesic_is_longer_than_the_chord(rng):
    mu, nu = (
        weighted(np.asarray(af.uniform_sphere(10, 3, seed=1).x), rng),
        weighted(np.asarray(af.uniform_sphere(12, 3, seed=2).x), rng),
    )
    chord, arc = af.wasserstein(mu, nu), af.wasserstein(mu, nu, metric="geodesic")
    assert chord < arc < np.pi / 2 * chord


def test_shift_and_symmetry(rng):
    mu = weighted(rng.normal(size=(11, 4)), rng)
    moved = af.Particles(mu.x + np.array([3.0, 4, 0, 0]), mu.mass)
    assert_allclose(af.wasserstein(mu, moved), 5.0, rtol=1e-12)
    assert_allclose(af.wasserstein(moved, mu), 5.0, rtol=1e-12)
    # The root of round-off in a cost of zero.
    assert_allclose(af.wasserstein(mu, mu), 0, atol=1e-7)


def test_gaussians_on_the_line_differ_by_means_and_deviations():
    g, h = af.Gaussian([1.0], [[4.0]]), af.Gaussian([-2.0], [[9.0]])
    assert_allclose(af.wasserstein(g, h), np.sqrt(3.0**2 + 1.0**2), rtol=1e-13)


def test_quantile_tokens_approach_the_bures_distance():
    mu, nu = af.quantile_nodes(4000, "normal"), af.quantile_nodes(4000, "normal", loc=0.5, scale=2.0)
    exact = af.wasserstein(af.Gaussian([0.0], [[1.0]]), af.Gaussian([0.5], [[4.0]]))
    # Midpoint quantiles of unbounded tails: error of order 1/n.
    assert_allclose(af.wasserstein(mu, nu), exact, rtol=1e-3)


@pytest.mark.parametrize(
    ("options", "words"),
    [({"p": 0.5}, "p must be"), ({"metric": "taxi"}, "metric must be"), ({"metric": "geodesic"}, "unit sphere")],
)
def test_bad_distances_are_refused(options, words):
    mu = af.Particles([[2.0, 0.0], [0.0, 1.0]])
    with pytest.raises(ValueError, match=words):
        af.wasserstein(mu, mu, **options)


def test_hull_of_a_square_a_segment_and_a_point():
    corners = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
    square = af.hull(np.concatenate([corners, [[0.5, 0.5], [0.2, 0.7]]]))
    assert sorted(square.indices) == [0, 1, 2, 3] and square.dimension == 2
    assert_allclose(square.volume, 1)
    segment = af.hull([[0.0, 0, 0], [1, 1, 1], [0.5, 0.5, 0.5]])
    assert segment.dimension == 1 and sorted(segment.indices) == [0, 1]
    assert_allclose(segment.volume, np.sqrt(3))
    assert af.hull(np.ones((4, 3))).dimension == 0
    assert sorted(map(sorted, square.faces.tolist())) == [[0, 1], [0, 3], [1, 2], [2, 3]]
    assert segment.faces.tolist() == [[0, 1]]
    thin = [[0.0, 0], [1, 1e-11], [2, 0]]
    assert af.hull(thin).dimension == 2 and af.hull(thin, tol=1e-10).dimension == 1
    assert af.hull(af.Particles(corners)).volume == af.hull(corners).volume
    tilted = af.hull(np.column_stack([corners, corners.sum(axis=1)]))
    assert tilted.dimension == 2
    assert_allclose(tilted.volume, np.sqrt(3))


def test_inclusion_in_a_hull():
    simplex = np.asarray(af.simplex(3).x)
    inside, outside = simplex.mean(axis=0), 1.01 * simplex[0]
    assert af.in_hull([inside, simplex[1], outside], simplex).tolist() == [True, True, False]
    assert_allclose(af.hull_distances([[3.0, 0.5]], [[0, 0], [1, 0], [1, 1], [0, 1]]), [2.0], atol=1e-9)


def test_cosines_against_brute_force(rng):
    mu = weighted(rng.normal(size=(50, 4)), rng)
    u = np.asarray(mu.x) / np.linalg.norm(mu.x, axis=1, keepdims=True)
    i, j = np.triu_indices(50, 1)
    c, w = np.sum(u[i] * u[j], axis=1), np.asarray(mu.mass)[i] * np.asarray(mu.mass)[j]
    w = w / w.sum()
    found = af.cosines(mu, deltas=(0.5, 1e-3))
    assert_allclose([found.mean, found.least, found.most], [w @ c, c.min(), c.max()], rtol=1e-12)
    assert_allclose(found.fraction_above(0.5), w @ (c > 0.5), rtol=1e-12)
    order = np.argsort(c)
    median = c[order][np.searchsorted(np.cumsum(w[order]), 0.5)]
    # Quantiles are exact to one of 65536 cells of [−1, 1].
    assert_allclose(found.quantile(0.5), median, atol=2 / 2**16)
    assert_allclose(found.histogram(8)[0], np.histogram(c, 8, (-1, 1), weights=w)[0], atol=1e-12)
    with pytest.raises(ValueError, match="was not counted"):
        found.fraction_above(0.1)


def test_cosines_in_tiles(monkeypatch):
    from attnflow.engine.observe import cosines as module

    mu = af.uniform_sphere(40, 3, seed=1)
    whole = af.cosines(mu)
    monkeypatch.setattr(module, "TILE_PAIRS", 300)
    assert_allclose(af.cosines(mu).counts, whole.counts, atol=1e-15)


def test_equiangular_tokens_have_one_cosine():
    found = af.cosines(af.equiangular(8, 8, cos=0.3))
    assert_allclose([found.mean, found.least, found.most, float(found.quantile(0.1))], 0.3, rtol=1e-12)


def test_rank_and_its_gap(rng):
    P = rng.normal(size=(12, 3)) @ rng.normal(size=(3, 12))
    found = af.matrix_rank(P)
    assert found.rank == 3 == np.linalg.matrix_rank(P) and found.gap > 1e10
    assert af.matrix_rank(np.diag([1.0, 1e-3, 1e-6]), tol=1e-4).rank == 2
    with pytest.raises(ValueError, match="between 0 and 1"):
        af.matrix_rank(P, tol=2.0)


RULES = [af.Softmax(beta=5.0), af.Causal(af.Softmax(beta=5.0)), af.Sigmoid(beta=2.0), af.Sinkhorn(eps=0.3)]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
@pytest.mark.broad(2)
def test_listening_in_tiles_equals_that_of_the_matrix(rule, monkeypatch):
    from attnflow.engine.observe import matrix as module

    monkeypatch.setattr(module, "SINGLE_BLOCK", 1)
    monkeypatch.setattr(module, "TILE_PAIRS", 600)
    mu = af.uniform_sphere(30, 3, seed=6)
    flow = af.Flow(af.Sphere(), rule)
    tiled = af.listening(flow, mu)
    P = np.asarray(af.attention_matrix(flow, mu))
    P = P / P.sum(axis=1, keepdims=True)
    whole = rows_listening(P)
    logs = np.log(np.where(P > 0, P, 1))
    assert_allclose(tiled.entropy, -np.sum(P * logs, axis=1), atol=1e-12)
    assert_allclose(tiled.n_eff, 1 / np.sum(P**2, axis=1), rtol=1e-12)
    assert_allclose(tiled.self_weight, np.diag(P), rtol=1e-12)
    top = np.sort(P, axis=1)
    assert_allclose(tiled.gap, top[:, -1] - top[:, -2], atol=1e-13)
    assert_allclose(whole.perplexity, tiled.perplexity, rtol=1e-12)


@pytest.mark.parametrize(("beta", "expected"), [(10.0, 728), (100.0, 226)])
def test_uniform_tokens_hear_as_many_as_predicted(beta, expected):
    n = 4000
    assert_allclose(uniform_n_eff(n, 2, beta=10.0), n * i0(10.0) ** 2 / i0(20.0), rtol=1e-12)
    assert round(uniform_n_eff(n, 2, beta=beta)) == expected
    seen = af.resolution(af.Flow(af.Sphere(), af.Softmax(beta=beta)), af.polygon(400))
    # A regular polygon integrates the kernel exactly.
    assert_allclose(seen.n_eff, uniform_n_eff(400, 2, beta=beta), rtol=1e-9)
    assert not seen.warnings and seen.crowding < 0.1


def test_too_few_tokens_are_told():
    seen = af.resolution(af.Flow(af.Sphere(), af.Softmax(beta=200.0)), af.uniform_sphere(30, 3, seed=1))
    assert seen.n_eff < 10 and "too few tokens" in seen.warnings[0]
    assert_allclose(seen.crowding, 200 / 30)
