"""Theorems on gradient flows, Gaussians, heat and low temperature without one of their hypotheses: do they still hold?"""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.special import expit

from ..concentration import index_distance, two_atom_w2
from ..low_temperature import LowTemperatureLimit
from ..measures import Particles
from ..steady.energy_of import pair_energy, search
from . import castin2025_gaussian_search as gaussian
from .agarwal2024_search import circle_nodes, circle_step, descent_ratio, heat_ratio
from .bruno2025_search import attention_run
from .burger2025_search import descent_ratio as kernel_ratio
from .castin2025_search import covariance_rate, energy_ratio, mean_ratio, moment_ratio, random_rule
from .castin2025_search import transport_ratio as self_transport_ratio
from .claim import drop
from .entropic_gaussian import correlation
from .gaussian_closed_forms import bures_energy, fisher_energy, softmax_identity
from .search import (
    Trial,
    fixed,
    matrix_run,
    random_trials,
    shown,
    softmax,
    sphere_run,
    token_run,
    unit,
)

_short = partial(shown, 3)


def _prompt(rng, n=5, d=2):
    return 0.4 * rng.normal(size=(n, d)), rng.dirichlet(np.full(n, 2.0))


# Gradient flows on the sphere.


def _dissipation(rng):
    """V = B that is not symmetric: E/2 along the velocity against the squared speed."""
    B, x, h, mass = rng.normal(size=(3, 3)), unit(rng, 6, 3), 1e-5, np.full(6, 1 / 6)
    K = np.exp(x @ B @ x.T) * mass
    v = K @ x @ B.T / K.sum(axis=1, keepdims=True)
    v = v - np.sum(v * x, axis=1, keepdims=True) * x
    ahead, behind = (
        pair_energy(B, (x + s * h * v) / np.linalg.norm(x + s * h * v, axis=1)[:, None], mass) for s in (1, -1)
    )
    power = mass @ (K.sum(axis=1) * np.sum(v * v, axis=1))
    return Trial(float(abs((ahead - behind) / (4 * h) - power) / (1e-5 * power)), 0.0, _short(B=B, x=x))


def _maximum(rng):
    """The formula for the symmetric part against what a search finds for B itself."""
    B = rng.normal(size=(2, 2)) + float(rng.uniform(-2, 2)) * np.array([[0.0, 1.0], [-1.0, 0.0]])
    values = np.linalg.eigvalsh((B + B.T) / 2)
    found = search(B, +1, n=4, starts=3, seed=int(rng.integers(100)))[0]
    return Trial(float(found / (max(np.exp(values[-1]), np.cosh(values[0])) * (1 + 1e-6))), 0.0, _short(B=B))


def _flat_descent(rng):
    """Two tokens, three dimensions, a kernel of one: one direction is left to itself."""
    B, x, T, mass = np.diag([0.0, 1.0, 1.5]), unit(rng, 2, 3), 200.0, np.full(2, 0.5)
    return Trial(kernel_ratio(sphere_run(x, [T / 2, T], beta=1.0, B=B, V=-B), T, B, mass), T, _short(x=x))


# Transformer PDE.


def _ball(rng):
    """R(t) ≤ R₀e^{|V|t} where nothing normalises the weights."""
    _, _, weights = random_rule(rng, 2, ("unnormalised",))
    x, V, t = 1.5 * rng.normal(size=(4, 2)), rng.normal(size=(2, 2)), 0.02
    # Tokens that blow up on the way are what is looked for.
    with np.errstate(over="ignore", invalid="ignore"):
        end = token_run(x, np.array([t]), weights, V=V)[-1]
    size = np.nan_to_num(np.linalg.norm(end, axis=1).max(), nan=np.inf)
    return Trial(
        float(size / (np.linalg.norm(x, axis=1).max() * np.exp(t * np.linalg.norm(V, 2)))), t, _short(V=V, x=x)
    )


def _energy(kind):
    def trial(rng):
        (x, mass), B = _prompt(rng), rng.normal(size=(2, 2))
        B, V = ((B + B.T) / 2, rng.normal(size=(2, 2))) if kind == "value" else (B, B)
        return Trial(energy_ratio("softmax", B, V, x, mass, 1), 0.1, _short(B=B, V=V, x=x))

    return trial


def _transport_energy(rng):
    (x, mass), B = _prompt(rng), rng.normal(size=(2, 2))
    return Trial(self_transport_ratio(B, B, x, mass, 1, 1.0), 0.2, _short(B=B, x=x))


