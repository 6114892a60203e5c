"""Golden numbers of Gaussian self-transport and of its recursions."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attnflow.theory.heat import gaussian_transport as closed
from attnflow.theory.heat.mixture import GaussianMixture


def orders(errors):
    return np.log2(np.abs(np.divide(errors[:-1], errors[1:])))


@pytest.mark.parametrize(("steps", "expected"), [(10, 1.9993394637211), (20, 2.9991244662384), (50, 5.9989121159352)])
def test_heat_variance(steps, expected):
    assert_allclose(closed.heat_variance(1.0, 0.1, steps), expected, atol=1e-12)
    S = np.eye(1)
    for _ in range(steps):
        S = closed.heat_step(S, 0.1)
    assert_allclose(S[0, 0], expected, atol=1e-12)


def test_heat_variance_error_is_second_order_and_predicted():
    assert_allclose(closed.heat_variance(1.0, 0.1, 10) - 2, -6.6054e-4, atol=5e-9)  # five printed digits
    assert_allclose(closed.heat_variance_error(1.0, 0.1, 1.0), -6.6016e-4, atol=5e-9)
    errors = [closed.heat_variance(1.0, 1 / k, k) - 2 for k in (10, 20, 40, 80)]
    assert np.all(np.abs(orders(errors) - 2) < 0.1)


def test_euler_variance_is_first_order():
    errors = [closed.euler_variance(1.0, 1 / k, k) - 2 for k in (20, 40, 80, 160)]
    assert np.all(np.abs(orders(errors) - 1) < 0.1)
    assert_allclose(errors[-1], np.log(2) / 4 / 160, rtol=0.01)  # leading term of an expansion in ε


def test_reverse_variance_is_first_order():
    errors = [closed.reverse_variance(1.0, eps, round(0.5 / eps)) - 0.5 for eps in (0.1, 0.05, 0.025)]
    assert_allclose(errors, [3.067e-2, 1.625e-2, 8.383e-3], rtol=1e-3)  # four printed digits


@pytest.mark.parametrize("lam", [4.0, 0.25])
def test_ornstein_uhlenbeck_orders(lam):
    exact = closed.ou_variance(lam, 1.0)
    counts = (10, 20, 40) if lam > 1 else (20, 40, 80)
    surrogate = np.array([closed.ou_surrogate_variance(lam, 1 / k, k) - exact for k in counts])
    strang = np.array([closed.ou_strang_variance(lam, 1 / k, k) - exact for k in counts])
    if lam == 4:
        assert_allclose(surrogate, [-1.972e-2, -9.863e-3, -4.931e-3], rtol=1e-3)  # four printed digits
        assert_allclose(strang, [-3.815e-4, -9.50e-5, -2.37e-5], rtol=5e-3)
    assert np.all(np.abs(orders(surrogate) - 1) < 0.1)
    assert np.all(np.abs(orders(strang) - 2) < 0.1)
    assert closed.ou_surrogate_variance(1.0, 0.1, 5) == 1


@pytest.mark.parametrize(
    ("eps", "expected"),
    [
        (0.1, {1: 0.9091, 3: 0.8340, 5: 0.7721, 21: 0.5457, 201: 0.4875}),
        (0.01, {1: 0.9901, 3: 0.9804, 5: 0.9709, 21: 0.9012, 201: 0.5654}),
    ],
)
def test_diffusion_factor_falls_from_softmax_to_sinkhorn(eps, expected):
    for iterations, factor in expected.items():
        # four printed digits
        assert_allclose(closed.diffusion_factor(1.0, eps, iterations=iterations), factor, atol=1e-4)


def test_truncated_slopes_of_the_dot_product_start():
    slopes = [closed.truncated_matrix([[1.0]], 1.0, 0.7, iterations=k)[0, 0] for k in (1, 3, 5, 7, 9)]
    assert_allclose(slopes, [1.4285714, 0.8548480, 0.7445186, 0.7182504, 0.7116961], atol=1e-6)  # printed digits
    limit = closed.truncated_matrix([[1.0]], 1.0, 0.7, iterations=201)[0, 0]
    assert_allclose(limit, np.sqrt(1 + 0.35**2) - 0.35, atol=1e-12)


def test_langevin_divergence_is_fourth_order():
    assert_allclose(closed.langevin_divergence(0.05), 8.2456e-8, rtol=1e-4)  # five printed digits
    u = 0.1
    r1, r2 = np.exp(-u), closed.correlation(u)
    direct = (1 - r1 * r2) / (1 - r2**2) + (1 - r1 * r2) / (1 - r1**2) - 2
    assert_allclose(closed.langevin_divergence(u), direct, atol=1e-14)
    assert_allclose(closed.langevin_divergence(1e-3) / 1e-12, 1 / 72, rtol=1e-2)  # leading term


def test_one_step_distance_corrects_the_printed_rate():
    assert_allclose(closed.euler_bridge_distance(1.0, 0.1), 1.249220e-3, atol=5e-10)  # seven printed digits
    rates = orders([closed.euler_bridge_distance(1.0, eps) for eps in (0.1, 0.05, 0.025)])
    assert np.all(np.abs(rates - 2) < 0.01)
    euler, bridge = closed.euler_variance(1.0, 0.1, 1), closed.heat_variance(1.0, 0.1, 1)
    assert_allclose(abs(np.sqrt(euler) - np.sqrt(bridge)), closed.euler_bridge_distance(1.0, 0.1), atol=1e-15)


def test_the_papers_own_kernel_halves_the_temperature():
    assert_allclose(closed.heat_variance(1.0, 0.05, 50), 3.49977, atol=5e-6)  # six printed digits


def test_printed_transpose_of_sinkformers_prop_4_is_wrong():
    """Softmax of −|Qx−Ky|²/(2ε) on a Gaussian: the field has Kᵀ⁻¹, not K⁻¹."""
    rng = np.random.default_rng(0)
    Q, S = rng.normal(size=(2, 2)) + 2 * np.eye(2), np.array([[1.0, 0.6], [0.6, 0.8]])
    K = np.linalg.inv(Q.T) @ np.array([[1.0, 0.2], [0.2, 0.7]])
    V, inverse = -Q.T @ K, np.linalg.inv(S)

    def error(eps, transposed):
        heard = np.linalg.solve(inverse + K.T @ K / eps, K.T @ Q / eps)
        field = (V @ heard + Q.T @ Q) / eps
        K_inverse = np.linalg.inv(K)
        limit = Q.T @ (K_inverse.T if transposed else K_inverse) @ inverse @ K_inverse @ Q
        return np.abs(field - limit).max()

    assert_allclose(error(1e-5, True), error(1e-4, True) / 10, rtol=0.05)  # first order in ε
    assert error(1e-5, False) > 10 * error(1e-4, True)


def test_mixture_moments_score_and_characteristics():
    M = GaussianMixture([0.3, 0.7], [[-1.0], [2.0]], [0.5, 1.5])
    x = np.linspace(-6, 8, 29)
    h = 1e-5
    slope = (M.log_density(x + h) - M.log_density(x - h)) / (2 * h)
    assert_allclose(M.score(x)[:, 0], slope, atol=1e-8)
    assert_allclose(np.exp(M.log_cdf(x)) + np.exp(M.log_survival(x)), 1, atol=1e-14)
    y = M.characteristic(x, 0.7)
    assert_allclose(np.exp(M.heat(0.7).log_cdf(y)), np.exp(M.log_cdf(x)), atol=1e-14)
    assert_allclose(
        M.characteristic(np.array([0.3]), 1e-4) - 0.3, -0.5e-4 * M.score([0.3])[0], rtol=1e-3
    )  # first order
    assert_allclose(np.exp(M.log_cdf(M.quantiles([0.1, 0.5, 0.9]))), [0.1, 0.5, 0.9], atol=1e-14)
    sample = M.sample(20_000, seed=1, stratified=True)
    assert_allclose([sample.mean(), sample.var()], [M.mean()[0], M.cov()[0, 0]], rtol=0.05)  # sampling error
