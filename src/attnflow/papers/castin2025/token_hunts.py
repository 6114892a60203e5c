"""Trials of the statements of arXiv 2501.18322 on tokens: support, stability, masks, second moments, the mean-field limit."""

from __future__ import annotations

import numpy as np
from scipy.linalg import expm
from scipy.optimize import linear_sum_assignment
from scipy.special import exp1, expit

from ...engine.attention import L2, Causal, Sigmoid, Sinkhorn, Softmax, Unnormalised
from ...engine.flow import Flow
from ...engine.spaces import Euclidean
from ...theory.gaussian.closed_forms import unnormalised_blow_up
from ...theory.gaussian.mean_field import least_share
from ...theory.gaussian.rule_constants import constants
from ...theory.gaussian.stability_bounds import log_constant, prefix_mean_norm, stability_bound
from ..hunt import Trial, shown
from ..independent import doubly_stochastic, matrix_run, softmax, token_run
from ..trial import bounded, close, equal, stated, worst_ratio
from .moments import covariance_rate

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
    return kind, Unnormalised(B), lambda y: np.exp(y @ B @ y.T) / len(y)


def causal_softmax(scores):
    return softmax(np.where(np.tri(len(scores), dtype=bool), scores, -np.inf))


def _random_values(rng, d: int):
    """A value matrix with its strongest direction; half of them symmetric and growing there, so that |V| is reached."""
    V = rng.normal(size=(d, d)) * rng.choice([0.5, 1.0])
    V = (V + V.T) / 2 if rng.integers(2) else V
    strongest = np.linalg.svd(V)[2][0]
    return V * np.sign(strongest @ V @ strongest), strongest


# ---- support ----------------------------------------------------------------------------------------------------------


def support_radius(V, radius: float, t):
    """R₀e^{|V|t}, for weights that sum to at most 1."""
    return radius * np.exp(np.linalg.norm(V, 2) * np.asarray(t))


def support_trial(rng) -> Trial:
    """Tokens anywhere, or all close together on the direction that V stretches most, where the ball is filled."""
    d = int(rng.integers(1, 4))
    kind, _, weights = random_rule(rng, d, NORMALISED)
    V, strongest = _random_values(rng, d)
    x, ts = rng.normal(size=(4, d)), np.array([0.5, 1.0])
    if np.array_equal(V, V.T) and rng.integers(4):
        x = strongest + 1e-3 * x
    size = np.linalg.norm(token_run(x, ts, weights, V=V), axis=2).max(axis=1)
    # Where Sinkhorn's iteration does not converge, nothing is known; other tokens that cannot be followed have left.
    size = np.where(np.isnan(size), np.nan if kind == "Sinkhorn" else np.inf, size)
    first = float(np.linalg.norm(x, axis=1).max())
    # Growth against growth: sizes alone would agree with any bound where V is small.
    grown, promised = np.log(size / first), np.log(support_radius(V, first, ts) / first)
    return Trial(bounded(grown - 1e-8, promised), 1.0, f"{kind}, {shown(V=V, x=x)}")


def ball_trial(rng) -> Trial:
    """R(t) ≤ R₀e^{|V|t} where nothing normalises the weights."""
    _, _, weights = random_rule(rng, 2, ("unnormalised",))
    x, V, t = 1.5 * rng.normal(size=(4, 2)), rng.normal(size=(2, 2)), 0.02
    # Tokens that blow up on the way are what is looked for.
    with np.errstate(over="ignore", invalid="ignore"):
        end = token_run(x, np.array([t]), weights, V=V)[-1]
    size = np.nan_to_num(np.linalg.norm(end, axis=1).max(), nan=np.inf)
    return Trial(float(size / support_radius(V, float(np.linalg.norm(x, axis=1).max()), t)), t, shown(3, V=V, x=x))


def time_to(R, *, b: float, v: float, is_linear: bool):
    """The time in which the fastest tokens reach |x| = R, up to a constant: it rises with R to 0."""
    return -1 / (2 * v * b * np.square(R)) if is_linear else -exp1(b * np.square(R)) / (2 * v)


