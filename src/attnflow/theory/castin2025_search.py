"""Searches for counterexamples to the statements of Castin et al. 2025 on tokens: support, stability, means, energies."""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.linalg import expm
from scipy.optimize import linear_sum_assignment
from scipy.special import exp1, expit

from ..attention import L2, Causal, Linear, Linked, Sigmoid, Sinkhorn, Softmax, Unnormalised
from ..flow import Flow
from ..spaces import Euclidean
from .gaussian_closed_forms import sinkhorn_mean, unnormalised_blow_up
from .lipschitz import per_input_bound
from .search import (
    Trial,
    both,
    doubly_stochastic,
    falsifier,
    fixed,
    matrix_run,
    random_trials,
    shown,
    softmax,
    token_run,
)
from .stability_bounds import log_constant, prefix_mean_norm, stability_bound
from .variant_constants import constants

NORMALISED = ("softmax", "causal", "L2", "sigmoid", "Sinkhorn")


def random_rule(rng, d: int, kinds):
    """A rule of one of the kinds with random weights, and its row weights by NumPy for equal masses."""
    B, Q, K = (rng.normal(size=(d, d)) * rng.choice([0.3, 1.0]) for _ in range(3))
    kind, bias = str(rng.choice(kinds)), float(rng.uniform(-2, 6))
    match kind:
        case "softmax":
            return kind, Softmax(B), lambda y: softmax(y @ B @ y.T)
        case "causal":
            return kind, Causal(Softmax(B)), lambda y: causal_softmax(y @ B @ y.T)
        case "L2":
            return kind, L2(Q=Q, K=K), lambda y: softmax(-np.sum(((y @ Q.T)[:, None] - (y @ K.T)[None]) ** 2, axis=2))
        case "sigmoid":
            return kind, Sigmoid(B, bias=bias), lambda y: expit(y @ B @ y.T + bias) / len(y)
        case "Sinkhorn":
            return kind, Sinkhorn(B), lambda y: doubly_stochastic(y @ B @ y.T, np.full(len(y), 1 / len(y)))[0]
        case "unnormalised":
            return kind, Unnormalised(B), lambda y: np.exp(y @ B @ y.T) / len(y)
    return kind, Linear(B), lambda y: y @ B @ y.T / len(y)


def causal_softmax(scores):
    return softmax(np.where(np.tri(len(scores), dtype=bool), scores, -np.inf))


def _random_values(rng, d: int):
    """A value matrix with its strongest direction; half of them symmetric, where a bound by |V| can be reached."""
    V = rng.normal(size=(d, d)) * rng.choice([0.5, 1.0])
    V = (V + V.T) / 2 if rng.random() < 0.5 else V
    return V, np.linalg.svd(V)[2][0]


# Support.


def support_trial(rng) -> Trial:
    """Tokens anywhere, or all close together on the direction that V stretches most, against the growing ball."""
    d = int(rng.integers(1, 4))
    kind, rule, weights = random_rule(rng, d, NORMALISED)
    V, strongest = _random_values(rng, d)
    x = rng.normal(size=(4, d))
    x = x if rng.random() < 0.5 else strongest + 1e-3 * x
    return Trial(_radius_ratio(rule, weights, V, x, horizon=1.0), 1.0, f"{kind}, {shown(V=V, x=x)}")


def short_support_trial(rng) -> Trial:
    """Kernels without a normaliser, up to six tenths of the time for which anything is promised."""
    d = int(rng.integers(1, 3))
    kind, rule, weights = random_rule(rng, d, ("unnormalised", "linear"))
    V, x = _random_values(rng, d)[0], rng.normal(size=(3, d)) / 2
    assert isinstance(rule, Linked | Unnormalised)
    speed, size = (float(np.linalg.norm(M, 2)) for M in (V, np.asarray(rule.score.B(d))))
    strength = size * float(np.max(np.sum(x * x, axis=1)))
    horizon = 0.6 * (float(exp1(strength)) if kind == "unnormalised" else 1 / strength) / (2 * speed)
    ratio = _radius_ratio(rule, weights, V, x, horizon=horizon, pieces=8)
    return Trial(ratio, horizon, f"{kind}, {shown(V=V, x=x)}")


