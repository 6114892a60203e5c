"""Searches for counterexamples to the statements on Sinkhorn attention and heat flow."""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np
from scipy.special import ive

from ..entropic.energy import free_energy
from ..entropic.self_transport import self_transport
from . import entropic_gaussian as closed
from .castin2025_search import mean_trial
from .claim import Verdict
from .gaussian_mixture import GaussianMixture
from .search import Trial, both, doubly_stochastic, falsifier, random_trials, shown

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


# Heat on the sphere.


def harmonic_decay(degree, d: int, t):
    r"""$e^{-l(l+d-2)t/2}$, what half the Laplacian of the sphere does to harmonics of degree l."""
    return np.exp(-degree * (degree + d - 2) * t / 2)


def scaled(kernel, mass):
    """v with v·K(mv) = 1 for a symmetric kernel, by damped square roots."""
    v = (kernel @ mass) ** -0.5
    for _ in range(60):
        v = v * (v * (kernel @ (mass * v))) ** (-2 / 3)
    return v


def circle_step(theta, mass, eps, *, length: float = 1.0):
    apart = theta[:, None] - theta[None]
    kernel = np.exp((np.cos(apart) - 1) / eps)
    v = scaled(kernel, mass)
    # Along the tangent the mean of the others is −Σ P sin(θ − θ'), and arctan is the normalisation.
    return theta + np.arctan(length * (v[:, None] * kernel * (mass * v) * np.sin(apart)).sum(axis=1))


def zonal_step(theta, mass, eps):
    """Densities on the 2-sphere that depend on the polar angle alone: azimuths are integrated by Bessel functions."""
    a, b = theta[:, None], theta[None]
    reach = np.sin(a) * np.sin(b) / eps
    size = np.exp((np.cos(a - b) - 1) / eps)
    round_, turned = size * ive(0, reach), size * ive(1, reach)
    v = scaled(round_, mass)
    out, up = (v * (k @ (mass * v * f)) for k, f in ((turned, np.sin(theta)), (round_, np.cos(theta))))
    return theta - np.arctan(out * np.cos(theta) - up * np.sin(theta))


def circle_nodes(rng):
    theta = 2 * np.pi * np.arange(160) / 160
    mass = np.exp(sum(rng.normal() / k * np.cos(k * theta - rng.uniform(0, 7)) for k in (1, 2, 3)))
    return theta, mass / mass.sum(), lambda l, angle: np.exp(1j * l * angle)


def zonal_nodes(rng):
    z, w = np.polynomial.legendre.leggauss(80)
    mass = w * np.exp(rng.normal() * z + rng.normal() * z**2)
    harmonic = lambda l, angle: np.polynomial.legendre.Legendre.basis(l)(np.cos(angle))  # noqa: E731
    return np.arccos(z), mass / mass.sum(), harmonic


def sphere_trial(rng) -> Trial:
    d = int(rng.integers(2, 4))
    nodes = (circle_nodes if d == 2 else zonal_nodes)(rng)
    ratio = heat_ratio(nodes, circle_step if d == 2 else zonal_step, d)
    return Trial(ratio, 0.4, f"d = {d}, {shown(mass=nodes[1][::20])}")


def heat_ratio(nodes, step, d: int, *, length: float = 1.0) -> float:
    """The first three moments at t = 0.4 against their decay: errors fall to a quarter with half the ε."""
    (theta, mass, harmonic), errors = nodes, []
    for eps in (0.05, 0.025):
        angle = theta
        for _ in range(round(0.4 / (length * eps))):
            angle = step(angle, mass, eps)
        moved = [mass @ (harmonic(l, angle) - harmonic_decay(l, d, 0.4) * harmonic(l, theta)) for l in (1, 2, 3)]
        errors.append(np.linalg.norm(moved))
    # At these ε the order is 2 up to 0.15, from the next term.
    return abs(_order(errors) - 2) / 0.3


sphere_heat = falsifier("agarwal2024.sphere_heat", printed=random_trials(sphere_trial, 5))


# Sinkhorn attention descends, and moves the mean.


def relative_entropy(scores, mass) -> float:
    r"""$-\frac12\int k\log(k/k^0)\,d\mu\,d\mu$, k the doubly stochastic form of $k^0 = e^s$."""
    P, f, g = doubly_stochastic(scores, mass)
    return float(-0.5 * mass @ np.sum(P * (f[:, None] + g[None]), axis=1))


def descent_trial(rng) -> Trial:
    r"""$\langle v, w\rangle_\mu = -c\varepsilon\,dF(w)$ for a random displacement w and for v itself, also for indefinite B."""
    n, d, eps, c = int(rng.integers(2, 7)), int(rng.integers(1, 4)), float(rng.choice([0.3, 1.0])), rng.uniform(0.5, 3)
    B, x, mass = rng.normal(size=(d, d)), 0.5 * rng.normal(size=(n, d)), rng.dirichlet(np.ones(n)) * 0.9 + 0.1 / n
    B = B @ B.T / d if rng.random() < 0.5 else (B + B.T) / 2
    ratio = descent_ratio(B, -c * B, x, mass, eps, c, rng)
    return Trial(ratio, 0.0, f"ε = {eps}, c = {c:.4g}, {shown(B=B, x=x, mass=mass)}")


def descent_ratio(B, V, x, mass, eps: float, c: float, rng) -> float:
    energy = lambda y: relative_entropy(y @ B @ y.T / eps, mass)  # noqa: E731
    v, h, worst = doubly_stochastic(x @ B @ x.T / eps, mass)[0] @ x @ V.T, 1e-4, 0.0
    for w in (rng.normal(size=x.shape), v / np.linalg.norm(v)):
        slope = (energy(x + h * w) - energy(x - h * w)) / (2 * h)
        told, *squares = (mass @ np.sum(a * b, axis=1) for a, b in ((v, w), (v, v), (w, w)))
        # The central difference is good to h² of third derivatives.
        worst = max(worst, abs(told + c * eps * slope) / (1e-5 * np.sqrt(squares[0] * squares[1])))
    return float(worst)


sinkhorn_descent = falsifier("agarwal2024.sinkhorn_descent", printed=random_trials(descent_trial, 20))


def layer_trial(rng) -> Trial:
    """One layer x + ηPVx, however long, moves the mean by I + ηV; many tokens, masses over decades."""
    n, d, eta = int(rng.integers(5, 40)), int(rng.integers(1, 4)), float(rng.uniform(0.1, 5))
    B, V, x = rng.normal(size=(d, d)), rng.normal(size=(d, d)), rng.standard_t(4, size=(n, d)) / 2
    mass = 10.0 ** rng.uniform(-3, 0, n)
    mass /= mass.sum()
    moved = mass @ (x + eta * doubly_stochastic(x @ B @ x.T, mass)[0] @ x @ V.T)
    gap = np.abs(moved - (np.eye(d) + eta * V) @ (mass @ x)).max() / np.abs(x).max()
    return Trial(float(gap) / 1e-9, eta, shown(B=B, V=V, x=x, mass=mass))


means = falsifier("agarwal2024.mean", printed=both(random_trials(mean_trial, 4), random_trials(layer_trial, 10)))
