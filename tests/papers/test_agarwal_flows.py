"""Bridge runs against exact flows: orders, surrogates, splitting, the sphere, scores and warnings."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import eval_legendre

import attnflow as af
from attnflow.theory.heat import gaussian_transport as closed
from attnflow.theory.heat.mixture import PAPER_MIXTURE as M
from attnflow.theory.heat.self_transport import self_transport
from attnflow.theory.heat.steps import Euler


def line(density, eps, *, ratio, half_width=9.0, widest=0.05):
    n = int(np.ceil(2 * half_width / min(widest, ratio * np.sqrt(eps)))) + 1
    return af.quadrature_nodes(density, n, low=-half_width, high=half_width)


def distance(run, k):
    """W2 of the label maps at saved state k to the exact heat flow of the mixture."""
    x0, x = np.asarray(run.x[0])[:, 0], np.asarray(run.x[k])[:, 0]
    return np.sqrt(np.asarray(run.mass) @ (M.characteristic(x0, float(run.ts[k])) - x) ** 2)


def variance(run, k=-1):
    x, m = np.asarray(run.x[k])[:, 0], np.asarray(run.mass)
    return m @ (x - m @ x) ** 2


def orders(errors):
    return np.log2(np.abs(np.divide(errors[:-1], errors[1:])))


EPS = (0.1, 0.05, 0.025, 0.0125)


def test_one_step_on_the_mixture():
    bridge, euler, score = [], [], []
    for eps in EPS:
        mu = line(M.density, eps, ratio=0.35)
        bridge.append(distance(af.bridge(mu, eps, steps=1, is_sampled=False, tol=1e-13), 1))
        euler.append(distance(af.bridge(mu, eps, steps=1, is_sampled=False, step=Euler(lambda x, t: M.score(x))), 1))
        s = self_transport(mu, eps, tol=1e-13)
        gap = (s.bary - s.x) / eps - M.score(s.x) / 2
        score.append(np.sqrt(s.mass @ np.sum(gap**2, axis=1)))
    # three printed digits
    assert_allclose(bridge, [8.76e-5, 1.32e-5, 1.87e-6, 2.55e-7], rtol=0.02)
    assert_allclose(euler, [1.88e-3, 4.82e-4, 1.22e-4, 3.07e-5], rtol=0.02)
    assert_allclose(score, [1.96e-2, 9.87e-3, 4.94e-3, 2.47e-3], rtol=0.02)
    assert np.all(orders(bridge) > 2.7) and np.all(np.abs(orders(euler) - 2) < 0.1)


def test_the_bridge_is_second_order_and_euler_first():
    bridge, euler = [], []
    for eps in (0.2, 0.1, 0.05):
        mu = line(M.density, eps, ratio=0.3)
        run = af.bridge(mu, eps, until=1.0, is_sampled=False, tol=1e-12)
        assert run.status == af.Status.DONE and run.notes == ()
        assert np.all(np.diff(run.series("free_energy")) < 0)
        bridge.append(max(distance(run, k) for k in range(len(run.ts))))
        run = af.bridge(mu, eps, until=1.0, is_sampled=False, step=Euler(lambda x, t: M.heat(t).score(x)))
        euler.append(max(distance(run, k) for k in range(len(run.ts))))
    # three and two printed digits
    assert_allclose(bridge[:2], [9.63e-4, 2.26e-4], rtol=0.02)
    assert_allclose(euler[:2], [2.1e-2, 1.05e-2], rtol=0.02)
    assert np.all(np.abs(orders(bridge) - 2) < 0.12) and np.all(np.abs(orders(euler) - 1) < 0.1)


def test_a_gaussian_of_nodes_follows_the_recursion():
    mu = af.quadrature_nodes(lambda x: np.exp(-(x**2) / 2), 181, low=-9.0, high=9.0)
    run = af.bridge(mu, 0.1, steps=20, save=10, is_sampled=False, tol=1e-14)
    assert_allclose([variance(run, 1), variance(run, 2)], [1.9993394637211, 2.9991244662384], atol=1e-11)
    assert_allclose(run.ts, [0, 1, 2])
    back = af.bridge(mu, 0.1, steps=5, step=af.Reverse(), is_sampled=False, tol=1e-14)
    assert_allclose(variance(back), closed.reverse_variance(1.0, 0.1, 5), atol=1e-11)
    assert any("ill-posed" in note for note in back.notes)


def test_a_partial_step_loses_second_order_and_says_so():
    mu = af.quadrature_nodes(lambda x: np.exp(-(x**2) / 2), 181, low=-9.0, high=9.0)
    run = af.bridge(mu, 0.1, steps=100, save=100, step=af.Heat(fraction=0.1), is_sampled=False)
    bias = variance(run) - 2
    assert_allclose(
        bias, -0.1 / 4 * np.log(2) + 0.01 / 4 * np.log(2), rtol=0.1
    )  # flow bias plus Euler error, leading terms
    assert any("first order" in note for note in run.notes)


def log_normal(x):
    return -0.5 * np.sum(np.asarray(x) ** 2, axis=1)


def test_surrogate_of_a_narrow_gaussian_is_the_closed_form():
    mu = af.quadrature_nodes(lambda x: np.exp(-2 * x**2), 334, low=-5.0, high=5.0)
    run = af.bridge(mu, 0.05, steps=1, step=af.fokker_planck(log_normal, theta=-1), is_sampled=False, tol=1e-15)
    factor = 2 - closed.correlation(0.05 * 0.75 / (2 * 0.25))
    inner = np.abs(run.x[0][:, 0]) < 2
    assert_allclose(run.x[1][inner, 0], factor * run.x[0][inner, 0], atol=1e-13)
    assert_allclose(variance(run), closed.ou_surrogate_variance(0.25, 0.05, 1), atol=1e-13)


def test_surrogate_of_a_wide_gaussian_needs_its_density():
    mu = af.quadrature_nodes(lambda x: np.exp(-(x**2) / 8), 301, low=-14.0, high=14.0)
    exact = lambda x, t: -(x[:, 0] ** 2) / (2 * closed.ou_variance(4.0, t))  # noqa: E731
    step = af.fokker_planck(log_normal, theta=1, log_rho=exact)
    known = af.bridge(mu, 0.1, steps=1, step=step, is_sampled=False, tol=1e-14)
    assert_allclose(variance(known), closed.ou_surrogate_variance(4.0, 0.1, 1), atol=1e-6)  # tails reweighted to 4/3
    errors = []
    for eps in (0.1, 0.05):
        run = af.bridge(mu, eps, until=0.5, step=af.fokker_planck(log_normal, theta=1), is_sampled=False)
        errors.append(variance(run) - closed.ou_variance(4.0, 0.5))
    assert_allclose(orders(errors), 1, atol=0.2)  # first order, estimated density


def test_strang_splitting_is_second_order():
    mu = af.quadrature_nodes(lambda x: np.exp(-(x**2) / 8), 301, low=-16.0, high=16.0)
    step = af.Strang(lambda x, s: np.exp(-s / 2) * x)
    for eps in (0.1, 0.05):
        run = af.bridge(mu, eps, until=1.0, step=step, save=100, is_sampled=False, tol=1e-13)
        assert_allclose(variance(run), closed.ou_strang_variance(4.0, eps, round(1 / eps)), atol=1e-10)


def test_heat_flow_of_the_circle():
    mu = af.circle_nodes(400, density=lambda th: np.exp(np.cos(th)))
    m, x0 = np.asarray(mu.mass), np.asarray(mu.x)
    errors = []
    for eps in (0.1, 0.05, 0.025):
        run = af.bridge(mu, eps, until=0.5, save=1000, space=af.Sphere(), is_sampled=False)
        assert_allclose(np.linalg.norm(run.x[-1], axis=1), 1, atol=1e-14)
        errors.append(m @ run.x[-1][:, 0] - np.exp(-0.25) * (m @ x0[:, 0]))
        second = m @ np.cos(2 * np.arctan2(run.x[-1][:, 1], run.x[-1][:, 0]))
        start = m @ np.cos(2 * np.arctan2(x0[:, 1], x0[:, 0]))
        assert_allclose(second, np.exp(-1.0) * start, atol=0.1 * eps)  # second-order scheme
    assert np.all((orders(errors) > 1.9) & (orders(errors) < 2.2))


@pytest.mark.slow
def test_heat_flow_of_the_sphere():
    mu = af.sphere_nodes(40, 48, density=lambda p: np.exp(p[:, 2]))
    m, x0 = np.asarray(mu.mass), np.asarray(mu.x)
    errors = []
    for eps in (0.1, 0.05, 0.025):
        run = af.bridge(mu, eps, until=0.2, save=1000, space=af.Sphere(), is_sampled=False)
        errors.append(m @ run.x[-1][:, 2] - np.exp(-0.2) * (m @ x0[:, 2]))
    assert np.all((orders(errors) > 1.9) & (orders(errors) < 2.2))
    degree_2 = m @ eval_legendre(2, run.x[-1][:, 2]) / (m @ eval_legendre(2, x0[:, 2]))
    assert_allclose(degree_2, np.exp(-0.6), rtol=1e-2)  # second-order scheme at eps = 0.025


def test_softmax_diffuses_twice_as_fast():
    for eps, sinkhorn, softmax in ((0.1, 0.4812, 0.8962), (0.01, 0.4981, 0.9887)):
        mu = line(M.density, eps, ratio=0.35)
        x, m = np.asarray(mu.x)[:, 0], np.asarray(mu.mass)
        score = M.score(x)[:, 0]
        slope = lambda bary: m @ (score * (bary - x)) / eps / (m @ score**2)  # noqa: E731, B023
        assert_allclose(slope(self_transport(mu, eps).bary[:, 0]), sinkhorn, atol=2e-4)  # four printed digits
        K = np.exp(-((x[:, None] - x) ** 2) / (2 * eps)) * m
        assert_allclose(slope(K @ x / K.sum(axis=1)), softmax, atol=2e-4)


def test_score_field_of_the_mixture_and_out_of_sample(rng):
    mu = line(M.density, 0.05, ratio=0.35)
    field = af.score_field(mu, 0.05, is_sampled=False)
    points = np.linspace(-5, 5, 40)[:, None]
    coarse = af.score_field(mu, 0.1, is_sampled=False)
    errors = [np.abs(f(points) - M.score(points)).max() for f in (coarse, field)]
    assert_allclose(orders(errors), 1, atol=0.1)  # first order in ε
    assert_allclose(field(field.transport.x), field.at_tokens, atol=1e-11)
    noisy = af.score_field(rng.normal(size=(200, 10)), 0.3)
    assert any(note.startswith("heat flow not resolved") for note in noisy.notes)


def test_quantile_nodes_and_histories():
    """Self-term bias at small ε, ε² bias at large ε."""
    x = M.quantiles((np.arange(500) + 0.5) / 500)[:, None]
    for eps, expected in ((0.05, 0.0034), (0.1, 0.0026), (0.2, 0.0061)):
        run = af.bridge(x, eps, until=1.0, save=1000)
        assert_allclose(distance(run, -1), expected, rtol=0.05)


def test_warnings_reach_the_trajectory(rng):
    run = af.bridge(rng.normal(size=(100, 20)), 0.1, steps=2)
    assert any("heat flow not resolved" in note for note in run.notes)
    assert run.flow.eps == 0.1 and run.x.shape == (3, 100, 20)
    assert run.series("self_weight").shape == (2,)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"eps": -1.0, "steps": 1}, "eps must be"),
        ({"eps": 0.3, "until": 1.0}, "whole number of steps"),
        ({"eps": 0.1}, "say how long"),
        ({"eps": 0.1, "steps": 0}, "positive integer"),
    ],
)
def test_bad_input_is_one_clear_line(options, words):
    with pytest.raises(ValueError, match=words):
        af.bridge(np.zeros((3, 1)), **options)
    with pytest.raises(ValueError, match="theta must"):
        af.fokker_planck(log_normal, theta=0)
