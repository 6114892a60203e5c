"""Statements that were once told wrongly: their numbers, provenance, hypotheses and numbering."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af
from attnflow.interfaces.cli.statements import claim_data
from attnflow.papers.alcalde2025 import hunts as vertex_hunts
from attnflow.papers.castin2024 import smoothness
from attnflow.papers.castin2025 import gaussian_hunts, token_hunts
from attnflow.papers.geshkovski2023.hunts import eigenspaces
from attnflow.papers.hunt import hunted
from attnflow.papers.karagodin2024 import hunts as causal_hunts
from attnflow.papers.register import ask_claim, find_claim
from attnflow.papers.rigollet2025 import hunts as noise_hunts
from attnflow.theory.gaussian.mean_field import farthest
from attnflow.theory.limits.value_matrix import WORDS

SPACE = af.Euclidean()


def predicted(key, flow, mu):
    return next(found for found in af.predict(flow, mu, paper=key.split(".")[0]) if found.claim == key)


# ---- corollary 9.2 ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 1])
def test_bounded_rescaled_tokens_need_a_basis_of_eigenvectors(seed):
    printed, corrected = hunted(find_claim("geshkovski2023.corollary9.2"), seed=seed)
    assert (printed.outcome, corrected.outcome) == ("refuted", "not refuted")


def test_the_exact_counterexample_grows_as_its_proof_says():
    flow = af.Flow(SPACE, af.Softmax(), V=[[0.0, 1.0], [0.0, 0.0]])
    run = af.evolve(flow, af.Particles([[0.0, 1.0], [0.0, 0.5]]), until=40.0, save=5)
    assert np.all((run.x[:, 1, 0] - 0.5 * run.ts)[1:] >= run.ts[1:] / (2 + 2 * np.exp(-0.25)))
    assert not ask_claim(find_claim("geshkovski2023.corollary9.2"), flow, run.at(0)).applies
    assert eigenspaces.defective_pair().ratio > 1


def test_the_corrected_box_is_that_of_eigen_coordinates(monkeypatch):
    """Tokens of another V leave the box: trials look at matrices that are not diagonal."""
    true = eigenspaces.spectral_run
    monkeypatch.setattr(eigenspaces, "spectral_run", lambda x, ts, *, V, B: true(x, ts, V=V.T, B=B))
    assert hunted(find_claim("geshkovski2023.corollary9.2"))[1].outcome == "refuted"


# ---- the effective sample size ----------------------------------------------------------------------------------------


def test_the_least_share_is_over_the_whole_ellipsoid():
    flow, mu = af.Flow(SPACE, af.Softmax(B=np.ones((2, 2)))), af.Gaussian([0.0, 0.0], np.eye(2))
    found = predicted("castin2025.effective_sample_size", flow, mu)
    assert_allclose(found.numbers["share"], np.exp(-4.0), rtol=1e-6)  # float32 when the caller has it
    assert "1.83 %" in found.words and "listener" not in found.words and "hears" not in found.words


@pytest.mark.parametrize("kind", ["any", "centred", "hard", "equal axes", "no scores"])
def test_the_farthest_point_of_an_ellipsoid(kind):
    rng, angle = np.random.default_rng(4), np.linspace(0, 2 * np.pi, 200_001)
    u = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    for _ in range(20):
        M, c = rng.normal(size=(2, 2)), rng.normal(size=2)
        if kind == "centred":
            c = 0 * c
        elif kind == "hard":  # no λ solves the secular equation: the pull has no part along the longest axis
            M, c = np.diag([2.0, 1.0]), np.array([0.0, float(rng.uniform(-1, 1))])
        elif kind == "equal axes":
            M = float(rng.normal()) * np.eye(2)
        elif kind == "no scores":
            M = 0 * M
        assert_allclose(farthest(M, c), ((u @ M.T + c) ** 2).sum(axis=1).max(), rtol=1e-8)  # 2e5 angles


# ---- predicted numbers that hunts did not test ------------------------------------------------------------------------


def scaled(true):
    return lambda *args, **options: 1.1 * true(*args, **options)


@pytest.mark.parametrize(
    ("home", "trial", "constant"),
    [
        (causal_hunts, "last_rate_trial", "slowest_rate"),
        (noise_hunts, "cold_law_trial", "merging_law"),
        (gaussian_hunts, "riccati_end_trial", "riccati_blow_up"),
    ],
)
def test_a_tenth_more_is_noticed(home, trial, constant, monkeypatch):
    """Draws of eight seeds; the hunts of the claims make as many."""

    def worst():
        tried = [getattr(home, trial)(np.random.default_rng(seed)) for seed in range(8)]
        return max(one.ratio for one in tried if one.is_inside)

    assert worst() <= 1
    monkeypatch.setattr(home, constant, scaled(getattr(home, constant)))
    assert worst() > 1


def test_a_hard_token_of_another_speed_is_noticed(monkeypatch):
    true = vertex_hunts.token_run
    monkeypatch.setattr(vertex_hunts, "token_run", lambda x, ts, weights, *, V: true(x, ts, weights, V=1.1 * V))
    assert hunted(find_claim("alcalde2025.vertex_theorem"))[-1].outcome == "refuted"


# ---- provenance, hypotheses, numbering, constants ---------------------------------------------------------------------


@pytest.mark.parametrize("key", ["burger2025.theorem2.2", "bruno2025.remark3.10"])
def test_reconstructed_formulas_are_not_called_seen(key):
    assert find_claim(key).provenance in ("summarised", "transcribed")


def test_a_limit_need_not_exist_but_may():
    claim = find_claim("bruno2025.remark3.6")
    assert "need exist" in claim.printed and "uniform" in claim.assumes


def test_gaps_of_a_transcribed_proof_are_told():
    assert "gaps" in find_claim("geshkovski2025.crowd").printed


def test_limits_are_numbered_as_in_the_edition():
    told = [
        af.limit(af.Flow(SPACE, af.Softmax(), V=V), af.Particles(x)).words
        for V, x in ((1.0, [[-1.0], [0.5], [2.0]]), (1.0, [[1.0, 0.2], [-1.0, 0.3], [0.1, -2.0]]))
    ]
    assert "theorem 2.1 of arXiv 2305.05465" in told[0] and "theorem 3.1 of arXiv 2305.05465" in told[1]
    assert ["(theorem 3.1)" in WORDS["identity"], "4.2" in WORDS["hyperplane"], "5.2" in WORDS["paranormal"]] == [
        True
    ] * 3


def test_the_mean_field_limit_is_tried_inside_its_hypothesis():
    """Tokens of a uniform law on a parallelogram: all within |L| √6, and their nodes have the covariance LLᵀ at first."""
    L = np.array([[0.5, 0.1], [-0.2, 0.7]])
    assert_allclose(token_hunts.law_covariance(np.eye(2), np.eye(2), L, t=1e-12), L @ L.T, atol=1e-10)
    fine = [token_hunts.law_covariance(0.3 * np.eye(2), np.eye(2), L, t=0.5, count=k) for k in (12, 18)]
    assert_allclose(*fine, atol=1e-9)


@pytest.mark.parametrize("b", [0.01, 0.7, 1.0, 4.0])
def test_two_lipschitz_bounds_cross_where_it_is_told(b):
    n = np.exp(smoothness._log_crossing(b))
    assert_allclose(3 * (b * b * (4 * n + 1) + n), (1 + 3 * b) ** 2 * np.exp(4 * b), rtol=1e-12)


def test_a_claim_names_its_own_figures_alone():
    assert claim_data(find_claim("geshkovski2023.theorem5.2"))["figures"] == ["8"]
    assert claim_data(find_claim("geshkovski2023.figure13"))["figures"] == ["13"]
    assert claim_data(find_claim("castin2024.jacobian"))["figures"] == []
