"""Claims on causal attention, schemes, the survey, Frank–Wolfe and low temperature: numbers, refusals, wrong constants."""

from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af
from attnflow.errors import BadInput
from attnflow.papers.hunt import hunted
from attnflow.papers.karagodin2025 import hunts as scheme_hunts
from attnflow.papers.karagodin2025 import laws
from attnflow.papers.register import ask, check, claims, find_claim, predict
from attnflow.papers.rigollet2025 import hunts as survey_hunts
from attnflow.papers.rigollet2025.noise import critical_beta, critical_noise

PAPERS = ("karagodin2024", "alcalde2025", "bruno2025", "karagodin2025", "rigollet2025", "alcalde2026")


def circle(angles):
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def last(key):
    return hunted(find_claim(key))[-1].outcome


def test_where_order_sets_in_with_a_jump_for_every_dimension():
    # Six decimals are published; β = 1: κ_c = 1.769413 on the circle, e on the sphere; at β = 0 it is d.
    assert_allclose([critical_beta(d) for d in (2, 3, 4)], [2.446918, 1.816155, 1.575257], atol=5e-7)
    assert_allclose([critical_noise(2, 1.0), critical_noise(3, 1.0)], [1.769413, np.e], atol=5e-7)
    assert_allclose([critical_noise(d, 1e-6) for d in (2, 3, 7)], [2, 3, 7], rtol=1e-6)
    flow = af.Flow(af.Sphere(), af.Unnormalised(beta=2.0), noise=1.0)
    said = {
        p.claim: p
        for p in predict(flow, af.Particles(np.random.default_rng(0).normal(size=(60, 3))), paper="rigollet2025")
    }
    found = said["rigollet2025.onset_of_order"]
    assert "with a jump" in found.words
    assert_allclose(found.numbers["beta_star"], critical_beta(3))


def test_wrong_constants_are_refuted(monkeypatch):
    monkeypatch.setattr(survey_hunts, "critical_kappa", lambda beta: 1.0)
    monkeypatch.setattr(survey_hunts, "kuramoto_order", lambda kappa: 0.5)
    monkeypatch.setattr(survey_hunts, "ordered_law", lambda kappa, beta: SimpleNamespace(order=0.5))
    assert last("rigollet2025.noise") == "refuted"
    monkeypatch.setattr(survey_hunts, "merging_time", lambda *a, **k: 1.01 * MERGING(*a, **k))
    assert last("rigollet2025.theorem6") == "refuted"
    monkeypatch.setattr(laws, "speed_and_growth", lambda *a, **k: (1.1, 0.0))
    assert last("karagodin2025.equal_cosines") == "refuted"
    monkeypatch.setattr(scheme_hunts, "is_trap", lambda x, beta: True)
    monkeypatch.setattr(scheme_hunts, "scheme_run", lambda x, ts, **k: np.stack([x, 2 * x])[-len(ts) :])
    assert last("karagodin2025.clustering_theorem") == "refuted"


MERGING = survey_hunts.merging_time


@pytest.mark.parametrize("paper", PAPERS)
def test_no_flow_and_no_prompt_makes_a_hypothesis_fail(paper):
    d3, planar = af.Particles(np.eye(3)), af.Flow(af.Sphere(), af.Softmax(B=np.diag([1.0, 1.0, 0.0])))
    flows = [
        af.Flow(af.Euclidean(), af.Unnormalised()),
        af.Flow(af.Euclidean(), af.Hardmax()),
        af.rescale(af.Flow(af.Euclidean(), af.Softmax())),
        af.Flow(af.Sphere(), af.Heads([(af.Softmax(), 1.0), (af.Softmax(), 0.5)])),
        af.Flow(af.Sphere(), af.Softmax(beta=lambda t: 1 + t)),
        planar,
        af.Flow(af.Sphere(), af.Softmax(), normalisation=af.PreLN()),
        af.Flow(af.Sphere(), af.Unnormalised(), noise=1.0),
        af.Flow(af.Sphere(), af.Causal(af.Linear())),
        af.Flow(af.Sphere(), af.Sinkhorn()),
    ]
    prompts = [d3, af.Particles(np.eye(1)), af.Particles(np.ones((2, 3))), af.Gaussian(np.zeros(3), np.eye(3))]
    for flow in flows:
        for mu in prompts:
            if flow is planar and mu.d == 1:
                with pytest.raises(BadInput, match="tokens have dimension 1"):
                    ask(flow, mu, paper=paper)
                continue
            assert [one.error for one in ask(flow, mu, paper=paper) if one.error] == []


def test_opposite_clusters_are_told_nothing_wrong():
    flow, mu = af.Flow(af.Sphere(), af.Softmax(beta=10.0)), af.Particles(circle(np.array([0.0, np.pi])))
    for paper in ("bruno2025", "rigollet2025"):
        assert not any(p.is_error or "proposition3.11" in p.claim for p in predict(flow, mu, paper=paper))


def test_pairing_times_are_the_published_ones():
    flow, mu = af.Flow(af.Sphere(), af.Softmax(beta=5.0)), af.Particles(circle(np.array([0.0, 1.0])), [1.0, 3.0])
    said = {p.claim: p.numbers for p in predict(flow, mu, paper="rigollet2025")}
    assert_allclose(said["rigollet2025.theorem6"]["time"], 5.60244, atol=5e-6)  # five decimals are given


def test_hardmax_that_hears_itself_rests():
    flow, mu = af.Flow(af.Sphere(), af.Hardmax()), af.Particles(circle(np.array([0.0, 0.5, 0.9, 1.4, 2.0, 2.7])))
    run = af.evolve(flow, mu, until=1.0, save=21)
    assert [c.outcome for c in check(run, paper="rigollet2025") if c.claim.endswith("hardmax")] == ["holds"]


@pytest.mark.parametrize("paper", PAPERS)
def test_every_claim_is_hunted_and_says_where_it_comes_from(paper):
    for claim in claims(paper):
        assert claim.hunts and claim.title and claim.provenance
        assert (claim.corrected is None) == (claim.erratum is None), claim.key
        assert ("corrected" in claim.hunts) == (claim.corrected is not None), claim.key