def short_support_trial(rng) -> Trial:
    """Tokens anywhere, or close together under multiples of the identity, to six tenths of the time that is promised."""
    d, is_linear, is_sharp = int(rng.integers(1, 3)), bool(rng.integers(2)), bool(rng.integers(2))
    B, V, x = rng.normal(size=(d, d)), rng.normal(size=(d, d)), rng.normal(size=(3, d)) / 2
    if is_sharp:
        B, V, x = abs(B[0, 0]) * np.eye(d), abs(V[0, 0]) * np.eye(d), x[0] + 1e-3 * x
    b, v, first = (float(np.linalg.norm(M, 2)) for M in (B, V, x[np.argmax(np.linalg.norm(x, axis=1)), None]))
    began = time_to(first, b=b, v=v, is_linear=is_linear)
    weights = (lambda y: y @ B @ y.T / 3) if is_linear else (lambda y: np.exp(y @ B @ y.T) / 3)
    end = token_run(x, np.array([-0.6 * began]), weights, V=V)[-1]
    needed = time_to(np.linalg.norm(end, axis=1).max(), b=b, v=v, is_linear=is_linear) - began
    ratio = bounded(np.nan_to_num(needed, nan=np.inf), -0.6 * began * (1 + 1e-6))
    return Trial(ratio, -0.6 * began, f"{'linear' if is_linear else 'unnormalised'}, {shown(B=B, V=V, x=x)}")


def explosion_trial(rng) -> Trial:
    """One unnormalised token under V = I, B = aI, in a time that slows down with its speed, to a|x|² = 30."""
    a, x = float(rng.uniform(0.2, 2)), rng.normal(size=2)
    ratio = lambda state: np.exp(min(a * (state[:2] @ state[:2]), 100.0))  # noqa: E731
    rate = lambda state: np.append(state[:2] * ratio(state), 1.0) / (1 + ratio(state))  # noqa: E731
    late = float(np.log(np.sqrt(30 / a) / np.linalg.norm(x))) + 40
    ends = matrix_run(np.append(x, 0.0), np.array([late]), rate)[-1, 2]
    predicted = unnormalised_blow_up(a, float(np.linalg.norm(x)))
    return Trial(equal(ends, predicted, 1e-8), predicted, f"a = {a}, |x| = {np.linalg.norm(x)}")


# ---- stability --------------------------------------------------------------------------------------------------------


def _distance(x, y, p: float) -> float:
    cost = np.linalg.norm(x[:, None] - y[None], axis=2) ** p
    return float(cost[linear_sum_assignment(cost)].mean() ** (1 / p))


def stability_trial(rng) -> Trial:
    """Two nearby prompts without masks; without scores and along the strongest direction the bound is nearly reached."""
    d, p = int(rng.integers(1, 3)), float(rng.choice([1.0, 2.0]))
    kind, rule, weights = random_rule(rng, d, ("softmax", "L2", "sigmoid"))
    V, push = _random_values(rng, d)
    if rng.integers(3) == 0:
        kind, rule, weights = "no scores", Softmax(np.zeros((d, d))), lambda y: np.full((len(y), len(y)), 1 / len(y))
    x = 0.5 * rng.normal(size=(4, d))
    y = x + 1e-3 * (push if rng.integers(2) else rng.normal(size=(4, d)))
    radius = float(np.linalg.norm(np.concatenate([x, y]), axis=1).max())
    bound = stability_bound(Flow(Euclidean(), rule, V=V), radius, d=d, horizon=0.5, p=p, pieces=2)
    ends = [token_run(z, np.array([0.5]), weights, V=V)[-1] for z in (x, y)]
    grown = np.log(_distance(ends[0], ends[1], p) / _distance(x, y, p))
    # The rate is the number: any factor of 1 fits short times and small values.
    ratio = stated(lambda by: float(np.exp(grown - by * bound.log_amplification[-1])) / (1 + 1e-5))
    return Trial(ratio, 0.5, f"{kind}, p = {p:g}, {shown(V=V, x=x, y=y)}")


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
    words = f"B = 0, V = I, {n} tokens, p = {p:g}: rate {growth:.4g} > {L:.4g}"
    return Trial(bounded(growth, L * (1 + 1e-9)), t, words)


