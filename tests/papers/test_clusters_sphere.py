"""Numbers of the sphere theorems and the equiangular reduction: closed forms against quadrature and direct layers."""

import itertools

import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

import attnflow as af
from attnflow.papers.karagodin2024 import hunts
from attnflow.theory.sphere import causal_centres as causal
from attnflow.theory.sphere import equiangular, long_context
from attnflow.theory.sphere import sharp_configurations as sharp_configurations
from attnflow.theory.sphere import uniform_law as modes
from attnflow.theory.sphere.hemisphere import best_direction, wendel

PHASE = {
    2: (3.8002, 4.2711, 5.1633, 10.8312),
    8: (4.4932, 4.7068, 5.1519, 8.3654),
    32: (5.1863, 5.2703, 5.4584, 6.9535),
    64: (5.5328, 5.5833, 5.6994, 6.6558),
    128: (5.8794, 5.9090, 5.9787, 6.5695),
}
"""t* at β = 0, 1, 2, 4, printed to four digits."""


@pytest.mark.parametrize("n", PHASE)
def test_phase_curve(n):
    assert_allclose(equiangular.phase_time([0, 1, 2, 4], n=n), PHASE[n], atol=6e-5)  # the table has four decimals


def test_phase_curve_of_unnormalised_attention():
    assert_allclose(equiangular.phase_time([1, 2, 4], n=32, model="USA"), (2.89705, 1.88042, 1.13077), atol=6e-6)


@pytest.mark.parametrize("model", ["SA", "USA"])
@pytest.mark.parametrize(("n", "beta", "rho0"), [(2, 0.5, 0.0), (32, 9.0, 0.0), (467, 1.0, 0.2), (5, 4.0, -0.2)])
def test_closed_clock_is_the_quadrature(model, n, beta, rho0):
    arguments = {"n": n, "beta": beta, "rho0": rho0, "model": model}
    assert_allclose(
        equiangular.time_to(0.999, **arguments), equiangular.time_by_quadrature(0.999, **arguments), rtol=1e-10
    )


def test_times_of_the_frontier_table():
    reached = [equiangular.time_to(r, n=n, beta=b) for n, b in ((32, 1), (32, 9), (467, 1)) for r in (0.9, 0.999)]
    assert_allclose(
        reached, (2.915566, 5.270284, 176.3590, 178.7309, 4.182216, 6.536978), rtol=1e-6
    )  # seven digits given


def test_cosine_inverts_the_clock():
    t = np.array([0.0, 0.5, 2.0, 6.0])
    kuramoto = (np.exp(2 * t) - 1) / (np.exp(2 * t) + 31)
    assert_allclose(equiangular.cosine(t, n=32, beta=0.0), kuramoto, rtol=1e-10, atol=1e-14)
    rho = equiangular.cosine(0.7, n=8, beta=2.0, model="USA")
    assert_allclose(equiangular.time_to(float(rho), n=8, beta=2.0, model="USA"), 0.7, rtol=1e-10)


def test_layer_counts_of_the_authors_map():
    counts = [equiangular.layers_to(0.999, n=32, beta=b, eta=0.1) for b in (0, 1, 2, 4)]
    assert counts == [55, 56, 58, 75]


def test_layer_map_is_a_direct_layer():
    n, rho, beta, eta = 7, 0.3, 1.7, 0.4
    x = np.linalg.cholesky((1 - rho) * np.eye(n) + rho)
    P = np.exp(beta * x @ x.T)
    P /= P.sum(axis=1, keepdims=True)
    moved = x + eta * P @ x
    moved /= np.linalg.norm(moved, axis=1, keepdims=True)
    assert_allclose(moved[0] @ moved[3], equiangular.layer(rho, n=n, beta=beta, eta=eta), rtol=1e-13)
    along, size = equiangular.output(rho, n=n, beta=beta)
    assert_allclose((x[0] @ (P @ x)[0], np.linalg.norm((P @ x)[0])), (along, size), rtol=1e-13)


