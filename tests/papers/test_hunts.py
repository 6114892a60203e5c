"""Searches for counterexamples find none where statements are right, and one as soon as a number is wrong."""

import numpy as np
import pytest
from scipy.special import expit

import attnflow as af
from attnflow.theory import agarwal2024_search as heat
from attnflow.theory import burger2025_search as sphere
from attnflow.theory import castin2025_gaussian_search as gaussian
from attnflow.theory import castin2025_search as tokens
from attnflow.theory.claim import claims
from attnflow.theory.search import softmax

CLAIMS = {claim.key: claim for paper in ("burger2025", "castin2025", "agarwal2024") for claim in claims(paper)}


def rows_only(scores, mass):
    """Softmax in place of a doubly stochastic matrix."""
    return softmax(scores + np.log(mass)), np.zeros(len(mass)), np.zeros(len(mass))


def smaller(bound, factor=0.7):
    """A stability bound with a radius and an amplification that grow too slowly."""
    from dataclasses import replace

    def wrong(*args, **options):
        right = bound(*args, **options)
        radius = right.radius[0] * (right.radius / right.radius[0]) ** factor
        return replace(right, radius=radius, log_amplification=factor * right.log_amplification)

    return wrong


def scaled(function, factor):
    return lambda *args, **options: factor * function(*args, **options)


def open_weights(kind, B, C, mass):
    """A rule under which Gaussians do not stay Gaussian."""
    return lambda y: expit(y @ B @ y.T) * mass


WRONG = {
    "castin2025.support": [(tokens, "stability_bound", smaller(tokens.stability_bound))],
    "castin2025.stability": [(tokens, "log_constant", lambda found, p: np.log(1.01))],
    "castin2025.sinkhorn_mean": [(tokens, "sinkhorn_mean", lambda V, mean, t: mean + t * V @ mean)],
    "castin2025.linear": [(tokens, "covariance_rate", lambda S, B, V: gaussian.covariance_rate(S, B.T, V))],
    "castin2025.energy": [(tokens, "weight_of_metric", lambda kind, Z: np.ones_like(Z))],
    "castin2025.sinkhorn_energy": [(tokens, "self_transport_cost", scaled(tokens.self_transport_cost, 1.001))],
    "castin2025.smoothness": [(tokens, "per_input_bound", scaled(tokens.per_input_bound, 0.1))],
    "castin2025.gaussians": [(gaussian, "closed_weights", open_weights)],
    "castin2025.identity": [(gaussian, "softmax_identity", scaled(gaussian.softmax_identity, 1.001))],
    "castin2025.rank": [(gaussian, "covariance_rate", lambda S, B, V: 0 * S)],
    "castin2025.global": [(gaussian, "growth_bound", scaled(gaussian.growth_bound, 0.9))],
    "castin2025.profile": [(gaussian, "covariance_rate", lambda S, B, V: 2 * tokens.covariance_rate(S, B, V))],
    "castin2025.bures": [(gaussian, "bures_energy", scaled(gaussian.bures_energy, 1.001))],
    "castin2025.fisher_rao": [(gaussian, "fisher_energy", scaled(gaussian.fisher_energy, 0.5))],
    "agarwal2024.sphere_heat": [(heat, "harmonic_decay", lambda l, d, t: np.exp(-l * (l + d - 2) * t))],
    "agarwal2024.sinkhorn_descent": [(heat, "relative_entropy", scaled(heat.relative_entropy, 2.0))],
    "agarwal2024.mean": [(heat, "doubly_stochastic", rows_only)],
    "burger2025.semidefinite": [(sphere, "kernel_constants", lambda values: 1 / np.asarray(values) ** 2)],
}
ALSO = {
    "stability bound": ("castin2025.stability", tokens, "stability_bound", smaller(tokens.stability_bound)),
    "explosion": ("castin2025.support", tokens, "unnormalised_blow_up", scaled(tokens.unnormalised_blow_up, 1.001)),
    "rows only": ("castin2025.sinkhorn_mean", tokens, "doubly_stochastic", rows_only),
    "rows only, energy": ("castin2025.sinkhorn_energy", tokens, "doubly_stochastic", rows_only),
    "blow-up": (
        "castin2025.identity", gaussian, "softmax_identity_blow_up", scaled(gaussian.softmax_identity_blow_up, 0.99)
    ),
    "limit": ("castin2025.identity", gaussian, "softmax_identity_limit", scaled(gaussian.softmax_identity_limit, 0.99)),
    "entropy": ("castin2025.bures", gaussian, "bures_distance", gaussian.entropy_distance),
    "one mean": ("agarwal2024.mean", tokens, "sinkhorn_mean", lambda V, mean, t: mean),
    "half step": ("agarwal2024.sphere_heat", heat, "scaled", lambda kernel, mass: (kernel @ mass) ** -0.5),
}  # fmt: skip


