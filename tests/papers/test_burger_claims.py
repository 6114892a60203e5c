"""Claims of Burger et al. 2025 (arXiv 2501.03096): what they predict, how runs are checked, what hunts find."""

import numpy as np
import pytest

import attnflow as af
from attnflow.papers.hunt import hunted
from attnflow.papers.register import ask, claims, find_claim
from attnflow.theory.sphere.steady.gradient_structure import structure


def said(flow, mu):
    return {p.claim.split(".", 1)[1]: p for p in af.predict(flow, mu, paper="burger2025")}


def checked(run):
    return {c.claim.split(".", 1)[1]: c for c in af.check(run, paper="burger2025")}


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
        af.rescale(af.Flow(af.Euclidean(), af.Softmax(), V=1.0)),
        af.bridge(mu, 0.1, steps=1, space=af.Sphere()).flow,
    ]
    for flow in others:
        assert not any(one.applies or one.error for one in ask(flow, mu, paper="burger2025"))
    for other in (prompt(5, 1), af.Gaussian(np.zeros(3), np.eye(3))):
        flow = af.Flow(af.Sphere(), af.Softmax(), V=1.0)
        assert not any(one.applies or one.error for one in ask(flow, other, paper="burger2025"))


def test_a_run_is_checked():
    B = np.diag([1, 1.25])
    flow, mu = af.Flow(af.Sphere(), af.Softmax(B=B), V=B), prompt(20, 2)
    found = checked(af.evolve(flow, mu, until=60.0, save=101))
    assert found["dissipation"].outcome == found["cluster_states"].outcome == "holds"
    assert said(flow, mu)["maximisers"].numbers["energy"] == pytest.approx(np.exp(1.25))


@pytest.mark.slow
def test_a_coarse_run_is_decided_too():
    """The balance of energy is integrated again between saved times, so two of them are enough."""
    B = np.diag([1, 1.25])
    run = af.evolve(af.Flow(af.Sphere(), af.Softmax(B=B), V=B), prompt(20, 2), until=60.0, save=2)
    assert checked(run)["dissipation"].outcome == "holds"


@pytest.mark.slow
def test_a_metastable_pair_is_no_end_state():
    """Opposite clusters whose growth time exceeds the run; and clusters of B = λI, which has no preferred axis."""
    B = np.diag([np.tanh(1.0) + 1e-5, 1.0])
    x = np.array([[1e-3, 1], [-1e-3, 1], [2e-3, -1], [-1e-3, -1]])
    mu = af.Particles(x / np.linalg.norm(x, axis=1, keepdims=True))
    found = checked(af.evolve(af.Flow(af.Sphere(), af.Softmax(B=B), V=B), mu, until=100.0, save=11))
    assert found["cluster_states"].outcome == "undecided" and found["cluster_states"].numbers["rate"] > 0
    flow = af.Flow(af.Sphere(), af.Softmax(), V=1.0)
    found = checked(af.evolve(flow, prompt(6, 3), until=60.0, save=11))
    assert found["cluster_states"].outcome == "holds" and "one cluster" in found["cluster_states"].words


def test_nonsymmetric_flows_are_warned_about():
    B = np.array([[1, 2.0], [0, 1]])
    found = said(af.Flow(af.Sphere(), af.Softmax(B=B), V=B), prompt(5, 2))
    assert set(found) == {"nonsymmetric_scores"} and "not a gradient flow" in found["nonsymmetric_scores"].words


def test_four_peaks_are_predicted_and_reached():
    B, phi = np.diag([1.0, 2.0]), 0.9
    x = np.array([[np.cos(phi) * a, np.sin(phi) * b] for a in (1, -1) for b in (1, -1)])
    flow = af.Flow(af.Sphere(), af.Unnormalised(B=B), V=-B)
    assert said(flow, af.Particles(x))["symmetric_peaks"].numbers["u"] == pytest.approx(0.823768576384, abs=1e-11)
    check = checked(af.evolve(flow, af.Particles(x), until=30.0, save=3))["symmetric_peaks"]
    assert check.outcome == "holds" and check.numbers["error"] < 1e-6


def test_beta_enters_the_predictions():
    B = np.diag([1.0, 0.5])
    hot = said(af.Flow(af.Sphere(), af.Softmax(B=B, beta=2.0), V=B), prompt(5, 2))
    assert hot["maximisers"].numbers["energy"] == pytest.approx(np.exp(2))


def test_the_speed_in_the_transport_distance_counts_the_clock():
    """V = 3B moves tokens three times as fast as V = B along the same path."""
    B, mu = np.diag([1.0, 0.5]), prompt(5, 2)
    slow, fast = (said(af.Flow(af.Sphere(), af.Softmax(B=B), V=c * B), mu)["distance_bounds"] for c in (1, 3))
    assert fast.numbers["speed"] == pytest.approx(3 * slow.numbers["speed"])


def test_the_class_of_a_matrix_is_predicted():
    B = np.diag([-1.0, 0.2])
    told = said(af.Flow(af.Sphere(), af.Softmax(B=B), V=B), prompt(5, 2))["maximisers"]
    assert told.numbers["definiteness"] == "indefinite" and "cosh λ_min" in told.words


LONG = ("minimisers", "symmetric_peaks", "theorem2.2", "distance_bounds", "semidefinite_descent")


@pytest.mark.parametrize("claim", [c for c in claims("burger2025") if c.key.split(".", 1)[1] not in LONG], ids=str)
@pytest.mark.broad(3)
def test_only_the_authors_constant_falls(claim):
    fallen = {v.statement for v in hunted(claim, seed=1) if v.outcome != "not refuted"}
    assert fallen == ({"printed"} if claim.key == "burger2025.perturbed_identity" else set())


@pytest.mark.slow
@pytest.mark.parametrize("key", LONG)
def test_long_hunts_do_not_refute(key):
    assert all(v.outcome == "not refuted" for v in hunted(find_claim(f"burger2025.{key}"), seed=1))


def test_the_structure_of_a_flow_scales_with_beta():
    """(β, B) with V = B is (1, βB) with V = βB on a clock slower by β."""
    B = np.diag([1.0, 0.5])
    found = structure(af.Flow(af.Sphere(), af.Softmax(B=B, beta=2.0), V=B), 2)
    assert found.speed == 0.5 and np.allclose(found.B, 2 * B)
