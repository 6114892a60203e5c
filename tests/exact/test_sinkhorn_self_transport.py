"""The self-transport solver against closed forms, exact identities, POT and its own certificates."""

import itertools

import numpy as np
import ot
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.distance import cdist

import attnflow as af
from attnflow.theory.heat import epsilon_conventions as conventions
from attnflow.theory.heat import gaussian_transport as closed
from attnflow.theory.heat.cloud_resolution import resolution, warnings_of
from attnflow.theory.heat.entropy import attention_energy, fisher_information, free_energy, negative_entropy
from attnflow.theory.heat.mixture import PAPER_MIXTURE as M
from attnflow.theory.heat.self_transport import self_transport
from attnflow.theory.heat.swaps import swap_plan


def line(density, eps, *, half_width=9.0, ratio=0.35, widest=0.05):
    """Nodes on the line with spacing at most ratio·√ε."""
    n = int(np.ceil(2 * half_width / min(widest, ratio * np.sqrt(eps)))) + 1
    mu = af.quadrature_nodes(density, n, low=-half_width, high=half_width)
    return np.asarray(mu.x), np.asarray(mu.mass)


def normal(x):
    return np.exp(-(x**2) / 2)


def weighted_cloud(rng, n=300, d=2):
    return rng.normal(size=(n, d)), rng.random(n) + 0.05


@pytest.mark.parametrize("eps", [0.01, 0.1, 1.0, 10.0])
def test_gaussian_on_the_line(eps):
    x, mass = line(normal, eps)
    s = self_transport(x, eps, mass=mass, tol=1e-14)
    inner = np.abs(s.x[:, 0]) < 4
    r = closed.correlation(eps / 2)
    assert_allclose(s.bary[inner, 0], r * s.x[inner, 0], atol=1e-13)
    assert_allclose(s.f[inner], closed.potential(s.x[inner, 0], 1.0, eps), atol=2e-13 * max(1, eps))
    assert_allclose(s.value, closed.value([[1.0]], eps), atol=1e-13 * max(1, eps))
    assert_allclose(s.mass @ s.moments.cost, (1 - r) / (eps / 2), atol=1e-12)
    variance = s.moments.second[:, 0, 0] - (s.bary[:, 0] - s.moments.centre[0]) ** 2
    assert_allclose(variance[inner], eps * r, atol=1e-12)
    assert_allclose(s.fold_margin, 2 - r, atol=5e-3)  # nodes at the end of the grid see one side only
    expected = -0.5 * np.log(1 - r**2)
    assert_allclose(closed.mutual_information([[1.0]], eps), expected, rtol=1e-10)


def test_the_convention_of_eps():
    x, mass = line(normal, 0.1)
    s = self_transport(x, 0.1, mass=mass, tol=1e-14)
    i = np.argmin(np.abs(s.x[:, 0] - 1))
    assert_allclose(s.bary[i, 0] / s.x[i, 0], 0.9512492197250393, atol=1e-12)
    assert_allclose(s.value, 0.16637899442813, atol=1e-13)
    reg = conventions.pot_reg(0.1)
    plan = ot.sinkhorn(mass, mass, cdist(x, x, "sqeuclidean"), reg, method="sinkhorn", stopThr=1e-12, numItermax=20000)
    assert_allclose((plan @ x)[i] / plan.sum(axis=1)[i] / x[i], 0.9512492197250393, atol=1e-9)
    wrong = ot.sinkhorn(mass, mass, cdist(x, x, "sqeuclidean"), 0.1, method="sinkhorn", stopThr=1e-12, numItermax=20000)
    assert_allclose((wrong @ x)[i] / wrong.sum(axis=1)[i] / x[i], closed.correlation(0.025), atol=1e-8)
    assert conventions.geomloss_blur(0.25) == 0.5 and conventions.ott_epsilon(0.1) == 0.2
    assert conventions.geomloss_reg(0.1) == 0.2 and conventions.beta(0.1) == 10


