"""Trials of the statements of arXiv 2501.18322 on Gaussian data: closure, closed forms, limits, growth, blow-up."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg import expm, sqrtm
from scipy.special import expit

from ...theory.gaussian.closed_forms import (
    attracting_profiles,
    growth_bound,
    l2_identity,
    riccati,
    riccati_blow_up,
    sinkhorn_identity,
    softmax_identity,
    softmax_identity_blow_up,
    softmax_identity_limit,
)
from ..hunt import Trial, shown
from ..independent import doubly_stochastic, matrix_run, softmax, token_run, unit
from ..trial import close, equal, stated, worst_ratio
from .moments import covariance_rate, l2_rate, sinkhorn_rate


def _random_covariance(rng, d: int, rank: int | None = None):
    L = rng.normal(size=(d, d if rank is None else rank))
    return L @ L.T / d + (0.05 * np.eye(d) if rank is None else 0.0)


# ---- closure ----------------------------------------------------------------------------------------------------------


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
    ratios = []
    # What quadrature leaves over shrinks with more nodes; what is not Gaussian stays.
    for count in (24, 40) if rank == 1 else (12, 26):
        nodes, mass = hermite_nodes(rank, count)
        ratios.append(affine_ratio(closed_weights(kind, B, C, mass), nodes, mass, mean, factor, V))
        if ratios[-1] <= 1:
            break
    is_open = len(ratios) > 1 and 1 < ratios[1] < ratios[0] / 3
    words = f"{kind}, {shown(B=B, C=C, mean=mean, factor=factor, V=V)}"
    return Trial(np.nan if is_open else ratios[-1], 0.5, words)


def sigmoid_trial(rng) -> Trial:
    nodes, mass = hermite_nodes(1, 24)
    B, V, factor = rng.normal(size=(2, 2)), rng.normal(size=(2, 2)), rng.normal(size=(2, 1)) / 2
    weights = lambda y: expit(y @ B @ y.T) * mass  # noqa: E731
    return Trial(affine_ratio(weights, nodes, mass, np.ones(2), factor, V), 0.5, shown(3, B=B, V=V))


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
    # Fine quadrature is good to 1e-8 at these score sizes; a spread that shrinks a million times has lost its rank.
    return worst_ratio(left / 1e-7, flat / 1e6)


# ---- closed forms -----------------------------------------------------------------------------------------------------


def identity_trial(rng) -> Trial:
    """The closed form to nine tenths of the blow-up time, or to t = 3; some covariances are singular."""
    B, S, v = _identity_instance(rng)
    stop = softmax_identity_blow_up(B, S, v=v)
    ts = np.array([0.3, 0.9]) * min(float(stop), 3.0)
    run = matrix_run(S, ts, lambda M: covariance_rate(M, B, v * np.eye(len(B))))
    known = np.array([softmax_identity(B, S, t=t, v=v) for t in ts])
    return Trial(_same(run, known), float(ts[-1]), shown(B=B, S=S, v=v))


def _same(run, known):
    """A covariance followed by SciPy against a closed form, relative to the largest; what is lost on the way is off."""
    return equal(np.nan_to_num(run, nan=np.inf), known, 1e-7 * np.abs(known).max())


def _identity_instance(rng):
    d = int(rng.integers(1, 4))
    S = _random_covariance(rng, d, max(1, d - 1) if rng.integers(3) == 0 else None)
    return rng.normal(size=(d, d)), S, float(rng.choice([-1.0, 0.5, 2.0]))


def blow_up_trial(rng) -> Trial:
    """Time slows down as the trace grows, to a hundred-millionfold; what is left of the way is tr Σ/(tr Σ)'."""
    B, S, v = _identity_instance(rng)
    stop = float(softmax_identity_blow_up(B, S, v=v))
    if not stop < 1e3:
        return Trial(0.0, is_inside=False)
    time = exploded(lambda M: covariance_rate(M, B, v * np.eye(len(B))), S, patience=60 * stop)[1]
    return Trial(close(time, stop, 1e-6), stop, shown(B=B, S=S, v=v))


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
    """B + Bᵀ ≤ 0 with a kernel, in logarithmic time to t = 10⁶: what is left of the way is at most tr Σ₀/(1 + tλ)."""
    d = int(rng.integers(2, 4))
    C, W, S = rng.normal(size=(d, int(rng.integers(1, d)))), rng.normal(size=(d, d)), _random_covariance(rng, d)
    B, v, t = -C @ C.T + W - W.T, float(rng.choice([0.5, 2.0])), 1e6
    # The smallest rate λ that is not zero.
    slowest = 2 * v * float(np.linalg.svd(C.T @ S @ C, compute_uv=False)[-1])
    gap = np.abs(long_run(B, v * np.eye(d), S, [t])[-1] - softmax_identity_limit(B, S, v=v)).max()
    return Trial(float(gap / np.trace(S)) / (1 / (1 + t * slowest) + 1e-6), t, shown(B=B, S=S, v=v))


