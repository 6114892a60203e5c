"""Gaussian flows of every kind against references integrated with 34 digits.

The references come from another route: the covariance equations themselves (the factor equation for Sinkhorn), by
Gragg–Bulirsch–Stoer extrapolation of order 24 in mpmath; halving its steps moved them by less than 1e-30.
"""

import json
from pathlib import Path

import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af

CASES = json.loads(Path(__file__).with_name("gaussian_references.json").read_text())


def rule_of(case, Q):
    match case["kind"]:
        case "softmax":
            return af.Softmax(Q=Q, K=case["K"])
        case "l2":
            return af.L2(Q=Q, K=case["K"])
        case "linear":
            return af.Linear(Q=Q, K=case["K"])
        case "sinkhorn":
            return af.Sinkhorn(Q=Q, K=case["K"], eps=case["eps"])
    heads = [(af.Softmax(Q=h["Q"], K=h["K"]), np.array(h["W"]) @ np.array(h["V"])) for h in case["heads"]]
    return af.Heads(heads)


def flow_of(case):
    Q, V = (None if case.get(name) is None else np.array(case[name]) for name in "QV")
    layer = None
    if "W" in case:
        layer = af.FeedForward(w=1.0, a=case["W"], b=case["c"], activation="identity")
    if "V1" not in case:
        return af.Flow(af.Euclidean(), rule_of(case, Q), V=1.0 if V is None else V, feed_forward=layer)
    V1 = jnp.asarray(case["V1"])
    rule = rule_of(case, lambda t: jnp.asarray(Q) * (1 + t * t))
    return af.Flow(af.Euclidean(), rule, V=lambda t: jnp.asarray(V) + jnp.sin(2 * t) * V1)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.broad(1)
def test_runs_agree_with_thirty_digits(name):
    case = CASES[name]
    run = af.evolve(flow_of(case), af.Gaussian(case["mean0"], case["cov0"]), until=case["until"], save=2)
    assert run.status == af.Status.DONE
    for found, known in ((run.mean[-1], case["mean"]), (run.cov[-1], case["cov"])):
        assert_allclose(found, known, rtol=0, atol=1e-12 * np.abs(known).max())


@pytest.mark.slow
def test_second_moments_under_linear_attention_to_round_off():
    rng = np.random.default_rng(11)
    B, V, x = rng.standard_normal((3, 3)), rng.standard_normal((3, 3)), 0.4 * rng.standard_normal((9, 3))
    flow = af.Flow(af.Euclidean(), af.Linear(B), V=V)
    tokens = np.asarray(af.evolve(flow, af.Particles(x), until=0.7, save=2, tol=1e-13).x[-1])
    softmax = af.Flow(af.Euclidean(), af.Softmax(B), V=V)
    law = af.evolve(softmax, af.Gaussian(np.zeros(3), x.T @ x / 9), until=0.7, save=2, tol=1e-13)
    assert_allclose(tokens.T @ tokens / 9, law.cov[-1], atol=1e-12)
