"""Claims of arXiv 2410.06833: a right run is not refuted, a wrong one is, and falsified numbers are."""

from dataclasses import replace

import equinox as eqx
import jax.numpy as jnp
import numpy as np
import pytest

import attnflow as af
from attnflow.papers.geshkovski2025 import hunts, staircase_hunts
from attnflow.papers.hunt import hunted, outside
from attnflow.papers.register import ask, claims, predict
from attnflow.theory.sphere.staircase import jumps

CLAIMS = {claim.key.split(".", 1)[1]: claim for claim in claims("geshkovski2025")}
FALSE = {
    "lambda", "alpha", "uniform", "slow_manifold", "timescale", "energy_scale", "staircase_figure_start",
}  # fmt: skip
"""Statements known to be wrong as transcribed (errata 15–17 of the specification)."""


def circle(*angles):
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


POLES = circle(-0.05, 0.0, 0.06, np.pi - 0.05, np.pi, np.pi + 0.06)
APART = circle(-1.2, 0.0, 1.2, np.pi - 1.2, np.pi, np.pi + 1.2)
LOOSER = circle(-0.08, 0.0, 0.09, np.pi - 0.08, np.pi, np.pi + 0.09)
LADDER = circle(0.0, 0.15, 0.45, 1.2)
SOFTMAX = af.Flow(af.Sphere(), af.Softmax(beta=8.0))
SHIFTED = af.Flow(af.Sphere(), af.Unnormalised(beta=8.0, scale="shifted"))
USA = af.Flow(af.Sphere(), af.Unnormalised(beta=200.0, scale="shifted"))
LATE = np.concatenate([np.zeros(1), np.linspace(150, 390, 10)])
WRONG = {
    "caps": (SOFTMAX, POLES, APART, LATE),
    "crowd": (SOFTMAX, POLES, APART, LATE),
    "tight": (SOFTMAX, POLES, APART, LATE),
    "cap_growth": (SOFTMAX, POLES, LOOSER, np.linspace(0, 10, 11)),
    "staircase": (USA, LADDER, circle(0.0, 0.15, 1.2, 1.2), np.linspace(0, 10, 11)),
}


def turned(flow, start, end, ts):
    """From one prompt to another in a straight line, shown as a run."""
    path = start + np.linspace(0, 1, len(ts))[:, None, None] * (end - start)
    path = jnp.asarray(path / np.linalg.norm(path, axis=-1, keepdims=True))
    run = af.evolve(flow, af.Particles(start), until=float(ts[-1]), save=ts)
    return replace(eqx.tree_at(lambda r: r.states.x, run, path), flow=flow)


@pytest.mark.parametrize("number", WRONG)
@pytest.mark.broad(1)
def test_a_wrong_run_is_refuted(number):
    assert CLAIMS[number].check(turned(*WRONG[number])).outcome == "refuted"


def test_statements_known_to_be_wrong_have_a_correction_and_no_others():
    assert {number for number, claim in CLAIMS.items() if claim.corrected} == FALSE
    assert {number for number, claim in CLAIMS.items() if claim.erratum} == FALSE


def test_every_claim_is_hunted_and_none_was_seen_in_print():
    assert all(claim.hunts for claim in CLAIMS.values())
    assert {claim.provenance for claim in CLAIMS.values()} == {"transcribed", "derived", "authors' code"}


def test_falsified_numbers_are_refuted(monkeypatch):
    last = lambda number: hunted(CLAIMS[number])[-1].outcome  # noqa: E731
    monkeypatch.setattr(staircase_hunts, "plateau_length", lambda share: 2 / share)
    assert last("staircase") == "refuted"
    monkeypatch.setattr(staircase_hunts, "isolated_jumps", lambda theta, beta: jumps(theta, beta=1.1 * beta))
    assert last("clock_b") == "refuted"
    monkeypatch.setattr(hunts, "collapse_bound", lambda u0, beta, c: 1e-3)
    assert last("collapse") == "refuted"
    monkeypatch.setattr(hunts, "least_cosine", lambda ts, rho0, **options: rho0 + 0.1 * ts)
    assert last("cap_growth") == "refuted"
    monkeypatch.setattr(hunts, "tight_margin", lambda *args, **options: 1.0)
    monkeypatch.setattr(hunts, "loosening", lambda y, group, delta, alpha: 1.1)
    assert last("tight") == "refuted"


def test_conclusions_outside_their_hypotheses():
    assert {one.claim.split(".")[1] for one in outside("geshkovski2025") if one.fails == 0} == {"tight"}


@pytest.mark.parametrize("number", ["caps", "crowd", "tight", "cap_growth"])
def test_unnormalised_attention_in_caps_counts_as_softmax_does(number):
    applying = {
        kind: {one.claim.key for one in ask(flow, af.Particles(POLES), paper="geshkovski2025") if one.applies}
        for kind, flow in (("softmax", SOFTMAX), ("shifted", SHIFTED))
    }
    assert f"geshkovski2025.{number}" in applying["softmax"] & applying["shifted"]


def test_times_of_caps_follow_the_clock_of_the_rule():
    def times(rule, V=1.0):
        said = predict(af.Flow(af.Sphere(), rule, V=V), af.Particles(POLES), paper="geshkovski2025")
        return {p.claim: p.numbers for p in said}["geshkovski2025.caps"]["T2"]

    T2 = times(af.Unnormalised(beta=8.0, scale="shifted"))
    assert np.isclose(times(af.Softmax(beta=8.0), V=2.0), T2 / 2)
    assert np.isclose(times(af.Unnormalised(beta=8.0)), T2 * np.exp(-8.0))
