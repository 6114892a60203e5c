"""Trials of the gradient flows of arXiv 2501.18322: energies of tokens and of covariances, and how they are dissipated."""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.linalg import sqrtm

from ...theory.gaussian.closed_forms import bures_energy, fisher_energy
from ..hunt import Trial, shown
from ..independent import doubly_stochastic, matrix_run
from ..trial import equal, worst_ratio
from .moments import covariance_rate


def random_covariance(rng, d: int):
    L = rng.normal(size=(d, d))
    return L @ L.T / d + 0.25 * np.eye(d)


# ---- tokens: what is gained on the way is what was dissipated on the way ----------------------------------------------


def _balance(x, until, rate, energy):
    """Tokens with the integral of their squared speed beside them: the gain of energy and that integral."""

    def whole(state):
        v, power = rate(state[:-1])
        return np.vstack([v, np.append(power, np.zeros(x.shape[1] - 1))])

    start = np.vstack([x, np.zeros(x.shape[1])])
    end = matrix_run(start, np.array([until]), whole)[-1]
    return energy(end[:-1]) - energy(x), float(end[-1, 0])


def weight_of_metric(kind: str, Z):
    """The metric in which attention climbs its energy: Z_μ(x) for softmax, 1 without a normaliser."""
    return Z if kind == "softmax" else np.ones_like(Z)


def energy_trial(rng) -> Trial:
    d, n, sign, kind = int(rng.integers(1, 4)), 5, rng.choice([-1, 1]), str(rng.choice(["softmax", "unnormalised"]))
    B, x, mass = rng.normal(size=(d, d)), 0.4 * rng.normal(size=(n, d)), rng.dirichlet(np.full(n, 2.0))
    B = (B + B.T) / 2
    return Trial(energy_ratio(kind, B, sign * B, x, mass, sign), 0.1, f"{kind}, {sign:+d}, {shown(B=B, x=x)}")


def energy_ratio(kind: str, B, V, x, mass, sign) -> float:
    r"""How far $E(T) - E(0) = \pm\int\!\int w|v|^2$ is off for $E = \frac12\iint e^{x^\top By}$."""

    def rate(y):
        kernel = np.exp(y @ B @ y.T) * mass
        Z = kernel.sum(axis=1)
        v = (kernel @ y @ V.T) / (Z[:, None] if kind == "softmax" else 1.0)
        return v, mass @ (weight_of_metric(kind, Z) * np.sum(v * v, axis=1))

    # Without a normaliser large scores blow up soon.
    until = 0.1 / max(1.0, float(np.linalg.norm(V, 2) * np.exp(x @ B @ x.T).max()))
    gain, power = _balance(x, until, rate, lambda y: mass @ np.exp(y @ B @ y.T) @ mass / 2)
    return equal(sign * gain, power, 1e-7 * power + 1e-13)


def self_transport_cost(scores, mass) -> float:
    r"""$\mathrm{OT}_\varepsilon(\mu,\mu)/(2\varepsilon) = \int f\,d\mu$ of a symmetric kernel: the mean of both potentials."""
    _, f, g = doubly_stochastic(scores, mass)
    return float(mass @ (f + g)) / 2


def transport_trial(rng) -> Trial:
    """Also for indefinite B."""
    d, n, sign, eps = int(rng.integers(1, 4)), 4, rng.choice([-1, 1]), float(rng.choice([0.5, 1.0, 2.0]))
    B, x, mass = rng.normal(size=(d, d)) / 2, 0.7 * rng.normal(size=(n, d)), rng.dirichlet(np.full(n, 2.0))
    B = (B + B.T) / 2
    if np.abs(x @ B @ x.T).max() > 2 * eps:
        # The plain alternation of these trials is slow for large scores.
        return Trial(0.0, is_inside=False)
    return Trial(transport_ratio(B, sign * B, x, mass, sign, eps), 0.2, f"ε = {eps}, {sign:+d}, {shown(B=B, x=x)}")


def transport_ratio(B, V, x, mass, sign, eps: float) -> float:
    r"""How far $F(T) - F(0) = \mp\int\!\int|v|^2$ is off for velocities $\frac1\varepsilon VE[y|x]$."""

    def rate(y):
        v = doubly_stochastic(y @ B @ y.T / eps, mass)[0] @ y @ V.T / eps
        return v, mass @ np.sum(v * v, axis=1)

    gain, power = _balance(x, 0.2, rate, lambda y: self_transport_cost(y @ B @ y.T / eps, mass))
    return equal(-sign * gain, power, 1e-7 * power + 1e-13)


def token_energy(x, B) -> float:
    """The energy ½∬e^{xᵀBy} of one token."""
    return float(np.exp(x @ B @ x)) / 2


def convexity_trial(rng) -> Trial:
    """One token through 0 along an eigenvector: half-way the energy is above the chord if λ < 0, below it if λ > 0."""
    d = int(rng.integers(1, 4))
    B = rng.normal(size=(d, d))
    B = (B + B.T) / 2
    values, axes = np.linalg.eigh(B)
    reach, excess = float(rng.uniform(0.2, 1.0)), []
    for value, axis in zip(values, axes.T):
        ends = np.array([-1, 0, 1])[:, None] * reach / np.sqrt(abs(value)) * axis
        first, middle, last = (token_energy(x, B) for x in ends)
        excess.append(-np.sign(value) * (2 * middle / (first + last) - 1))
    # e^{±r²} against 1: at least 1 − e^{−r²}, here 0.039; no excess at all is a violation of any size.
    return Trial(0.02 / float(np.maximum(np.min(excess), 1e-300)), 0.0, shown(B=B))