def test_equiangular_run_follows_the_clock():
    n, beta = 8, 2.0
    run = af.evolve(af.Flow(af.Sphere(), af.Softmax(beta=beta)), af.Particles(np.eye(n)), until=4.0, save=5, tol=1e-10)
    cosines = np.einsum("kd,kd->k", run.x[:, 0], run.x[:, 5])
    assert_allclose(cosines, equiangular.cosine(np.asarray(run.ts), n=n, beta=beta), atol=1e-9)


def test_wendel():
    assert_allclose([wendel(32, d) for d in (3, 8, 16)], (2.3143e-7, 0.0016634, 0.5), rtol=3e-5)  # five digits given
    assert wendel(5, 5) == 1.0


def test_hemisphere_of_a_cone_and_of_a_frame():
    cone = np.array([[1.0, 0.3], [1.0, -0.8], [0.2, 1.0]])
    w, depth = best_direction(cone / np.linalg.norm(cone, axis=1, keepdims=True))
    assert depth > 0 and (cone @ w > 0).all()
    assert best_direction(sharp_configurations.corners(af.simplex, 3))[1] <= 1e-12


LONG = {
    10: (0.97199, 0.86578, 0.82766, 0.78801, 0.55226),
    100: (0.99329, 0.87297, 0.80280, 0.72899, 0.50502),
    1e4: (0.99990, 0.92503, 0.80003, 0.66157, 0.50005),
    1e6: (1.00000, 0.96126, 0.80000, 0.61021, 0.50000),
}


@pytest.mark.parametrize("n", LONG)
def test_long_context_table(n):
    values = [long_context.cosine_after(0.5, n=n, gamma=2 * g) for g in (0.5, 0.9, 1, 1.1, 2)]
    assert_allclose(values, LONG[n], atol=6e-6)  # five decimals given


def test_long_context_limits():
    assert_allclose(long_context.cosine_after(0.5, n=1e9, gamma=2.2), 0.5590, atol=5e-5)  # four digits given
    critical = [long_context.limit_cosine(r, gamma=1 / (1 - r)) for r in (0.2, 0.5, 0.8)]
    assert_allclose(critical, (0.5, 0.8, 16 / 17), rtol=1e-12)
    at_hundred_million = [long_context.cosine_after(r, n=1e8, gamma=1 / (1 - r)) for r in (0.2, 0.5, 0.8)]
    assert_allclose(at_hundred_million, critical, atol=2e-8)  # finite n, error of order 1/n
    orthogonal = [long_context.cosine_after(0.0, n=1e30, gamma=g) for g in (0.3, 0.5, 0.7, 1.0, 1.5)]
    limits = [long_context.limit_cosine(0.0, gamma=g) for g in (0.3, 0.5, 0.7, 1.0, 1.5)]
    assert_allclose(orthogonal, limits, atol=1e-11)  # n^{-0.4} away
    with pytest.raises(ValueError, match="0 <= rho < 1"):
        long_context.limit_cosine(-0.3, gamma=0.7)
    with pytest.raises(ValueError, match="common cosines"):
        long_context.cosine_after(-0.3, n=10, gamma=0.7)
    assert long_context.limit_cosine(0.5, gamma=1.9) == 1.0 and long_context.limit_cosine(0.5, gamma=2.1) == 0.5


def test_growth_of_modes():
    assert_allclose([modes.growth(2, beta=2), modes.growth(3, beta=4)], (0.604451, 0.664389), atol=6e-7)
    assert_allclose(modes.growth(3, beta=4, model="USA"), 7.508871, atol=6e-7)
    assert [modes.fastest(b) for b in (1, 2, 4, 5, 7, 9, 20, 50, 100, 500, 1000)] == [
        1,
        2,
        3,
        3,
        4,
        4,
        6,
        10,
        14,
        32,
        45,
    ]