def no_constant() -> Trial:
    """p = 1: the norm of averages over prefixes grows at least like log n, so no constant serves every n."""
    norms = [prefix_mean_norm(n, p=1.0) / np.log(n) for n in (8, 64, 512)]
    return Trial(1 / min(norms), 0.0, f"norms over log n: {np.round(norms, 4).tolist()}")


def exponent_trial(rng) -> Trial:
    return prefix_trial(int(rng.integers(2, 80)), float(rng.choice([1.1, 1.5, 2.0, 4.0, np.inf])))


# ---- masks and second moments -----------------------------------------------------------------------------------------


def _prefix_ratio(weights, V, x, y) -> float:
    """Two prompts that share their first three tokens: these must go the same way, and the first as e^{tV}x₁."""
    t = 0.5
    one, other = (token_run(z, np.array([t]), weights, V=V)[-1] for z in (x, y))
    off = np.maximum(np.abs(one[:3] - other[:3]).max(), np.abs(one[0] - expm(t * V) @ x[0]).max())
    return float(off / np.abs(one).max()) / 1e-8


def prefix_flow_trial(rng, *, mask=True) -> Trial:
    d = int(rng.integers(1, 4))
    B, V, x = 0.7 * rng.normal(size=(d, d)), 0.7 * rng.normal(size=(d, d)), rng.normal(size=(6, d))
    y = np.concatenate([x[:3], rng.normal(size=(3, d))])
    weights = (lambda z: causal_softmax(z @ B @ z.T)) if mask else (lambda z: softmax(z @ B @ z.T))
    return Trial(_prefix_ratio(weights, V, x, y), 0.5, shown(B=B, V=V, x=x, y=y))


def unmasked_prefix_trial(rng) -> Trial:
    return prefix_flow_trial(rng, mask=False)


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
    return equal((end.T * mass) @ end, known, 1e-8 * np.abs(known).max())


def softmax_moments_trial(rng) -> Trial:
    x, mass, (B, V) = 0.4 * rng.normal(size=(5, 2)), rng.dirichlet(np.full(5, 2.0)), rng.normal(size=(2, 2, 2))
    ratio = moment_ratio(lambda y: softmax(y @ B @ y.T + np.log(mass)), B, V, x, mass, 0.2)
    return Trial(ratio, 0.2, shown(3, B=B, V=V, x=x))


# ---- the mean-field limit ---------------------------------------------------------------------------------------------


def mean_field_trial(rng) -> Trial:
    """Sixteen times as many independent tokens, whose moments should be four times closer to those of the law.

    Twenty-four draws each leave an error of a fifth in the ratio, which must not exceed 0.6. What the many would end with
    on average had they begun with the very covariance of the law is the limit, up to chance.
    """
    B, V, L = 0.4 * rng.normal(size=(2, 2)), rng.normal(size=(2, 2)), 0.7 * rng.normal(size=(2, 2))
    seed = int(rng.integers(2**31))
    if np.linalg.norm(L.T @ B @ L, 2) > 0.4 or np.linalg.norm(V, 2) > 2.5:
        return Trial(0.0, is_inside=False)
    exact, S = law_covariance(B, V, L, t=0.5), L @ L.T
    few, many = (sampled_covariances(B, V, L, n=n, seed=seed) for n in (16, 256))
    errors = [np.linalg.norm(ends - exact) for _, ends in (few, many)]
    mean, room = _at_start(S, *many), 0.03 * np.linalg.norm(exact - S) + 0.006 * np.linalg.norm(S)
    off = stated(lambda by: float(np.linalg.norm(mean - S - by * (exact - S)) / room))
    ratio = worst_ratio(errors[1] / errors[0] / 0.6, off)
    words = f"{shown(B=B, V=V, L=L)}: {errors[0]:.3g} then {errors[1]:.3g}, the limit off by {off * room:.3g}"
    return Trial(ratio, 0.5, words)