def long_run(B, V, S, ts):
    """Covariances at late times, stepped in log(1 + t)."""
    d, us = len(S), np.log1p(np.asarray(ts))

    def rate(state):
        return np.vstack([np.exp(state[d, 0]) * covariance_rate(state[:d], B, V), np.append(1.0, np.zeros(d - 1))])

    return matrix_run(np.vstack([S, np.zeros(d)]), us, rate)[:, :d]


def two_values_trial(rng) -> Trial:
    """The mean of the eigenvalues of V in the place of v."""
    B, V, S = rng.normal(size=(2, 2)), np.diag([1.0, 2.0]), np.eye(2)
    end = matrix_run(S, np.array([0.05]), lambda M: covariance_rate(M, B, V))[-1]
    return Trial(float(np.abs(end - softmax_identity(B, S, t=0.05, v=1.5)).max()) / 1e-7, 0.05, shown(3, B=B))


def _gap(rate, S, known, ts, words) -> Trial:
    return Trial(_same(matrix_run(S, ts, rate), np.array([known(t) for t in ts])), float(ts[-1]), words)


def riccati_trial(rng) -> Trial:
    B, S, v = _identity_instance(rng)
    W = rng.normal(size=B.shape)
    time = min(riccati_blow_up(v * B, W, S, until=2.0), 2.0)
    rate = lambda M: covariance_rate(M, v * B, np.eye(len(B))) + W @ M + M @ W.T  # noqa: E731
    ts, known = np.array([0.3, 0.9]) * time, lambda t: riccati(v * B, W, S, t=t)
    return _gap(rate, S, known, ts, shown(B=B, W=W, S=S, v=v))


def riccati_end_trial(rng) -> Trial:
    """(Σ⁻¹)' = −v(B+Bᵀ) − Σ⁻¹W − WᵀΣ⁻¹ is linear: Σ⁻¹ is followed through the predicted blow-up, where it loses its sign."""
    B, S, v = _identity_instance(rng)
    W, C = rng.normal(size=B.shape), v * (B + B.T)
    time = riccati_blow_up(v * B, W, S, until=2.0)
    if not np.isfinite(time) or np.linalg.cond(S) > 1e4:
        return Trial(0.0, is_inside=False)
    ends = matrix_run(np.linalg.inv(S), time * np.array([0.0, 0.99, 1.01]), lambda M: -C - M @ W - W.T @ M)
    least = [float(np.linalg.eigvalsh((M + M.T) / 2)[0]) for M in ends[1:]]
    return Trial(0.5 if least[0] > 0 > least[1] else 2.0, time, f"{shown(B=B, W=W, S=S, v=v)}: least {least}")


def equal_keys_trial(rng) -> Trial:
    d, sign, v = int(rng.integers(1, 4)), int(rng.choice([-1, 1])), float(rng.choice([-1.0, 0.5, 2.0]))
    K, S = rng.normal(size=(d, d)) + 2 * np.eye(d), _random_covariance(rng, d)
    if np.linalg.cond(K) > 50:
        return Trial(0.0, is_inside=False)
    rate, ts = lambda M: l2_rate(M, sign * K, K, v * np.eye(d)), np.array([0.5, 2.0])
    return _gap(rate, S, lambda t: l2_identity(K, S, t=v * t, sign=sign), ts, shown(K=K, S=S, v=v, sign=sign))


