"""Runs as users meet them: statuses, saved times, transformations, batches, merging."""

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from numpy.testing import assert_allclose

import attnflow as af
from attnflow.engine.attention import Scored
from attnflow.engine.attention.score import Score
from attnflow.engine.evolution.solve import compiled
from attnflow.engine.summation.kernel import Exponential, Kernel

FLOW = af.Flow(af.Sphere(), af.Softmax(beta=3.0))


def prompt(n=6, d=3, seed=0):
    return af.Particles(np.random.default_rng(seed).normal(size=(n, d)))


def test_a_run_remembers():
    run = af.evolve(FLOW, prompt(), until=2.0, save=5)
    assert run.x.shape == (5, 6, 3) and run.ts.shape == (5,)
    assert run.status == af.Status.DONE and run.status.name == "DONE" and float(run.status.time) == 2.0
    assert_allclose(run.last.x, run.x[-1])
    assert_allclose(run.ts, [0, 0.5, 1, 1.5, 2])


def test_any_save_times_may_be_asked_for():
    run = af.evolve(FLOW, prompt(), until=2.0, save=[0.3, 1.9])
    assert_allclose(run.ts, [0.3, 1.9])
    assert float(run.status.time) == 2.0


NOISY = af.Flow(af.Sphere(), af.Softmax(beta=3.0), noise=0.4)


@pytest.mark.slow
def test_every_kind_of_run_goes_on_to_its_end():
    gaussian = af.Flow(af.Euclidean(), af.Softmax(-0.1)), af.Gaussian(np.zeros(2), np.eye(2)), {}
    density = FLOW, af.Density(1 + 0.1 * np.cos(2 * np.pi * np.arange(32) / 32)), {"tol": 1e-6}
    tokens = (FLOW, prompt(), {"merge": 1e-6}), (FLOW, [prompt()] * 2, {}), (NOISY, prompt(), {})
    for flow, mu, options in (*tokens, gaussian, density):
        run = (af.evolve_batch if isinstance(mu, list) else af.evolve)(flow, mu, until=2.0, save=[0.3, 1.9], **options)
        assert_allclose(np.atleast_2d(run.ts)[0], [0.3, 1.9])
        assert (np.asarray(run.status.time) == 2.0).all()


def test_a_field_that_ceases_to_be_finite_is_named():
    flow = af.Flow(af.Sphere(), af.Softmax(beta=3.0), V=lambda t: jnp.where(t > 1, jnp.nan, 1.0))
    run = af.evolve(flow, prompt(), until=2.0, save=5)
    assert run.status == af.Status.NOT_FINITE
    assert_allclose(run.status.time, 1.0, atol=1e-12)
    assert np.isfinite(run.x).all()


def test_resting_tokens_stop_a_run():
    run = af.evolve(FLOW, prompt(), until=1000.0, steady=1e-6, save=11)
    assert run.status == af.Status.STEADY
    assert 5 < float(run.status.time) < 1000
    assert float(jnp.abs(af.velocity(FLOW, run.last)).max()) < 1e-6
    assert float(run.ts[-1]) == float(run.status.time)


def test_exponential_growth_ends_where_numbers_end():
    run = af.evolve(af.Flow(af.Euclidean(), af.Softmax()), af.Particles([[1.2]]), until=1000.0, save=1001)
    assert run.status == af.Status.BLOW_UP
    assert 300 < float(run.status.time) < 330
    assert np.isfinite(run.x).all()


def test_out_of_steps_keeps_the_finished_part():
    run = af.evolve(FLOW, prompt(), until=50.0, save=501, max_steps=10, tol=1e-10)
    assert run.status == af.Status.OUT_OF_STEPS
    assert 1 < len(run.ts) < 501 and np.isfinite(run.x).all()
    longer = af.evolve(FLOW, prompt(), until=50.0, save=501, tol=1e-10)
    assert_allclose(run.x[:-1], longer.x[: len(run.ts) - 1], atol=1e-12)


def end_of_run(x, beta, **options):
    flow = af.Flow(af.Sphere(), af.Softmax(beta=beta))
    return af.evolve(flow, af.Particles(x), until=1.0, save=2, tol=1e-10, **options).x[-1]


