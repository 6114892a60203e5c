"""Claims of arXiv 2312.10794: wrong runs and falsified numbers are refuted, right ones are not."""

from dataclasses import replace

import equinox as eqx
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose
from solved import evolve

import attnflow as af
from attnflow.papers.geshkovski2024 import cluster_hunts, equiangular, hunts
from attnflow.papers.hunt import hunted
from attnflow.papers.register import ask, check, claims, nearest, predict
from attnflow.theory.sphere.energy_bounds import energy_bounds

CLAIMS = {claim.key.split(".", 1)[1]: claim for claim in claims("geshkovski2024")}
FALSE = {"equation3.7", "energy_identity", "equation6.8", "equationd.8", "theorem9.2"}
"""Printed statements known to be wrong (errata 10–14 of the specification)."""
TS = np.linspace(0.0, 10.0, 11)
TRIANGLE = np.array([[1.0, 0], [-0.5, 3**0.5 / 2], [-0.5, -(3**0.5) / 2]])
ON_CIRCLE = np.stack([np.cos([0.0, 0.9, 1.4]), np.sin([0.0, 0.9, 1.4])], axis=1)


def sphere(beta=1.0, V=1.0, rule=af.Softmax, **options):
    return af.Flow(af.Sphere(), rule(beta=beta, **options), V=V)


def pretended(flow, x, ts=TS):
    """A run that is none: tokens that somebody wrote down."""
    x = jnp.asarray(x, float)
    run = af.evolve(flow, af.Particles(x[0]), until=float(ts[-1]) or 1.0, save=np.asarray(ts, float))
    return replace(eqx.tree_at(lambda r: r.states.x, run, x), flow=flow)


def frozen(x, ts=TS):
    return np.repeat(np.asarray(x, float)[None], len(ts), axis=0)


def applying(flow, mu):
    return {one.claim.key.split(".", 1)[1] for one in ask(flow, mu, paper="geshkovski2024") if one.applies}


def outcome(number, run):
    """What the check of a claim says, whether or not its hypotheses hold."""
    return CLAIMS[number].check(run).outcome


WRONG = {
    "theorem4.1": (sphere(-3.0), frozen(TRIANGLE), TS),
    "theorem4.2": (sphere(0.01), frozen(ON_CIRCLE), TS / 10),
    "theorem4.3": (sphere(-3.0), frozen(TRIANGLE), TS),
    "theorem5.1": (sphere(-3.0), frozen(TRIANGLE), TS),
    "theorem6.1": (sphere(-3.0), frozen(TRIANGLE), TS),
    "lemma6.4": (sphere(), frozen(ON_CIRCLE[:2]), 20 * TS),
    "theorem6.8": (sphere(), frozen(np.eye(3)), TS),
    "energy_identity": (sphere(), frozen(ON_CIRCLE), TS),
    "equation7.1": (sphere(), frozen(ON_CIRCLE), TS),
}


@pytest.mark.parametrize("number", WRONG)
@pytest.mark.broad(2)
def test_a_wrong_run_is_refuted(number):
    assert outcome(number, pretended(*WRONG[number])) == "refuted"


def test_statements_known_to_be_wrong_have_a_correction_and_no_others():
    assert {number for number, claim in CLAIMS.items() if claim.corrected} == FALSE
    assert {number for number, claim in CLAIMS.items() if claim.erratum} == FALSE


def last(number):
    return hunted(CLAIMS[number])[-1].outcome