def _mean(rng):
    """One half-step of Sinkhorn, which is softmax, or three."""
    (x, mass), B, V = _prompt(rng), rng.normal(size=(2, 2)), rng.normal(size=(2, 2))
    steps = int(rng.choice([1, 3]))

    def weights(y):
        g = np.zeros(len(mass))
        for _ in range(steps // 2):
            rows = softmax(y @ B @ y.T + g + np.log(mass))
            g = g - np.log(mass @ rows / mass)
        return softmax(y @ B @ y.T + g + np.log(mass))

    return Trial(mean_ratio(weights, V, x, mass), 0.5, f"{steps} half-steps, {_short(B=B, V=V, x=x)}")


def _moments(rng):
    (x, mass), B, V = _prompt(rng), rng.normal(size=(2, 2)), rng.normal(size=(2, 2))
    return Trial(
        moment_ratio(lambda y: softmax(y @ B @ y.T + np.log(mass)), B, V, x, mass, 0.2), 0.2, _short(B=B, V=V, x=x)
    )


def _gaussian(rng):
    nodes, mass = gaussian.hermite_nodes(1, 24)
    B, V, factor = rng.normal(size=(2, 2)), rng.normal(size=(2, 2)), rng.normal(size=(2, 1)) / 2
    weights = lambda y: expit(y @ B @ y.T) * mass  # noqa: E731
    return Trial(gaussian.affine_ratio(weights, nodes, mass, np.ones(2), factor, V), 0.5, _short(B=B, V=V))


def _identity(rng):
    """The mean of the eigenvalues of V in the place of v."""
    B, V, S = rng.normal(size=(2, 2)), np.diag([1.0, 2.0]), np.eye(2)
    end = matrix_run(S, np.array([0.05]), lambda M: covariance_rate(M, B, V))[-1]
    return Trial(float(np.abs(end - softmax_identity(B, S, t=0.05, v=1.5)).max()) / 1e-7, 0.05, _short(B=B))


def _rank(rng):
    """V = diag(1, −1): what shrinks along one axis grows along the other."""
    C = rng.normal(size=(2, 2))
    B, V, S = -C @ C.T - 0.1 * np.eye(2), np.diag([1.0, -1.0]), np.eye(2)
    return Trial(gaussian.rank_ratio(gaussian.long_run(B, V, S, [0.1, 1.0, 10.0, 100.0]), S, B, V), 100.0, _short(B=B))


def _bures(rng):
    B, S = rng.normal(size=(2, 2)), np.eye(2) + 0.5 * np.diag(rng.uniform(0, 1, 2))
    rate = covariance_rate(S, B, B)
    return Trial(
        gaussian.gradient_ratio(gaussian.bures_distance, partial(bures_energy, B), S, rate, rng), 0.0, _short(B=B, S=S)
    )


def _fisher(rng):
    B, V, S = rng.normal(size=(2, 2)), np.diag([1.0, 2.0]), np.eye(2)
    energy = partial(fisher_energy, B, v=1.5)
    ratio = gaussian.gradient_ratio(gaussian.entropy_distance, energy, S, covariance_rate(S, B, V), rng)
    return Trial(ratio, 0.0, _short(B=B))


def _descent(rng):
    """V has nothing to do with B."""
    (x, mass), C, V = _prompt(rng), rng.normal(size=(2, 2)), rng.normal(size=(2, 2))
    return Trial(descent_ratio(C @ C.T, V, x, mass, 1.0, 1.0, rng), 0.0, _short(B=C @ C.T, V=V, x=x))


# Heat.


def _half_heat(rng):
    """Half a step at a time on N(0, λ), where λ' = λ(1 + (1 − r)/2)²."""
    lam, errors = float(np.exp(rng.uniform(-0.5, 0.5))), []
    for eps in (0.02, 0.01):
        now = lam
        for _ in range(round(1 / (eps / 2))):
            now = now * (1 + (1 - correlation(eps / (2 * now))) / 2) ** 2
        errors.append(now - lam - 1)
    return Trial(float(abs(np.log2(errors[0] / errors[1]) - 2)) / 0.3, 1.0, f"N(0, {lam:.4g})")


def _half_sphere(rng):
    half = partial(circle_step, length=0.5)
    return Trial(heat_ratio(circle_nodes(rng), half, 2, length=0.5), 0.4, "half a step on the circle")


# Low temperature.


def _gap(rng):
    """Tokens on a half circle cannot hear Bᵀx/|Bᵀx| where nobody is, however cold it gets."""
    theta = np.pi * (np.arange(150) + 0.5) / 150
    x, V, B = np.stack([np.cos(theta), np.sin(theta)], axis=1), rng.normal(size=(2, 2)), np.diag([1.0, -1.0])
    exact = LowTemperatureLimit(V, B).flow(x, 0.5)
    warm, cold = (index_distance(attention_run(x, V=V, B=B, beta=b, until=0.5), exact) for b in (30.0, 240.0))
    return Trial(cold / (0.7 * warm), 0.5, _short(V=V, B=B))


def _on_the_other_axis(rng):
    """Tokens that start on the weaker eigenvector stay there."""
    limit = LowTemperatureLimit(np.diag([1.0 + float(rng.uniform(0.2, 1)), 0.5]), np.eye(2))
    x, E = np.array([[0.0, 1.0], [0.0, -1.0]]), limit.dominant.basis
    end = limit.flow(x, 20.0)
    return Trial(float(np.abs(end - end @ E @ E.T).max()) / 1e-6, 20.0, _short(A=limit.A))


def _narrow(rng):
    """All tokens on an arc of one radian, and B = −I: nobody is at −x, where every token would listen."""
    theta = float(rng.uniform(0, 2 * np.pi)) + np.linspace(0, 1, 100)
    x, closest = np.stack([np.cos(theta), np.sin(theta)], axis=1), []
    limit = LowTemperatureLimit(np.diag([1.0, float(rng.uniform(-0.5, 0.3))]), -np.eye(2))
    masses = limit.masses(Particles(x))
    for beta in (12.0, 144.0):
        y, best = x, np.inf
        for _ in range(20):
            y = attention_run(y, V=limit.V, B=limit.B, beta=beta, until=0.3, steps=3)
            best = min(best, two_atom_w2(y, limit.atoms, masses=masses))
        closest.append(best)
    # Twelve times colder must come closer by a tenth at least.
    words = f"{_short(V=limit.V, start=theta[0])}: {closest[0]:.3g} at β = 12, {closest[1]:.3g} at β = 144"
    return Trial(closest[1] / (0.9 * closest[0]), 6.0, words)


for _key, _words, _trials in (
    ("burger2025.dissipation", "B symmetric (any B, V = B)", random_trials(_dissipation, 4)),
    ("burger2025.maximum", "B symmetric (any B)", random_trials(_maximum, 8)),
    ("burger2025.semidefinite", "tokens spread (two of them, d = 3)", random_trials(_flat_descent, 2)),
    ("castin2025.support", "a normaliser (unnormalised)", random_trials(_ball, 10)),
    ("castin2025.energy", "V = ±B (any V)", random_trials(_energy("value"), 4)),
    ("castin2025.energy", "B symmetric (any B, V = B)", random_trials(_energy("score"), 4)),
    ("castin2025.sinkhorn_energy", "B symmetric (any B, V = B)", random_trials(_transport_energy, 4)),
    ("castin2025.sinkhorn_mean", "Sinkhorn converged (1 or 3 half-steps)", random_trials(_mean, 4)),
    ("castin2025.linear", "linear attention (here softmax)", random_trials(_moments, 4)),
    ("castin2025.gaussians", "a rule that closes (here sigmoid)", random_trials(_gaussian, 4)),
    ("castin2025.identity", "V = vI (here V = diag(1, 2))", random_trials(_identity, 4)),
    ("castin2025.rank", "V > 0 (here V = diag(1, −1))", random_trials(_rank, 3)),
    (
        "castin2025.global",
        "K of full column rank (here K = (1, 0))",
        fixed(partial(gaussian.singular_key, is_allowed=False)),
    ),
    ("castin2025.bures", "B symmetric (any B, V = B)", random_trials(_bures, 4)),
    ("castin2025.fisher_rao", "V = vI (here V = diag(1, 2))", random_trials(_fisher, 4)),
    ("agarwal2024.sinkhorn_descent", "V = −cB (any V)", random_trials(_descent, 4)),
    ("agarwal2024.heat", "the step lasts ε (here half of it)", random_trials(_half_heat, 4)),
    ("agarwal2024.sphere_heat", "the step lasts ε (here half of it)", random_trials(_half_sphere, 2)),
    ("bruno2025.theorem-3.2", "tokens everywhere (a half circle)", random_trials(_gap, 3)),
    ("bruno2025.proposition-3.4", "starts off the weaker eigenspaces", random_trials(_on_the_other_axis, 2)),
    ("alcalde2026.concentration", "tokens everywhere (one radian of them)", random_trials(_narrow, 4)),
):
    drop(_key, _words, _trials)
