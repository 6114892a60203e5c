"""Laws of runs in R^d, the register of claims, and the statements that must be found false."""

import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af
from attnflow.papers.alcalde2025.hunts import frank_wolfe_violation
from attnflow.papers.hunt import hunted
from attnflow.papers.register import ask, claims
from attnflow.theory.limits import one_dimension as line_forms

PAPERS = (
    "geshkovski2023", "geshkovski2024", "geshkovski2025", "karagodin2024", "karagodin2025", "rigollet2025", "alcalde2025",
)  # fmt: skip

FALSE = {
    "geshkovski2023.remark7.9",
    "geshkovski2023.lemma7.7",
    "geshkovski2023.figure6",
    "geshkovski2023.figure13",
    "geshkovski2024.equation3.7",
    "geshkovski2023.conjecture4.3",
    "geshkovski2024.equation6.8",
    "geshkovski2024.equationd.8",
    "geshkovski2024.theorem9.2",
    "geshkovski2024.energy_identity",
    "rigollet2025.mean_shift",
    "geshkovski2025.lambda",
    "geshkovski2025.alpha",
    "rigollet2025.theorem6",
    "geshkovski2025.timescale",
    "geshkovski2025.energy_scale",
    "geshkovski2025.staircase_figure_start",
    "geshkovski2025.slow_manifold",
    "karagodin2024.lemmac.1",
    "karagodin2025.clustering_theorem",
    "rigollet2025.fokker_planck",
    "alcalde2025.theorem3.1",
    "alcalde2025.exponential_rate",
    "geshkovski2023.remark3.4",
    "geshkovski2025.uniform",
    "karagodin2025.variance_law",
    "karagodin2024.theorem5.2",
}
"""Printed statements known to be wrong (errata 4–7, 10–20 of the specification; B1–B5, B9, B10 of the frontier)."""


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.slow
def test_false_statements_are_refuted_and_no_others(paper):
    for claim in claims(paper):
        for verdict in hunted(claim):
            wrong = verdict.statement == "printed" and claim.key in FALSE
            assert verdict.outcome == ("refuted" if wrong else "not refuted"), verdict
            assert bool(verdict.example) == wrong


@pytest.mark.slow
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("seed", [1, 2])
def test_verdicts_do_not_depend_on_the_seed(paper, seed):
    for claim in claims(paper):
        for verdict in hunted(claim, seed=seed, effort=3):
            wrong = verdict.statement == "printed" and claim.key in FALSE
            assert verdict.outcome == ("refuted" if wrong else "not refuted"), verdict


def test_every_false_statement_has_its_correction():
    by_key = {claim.key: claim for paper in PAPERS for claim in claims(paper)}
    assert FALSE <= set(by_key)
    assert all(by_key[key].corrected for key in FALSE)


def test_frank_wolfe_counterexample_in_exact_fractions():
    assert frank_wolfe_violation([3, -1], steps=575, is_exact=True)[0] <= 1
    assert frank_wolfe_violation([3, -1], steps=576, is_exact=True)[0] > 1


def keys(items):
    return {item.claim for item in items}


def cube(n, d, seed=0, size=5.0):
    return af.Particles(np.random.default_rng(seed).uniform(-size, size, (n, d)))


@pytest.mark.slow
def test_claims_about_a_polytope_run():
    flow, mu = af.Flow(af.Euclidean(), af.Softmax()), cube(20, 2)
    said = af.predict(flow, mu)
    assert {"geshkovski2023.theorem3.1", "geshkovski2023.proposition8.2", "geshkovski2023.lemma7.2"} <= keys(said)
    run = af.evolve(af.rescale(flow), mu, until=8.0, save=9, tol=1e-10)
    outcome = {c.claim: c for c in af.check(run)}
    assert outcome["geshkovski2023.theorem3.1"].holds is True
    assert not [c for c in outcome.values() if c.holds is False]


@pytest.mark.slow
def test_claims_about_a_hyperplane_run():
    V = np.array([[0.64709742, 0.81911926], [0.61210449, 0.63263484]])
    flow, mu = af.Flow(af.Euclidean(), af.Softmax(), V=V), cube(20, 2)
    said = {p.claim: p for p in af.predict(flow, mu)}
    assert len(said["geshkovski2023.theorem4.2"].numbers["planes"]) == 2
    run = af.evolve(af.rescale(flow), mu, until=15.0, save=9, tol=1e-10)
    outcome = {c.claim: c for c in af.check(run)}
    assert outcome["geshkovski2023.theorem4.2"].holds is True
    assert not [c for c in outcome.values() if c.holds is False]


@pytest.mark.slow
def test_claims_about_repulsion_and_its_decay():
    rng = np.random.default_rng(1)
    mu = af.Particles(rng.uniform(-2, 2, (10, 2)))
    flow = af.Flow(af.Euclidean(), af.Softmax(), V=-1.0)
    run = af.evolve(flow, mu, until=1e4, save=[0.0, 1.0, 10.0, 1e4], tol=1e-10)
    x = np.asarray(run.x)
    for k, t, slack in ((2, 10.0, 0.1), (3, 1e4, 1e-3)):  # the asymptotic law, with the specification's slack
        assert_allclose(np.linalg.eigvalsh(2 * t * x[k].T @ x[k] / 10), 1, atol=slack)
    outcome = {c.claim: c.holds for c in af.check(run)}
    assert outcome["geshkovski2023.theorem8.5"] is True and outcome["geshkovski2023.decay"] is True


