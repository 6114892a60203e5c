"""Mean-field equation for densities on the circle and on S²: growth rates, limits, agreement with tokens."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import ive, sph_harm_y

import attnflow as af
from attnflow.engine.flow.density_field import choose_for_density, density_rate, density_velocity
from attnflow.engine.measures.density import evaluate, half_mass
from attnflow.engine.special.funk_hecke import funk_hecke
from attnflow.engine.special.harmonics import grid_of
from attnflow.theory.sphere.uniform_law import growth

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
    # Quantiles of a smooth density are the trapezoidal rule of a periodic function: spectral, not of second order.
    tokens = af.evolve(softmax(), af.quantile_tokens(wavy(), 200), until=1.0, save=2, tol=1e-12).last
    z = np.asarray(tokens.x) @ np.array([1, 1j])
    for l, expected in zip((1, 2, 3, 5), MODES):
        assert abs(abs(c[l]) - expected) < 1e-9
        assert abs(np.mean(z ** (-l)) - c[l]) < 1e-12


@pytest.mark.slow
def test_three_thousand_quantile_tokens_agree():
    c = af.evolve(softmax(), wavy(), until=1.0, save=2, tol=1e-12).last.coefficients()
    mu = af.quantile_tokens(wavy(), 3000)
    z = np.asarray(af.evolve(softmax(), mu, until=1.0, save=2, tol=1e-12, summation="exact").last.x) @ np.array([1, 1j])
    assert_allclose([np.mean(z ** (-l)) for l in (1, 2, 3, 5)], c[[1, 2, 3, 5]], atol=1e-10)


@pytest.mark.slow
def test_independent_tokens_agree_at_the_rate_of_sampling():
    flow, rho, runs = softmax(5.0), wavy(), 24
    exact = af.evolve(flow, rho, until=0.5, save=2, tol=1e-9).last.coefficients()[[1, 2]]
    sizes, errors = np.array([50, 200, 800]), []
    for n in sizes:
        x = np.stack([np.asarray(af.random_tokens(rho, int(n), seed=seed).x) for seed in range(runs)])
        last = np.asarray(af.evolve(flow, af.Particles(x), until=0.5, save=2, tol=1e-6).last.x)
        modes = np.stack([np.mean((last @ np.array([1, 1j])) ** (-l), axis=-1) for l in (1, 2)], axis=-1)
        errors.append(np.sqrt(np.mean(np.abs(modes - exact) ** 2)))
    slope = np.polyfit(np.log(sizes), np.log(errors), 1)[0]
    # The root mean square of 48 complex errors has a relative spread of about 1/√96, over a factor of 16 in n.
    assert_allclose(slope, -0.5, atol=0.1)
    assert errors[-1] < 2 / np.sqrt(800)


@pytest.mark.parametrize("beta, l, known", [(5, 3, 0.68267833), (20, 6, 0.72010543), (50, 2, 0.07683216)])
@pytest.mark.broad(1)
def test_growth_rates_on_the_circle(beta, l, known):
    start = af.Density(1 + 1e-6 * np.cos(l * THETA))
    run = af.evolve(softmax(float(beta)), start, until=1.0, save=2, tol=1e-13)
    measured = np.log(abs(run.last.coefficients()[l]) / 5e-7)
    assert_allclose(measured, known, atol=1e-8)
    assert_allclose(growth(l, beta=beta), l**2 * ive(l, beta) / (beta * ive(0, beta)), rtol=1e-13)
    assert_allclose(measured, growth(l, beta=beta), atol=1e-8)


def linear_rate(flow, shape, place):
    """The exact growth rate of one harmonic on the uniform density, by differentiating the solver's right-hand side."""
    uniform = af.Density(np.ones(shape))
    grid, summation = uniform.grid, choose_for_density("auto", flow, uniform)
    c = np.zeros(grid.degree.shape, complex)
    c[place] = 0.5
    h = grid.synthesise(jnp.asarray(c))
    field = lambda values: density_rate(flow, grid, values=values, t=jnp.asarray(0.0), summation=summation)  # noqa: E731
    grown = jax.jvp(field, (uniform.values.reshape(-1),), (h,))[1]
    growth = float(jnp.vdot(grown, h) / jnp.vdot(h, h))
    assert_allclose(grown, growth * h, atol=1e-9 * abs(growth))  # a harmonic is an eigenfunction
    return growth