def test_gaussian_in_the_plane():
    S, eps = np.array([[1.0, 0.6], [0.6, 0.8]]), 0.3
    assert_allclose(
        closed.bary_matrix(S, eps), [[0.78213978, 0.14560042], [0.14560042, 0.73360630]], atol=5e-9
    )  # eight printed digits
    inverse = np.linalg.inv(S)
    mu = af.quadrature_nodes(
        lambda p: np.exp(-0.5 * np.einsum("ni,ij,nj->n", p, inverse, p)), 57, low=[-5.5, -5.5], high=[5.5, 5.5]
    )
    s = self_transport(mu, eps, tol=1e-13)
    inner = np.einsum("ni,ij,nj->n", s.x, inverse, s.x) < 9
    # The grid ends at 5.5 standard deviations.
    assert_allclose(s.bary[inner], s.x[inner] @ closed.bary_matrix(S, eps), atol=1e-6)
    assert_allclose(s.value, closed.value(S, eps), atol=1e-5)


def test_any_score_closed_form():
    S, B = [[1.0, 0.6], [0.6, 0.8]], [[1.2, 0.5], [-0.7, 0.9]]
    expected = [[0.83766551, -0.22695800], [0.48926853, 0.25265084]]
    assert_allclose(closed.doubly_stochastic_matrix(S, B, 0.8), expected, atol=5e-9)  # eight printed digits
    assert_allclose(closed.doubly_stochastic_matrix(S, 1.0, 0.3), closed.bary_matrix(S, 0.3), atol=1e-12)


def test_exact_identities_with_any_masses(rng):
    x, mass = weighted_cloud(rng)
    eps = 0.2
    s = self_transport(x, eps, mass=mass, tol=1e-14)
    m, T, P = s.mass, 2 * s.x - s.bary, s.matrix()
    spread = m @ (P * cdist(x, x, "sqeuclidean")).sum(axis=1)
    assert_allclose(m @ T, m @ s.x, atol=1e-12)
    square = lambda a: m @ np.sum(a**2, axis=1)  # noqa: E731
    assert_allclose(square(T) - square(s.x), spread + square(s.x - s.bary), atol=1e-12)
    assert_allclose(s.mass @ s.moments.cost * eps, spread, atol=1e-12)
    plan = m[:, None] * P
    primal = np.sum(plan * cdist(x, x, "sqeuclidean")) / 2 + eps * np.sum(plan * np.log(plan / np.outer(m, m)))
    assert_allclose(s.value, primal, atol=1e-12)
    assert_allclose(plan, plan.T, atol=1e-14)
    root = np.sqrt(m)
    spectrum = np.linalg.eigvalsh(root[:, None] * P / root)
    assert spectrum.min() > -1e-12 and spectrum.max() < 1 + 1e-12
    assert_allclose(np.exp(s.moments.entropy), np.exp(-np.sum(P * np.log(P), axis=1)), rtol=1e-10)
    assert_allclose(s.moments.self_weight, np.diag(P), rtol=1e-12)
    cov = np.einsum("ij,jk,jl->ikl", P, x, x) - s.bary[:, :, None] * s.bary[:, None, :]
    assert_allclose(s.fold_margin, 2 - np.linalg.eigvalsh(cov).max() / eps, atol=1e-10)
    c = s.certificates
    assert max(c.error, c.column_error, abs(c.gap), c.mean_drift, abs(c.moment_residual)) < 1e-13


def test_value_and_plan_are_those_of_pot(rng):
    x, mass = weighted_cloud(rng, n=60)
    mass = mass / mass.sum()
    plan = ot.sinkhorn(mass, mass, cdist(x, x, "sqeuclidean") / 2, 0.3, method="sinkhorn_log", stopThr=1e-13)
    s = self_transport(x, 0.3, mass=mass, tol=1e-13)
    assert_allclose(s.mass[:, None] * s.matrix(), plan, atol=1e-12)


