"""Noise on the circle, mean shift, modes of densities, variance law: closed forms against simulation and integration."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp
from scipy.special import iv

import attnflow as af
from attnflow.papers.karagodin2025 import hunts, laws
from attnflow.papers.register import ask, check
from attnflow.theory.sphere import mean_shift, noisy_circle
from attnflow.theory.sphere import uniform_law as modes
from attnflow.theory.sphere.caps import find_caps, widest


@pytest.mark.parametrize("kappa", [2.05, 3, 4, 8])
def test_stationary_order_at_beta_zero_is_the_closed_one(kappa):
    law = noisy_circle.ordered_law(kappa, beta=0.0)
    assert_allclose(law.order, modes.kuramoto_order(kappa), atol=1e-9)
    assert law.residual < 1e-12


@pytest.mark.parametrize("model", ["USA", "SA"])
@pytest.mark.parametrize("beta", [0.7, 2.0])
def test_branch_leaves_the_threshold_as_the_cubic_coefficient_says(model, beta):
    near = noisy_circle.onset(beta, model=model).linear * 1.0004
    x = np.sqrt(-(1 - 1 / 1.0004) / (2 * noisy_circle.landau(beta, model=model)))
    order = noisy_circle.ordered_law(near, beta=beta, model=model).order
    assert_allclose(order, x / 2, rtol=5e-3)  # next order of the expansion
    assert_allclose(noisy_circle.branch_kappa(order, beta=beta, model=model), near, rtol=1e-6)  # a flat minimum


def test_order_sets_in_with_a_jump_once_half_is_passed():
    assert noisy_circle.landau(2.4469) < 0 < noisy_circle.landau(2.4470)
    assert iv(2, 2.4469) / iv(1, 2.4469) < 0.5 < iv(2, 2.4470) / iv(1, 2.4470)
    found = noisy_circle.onset(4.0)
    assert found.ordered < found.linear and not found.is_continuous
    assert_allclose((found.ordered, found.jump), (0.387069, 0.5471), atol=2e-4)  # iteration and bisection, four digits
    just = noisy_circle.ordered_law(found.ordered * 1.001, beta=4.0)
    assert just.order > found.jump and noisy_circle.ordered_law(found.ordered * 0.99, beta=4.0).order < 1e-3


def test_stationary_law_balances_drift_and_diffusion():
    kappa, beta = 0.9, 3.0
    rho = noisy_circle.ordered_law(kappa, beta=beta).density
    angle = 2 * np.pi * np.arange(len(rho)) / len(rho)
    gaps = angle[:, None] - angle[None, :]
    drift = -(np.exp(beta * np.cos(gaps)) * np.sin(gaps)) @ rho / len(rho)
    slope = np.fft.irfft(1j * np.arange(len(rho) // 2 + 1) * np.fft.rfft(rho), len(rho))
    assert_allclose(slope / kappa, rho * drift, atol=1e-8 * np.abs(slope).max())


def test_simulated_order_lies_on_the_branch():
    kappas = (1.3, 3.0, 4.0)
    orders = noisy_circle.simulated_orders(kappas, beta=0.0, n=500, seed=1)
    # Fluctuations of 500 tokens: 0.05 in the ordered state, (n(1 − κ/2))^{-1/2} = 0.08 below the onset.
    assert_allclose(orders[1:], [modes.kuramoto_order(k) for k in kappas[1:]], atol=0.05)
    assert orders[0] < 0.2


@pytest.mark.slow
def test_engine_and_angles_have_the_same_noisy_order():
    kappa, n = 4.0, 300
    x = np.tile([1.0, 0.0], (n, 1))
    flow = af.Flow(af.Sphere(), af.Unnormalised(beta=1.0), noise=float(np.sqrt(2 / kappa)))
    run = af.evolve(flow, af.Particles(x), until=12.0, save=list(np.linspace(6, 12, 41)), step=0.02, seed=3)
    order = np.linalg.norm(np.asarray(run.x).mean(axis=1), axis=-1).mean()
    assert_allclose(order, noisy_circle.ordered_law(kappa, beta=1.0).order, atol=0.04)  # fluctuations of 300 tokens


def test_noise_must_be_positive():
    with pytest.raises(ValueError, match="kappa must be positive"):
        noisy_circle.ordered_law(0.0, beta=1.0)


def test_score_is_the_gradient_of_the_log_density():
    rng = np.random.default_rng(0)
    y, x, beta, h = rng.normal(size=(7, 2)), rng.normal(size=(5, 2)), 3.0, 1e-5
    log = lambda p: np.log(np.exp(-beta * ((p - y) ** 2).sum(axis=1) / 2).sum())  # noqa: E731
    numeric = [[(log(p + h * e) - log(p - h * e)) / (2 * h) for e in np.eye(2)] for p in x]
    assert_allclose(mean_shift.score(x, af.Particles(y), beta=beta), numeric, atol=1e-8)


def test_blurring_mean_shift_is_beta_times_attention():
    x = np.random.default_rng(1).normal(size=(6, 3))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    mu = af.Particles(x)
    s = np.asarray(mean_shift.score(x, mu, beta=2.0))
    s = s - (s * x).sum(axis=1, keepdims=True) * x
    assert_allclose(s, 2 * np.asarray(af.velocity(af.Flow(af.Sphere(), af.Softmax(beta=2.0)), mu)), atol=1e-14)


def test_mean_shift_is_the_equation_and_leaves_the_density_alone():
    y, beta = np.array([[0.0], [0.3], [2.0]]), 9.0
    found = np.asarray(af.mean_shift(af.Particles(y), [[1.0], [-0.5]], beta=beta, until=0.7, tol=1e-10))[-1, :, 0]

    def field(t, x):
        w = np.exp(-beta * (x[:, None] - y[:, 0]) ** 2 / 2)
        return beta * ((w @ y[:, 0]) / w.sum(axis=1) - x)

    exact = solve_ivp(field, (0, 0.7), [1.0, -0.5], rtol=1e-11, atol=1e-12).y[:, -1]
    assert_allclose(found, exact, atol=1e-7)  # tolerance of the adaptive steps


@pytest.mark.parametrize("beta", [4.0, 30.0, 300.0])
def test_modes_are_counted_alike_on_the_grid_and_by_climbing(beta):
    x = np.random.default_rng(0).normal(size=(60, 1))
    assert af.modes_on_line(x, beta=beta) == len(af.kde_modes(af.Particles(x), beta=beta))


def test_two_samples_have_two_modes_beyond_two_widths():
    for apart, count in ((1.99, 1), (2.05, 2)):
        assert af.modes_on_line([0.0, apart / 10], beta=100.0) == count
    with pytest.raises(ValueError, match="beta must be positive"):
        af.modes_on_line([0.0], beta=0.0)


def test_number_of_modes_grows_as_it_should():
    rng, ratios = np.random.default_rng(2), []
    for n in (300, 1500):
        counts = [af.modes_on_line(rng.normal(size=n), beta=float(n)) for _ in range(10)]
        ratios.append(np.mean(counts) / np.sqrt(n * np.log(n)))
    assert_allclose(ratios, 0.46, atol=0.06)  # the same constant at both sizes, within sampling


@pytest.mark.parametrize(
    "scheme", ["pre", "ngpt", *(pytest.param(s, marks=pytest.mark.slow) for s in ("post", "peri", "sqrt"))]
)
def test_engine_follows_the_independent_scheme(scheme):
    x = np.random.default_rng(4).normal(size=(5, 3))
    x = x if scheme in ("pre", "peri") else x / np.linalg.norm(x, axis=1, keepdims=True)
    kinds = {
        "post": af.PostLN(), "pre": af.PreLN(), "peri": af.PeriLN(), "ngpt": af.NGPT(alpha=0.6), "sqrt": af.SqrtLN(),
    }  # fmt: skip
    flow = af.Flow(af.Sphere(), af.Softmax(beta=1.7), normalisation=kinds[scheme])
    run = af.evolve(flow, af.Particles(x), until=3.0, save=[3.0], tol=1e-11)
    other = hunts.scheme_run(x, np.array([3.0]), beta=1.7, scheme=scheme, alpha=0.6)[-1]
    assert_allclose(run.x[-1], other, atol=1e-8)


@pytest.mark.parametrize(
    "scheme", [af.PreLN(), *(pytest.param(s, marks=pytest.mark.slow) for s in (af.NGPT(alpha=0.7), af.SqrtLN()))]
)
def test_variance_law_is_checked_on_runs(scheme):
    x = hunts.near_start(np.random.default_rng(1), 5, 3, laws.cone_limit(5, 2.0))
    flow = af.Flow(af.Sphere(), af.Softmax(beta=2.0), normalisation=scheme)
    run = af.evolve(flow, af.Particles(x), until=4.0, save=41, tol=1e-11)
    found = {c.claim: c for c in check(run, paper="karagodin2025")}["karagodin2025.variance_law"]
    assert found.outcome == "holds" and found.numbers["ratio"] < 0.1


def test_variance_law_is_silent_outside_its_cone():
    x = np.random.default_rng(0).normal(size=(5, 3))
    one = next(a for a in ask(af.Flow(af.Sphere(), af.Softmax(beta=2.0)), af.Particles(x), paper="karagodin2025")
               if a.claim.number == "variance law")  # fmt: skip
    assert one.hypotheses and not one.applies
    assert one.claim.hypotheses(af.Flow(af.Euclidean(), af.Softmax()), af.Particles(x)) == []


def test_caps_are_found_without_all_pairs():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(80, 3))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    from scipy.sparse.csgraph import connected_components

    labels, centres = find_caps(x, reach=0.95)
    count, other = connected_components(x @ x.T >= 0.95)
    assert len(centres) == count and len({*zip(labels, other)}) == count
    same = labels[:, None] == labels[None, :]
    assert_allclose(widest(x, labels, tile=7), (2 - 2 * x @ x.T)[same].max(), atol=1e-14)