@pytest.mark.parametrize("gamma", [1.0, -1.0])
def test_unnormalised_growth_rates(gamma):
    for beta in (1.7, 5.0, 20.0):
        flow = af.Flow(af.Sphere(), af.Unnormalised(beta=beta), V=gamma)
        for l in (1, 3, 7):
            found = linear_rate(flow, (128,), (l,))
            assert_allclose(found, gamma * l**2 * np.exp(beta) * ive(l, beta) / beta, rtol=1e-10)
            assert_allclose(found, gamma * growth(l, beta=beta, model="USA"), rtol=1e-10)


@pytest.mark.parametrize("rule", [af.Softmax, af.Unnormalised])
@pytest.mark.broad(1)
def test_growth_rates_on_the_sphere(rule):
    for beta in (1.7, 5.0):
        flow = af.Flow(af.Sphere(), rule(beta=beta))
        for order, l in ((0, 1), (2, 3), (1, 7)):
            found = linear_rate(flow, (24, 48), (order, l))
            assert_allclose(found, growth(l, beta=beta, d=3, model="SA" if rule is af.Softmax else "USA"), rtol=1e-10)


@pytest.mark.slow
def test_growth_on_a_run_of_the_sphere():
    beta, eps = 5.0, 1e-6
    rho = af.density_from(lambda x: 1 + eps * (5 * x[:, 2] ** 3 - 3 * x[:, 2]) / 2, size=12, d=3)
    end = af.evolve(softmax(beta), rho, until=0.5, save=2, tol=1e-13).last
    grown = np.log(end.coefficients()[0, 3].real / rho.coefficients()[0, 3].real)
    # Second order in the amplitude is 1e-12 of the mode, round-off 1e-16/1e-6.
    assert_allclose(grown, 0.5 * growth(3, beta=beta, d=3), atol=1e-8)


def test_funk_hecke_numbers():
    assert_allclose(funk_hecke([0, 1, 3], 5.0, d=3), [14.84064212, 11.87386128, 4.15753594], atol=1e-8)


@pytest.mark.parametrize("is_normalised", [True, False])
@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.broad(2)
def test_heat_and_porous_medium_limits(is_normalised, d):
    """The rate tends to −Δρ/β (softmax), −½Δρ² for the constant (1/β)∫e^{β⟨x,y⟩}dσ (unnormalised), with error 1/β."""
    if d == 2:
        rho = af.density_from(lambda x: 1 + 0.3 * x[:, 0] + 0.4 * x[:, 0] * x[:, 1], size=512)
    else:
        rho = af.density_from(lambda x: 1 + 0.3 * x[:, 0] + 0.4 * x[:, 1] * x[:, 2], size=48, d=3)
    values, eigenvalue = rho.values.reshape(-1), np.asarray(rho.grid.degree) * (np.asarray(rho.grid.degree) + d - 2)
    misses = []
    for beta in (50.0, 100.0, 200.0):
        rule = af.Softmax(beta=beta)
        limit = eigenvalue * np.asarray(rho.grid.analyse(values)) / beta
        if not is_normalised:
            z = float(funk_hecke(0, beta, d=d)) / beta
            rule = af.Unnormalised(beta=beta, scale=1 / z)
            limit = eigenvalue / 2 * np.asarray(rho.grid.analyse(values**2))
        flow = af.Flow(af.Sphere(), rule)
        found = np.asarray(-rho.grid.divergence(values[:, None] * density_velocity(flow, rho)))
        misses.append(np.abs(found - limit).max() / np.abs(limit).max())
    assert_allclose(np.log2(np.array(misses[:-1]) / misses[1:]), 1, atol=0.06)  # first order, next term 1/β


@pytest.mark.parametrize("l", [1, 2, 3])
def test_mode_rates_leave_heat_at_the_stated_order(l):
    """The rate over l²/β is 1 − l²/(2β) up to O(β⁻²)."""
    betas = np.array([200.0, 400.0, 800.0])
    left = growth(l, beta=betas) * betas / l**2 - (1 - l**2 / (2 * betas))
    assert_allclose(np.log2(np.abs(left[:-1] / left[1:])), 2, atol=0.05)  # next term 1/β


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
    rates = [growth(1, beta=20.0), growth(2, beta=20.0)]
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