def test_evolve_inside_jit_and_grad():
    x = prompt().x
    plain = end_of_run(x, 2.0)
    assert_allclose(jax.jit(end_of_run)(x, 2.0), plain, atol=1e-9)
    cubes = lambda b: jnp.sum(end_of_run(x, b) ** 3)  # noqa: E731
    h = 1e-4
    difference = (cubes(2.0 + h) - cubes(2.0 - h)) / (2 * h)
    assert_allclose(jax.grad(cubes)(2.0), difference, rtol=1e-5)  # central difference of step 1e-4


@pytest.mark.slow
def test_evolve_inside_vmap_and_forward_derivatives():
    x = prompt().x
    several = jax.vmap(end_of_run, in_axes=(None, 0))(x, jnp.asarray([1.0, 2.0]))
    assert_allclose(several[1], end_of_run(x, 2.0), atol=1e-9)
    backward = jax.grad(lambda b: jnp.sum(end_of_run(x, b) ** 3))(2.0)
    forward = lambda b: jnp.sum(end_of_run(x, b, derivatives="forward") ** 3)  # noqa: E731
    assert_allclose(jax.jvp(forward, (2.0,), (1.0,))[1], backward, rtol=1e-10)


def test_a_batch_is_its_members():
    flows = [af.Flow(af.Sphere(), af.Softmax(beta=b)) for b in (1.0, 2.0)]
    mus = [prompt(seed=1), prompt(seed=2)]
    together = af.evolve_batch(flows, mus, until=1.0, save=3)
    assert together.x.shape == (2, 3, 6, 3)
    for i in (0, 1):
        assert_allclose(together.x[i], af.evolve(flows[i], mus[i], until=1.0, save=3).x, atol=1e-12)
    seeds = af.evolve(flows[0], af.Particles(jnp.stack([mu.x for mu in mus])), until=1.0, save=3)
    assert_allclose(seeds.x[0], together.x[0], atol=1e-12)
    for batch in (seeds, together):
        member = batch.member(1)
        assert member.x.shape == (3, 6, 3) and member.flow.V.ndim == 0
        assert len(af.check(member)) == len(af.check(af.evolve(member.flow, mus[1], until=1.0, save=3))) > 0


class Stretched(Scored):
    """Softmax with scores times a number kept as it was given."""

    score: Score
    factor: float | jax.Array

    def __init__(self, factor):
        self.score, self.factor = Score(None, None, None, 1.0), factor

    def kernel(self, x, mu):
        return Kernel(self.factor * self.score.queries(x), self.score.keys(mu.x), mu.mass, Exponential())


@pytest.mark.slow
def test_plain_numbers_of_own_rules_differ_within_a_batch():
    flows = [af.Flow(af.Sphere(), Stretched(factor)) for factor in (1.0, 3.0)]
    together = af.evolve_batch(flows, prompt(), until=1.0, save=3)
    for k, flow in enumerate(flows):
        assert_allclose(together.x[k], af.evolve(flow, prompt(), until=1.0, save=3).x, atol=1e-12)


def test_a_batch_of_one_is_a_batch():
    assert af.evolve_batch([FLOW], [prompt()], until=1.0, save=3).x.shape == (1, 3, 6, 3)


def test_noise_has_its_strength():
    still = af.Flow(af.Sphere(), af.Softmax(), V=0.0, noise=0.6)
    north = af.Particles(np.tile([0.0, 0.0, 1.0], (2000, 1)))
    run = af.evolve(still, north, until=1.0, save=[0.0, 1.0], step=0.05)
    # Brownian motion on S²: E x = e^{-σ²t} x₀; 2000 tokens leave an error of 0.008.
    assert_allclose(np.asarray(run.x[-1]).mean(axis=0), [0, 0, np.exp(-0.36)], atol=0.03)


@pytest.mark.slow
def test_members_of_a_batch_have_noise_of_their_own():
    still = af.Flow(af.Sphere(), af.Softmax(), V=0.0, noise=0.6)
    north = jnp.tile(jnp.asarray([0.0, 0.0, 1.0]), (40, 100, 1))
    run = af.evolve(still, af.Particles(north), until=1.0, save=[0.0, 1.0], step=0.05)
    means = np.asarray(run.x[:, -1]).mean(axis=1)
    # Brownian motion on S²: E x = e^{-σ²t} x₀; 4000 tokens leave an error of about 0.01.
    assert_allclose(means.mean(axis=0), [0, 0, np.exp(-0.36)], atol=0.04)
    assert len(np.unique(means[:, 2])) == 40
    again = af.evolve_batch(still, list(map(af.Particles, north)), until=1.0, save=[0.0, 1.0], step=0.05)
    assert_allclose(again.x, run.x, atol=0)


