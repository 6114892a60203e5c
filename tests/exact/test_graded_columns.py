"""Graded columns: the same covariance equation as the factor, and fates over a hundred decades."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

import attnflow as af
from attnflow.theory.gaussian.factor_field import factor_field, start_factor
from attnflow.theory.gaussian.graded_columns import Columns, first_columns, follow_all, scores_of_heads, speed
from attnflow.theory.gaussian.graded_growth import fate_of_record, graded_fates
from attnflow.theory.gaussian.growth import is_at_most_exponential, judge_growth
from attnflow.theory.gaussian.lasting import what_follows


def drawn(seed, d=3, heads=1):
    rng = np.random.default_rng(seed)
    pairs = [tuple(rng.standard_normal((2, d, d))) for _ in range(heads)]
    rule = af.Heads([(af.Softmax(B), V) for B, V in pairs])
    A = rng.standard_normal((d, d))
    return af.Flow(af.Euclidean(), rule), af.Gaussian(np.zeros(d), A @ A.T)


def test_columns_move_as_the_covariance_does():
    flow, mu = drawn(1, heads=2)
    scores, L = scores_of_heads(flow, 3), start_factor(flow, mu)
    now = first_columns(scores, L)
    moved = speed(scores, now)

    def cov(c: Columns):
        return (c.N * jnp.exp(2 * c.a)) @ c.N.T

    def rates(c: Columns):
        return jnp.einsum("ik,hij,jl->hkl", c.N, scores.B, c.N) * jnp.exp(2 * c.a)

    half = factor_field(flow, L, 0.0) @ L.T
    assert_allclose(cov(now), mu.cov, atol=1e-12)
    assert_allclose(jax.jvp(cov, (now,), (moved,))[1], half + half.T, rtol=1e-10, atol=1e-10)
    assert_allclose(jax.jvp(rates, (now,), (moved,))[1], moved.w, rtol=1e-10, atol=1e-10)


def test_records_are_judged_on_decades():
    t = np.linspace(0.01, 300, 200)
    assert fate_of_record(t, 0.5 * t, 0.0)[:2] == ("exponential growth", pytest.approx(0.5))
    left = np.exp(-np.linspace(0, 231, 200))
    assert fate_of_record(1 - left, -np.log(left), 0.0)[0] == "blow-up"
    long = np.logspace(-2, 8, 200)
    # A climb of forty decades that has come to rest is no growth.
    assert fate_of_record(long, 92 * long / (1e-1 + long), 0.0)[0] == "unresolved"


def test_heights_tell_growth_by_bursts_from_bounds():
    t = np.logspace(-2, 8, 400)
    x = np.log(t)
    assert fate_of_record(t, 1.3 * x + 2 * np.sin(4 * x), 0.0)[0] == "slow growth"
    assert fate_of_record(t, 2.6 * x + 4 * np.sin(4 * x), 0.0)[0] == "slow growth"  # beyond twenty decades too
    assert fate_of_record(t, 12 * np.log1p(np.maximum(t - 1e7, 0) / 1e6), 0.0)[0] == "unresolved"  # one burst, late
    hump = 8 * np.exp(-((x - 3) ** 2))
    assert fate_of_record(t, hump, 0.0)[0] == "bounded"
    assert fate_of_record(t, hump, 0.0, lost=0.3 * t[-1])[0] == "unresolved"  # a column gone lately might come back
    assert fate_of_record(t, hump, 0.0, lost=0.1 * t[-1])[0] == "bounded"
    assert fate_of_record(t, hump - 0.5 * np.log1p(t), 0.0)[0] == "unresolved"  # it may decay
    assert fate_of_record(t, hump + 0.1 * np.log1p(t / 1e5), 0.0)[0] == "unresolved"  # it rises again


@pytest.mark.slow
def test_bursts_repeat_in_logarithmic_time():
    """Heights 3.4 times as high at times 2.56 times as late, for ever: slow growth, a power 1.31 of t."""
    rng = np.random.default_rng([9001, 3, 46])
    B, V, A = rng.standard_normal((3, 3, 3))
    flow, mu = af.Flow(af.Euclidean(), af.Softmax(B), V=V), af.Gaussian(np.zeros(3), A @ A.T)
    seen = follow_all(scores_of_heads(flow, 3), start_factor(flow, mu)[None], jnp.asarray(1e8), jnp.asarray(40000))
    t, log = np.asarray(seen["t"][0]), np.asarray(seen["log_trace"][0])
    heights = np.interp(np.log([1e4, 1e7]), np.log(t), np.maximum.accumulate(log))
    assert_allclose(np.diff(heights) / np.log(1e3), 1.31, atol=0.15)  # a period is a seventh of the way

    def field(_, y):
        L = y.reshape(3, 3)
        return (V @ L @ (L.T @ B.T @ L)).ravel()

    short = np.flatnonzero(np.diff(t, prepend=0) > 0)
    short = short[t[short] < 100]
    exact = solve_ivp(field, (0, 100), A.ravel(), method="Radau", t_eval=t[short], rtol=1e-10, atol=1e-12).y
    # Steps of tolerance 1e-7, hundreds of them through two bursts.
    assert_allclose(log[short], np.log(np.sum(exact**2, axis=0)), atol=2e-3)
    assert af.fate_of(flow, mu).verdict == "slow growth"


@pytest.mark.slow
def test_runs_agree_with_the_closed_form_of_scalar_values():
    rng = np.random.default_rng(3)
    B, A = rng.standard_normal((2, 3, 3))
    flow, mu = af.Flow(af.Euclidean(), af.Softmax(-B @ B.T)), af.Gaussian(np.zeros(3), A @ A.T)
    seen = follow_all(scores_of_heads(flow, 3), start_factor(flow, mu)[None], jnp.asarray(1e3), jnp.asarray(4000))
    t, log = np.asarray(seen["t"][0]), np.asarray(seen["log_trace"][0])
    for k in range(0, len(t), 20):
        exact = np.trace(af.gaussian.closed_forms.softmax_identity(-B @ B.T, mu.cov, t=t[k]))
        assert_allclose(log[k], np.log(exact), atol=1e-4)  # steps of tolerance 1e-7, hundreds of them


@pytest.mark.slow
def test_slow_exponential_growth_is_recognised_behind_a_long_approach():
    """Near V = I the rate falls from 4.18 to its limit while the trace grows by a factor 1e20: out of reach of plain factors."""
    rng = np.random.default_rng([1, 2, 3, 18])
    B, V, A = rng.standard_normal((3, 3, 3))
    V = np.eye(3) + 10 ** rng.uniform(-3, -0.5) * V
    if rng.random() < 0.5:
        B = B - B.T + 10 ** rng.uniform(-3, -0.5) * B
    flow, mu = af.Flow(af.Euclidean(), af.Softmax(B), V=V), af.Gaussian(np.zeros(3), A @ A.T)
    found = graded_fates(scores_of_heads(flow, 3), start_factor(flow, mu)[None], until=1e8, max_steps=20000)[0]
    assert found[0] == "exponential growth"
    assert_allclose(found[1], 0.505754, rtol=1e-4)  # also a run of plain NumPy with rotations after every step
    assert af.blow_up(flow, mu).verdict == "exponential growth"


def test_growth_that_cannot_explode_is_exponential_though_it_turns():
    """Keys of full rank bound the rate: a trace that climbs on while it turns grows exponentially, one that slows does not."""
    t = np.linspace(0.01, 30, 400)
    clock = np.cumsum(np.gradient(t) * np.exp(t + 0.9 * np.sin(3 * t)))

    def seen(log_trace):
        return {"trace": np.exp(log_trace), "t": t, "clock": clock, "is_reached": np.ones(len(t), bool)}

    turning = judge_growth(seen(t + 0.9 * np.sin(3 * t)), 1e8, is_tame=True)
    assert turning.fate == "exponential growth" and np.isnan(turning.rate)
    assert judge_growth(seen(t + 0.9 * np.sin(3 * t)), 1e8).fate == "unresolved"
    assert_allclose(judge_growth(seen(t), 1e8, is_tame=True).rate, 1.0, rtol=1e-3)  # read off 400 times
    assert judge_growth(seen(12 * np.log1p(t)), 1e8, is_tame=True).fate != "exponential growth"


def test_growth_is_at_most_exponential_where_keys_tell_tokens_apart():
    def flow(rule):
        return af.Flow(af.Euclidean(), rule)

    K = np.array([[0.8, 0.1], [0.3, 0.9]])
    assert is_at_most_exponential(flow(af.L2(Q=K, K=K)), 2) and is_at_most_exponential(flow(af.Sinkhorn(K)), 2)
    assert not is_at_most_exponential(flow(af.L2(Q=K[:1], K=K[:1])), 2)
    assert not is_at_most_exponential(flow(af.L2(B=[[1.0, 1.0], [1.0, 1.0]])), 2)
    assert not is_at_most_exponential(flow(af.Softmax(K)), 2)


def test_fates_are_followed_in_double_precision_whatever_the_setting():
    """Followed in single precision this covariance, which comes to rest, was left open."""
    rng = np.random.default_rng([9, 2, sum(map(ord, "softmax"))])
    L, B, V = rng.standard_normal((3, 2, 2))
    with jax.enable_x64(False):
        seen = af.blow_up(af.Flow(af.Euclidean(), af.Softmax(B), V=V), af.Gaussian(np.zeros(2), L @ L.T))
    assert seen.verdict == "bounded" and seen.shapes.dtype == np.float64


def test_a_climb_of_seventeen_decades_that_comes_to_rest_is_no_blow_up():
    """A run of 34 digits, in C, rests at log tr = 42.407: far above where runs of the factor end."""
    rng = np.random.default_rng([103, 2, sum(map(ord, "softmax"))])
    L, B, V = rng.standard_normal((3, 2, 2))
    assert (
        af.blow_up(af.Flow(af.Euclidean(), af.Softmax(B), V=V), af.Gaussian(np.zeros(2), L @ L.T)).verdict == "bounded"
    )


def test_shapes_tell_blow_up_from_rest():
    """With V = I the sign of the widest direction's score decides; isotropic shapes leave it open."""
    eye = np.eye(2)[None]
    assert what_follows(eye, eye, np.eye(2)) == "blow-up"
    assert what_follows(-eye, eye, np.eye(2)) == "unresolved"
    assert what_follows(np.diag([1.0, 0.5])[None], eye, np.eye(2)) == "blow-up"
