"""Mean-field equation for densities on the circle and on S²: growth rates, limits, agreement with tokens."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import ive, sph_harm_y

import attnflow as af
from attnflow.densities import evaluate, half_mass
from attnflow.evolution.density import density_velocity
from attnflow.harmonics import grid_of
from attnflow.low_temperature.phases import funk_hecke, mode_rate

THETA = 2 * np.pi * np.arange(128) / 128
MODES = [0.157467774, 0.119726449, 0.000472202, 0.000212261]


def wavy():
    return af.Density(1 + 0.3 * np.cos(THETA) + 0.2 * np.sin(2 * THETA))


def softmax(beta=20.0, **more):
    B = more.pop("B", 1.0)
    return af.Flow(af.Sphere(), af.Softmax(B=B, beta=beta), **more)


@pytest.mark.parametrize("summation", ["fast", pytest.param("exact", marks=pytest.mark.slow)])
def test_modes_of_the_specification(summation):
    run = af.evolve(softmax(), wavy(), until=1.0, save=2, tol=1e-12, summation=summation)
    assert_allclose(np.abs(run.last.coefficients())[[1, 2, 3, 5]], MODES, atol=1e-9)
    assert abs(float(run.last.mass) - 1) < 1e-13
    assert float(run.last.values.min()) > 0


@pytest.mark.slow
def test_finer_grid_and_quantile_tokens_agree():
    theta = 2 * np.pi * np.arange(256) / 256
    fine = af.Density(1 + 0.3 * np.cos(theta) + 0.2 * np.sin(2 * theta))
    c = af.evolve(softmax(), fine, until=1.0, save=2, tol=1e-12).last.coefficients()
    tokens = af.evolve(softmax(), af.quantile_tokens(wavy(), 1000), until=1.0, save=2, tol=1e-12).last
    z = np.asarray(tokens.x) @ np.array([1, 1j])
    for l, expected in zip((1, 2, 3, 5), MODES):
        assert abs(abs(c[l]) - expected) < 1e-9
        # Quantile tokens of a smooth density are a quadrature of second order, better here by symmetry.
        assert abs(np.mean(z ** (-l)) - c[l]) < 2e-6


@pytest.mark.parametrize("beta, l, growth", [(5, 3, 0.68267833), (20, 6, 0.72010543), (50, 2, 0.07683216)])
def test_growth_rates_on_the_circle(beta, l, growth):
    start = af.Density(1 + 1e-6 * np.cos(l * THETA))
    run = af.evolve(softmax(float(beta)), start, until=1.0, save=2, tol=1e-13)
    measured = np.log(abs(run.last.coefficients()[l]) / 5e-7)
    assert_allclose(measured, growth, atol=1e-8)
    assert_allclose(mode_rate(l, beta), l**2 * ive(l, beta) / (beta * ive(0, beta)), rtol=1e-13)
    assert_allclose(measured, mode_rate(l, beta), atol=1e-8)


def rate_of(flow, rho):
    """The exact time derivative of every coefficient, without stepping."""
    from attnflow.summation.convolution import convolution_of

    grid = rho.grid
    v = density_velocity(flow, rho)
    assert_allclose(v, flow.field(af.quadrature_tokens(rho), jnp.asarray(0.0), convolution_of(flow, grid)), atol=1e-13)
    return np.asarray(-grid.divergence(rho.values.reshape(-1)[:, None] * v))


@pytest.mark.parametrize("gamma", [1.0, -1.0])
def test_unnormalised_growth_rate(gamma):
    l, beta, eps = 3, 5.0, 1e-7
    flow = af.Flow(af.Sphere(), af.Unnormalised(beta=beta), V=gamma)
    rate = rate_of(flow, af.Density(1 + eps * np.cos(l * THETA)))[l].real / (eps / 2)
    # e^β of round-off over the amplitude.
    assert_allclose(rate, mode_rate(l, beta, gamma=gamma, is_normalised=False), rtol=1e-6)
    assert_allclose(rate, gamma * l**2 * np.exp(beta) * ive(l, beta) / beta, rtol=1e-6)


@pytest.mark.parametrize("is_normalised", [True, False])
def test_growth_rates_on_the_sphere(is_normalised):
    beta, eps = 5.0, 1e-7
    rule = af.Softmax(beta=beta) if is_normalised else af.Unnormalised(beta=beta)
    rho = af.density_from(lambda x: 1 + eps * (5 * x[:, 2] ** 3 - 3 * x[:, 2]) / 2, size=16, d=3)
    rate = rate_of(af.Flow(af.Sphere(), rule), rho)[0, 3].real / rho.coefficients()[0, 3].real
    # Round-off over the amplitude.
    assert_allclose(rate, mode_rate(3, beta, d=3, is_normalised=is_normalised), rtol=1e-6)


def test_funk_hecke_numbers():
    assert_allclose(np.exp(5) * funk_hecke([0, 1, 3], 5.0, 3), [14.84064212, 11.87386128, 4.15753594], atol=1e-8)


@pytest.mark.parametrize("is_normalised", [True, False])
def test_heat_and_porous_medium_limits(is_normalised):
    """The rate tends to −Δρ/β (softmax), −½Δρ² for the constant (1/β)∫e^{β⟨x,y⟩}dσ (unnormalised), with error 1/β."""
    theta = 2 * np.pi * np.arange(512) / 512
    rho = af.Density(1 + 0.3 * np.cos(theta) + 0.2 * np.sin(2 * theta))
    l = np.asarray(rho.grid.degree)
    misses = []
    for beta in (50.0, 100.0, 200.0):
        rule = af.Softmax(beta=beta)
        limit = l**2 * np.asarray(rho.grid.analyse(rho.values)) / beta
        if not is_normalised:
            z = np.exp(beta) * ive(0, beta) / beta
            rule = af.Unnormalised(beta=beta, scale=1 / z)
            limit = l**2 / 2 * np.asarray(rho.grid.analyse(rho.values**2))
        flow = af.Flow(af.Sphere(), rule)
        rate = np.asarray(-rho.grid.divergence(rho.values[:, None] * density_velocity(flow, rho)))
        misses.append(np.abs(rate - limit).max() / np.abs(limit).max())
    assert_allclose(np.log2(np.array(misses[:-1]) / misses[1:]), 1, atol=0.06)  # first order, next term 1/β


@pytest.mark.slow
def test_general_matrices_agree_with_tokens():
    B, V = np.array([[1.0, 0.3], [-0.2, 0.8]]), np.array([[0.5, -0.4], [0.6, 0.1]])
    flow = softmax(6.0, V=V, B=B)
    nodes = af.quadrature_tokens(wavy())
    assert_allclose(density_velocity(flow, wavy()), af.velocity(flow, nodes), atol=1e-13)
    run = af.evolve(flow, wavy(), until=0.5, save=2, tol=1e-11)
    tokens = af.evolve(flow, nodes, until=0.5, save=2, tol=1e-11).last
    z = np.asarray(tokens.x) @ np.array([1, 1j])
    c = run.last.coefficients()
    for l in (1, 2, 3):
        assert_allclose(np.sum(np.asarray(tokens.mass) * z ** (-l)), c[l], atol=1e-8)


@pytest.mark.parametrize("rule", [af.Sinkhorn(eps=0.3), pytest.param(af.Sigmoid(beta=2.0), marks=pytest.mark.slow)])
def test_other_rules_move_densities(rule):
    flow, rho, h = af.Flow(af.Sphere(), rule, V=-1.0), wavy(), 1e-3
    run = af.evolve(flow, rho, until=h, save=2, method="rk4", step=h)
    tokens = af.quadrature_tokens(rho)
    drift = np.asarray(tokens.mass) @ np.asarray(af.velocity(flow, tokens))
    change = (run.last.coefficients()[1] - rho.coefficients()[1]) / h
    assert_allclose(drift, [change.real, -change.imag], atol=h)  # a difference quotient


def test_noise_is_diffusion():
    sigma = 0.6
    flow = af.Flow(af.Sphere(), af.Softmax(beta=2.0), V=0.0, noise=sigma)
    c = af.evolve(flow, wavy(), until=1.0, save=2, tol=1e-11).last.coefficients()
    decay = np.exp(-(sigma**2) / 2 * np.array([1, 4]))
    assert_allclose(np.abs(c[1:3]), [0.15, 0.1] * decay, atol=1e-9)


@pytest.mark.slow
def test_density_on_the_sphere_agrees_with_tokens_on_the_sphere(rng):
    rho = af.density_from(lambda x: np.exp(0.8 * x @ [0.5, -0.3, 0.9]), size=24, d=3)
    V = rng.normal(size=(3, 3)) / 4
    flow = softmax(4.0, V=V)
    tokens = af.quadrature_tokens(rho)
    v = density_velocity(flow, rho)
    assert_allclose(v, af.velocity(flow, tokens), atol=1e-11)
    run = af.evolve(flow, rho, until=0.4, save=2, tol=1e-10)
    assert run.status == af.Status.DONE, run.notes
    moved = af.evolve(flow, tokens, until=0.4, save=2, tol=1e-10).last
    end = run.last
    mean = np.asarray(end.values.reshape(-1) * end.grid.weights) @ np.asarray(end.x)
    assert_allclose(np.asarray(moved.mass) @ np.asarray(moved.x), mean, atol=1e-6)  # modes kept: 15
    assert abs(float(end.mass) - 1) < 1e-13


def test_harmonics_are_those_of_scipy():
    grid = grid_of((12, 24), jnp.float64)
    x = np.asarray(grid.nodes)
    polar, azimuth = np.arccos(x[:, 2]), np.arctan2(x[:, 1], x[:, 0])
    for l, o in ((0, 0), (3, 2), (7, 5), (7, 0)):
        y = np.sqrt(4 * np.pi) * sph_harm_y(l, o, polar, azimuth)
        c = np.asarray(grid.analyse(jnp.asarray(y.real)))
        expected = np.zeros_like(c)
        expected[o, l] = (-1) ** o * (1 if o == 0 else 0.5)
        assert_allclose(c, expected, atol=1e-13)
        assert_allclose(grid.synthesise(jnp.asarray(c)), y.real, atol=1e-12)


def test_divergence_of_a_gradient_is_the_laplacian():
    grid = grid_of((12, 24), jnp.float64)
    x = np.asarray(grid.nodes)
    # f = xyz has degree 3; its tangential gradient by hand.
    gradient = np.stack([x[:, 1] * x[:, 2], x[:, 0] * x[:, 2], x[:, 0] * x[:, 1]], axis=1)
    tangent = gradient - np.sum(gradient * x, axis=1, keepdims=True) * x
    laplacian = grid.synthesise(grid.divergence(jnp.asarray(tangent)))
    assert_allclose(laplacian, -12 * np.prod(x, axis=1), atol=1e-12)


def test_tokens_and_back():
    rho = wavy()
    tokens = af.quantile_tokens(rho, 4000)
    z = np.asarray(tokens.x) @ np.array([1, 1j])
    assert_allclose(np.mean(1 / z), rho.coefficients()[1], atol=1e-6)  # quantiles: second order in 1/n
    draws = af.random_tokens(rho, 40_000, seed=3)
    drawn = np.mean(1 / (np.asarray(draws.x) @ np.array([1, 1j])))
    assert abs(drawn - rho.coefficients()[1]) < 4 / np.sqrt(40_000)  # four standard errors
    back = af.smoothed(tokens, size=128, kappa=2000.0)
    assert_allclose(back.values, rho.values, atol=1e-3)  # a kernel of width κ^{-1/2} blurs by 1/(2κ)


def test_draws_on_the_sphere():
    rho = af.density_from(lambda x: 1 + 0.8 * x[:, 2], size=12, d=3)
    draws = np.asarray(af.random_tokens(rho, 40_000, seed=3).x)
    assert_allclose(draws.mean(axis=0), [0, 0, 0.8 / 3], atol=4 / np.sqrt(40_000))  # four standard errors
    assert_allclose(evaluate(rho, draws[:50]), 1 + 0.8 * draws[:50, 2], atol=1e-12)


def test_half_masses_are_exact():
    rho = af.density_from(lambda x: 1 + 0.8 * x[:, 2], size=12, d=3)
    assert_allclose(half_mass(rho, [0, 0, 1.0]), 0.5 + 0.8 / 4, atol=1e-13)
    circle = af.Density(1 + 0.5 * np.cos(THETA - 1))
    assert_allclose(half_mass(circle, [np.cos(1.0), np.sin(1.0)]), 0.5 + 0.5 / np.pi, atol=1e-13)
    limit = af.LowTemperatureLimit(np.diag([1.0, 0]))
    assert_allclose(limit.masses(circle), [0.5 + 0.5 * np.cos(1) / np.pi, 0.5 - 0.5 * np.cos(1) / np.pi], atol=1e-13)


def test_a_run_stops_honestly_when_modes_saturate():
    run = af.evolve(softmax(20.0), wavy(), until=50.0, save=11)
    assert run.status == af.Status.UNRESOLVED
    assert 1 < float(run.status.time) < 50
    assert "structure below the grid" in run.notes[-1]


def test_forward_heat_relaxes():
    run = af.evolve(softmax(20.0, V=-1.0), wavy(), until=60.0, save=2, tol=1e-9)
    assert run.status == af.Status.DONE
    rates = [mode_rate(1, 20.0), mode_rate(2, 20.0)]
    c = np.abs(run.last.coefficients())
    assert c[1] < 0.2 * np.exp(-rates[0] * 60) and c[2] < 0.2 * np.exp(-rates[1] * 60)


def test_beta_zero_moves_everything_to_the_mean():
    flow = softmax(0.0)
    v = density_velocity(flow, wavy())
    assert_allclose(v, af.velocity(flow, af.quadrature_tokens(wavy())), atol=1e-14)


@pytest.mark.parametrize(
    "values", [np.cos(THETA), np.zeros(64), np.ones(3), np.full(64, np.nan), np.ones((4, 4, 4)), np.ones((12, 8))]
)
def test_bad_densities_are_refused(values):
    with pytest.raises(ValueError):
        af.Density(values)


def test_unfit_runs_are_refused():
    with pytest.raises(ValueError, match="Sphere"):
        af.evolve(af.Flow(af.Euclidean(), af.Softmax()), wavy())
    rough = af.Density(1.0 + (THETA < 1))
    with pytest.raises(ValueError, match="not resolved"):
        af.evolve(softmax(), rough)
    with pytest.raises(ValueError, match="fast"):
        af.evolve(softmax(B=np.eye(2)), wavy(), summation="fast")


def test_velocity_can_be_compiled():
    flow, rho = softmax(), wavy()
    assert_allclose(jax.jit(lambda r: af.velocity(flow, r))(rho), af.velocity(flow, rho), atol=1e-14)
