"""The claims on Sinkhorn attention and heat flow: predictions, checks of runs, hunts."""

import numpy as np
import pytest

import attnflow as af
from attnflow.papers.agarwal2024.hunts import divergence
from attnflow.papers.hunt import falsify
from attnflow.papers.register import ask

PAPERS = ("agarwal2024", "sander2022")


def about(run):
    return {check.claim: check for paper in PAPERS for check in af.check(run, paper=paper)}


def said(flow, mu):
    return {p.claim: p for paper in PAPERS for p in af.predict(flow, mu, paper=paper)}


@pytest.fixture(scope="module")
def verdicts():
    return {(v.claim, v.statement): v for paper in PAPERS for v in falsify(paper, seed=1)}


def test_printed_statements_that_fall(verdicts):
    refuted = {key for (key, statement), v in verdicts.items() if statement == "printed" and v.outcome == "refuted"}
    assert refuted == {"agarwal2024.proposition1", "sander2022.theorem1", "sander2022.proposition4"}


def test_other_statements_stand(verdicts):
    fallen = {"agarwal2024.proposition1", "sander2022.theorem1", "sander2022.proposition4"}
    for (key, statement), v in verdicts.items():
        assert v.trials > v.undecided and np.isfinite(v.worst)
        assert (v.outcome == "not refuted") == (statement == "corrected" or key not in fallen)


def test_bridge_runs_are_checked_through_the_front_door():
    mu = af.quadrature_nodes(lambda x: np.exp(-(x**2) / 2), 181, low=-9.0, high=9.0)
    run = af.bridge(mu, 0.1, steps=5, is_sampled=False)
    checks = {check.claim: check.outcome for check in af.check(run)}
    assert checks["agarwal2024.heat_flow"] == "holds" and checks["agarwal2024.free_energy"] == "consistent"
    assert "error" not in checks.values()
    assert "agarwal2024.heat_flow" in {one.claim for one in af.predict(run.flow, run.at(0))}


def test_a_narrow_mixture_is_judged_by_its_local_widths():
    """Errors of the scheme follow the widths of the parts, 0.05, not the variance of the whole, 4.05."""
    bump = lambda x: np.exp(-((np.abs(x) - 2) ** 2) / 0.1)  # noqa: E731
    run = af.bridge(af.quadrature_nodes(bump, 701, low=-5.0, high=5.0), 0.1, until=1.0, is_sampled=False)
    assert about(run)["agarwal2024.heat_flow"].outcome == "holds"


def test_an_unresolved_run_decides_nothing(rng):
    assert about(af.bridge(rng.normal(size=(50, 20)), 0.1, steps=2))["agarwal2024.heat_flow"].outcome == "undecided"


def test_samples_do_not_refute_a_statement_about_densities(rng):
    run = af.bridge(rng.normal(size=(400, 1)), 0.1, steps=10)
    assert about(run)["agarwal2024.heat_flow"].outcome != "refuted"


def test_a_partial_step_is_outside_the_hypotheses(rng):
    run = af.bridge(rng.normal(size=(50, 1)), 0.1, steps=2, step=af.Heat(fraction=0.5))
    assert about(run) == {}
    missing = {one.claim.key: one.missing for one in ask(run.flow, run.at(0), paper="agarwal2024") if one.missing}
    assert missing["agarwal2024.heat_flow"][0].margin == -0.5


def test_evolved_sinkhorn_attention_descends_and_moves_its_mean(rng):
    B = np.array([[1.0, 0.4], [0.4, 0.5]])
    flow = af.Flow(af.Euclidean(), af.Sinkhorn(B, eps=0.5), V=-2 * B)
    run = af.evolve(flow, af.Particles(rng.normal(size=(6, 2)) + 1, rng.random(6)), until=1.0, save=6)
    assert {key: check.outcome for key, check in about(run).items()} == {
        "sander2022.proposition2": "holds", "sander2022.mean": "holds",
    }  # fmt: skip


def test_gaussian_predictions():
    found = said(af.Flow(af.Euclidean(), af.Sinkhorn(eps=0.1)), af.Gaussian([0.0], [[1.0]]))
    assert abs(found["agarwal2024.proposition1"].numbers["distance"] - 1.249220e-3) < 5e-10
    assert abs(found["agarwal2024.theorem1"].numbers["divergence"] - 8.2456e-8) < 1e-11


def test_the_langevin_law_on_nodes_has_the_divergence_of_the_closed_form():
    from attnflow.theory.heat.gaussian_transport import langevin_divergence
    from attnflow.theory.heat.mixture import GaussianMixture

    # Densities below 1e-13 are left out.
    assert divergence(GaussianMixture([1.0], [[0.0]], 1.0), 0.4) == pytest.approx(langevin_divergence(0.2), rel=1e-5)


def test_foreign_flows_are_left_alone(rng):
    mu = af.Particles(rng.normal(size=(5, 2)))
    flows = [
        af.Flow(af.Sphere(), af.Softmax()),
        af.Flow(af.Euclidean(), af.Sinkhorn(), V=lambda t: t),
        af.Flow(af.Euclidean(), af.Sinkhorn(iterations=3)),
        af.rescale(af.Flow(af.Euclidean(), af.Softmax())),
    ]
    for flow in flows:
        for measure in (mu, af.Particles(mu.x[:, :1]), af.Gaussian(np.zeros(2), np.eye(2))):
            asked = [one for paper in PAPERS for one in ask(flow, measure, paper=paper)]
            assert not any(one.applies or one.error for one in asked)