def law_covariance(B, V, L, *, t: float, count=12):
    """The covariance at time t of the law that starts uniform on L[−√3, √3]²: 12 × 12 weighted Gauss–Legendre nodes.

    Their field is analytic, so that they stand for the law to 1e-10, and its support is compact.
    """
    nodes, mass = np.polynomial.legendre.leggauss(count)
    x, mass = np.sqrt(3) * np.stack(np.meshgrid(nodes, nodes), axis=-1).reshape(-1, 2), np.outer(mass, mass).ravel() / 4
    end = token_run(x @ L.T, np.array([t]), lambda y: softmax(y @ B @ y.T + np.log(mass)), V=V)[-1]
    return np.cov(end.T, aweights=mass, bias=True)


def _at_start(S, starts, ends):
    """The mean of late covariances where the first one was S, by regression on the first ones."""
    known = np.column_stack([np.ones(len(starts)), (starts - S)[:, *np.triu_indices(2)]])
    return np.linalg.lstsq(known, ends.reshape(-1, 4), rcond=None)[0][0].reshape(2, 2)


def sampled_covariances(B, V, L, *, n: int, seed: int, draws=24, steps=6):
    """Covariances of n independent tokens at first and after t = 0.5, by the midpoint method, for many draws."""
    tokens, found, h = np.random.default_rng(seed), [], 0.5 / steps
    velocity = lambda x: softmax(x @ B @ x.T) @ x @ V.T  # noqa: E731
    for _ in range(draws):
        x = start = tokens.uniform(-np.sqrt(3), np.sqrt(3), size=(n, 2)) @ L.T
        for _ in range(steps):
            x = x + h * velocity(x + h / 2 * velocity(x))
        found.append([np.cov(start.T, bias=True), np.cov(x.T, bias=True)])
    return np.swapaxes(found, 0, 1)


def effective_share(B, S, x) -> float:
    r"""$e^{-x^\top B\Sigma B^\top x}$"""
    return float(np.exp(-x @ B @ S @ B.T @ x))


def effective_trial(rng) -> Trial:
    """(∫w)²/∫w² of the weights w = e^{xᵀBy} over a Gaussian of y, by 60 nodes in the one direction that counts."""
    d = int(rng.integers(1, 3))
    B, L, x, mean = rng.normal(size=(d, d)), rng.normal(size=(d, d)), rng.normal(size=d), rng.normal(size=d)
    slope = float(np.linalg.norm(L.T @ B.T @ x))
    if slope > 1.5:
        return Trial(0.0, is_inside=False)
    nodes, mass = np.polynomial.hermite_e.hermegauss(60)
    w, mass = np.exp(x @ B @ mean + slope * nodes), mass / mass.sum()
    found = float((mass @ w) ** 2 / (mass @ w**2))
    return Trial(close(found, effective_share(B, L @ L.T, x), 1e-9), 0.0, shown(B=B, L=L, x=x, mean=mean))


def least_share_trial(rng) -> Trial:
    """The least share over one standard deviation: u ← Au + b, normalised, climbs |c + Mu|² from 60 starts to all maxima."""
    d, is_centred = int(rng.integers(1, 5)), bool(rng.integers(2))
    B, L, mean = rng.normal(size=(d, d)) / 2, rng.normal(size=(d, d)), rng.normal(size=d) * (not is_centred)
    found = -np.log(max(least_share(B, mean, L @ L.T), 1e-300))
    # x = α + Lv with |v| = 1 is the same ellipsoid, whatever the root L of Σ.
    M, c, v = L.T @ B.T @ L, L.T @ B.T @ mean, rng.normal(size=(60, d))
    for _ in range(500):
        v = (v @ M.T + c) @ M
        v = v / np.linalg.norm(v, axis=1, keepdims=True)
    reached = float(np.sum((v @ M.T + c) ** 2, axis=1).max())
    # Ascents may stop short of a maximum that is nearly flat, but not above it.
    off = (reached - found) / max(1.0, found)
    words = f"{shown(B=B, L=L, mean=mean)}: {np.exp(-reached):.6g} attended to, {np.exp(-found):.6g} promised"
    return Trial(max(off / 1e-9, -off / 1e-3), 0.0, words, reached < 300)
