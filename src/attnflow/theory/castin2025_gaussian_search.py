"""Searches for counterexamples to the statements of Castin et al. 2025 on Gaussians: closure, closed forms, geometry."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg import sqrtm

from .castin2025_search import covariance_rate
from .gaussian_closed_forms import (
    attracting_profiles,
    bures_energy,
    fisher_energy,
    growth_bound,
    softmax_identity,
    softmax_identity_blow_up,
    softmax_identity_limit,
)
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
    unit,
)


def _random_covariance(rng, d: int, rank: int | None = None):
    L = rng.normal(size=(d, d if rank is None else rank))
    return L @ L.T / d + (0.05 * np.eye(d) if rank is None else 0.0)


# Gaussians stay Gaussian.


def hermite_nodes(rank: int, count: int):
    """Nodes and masses that stand for the standard normal law in one or two dimensions."""
    x, m = np.polynomial.hermite_e.hermegauss(count)
    m = m / m.sum()
    if rank == 1:
        return x[:, None], m
    return np.stack(np.meshgrid(x, x, indexing="ij"), axis=-1).reshape(-1, 2), np.outer(m, m).ravel()


def closed_weights(kind: str, B, C, mass) -> Callable:
    """Row weights of a rule under which Gaussians are said to stay Gaussian; two heads share V, so weights add up."""
    if kind == "softmax":
        return lambda y: softmax(y @ B @ y.T + np.log(mass))
    if kind == "heads":
        return lambda y: 0.3 * softmax(y @ B @ y.T + np.log(mass)) + 0.7 * softmax(y @ C @ y.T + np.log(mass))
    if kind == "L2":
        return lambda y: softmax(-np.sum(((y @ B.T)[:, None] - (y @ C.T)[None]) ** 2, axis=2) + np.log(mass))
    return lambda y: doubly_stochastic(y @ B @ y.T, mass)[0]


def gaussian_trial(rng) -> Trial:
    d, rank, kind = 2, int(rng.integers(1, 3)), str(rng.choice(["softmax", "heads", "L2", "Sinkhorn"]))
    B, C = (0.25 * rng.normal(size=(d, d)) for _ in range(2))
    factor, mean, V = rng.normal(size=(d, rank)) / 2, 0.5 * rng.normal(size=d), 0.5 * rng.normal(size=(d, d))
    ratio = np.inf
    # What quadrature leaves over vanishes with more nodes; what is not Gaussian stays.
    for count in (24, 40) if rank == 1 else (12, 26):
        nodes, mass = hermite_nodes(rank, count)
        ratio = min(ratio, affine_ratio(closed_weights(kind, B, C, mass), nodes, mass, mean, factor, V))
        if ratio <= 1:
            break
    return Trial(ratio, 0.5, f"{kind}, {shown(B=B, C=C, mean=mean, factor=factor, V=V)}")


def affine_ratio(weights, nodes, mass, mean, factor, V) -> float:
    """Quadrature nodes of a Gaussian move as tokens: where they end must be an affine image, of the same rank.

    A weighted regression of late on early nodes leaves nothing over, and its matrix is invertible on the support.
    """
    end = token_run(mean + nodes @ factor.T, np.array([0.5]), weights, V=V)[-1]
    ones = np.column_stack([np.ones(len(nodes)), nodes])
    fit = np.linalg.lstsq(ones * np.sqrt(mass)[:, None], end * np.sqrt(mass)[:, None], rcond=None)[0]
    spread = np.linalg.svd(fit[1:], compute_uv=False)
    left = np.sqrt(mass @ np.sum((end - ones @ fit) ** 2, axis=1)) / spread[0]
    flat = np.linalg.svd(factor, compute_uv=False)[-1] / spread[-1]
    # Fine quadrature is good to 1e-8 at these score sizes; a spread cannot shrink by more than e^{∫|G|} < 100.
    return float(max(left / 1e-7, flat / 1e2))


gaussians = falsifier("castin2025.gaussians", printed=random_trials(gaussian_trial, 6))


# V = vI.


def identity_trial(rng) -> Trial:
    """The closed form to nine tenths of the blow-up time, or to t = 3; some covariances are singular."""
    B, S, v = _identity_instance(rng)
    stop = softmax_identity_blow_up(B, S, v=v)
    ts = np.array([0.3, 0.9]) * min(float(stop), 3.0)
    run = matrix_run(S, ts, lambda M: covariance_rate(M, B, v * np.eye(len(B))))
    known = np.array([softmax_identity(B, S, t=t, v=v) for t in ts])
    gap = np.abs(run - known).max() / np.abs(known).max()
    return Trial(float(np.nan_to_num(gap, nan=np.inf)) / 1e-7, float(ts[-1]), shown(B=B, S=S, v=v))


def _identity_instance(rng):
    d = int(rng.integers(1, 4))
    S = _random_covariance(rng, d, None if rng.random() < 0.7 else max(1, d - 1))
    return rng.normal(size=(d, d)), S, float(rng.choice([-1.0, 0.5, 2.0]))


def blow_up_trial(rng) -> Trial:
    """Time slows down as the trace grows, to a hundred-millionfold; what is left of the way is tr Σ/(tr Σ)'."""
    B, S, v = _identity_instance(rng)
    stop = float(softmax_identity_blow_up(B, S, v=v))
    if not stop < 1e3:
        return Trial(0.0, is_inside=False)
    time = exploded(lambda M: covariance_rate(M, B, v * np.eye(len(B))), S, patience=60 * stop)[1]
    return Trial(float(abs(time / stop - 1)) / 1e-6, stop, shown(B=B, S=S, v=v))


