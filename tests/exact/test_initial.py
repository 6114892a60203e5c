"""First prompts against their exact laws."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

import attnflow as af
from attnflow.engine.measures.initial import laws
from attnflow.engine.measures.initial.laws import _half_heights
from attnflow.engine.measures.initial.shapes import rotation


def gram(mu):
    x = np.asarray(mu.x)
    return x @ x.T


def sphere_moments(x):
    """Standardised first moments and standardised Σ over coordinates of the second: N(0, 1) for uniform tokens."""
    n, d = x.shape
    first = x.sum(axis=0) / np.sqrt(n / d)
    spread = np.sqrt(2 * (d - 1) / (d**2 * (d + 2)) / n)
    return first, (np.mean(x**2, axis=0) - 1 / d) / spread


@pytest.mark.parametrize("sampling", ["iid", "sobol"])
@pytest.mark.parametrize("d", [2, 3, 8])
def test_uniform_tokens_on_the_sphere_have_its_moments(d, sampling):
    x = np.asarray(af.uniform_sphere(4096, d, seed=3, sampling=sampling).x)
    assert_allclose(np.linalg.norm(x, axis=1), 1, rtol=1e-14)
    first, second = sphere_moments(x)
    # Five standard deviations of the sample moments: passed by chance in all but 1e-6 of the seeds.
    assert np.abs(np.concatenate([first, second])).max() < 5


def test_uniform_ball_has_radii_of_its_volume():
    mu = af.uniform_ball(4000, 3, radius=2.0, centre=(1.0, 0.0, -1.0), seed=5)
    r = np.linalg.norm(np.asarray(mu.x) - np.array([1.0, 0.0, -1.0]), axis=1)
    # A Kolmogorov–Smirnov level no law of the right kind fails by chance (1e-4).
    assert stats.kstest((r / 2) ** 3, "uniform").pvalue > 1e-4


def test_uniform_cube_fills_its_box():
    x = np.asarray(af.uniform_cube(4000, 2, low=(-5.0, 0.0), high=(5.0, 1.0), seed=2).x)
    for column, low, width in zip(x.T, (-5, 0), (10, 1)):
        # Same level as above.
        assert stats.kstest((column - low) / width, "uniform").pvalue > 1e-4


def test_matched_gaussian_has_exactly_its_moments():
    mean, cov = np.array([0.4, -0.7]), np.array([[0.9, -0.2], [-0.2, 0.5]])
    mu = af.gaussian_tokens(512, 2, mean=mean, cov=cov, sampling="sobol", antithetic=True, matched=True, seed=1)
    x = np.asarray(mu.x)
    assert_allclose(x.mean(axis=0), mean, atol=1e-14)
    assert_allclose(np.cov(x.T, bias=True), cov, atol=1e-13)
    assert_allclose(np.mean((x - mean) ** 3, axis=0), 0, atol=1e-13)


def test_gaussian_may_be_singular():
    x = np.asarray(af.gaussian_tokens(50, 2, cov=[[1.0, 1.0], [1.0, 1.0]]).x)
    assert_allclose(x[:, 0], x[:, 1], atol=1e-12)


def test_stratified_mixture_has_exact_counts_and_its_mean_and_variance():
    mu = af.mixture(5000, weights=[0.5, 0.5], means=[-2.0, 2.0], covs=[1.0, 1.0], stratified=True, seed=4)
    x = np.asarray(mu.x)[:, 0]
    assert np.all(x[:2500].mean() < 0) and np.all(x[2500:].mean() > 0)
    # Five standard deviations: of the mean of 5000 unit normals, and of the variance of the mixture (5, kurtosis 40−25).
    assert abs(x.mean()) < 5 / np.sqrt(5000)
    assert abs(x.var() - 5) < 5 * np.sqrt(18 / 5000)


@pytest.mark.parametrize("d", [2, 3, 4, 12])
def test_caps_are_uniform_in_height(d):
    eps = 0.3
    s = 2 * _half_heights(np.random.default_rng(0), 4000, d, eps / 2)
    assert s.min() >= 0 and s.max() <= eps
    law = stats.beta((d - 1) / 2, (d - 1) / 2)
    # The level of the tests above; the law of (1 − cos)/2 is a Beta law cut at eps/2.
    assert stats.kstest(law.cdf(s / 2) / law.cdf(eps / 2), "uniform").pvalue > 1e-4


def test_caps_in_high_dimension_lie_in_their_caps():
    d, eps = 1024, 4 * np.log(1024) / 1024
    mu = af.caps(60, d, centres=3, eps=eps, seed=7)
    centres = laws._centres(3, d, 7)
    cos = np.asarray(mu.x) @ centres.T
    assert np.all(cos[np.arange(60), np.arange(60) // 20] >= 1 - eps - 1e-12)


def test_caps_by_angle_and_by_eps_agree():
    a = af.caps(10, 3, centres=[[0, 0, 1.0]], angle=0.5, seed=1)
    b = af.caps(10, 3, centres=[[0, 0, 2.0]], eps=1 - np.cos(0.5), seed=1)
    assert_allclose(a.x, b.x, atol=1e-14)


def test_polygon_simplex_and_cross_polytope_have_their_cosines():
    assert_allclose(np.asarray(af.polygon(5).x)[:, 0], np.cos(2 * np.pi * np.arange(5) / 5), atol=1e-15)
    for d in (1, 2, 5, 40):
        assert_allclose(gram(af.simplex(d)), np.eye(d + 1) * (1 + 1 / d) - 1 / d, atol=1e-14)
    assert sorted(set(np.round(gram(af.cross_polytope(4)).ravel(), 12))) == [-1, 0, 1]


def test_icosahedron_and_600_cell_have_their_few_cosines():
    golden = (1 + np.sqrt(5)) / 2
    ico, cell = gram(af.icosahedron()), gram(af.cell_600())
    assert_allclose(np.unique(np.round(ico, 10)), np.round([-1, -1 / np.sqrt(5), 1 / np.sqrt(5), 1], 10))
    expected = sorted({s * v for s in (1, -1) for v in (1.0, golden / 2, 0.5, (golden - 1) / 2, 0.0)})
    assert cell.shape == (120, 120)
    assert_allclose(np.unique(np.round(cell, 10)) + 0.0, np.unique(np.round(expected, 10)) + 0.0, atol=1e-9)


@pytest.mark.parametrize(
    ("n", "d", "cos"), [(5, 5, 0.0), (5, 8, 0.3), (32, 32, 0.999), (5, 4, -0.25), (2, 2, -0.7), (6, 1, 1.0)]
)
@pytest.mark.parametrize("seed", [None, 3])
def test_equiangular_gram_is_exact(n, d, cos, seed):
    G = gram(af.equiangular(n, d, cos=cos, seed=seed))
    assert_allclose(G, (1 - cos) * np.eye(n) + cos, atol=1e-14)


def test_rotation_is_orthogonal():
    R = rotation(6, seed=2)
    assert_allclose(R @ R.T, np.eye(6), atol=1e-14)


def test_quantile_nodes_are_the_quantiles():
    assert_allclose(np.asarray(af.quantile_nodes(3, "normal").x)[:, 0], stats.norm.ppf([1 / 6, 1 / 2, 5 / 6]))
    by_function = af.quantile_nodes(8, lambda u: u**2)
    assert_allclose(np.asarray(by_function.x)[:, 0], ((np.arange(8) + 0.5) / 8) ** 2)
    circle = np.asarray(af.quantile_nodes(8, "uniform", circle=True).x)
    assert_allclose(circle, np.asarray(af.polygon(8, phase=np.pi / 8).x), atol=1e-14)
    tilted = np.asarray(af.quantile_nodes(400, "vonmises", circle=True, kappa=1.0).x)
    from scipy.special import iv

    # Midpoint quantiles of a smooth law have an error of order 1/n².
    assert_allclose(tilted.mean(axis=0), [iv(1, 1) / iv(0, 1), 0], atol=1e-5)


def test_quadrature_on_the_line_is_exact_for_smooth_densities():
    mu = af.quadrature_nodes(stats.norm.pdf, 200, low=-9.0, high=9.0)
    x, m = np.asarray(mu.x)[:, 0], np.asarray(mu.mass)
    assert_allclose([m @ x**k for k in (1, 2, 4, 6)], [0, 1, 3, 15], atol=1e-12)


def test_quadrature_in_the_plane_has_the_moments():
    law = stats.multivariate_normal([0.3, -0.2], [[1.0, 0.4], [0.4, 0.7]])
    mu = af.quadrature_nodes(law.pdf, 80, low=(-9.0, -9.0), high=(9.0, 9.0))
    x, m = np.asarray(mu.x), np.asarray(mu.mass)
    assert_allclose(m @ x, [0.3, -0.2], atol=1e-12)
    assert_allclose((m[:, None] * x).T @ x - np.outer(m @ x, m @ x), [[1.0, 0.4], [0.4, 0.7]], atol=1e-11)


def test_circle_nodes_are_exact_below_their_number():
    n = 16
    x = np.asarray(af.circle_nodes(n).x)
    z = x[:, 0] + 1j * x[:, 1]
    assert_allclose([np.mean(z**k) for k in range(1, n)], 0, atol=1e-14)
    mu = af.circle_nodes(32, density=lambda s: 1 + 0.5 * np.cos(s))
    assert_allclose(np.asarray(mu.mass) @ np.asarray(mu.x), [0.25, 0], atol=1e-14)


def test_sphere_nodes_are_exact_for_polynomials():
    mu = af.sphere_nodes(6, 12)
    x, m = np.asarray(mu.x), np.asarray(mu.mass)
    # ∫ x^a y^b z^c over the sphere, for even exponents, by Gamma functions.
    from scipy.special import gamma

    for a, b, c in [(2, 0, 0), (0, 4, 0), (2, 2, 2), (4, 4, 2), (0, 0, 10), (6, 2, 2)]:
        halves = [gamma((k + 1) / 2) for k in (a, b, c)]
        exact = 2 * np.prod(halves) / gamma((a + b + c + 3) / 2) / (4 * np.pi)
        assert_allclose(m @ (x[:, 0] ** a * x[:, 1] ** b * x[:, 2] ** c), exact, rtol=1e-12)
    for a, b, c in [(1, 0, 0), (3, 2, 4), (1, 1, 1), (0, 5, 2)]:
        assert_allclose(m @ (x[:, 0] ** a * x[:, 1] ** b * x[:, 2] ** c), 0, atol=1e-15)


def test_gauss_hermite_integrates_polynomials_of_a_gaussian():
    g = af.Gaussian([0.4, -0.7], [[0.9, -0.2], [-0.2, 0.5]])
    nodes = af.gauss_hermite(g, order=6)
    x, m = np.asarray(nodes.x), np.asarray(nodes.mass)
    y = x - np.asarray(g.mean)
    assert_allclose(m @ x, g.mean, atol=1e-13)
    assert_allclose((m[:, None] * y).T @ y, g.cov, atol=1e-13)
    assert_allclose(m @ (y[:, 0] ** 2 * y[:, 1] ** 2), 0.9 * 0.5 + 2 * 0.2**2, rtol=1e-12)


def test_seeds_reproduce_and_differ():
    a, b, c = (np.asarray(af.uniform_sphere(5, 3, seed=s).x) for s in (1, 1, 2))
    assert np.array_equal(a, b) and not np.allclose(a, c)