def _radius_ratio(rule, weights, V, x, *, horizon, pieces=2) -> float:
    radius = float(np.linalg.norm(x, axis=1).max())
    bound = stability_bound(Flow(Euclidean(), rule, V=V), radius, d=x.shape[1], horizon=horizon, pieces=pieces)
    size = np.linalg.norm(token_run(x, bound.ts, weights, V=V), axis=2).max(axis=1)
    # Tokens that cannot be followed have left every ball, unless it was Sinkhorn's iteration that did not converge.
    lost = np.nan if isinstance(rule, Sinkhorn) else np.inf
    # Weights of the flow may be kept in single precision.
    return float(np.max(np.where(np.isnan(size), lost, size) / bound.radius)) / (1 + 1e-6)


def explosion_trial(rng) -> Trial:
    """One unnormalised token under V = I, B = aI, in a time that slows down with its speed, to a|x|² = 30."""
    a, x = float(rng.uniform(0.2, 2)), rng.normal(size=2)
    ratio = lambda state: np.exp(min(a * (state[:2] @ state[:2]), 100.0))  # noqa: E731
    rate = lambda state: np.append(state[:2] * ratio(state), 1.0) / (1 + ratio(state))  # noqa: E731
    late = float(np.log(np.sqrt(30 / a) / np.linalg.norm(x))) + 40
    ends = matrix_run(np.append(x, 0.0), np.array([late]), rate)[-1, 2]
    predicted = unnormalised_blow_up(a, float(np.linalg.norm(x)))
    return Trial(float(abs(ends - predicted)) / 1e-8, predicted, f"a = {a}, |x| = {np.linalg.norm(x)}")


support = falsifier(
    "castin2025.support",
    printed=random_trials(support_trial, 8),
    corrected=both(
        random_trials(support_trial, 8), random_trials(short_support_trial, 3), random_trials(explosion_trial, 3)
    ),
)


# Stability.


def _distance(x, y, p: float) -> float:
    cost = np.linalg.norm(x[:, None] - y[None], axis=2) ** p
    return float(cost[linear_sum_assignment(cost)].mean() ** (1 / p))


def stability_trial(rng) -> Trial:
    """Two nearby prompts without masks; without scores and along the strongest direction the bound is nearly reached."""
    d, p = int(rng.integers(1, 3)), float(rng.choice([1.0, 2.0]))
    kind, rule, weights = random_rule(rng, d, ("softmax", "L2", "sigmoid"))
    V, push = _random_values(rng, d)
    if rng.random() < 0.3:
        kind, rule, weights = "no scores", Softmax(np.zeros((d, d))), lambda y: np.full((len(y), len(y)), 1 / len(y))
    x = 0.5 * rng.normal(size=(4, d))
    y = x + 1e-3 * (push if rng.random() < 0.5 else rng.normal(size=(4, d)))
    radius = float(np.linalg.norm(np.concatenate([x, y]), axis=1).max())
    bound = stability_bound(Flow(Euclidean(), rule, V=V), radius, d=d, horizon=0.5, p=p, pieces=2)
    ends = [token_run(z, np.array([0.5]), weights, V=V)[-1] for z in (x, y)]
    grown = np.log(_distance(ends[0], ends[1], p) / _distance(x, y, p)) - bound.log_amplification[-1]
    return Trial(float(np.exp(grown)) / (1 + 1e-5), 0.5, f"{kind}, p = {p:g}, {shown(V=V, x=x, y=y)}")


def masked_trial(rng) -> Trial:
    """Two nearby sequences under a causal mask, in the conditional distance: token i to token i."""
    d, p = int(rng.integers(1, 3)), float(rng.choice([1.5, 2.0, np.inf]))
    B, V = rng.normal(size=(d, d)) * rng.choice([0.0, 0.5]), _random_values(rng, d)[0]
    x = 0.5 * rng.normal(size=(6, d))
    y = x + 1e-3 * rng.normal(size=(6, d))
    radius = float(np.linalg.norm(np.concatenate([x, y]), axis=1).max())
    bound = stability_bound(Flow(Euclidean(), Causal(Softmax(B)), V=V), radius, d=d, horizon=0.5, p=p, pieces=2)
    ends = [token_run(z, np.array([0.5]), lambda z: causal_softmax(z @ B @ z.T), V=V)[-1] for z in (x, y)]
    sizes = [np.linalg.norm(np.linalg.norm(a - b, axis=1), ord=p) for a, b in (ends, (x, y))]
    grown = np.log(sizes[0] / sizes[1]) - bound.log_amplification[-1]
    return Trial(float(np.exp(grown)) / (1 + 1e-5), 0.5, f"p = {p:g}, {shown(B=B, V=V, x=x, y=y)}")