@pytest.mark.slow
def test_fixed_steps_and_noise_inside_jit():
    for flow, options in ((FLOW, {"method": "rk4"}), (NOISY, {"seed": 3})):

        def end(x, flow=flow, options=options):
            return af.evolve(flow, af.Particles(x), until=1.0, save=3, step=0.1, **options).x

        assert_allclose(jax.jit(end)(prompt().x), end(prompt().x), atol=1e-13)


def test_equal_shapes_share_one_compilation():
    before = compiled._cached._cache_size()
    for beta, tol in ((1.1, 1e-7), (1.2, 1e-8), (1.3, 1e-9)):
        af.evolve(af.Flow(af.Sphere(), af.Softmax(beta=beta)), prompt(seed=7), until=1.0 + beta, save=4, tol=tol)
    assert compiled._cached._cache_size() - before <= 1


def test_merged_tokens_go_on_as_one_heavier_token():
    flow = af.Flow(af.Sphere(), af.Softmax(beta=9.0))
    mu = prompt(n=24, d=2, seed=3)
    plain = af.evolve(flow, mu, until=20.0, save=5, tol=1e-10)
    merged = af.evolve(flow, mu, until=20.0, save=5, tol=1e-10, merge=1e-7)
    assert merged.x.shape == plain.x.shape and len(merged.merges) > 0
    # Tokens are moved by at most the tolerance, many times over in a cascade.
    assert_allclose(merged.x, plain.x, atol=1e-6)
    labels = np.asarray(merged.labels)
    assert len(set(labels[-1])) < 24 and len(set(labels[0])) == 24
    assert_allclose(merged.x[-1], merged.x[-1][labels[-1]], atol=0)
    assert merged.status == af.Status.DONE


@pytest.mark.slow
def test_metastable_runs_reach_a_million():
    flow = af.Flow(af.Sphere(), af.Softmax(beta=20.0))
    run = af.evolve(flow, prompt(n=24, d=2, seed=3), until=1e6, save=[1e2, 1e6], merge=1e-6)
    assert run.status == af.Status.DONE and int(run.steps) < 5000


def test_two_merged_clusters_meet_when_the_quadrature_says():
    # Masses (1, 3) at angle 1, β = 5: 5.602437 until the angle is 0.01 (004, section 8.2).
    angle = np.array([0.0, 1.0, 1.0, 1.0])
    mu = af.Particles(np.stack([np.cos(angle), np.sin(angle)], axis=1))
    flow = af.Flow(af.Sphere(), af.Softmax(beta=5.0))
    run = af.evolve(flow, mu, until=5.602437, save=[5.602437], tol=1e-12, merge=1e-9)
    assert_allclose(af.Sphere().distance(run.x[-1, 0], run.x[-1, 1]), 0.01, rtol=1e-5)  # seven digits of time are given


def test_labelled_arrays_and_tensors_are_tokens_too():
    x = np.random.default_rng(0).normal(size=(4, 2))
    for given in (pd.DataFrame(x, columns=["a", "b"]), xr.DataArray(x, dims=("token", "coordinate")), Tensor(x)):
        np.testing.assert_array_equal(af.Particles(given).x, x)


class Tensor:
    """What a tensor of PyTorch offers, gradient and all."""

    def __init__(self, x):
        self.x, self.is_detached = x, False

    def detach(self):
        self.is_detached = True
        return self

    def cpu(self):
        return self

    def __array__(self, dtype=None, copy=None):
        assert self.is_detached, "a tensor that requires its gradient refuses"
        return np.asarray(self.x, dtype)


def test_objects_say_what_they_are():
    flow = af.Flow(af.Sphere(), af.Softmax(beta=9.0), V=2.0)
    run = af.evolve(flow, prompt(), until=1.0, save=5)
    assert "beta = 9" in repr(flow) and "V = 2" in repr(flow) and "Sphere" in repr(flow)
    assert "6" in repr(run) and "DONE at t = 1" in repr(run)
    for thing in (flow, run, run.last, af.Gaussian([0.0], [[1.0]]), af.rescale(af.Flow(af.Euclidean(), af.Softmax()))):
        assert len(repr(thing).splitlines()) == 1 and "<table>" in thing._repr_html_()