# ---- tokens outside the hypotheses ------------------------------------------------------------------------------------


def _prompt(rng):
    return 0.4 * rng.normal(size=(5, 2)), rng.dirichlet(np.full(5, 2.0))


def any_value_trial(rng) -> Trial:
    (x, mass), (B, V) = _prompt(rng), rng.normal(size=(2, 2, 2))
    B = (B + B.T) / 2
    return Trial(energy_ratio("softmax", B, V, x, mass, 1), 0.1, shown(3, B=B, V=V, x=x))


def any_score_trial(rng) -> Trial:
    (x, mass), B = _prompt(rng), rng.normal(size=(2, 2))
    return Trial(energy_ratio("softmax", B, B, x, mass, 1), 0.1, shown(3, B=B, x=x))


def any_plan_trial(rng) -> Trial:
    (x, mass), B = _prompt(rng), rng.normal(size=(2, 2))
    return Trial(transport_ratio(B, B, x, mass, 1, 1.0), 0.2, shown(3, B=B, x=x))


# ---- covariances: an inner product is what a squared distance says of small steps -------------------------------------


def bures_distance(S, T) -> float:
    r"""$W_2^2 = \mathrm{tr}\,S + \mathrm{tr}\,T - 2\,\mathrm{tr}(S^{1/2}TS^{1/2})^{1/2}$"""
    half = np.real(np.asarray(sqrtm(S)))
    return float(np.trace(S) + np.trace(T) - 2 * np.sqrt(np.linalg.eigvalsh(half @ T @ half)).sum())


def entropy_distance(S, T) -> float:
    r"""$2\,\mathrm{KL}(N(0,T)\,|\,N(0,S))$, the squared Fisher–Rao distance of close Gaussians."""
    values = np.linalg.eigvals(np.linalg.solve(S, T)).real - 1
    return float(np.sum(values - np.log1p(values)))


def inner(distance, S, a, b, h: float) -> float:
    """⟨a, b⟩ at S by polarisation, with steps to both sides so that odd terms cancel."""

    def square(w):
        return (distance(S, S + h * w) + distance(S, S - h * w)) / (2 * h * h)

    return (square(a + b) - square(a - b)) / 4


def gradient_ratio(distance, energy, S, rate, rng) -> float:
    """⟨Σ', H⟩ against the derivative of the energy along a random H, and along Σ' itself."""
    W = rng.normal(size=S.shape)
    ratios, h = [], 1e-3 * np.linalg.eigvalsh(S)[0]
    for H in (W + W.T, rate):
        a, b = rate / np.linalg.norm(rate), H / np.linalg.norm(H)
        slope = (energy(S + h * b) - energy(S - h * b)) / (2 * h)
        told = np.linalg.norm(rate) * inner(distance, S, a, b, h)
        size = np.linalg.norm(rate) * np.sqrt(inner(distance, S, a, a, h) * inner(distance, S, b, b, h))
        # Rounding is about 1e-16/h² of the covariance, the truncation h²: both well below 1e-4.
        ratios.append(equal(told, slope, 1e-4 * size))
    return worst_ratio(*ratios)


def bures_trial(rng) -> Trial:
    d, sign = int(rng.integers(2, 4)), float(rng.choice([-1, 1]))
    B, S = rng.normal(size=(d, d)), random_covariance(rng, d)
    B = (B + B.T) / 2
    rate = covariance_rate(S, B, sign * B)
    ratio = gradient_ratio(bures_distance, lambda M: sign * bures_energy(B, M), S, rate, rng)
    return Trial(ratio, 0.0, f"{sign:+g}, {shown(B=B, S=S)}")


def fisher_trial(rng) -> Trial:
    d, v = int(rng.integers(2, 4)), float(rng.choice([-1.0, 0.5, 2.0]))
    B, S = rng.normal(size=(d, d)), random_covariance(rng, d)
    rate = covariance_rate(S, B, v * np.eye(d))
    return Trial(
        gradient_ratio(entropy_distance, lambda M: fisher_energy(B, M, v=v), S, rate, rng), 0.0, shown(B=B, S=S, v=v)
    )


def any_bures_trial(rng) -> Trial:
    B, S = rng.normal(size=(2, 2)), np.eye(2) + 0.5 * np.diag(rng.uniform(0, 1, 2))
    ratio = gradient_ratio(bures_distance, partial(bures_energy, B), S, covariance_rate(S, B, B), rng)
    return Trial(ratio, 0.0, shown(3, B=B, S=S))


def any_fisher_trial(rng) -> Trial:
    B, V, S = rng.normal(size=(2, 2)), np.diag([1.0, 2.0]), np.eye(2)
    ratio = gradient_ratio(entropy_distance, partial(fisher_energy, B, v=1.5), S, covariance_rate(S, B, V), rng)
    return Trial(ratio, 0.0, shown(3, B=B))
