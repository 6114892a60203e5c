"""The claims on Sinkhorn attention and heat flow: predictions, checks of runs, searches."""

import numpy as np
import pytest

import attnflow as af
from attnflow.theory.claim import claims, falsify


def about(run):
    return {c.key: c.check(run) for c in claims("agarwal2024") if c.check and c.applies(run.flow, run.at(0))}


@pytest.fixture(scope="module")
def verdicts():
    return {(v.claim.split(".")[1], v.statement): v for v in falsify("agarwal2024", seed=1)}


def test_printed_statements_that_fall(verdicts):
    refuted = {name for (name, statement), v in verdicts.items() if statement == "printed" and v.outcome == "refuted"}
    assert refuted == {"one_step", "sinkformer_limit", "softmax_limit"}


def test_corrected_statements_stand(verdicts):
    assert all(v.outcome == "not refuted" for (_, statement), v in verdicts.items() if statement == "corrected")
    assert all(v.trials > 0 and np.isfinite(v.worst) for v in verdicts.values())


def test_bridge_runs_are_checked():
    mu = af.quadrature_nodes(lambda x: np.exp(-(x**2) / 2), 181, low=-9.0, high=9.0)
    checks = about(af.bridge(mu, 0.1, steps=5, is_sampled=False))
    assert checks["agarwal2024.heat"].holds and checks["agarwal2024.energy"].holds
    circle = af.circle_nodes(200, density=lambda th: np.exp(np.cos(th)))
    checks = about(af.bridge(circle, 0.1, steps=5, space=af.Sphere(), is_sampled=False))
    assert checks["agarwal2024.sphere_heat"].holds


def test_an_unresolved_run_decides_nothing(rng):
    checks = about(af.bridge(rng.normal(size=(50, 20)), 0.1, steps=2))
    assert checks["agarwal2024.heat"].holds is None


def test_samples_do_not_refute_a_statement_about_densities(rng):
    run = af.bridge(rng.normal(size=(400, 1)), 0.1, steps=10)
    assert about(run)["agarwal2024.heat"].holds is not False


def test_a_partial_step_is_outside_the_hypotheses(rng):
    assert about(af.bridge(rng.normal(size=(50, 1)), 0.1, steps=2, step=af.Heat(fraction=0.5))) == {}


def test_evolved_sinkhorn_attention_descends_and_moves_its_mean(rng):
    B = np.array([[1.0, 0.4], [0.4, 0.5]])
    flow = af.Flow(af.Euclidean(), af.Sinkhorn(B, eps=0.5), V=-2 * B)
    run = af.evolve(flow, af.Particles(rng.normal(size=(30, 2)) + 1, rng.random(30)), until=1.0, save=6)
    checks = about(run)
    assert set(checks) == {"agarwal2024.sinkhorn_descent", "agarwal2024.mean"}
    assert all(check.holds for check in checks.values())


def test_gaussian_predictions():
    flow = af.Flow(af.Euclidean(), af.Sinkhorn(eps=0.1))
    said = {p.claim: p.numbers for c in claims("agarwal2024") if c.applies(flow, g := af.Gaussian([0.0], [[1.0]]))
            for p in [c.predict(flow, g)]}  # fmt: skip
    assert abs(said["agarwal2024.one_step"]["distance"] - 1.249220e-3) < 5e-10
    assert abs(said["agarwal2024.langevin"]["divergence"] - 8.2456e-8) < 1e-11


def test_foreign_flows_are_left_alone(rng):
    mu = af.Particles(rng.normal(size=(5, 2)))
    flow = af.Flow(af.Sphere(), af.Softmax())
    assert not any(c.applies(flow, mu) for c in claims("agarwal2024"))