def exploded(rate, S, *, patience: float):
    """Σ once its trace has grown a hundred-millionfold and the time at which it blows up; infinite where it does not."""
    d, first = len(S), float(np.trace(S))

    def slowed(state):
        growth = np.trace(state[:d]) / first
        # Matrix and time come to rest together before numbers overflow, and stay on the trajectory.
        pace = max(1 - growth / 1e8, 0.0) / (1 + growth)
        return pace * np.vstack([rate(state[:d]), np.append(1.0, np.zeros(d - 1))])

    end = matrix_run(np.vstack([S, np.zeros(d)]), np.array([patience]), slowed)[-1]
    return end[:d], float(end[d, 0]) + _time_left(rate, end[:d]) if np.trace(end[:d]) > 1e6 * first else np.inf


def _time_left(rate, S) -> float:
    r"""$t^* - t$ where the trace goes like $(t^*-t)^{-p}$, infinite from p = 20 on.

    $g = \mathrm{tr}/\mathrm{tr}' = (t^*-t)/p$ and $g' = -1/p$.
    """

    def pace(M):
        return float(np.trace(M) / np.trace(rate(M)))

    step = 1e-4 * pace(S) * rate(S)
    slope = (pace(S + step) - pace(S - step)) / (2e-4 * pace(S))
    return -pace(S) / slope if slope < -0.05 else np.inf


def limit_trial(rng) -> Trial:
    """B + Bᵀ ≤ 0 with a kernel, in logarithmic time to t = 10⁶: the limit is reached up to O(1/t)."""
    d = int(rng.integers(2, 4))
    C, W, S = rng.normal(size=(d, int(rng.integers(1, d)))), rng.normal(size=(d, d)), _random_covariance(rng, d)
    B, v = -C @ C.T + W - W.T, float(rng.choice([0.5, 2.0]))
    late = long_run(B, v * np.eye(d), S, [1e6])[-1]
    gap = np.abs(late - softmax_identity_limit(B, S, v=v)).max() / np.trace(S)
    return Trial(float(gap) / 1e-4, 1e6, shown(B=B, S=S, v=v))


def long_run(B, V, S, ts):
    """Covariances at late times, stepped in log(1 + t)."""
    d, us = len(S), np.log1p(np.asarray(ts))

    def rate(state):
        return np.vstack([np.exp(state[d, 0]) * covariance_rate(state[:d], B, V), np.append(1.0, np.zeros(d - 1))])

    return matrix_run(np.vstack([S, np.zeros(d)]), us, rate)[:, :d]


identity = falsifier(
    "castin2025.identity",
    printed=both(random_trials(identity_trial, 8), random_trials(blow_up_trial, 4), random_trials(limit_trial, 3)),
)


# V > 0 and B + Bᵀ ≤ 0.


