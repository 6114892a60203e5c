"""Hunts for counterexamples to Castin et al.: none where statements are right, one as soon as a number is wrong."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit

from attnflow.papers.castin2024 import hunts as layers
from attnflow.papers.castin2025 import energy_hunts as energies
from attnflow.papers.castin2025 import gaussian_hunts as gaussian
from attnflow.papers.castin2025 import token_hunts as tokens
from attnflow.papers.hunt import hunted
from attnflow.papers.independent import softmax
from attnflow.papers.register import claims, find_claim


def rows_only(scores, mass):
    """Softmax in place of a doubly stochastic matrix."""
    return softmax(scores + np.log(mass)), np.zeros(len(mass)), np.zeros(len(mass))


def smaller(bound, factor=0.7):
    """A stability bound with a radius and an amplification that grow too slowly."""

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


def looser(x, B, V, **options):
    """A Jacobian ten times as large."""
    return 10 * LOCAL(x, B, V, **options)


def on_axes(B, mean, cov):
    """The least share over the principal axes of Σ alone."""
    values, vectors = np.linalg.eigh(cov)
    steps = vectors.T * np.sqrt(values)[:, None]
    return min(float(np.exp(-x @ B @ cov @ B.T @ x)) for x in np.concatenate([mean + steps, mean - steps]))


LOCAL = layers.local_constant
WRONG = {
    "castin2025.support": [(tokens, "support_radius", lambda V, R, t: R * np.exp(0.7 * np.linalg.norm(V, 2) * t))],
    "castin2025.one_unnormalised_token": [(tokens, "unnormalised_blow_up", scaled(tokens.unnormalised_blow_up, 1.001))],
    "castin2025.short_support": [(tokens, "time_to", lambda R, *, b, v, is_linear: -1 / (2 * v * b * R**2))],
    "castin2025.stability": [(tokens, "stability_bound", smaller(tokens.stability_bound))],
    "castin2025.masked_stability": [(tokens, "log_constant", lambda found, p: np.log(1.01))],
    "castin2025.causal_prefix": [(tokens, "causal_softmax", softmax)],
    "castin2025.linear_moments": [(tokens, "covariance_rate", lambda S, B, V: gaussian.covariance_rate(S, B.T, V))],
    "castin2025.mean_field": [(tokens, "law_covariance", scaled(tokens.law_covariance, 1.3))],
    "castin2025.effective_sample_size": [
        (tokens, "effective_share", scaled(tokens.effective_share, 1.001)),
        (tokens, "least_share", on_axes),
        (tokens, "least_share", scaled(tokens.least_share, 1.01)),
    ],
    "castin2025.gaussians": [(gaussian, "closed_weights", open_weights)],
    "castin2025.scalar_v": [(gaussian, "softmax_identity", scaled(gaussian.softmax_identity, 1.001))],
    "castin2025.affine_layer": [(gaussian, "riccati", scaled(gaussian.riccati, 1.001))],
    "castin2025.l2_closed_form": [(gaussian, "l2_identity", scaled(gaussian.l2_identity, 1.001))],
    "castin2025.sinkhorn_closed_form": [(gaussian, "sinkhorn_identity", scaled(gaussian.sinkhorn_identity, 1.001))],
    "castin2025.rank_one": [(gaussian, "line_at", scaled(gaussian.line_at, 1.001))],
    "castin2025.limit_rank": [(gaussian, "covariance_rate", lambda S, B, V: 0 * S)],
    "castin2025.bounded_growth": [(gaussian, "growth_bound", scaled(gaussian.growth_bound, 0.9))],
    "castin2025.isotropic_equilibria": [
        (gaussian, "covariance_rate", lambda S, B, V: S @ (B + B.T) @ V @ S + S @ V.T @ (B + B.T) @ S),
        (gaussian, "l2_rate", lambda S, Q, K, V: V @ S + S @ V.T),
        (gaussian, "plan", lambda S, B: S @ B),
    ],
    "castin2025.isotropic_lines": [(gaussian, "line_eigenvalues", scaled(gaussian.line_eigenvalues, 1.001))],
    "castin2025.profile": [(gaussian, "covariance_rate", scaled(gaussian.covariance_rate, 2))],
    "castin2025.energy": [(energies, "weight_of_metric", lambda kind, Z: np.ones_like(Z))],
    "castin2025.not_convex": [(energies, "token_energy", lambda x, B: 1 + x @ x / 2)],
    "castin2025.sinkhorn_energy": [(energies, "self_transport_cost", scaled(energies.self_transport_cost, 1.001))],
    "castin2025.bures_wasserstein": [(energies, "bures_energy", scaled(energies.bures_energy, 1.001))],
    "castin2025.fisher_rao": [(energies, "fisher_energy", scaled(energies.fisher_energy, 0.5))],
    "castin2024.jacobian": [(layers, "matrix", scaled(layers.matrix, 1.001))],
    "castin2024.general_bound": [(layers, "local_constant", looser)],
    "castin2024.mean_field_bound": [(layers, "local_constant", looser)],
    "castin2024.input_bound": [(layers, "local_constant", looser)],
    "castin2024.adversarial_tokens": [(layers, "adversarial_size", lambda B, R, n: n**0.25)],
    "castin2024.large_radius": [(layers, "local_constant", looser)],
}
ALSO = {
    "rows only, energy": ("castin2025.sinkhorn_energy", energies, "doubly_stochastic", rows_only),
    "blow-up": (
        "castin2025.scalar_v",
        gaussian,
        "softmax_identity_blow_up",
        scaled(gaussian.softmax_identity_blow_up, 0.99),
    ),
    "limit": ("castin2025.scalar_v", gaussian, "softmax_identity_limit", scaled(gaussian.softmax_identity_limit, 0.99)),
    "entropy": ("castin2025.bures_wasserstein", energies, "bures_distance", energies.entropy_distance),
}


def last(key, seed):
    """The verdict on the statement that should stand."""
    return hunted(find_claim(key), seed=seed)[-1]


def test_every_claim_is_hunted():
    assert {claim.key for paper in ("castin2025", "castin2024") for claim in claims(paper)} == set(WRONG)


@pytest.mark.parametrize("key", WRONG)
@pytest.mark.broad(5)
def test_right_statements_stand_and_wrong_numbers_are_refuted(key, monkeypatch):
    for seed in (0, 1, 2):
        found = last(key, seed)
        assert found.outcome == "not refuted" and found.trials > found.undecided, found
        assert found.worst <= 1 and found.law
    for module, name, wrong in WRONG[key]:
        monkeypatch.setattr(module, name, wrong)
    found = last(key, 0)
    assert found.outcome == "refuted" and found.worst > 1 and found.example, found


@pytest.mark.parametrize("name", ALSO)
def test_every_part_of_a_hunt_can_fail(name, monkeypatch):
    key, module, attribute, wrong = ALSO[name]
    monkeypatch.setattr(module, attribute, wrong)
    assert last(key, 0).outcome == "refuted"


@pytest.mark.parametrize("key", ["castin2025.masked_stability", "castin2025.profile", "castin2024.input_bound"])
def test_statements_as_summarised_fall_by_a_trial(key):
    found = hunted(find_claim(key))[0]
    assert found.statement == "printed" and found.outcome == "refuted" and found.example


def test_the_constant_for_masks_falls_by_its_own_number(monkeypatch):
    monkeypatch.setattr(tokens, "log_constant", lambda found, p: np.log(2.0))
    assert hunted(find_claim("castin2025.masked_stability"))[0].outcome == "not refuted"
