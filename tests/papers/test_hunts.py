"""Hunts for counterexamples find none where statements are right, and one as soon as a number is wrong."""

import numpy as np
import pytest

import attnflow as af
from attnflow.papers.agarwal2024 import hunts as heat
from attnflow.papers.burger2025 import hunts as sphere
from attnflow.papers.hunt import hunted
from attnflow.papers.independent import softmax
from attnflow.papers.register import claims, find_claim
from attnflow.papers.sander2022 import hunts as sinkhorn
from attnflow.theory.sphere.steady.state_stability import ClusterRates


def rows_only(scores, mass):
    """Softmax in place of a doubly stochastic matrix."""
    return softmax(scores + np.log(mass)), np.zeros(len(mass)), np.zeros(len(mass))


def scaled(function, factor):
    return lambda *args, **options: factor * function(*args, **options)


def reversed_rates(*args, **options):
    rates = sphere_rates(*args, **options)
    return ClusterRates(-rates.within, -rates.mean)


sphere_rates = sphere.cluster_rates
FIRST = {
    "agarwal2024.sphere_heat": (heat, "harmonic_decay", lambda l, d, t: np.exp(-l * (l + d - 2) * t)),
    "agarwal2024.second_order": (heat, "heat_steps", heat.reverse_steps),
    "agarwal2024.reverse_steps": (heat, "reverse_steps", heat.heat_steps),
    "agarwal2024.fokker-planck_orders": (heat, "_split_error", heat._surrogate_error),
    "sander2022.proposition2": (sinkhorn, "relative_entropy", scaled(sinkhorn.relative_entropy, 2.0)),
    "sander2022.mean": (sinkhorn, "doubly_stochastic", rows_only),
    "sander2022.proposition1": (sinkhorn, "doubly_stochastic", rows_only),
    "burger2025.semidefinite_descent": (sphere, "kernel_constants", lambda values: 1 / np.asarray(values) ** 2),
    "burger2025.dissipation": (sphere, "scaled_energy", scaled(sphere.scaled_energy, 1.01)),
    "burger2025.cluster_states": (sphere, "cluster_rates", reversed_rates),
    "burger2025.uniform_state": (sphere, "growth", scaled(sphere.growth, 1.1)),
    "burger2025.symmetric_peaks": (sphere, "symmetric_peaks", lambda l1, l2: l2 / (l1 + l2)),
}
"""Claims, and what makes their hunts find a counterexample: a wrong function in the place of a right one."""
RIGHT = ("sander2022.mean", "burger2025.dissipation", "burger2025.cluster_states", "burger2025.uniform_state")


@pytest.mark.parametrize("paper", ["burger2025", "agarwal2024", "sander2022"])
def test_every_claim_is_hunted(paper):
    assert [claim.key for claim in claims(paper) if not claim.hunts] == []


@pytest.mark.parametrize("key", RIGHT)
def test_right_statements_stand(key):
    for seed in (0, 1, 2):
        found = hunted(find_claim(key), seed=seed)[-1]
        assert found.outcome == "not refuted" and found.trials > found.undecided and found.worst <= 1, found


@pytest.mark.parametrize("key", FIRST)
def test_wrong_numbers_are_refuted(key, monkeypatch):
    monkeypatch.setattr(*FIRST[key])
    found = hunted(find_claim(key), seed=0)[-1]
    assert found.outcome == "refuted" and found.worst > 1 and found.example, found


def test_a_single_half_step_is_no_heat_step(monkeypatch):
    monkeypatch.setattr(heat, "symmetric_scaling", lambda kernel, mass: (kernel @ mass) ** -0.5)
    assert hunted(find_claim("agarwal2024.sphere_heat"), seed=0)[-1].outcome == "refuted"


CLOSE = [[1.0, 0.1], [1.0, -0.1], [1.0, 0.05], [-1.0, 0.0]]
FLAT = np.column_stack([np.random.default_rng(0).normal(size=(6, 2)), np.zeros(6)])


@pytest.mark.parametrize("values, x, applies", [
    ([0.0, 1.0], [[0.6, 0.8]], False),
    ([0.0, 1.0, 2.0], [[0.6, 0.8, 0.3], [0.5, -0.7, 0.2]], False),
    ([0.0, 1.0, 2.0], FLAT, False),
    ([0.0, 1.0], CLOSE, True),
])  # fmt: skip
@pytest.mark.broad(2)
def test_descent_onto_a_kernel_needs_tokens_that_spread(values, x, applies):
    """One token falls at exponential speed, flat clouds in their own directions only; a close start takes long."""
    B, key = np.diag(values), "burger2025.semidefinite_descent"
    flow, mu = af.Flow(af.Sphere(), af.Softmax(B=B), V=-B), af.Particles(af.Sphere().retract(np.asarray(x)))
    told = {prediction.claim: prediction for prediction in af.predict(flow, mu, paper="burger2025")}
    assert (key in told) == applies
    if applies:
        after = told[key].numbers["after"]
        assert after == pytest.approx(1 / sphere.spread_outside(B, np.asarray(mu.x), np.asarray(mu.mass)))
        for factor, outcome in ((1, "undecided"), (50, "holds")):
            run = af.evolve(flow, mu, until=factor * after, save=3)
            assert {check.claim: check.outcome for check in af.check(run, paper="burger2025")}[key] == outcome
