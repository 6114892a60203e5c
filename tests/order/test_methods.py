"""Every method has the order it claims, on the sphere and in space."""

import jax
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

import attnflow as af

ORDERS = {"euler": 1, "midpoint": 2, "heun": 2, "rk4": 4}


def prompt(seed=1, n=6, d=3):
    return af.Particles(np.random.default_rng(seed).normal(size=(n, d)))


CASES = [(method, af.Sphere()) for method in ORDERS] + [("rk4", af.Euclidean())]


@pytest.mark.parametrize("method, space", CASES, ids=[*ORDERS, "rk4 in space"])
@pytest.mark.broad(1)
def test_fixed_steps_converge_at_their_order(method, space):
    flow, mu = af.Flow(space, af.Softmax(beta=1.5), V=0.5), prompt()
    exact = af.evolve(flow, mu, until=1.0, save=[1.0], tol=1e-13).x[-1]
    sizes = [0.05, 0.025] if method == "rk4" else [0.01, 0.005]
    errors = [
        float(np.abs(af.evolve(flow, mu, until=1.0, save=[1.0], method=method, step=h).x[-1] - exact).max())
        for h in sizes
    ]
    assert abs(np.log2(errors[0] / errors[1]) - ORDERS[method]) < 0.1


@pytest.mark.slow
def test_fixed_steps_keep_their_order_across_a_jump():
    flow = af.Flow(af.Sphere(), af.Softmax(beta=1.5), V=0.5, normalisation=af.MixLN(0.52))
    exact = af.evolve(flow, prompt(), until=1.0, save=[1.0], tol=1e-13).x[-1]
    run = lambda h: af.evolve(flow, prompt(), until=1.0, save=[1.0], method="rk4", step=h).x[-1]  # noqa: E731
    errors = [float(np.abs(run(h) - exact).max()) for h in (0.05, 0.025)]
    assert errors[0] < 1e-6 and np.log2(errors[0] / errors[1]) > 3.5  # steps before and after the jump differ in size


def test_adaptive_runs_agree_with_scipy():
    flow, mu = af.Flow(af.Sphere(), af.Softmax(beta=3.0, B=[[1, 0.4, 0], [-0.2, 0.7, 0.1], [0, 0, 1.2]])), prompt(n=8)
    field = jax.jit(lambda x: af.velocity(flow, af.Particles(x)))
    start = np.asarray(flow.space.retract(mu.x))
    theirs = solve_ivp(
        lambda t, y: np.asarray(field(y.reshape(8, 3))).ravel(), (0, 6), start.ravel(), "DOP853", rtol=1e-12, atol=1e-12
    )
    ours = af.evolve(flow, mu, until=6.0, tol=1e-11)
    assert_allclose(ours.x[-1], theirs.y[:, -1].reshape(8, 3), atol=1e-9)
    assert np.abs(np.linalg.norm(ours.x, axis=-1) - 1).max() < 4e-16


def test_dense_output_is_as_good_as_the_steps():
    flow, mu = af.Flow(af.Sphere(), af.Softmax(beta=3.0)), prompt(n=8)
    ts = np.linspace(0, 6, 37)
    coarse, fine = (af.evolve(flow, mu, until=6.0, save=ts, tol=tol) for tol in (1e-8, 1e-12))
    assert_allclose(coarse.x, fine.x, atol=1e-6)  # global error: a hundred times the local tolerance


@pytest.mark.parametrize("method", ["tsit5", "dopri5", "stiff"])
@pytest.mark.slow
def test_other_adaptive_methods_meet_their_tolerance(method):
    flow, mu = af.Flow(af.Sphere(), af.Softmax(beta=3.0)), prompt(n=6)
    exact = af.evolve(flow, mu, until=3.0, save=[3.0], tol=1e-13).x
    assert_allclose(af.evolve(flow, mu, until=3.0, save=[3.0], tol=1e-9, method=method).x, exact, atol=1e-6)


def test_stiff_steps_get_fewer_where_errors_may_be_larger():
    """While clusters form at β = 8: one Jacobian for all stages of a step needs thousands of steps at any tolerance."""
    flow, mu = af.Flow(af.Sphere(), af.Unnormalised(beta=8.0)), prompt(n=6)
    exact, *runs = (
        af.evolve(flow, mu, until=2.0, save=[2.0], tol=tol, method=method)
        for tol, method in ((1e-11, "adaptive"), (1e-4, "stiff"), (1e-6, "stiff"), (1e-8, "stiff"))
    )
    steps = [int(run.steps) for run in runs]
    assert steps == sorted(steps) and steps[-1] < 500 < int(exact.steps)
    for run, tol in zip(runs, (1e-4, 1e-6, 1e-8)):
        assert_allclose(run.x, exact.x, atol=100 * tol)  # global error: a hundred times the local tolerance


def test_projected_layers_are_first_order_and_plain_layers_have_a_slow_clock():
    flow, mu = af.Flow(af.Sphere(), af.Softmax(beta=1.0)), prompt()
    exact = af.evolve(flow, mu, until=1.0, save=[1.0], tol=1e-13).x[-1]
    error = lambda update, k: float(np.abs(af.layers(flow, mu, k, 1 / k, update=update).x[-1] - exact).max())  # noqa: E731
    for update in ("projected", "residual"):
        assert abs(np.log2(error(update, 100) / error(update, 200)) - 1) < 0.1
    x, eta = flow.space.retract(mu.x), 0.3
    a = np.asarray(af.attention_matrix(flow, mu)) @ np.asarray(x)
    slow = eta / (1 + eta * np.sum(np.asarray(x) * a, axis=1, keepdims=True))
    tangent = np.asarray(af.velocity(flow, mu))
    expected = np.asarray(flow.space.retract(np.asarray(x) + slow * tangent))
    assert_allclose(af.layers(flow, mu, 1, eta).x[-1], expected, atol=1e-14)


@pytest.mark.slow
def test_noise_has_strong_convergence_and_the_right_law():
    flow = af.Flow(af.Sphere(), af.Unnormalised(beta=1.0), noise=0.5)
    mu = prompt(n=6)
    run = lambda h: np.asarray(af.evolve(flow, mu, until=0.5, save=[0.5], step=h, seed=3).x[-1])  # noqa: E731
    exact = run(1 / 2048)
    errors = [np.sqrt(np.mean((run(h) - exact) ** 2)) for h in (1 / 16, 1 / 256)]
    assert errors[1] < 0.5 * errors[0]  # order ½ on the sphere, whose noise does not commute: a factor 4, give or take
    still = af.Flow(af.Sphere(), af.Softmax(), V=0.0, noise=0.6)
    many = af.evolve(still, af.Particles(np.tile([[0.0, 0.0, 1.0]], (1000, 1))), until=1.0, save=[1.0], step=0.05)
    # Brownian motion on S²: E x = e^{-σ²t} x₀; 1000 tokens leave an error of about 0.015.
    assert_allclose(np.mean(many.x[-1], axis=0), [0, 0, np.exp(-0.36)], atol=0.06)
