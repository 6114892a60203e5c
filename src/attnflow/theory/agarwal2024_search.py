"""Searches for counterexamples to the statements on Sinkhorn attention and heat flow."""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np

from ..entropic.energy import free_energy
from ..entropic.self_transport import self_transport
from . import entropic_gaussian as closed
from .claim import Verdict
from .gaussian_mixture import GaussianMixture

Statement = Literal["printed", "corrected"]


def _verdict(
    claim: str, statement: Statement, ratios, seed: int, *, horizon: float = 0.0, example: str = ""
) -> Verdict:
    """Violation ratios above 1 refute."""
    worst = float(np.max(ratios))
    outcome = "refuted" if worst > 1 else "not refuted"
    return Verdict(
        f"agarwal2024.{claim}", statement, outcome, len(ratios), horizon, worst, seed, example if worst > 1 else ""
    )


def _order(errors) -> float:
    return float(np.log2(abs(errors[-2] / errors[-1])))


def _random_mixture(rng) -> GaussianMixture:
    return GaussianMixture(rng.uniform(0.3, 1, 2), rng.uniform(-2, 2, (2, 1)), rng.uniform(0.7, 1.5, 2))


def _nodes(M: GaussianMixture, eps: float):
    """Uniform nodes with spacing 0.3 √ε over eight standard deviations."""
    reach = 8 * np.sqrt(M.covs.max())
    low, high = M.means.min() - reach, M.means.max() + reach
    x = np.arange(low, high, min(0.05, 0.3 * np.sqrt(eps)))
    mass = M.density(x)
    return x[:, None], mass / mass.sum()


def heat_order(seed: int, effort: int) -> list[Verdict]:
    """The observed order of bridge steps to t = 0.4 on random mixtures: at least 1 (printed) and near 2 (corrected)."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(2 * effort):
        M, errors = _random_mixture(rng), []
        for eps in (0.1, 0.05):
            x, mass = _nodes(M, eps)
            start = x[:, 0]
            for _ in range(round(0.4 / eps)):
                x = 2 * x - _bary(x, mass, eps)
            errors.append(np.sqrt(mass @ (x[:, 0] - M.characteristic(start, 0.4)) ** 2))
        found.append(_order(errors))
    orders = np.array(found)
    return [
        _verdict("heat", "printed", 0.9 / orders, seed, horizon=0.4),
        _verdict("heat", "corrected", np.abs(orders - 2) / 0.3, seed, horizon=0.4, example=f"orders {orders.round(2)}"),
    ]


def _bary(x, mass, eps):
    return self_transport(x, eps, mass=mass, tol=1e-12).bary


def energy_rise(seed: int, effort: int) -> list[Verdict]:
    """Random clouds, masses and temperatures: does F_ε ever rise at a step?"""
    rng, ratios = np.random.default_rng(seed), []
    for _ in range(20 * effort):
        n, d = int(rng.integers(2, 60)), int(rng.integers(1, 5))
        x, mass, eps = rng.standard_t(3, size=(n, d)), rng.random(n) + 1e-3, 10 ** rng.uniform(-2.5, 1)
        first = self_transport(x, eps, mass=mass, tol=1e-13)
        second = self_transport(2 * first.x - first.bary, eps, mass=mass, tol=1e-13)
        rise = free_energy(second) - free_energy(first)
        ratios.append(1 + rise / (1 + abs(free_energy(first))) - 1e-10)
    return [_verdict("energy", "printed", np.array(ratios), seed)]


def fokker_planck_order(seed: int, effort: int) -> list[Verdict]:
    """Ornstein–Uhlenbeck from random variances: orders of the surrogate (1) and of Strang splitting (2)."""
    rng = np.random.default_rng(seed)
    orders = {1: [], 2: []}
    for lam in np.exp(rng.uniform(-1, 2, 10 * effort)):
        exact = closed.ou_variance(lam, 1.0)
        for order, run in ((1, closed.ou_surrogate_variance), (2, closed.ou_strang_variance)):
            orders[order].append(_order([run(lam, 1 / k, k) - exact for k in (80, 160)]))
    gap = np.concatenate([np.abs(np.array(values) - order) for order, values in orders.items()])
    return [
        _verdict("fokker_planck", "printed", 0.9 / np.array(orders[1]), seed, horizon=1.0),
        _verdict("fokker_planck", "corrected", gap / 0.15, seed, horizon=1.0),
    ]


def langevin(seed: int, effort: int) -> list[Verdict]:
    """Whether the symmetrised relative entropy of Gaussians stays below u⁴/72, u = ε/(2λ)."""
    u = 10 ** np.random.default_rng(seed).uniform(-2, 0.5, 50 * effort)
    ratios = np.array([closed.langevin_divergence(one) / (one**4 / 72) for one in u])
    return [_verdict("langevin", "printed", ratios * (1 - 1e-6), seed)]


def one_step_rate(seed: int, effort: int) -> list[Verdict]:
    """Printed: distance/ε³ bounded; corrected: distance ≤ ε²/(8s³)."""
    s = np.exp(np.random.default_rng(seed).uniform(-1, 1, 20 * effort))
    small, large = ([closed.euler_bridge_distance(one, eps) / eps**3 for one in s] for eps in (1e-5, 1e-2))
    bounds = [closed.euler_bridge_distance(one, 0.1) / (0.1**2 / (8 * one**3)) for one in s]
    growth = np.divide(small, large) / 10
    example = "N(0, 1): distance/ε³ grows like 1/(8ε)"
    return [
        _verdict("one_step", "printed", growth, seed, example=example),
        _verdict("one_step", "corrected", np.array(bounds), seed),
    ]


def score_limit(seed: int, effort: int) -> list[Verdict]:
    """(bary − x)/ε against half the score on random mixtures: the error must fall by half with ε."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(4 * effort):
        M = _random_mixture(rng)
        found.append(_order([_score_error(M, eps, 0.5) for eps in (0.04, 0.02)]))
    return [_verdict("score_limit", "printed", 0.8 / np.array(found), seed)]