def rank_trial(rng) -> Trial:
    r"""tr(V⁻¹Σ) never rises, and (B + Bᵀ)Σ dies out: a value that makes no headway contradicts."""
    d = int(rng.integers(2, 4))
    C, W, S = rng.normal(size=(d, int(rng.integers(1, d + 1)))), rng.normal(size=(d, d)), _random_covariance(rng, d)
    B, V = -C @ C.T + W - W.T, _random_covariance(rng, d)
    ts = np.array([0.1, 1.0, 10.0, 1e2, 1e3, 1e4]) / min(1.0, float(np.linalg.norm(B + B.T, 2)))
    return Trial(rank_ratio(long_run(B, V, S, ts), S, B, V), float(ts[-1]), shown(B=B, V=V, S=S))


def rank_ratio(run, S, B, V) -> float:
    if not np.isfinite(run).all():
        return np.inf
    sizes = np.einsum("ij,kji->k", np.linalg.inv(V), np.concatenate([S[None], run]))
    rise = float(np.diff(sizes).max() / sizes[0])
    left = np.linalg.norm((B + B.T) @ run, axis=(1, 2)) / np.linalg.norm((B + B.T) @ S)
    stuck = left[-1] / 0.02 if left[-1] > 0.5 * left[-3] else min(1.0, left[-1] / 0.02)
    return max(rise / 1e-7, float(stuck))


rank = falsifier("castin2025.rank", printed=random_trials(rank_trial, 4))


# Gradient flows of covariances: an inner product is what a squared distance says of small steps.


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
    worst, h = 0.0, 1e-3 * np.linalg.eigvalsh(S)[0]
    for H in (W + W.T, rate):
        a, b = rate / np.linalg.norm(rate), H / np.linalg.norm(H)
        slope = (energy(S + h * b) - energy(S - h * b)) / (2 * h)
        told = np.linalg.norm(rate) * inner(distance, S, a, b, h)
        size = np.linalg.norm(rate) * np.sqrt(inner(distance, S, a, a, h) * inner(distance, S, b, b, h))
        # Rounding is about 1e-16/h² of the covariance, the truncation h²: both well below 1e-4.
        worst = max(worst, float(abs(told - slope) / (1e-4 * size)))
    return worst


def bures_trial(rng) -> Trial:
    d, sign = int(rng.integers(2, 4)), float(rng.choice([-1, 1]))
    B, S = rng.normal(size=(d, d)), _random_covariance(rng, d) + 0.2 * np.eye(d)
    B = (B + B.T) / 2
    rate = covariance_rate(S, B, sign * B)
    ratio = gradient_ratio(bures_distance, lambda M: sign * bures_energy(B, M), S, rate, rng)
    return Trial(ratio, 0.0, f"{sign:+g}, {shown(B=B, S=S)}")


def fisher_trial(rng) -> Trial:
    d, v = int(rng.integers(2, 4)), float(rng.choice([-1.0, 0.5, 2.0]))
    B, S = rng.normal(size=(d, d)), _random_covariance(rng, d) + 0.2 * np.eye(d)
    rate = covariance_rate(S, B, v * np.eye(d))
    return Trial(
        gradient_ratio(entropy_distance, lambda M: fisher_energy(B, M, v=v), S, rate, rng), 0.0, shown(B=B, S=S, v=v)
    )


bures = falsifier("castin2025.bures", printed=random_trials(bures_trial, 20))
fisher_rao = falsifier("castin2025.fisher_rao", printed=random_trials(fisher_trial, 20))


# No blow-up under L2 with a K of full column rank and under Sinkhorn.


def l2_rate(S, Q, K, V):
    r"""$\Sigma' = 2V(I + 2\Sigma K^\top K)^{-1}\Sigma B^\top\Sigma$ plus its transpose, $B = Q^\top K$."""
    half = 2 * V @ np.linalg.solve(np.eye(len(S)) + 2 * S @ K.T @ K, S) @ K.T @ Q @ S
    return half + half.T


def sinkhorn_rate(S, B, V):
    r"""$\Sigma' = VC^\top + CV^\top$, C the covariance of the two ends of the plan."""
    values, vectors = np.linalg.eigh(S)
    half = (vectors * np.sqrt(np.clip(values, 0, None))) @ vectors.T
    U, b, W = np.linalg.svd(half @ B @ half)
    C = half @ (U * (2 * b / (1 + np.sqrt(1 + 4 * b * b)))) @ W @ half
    return V @ C.T + C @ V.T