def symmetric_plan_trial(rng) -> Trial:
    """Velocity E[y|x]/ε, as in the paper."""
    d, sign, eps = int(rng.integers(1, 4)), int(rng.choice([-1, 1])), float(rng.choice([0.5, 1.0, 2.0]))
    G, S = _random_covariance(rng, d) + 0.1 * np.eye(d), _random_covariance(rng, d)
    rate, ts = lambda M: sinkhorn_rate(M, sign * G / eps, np.eye(d) / eps), np.array([0.5, 2.0])
    known = lambda t: sinkhorn_identity(G, S, t=t, eps=eps, sign=sign)  # noqa: E731
    return _gap(rate, S, known, ts, shown(G=G, S=S, eps=eps, sign=sign))


def line_at(l, B, V, t) -> np.ndarray:
    """l = e^{τV}l₀ with τ' = lᵀBl, by the exponential and one equation for τ."""

    def speed(tau):
        moved = expm(tau[0] * V) @ l
        return np.array([moved @ B @ moved])

    return expm(matrix_run(np.zeros(1), np.array([t]), speed)[-1, 0] * V) @ l


def rank_one_trial(rng, *, extra: float = 0.0) -> Trial:
    """To a quarter of the time in which Σ may blow up; `extra` spoils the rank."""
    d = int(rng.integers(2, 5))
    B, V, l, off = rng.normal(size=(d, d)), rng.normal(size=(d, d)), rng.normal(size=d), rng.normal(size=d)
    S = np.outer(l, l) + extra * np.outer(off, off)
    t = 0.25 / float(np.linalg.norm(V, 2) * np.linalg.norm(B, 2) * np.trace(S))
    end, line = matrix_run(S, np.array([t]), lambda M: covariance_rate(M, B, V))[-1], line_at(l, B, V, t)
    return Trial(equal(end, np.outer(line, line), 1e-8 * np.trace(S)), t, shown(B=B, V=V, l=l))


def rank_two_trial(rng) -> Trial:
    return rank_one_trial(rng, extra=0.1)


# ---- limits and equilibria --------------------------------------------------------------------------------------------


def rank_trial(rng) -> Trial:
    r"""tr(V⁻¹Σ) never rises, and (B + Bᵀ)Σ dies out."""
    d = int(rng.integers(2, 4))
    C, W, S = rng.normal(size=(d, int(rng.integers(1, d + 1)))), rng.normal(size=(d, d)), _random_covariance(rng, d)
    B, V = -C @ C.T + W - W.T, _random_covariance(rng, d)
    T = 1e3 / max(1.0, float(np.linalg.norm(B, 2) * np.linalg.norm(V, 2)))
    return Trial(rank_ratio(B, V, S, T), T, shown(B=B, V=V, S=S))


def rank_ratio(B, V, S, T: float) -> float:
    r"""How far $y = \mathrm{tr}(V^{-1}\Sigma)$ is from falling, and its loss from dying out.

    With $N = -(B+B^\top)$ the loss has the integral $\int\mathrm{tr}(\Sigma N\Sigma)\le y_0$, so it is at most $2y_0/T$ for most
    times up to T.
    """
    ts = np.concatenate([[0.0, 1e-3, 1e-2], np.linspace(0.1, 1, 10)]) * T
    run = long_run(B, V, S, ts)
    if not np.isfinite(run).all():
        return np.inf
    sizes = np.einsum("ij,kji->k", np.linalg.inv(V), run)
    loss = -np.einsum("kij,jl,kli->k", run, B + B.T, run)
    return worst_ratio(np.diff(sizes) / sizes[0] / 1e-7, np.median(loss[3:]) * T / (2 * abs(sizes[0])))


def indefinite_value_trial(rng) -> Trial:
    """V = diag(1, −1): what shrinks along one axis grows along the other."""
    C = rng.normal(size=(2, 2))
    B, V, S = -C @ C.T - 0.1 * np.eye(2), np.diag([1.0, -1.0]), np.diag([1.0, 0.5])
    return Trial(rank_ratio(B, V, S, 10.0), 10.0, shown(3, B=B))