CLOUDS = {
    "two tight clusters": lambda rng: (
        np.repeat([[0.0, 0.0], [1.0, 0.0]], 50, 0) + 1e-3 * rng.normal(size=(100, 2)),
        None,
    ),
    "duplicates": lambda rng: (np.repeat(rng.normal(size=(20, 2)), 5, axis=0), None),
    "Cauchy tails": lambda rng: (rng.standard_cauchy(size=(100, 2)), None),
    "masses over six decades": lambda rng: (rng.normal(size=(100, 2)), 10 ** rng.uniform(-6, 0, 100)),
    "64 dimensions": lambda rng: (rng.normal(size=(100, 64)), None),
    "sphere": lambda rng: ((lambda g: g / np.linalg.norm(g, axis=1, keepdims=True))(rng.normal(size=(100, 3))), None),
}


@pytest.mark.parametrize("name", CLOUDS)
@pytest.mark.parametrize("eps", [10, 1, 0.1, 0.01, 0.001])
def test_iterations_do_not_depend_on_eps_or_data(rng, name, eps):
    x, mass = CLOUDS[name](rng)
    assert self_transport(x, eps, mass=mass, tol=1e-10).certificates.iterations <= 22
    assert self_transport(x, eps, mass=mass, tol=1e-10, omega=0.5).certificates.iterations <= 31


def test_a_frozen_plan_takes_one_iteration(rng):
    s = self_transport(rng.normal(size=(100, 64)), 1e-3)
    assert s.certificates.iterations == 1
    assert_allclose(s.bary, s.x, atol=1e-14)


@pytest.mark.parametrize("eps", [1.0, 0.1, 0.01])
def test_at_most_twelve_iterations_at_a_marginal_error_of_a_millionth(rng, eps):
    x = rng.normal(size=(1000, 2))
    s = self_transport(x, eps, tol=1e-6)
    assert s.certificates.iterations <= 12
    exact = self_transport(x, eps, tol=1e-13)
    assert np.abs(s.bary - exact.bary).max() < 1e-5  # the certificate bounds an L1 error of 1e-6


def test_backends_agree(rng):
    x = rng.normal(size=(1500, 2))
    dense, sparse, tiled = (self_transport(x, 0.01, backend=b, tol=1e-13) for b in ("dense", "sparse", "tiled"))
    assert_allclose(sparse.bary, dense.bary, atol=5e-12)
    assert_allclose(tiled.bary, dense.bary, atol=1e-14)
    assert sparse.pairs.stored < dense.pairs.stored / 4


def test_matches_the_attention_rule_and_a_matrix_B(rng):
    x, mass = weighted_cloud(rng, n=60)
    B = np.array([[1.0, 0.4], [0.4, 0.5]])
    s = self_transport(x, 0.4, mass=mass, B=B, tol=1e-13)
    heard = af.velocity(af.Flow(af.Euclidean(), af.Sinkhorn(B, eps=0.4)), af.Particles(x, mass))
    assert_allclose(s.bary, heard, atol=1e-12)
    assert_allclose(s.at(s.x), s.bary, atol=1e-12)


def test_implicit_derivative_of_the_value(rng):
    r"""d OT/dh = 2 Σ m (x − bary)·w along x + h w."""
    x, mass = weighted_cloud(rng, n=60)
    w = rng.normal(size=x.shape)
    value = lambda h: self_transport(x + h * w, 0.3, mass=mass, tol=1e-14).value  # noqa: E731
    h = 1e-3
    central = (8 * (value(h) - value(-h)) - (value(2 * h) - value(-2 * h))) / (12 * h)
    s = self_transport(x, 0.3, mass=mass, tol=1e-14)
    assert_allclose(2 * np.sum(s.mass[:, None] * (x - s.bary) * w), central, rtol=1e-8)


