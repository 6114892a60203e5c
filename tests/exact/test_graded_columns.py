"""Graded columns: the same covariance equation as the factor, and fates over a hundred decades."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af
from attnflow.gaussian.factor_field import factor_field, start_factor
from attnflow.gaussian.graded_columns import Columns, Scores, first_columns, follow, scores_of_heads, speed
from attnflow.gaussian.graded_growth import fate_of_record, graded_growths
from attnflow.gaussian.growth import is_at_most_exponential, judge_growth


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
    N_dot, w_dot = speed(scores, *now)
    moved = Columns(N_dot, jnp.zeros_like(now.a), w_dot)

    def cov(c: Columns):
        return (c.N * jnp.exp(2 * c.a)) @ c.N.T

    def rates(c: Columns):
        return jnp.einsum("ik,hij,jl->hkl", c.N, scores.B, c.N) * jnp.exp(2 * c.a)

    half = factor_field(flow, L, 0.0) @ L.T
    assert_allclose(cov(now), mu.cov, atol=1e-12)
    assert_allclose(jax.jvp(cov, (now,), (moved,))[1], half + half.T, rtol=1e-10, atol=1e-10)
    assert_allclose(jax.jvp(rates, (now,), (moved,))[1], moved.w, rtol=1e-10, atol=1e-10)


def steps(t):
    return np.diff(t, prepend=0.0)


def test_records_are_judged_on_decades():
    t = np.linspace(0.01, 300, 200)
    grown = fate_of_record(steps(t), 0.5 * t, 0.0, 1e8)
    assert grown.fate == "exponential growth"
    assert_allclose(grown.rate, 0.5, rtol=1e-12)
    # tr ~ (1 − t)^-p blows up for every p > 0: p = 1 is the square law, p = 10 that of bursts.
    for p in (1, 10):
        left = np.exp(-np.linspace(0, 230 / p, 2000))
        seen = fate_of_record(-np.diff(left, prepend=1 + 1e-3), -p * np.log(left), 0.0, 1e8)
        assert seen.fate == "blow-up"
        assert_allclose(seen.reached, 1 + 1e-3, rtol=1e-2)  # the last quarter of the climb is extrapolated
    # Doubly exponential growth, which occurs, is faster than any exponential and no blow-up.
    assert fate_of_record(np.full(2000, 5e-3), np.exp(0.545 * np.arange(1, 2001) * 5e-3), 1.0, 1e8).fate == "unresolved"
    long = np.logspace(-2, 8, 200)
    # A climb of forty decades that has come to rest is no growth, and one that could not be followed to the end says nothing.
    assert fate_of_record(steps(long), 92 * long / (1e-1 + long), 0.0, 1e8).fate == "bounded"
    assert fate_of_record(steps(long), 92 * long / (1e-1 + long), 0.0, 1e12).fate == "unresolved"
    assert fate_of_record(steps(long), -np.log1p(long), 0.0, 1e8).fate == "decay"
    assert fate_of_record(steps(long), 0.7 * np.log1p(long), 0.0, 1e8).fate == "slow growth"


@pytest.mark.parametrize("ratio, fate", [(0.6, "blow-up"), (1.0, "exponential growth"), (13.0, "slow growth")])
def test_bursts_are_judged_by_the_pauses_between_them(ratio, fate):
    """Nine bursts by a factor e⁵, each after a pause ratio times the last one in which the trace falls by e."""
    h, log = [], []
    for k in range(9):
        h += [ratio**k / 20] * 20
        log += list(5 * k - np.linspace(0, 1, 20))
    seen = fate_of_record(np.array(h), np.array(log), 0.0, 1e30)
    assert seen.fate == fate
    if ratio < 1:
        assert_allclose(seen.reached, 1 / (1 - ratio), rtol=1e-9)
    if ratio == 1:
        assert_allclose(seen.rate, 5.0, rtol=1e-9)


def test_nothing_moves_without_scores():
    scores = Scores(jnp.zeros((1, 2, 2)), jnp.ones((1, 2, 2)))
    assert [found.fate for found in graded_growths(scores, jnp.stack([jnp.eye(2)] * 2), until=1e8)] == ["bounded"] * 2


@pytest.mark.slow
def test_runs_agree_with_the_closed_form_of_scalar_values():
    rng = np.random.default_rng(3)
    B, A = rng.standard_normal((2, 3, 3))
    flow, mu = af.Flow(af.Euclidean(), af.Softmax(-B @ B.T)), af.Gaussian(np.zeros(3), A @ A.T)
    seen = follow(scores_of_heads(flow, 3), start_factor(flow, mu), jnp.asarray(1e3))
    t, log = np.cumsum(seen.h[: int(seen.steps)]), np.asarray(seen.log_trace)
    for k in range(0, len(t), 5):
        exact = np.trace(af.gaussian.closed_forms.softmax_identity(-B @ B.T, mu.cov, t=t[k]))
        assert_allclose(log[k], np.log(exact), atol=1e-7)  # steps of tolerance 1e-10, a hundred of them


@pytest.mark.slow
def test_slow_exponential_growth_is_recognised_behind_a_long_approach():
    """Near V = I the rate falls from 4.18 to its limit while the trace grows by a factor 1e20: out of reach of plain factors."""
    rng = np.random.default_rng([1, 2, 3, 18])
    B, V, A = rng.standard_normal((3, 3, 3))
    V = np.eye(3) + 10 ** rng.uniform(-3, -0.5) * V
    if rng.random() < 0.5:
        B = B - B.T + 10 ** rng.uniform(-3, -0.5) * B
    flow, mu = af.Flow(af.Euclidean(), af.Softmax(B), V=V), af.Gaussian(np.zeros(3), A @ A.T)
    seen = af.blow_up(flow, mu)
    assert seen.verdict == "exponential growth"
    assert_allclose(seen.rate, 0.505754, rtol=1e-4)  # also a run of plain NumPy with rotations after every step


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