def _rule_rate(kind: str, B, V) -> Callable:
    """Σ' of a rule with score matrix B; L2 with K = I, Q = Bᵀ."""
    if kind == "softmax":
        return lambda M: covariance_rate(M, B, V)
    if kind == "L2":
        return lambda M: l2_rate(M, B.T, np.eye(len(B)), V)
    return lambda M: V @ plan(M, B).T + plan(M, B) @ V.T


def plan(S, B) -> np.ndarray:
    r"""The covariance of the ends of the plan in a form that also serves indefinite Σ.

    $$2\Sigma B\Sigma\,\big(I + (I + 4B^\top\Sigma B\Sigma)^{1/2}\big)^{-1}$$
    """
    X = B.T @ S @ B @ S
    return S @ B @ S @ (2 * np.linalg.inv(np.eye(len(S)) + np.real(np.asarray(sqrtm(np.eye(len(S)) + 4 * X)))))


def isotropic_trial(rng, *, seen: float = 0.0) -> Trial:
    """B without a part on the range of L, or with `seen` of one on a line: Σ = LLᵀ must stay, with a rank that B allows."""
    d, kind = int(rng.integers(2, 6)), str(rng.choice(["softmax", "L2", "Sinkhorn"]))
    rank = int(rng.integers(1, d))
    L, B, V = rng.normal(size=(d, rank)), rng.normal(size=(d, d)), rng.normal(size=(d, d))
    base = np.linalg.qr(L)[0]
    B = B - base @ base.T @ B @ base @ base.T + seen * np.outer(base[:, -1], base[:, -1])
    S = L @ L.T
    # Rounding errors grow along unstable directions, so not for long.
    t = 2 / float(np.linalg.norm(V, 2) * np.linalg.norm(B, 2) * np.trace(S))
    end = matrix_run(S, np.array([t]), _rule_rate(kind, B, V))[-1]
    moved = float(np.abs(end - S).max() / np.trace(S)) / 1e-7
    # Ranks are whole numbers, so a violation exceeds the bound by a half at least; that of B is known up to rounding.
    allowed = d - np.linalg.matrix_rank(B, rtol=1e-10) / 2 + 0.25
    return Trial(worst_ratio(moved, rank / allowed), t, f"{kind}, {shown(B=B, V=V, L=L)}")


def half_isotropic_trial(rng) -> Trial:
    return isotropic_trial(rng, seen=1.0)


def line_eigenvalues(l, B, V, *, size: float, factor: float = 1.0) -> np.ndarray:
    """The eigenvalues of the linearised covariance equation at c llᵀ that are not zero."""
    first, second = size * l @ (B + B.T) @ V @ l, 2 * size * l @ B.T @ V @ l
    return factor * np.array([first, second] + [second / 2] * (len(l) - 2))


def line_trial(rng) -> Trial:
    """The map from small starts to where they are at t = T: traces of its powers against those of the predicted eigenvalues."""
    d, kind, size = int(rng.integers(2, 4)), str(rng.choice(["softmax", "L2", "Sinkhorn"])), float(rng.uniform(0.5, 2))
    l, B, V = unit(rng, 1, d)[0], rng.normal(size=(d, d)), rng.normal(size=(d, d))
    B = B - (l @ B @ l) * np.outer(l, l)
    factor = 2 / (1 + 2 * size) if kind == "L2" else 1.0
    known = line_eigenvalues(l, B, V, size=size, factor=factor)
    T = 0.5 / max(float(np.abs(known).max()), size * float(np.linalg.norm(B, 2) * np.linalg.norm(V, 2)))
    power, k = propagator(_rule_rate(kind, B, V), size * np.outer(l, l), T), np.arange(1, 4)
    traces = np.array([np.trace(np.linalg.matrix_power(power, int(j))) for j in k]) - (len(power) - d)

    def off(by):
        grown = np.exp(by * T * np.outer(k, known)).sum(axis=1)
        return worst_ratio(np.abs(traces - grown) / (1 + grown)) / 1e-5

    return Trial(stated(off), T, f"{kind}, {shown(B=B, V=V, l=l, size=size)}")


