"""Phase diagrams: the reduced, adaptive engine against direct runs, and its boundary against the closed curve."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af
from attnflow.engine.evolution.integrators.counting import merged_pairs
from attnflow.papers.geshkovski2024.figures import random_weights
from attnflow.papers.kept import Kept
from attnflow.theory.sphere.equiangular import time_to
from attnflow.theory.sphere.phase_diagram.diagram import _starts, numpy_scheme, phase_diagram, weighted_phase_diagram
from attnflow.theory.sphere.phase_diagram.systems import Gaps, tokens_under

TIMES = np.linspace(0.5, 12.0, 24)


def test_two_tokens_merge_when_the_closed_clock_says():
    gaps = jnp.ones((3, 2, 2)) * (1 - jnp.eye(2))
    times = jnp.linspace(0.0, 6.0, 601)
    found = merged_pairs(Gaps(jnp.asarray(2.0), 1e-3, "SA"), gaps, times=times, delta=1e-3, tol=1e-6, step=0.1, width=2)
    assert set(np.asarray(found).tolist()) == {0.0, 1.0}
    merging = float(times[np.argmax(found)])
    assert merging - 0.01 < time_to(1 - 1e-3, n=2, beta=2.0) <= merging


def test_a_run_that_cannot_go_on_counts_as_no_number():
    gaps = jnp.stack([jnp.ones((2, 2)) - jnp.eye(2), jnp.full((2, 2), jnp.nan)])
    system, times = Gaps(jnp.asarray(2.0), 1e-3, "SA"), jnp.linspace(0.5, 6.0, 12)
    assert np.isnan(merged_pairs(system, gaps, times=times, delta=1e-3, tol=1e-6, step=0.1, width=2)).all()


@pytest.mark.parametrize("d", [3, 16])
@pytest.mark.broad(1)
def test_shares_are_those_of_direct_runs(d):
    n, runs, beta = 8, 4, 2.0
    found = phase_diagram([beta], TIMES, n=n, d=d, runs=runs, seed=1, tol=1e-4)
    starts = np.asarray(_starts(jax.random.key(1), (1, runs), n, d))[0].astype(float)
    batch = af.evolve_batch(af.Flow(af.Sphere(), af.Softmax(beta=beta)), af.Particles(starts), until=12.0, save=TIMES)
    merged = np.einsum("bkid,bkjd->bkij", batch.x, batch.x) > 1 - 1e-3
    direct = (merged.sum(axis=(2, 3)) - n) / (n * (n - 1))
    # A pair may cross the threshold a rounding error earlier: single precision in the engine, so one pair is allowed.
    assert_allclose(found.share[0], direct.mean(axis=0), atol=2.1 / (n * (n - 1) * runs))


def direct_shares(B, V, beta, starts):
    flow = af.Flow(af.Sphere(), af.Softmax(B=B, beta=beta), V=V)
    x = np.asarray(af.evolve_batch(flow, af.Particles(starts), until=float(TIMES[-1]), save=TIMES).x)
    n = starts.shape[1]
    merged = np.einsum("bkid,bkjd->bkij", x, x) > 1 - 1e-3
    return ((merged.sum(axis=(2, 3)) - n) / (n * (n - 1))).mean(axis=0)


@pytest.mark.parametrize("kind", ["a", *(pytest.param(k, marks=pytest.mark.slow) for k in "bc"), "d"])
@pytest.mark.broad(1)
def test_shares_under_weights_are_those_of_direct_runs(kind):
    rng = np.random.default_rng(ord(kind))
    B, V = random_weights(kind, 16, rng)
    # One start is united at first; near the lowest eigenvector of a symmetric V it parts and unites again.
    starts = rng.normal(size=(4, 8, 16))
    starts[3] = np.linalg.eigh(V + V.T)[1][:, 0] + 2e-3 * starts[3]
    assert tokens_under(B, V, until=12.0, delta=1e-3)[0].B.ndim == (1 if kind == "d" else 2)
    found = weighted_phase_diagram(B, V, betas=[1.0], times=TIMES, starts=starts, tol=1e-4, dtype=jnp.float64)[0]
    assert_allclose(found, direct_shares(B, V, 1.0, starts), atol=1e-12)
    if kind == "d":
        alone = weighted_phase_diagram(B, V, betas=[1.0], times=TIMES, starts=starts[3:], tol=1e-4, dtype=jnp.float64)[
            0
        ]
        assert alone[0] == 1 and alone.min() < 0.5


@pytest.mark.slow
def test_single_precision_does_not_show():
    rng = np.random.default_rng(2)
    B, V = random_weights("b", 16, rng)
    starts = rng.normal(size=(32, 8, 16))
    exact = weighted_phase_diagram(B, V, betas=[0.5, 6.0], times=TIMES, starts=starts, tol=1e-5, dtype=jnp.float64)
    quick = weighted_phase_diagram(B, V, betas=[0.5, 6.0], times=TIMES, starts=starts)
    # The tolerance of the figure moves merging times by some thousandths; a cell of the grid is 0.5.
    assert np.abs(exact - quick).mean() < 2e-3 and np.abs(exact - quick).max() < 0.05


def test_an_interrupted_diagram_goes_on_where_it_stopped(tmp_path):
    rng = np.random.default_rng(1)
    B, V = random_weights("d", 16, rng)
    starts, betas, made = rng.normal(size=(4, 8, 16)), [0.1, 1.0, 2.0], []

    def part(kept, stop):
        def make_or_stop(name, make):
            made.append(name)
            if name == stop:
                raise KeyboardInterrupt
            return make()

        return lambda name, make: kept.part(name, lambda: make_or_stop(name, make))

    kept = Kept(tmp_path / "parts").given(B, V, TIMES, starts)
    options = {"starts": starts, "tol": 1e-4, "dtype": jnp.float64}
    with pytest.raises(KeyboardInterrupt):
        weighted_phase_diagram(B, V, betas=betas, times=TIMES, **options, part=part(kept, "beta2"))
    again = weighted_phase_diagram(B, V, betas=betas, times=TIMES, **options, part=part(kept, None))
    assert sorted(made) == ["beta0.1", "beta1", "beta2", "beta2"]
    assert_allclose(again, weighted_phase_diagram(B, V, betas=betas, times=TIMES, **options), atol=0)
    assert Kept(tmp_path / "parts").given(B, V, TIMES, starts + 1).part("beta1", lambda: np.zeros(1)).tolist() == [0]
    kept.forget()
    assert not (tmp_path / "parts").exists()


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
    assert_allclose(numpy_scheme(starts[:1], [4.0], beta=2.0)[0], share, atol=1e-12)


def test_times_must_increase():
    with pytest.raises(ValueError, match="increase"):
        phase_diagram([1.0], [1.0, 1.0])


def test_sizes_must_make_sense():
    for size in ({"n": 1}, {"d": 1}, {"runs": 0}):
        with pytest.raises(ValueError, match="needs n >= 2"):
            phase_diagram([1.0], [1.0], **size)
