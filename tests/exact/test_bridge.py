"""Bridge runs are trajectories; their steps stay in the space; what does not converge is told."""

import copy
import pickle
import sys
import warnings

import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af
from attnflow.errors import Notice
from attnflow.theory.heat.bridge import BridgeFlow
from attnflow.theory.heat.steps import Euler

CIRCLE = af.circle_nodes(60, density=lambda theta: np.exp(np.cos(theta)))


def flat(x, mass, t, eps):
    return np.zeros(len(x))


@pytest.fixture(scope="module")
def run():
    return af.bridge(CIRCLE, 0.1, steps=3, space=af.Sphere(), is_sampled=False)


def test_a_bridge_run_is_a_trajectory(run):
    assert type(run) is af.Trajectory
    assert isinstance(run.flow, BridgeFlow) and run.flow.space == af.Sphere() and run.flow.eps == 0.1
    assert len(run.layers) == 3 and run.series("free_energy").shape == run.series("perplexity").shape == (3,)
    with pytest.raises(ValueError, match="no 'colour'"):
        run.series("colour")


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda run: pickle.loads(pickle.dumps(run))])
def test_a_bridge_run_can_be_copied(run, again):
    twin = again(run)
    assert twin.status == run.status and twin.layers == run.layers
    assert_allclose(twin.x, run.x, rtol=0)


@pytest.mark.parametrize("step", [Euler(), af.Surrogate(flat)])
def test_steps_of_the_heat_flow_stay_on_the_sphere(run, step):
    same = af.bridge(CIRCLE, 0.1, steps=3, space=af.Sphere(), step=step, is_sampled=False)
    assert_allclose(np.linalg.norm(same.x, axis=-1), 1, atol=1e-14)
    assert_allclose(same.x, run.x, atol=1e-13)


def test_drift_and_known_scores_stay_on_the_sphere():
    push = jnp.array([0.3, -0.2])
    for step in (Euler(lambda x, t: push + 0 * x), af.Strang(lambda x, s: x + s * push)):
        moved = af.bridge(CIRCLE, 0.1, steps=2, space=af.Sphere(), step=step, is_sampled=False)
        assert_allclose(np.linalg.norm(moved.x, axis=-1), 1, atol=1e-14)


def test_a_transport_that_does_not_converge_is_noticed(monkeypatch):
    monkeypatch.setattr(sys.modules["attnflow.theory.heat.self_transport"], "MAX_ITERATIONS", 2)
    with pytest.warns(Notice, match="stopped after 2 iterations"):
        af.self_transport(CIRCLE, 0.1)


def test_gradient_layers_notice_too_large_steps():
    flow = af.Flow(af.Sphere(), af.Softmax(9.0), V=-9.0)
    with pytest.warns(Notice, match="beyond"):
        af.gradient_layers(flow, CIRCLE, count=2, eta=5.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        af.gradient_layers(flow, CIRCLE, count=2)