def propagator(rate, S, T: float, *, h=1e-4) -> np.ndarray:
    """The derivative of Σ(T) by Σ(0) in the coordinates above and on the diagonal, by differences to both sides."""
    rows, columns = np.triu_indices(len(S))
    found = []
    for i, j in zip(rows, columns):
        H = np.zeros_like(S)
        H[i, j] = H[j, i] = h
        # A line is an edge of the cone of covariances; the equations go on beyond it.
        ends = [matrix_run(S + sign * H, np.array([T]), rate)[-1] for sign in (1, -1)]
        found.append(((ends[0] - ends[1]) / (2 * h))[rows, columns])
    return np.array(found).T


# ---- growth -----------------------------------------------------------------------------------------------------------


def growth_trial(rng) -> Trial:
    """Random weights, or V = I and Q = K on a large Σ, where the bound is nearly reached."""
    d, scale, ts = int(rng.integers(1, 4)), float(rng.choice([1.0, 100.0])), np.linspace(0, 1, 5)
    Q, K, V = rng.normal(size=(d, d)), rng.normal(size=(d, d)) + 2 * np.eye(d), 0.7 * rng.normal(size=(d, d))
    Q, V = (K, np.eye(d)) if rng.integers(5) < 2 else (Q, V)
    S, is_l2 = scale * _random_covariance(rng, d), rng.integers(2) == 0
    if is_l2:
        run, c = matrix_run(S, ts, lambda M: l2_rate(M, Q, K, V)), growth_bound(V, Q, K)
    else:
        run, c = matrix_run(S, ts, lambda M: sinkhorn_rate(M, Q.T @ K, V)), growth_bound(V)
    sizes = np.nan_to_num(np.trace(run, axis1=1, axis2=2), nan=np.inf)
    ratio = stated(lambda by: float(np.max(sizes / (sizes[0] * np.exp(by * c * ts)))) / (1 + 1e-8))
    return Trial(ratio, 1.0, shown(Q=Q, K=K, V=V, S=S))


def singular_key() -> Trial:
    """K = (1, 0): Σ₁₂ = ½/(1 − t/3), so Σ blows up at t = 3."""
    S, Q, K, V = np.array([[1, 0.5], [0.5, 1]]), np.array([[0.0, 1.0]]), np.array([[1.0, 0.0]]), np.diag([0.0, 1.0])
    time = exploded(lambda M: l2_rate(M, Q, K, V), S, patience=1e6)[1]
    return Trial(np.inf if np.isfinite(time) else 0.0, 3.0, f"K = (1, 0): t* = {time:.6g}")


# ---- blow-up ----------------------------------------------------------------------------------------------------------


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
    S, q = np.outer(l, l) + 0.02 * np.eye(2), abs(l @ B @ l)
    if np.abs(B).max() > 4 * q:
        # The start is near the eigenvector only as far as scores elsewhere are not much larger.
        return Trial(0.0, is_inside=False)
    (lam, _, q), *_ = (one for one in attracting_profiles(B, V) if abs(one[1] @ l) > 1 - 1e-9)
    end, time = exploded(lambda M: covariance_rate(M, B, V), S, patience=100 / (lam * q))
    size = np.trace(end)
    speed = np.trace(covariance_rate(end, B, V)) / size**2
    # The direction settles like a power of the trace: 1e8 leaves less than a hundredth.
    off = worst_ratio(close(speed, 2 * lam * q, 0.01), (1 - l @ end @ l / size) / 0.01)
    return Trial(off if np.isfinite(time) else np.inf, 1 / (2 * lam * q), shown(B=B, V=V, S=S))


def rank_two_profile() -> Trial:
    B, V = np.array([[0.41, 3.16], [-0.11, 0.48]]), np.array([[-1.28, 1.12], [-0.48, 0.34]])
    end, time = exploded(lambda M: covariance_rate(M, B, V), np.array([[0.48, -0.6], [-0.6, 1.49]]), patience=1e3)
    second = float(np.linalg.eigvalsh(end)[0] / np.trace(end))
    return Trial(second / 1e-3 if np.isfinite(time) else 0.0, time, f"Σ/tr Σ keeps a second eigenvalue {second:.5g}")