def test_falsified_numbers_are_refuted(monkeypatch):
    monkeypatch.setattr(hunts, "simplex_energy", lambda n, beta: 1.01)
    assert last("theorem9.2") == "refuted"
    monkeypatch.setattr(cluster_hunts, "cosine", lambda t, **arguments: 0.9 * np.tanh(np.asarray(t)))
    assert last("theorem6.8") == "refuted"
    monkeypatch.setattr(cluster_hunts, "wendel", lambda n, d: 0.5)
    assert last("theorem6.7") == "refuted"
    monkeypatch.setattr(cluster_hunts, "departure_bound", lambda t, strength: strength**2 * np.asarray(t))
    assert last("theorem4.2") == "refuted"
    rate = hunts.energy_rate
    monkeypatch.setattr(hunts, "energy_rate", lambda *a, **k: 1.001 * rate(*a, **k))
    assert last("energy_identity") == "refuted"
    monkeypatch.setattr(hunts, "uniform_moments", lambda beta, d: (0.9, 0.1, 0.1))
    assert last("proposition3.4") == "refuted"
    monkeypatch.setattr(cluster_hunts, "log_growth", lambda beta: -1.0)
    assert last("theorem6.9") == "refuted"
    monkeypatch.setattr(cluster_hunts, "turned", lambda x, speed: 0 * x)
    monkeypatch.setattr(cluster_hunts, "oscillators", lambda beta, mass, model: lambda t, theta: 0 * theta)
    assert last("equation7.1") == "refuted"


def test_a_falsified_clock_is_refuted(monkeypatch):
    run = af.evolve(sphere(), af.Particles(np.eye(3)), until=2.0, save=5)
    assert outcome("theorem6.8", run) == "holds"
    monkeypatch.setattr(equiangular, "cosine", lambda t, **arguments: 0.9 * np.tanh(np.asarray(t)))
    assert outcome("theorem6.8", run) == "refuted"


def test_one_cluster_is_refuted_by_stable_states_only():
    start = TRIANGLE + 0.05 * np.random.default_rng(0).normal(size=(3, 2))
    start /= np.linalg.norm(start, axis=1, keepdims=True)
    ratio = cluster_hunts.cluster_ratio
    assert ratio(start, beta=1.0, T=60.0, V=-1.0) > 1  # V = −I is not in the theorem
    assert ratio(start, beta=1.0, T=60.0) < 1
    assert np.isnan(ratio(TRIANGLE, beta=1.0, T=1.0))  # an unstable state of rest


@pytest.mark.parametrize(("start", "said"), [
    ([0.0, 0.5, -1.7, 2.3], "refuted"), ([0.0, 0.5, -0.5, np.pi], "undecided"), ([0.0, 0.0, np.pi, np.pi], "undecided"),
])  # fmt: skip
@pytest.mark.parametrize("mass", [None, [1.0, 1.0, 1.0, 3.0]])
def test_tokens_that_rest_apart_for_too_long_contradict_one_cluster_unless_their_start_has_a_symmetry(
    start, said, mass
):
    """Two opposite clusters rest, and part at the rate of about 1/2: for 10 units of time they may be seen, not for 400."""
    ends = np.array([0.0, np.pi, 0.0, np.pi])
    x = np.stack([np.stack([np.cos(a), np.sin(a)], axis=1) for a in (start, *[ends] * 10)])
    for length, verdict in ((1.0, "undecided"), (40.0, said)):
        run = evolve(sphere(0.5), af.Particles(x[0], mass), until=10 * length, save=length * TS)
        run = eqx.tree_at(lambda r: r.states.x, run, jnp.asarray(x))
        assert outcome("theorem4.3", run) == outcome("theorem6.1", run) == verdict


@pytest.mark.parametrize("scale", [-1.0, -0.3, 0.0])
def test_theorems_on_the_pull_of_tokens_ask_for_positive_weights(scale):
    x = np.random.default_rng(0).normal(size=(6, 3)) + 2 * np.eye(3)[0]
    run = evolve(sphere(2.0, rule=af.Unnormalised, scale=scale), af.Particles(x), until=3.0, save=11)
    assert not [found for found in check(run) if found.fails]
    wanting = {
        one.claim.key for one in nearest(ask(run.flow, run.at(0))) if "weights are positive" in one.missing[0].words
    }
    assert {f"geshkovski2024.{n}" for n in ("energy_identity", "lemma6.4", "theorem6.1")} <= wanting


