"""Sums over tight groups through their moments, and sums in single precision, against exact ones and their own bounds."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import attnflow as af
from attnflow.engine.evolution import condensing
from attnflow.engine.linalg.rows import unit_rows
from attnflow.engine.summation.condensed import Condensed, grouped
from attnflow.engine.summation.single import Single
from attnflow.engine.summation.tiled import Tiled

EXACT = Tiled(is_bounded=True)


def gathered(n: int, d: int, *, groups: int, width: float, loose: int = 0, seed: int = 0) -> af.Particles:
    """Tokens around some centres, with masses of their own, and some anywhere."""
    rng = np.random.default_rng(seed)
    x = unit_rows(rng.normal(size=(groups, d)))[rng.integers(0, groups, n)] + width * rng.normal(size=(n, d)) / d**0.5
    x[:loose] = rng.normal(size=(loose, d))
    order = rng.permutation(n)
    return af.Particles(unit_rows(x)[order], rng.uniform(0.5, 2, n))


def kernel_of(mu, rule=None):
    return (af.Softmax(beta=9.0) if rule is None else rule).kernel(mu.x, mu)


@pytest.mark.parametrize(
    "groups, d, loose, rule",
    [
        (1, 16, 0, None),
        (3, 8, 40, None),
        (5, 4, 10, af.Softmax(B=np.array([[2.0, 1, 0, 0], [0, 1, 0, 0], [0, -1, 1, 0], [0, 0, 0, 3]]), beta=2.0)),
    ],
)
def test_errors_stay_below_their_bounds(groups, d, loose, rule):
    bounds = []
    for width in (0.1, 0.02, 0.002):
        mu = gathered(900, d, groups=groups, width=width, loose=loose)
        found = grouped(np.asarray(mu.x), 2.5 * width)
        assert found is not None
        kernel, tol = kernel_of(mu, rule), 1e-8
        heard = Condensed(found, tol, EXACT).hear(kernel, mu.x)
        error = np.abs(np.asarray(heard.sums - EXACT.sum(kernel, mu.x))).max(axis=1)
        bound = np.asarray(heard.excess) * tol * np.abs(np.asarray(mu.x)).max()
        assert np.all(error <= bound + 1e-14)
        bounds.append(np.median(bound))
    # Weights err by the fourth power of the width, and means by that times what is heard apart: one group, or others.
    assert 0.8 < np.log10(bounds[1] / bounds[2]) / (5 if groups == 1 else 4) < 1.3


def test_listeners_that_could_err_too_much_hear_every_token():
    mu = gathered(600, 6, groups=2, width=0.1, loose=20)
    kernel = kernel_of(mu)
    sums = Condensed(grouped(np.asarray(mu.x), 0.3), 1e-9, EXACT)
    assert bool(jnp.any(sums.hear(kernel, mu.x).is_wrong))
    with pytest.warns(af.errors.Notice, match="could not hold"):
        found = sums.sum(kernel, mu.x)
        jax.effects_barrier()
    np.testing.assert_allclose(found, EXACT.sum(kernel, mu.x), rtol=0, atol=1e-9)


def test_tokens_that_are_spread_out_form_no_groups():
    assert grouped(np.asarray(af.uniform_sphere(600, 5, seed=0).x), 0.05) is None


def test_derivatives_of_condensed_sums():
    """Centres of groups are only where sums are expanded, so that derivatives of the sums are those of exact ones."""
    mu = gathered(300, 4, groups=2, width=1e-3)
    sums = Condensed(grouped(np.asarray(mu.x), 3e-3), 1e-8, EXACT)
    way = jnp.asarray(np.random.default_rng(1).normal(size=mu.x.shape))
    along = lambda how: jax.jvp(lambda x: how.sum(kernel_of(mu.moved_to(x)), x), (mu.x,), (way,))[1]  # noqa: E731
    # The derivative of what is left out is of first order in |ε||δ| = 9e-6 times the spread of what is heard.
    np.testing.assert_allclose(along(sums), along(EXACT), atol=3e-4)


def test_sums_in_single_precision_are_checked():
    mu = af.uniform_sphere(2500, 16, seed=0)
    kernel, truth = kernel_of(mu), EXACT.sum(kernel_of(mu), mu.x)
    rough, strict = Single(1e-6, EXACT).sum(kernel, mu.x), Single(1e-12, EXACT).sum(kernel, mu.x)
    across = np.asarray(af.Sphere().tangent(mu.x, rough - truth))
    assert 1e-12 < np.abs(across).max() < 1e-7
    np.testing.assert_allclose(strict, truth, rtol=0, atol=1e-14)


@pytest.mark.parametrize("tol", [1e-6, pytest.param(1e-9, marks=pytest.mark.slow)])
def test_a_run_that_gathers_is_the_exact_run(tol, monkeypatch):
    monkeypatch.setattr(condensing, "FEWEST", 512)
    seen = []
    condensed = condensing._condensed
    monkeypatch.setattr(condensing, "_condensed", lambda *args: seen.append(condensed(*args)) or seen[-1])
    flow, mu = af.Flow(af.Sphere(), af.Softmax(beta=4.0)), af.uniform_sphere(640, 8, seed=1)
    options = {"until": 40.0, "save": [0.0, 3.0, 6.0, 12.0, 25.0, 40.0], "tol": tol}
    run, exact = (af.evolve(flow, mu, summation=how, **options) for how in ("auto", "exact"))
    assert run.status == af.Status.DONE and any(sums is not None for sums in seen)
    np.testing.assert_array_equal(run.ts, exact.ts)
    # The tolerance holds for each step; what tokens do before they gather makes errors ten times larger.
    np.testing.assert_allclose(run.x, exact.x, atol=30 * tol)


def test_a_run_that_gathers_keeps_what_it_reached(monkeypatch):
    monkeypatch.setattr(condensing, "FEWEST", 512)
    flow, mu = af.Flow(af.Sphere(), af.Softmax(beta=4.0)), gathered(512, 8, groups=1, width=1e-3)
    run = af.evolve(flow, mu, until=400.0, save=[0.0, 1.0, 400.0], max_steps=20, tol=1e-9)
    assert run.status == af.Status.OUT_OF_STEPS and int(run.steps) == 20
    assert list(np.asarray(run.ts[:2])) == [0.0, 1.0] and 1 < float(run.ts[2]) == float(run.status.time) < 400


@pytest.mark.parametrize("square, is_over", [(-1.0, False), (1e-6, True)])
def test_tokens_that_were_looked_at_in_vain_stop_no_run(square, is_over):
    """Squares of distances between equal tokens are rounding, of any sign."""
    x = jnp.broadcast_to(af.uniform_sphere(1, 7, seed=0).x, (640, 7))
    flow = condensing.UntilGathered(af.Flow(af.Sphere(), af.Softmax()), jnp.asarray(square))
    assert bool(flow.stops(x, 0.0)) == is_over