def growth_trial(rng) -> Trial:
    """Random weights, or V = I and Q = K on a large Σ, where the bound is nearly reached."""
    d, scale, ts = int(rng.integers(1, 4)), float(rng.choice([1.0, 100.0])), np.linspace(0, 1, 5)
    Q, K, V = rng.normal(size=(d, d)), rng.normal(size=(d, d)) + 2 * np.eye(d), 0.7 * rng.normal(size=(d, d))
    Q, V = (K, np.eye(d)) if rng.random() < 0.4 else (Q, V)
    S, is_l2 = scale * _random_covariance(rng, d), rng.random() < 0.5
    if is_l2:
        run, c = matrix_run(S, ts, lambda M: l2_rate(M, Q, K, V)), growth_bound(V, Q, K)
    else:
        run, c = matrix_run(S, ts, lambda M: sinkhorn_rate(M, Q.T @ K, V)), growth_bound(V)
    sizes = np.nan_to_num(np.trace(run, axis1=1, axis2=2), nan=np.inf)
    return Trial(float(np.max(sizes / (sizes[0] * np.exp(c * ts)))) / (1 + 1e-8), 1.0, shown(Q=Q, K=K, V=V, S=S))


def singular_key(*, is_allowed: bool) -> Trial:
    """K = (1, 0): Σ₁₂ = ½/(1 − t/3), so Σ blows up at t = 3."""
    S, Q, K, V = np.array([[1, 0.5], [0.5, 1]]), np.array([[0.0, 1.0]]), np.array([[1.0, 0.0]]), np.diag([0.0, 1.0])
    time = exploded(lambda M: l2_rate(M, Q, K, V), S, patience=1e6)[1]
    # The last power law holds up to terms of the order of what is left of the way, 3e-4, squared.
    ratio = abs(time - 3) / 1e-6 if is_allowed else np.inf if np.isfinite(time) else 0.0
    return Trial(ratio, 3.0, f"K = (1, 0): t* = {time:.6g}")


growth = falsifier(
    "castin2025.global",
    printed=both(random_trials(growth_trial, 8), fixed(lambda: singular_key(is_allowed=False))),
    corrected=both(random_trials(growth_trial, 12), fixed(lambda: singular_key(is_allowed=True))),
)


# How Σ blows up.


def profile_trial(rng) -> Trial:
    """A start near an eigenvector of V that attracts: the profile is of rank one along it, with the predicted constant."""
    sign, l = float(rng.choice([-1, 1])), unit(rng, 1, 2)[0]
    across = np.array([-l[1], l[0]]) + rng.uniform(-0.5, 0.5) * l
    frame = np.stack([l, across], axis=1)
    V, B = (
        sign * frame @ np.diag([rng.uniform(1, 2), rng.uniform(-0.2, 0.2)]) @ np.linalg.inv(frame),
        rng.normal(size=(2, 2)),
    )
    B += (sign * (0.3 + abs(l @ B @ l)) - l @ B @ l) * np.outer(l, l)
    S = np.outer(l, l) + 0.02 * np.eye(2)
    (lam, _, q), *_ = (one for one in attracting_profiles(B, V) if abs(one[1] @ l) > 1 - 1e-9)
    end, time = exploded(lambda M: covariance_rate(M, B, V), S, patience=100 / (lam * q))
    size = np.trace(end)
    speed = np.trace(covariance_rate(end, B, V)) / size**2
    # The direction settles like a power of the trace: 1e8 leaves less than a hundredth.
    off = max(abs(speed / (2 * lam * q) - 1), 1 - l @ end @ l / size) if np.isfinite(time) else np.inf
    return Trial(float(off) / 0.01, 1 / (2 * lam * q), shown(B=B, V=V, S=S))


def _rank_two() -> Trial:
    B, V = np.array([[0.41, 3.16], [-0.11, 0.48]]), np.array([[-1.28, 1.12], [-0.48, 0.34]])
    end, time = exploded(lambda M: covariance_rate(M, B, V), np.array([[0.48, -0.6], [-0.6, 1.49]]), patience=1e3)
    second = float(np.linalg.eigvalsh(end)[0] / np.trace(end))
    return Trial(second / 1e-3 if np.isfinite(time) else 0.0, time, f"Σ/tr Σ keeps a second eigenvalue {second:.5g}")


profiles = falsifier("castin2025.profile", printed=fixed(_rank_two), corrected=random_trials(profile_trial, 6))
