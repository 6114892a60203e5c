"""Castin et al. 2025: every claim on a run that meets its hypotheses, and the searches for counterexamples."""

import numpy as np
import pytest

import attnflow as af
from attnflow.theory.claim import claims, falsify

R2 = af.Euclidean()
S = np.array([[0.4, 0.1], [0.1, -0.3]])
LAW = af.Gaussian([0.1, 0.0], [[1.0, 0.2], [0.2, 0.6]])
CLOUD = af.Particles(0.5 * np.random.default_rng(0).standard_normal((6, 2)))

CASES = {
    "bures": (af.Flow(R2, af.Softmax(S), V=-S), LAW, {"gaussians", "bures"}),
    "identity": (af.Flow(R2, af.Softmax(S), V=1.0), LAW, {"gaussians", "identity", "fisher_rao"}),
    "rank": (af.Flow(R2, af.Softmax(-np.eye(2)), V=np.diag([1.0, 2.0])), LAW, {"gaussians", "rank"}),
    "global": (af.Flow(R2, af.L2(np.eye(2)), V=1.0), LAW, {"gaussians", "global"}),
    "twisted": (af.Flow(R2, af.Softmax(S), V=-S), CLOUD, {"support", "energy", "smoothness"}),
    "unnormalised": (af.Flow(R2, af.Unnormalised(S, beta=0.5), V=2 * S), CLOUD, {"support", "energy"}),
    "sinkhorn": (af.Flow(R2, af.Sinkhorn(S), V=-S), CLOUD, {"support", "sinkhorn_mean", "sinkhorn_energy"}),
    "linear": (af.Flow(R2, af.Linear(S), V=1.0), CLOUD, {"support", "linear"}),
}


@pytest.mark.parametrize("name", CASES)
def test_claims_hold_on_runs_that_meet_their_hypotheses(name):
    flow, mu, expected = CASES[name]
    run = af.evolve(flow, mu, until=0.5, save=6)
    checked = {c.key.split(".")[1]: c.check(run) for c in claims("castin2025") if c.check and c.applies(flow, mu)}
    assert expected <= set(checked)
    assert all(check.holds for check in checked.values())
    assert all(c.predict(flow, mu).words for c in claims("castin2025") if c.applies(flow, mu))


def test_claims_are_silent_on_foreign_flows():
    flow, mu = af.Flow(af.Sphere(), af.Softmax(1.0)), af.Particles([[1.0, 0.0], [0.0, 1.0]])
    assert not any(c.applies(flow, mu) for c in claims("castin2025"))


def test_printed_statements_that_fail_are_refuted_and_corrections_are_not():
    verdicts = falsify("castin2025")
    printed = {v.claim for v in verdicts if v.statement == "printed" and v.outcome == "refuted"}
    assert printed == {f"castin2025.{name}" for name in ("stability", "smoothness", "global", "profile")}
    assert all(v.outcome == "not refuted" and v.worst <= 1 for v in verdicts if v.statement == "corrected")