@pytest.mark.parametrize(("model", "beta", "k"), [("SA", 2.0, 2), ("SA", 4.0, 3), ("USA", 4.0, 3)])
def test_growth_of_modes_is_the_linearised_field(model, beta, k):
    n, eps = 1500, 1e-6
    angle = 2 * np.pi * np.arange(n) / n
    bent = angle + eps * np.sin(k * angle)
    rule = af.Softmax(beta=beta) if model == "SA" else af.Unnormalised(beta=beta)
    x = np.stack([np.cos(bent), np.sin(bent)], axis=1)
    v = np.asarray(af.velocity(af.Flow(af.Sphere(), rule), af.Particles(x)))
    turning = v[:, 1] * x[:, 0] - v[:, 0] * x[:, 1]
    measured = 2 * np.mean(turning * np.sin(k * angle)) / eps
    assert_allclose(measured, modes.growth(k, beta=beta, model=model), rtol=1e-7)


def test_noise_thresholds():
    assert_allclose([modes.critical_kappa(b) for b in (1, 2, 4)], (1.769413, 1.257358, 0.409859), atol=6e-7)
    assert_allclose(modes.critical_kappa(0), 2.0, rtol=1e-14)
    assert_allclose([modes.kuramoto_order(k) for k in (3, 4, 8)], (0.724159, 0.831462, 0.930152), atol=6e-7)
    assert modes.kuramoto_order(2) == 0


@pytest.mark.slow
def test_causal_tokens_follow_the_first():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(4, 3))
    flow = af.Flow(af.Sphere(), af.Causal(af.Softmax(beta=2.0)))
    run = af.evolve(flow, af.Particles(x), until=24.0, save=[18.0, 22.0, 24.0], tol=1e-12)
    apart = np.linalg.norm(run.x - run.x[:, :1], axis=-1)
    slopes = np.log(apart[1, 1:] / apart[0, 1:]) / 4
    assert_allclose(slopes[0], -causal.approach_rate(2), atol=1e-3)  # a finite-time slope
    assert_allclose(run.x[-1, 0], x[0] / np.linalg.norm(x[0]), atol=1e-12)


def test_captured_by_frozen_tokens():
    assert min(causal.capture_margins(n=1, weights=[1, 1], beta=11, eps=0.09, c=5.68)) > 0
    arguments = {"weights": [1, 1], "beta": 11, "eps": 0.09}
    for start in (0.3, 1.2, 1.57, 2.9):
        assert hunts.left_uncaptured([start], [0.0, np.pi], until=1e6, **arguments) < 1
    # Two frozen tokens too near each other hold a free one between them: the conditions fail, and so does the capture.
    assert min(causal.capture_margins(n=1, weights=[1, 1], beta=11, eps=0.09, c=1.5)) < 0
    near = [-0.22, 0.22]
    assert hunts.left_uncaptured([0.01], near, until=1e4, **arguments) > 1


def test_causal_tokens_that_stay_away_are_seen():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(3, 3))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    assert hunts.away_from_first(x, beta=1.0, B=rng.normal(size=(3, 3))) < 1
    assert hunts.away_from_first(x[:2], beta=1.0, V=-1.0) > 1  # repelled tokens are not in the theorem


def test_causal_rate_with_masses():
    mass, beta, V = np.array([3.0, 1.0, 6.0, 0.5]), 2.0, 1.5
    heard = np.tril(np.ones((4, 4)))

    def field(t, theta):
        gaps = theta[:, None] - theta[None]
        P = heard * mass * np.exp(beta * (np.cos(gaps) - 1))
        return -V * (P * np.sin(gaps)).sum(axis=1) / P.sum(axis=1)

    end = solve_ivp(field, (0, 16), [0.0, 1.0, -0.7, 0.4], t_eval=[12, 16], rtol=1e-10, atol=1e-14, method="DOP853").y
    fitted = np.log(np.abs(end[1:, 0]).max() / np.abs(end[1:, 1]).max()) / 4
    assert_allclose(fitted, V * causal.slowest_rate(mass), rtol=1e-3)  # the next rate is not far away
    assert causal.slowest_rate(np.ones(5)) == 0.5
    flow = af.Flow(af.Sphere(), af.Causal(af.Softmax(beta=beta)), V=V)
    said = {p.claim: p.numbers for p in af.predict(flow, af.Particles(np.eye(4), mass))}
    assert_allclose(said["karagodin2024.theorem4.1"]["rate"], V * 0.4, rtol=1e-12)


