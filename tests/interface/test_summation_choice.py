"""What "auto", "exact" and "fast" come to, and what is said when fast is impossible."""

import jax
import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af
from attnflow.engine.flow import choose
from attnflow.engine.summation.circle import Circle
from attnflow.engine.summation.cost import PAIR, fast_cost
from attnflow.engine.summation.gauss import Gauss
from attnflow.engine.summation.tiled import Tiled
from attnflow.engine.summation.two_sphere import TwoSphere
from attnflow.errors import Notice

pytest.importorskip("jax_finufft")


def tokens(n, d, seed=0):
    x = np.random.default_rng(seed).normal(size=(n, d))
    return af.Particles(x / np.linalg.norm(x, axis=1, keepdims=True))


CLUSTERING = af.Flow(af.Sphere(), af.Softmax(beta=81.0))


def test_auto_is_exact_for_few_tokens_and_fast_for_many():
    assert isinstance(choose("auto", CLUSTERING, tokens(512, 2)), Tiled)
    assert isinstance(choose("auto", CLUSTERING, tokens(2**15, 2)), Circle)
    assert isinstance(choose("auto", CLUSTERING, tokens(2**15, 3)), TwoSphere)
    uneven = af.Flow(af.Sphere(), af.Softmax(B=np.diag([9.0, 5.0, 1.0])))
    assert isinstance(choose("auto", uneven, tokens(2**15, 3)), Gauss)
    assert isinstance(choose("exact", CLUSTERING, tokens(2**15, 2)), Tiled)


def test_few_tokens_cost_nothing_to_choose_for(monkeypatch):
    monkeypatch.setattr("attnflow.engine.flow.strategy.select", lambda *a, **k: pytest.fail("looked at few tokens"))
    choose("auto", CLUSTERING, tokens(512, 2))


def test_auto_switches_where_fast_is_expected_to_be_faster():
    fast = choose("fast", CLUSTERING, tokens(4096, 3))
    costs = [(fast_cost(n, 3, fast), PAIR * n**2) for n in (100, 10**6)]
    assert costs[0][0] > costs[0][1] and costs[1][0] < costs[1][1]
    # The fast sum grows linearly, but for the modes.
    assert fast_cost(2 * 10**7, 3, fast) < 2.01 * fast_cost(10**7, 3, fast)


def test_auto_stays_exact_where_no_fast_sum_exists():
    for rule in (af.Sigmoid(), af.Hardmax(), af.Causal(af.Softmax())):
        assert isinstance(choose("auto", af.Flow(af.Sphere(), rule), tokens(2**13, 3)), Tiled)
    assert isinstance(choose("auto", CLUSTERING, tokens(2**13, 4)), Tiled)


def test_auto_stays_exact_where_most_tokens_would_fail():
    scattered = af.Flow(af.Sphere(), af.Softmax(beta=1e7))
    assert isinstance(choose("auto", scattered, tokens(2**13, 2), tol=1e-12), Tiled)


@pytest.mark.parametrize(
    "rule, d, words",
    [
        (af.Softmax(), 4, "dimension at most 3, got 4"),
        (af.Sigmoid(), 3, "Sigmoid attention has no fast sum"),
        (af.Causal(af.Softmax()), 3, "Causal attention has no fast sum"),
    ],
)
def test_impossible_wishes_get_a_line_and_the_exact_sum(rule, d, words):
    flow, mu = af.Flow(af.Sphere(), rule), tokens(64, d)
    with pytest.warns(Notice, match=words) as seen:
        wished = af.velocity(flow, mu, summation="fast")
    assert "\n" not in str(seen[0].message)
    assert_allclose(wished, af.velocity(flow, mu, summation="exact"), atol=0)


def test_unbounded_clouds_get_a_line_and_the_exact_sum():
    mu = af.Particles(1e4 * np.random.default_rng(0).normal(size=(64, 3)))
    with pytest.warns(UserWarning, match="Fourier modes; the exact sum is used"):
        assert isinstance(choose("fast", af.Flow(af.Euclidean(), af.L2()), mu), Tiled)


def test_a_missing_wheel_gets_a_line_and_the_exact_sum(monkeypatch):
    monkeypatch.setattr("attnflow.engine.flow.strategy.is_available", lambda: False)
    with pytest.warns(UserWarning, match="pip install 'attnflow\\[fast\\]'; the exact sum is used"):
        assert isinstance(choose("fast", CLUSTERING, tokens(64, 2)), Tiled)
    assert isinstance(choose("auto", CLUSTERING, tokens(2**13, 2)), Tiled)


def test_unknown_names_are_refused():
    with pytest.raises(ValueError, match="summation must be one of auto, exact, fast"):
        choose("quick", CLUSTERING, tokens(8, 2))


@pytest.mark.slow
def test_runs_agree_and_the_tolerance_of_a_run_reaches_its_sums():
    mu = tokens(300, 2)
    runs = [af.evolve(CLUSTERING, mu, until=2.0, save=2, summation=s, tol=1e-9) for s in ("exact", "fast")]
    # Adaptive steps see the sums' errors (1e-13) and may differ in the last accepted digits of tol.
    assert_allclose(runs[1].x, runs[0].x, atol=1e-8)
    assert choose("fast", CLUSTERING, mu, tol=1e-11).tol == 1e-11


def test_fast_works_on_traced_tokens():
    mu = tokens(300, 2)
    traced = jax.jit(lambda x: af.velocity(CLUSTERING, af.Particles(x), summation="fast"))
    assert_allclose(traced(mu.x), af.velocity(CLUSTERING, mu, summation="exact"), atol=1e-12)


@pytest.mark.slow
def test_heads_share_one_strategy():
    rule = af.Heads([(af.Softmax(beta=9.0), np.eye(3)), (af.L2(beta=2.0), -np.eye(3))])
    flow, mu = af.Flow(af.Sphere(), rule), tokens(300, 3)
    fast, exact = (af.velocity(flow, mu, summation=s) for s in ("fast", "exact"))
    assert_allclose(fast, exact, atol=1e-11)
