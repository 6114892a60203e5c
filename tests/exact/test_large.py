"""Observations of many tokens in O(n), against their O(n²) definitions."""

import jax
import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af
from attnflow.engine.flow import choose
from attnflow.engine.observe.cosines import many_cosines
from attnflow.engine.observe.energy import energy, log_partition
from attnflow.engine.observe.histogram import density
from attnflow.engine.summation.log_sum import log_normaliser
from attnflow.engine.summation.tiled import Tiled


def tokens(n, d, seed=0):
    x = np.random.default_rng(seed).normal(size=(n, d))
    return af.Particles(x / np.linalg.norm(x, axis=1, keepdims=True), np.random.default_rng(1).uniform(0.5, 1, n))


def test_fast_normalisers_and_energies_are_the_exact_ones():
    pytest.importorskip("jax_finufft")
    flow, mu = af.Flow(af.Sphere(), af.Softmax(beta=30.0)), tokens(3000, 2)
    assert not isinstance(choose("auto", flow, mu), Tiled)
    scores = 30 * np.asarray(mu.x) @ np.asarray(mu.x).T
    logs = np.logaddexp.reduce(scores + np.log(np.asarray(mu.mass)), axis=1)
    assert_allclose(log_partition(flow, mu), logs, atol=1e-11)
    assert_allclose(energy(flow, mu), np.asarray(mu.mass) @ np.exp(logs) / 60, rtol=1e-11)


def test_normalisers_far_below_their_bound_are_summed_exactly():
    pytest.importorskip("jax_finufft")
    from attnflow.engine.summation.gauss import Gauss

    x = np.concatenate([np.random.default_rng(0).normal(size=(50, 2)), [[-60.0, 0], [0, 70.0]]])
    mu = af.Particles(x)
    kernel = af.Softmax().kernel(mu.x, mu)
    logs = np.logaddexp.reduce(x @ x.T, axis=1) - np.log(52)
    assert_allclose(jax.jit(log_normaliser)(kernel, Gauss((65, 65))), logs, rtol=1e-10)


@pytest.mark.parametrize("d", [2, 3])
def test_densities_integrate_to_one(d):
    seen = density(tokens(5000, d), bins=40)
    cell = np.prod([edge[1] - edge[0] for edge in seen.edges])
    assert_allclose(seen.density.sum() * cell, 1, rtol=1e-12)
    area = {2: 2 * np.pi, 3: 4 * np.pi}[d]
    # Sampling noise of 5000 tokens in 40 or 800 cells.
    assert np.abs(seen.density * area - 1).max() < {2: 0.4, 3: 2.0}[d]


@pytest.mark.parametrize("d", [2, 3])
def test_cosines_of_many_tokens_are_those_of_all_pairs(d):
    mu = tokens(700, d)
    exact, seen = af.cosines(mu, deltas=(0.1,)), many_cosines(mu, deltas=(0.1,))
    assert_allclose(seen.mean, exact.mean, rtol=1e-12)
    # Cells of 1e-4 of the angle, or a million sampled pairs.
    assert_allclose(seen.histogram(16)[0], exact.histogram(16)[0], atol=2e-3)
    assert_allclose(seen.fraction_above(0.1), exact.fraction_above(0.1), atol=2e-3)
    assert_allclose(seen.counts.sum(), 1, rtol=1e-9)


def test_refusals():
    with pytest.raises(ValueError, match="dimension at most 3, got 5"):
        density(tokens(10, 5))