def sinkformer_factor(seed: int, effort: int) -> list[Verdict]:
    """Does the error of the limit with factor 1 (printed) or ½ (corrected) fall with ε?"""
    rng, falls = np.random.default_rng(seed), {"printed": [], "corrected": []}
    for _ in range(4 * effort):
        M = _random_mixture(rng)
        for statement, factor in (("printed", 1.0), ("corrected", 0.5)):
            coarse, fine = (_score_error(M, eps, factor) for eps in (0.04, 0.02))
            falls[statement].append(fine / coarse / 0.7)
    make = partial(
        _verdict, "sinkformer_limit", seed=seed, example="any smooth density: the field tends to half the score"
    )
    return [make("printed", np.array(falls["printed"])), make("corrected", np.array(falls["corrected"]))]


def softmax_transpose(seed: int, effort: int) -> list[Verdict]:
    """Gaussians, generic Q, symmetric QᵀK: which transpose does the limit carry?"""
    rng, falls = np.random.default_rng(seed), {"printed": [], "corrected": []}
    for _ in range(10 * effort):
        Q, root, L = (rng.normal(size=(2, 2)) for _ in range(3))
        K = np.linalg.solve(Q.T, root @ root.T + np.eye(2))
        S = L @ L.T + np.eye(2)
        for statement, inverse in (("printed", np.linalg.inv(K)), ("corrected", np.linalg.inv(K).T)):
            coarse, fine = (_prop4_error(Q, K, S, eps, inverse) for eps in (1e-2, 1e-3))
            falls[statement].append(fine / coarse / 0.5)
    make = partial(_verdict, "softmax_limit", seed=seed, example="generic 2 × 2 Q with QᵀK symmetric")
    return [make("printed", np.array(falls["printed"])), make("corrected", np.array(falls["corrected"]))]


def _score_error(M, eps, factor):
    x, mass = _nodes(M, eps)
    gap = (_bary(x, mass, eps) - x) / eps - factor * M.score(x)
    return np.sqrt(mass @ np.sum(gap**2, axis=1))


def _prop4_error(Q, K, S, eps, inverse):
    """ε in units of the smallest eigenvalue of KSKᵀ; the field (QᵀQ − QᵀK E[y|·])/ε by the Woodbury identity."""
    spread = K @ S @ K.T
    field = Q.T @ np.linalg.solve(eps * np.linalg.eigvalsh(spread)[0] * np.eye(len(S)) + spread, Q)
    limit = Q.T @ inverse @ np.linalg.solve(S, np.linalg.solve(K, Q))
    return np.abs(field - limit).max()
