"""Trials of the claims of arXiv 2110.11773, by NumPy and SciPy alone."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import expm

from ...theory.heat.mixture import GaussianMixture
from ..hunt import Trial, shown
from ..independent import doubly_stochastic, softmax, symmetric_scaling, token_run
from ..trial import equal, stated, worst_ratio

MOST_RATES = 3000
"""Velocities that following a run from one saved state to the next may take."""


def _masses(rng, n: int):
    return rng.dirichlet(np.ones(n)) * 0.9 + 0.1 / n


# ---- normalisation ----------------------------------------------------------------------------------------------------


def invariance_trial(rng) -> Trial:
    n = int(rng.integers(2, 11))
    C, f, g, mass = rng.normal(size=(n, n)), rng.normal(size=n), rng.normal(size=n), _masses(rng, n)
    P, shifted = (doubly_stochastic(scores, mass)[0] for scores in (C, C + f[:, None] + g[None]))
    return Trial(float(np.abs(P - shifted).max()) / 1e-9, 0.0, shown(C=C, f=f, g=g))


def variational_trial(rng) -> Trial:
    """exp(KL(P) − KL(Q)) for another doubly stochastic Q; by Pythagoras it is e^{−KL(Q, P)}."""
    n = int(rng.integers(2, 9))
    C, other, equal = rng.normal(size=(n, n)), rng.normal(size=(n, n)), np.full(n, 1 / n)
    cost = [np.sum(M * (np.log(M) - C - 1)) for M in (doubly_stochastic(scores, equal)[0] for scores in (C, C + other))]
    return Trial(float(np.exp((cost[0] - cost[1]) / n)), 0.0, shown(C=C), bool(np.abs(other).max() > 0.1))


def column_trial(rng) -> Trial:
    """The largest ratio of the column gap after a sweep to the gap before it."""
    n, size = int(rng.integers(2, 11)), float(10 ** rng.uniform(-1, 1))
    C, mass, g, gaps = size * rng.normal(size=(n, n)), _masses(rng, n), np.zeros(n), []
    for _ in range(9):
        P = softmax(C + g + np.log(mass))
        heard = mass @ P
        gaps.append(np.abs(heard - mass).sum())
        g = g - np.log(heard / mass)
    gaps = np.array(gaps)
    kept = gaps[:-1] > 1e-9
    return Trial(float(np.max(gaps[1:][kept] / gaps[:-1][kept], initial=0.0)) - 1e-12, 0.0, shown(C=C, mass=mass))


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
    return equal(mass @ end, expm(0.5 * V) @ (mass @ x), 1e-8 * np.abs(x).max())


def layer_trial(rng) -> Trial:
    """One layer x + ηPVx, however long, moves the mean by I + ηV; many tokens, masses over decades."""
    n, d, eta = int(rng.integers(5, 40)), int(rng.integers(1, 4)), float(rng.uniform(0.1, 5))
    B, V, x = (
        rng.normal(size=(d, d)),
        rng.normal(size=(d, d)),
        rng.normal(size=(n, d)) / (0.3 + rng.random(size=(n, 1))),
    )
    mass = 10.0 ** rng.uniform(-3, 0, n)
    mass /= mass.sum()
    moved = mass @ (x + eta * doubly_stochastic(x @ B @ x.T / 4, mass)[0] @ x @ V.T)
    told = (np.eye(d) + eta * V) @ (mass @ x)
    return Trial(equal(moved, told, 1e-9 * np.abs(x).max()), eta, shown(B=B, V=V, x=x, mass=mass))


def few_steps_trial(rng) -> Trial:
    """One half-step of Sinkhorn, which is softmax, or three."""
    x, mass = 0.4 * rng.normal(size=(5, 2)), rng.dirichlet(np.full(5, 2.0))
    B, V, steps = rng.normal(size=(2, 2)), rng.normal(size=(2, 2)), int(rng.choice([1, 3]))

    def weights(y):
        g = np.zeros(len(mass))
        for _ in range(steps // 2):
            g = g - np.log(mass @ softmax(y @ B @ y.T + g + np.log(mass)) / mass)
        return softmax(y @ B @ y.T + g + np.log(mass))

    return Trial(mean_ratio(weights, V, x, mass), 0.5, f"{steps} half-steps, {shown(3, B=B, V=V, x=x)}")


# ---- gradient flows ---------------------------------------------------------------------------------------------------


def relative_entropy(scores, mass) -> float:
    r"""$-\frac12\int k\log(k/k^0)\,d\mu\,d\mu$, k the doubly stochastic form of $k^0 = e^s$."""
    P, f, g = doubly_stochastic(scores, mass)
    return float(-0.5 * mass @ np.sum(P * (f[:, None] + g[None]), axis=1))


def plan(scores, mass, *, is_positive: bool):
    """Row weights of Sinkhorn attention and its energy; positive semidefinite scores take few sweeps at every ε."""
    if not is_positive:
        return doubly_stochastic(scores, mass)[0], relative_entropy(scores, mass)
    own = np.diag(scores) / 2
    kernel = np.exp(np.minimum(scores - own[:, None] - own[None], 0.0))
    v = symmetric_scaling(kernel, mass)
    weights = kernel * (mass * v)
    return weights / weights.sum(axis=1, keepdims=True), float(mass @ (own - np.log(v)))


def descent_run(x, length: float, mass, *, B, eps: float, c: float, is_positive: bool):
    """What the energy gains over a time by Sinkhorn attention with V = −cB: −∫|v|²/(cε); NaN if that is too stiff."""
    count = itertools.count()

    def rate(t, state):
        y = state[:-1].reshape(x.shape)
        if next(count) > MOST_RATES:
            return np.full_like(state, np.nan)
        v = -c * plan(y @ B @ y.T / eps, mass, is_positive=is_positive)[0] @ y @ B
        return np.append(v.ravel(), -mass @ np.sum(v * v, axis=1) / (c * eps))

    out = solve_ivp(rate, (0.0, float(length)), np.append(x.ravel(), 0.0), method="DOP853", rtol=1e-8, atol=1e-10)
    return float(out.y[-1, -1]) if out.success else np.nan


def _prompt(rng):
    """Tokens, masses, a symmetric B that may be indefinite, ε and the c of V = −cB."""
    n, d, eps, c = int(rng.integers(2, 7)), int(rng.integers(1, 4)), float(rng.choice([0.3, 1.0])), rng.uniform(0.5, 3)
    B, x, mass = rng.normal(size=(d, d)), 0.5 * rng.normal(size=(n, d)), _masses(rng, n)
    return x, mass, B @ B.T / d if rng.random() < 0.5 else (B + B.T) / 2, eps, float(c)


def descent_trial(rng) -> Trial:
    r"""$\langle v, w\rangle_\mu = -c\varepsilon\,dF(w)$ for a random displacement w and for v itself, also for indefinite B."""
    x, mass, B, eps, c = _prompt(rng)
    ratio = descent_ratio(B, -c * B, x, mass, eps=eps, c=c, w=rng.normal(size=x.shape))
    return Trial(ratio, 0.0, f"ε = {eps}, c = {c:.4g}, {shown(B=B, x=x, mass=mass)}")


def descent_ratio(B, V, x, mass, *, eps: float, c: float, w) -> float:
    v = doubly_stochastic(x @ B @ x.T / eps, mass)[0] @ x @ V.T
    return _slope_ratio(lambda y: relative_entropy(y @ B @ y.T / eps, mass), v, x, mass, scale=c * eps, w=w)


def kernel_trial(rng) -> Trial:
    """Without a normaliser: the field against the gradient of ½∫e^{⟨x,By⟩/ε}."""
    x, mass, B, eps, c = _prompt(rng)
    K = np.exp(x @ B @ x.T / eps) * mass
    energy = lambda y: 0.5 * mass @ np.exp(y @ B @ y.T / eps) @ mass  # noqa: E731
    ratio = _slope_ratio(energy, -c * K @ x @ B, x, mass, scale=c * eps, w=rng.normal(size=x.shape))
    return Trial(ratio, 0.0, f"ε = {eps}, c = {c:.4g}, {shown(B=B, x=x, mass=mass)}")


def _slope_ratio(energy, v, x, mass, *, scale: float, w) -> float:
    """⟨v, w⟩ against −scale times the slope of the energy along w, for w and along v itself."""
    h, worst, size = 1e-4, 0.0, np.linalg.norm(v)
    if size < 1e-6:
        return np.nan
    for way in (w, v / size):
        slope = (energy(x + h * way) - energy(x - h * way)) / (2 * h)
        told, *squares = (mass @ np.sum(a * b, axis=1) for a, b in ((v, way), (v, v), (way, way)))
        # The central difference is good to h² of third derivatives.
        worst = worst_ratio(worst, equal(told, -scale * slope, 1e-5 * np.sqrt(squares[0] * squares[1])))
    return worst


def any_value_trial(rng) -> Trial:
    """V has nothing to do with B."""
    x, mass = 0.4 * rng.normal(size=(5, 2)), rng.dirichlet(np.full(5, 2.0))
    C, V = rng.normal(size=(2, 2)), rng.normal(size=(2, 2))
    ratio = descent_ratio(C @ C.T, V, x, mass, eps=1.0, c=1.0, w=rng.normal(size=x.shape))
    return Trial(ratio, 0.0, shown(3, B=C @ C.T, V=V, x=x))


def no_gradient() -> Trial:
    """A gradient of tokens has m_i ∂v_i/∂x_j symmetric; for softmax, three tokens of the line show that it is not."""
    x, mass, h = np.array([0.0, 0.5, 1.5]), np.array([0.5, 0.3, 0.2]), 1e-5

    def pull(y):
        return -mass * (softmax(np.outer(y, y) + np.log(mass)) @ y)

    J = np.array([(pull(x + h * e) - pull(x - h * e)) / (2 * h) for e in np.eye(3)])
    skew = np.abs(J - J.T).max() / np.abs(J).max()
    return Trial(1e-3 / skew, 0.0, f"tokens 0, 0.5, 1.5: the Jacobian is symmetric up to {skew:.1e}")


# ---- small temperature ------------------------------------------------------------------------------------------------


def _mixture(rng, d: int) -> GaussianMixture:
    return GaussianMixture(rng.uniform(0.3, 1, 2), rng.uniform(-1.5, 1.5, (2, d)), rng.uniform(0.7, 1.5, 2))


def _sinkhorn_error(law: GaussianMixture, *, eps: float, b: float, value: float) -> Callable[[float], float]:
    """The L² error of the limit factor · V B⁻¹∇log ρ on nodes of the line, by factor, for numbers B = b and V."""
    x = np.arange(-9.0, 9.0, 0.3 * np.sqrt(eps / b))
    mass = law.density(x)
    mass /= mass.sum()
    kernel = np.exp(-b * (x[:, None] - x[None]) ** 2 / (2 * eps))
    v = symmetric_scaling(kernel, mass)
    field = value * (v * (kernel @ (mass * v * x)) - x) / eps
    limit = value / b * law.score(x[:, None])[:, 0]
    return lambda factor: float(np.sqrt(mass @ (field - factor * limit) ** 2))


def _limit_trial(factor: float):
    """Does the error of the limit with this factor fall, at least to seven tenths, when ε is halved?"""

    def trial(rng) -> Trial:
        law, b, value = _mixture(rng, 1), float(np.exp(rng.uniform(-0.5, 0.5))), float(rng.choice([-1.0, 1.0, 2.0]))
        coarse, fine = (_sinkhorn_error(law, eps=eps, b=b, value=value) for eps in (0.04, 0.02))
        words = f"B = {b:.3g}, V = {value:g}: L² error {coarse(factor):.3g}, then {fine(factor):.3g}"
        return Trial(stated(lambda by: fine(by * factor) / (0.7 * coarse(by * factor))), 0.0, words)

    return trial


limit_trial, half_limit_trial = _limit_trial(1.0), _limit_trial(0.5)


def _softmax_error(Q, K, law: GaussianMixture, *, eps: float, inverse) -> Callable[[float], float]:
    """The largest error of a multiple of the limit with this inverse of K at a few points of the plane."""
    side = np.arange(-6.5, 6.5, 0.5 * np.sqrt(eps) / np.linalg.norm(K, 2))
    y = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    points = np.array([[0.0, 0.0], [0.5, 0.3], [-0.4, 0.6], [0.2, -0.7]])
    x = points @ np.linalg.solve(Q, K).T
    gaps = np.sum((points[:, None] @ K.T - y[None] @ K.T) ** 2, axis=-1) / (2 * eps)
    heard = softmax(law.log_density(y) - gaps) @ y
    field = (x @ Q.T @ Q - heard @ (Q.T @ K).T) / eps
    limit = law.score(points) @ (Q.T @ inverse).T
    return lambda factor: float(np.abs(field + factor * limit).max())


def _softmax_trial(is_printed: bool):
    """Does the error of the limit fall, at least to seven tenths, when ε is halved?"""

    def trial(rng) -> Trial:
        Q, root = np.eye(2) + 0.4 * rng.normal(size=(2, 2)), 0.5 * rng.normal(size=(2, 2))
        if np.linalg.svd(Q, compute_uv=False)[-1] < 0.3:
            return Trial(0.0, is_inside=False)
        K, law = np.linalg.solve(Q.T, root @ root.T + np.eye(2)), _mixture(rng, 2)
        inverse = np.linalg.inv(K) if is_printed else np.linalg.inv(K).T
        coarse, fine = (_softmax_error(Q, K, law, eps=eps, inverse=inverse) for eps in (0.1, 0.05))
        words = f"{shown(3, Q=Q, K=K)}: error {coarse(1.0):.3g}, then {fine(1.0):.3g}"
        return Trial(stated(lambda by: fine(by) / (0.7 * coarse(by))), 0.0, words)

    return trial


printed_softmax_trial, softmax_limit_trial = _softmax_trial(True), _softmax_trial(False)