def prefix_trial(n: int, p: float, *, as_printed: bool = False) -> Trial:
    """B = 0, V = I: differences follow e^{tC}, C the averages over prefixes; the start j^{−1/p} makes Hardy's bound sharp."""
    C, t = np.tri(n) / np.arange(1, n + 1)[:, None], 0.1
    found = constants(Flow(Euclidean(), Causal(Softmax(np.zeros((1, 1)))), V=1.0), d=1, radius=1.0)
    L = np.exp(log_constant(found._replace(is_masked=False) if as_printed else found, p))
    start = np.arange(1.0, n + 1) ** (-1 / p)
    growth = np.log(np.linalg.norm(expm(t * C) @ start, ord=p) / np.linalg.norm(start, ord=p)) / t
    return Trial(float(growth / L) / (1 + 1e-9), t, f"B = 0, V = I, {n} tokens, p = {p:g}: rate {growth:.4g} > {L:.4g}")


def _no_constant() -> Trial:
    """p = 1: the norm of averages over prefixes grows at least like log n, so no constant serves every n."""
    norms = [prefix_mean_norm(n, p=1.0) / np.log(n) for n in (8, 64, 512)]
    return Trial(1 / min(norms), 0.0, f"norms over log n: {np.round(norms, 4).tolist()}")


def _exponent_trial(rng) -> Trial:
    return prefix_trial(int(rng.integers(2, 80)), float(rng.choice([1.1, 1.5, 2.0, 4.0, np.inf])))


stability = falsifier(
    "castin2025.stability",
    printed=both(
        random_trials(stability_trial, 8), fixed(*(lambda n=n: prefix_trial(n, 2.0, as_printed=True) for n in (2, 64)))
    ),
    corrected=both(
        random_trials(stability_trial, 8),
        random_trials(masked_trial, 6),
        random_trials(_exponent_trial, 10),
        fixed(_no_constant),
    ),
)


# Means and second moments.


def mean_trial(rng) -> Trial:
    """Any B, V and masses, with twins and unequal masses among them: the mean against e^{tV} times the first one."""
    d, n = int(rng.integers(1, 4)), int(rng.integers(2, 6))
    B, V, x = 0.7 * rng.normal(size=(d, d)), 0.7 * rng.normal(size=(d, d)), 0.7 * rng.normal(size=(n, d))
    x[-1] = x[0] + rng.choice([0.0, 1e-3, 1.0]) * rng.normal(size=d)
    mass = rng.dirichlet(np.full(n, 0.5)) * 0.99 + 0.01 / n
    ratio = mean_ratio(lambda y: doubly_stochastic(y @ B @ y.T, mass)[0], V, x, mass)
    return Trial(ratio, 0.5, shown(B=B, V=V, x=x, mass=mass))


def mean_ratio(weights, V, x, mass) -> float:
    end = token_run(x, np.array([0.5]), weights, V=V)[-1]
    return float(np.abs(mass @ end - sinkhorn_mean(V, mass @ x, t=0.5)).max() / np.abs(x).max()) / 1e-8


means = falsifier("castin2025.sinkhorn_mean", printed=random_trials(mean_trial, 6))


def covariance_rate(S, B, V):
    r"""$\Sigma' = V\Sigma B^\top\Sigma + \Sigma B\Sigma V^\top$."""
    half = V @ S @ B.T @ S
    return half + half.T


def linear_trial(rng) -> Trial:
    """Tokens under linear attention to half the time in which moments may blow up, against the equation of moments."""
    d, n = int(rng.integers(1, 4)), int(rng.integers(2, 7))
    B, V, x, mass = rng.normal(size=(d, d)), rng.normal(size=(d, d)), rng.normal(size=(n, d)), rng.dirichlet(np.ones(n))
    until = 0.25 / float(np.linalg.norm(V, 2) * np.linalg.norm(B, 2) * (mass @ np.sum(x * x, axis=1)))
    ratio = moment_ratio(lambda y: (y @ B @ y.T) * mass, B, V, x, mass, until)
    return Trial(ratio, until, shown(B=B, V=V, x=x, mass=mass))