def last(key, seed):
    """The verdict on the statement that should stand."""
    return CLAIMS[key].falsify(seed, 1)[-1]


def test_every_claim_is_hunted():
    assert [key for key, claim in CLAIMS.items() if claim.falsify is None] == []


@pytest.mark.parametrize("key", WRONG)
def test_right_statements_stand_and_wrong_numbers_are_refuted(key, monkeypatch):
    for seed in (0, 1, 2):
        found = last(key, seed)
        assert found.outcome == "not refuted" and found.trials > found.undecided, found
        assert found.worst <= 1
    for module, name, wrong in WRONG[key]:
        monkeypatch.setattr(module, name, wrong)
    found = last(key, 0)
    assert found.outcome == "refuted" and found.worst > 1 and found.example, found


@pytest.mark.parametrize("name", ALSO)
def test_every_part_of_a_search_can_fail(name, monkeypatch):
    key, module, attribute, wrong = ALSO[name]
    monkeypatch.setattr(module, attribute, wrong)
    assert last(key, 0).outcome == "refuted"


@pytest.mark.parametrize("key", ["stability", "smoothness", "global", "profile"])
def test_printed_statements_fall_by_a_trial(key):
    found = CLAIMS[f"castin2025.{key}"].falsify(0, 1)[0]
    assert found.statement == "printed" and found.outcome == "refuted" and found.example


def test_the_printed_constant_for_masks_falls_by_its_own_number(monkeypatch):
    monkeypatch.setattr(tokens, "log_constant", lambda found, p: np.log(2.0))
    assert CLAIMS["castin2025.stability"].falsify(0, 1)[0].outcome == "not refuted"


CLOSE = [[1.0, 0.1], [1.0, -0.1], [1.0, 0.05], [-1.0, 0.0]]
FLAT = np.column_stack([np.random.default_rng(0).normal(size=(6, 2)), np.zeros(6)])


@pytest.mark.parametrize("values, x, applies", [
    ([0.0, 1.0], [[0.6, 0.8]], False),
    ([0.0, 1.0, 2.0], [[0.6, 0.8, 0.3], [0.5, -0.7, 0.2]], False),
    ([0.0, 1.0, 2.0], FLAT, False),
    ([0.0, 1.0], CLOSE, True),
])  # fmt: skip
def test_descent_onto_a_kernel_needs_tokens_that_spread(values, x, applies):
    """One token falls at exponential speed, flat clouds in their own directions only; a close start takes long."""
    B, claim = np.diag(values), CLAIMS["burger2025.semidefinite"]
    flow, mu = af.Flow(af.Sphere(), af.Softmax(B=B), V=-B), af.Particles(af.Sphere().retract(np.asarray(x)))
    assert claim.applies(flow, mu) == applies
    if applies:
        after = claim.predict(flow, mu).numbers["after"]
        assert after == pytest.approx(1 / sphere.spread_outside(B, np.asarray(mu.x), np.asarray(mu.mass)))
        early, late = (claim.check(af.evolve(flow, mu, until=t, save=2)) for t in (after, 25 * after))
        assert early.holds is None and late.holds