def test_entropy_and_fisher_information_of_the_mixture():
    assert_allclose(M.negative_entropy(), -2.051659, atol=1e-6)  # six printed digits
    assert_allclose(M.fisher_information() / 4, 0.181403, atol=1e-6)
    H, I = M.negative_entropy(), M.fisher_information()
    rest, fisher = [], []
    for eps in (0.4, 0.2, 0.1, 0.05):
        x, mass = line(M.density, eps, half_width=12.0)
        s = self_transport(x, eps, mass=mass, tol=1e-14)
        rest.append(s.value + eps * H + eps / 2 * np.log(2 * np.pi * eps) - eps**2 / 8 * I)
        fisher.append(fisher_information(s) - I)
        assert_allclose(free_energy(s), H / 2 - eps / 16 * I, atol=eps**3)
        assert_allclose(negative_entropy(s), H, atol=eps**2)
    assert np.all(np.log2(np.abs(np.divide(rest[:-1], rest[1:]))) > 3.7)
    assert np.all(np.abs(np.log2(np.abs(np.divide(fisher[:-1], fisher[1:]))) - 1) < 0.2)


def test_attention_energy_is_its_definition(rng):
    x, mass = weighted_cloud(rng, n=60)
    s = self_transport(x, 0.3, mass=mass, tol=1e-14)
    k = s.matrix() / s.mass
    log_k0 = x @ x.T / 0.3
    direct = -0.5 * s.mass @ (k * (np.log(k) - log_k0)) @ s.mass
    assert_allclose(attention_energy(s), direct, atol=1e-11)


def test_swaps_sample_the_permanent_and_not_the_sinkhorn_plan(rng):
    x, eps = rng.normal(size=(5, 1)), 0.5
    K = np.exp(-cdist(x, x, "sqeuclidean") / (2 * eps))
    weights = {s: np.prod(K[range(5), s]) for s in itertools.permutations(range(5))}
    exact = np.zeros((5, 5))
    for s, w in weights.items():
        exact[range(5), s] += w / sum(weights.values())
    sampled = swap_plan(x, eps, swaps=200_000, seed=1).matrix
    assert_allclose(sampled, exact, atol=0.02)  # Monte Carlo error of 200,000 correlated swaps
    assert np.abs(self_transport(x, eps).matrix() - exact).max() > 0.03


@pytest.mark.parametrize(
    ("n", "d", "eps", "self_weight", "perplexity"),
    [(1000, 2, 0.01, 0.18, 13), (1000, 2, 0.1, 0.02, 123), (1000, 5, 0.1, 0.78, 2.4), (1000, 10, 0.3, 0.99, 1.1)],
)
def test_resolution_of_gaussian_samples(rng, n, d, eps, self_weight, perplexity):
    seen = resolution(self_transport(rng.normal(size=(n, d)), eps))
    # One random draw; the calibration numbers are printed to two digits.
    assert_allclose(seen.self_weight, self_weight, rtol=0.15)
    assert_allclose(seen.perplexity, perplexity, rtol=0.15)
    is_open = any(note.startswith("heat flow not resolved") for note in warnings_of(seen))
    assert is_open == (self_weight > 0.2)


def test_wide_nodes_are_reported():
    x, mass = line(normal, 0.1, widest=0.9 * np.sqrt(0.1), ratio=0.9)
    notes = warnings_of(resolution(self_transport(x, 0.1, mass=mass), is_sampled=False))
    assert any("node spacing" in note for note in notes)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"eps": 0.0}, "eps must be"),
        ({"eps": float("nan")}, "eps must be"),
        ({"eps": 1.0, "B": -1.0}, "positive semidefinite"),
        ({"eps": 1.0, "B": [[1.0, 1.0], [0.0, 1.0]]}, "positive semidefinite"),
        ({"eps": 1.0, "omega": 1.0}, "omega must"),
        ({"eps": 1.0, "backend": "gpu"}, "backend must be"),
        ({"eps": 1.0, "tol": 0.0}, "tol must"),
    ],
)
def test_bad_input_is_one_clear_line(options, words):
    with pytest.raises(ValueError, match=words):
        self_transport(np.zeros((3, 2)), **options)


def test_coincident_points_are_fine():
    s = self_transport(np.zeros((3, 2)), 0.1)
    assert_allclose(s.bary, 0)
    assert_allclose(s.certificates.error, 0, atol=1e-15)
