"""Claims of Burger et al. 2025 (arXiv 2501.03096): what they predict, how runs are checked, what searches find."""

import numpy as np
import pytest

import attnflow as af
from attnflow.theory.claim import claims


def by_key(key):
    return next(claim for claim in claims("burger2025") if claim.key == f"burger2025.{key}")


def prompt(n, d, seed=0):
    x = np.random.default_rng(seed).normal(size=(n, d))
    return af.Particles(x / np.linalg.norm(x, axis=1, keepdims=True))


def test_claims_about_other_flows_are_silent():
    mu = prompt(5, 3)
    others = [
        af.Flow(af.Euclidean(), af.Softmax(), V=1.0),
        af.Flow(af.Sphere(), af.Softmax(B=np.eye(3)), V=np.diag([1.0, 2, 3])),
        af.Flow(af.Sphere(), af.Sinkhorn(), V=1.0),
        af.Flow(af.Sphere(), af.Softmax(), V=lambda t: 1.0 + t),
        af.Flow(af.Sphere(), af.Causal(af.Softmax()), V=1.0),
    ]
    for flow in others:
        assert not any(claim.applies(flow, mu) for claim in claims("burger2025"))


def test_a_run_is_checked():
    B = np.diag([1, 1.25])
    flow, mu = af.Flow(af.Sphere(), af.Softmax(B=B), V=B), prompt(20, 2)
    run = af.evolve(flow, mu, until=60.0, save=101)
    names = {claim.key: claim.check(run) for claim in claims("burger2025") if claim.check and claim.applies(flow, mu)}
    assert names["burger2025.dissipation"].holds
    assert names["burger2025.maximum"].holds
    assert names["burger2025.clusters"].holds
    assert by_key("maximum").predict(flow, mu).numbers["energy"] == pytest.approx(np.exp(1.25))


def test_a_stable_pair_below_the_maximum_is_called_local():
    B = np.diag([1, 2.0])
    flow = af.Flow(af.Sphere(), af.Unnormalised(B=B), V=B)
    x = np.array([[0.05, 1], [-0.05, 1], [0.04, -1], [-0.06, -1]])
    run = af.evolve(flow, af.Particles(x / np.linalg.norm(x, axis=1, keepdims=True)), until=20.0, save=11)
    check = by_key("maximum").check(run)
    assert check.holds and "locally stable, not optimal" in check.words and check.numbers["gap"] > 0.4


def test_nonsymmetric_flows_are_warned_about():
    B = np.array([[1, 2.0], [0, 1]])
    flow = af.Flow(af.Sphere(), af.Softmax(B=B), V=B)
    assert not by_key("dissipation").applies(flow, prompt(5, 2))
    assert "not a gradient flow" in by_key("nonsymmetric").predict(flow, prompt(5, 2)).words


def test_four_peaks_are_predicted_and_reached():
    B, phi = np.diag([1.0, 2.0]), 0.9
    x = np.array([[np.cos(phi) * a, np.sin(phi) * b] for a in (1, -1) for b in (1, -1)])
    flow, claim = af.Flow(af.Sphere(), af.Unnormalised(B=B), V=-B), by_key("peaks")
    assert claim.applies(flow, af.Particles(x))
    assert claim.predict(flow, af.Particles(x)).numbers["u"] == pytest.approx(0.823768576384, abs=1e-11)
    check = claim.check(af.evolve(flow, af.Particles(x), until=30.0, save=3))
    assert check.holds and check.numbers["error"] < 1e-6


def test_beta_enters_the_predictions():
    B = np.diag([1.0, 0.5])
    hot = af.Flow(af.Sphere(), af.Softmax(B=B, beta=2.0), V=B)
    assert by_key("maximum").predict(hot, prompt(5, 2)).numbers["energy"] == pytest.approx(np.exp(2))


@pytest.mark.parametrize("key", ["dissipation", "stationary", "clusters", "peaks", "uniform", "step"])
def test_searches_do_not_refute(key):
    assert all(verdict.outcome == "not refuted" for verdict in by_key(key).falsify(1, 1))


def test_the_class_of_a_matrix_is_predicted():
    B = np.diag([-1.0, 0.2])
    told = by_key("table").predict(af.Flow(af.Sphere(), af.Softmax(B=B), V=B), prompt(5, 2))
    assert told.numbers["definiteness"] == "indefinite" and "most energy cosh λ_min" in told.words


def test_the_authors_constant_is_refuted_and_the_corrected_one_is_not():
    outcomes = {verdict.statement: verdict.outcome for verdict in by_key("perturbidentity").falsify(0, 1)}
    assert outcomes == {"printed": "refuted", "corrected": "not refuted"}


@pytest.mark.slow
@pytest.mark.parametrize("key", ["maximum", "minimum", "nonsymmetric", "geodesics", "table"])
def test_long_searches_do_not_refute(key):
    assert all(verdict.outcome == "not refuted" for verdict in by_key(key).falsify(1, 1))