@pytest.mark.parametrize("c", [1.0, 5.0, 10.0])
def test_weak_attention_is_bounded_on_the_clock_of_V(c):
    flow = sphere(0.05, V=c)
    words = {p.claim: p for p in predict(flow, af.Particles(np.eye(3)), paper="geshkovski2024")}
    numbers = words["geshkovski2024.theorem4.2"].numbers
    assert_allclose(numbers["departure"], 0.5 * np.expm1(0.1) * np.expm1(2 * c), rtol=1e-6)
    assert_allclose(cluster_hunts.departure_bound(c * numbers["speaks_until"], 0.05), 2.0, rtol=1e-6)


def test_equal_tokens_have_no_angle_to_close():
    assert "theorem6.8" not in applying(sphere(), af.Particles([[1.0, 0.0], [1.0, 0.0]]))
    assert "theorem6.8" in applying(sphere(), af.Particles([[1.0, 0.0], [0.0, 1.0]]))
    assert not [
        p for p in predict(sphere(), af.Particles([[1.0, 0.0], [1.0, 0.0]]), paper="geshkovski2024") if p.is_error
    ]


def test_uniform_tokens_only_are_told_how_often_they_share_a_hemisphere():
    rng = np.random.default_rng(0)
    uniform, cap = rng.normal(size=(20, 3)), rng.normal(size=(20, 3)) + 3 * np.eye(3)[0]
    assert "theorem6.7" in applying(sphere(), af.Particles(uniform))
    assert "theorem6.7" not in applying(sphere(), af.Particles(cap))
    assert "theorem6.7" not in applying(sphere(V=-1.0), af.Particles(uniform))


def test_nothing_is_said_of_the_energy_at_V_0():
    assert "energy_identity" not in applying(sphere(V=0.0), af.Particles(np.eye(3)))


@pytest.mark.slow
def test_identity_for_every_scale_of_unnormalised_attention():
    x = np.random.default_rng(3).normal(size=(5, 3))
    for scale, until in (("mean", 0.2), ("shifted", 4.0), ("sum", 0.05), (0.3, 1.0)):
        run = af.evolve(sphere(2.0, rule=af.Unnormalised, scale=scale), af.Particles(x), until=until, save=9)
        found = {c.claim: c.outcome for c in check(run, paper="geshkovski2024")}
        assert found["geshkovski2024.energy_identity"] == "holds"


def test_thresholds_of_the_circle():
    assert_allclose([cluster_hunts.threshold(n) for n in (3, 4)], [2**0.5, 2 * 3**0.5], rtol=1e-12)
    ring = af.Particles(np.random.default_rng(0).normal(size=(4, 2)))
    assert "theorem4.3" in applying(sphere(1.0), ring) and "theorem5.1" not in applying(sphere(3.4), ring)
    assert "theorem5.1" in applying(sphere(3.5), ring)


def test_times_that_do_not_start_at_zero():
    flow, x = sphere(2.0), np.random.default_rng(3).normal(size=(5, 3)) + 2 * np.eye(3)[0]
    run = af.evolve(flow, af.Particles(x), until=8.0, save=np.linspace(2.0, 8.0, 13))
    assert not [c for c in check(run, paper="geshkovski2024") if c.fails]


def test_bounds_of_the_energy_are_reached():
    """Above by two opposite points, whatever their masses; below where the first moments are those of the uniform law."""
    beta, p = 1.7, 0.3
    pair = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]])
    exact = p**2 + (1 - p) ** 2 + 2 * p * (1 - p) * np.exp(-2 * beta)
    assert_allclose(energy_bounds(pair, np.array([p, 1 - p]), beta=beta)[1], exact, rtol=1e-14)
    corners = np.vstack([np.eye(3), -np.eye(3)])
    uniform = np.sinh(beta) / beta * np.exp(-beta)
    assert_allclose(energy_bounds(corners, np.full(6, 1 / 6), beta=beta)[0], uniform, rtol=1e-12)