def moment_ratio(weights, B, V, x, mass, until: float) -> float:
    end = token_run(x, np.array([until]), weights, V=V)[-1]
    known = matrix_run((x.T * mass) @ x, np.array([until]), lambda S: covariance_rate(S, B, V))[-1]
    return float(np.abs((end.T * mass) @ end - known).max() / np.abs(known).max()) / 1e-8


moments = falsifier("castin2025.linear", printed=random_trials(linear_trial, 8))


# Energies: what is gained on the way is what was dissipated on the way.


def _balance(x, until, rate, energy):
    """Tokens with the integral of their squared speed beside them: the gain of energy, that integral, and the scale."""

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

    gain, power = _balance(x, 0.1, rate, lambda y: mass @ np.exp(y @ B @ y.T) @ mass / 2)
    return float(abs(sign * gain - power) / (1e-7 * power))


energies = falsifier("castin2025.energy", printed=random_trials(energy_trial, 10))


def self_transport_cost(scores, mass) -> float:
    r"""$\mathrm{OT}_\varepsilon(\mu,\mu)/(2\varepsilon) = \int f\,d\mu$ of a symmetric kernel: the mean of both potentials."""
    _, f, g = doubly_stochastic(scores, mass)
    return float(mass @ (f + g)) / 2


def transport_trial(rng) -> Trial:
    """Also for indefinite B."""
    d, n, sign, eps = int(rng.integers(1, 4)), 4, rng.choice([-1, 1]), float(rng.choice([0.5, 1.0, 2.0]))
    B, x, mass = rng.normal(size=(d, d)) / 2, 0.7 * rng.normal(size=(n, d)), rng.dirichlet(np.full(n, 2.0))
    B = (B + B.T) / 2
    return Trial(transport_ratio(B, sign * B, x, mass, sign, eps), 0.2, f"ε = {eps}, {sign:+d}, {shown(B=B, x=x)}")


def transport_ratio(B, V, x, mass, sign, eps: float) -> float:
    r"""How far $F(T) - F(0) = \mp\int\!\int|v|^2$ is off for velocities $\frac1\varepsilon VE[y|x]$."""

    def rate(y):
        v = doubly_stochastic(y @ B @ y.T / eps, mass)[0] @ y @ V.T / eps
        return v, mass @ np.sum(v * v, axis=1)

    gain, power = _balance(x, 0.2, rate, lambda y: self_transport_cost(y @ B @ y.T / eps, mass))
    return float(abs(sign * gain + power) / (1e-7 * power))


transport_energy = falsifier("castin2025.sinkhorn_energy", printed=random_trials(transport_trial, 6))


# Lipschitz constants of one layer.


def _jacobian(x, B, V, h=1e-5):
    """Central differences of the attention map, all tokens at once."""
    n, d = x.shape
    steps = h * np.eye(n * d).reshape(n * d, n, d)
    layer = lambda y: softmax(y @ B @ y.T) @ y @ V.T  # noqa: E731
    return np.stack([(layer(x + w) - layer(x - w)).ravel() / (2 * h) for w in steps], axis=1)


def _layer_ratio(B, V, x, *, as_printed=False) -> float:
    return float(np.linalg.norm(_jacobian(x, B, V), 2)) / per_input_bound(B, V, x, as_printed=as_printed)


def _nilpotent_layer() -> Trial:
    B, x = np.array([[0.0, 0.0], [4.0, 0.0]]), np.array([[1.0, 0], [-1, 0], [1, 0], [-1, 0]])
    return Trial(_layer_ratio(B, np.eye(2), x, as_printed=True), 0.0, "B = [[0,0],[4,0]], tokens ±e1")


def layer_trial(rng, *, as_printed=False) -> Trial:
    B, V, x = rng.normal(size=(2, 2)), rng.normal(size=(2, 2)), 2 * rng.normal(size=(5, 2))
    return Trial(_layer_ratio(B, V, x, as_printed=as_printed), 0.0, shown(B=B, V=V, x=x))


smoothness = falsifier(
    "castin2025.smoothness",
    printed=both(fixed(_nilpotent_layer), random_trials(partial(layer_trial, as_printed=True), 20)),
    corrected=random_trials(layer_trial, 40),
)