def test_nothing_is_said_of_clusters_on_two_points():
    said = {p.claim for p in af.predict(af.Flow(af.Sphere(), af.Softmax()), af.Particles([[1.0], [-1.0], [1.0]]))}
    assert not any(key.startswith("geshkovski2024.theorem") for key in said) and not any(
        key.startswith("burger2025") for key in said
    )


def test_caps_of_more_than_the_sphere():
    x = np.array([[1.0, 0.0], [-1.0, 0.0], [-0.9, np.sqrt(0.19)]])
    assert list(causal.renyi_centres(x, 4.0)) == [0] and causal.cap_share(4.0, 3) == 1.0  # β = 1: 4/√β is beyond π


def test_strong_renyi_centres():
    assert_allclose(causal.strong_centres(0.5, 3), 1 / np.sin(0.25) ** 2, rtol=1e-12)
    assert_allclose(causal.strong_centres(0.2, 2, n=3000), np.pi / 0.2, rtol=1e-12)
    rng = np.random.default_rng(0)
    points = rng.normal(size=(400, 600, 3))
    points /= np.linalg.norm(points, axis=-1, keepdims=True)
    counts = [len(causal.renyi_centres(x, 0.5, is_strong=True)) for x in points]
    sure = 4 * np.std(counts) / np.sqrt(len(counts))
    assert abs(np.mean(counts) - causal.strong_centres(0.5, 3, n=600)) < sure  # four standard errors


@pytest.mark.parametrize("beta", [0.5, 3.0])
def test_sharp_configurations_minimise(beta):
    rng = np.random.default_rng(1)
    for x in (
        sharp_configurations.corners(af.simplex, 3),
        sharp_configurations.corners(af.cross_polytope, 3),
        sharp_configurations.corners(af.icosahedron),
    ):
        assert sharp_configurations.is_sharp(x)
        near = x + 0.1 * rng.normal(size=(20, *x.shape))
        near /= np.linalg.norm(near, axis=-1, keepdims=True)
        assert all(sharp_configurations.energy(y, beta) >= sharp_configurations.energy(x, beta) for y in near)


def test_the_600_cell_minimises_but_is_not_sharp():
    cell = sharp_configurations.corners(af.cell_600)
    assert cell.shape == (120, 4) and sharp_configurations.design_strength(cell) == 11
    assert not sharp_configurations.is_sharp(cell)


def test_energy_grows_by_the_mean_square_speed():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(6, 3))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    beta, h = 1.5, 1e-5

    def energy(y):
        return np.exp(beta * y @ y.T).mean() / (2 * beta)

    for rule, weigh in ((af.Unnormalised(beta=beta), False), (af.Softmax(beta=beta), True)):
        v = np.asarray(af.velocity(af.Flow(af.Sphere(), rule), af.Particles(x)))
        Z = np.exp(beta * x @ x.T).mean(axis=1) if weigh else np.ones(6)
        ahead = [y / np.linalg.norm(y, axis=1, keepdims=True) for y in (x + h * v, x - h * v)]
        slope = (energy(ahead[0]) - energy(ahead[1])) / (2 * h)
        assert_allclose(slope, np.mean(Z * (v**2).sum(axis=1)), rtol=1e-6)  # central difference


def test_normalisation_schemes_from_an_orthonormal_start():
    n, beta = 32, 2.0
    mu = af.Particles(np.eye(n))
    expected = {af.PostLN: 0.0520982, af.PreLN: 0.0520982, af.PeriLN: 0.2161712, af.NGPT: 0.2161712}
    for scheme, speed in expected.items():
        v = np.asarray(af.velocity(af.Flow(af.Sphere(), af.Softmax(beta=beta), normalisation=scheme()), mu))
        v = v - np.diag(np.diag(v))
        assert_allclose(v[0, 1] + v[1, 0], speed, atol=6e-8)


def test_hardmax_certificates_need_no_jax():
    from attnflow.theory.limits.hardmax_certificate import rows

    square = np.array(list(itertools.product((-1.0, 1.0), repeat=2)))
    found = rows(square, np.eye(2), log_scale=5.0)
    assert (found.leader == np.arange(4)).all() and not found.is_tied.any()
    assert jnp.isfinite(found.smallest)
