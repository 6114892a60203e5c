"""Castin et al. 2025 and 2024: every claim on runs that meet its hypotheses, and where claims must be silent."""

import time

import numpy as np
import pytest

import attnflow as af
from attnflow.papers.hunt import hunted
from attnflow.papers.register import ask, claims, find_claim, predict, study

R2 = af.Euclidean()
S = np.array([[0.4, 0.1], [0.1, -0.3]])
LAW = af.Gaussian([0.1, 0.0], [[1.0, 0.2], [0.2, 0.6]])
CLOUD = af.Particles(0.5 * np.random.default_rng(0).standard_normal((6, 2)))

CASES = {
    "bures": (af.Flow(R2, af.Softmax(S), V=-S), LAW, {"gaussians", "bures_wasserstein"}),
    "identity": (af.Flow(R2, af.Softmax(S), V=1.0), LAW, {"gaussians", "scalar_v", "fisher_rao"}),
    "rank": (af.Flow(R2, af.Softmax(-np.eye(2)), V=np.diag([1.0, 2.0])), LAW, {"gaussians", "limit_rank"}),
    "global": (af.Flow(R2, af.L2(np.eye(2)), V=1.0), LAW, {"gaussians", "bounded_growth", "l2_closed_form"}),
    "twisted": (af.Flow(R2, af.Softmax(S), V=-S), CLOUD, {"support", "energy"}),
    "unnormalised": (af.Flow(R2, af.Unnormalised(S, beta=0.5), V=2 * S), CLOUD, {"short_support", "energy"}),
    "sinkhorn": (af.Flow(R2, af.Sinkhorn(S), V=-S), CLOUD, {"support", "sinkhorn_energy"}),
    "linear": (af.Flow(R2, af.Linear(S), V=1.0), CLOUD, {"short_support", "linear_moments"}),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.broad(1)
def test_claims_hold_on_runs_that_meet_their_hypotheses(name):
    flow, mu, expected = CASES[name]
    found = study(af.evolve(flow, mu, until=0.5, save=6), paper="castin2025")
    checked = {check.claim.split(".")[1]: check for check in found.checks}
    assert expected <= set(checked)
    assert all(check.holds for check in checked.values())
    assert all(one.words and not one.is_error for one in found.predictions)


FOREIGN = {
    "sphere": (af.Flow(af.Sphere(), af.Softmax(1.0)), af.Particles([[1.0, 0.0], [0.0, 1.0]])),
    "schedule": (af.Flow(R2, af.Softmax(), V=lambda t: t), CLOUD),
    "noise": (af.Flow(R2, af.Softmax(), noise=0.1), CLOUD),
    "density": (af.Flow(af.Sphere(), af.Softmax(1.0)), af.density_from(lambda x: 1 + 0.1 * x[:, 0], size=32)),
    "rescaled": (af.rescale(af.Flow(R2, af.Softmax())), CLOUD),
    "batch": (af.Flow(R2, af.Softmax()), af.Gaussian(np.zeros((3, 2)), np.broadcast_to(np.eye(2), (3, 2, 2)))),
}


@pytest.mark.parametrize("name", FOREIGN)
@pytest.mark.parametrize("paper", ["castin2025", "castin2024"])
def test_claims_are_silent_on_foreign_flows(name, paper):
    flow, mu = FOREIGN[name]
    assert all(one.hypotheses == () and not one.error for one in ask(flow, mu, paper=paper))


@pytest.mark.parametrize("paper", ["castin2025", "castin2024"])
def test_only_corrected_statements_fall(paper):
    for claim in claims(paper):
        assert (claim.erratum is None) == (claim.corrected is None)
        assert set(claim.hunts) == ({"printed"} if claim.corrected is None else {"printed", "corrected"})
        assert claim.provenance != "seen", "the texts were not read"


@pytest.mark.slow
def test_a_flow_that_stops_short_of_blow_up_is_refuted():
    """A run of other matrices that is still finite after the blow-up time."""
    flow, calm = (af.Flow(R2, af.Softmax(b), V=1.0) for b in (1.0, -1.0))
    run = af.evolve(calm, LAW, until=2.0, save=5)
    found = [
        check
        for check in study(_shown_as(run, flow), paper="castin2025").checks
        if check.claim == "castin2025.scalar_v"
    ]
    assert found[0].outcome == "refuted" and "after t*" in found[0].words


def _shown_as(run, flow):
    from dataclasses import replace

    return replace(run, flow=flow)


@pytest.mark.parametrize("d", [384, 768])
def test_predictions_are_quick_in_many_dimensions(d):
    x = 20 * np.random.default_rng(0).standard_normal((20, d)) / np.sqrt(d)
    flow, began = af.Flow(R2, af.Softmax(), V=1.0), time.perf_counter()
    found = [one for paper in ("castin2025", "castin2024") for one in predict(flow, af.Particles(x), paper=paper)]
    assert {"castin2025.support", "castin2024.general_bound"} <= {one.claim for one in found}
    assert not any(one.is_error for one in found)
    assert time.perf_counter() - began < 30


@pytest.mark.parametrize(("key", "number"), [
    ("castin2025.scalar_v", 6.7019746469), ("castin2025.one_unnormalised_token", 0.179958957),
])  # fmt: skip
def test_blow_up_times(key, number):
    B = np.array([[0.09, 0.37], [-0.33, -0.11]])
    flow, mu = {
        "castin2025.scalar_v": (af.Flow(R2, af.Softmax(B)), af.Gaussian([0.4, -0.7], [[0.9, -0.2], [-0.2, 0.5]])),
        "castin2025.one_unnormalised_token": (af.Flow(R2, af.Unnormalised(0.5)), af.Particles([[1.2, 0.0]])),
    }[key]
    words, numbers = find_claim(key).predict(flow, mu)
    assert numbers["blow_up"] == pytest.approx(number, rel=1e-8) and "blows up" in words


def test_hunts_are_reproducible():
    claim = find_claim("castin2025.bures_wasserstein")
    assert hunted(claim, seed=3) == hunted(claim, seed=3)
