"""Phase diagrams: the reduced, adaptive engine against direct runs, and its boundary against the closed curve."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af
from attnflow.theory import observed_run
from attnflow.theory.phase_diagram import _starts, numpy_scheme, phase_diagram

TIMES = np.linspace(0.5, 12.0, 24)


def test_observed_run_is_the_equation():
    times = jnp.linspace(0.0, 3.0, 13)
    found = observed_run.observed(
        lambda y: -y,
        jnp.ones(2),
        times,
        lambda y: y[0],
        lambda y: y[0] < 1e-9,
        scale=jnp.ones_like,
        tol=1e-9,
        finished=0.0,
    )
    assert_allclose(found, np.exp(-times), atol=1e-7)  # global error of many steps with local error 1e-9


@pytest.mark.parametrize("d", [3, 16])
def test_shares_are_those_of_direct_runs(d):
    n, runs, beta = 8, 4, 2.0
    found = phase_diagram([beta], TIMES, n=n, d=d, runs=runs, seed=1, tol=1e-4)
    starts = np.asarray(_starts(jax.random.key(1), (1, runs), n, d))[0].astype(float)
    batch = af.evolve_batch(af.Flow(af.Sphere(), af.Softmax(beta=beta)), af.Particles(starts), until=12.0, save=TIMES)
    merged = np.einsum("bkid,bkjd->bkij", batch.x, batch.x) > 1 - 1e-3
    direct = (merged.sum(axis=(2, 3)) - n) / (n * (n - 1))
    # A pair may cross the threshold a rounding error earlier: single precision in the engine, so one pair is allowed.
    assert_allclose(found.share[0], direct.mean(axis=0), atol=2.1 / (n * (n - 1) * runs))


def test_reduced_starts_have_the_law_of_uniform_tokens():
    n, d, runs = 4, 6, 40000
    reduced = np.asarray(_starts(jax.random.key(0), (1, runs), n, d))[0]
    cosines = np.einsum("bid,bjd->bij", reduced, reduced)
    off = cosines[:, ~np.eye(n, dtype=bool)]
    assert_allclose((off**2).mean(), 1 / d, rtol=0.02)  # sampling error of 40000 starts
    triple = (cosines[:, 0, 1] * cosines[:, 1, 2] * cosines[:, 2, 0]).mean()
    assert_allclose(triple, 1 / d**2, rtol=0.1)  # the same, for a third moment


def test_boundary_follows_the_closed_curve_in_high_dimension():
    found = phase_diagram([1.0, 4.0], TIMES, n=8, d=512, runs=32)
    assert np.abs(found.boundary() - found.curve).max() < 1.0  # two cells of the time grid
    assert (found.share[:, 0] == 0).all() and found.share[0, -1] == 1


def test_unnormalised_attention_runs_on_its_own_clock():
    found = phase_diagram([2.0], np.linspace(0.05, 4, 80), n=8, d=512, runs=16, model="USA")
    assert abs(found.boundary()[0] - found.curve[0]) < 0.25  # finite dimension


def test_yardstick_is_the_layer_map():
    starts = np.asarray(_starts(jax.random.key(0), (1, 2), 8, 16))[0].astype(float)
    flow = af.Flow(af.Sphere(), af.Softmax(beta=2.0))
    run = af.layers(flow, af.Particles(starts[0]), 40, 0.1)
    merged = jnp.einsum("id,jd->ij", run.x[-1], run.x[-1]) > 1 - 1e-3
    share = (int(merged.sum()) - 8) / 56
    assert_allclose(numpy_scheme(2.0, [4.0], starts[:1])[0], share, atol=1e-12)


def test_times_must_increase():
    with pytest.raises(ValueError, match="increase"):
        phase_diagram([1.0], [1.0, 1.0])


def test_sizes_must_make_sense():
    for size in ({"n": 1}, {"d": 1}, {"runs": 0}):
        with pytest.raises(ValueError, match="needs n >= 2"):
            phase_diagram([1.0], [1.0], **size)
