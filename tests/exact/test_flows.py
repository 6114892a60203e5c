"""Runs against closed forms."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp
from scipy.linalg import expm
from scipy.special import exp1

import attnflow as af


def circle(*angles):
    return af.Particles(np.stack([np.cos(angles), np.sin(angles)], axis=1))


@pytest.mark.slow
def test_two_tokens_at_infinite_temperature_close_their_angle():
    run = af.evolve(af.Flow(af.Sphere(), af.Softmax(beta=0.0)), circle(0.0, 2.0), until=5.0, tol=1e-12)
    angle = af.Sphere().distance(run.x[:, 0], run.x[:, 1])
    # θ' = −sin θ, so tan(θ/2) decays like e^{−t}.
    assert_allclose(angle, 2 * np.arctan(np.tan(1.0) * np.exp(-np.asarray(run.ts))), atol=1e-10)


@pytest.mark.parametrize("beta", [1.0, 4.0])
@pytest.mark.broad(1)
def test_equiangular_tokens_follow_their_scalar_equation(beta):
    n = 5
    run = af.evolve(af.Flow(af.Sphere(), af.Softmax(beta=beta)), af.Particles(np.eye(n)), until=6.0, tol=1e-12, save=13)
    rho = lambda t, r: 2 * (1 - r) * ((n - 1) * r + 1) / (np.exp(beta * (1 - r)) + n - 1)  # noqa: E731
    exact = solve_ivp(rho, (0, 6), [0.0], t_eval=np.asarray(run.ts), rtol=1e-12, atol=1e-13).y[0]
    gram = np.einsum("kid,kjd->kij", run.x, run.x)
    off = gram[:, ~np.eye(n, dtype=bool)]
    assert_allclose(off, np.repeat(exact[:, None], n * (n - 1), axis=1), atol=1e-9)


def test_hot_attention_in_space_is_linear(rng):
    V, x = rng.normal(size=(3, 3)), rng.normal(size=(6, 3))
    run = af.evolve(af.Flow(af.Euclidean(), af.Softmax(beta=0.0), V=V), af.Particles(x), until=1.5, tol=1e-12)
    mean = x.mean(0)
    assert_allclose(run.x[-1], x + mean @ (expm(1.5 * V) - np.eye(3)).T, atol=1e-10)


def test_one_token_alone_grows_exponentially():
    V = np.array([[0.3, -1.0], [1.0, 0.3]])
    run = af.evolve(
        af.Flow(af.Euclidean(), af.Softmax(beta=2.0), V=V), af.Particles([[1.0, 0.5]]), until=3.0, tol=1e-12
    )
    assert_allclose(run.x[-1, 0], expm(3 * V) @ [1.0, 0.5], rtol=1e-10)


def test_linear_attention_moves_the_second_moment_by_its_own_equation(rng):
    V, B, x = (0.3 * rng.normal(size=(2, 2)) for _ in range(3)) if False else (
        0.4 * rng.normal(size=(2, 2)), 0.4 * rng.normal(size=(2, 2)), rng.normal(size=(9, 2)))  # fmt: skip
    run = af.evolve(af.Flow(af.Euclidean(), af.Linear(B=B), V=V), af.Particles(x), until=0.5, tol=1e-13, save=[0.5])
    field = lambda t, m: ((h := V @ (M := m.reshape(2, 2)) @ B.T @ M) + h.T).ravel()  # noqa: E731
    exact = solve_ivp(field, (0, 0.5), (x.T @ x / 9).ravel(), rtol=1e-13, atol=1e-14).y[:, -1].reshape(2, 2)
    assert_allclose(np.asarray(run.x[-1]).T @ np.asarray(run.x[-1]) / 9, exact, atol=1e-12)


@pytest.mark.parametrize("a, r, expected", [(0.5, 1.2, 0.179958957), (0.8, 0.9, 0.206563679)])
@pytest.mark.broad(1)
def test_unnormalised_attention_blows_up_at_a_known_time(a, r, expected):
    run = af.evolve(af.Flow(af.Euclidean(), af.Unnormalised(B=a)), af.Particles([[r]]), until=1.0)
    assert run.status == af.Status.BLOW_UP
    assert_allclose(float(run.status.time), exp1(a * r * r) / 2, rtol=1e-8)
    assert_allclose(expected, exp1(a * r * r) / 2, atol=1e-9)


def test_repulsion_in_space_decays_like_the_inverse_root_of_time():
    flow = af.Flow(af.Euclidean(), af.Softmax(), V=-1.0)
    run = af.evolve(flow, af.Particles([[1.0], [-1.0]]), until=1000.0, save=[1.0, 10.0, 1000.0], tol=1e-11)
    u = np.asarray(run.x[:, 0, 0])
    assert_allclose(u[:2], [0.598395, 0.219848], atol=1e-6)  # six digits are given
    assert_allclose(2 * 1000 * u[2] ** 2, 0.99966, atol=1e-5)


SCHEMES = {
    "post": (af.PostLN(), 0.0520982),
    "pre": (af.PreLN(), 0.0520982),
    "peri": (af.PeriLN(), 0.2161712),
    "ngpt": (af.NGPT(), 0.2161712),
    "sqrt": (af.SqrtLN(), 0.0520982),
}


def cosine_speed(run, h):
    theta = np.asarray(run.x) / np.linalg.norm(run.x, axis=-1, keepdims=True)
    return float(theta[-1, 0] @ theta[-1, 1]) / h


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.broad(1)
def test_normalisation_schemes_start_at_their_speed(scheme):
    normalisation, expected = SCHEMES[scheme]
    flow = af.Flow(af.Sphere(), af.Softmax(beta=2.0), normalisation=normalisation)
    h = 1e-5
    run = af.evolve(flow, af.Particles(np.eye(32)), until=h, save=[h], tol=1e-13)
    assert_allclose(cosine_speed(run, h), expected, rtol=1e-4)  # one-sided difference of step 1e-5


@pytest.mark.parametrize("normalisation, expected", [(af.PreLN(), 1.756), (af.PeriLN(), 1.721)])
@pytest.mark.broad(1)
def test_schemes_with_a_radius_align_algebraically(normalisation, expected):
    flow = af.Flow(af.Sphere(), af.Softmax(beta=2.0), normalisation=normalisation)
    run = af.evolve(flow, af.Particles(np.eye(32)), until=200.0, save=[200.0], tol=1e-12)
    theta = np.asarray(run.x[-1]) / np.linalg.norm(run.x[-1], axis=-1, keepdims=True)
    assert_allclose(200**2 * np.sum((theta[0] - theta[1]) ** 2) / 2, expected, atol=1e-3)  # four digits are given


@pytest.mark.slow
def test_mixed_normalisation_is_post_then_pre():
    mu, tau = af.Particles(np.eye(6)), 1.0
    flow = lambda scheme: af.Flow(af.Sphere(), af.Softmax(beta=2.0), normalisation=scheme)  # noqa: E731
    mixed = af.evolve(flow(af.MixLN(tau)), mu, until=3.0, save=[1.0, 3.0], tol=1e-12)
    post = af.evolve(flow(af.PostLN()), mu, until=1.0, save=[1.0], tol=1e-12)
    assert_allclose(mixed.x[0], post.x[0], atol=1e-10)
    pre = af.evolve(flow(af.PreLN()), post.last, until=2.0, save=[2.0], tol=1e-12)
    assert_allclose(mixed.x[1], pre.x[0], atol=1e-10)


def test_weights_may_depend_on_time(rng):
    x = rng.normal(size=(5, 2))
    flow = af.Flow(af.Euclidean(), af.Softmax(beta=0.0), V=lambda t: 2 * t * np.eye(2))
    run = af.evolve(flow, af.Particles(x), until=1.0, save=[1.0], tol=1e-12)
    assert_allclose(run.x[-1], x + x.mean(0) * (np.e - 1), atol=1e-10)  # mean' = 2t mean
    jump = af.Flow(af.Euclidean(), af.Softmax(beta=0.0), V=lambda t: (t < 0.5) * np.eye(2))
    stopped = af.evolve(jump, af.Particles(x), until=1.0, save=[1.0], tol=1e-12, jumps=[0.5])
    assert_allclose(stopped.x[-1], x + x.mean(0) * (np.exp(0.5) - 1), atol=1e-10)


def test_feed_forward_is_added_before_the_projection(rng):
    w, a, b, x = rng.normal(size=(3, 4)), rng.normal(size=(4, 3)), rng.normal(size=4), rng.normal(size=(5, 3))
    mu = af.Particles(x)
    flow = af.Flow(af.Sphere(), af.Softmax(beta=2.0), feed_forward=af.FeedForward(w, a, b, "tanh"))
    plain = np.asarray(af.velocity(af.Flow(af.Sphere(), af.Softmax(beta=2.0)), mu))
    u = x / np.linalg.norm(x, axis=1, keepdims=True)
    extra = np.tanh(u @ a.T + b) @ w.T
    assert_allclose(af.velocity(flow, mu), plain + extra - np.sum(u * extra, 1, keepdims=True) * u, atol=1e-12)


def test_time_scaling_of_one_dimensional_flows(rng):
    x, v, c = rng.normal(size=(6, 1)), 1.7, 0.6
    fast = af.evolve(af.Flow(af.Euclidean(), af.Softmax(B=c), V=v), af.Particles(x), until=1.0, save=[1.0], tol=1e-12)
    plain = af.evolve(af.Flow(af.Euclidean(), af.Softmax()), af.Particles(np.sqrt(c) * x), until=v, save=[v], tol=1e-12)
    assert_allclose(np.sqrt(c) * np.asarray(fast.x[-1]), plain.x[-1], atol=1e-9)