@pytest.mark.slow
def test_claims_about_an_equiangular_run():
    flow, mu = af.Flow(af.Sphere(), af.Softmax(beta=2.0)), af.Particles(np.eye(8))
    said = {p.claim: p for p in af.predict(flow, mu)}
    assert_allclose(said["geshkovski2024.theorem6.8"].numbers["time"], 5.1519, atol=6e-5)  # four decimals given
    run = af.evolve(flow, mu, until=4.0, save=5, tol=1e-10)
    outcome = {c.claim: c.holds for c in af.check(run)}
    assert outcome["geshkovski2024.theorem6.8"] is True
    assert outcome["geshkovski2024.lemma6.4"] is True and outcome["geshkovski2024.energy_identity"] is True
    assert False not in outcome.values()


def test_claims_about_caps_and_pairs():
    flow = af.Flow(af.Sphere(), af.Softmax(beta=8.0))
    rng = np.random.default_rng(1)
    x = np.concatenate([np.repeat([1.0, -1.0], 3)[:, None], 0.08 * rng.normal(size=(6, 2))], axis=1)
    said = {p.claim: p for p in af.predict(flow, af.Particles(x))}
    assert said["geshkovski2025.caps"].numbers["caps"] == 2
    pair = af.Particles(np.array([[1.0, 0.0], [0.5, 0.8]]), [1.0, 3.0])
    assert "rigollet2025.theorem6" in keys(af.predict(flow, pair))


def test_foreign_flows_and_measures_are_left_alone():
    d3 = af.Particles(np.eye(3))
    flows = [
        af.Flow(af.Euclidean(), af.Unnormalised()),
        af.Flow(af.Sphere(), af.Heads([(af.Softmax(), 1.0), (af.Softmax(), 0.5)])),
        af.Flow(af.Sphere(), af.Softmax(beta=lambda t: 1 + t)),
        af.Flow(af.Sphere(), af.Softmax(), normalisation=af.PreLN()),
        af.Flow(af.Euclidean(), af.Softmax(), V=lambda t: jnp.eye(3)),
        af.Flow(af.Euclidean(), af.Linear()),
        af.Flow(af.Sphere(), af.Causal(af.Softmax())),
        af.Flow(af.Euclidean(), af.Softmax(), V=np.array([[1.0, 1, 0], [0, 1, 0], [0, 0, 0.5]])),
    ]
    for flow in flows:
        for paper in PAPERS:
            for claim in claims(paper):
                for condition in claim.hypotheses(flow, d3):
                    assert np.isfinite(condition.margin), (claim.key, condition)
                claim.hypotheses(flow, af.Gaussian(np.zeros(3), np.eye(3)))


def test_time_scales_of_the_line_agree():
    x = np.random.default_rng(3).uniform(-1, 1, (20, 1))
    v, c = 0.5, 2.0
    one = af.evolve(
        af.rescale(af.Flow(af.Euclidean(), af.Softmax())), af.Particles(np.sqrt(c) * x), until=1.5, save=4, tol=1e-11
    )
    scaled = af.Flow(af.Euclidean(), af.Softmax(B=c), V=v)
    two = af.evolve(af.rescale(scaled), af.Particles(x), until=3.0, save=4, tol=1e-11)
    assert_allclose(np.sqrt(c) * two.x, one.x, atol=1e-9)


def test_rescaled_layers_stay_in_the_hull():
    mu = cube(20, 2, seed=4)
    run = af.layers(af.rescale(af.Flow(af.Euclidean(), af.Softmax())), mu, 30, 0.1)
    directions = np.random.default_rng(0).normal(size=(100, 2))
    support = (np.asarray(run.x) @ directions.T).max(axis=1)
    assert np.diff(support, axis=0).max() <= 1e-12 * np.abs(support).max()


def test_energy_identity_of_repulsion():
    rng = np.random.default_rng(6)
    x, h = rng.normal(size=(6, 2)), 1e-5
    v = np.asarray(af.velocity(af.Flow(af.Euclidean(), af.Softmax(), V=-1.0), af.Particles(x)))
    L = lambda y: np.exp(y @ y.T).sum()  # noqa: E731
    slope = (L(x + h * v) - L(x - h * v)) / (2 * h)
    Z = np.exp(x @ x.T).sum(axis=1)
    assert_allclose(slope, -2 * np.sum(Z * (v**2).sum(axis=1)), rtol=1e-6)  # central difference


def test_numbers_for_equal_masses_are_not_given_for_others():
    line, plane = af.Flow(af.Euclidean(), af.Softmax()), np.array([[1.0, 0.5], [1.0, -0.5]])
    for x, key in (([[-1.0], [0.0], [1.0]], "lemma7.8"), ([[-1.0], [0.0], [3.0]], "lemma7.3"), (plane, "remark7.9")):
        for mass, is_said in ((np.ones(len(x)), True), (np.arange(1.0, len(x) + 1), False)):
            mu = af.Particles(x, mass)
            applies = {asked.claim.key for asked in ask(line, mu, paper="geshkovski2023") if asked.applies}
            assert (f"geshkovski2023.{key}" in applies) == is_said


def test_decay_of_repelled_tokens_on_their_own_clock():
    flow = af.Flow(af.Euclidean(), af.Softmax(beta=3.0), V=-2.0)
    said = {p.claim: p for p in af.predict(flow, af.Particles([[-1.0], [1.0]]))}
    speed = said["geshkovski2023.decay"].numbers["speed"]
    assert speed == 12.0 and "12t·M(t)" in said["geshkovski2023.theorem8.5"].words
    # u' = −2u tanh(3u²): the pair of `repelled_pair` for √3 u, twice as fast
    u = line_forms.repelled_pair(2 * 1000.0, np.sqrt(3.0)) / np.sqrt(3.0)
    assert_allclose(speed * 1000.0 * u**2, 1.0, atol=1e-3)  # log t / t away from the limit
