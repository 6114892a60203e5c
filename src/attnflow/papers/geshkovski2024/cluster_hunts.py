"""Trials of the claims of arXiv 2312.10794 on clusters: weak attention, cones, hemispheres, equal angles, the circle."""

from __future__ import annotations

from itertools import product

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import minimize

from ...engine.measures.initial.shapes import polygon
from ...theory.sphere.at_rest import is_trap
from ...theory.sphere.equiangular import cosine, rate
from ...theory.sphere.hemisphere import best_direction, wendel
from ...theory.sphere.pair_cosines import directions
from ...theory.sphere.sharp_configurations import corners
from ..hunt import Trial, shown
from ..hypotheses import largest_rise
from ..independent import sphere_run, unit
from ..trial import bounded, equal, stated, worst_ratio

ONE = 1e-3
"""Tokens whose smallest cosine is within this of 1 are one cluster."""


# ---- one cluster -----------------------------------------------------------------------------------------------------


def cluster_ratio(x, *, beta, model="SA", T, V=1.0) -> float:
    """Above 1 if tokens end in a stable state of several clusters; NaN if they are still on their way."""
    end = sphere_run(x, [T], beta=beta, model=model, V=V)[-1]
    return end_ratio(end, beta=beta, model=model, V=V)


def end_ratio(end, **model) -> float:
    """1 − the smallest cosine of an end state in units of `ONE`, or 2 in a trap; NaN in a state that is neither."""
    if not np.isfinite(end).all():
        return np.nan
    apart = 1 - float((end @ end.T).min())
    if apart < ONE:
        return apart / ONE
    return 2.0 if is_trap(end, **model) else np.nan


def cluster_trial(*, low=0.0, high, d=None):
    def trial(rng):
        n, dim = int(rng.integers(3, 6)), int(rng.integers(2, 4)) if d is None else d
        beta, model, T = float(rng.uniform(low, high)), str(rng.choice(["SA", "USA"])), 300.0
        x = unit(rng, n, dim) if rng.integers(5) < 3 else _near_rest(rng, n, dim)
        return Trial(cluster_ratio(x, beta=beta, model=model, T=T), T, f"{model}, β = {beta:.3f}, {shown(x=x)}")

    return trial


def _near_rest(rng, n, d):
    """Close to a state of rest: a regular polygon, or two antipodal clusters."""
    x = np.zeros((n, d))
    x[:, :2] = corners(polygon, n) if rng.integers(2) else np.where(np.arange(n)[:, None] % 2, -1.0, 1.0) * [1.0, 0.0]
    return directions(x + 1e-3 * rng.normal(size=x.shape))


def threshold(n: int) -> float:
    r"""The least β of the circle's theorem for n tokens: $(n-1)\tau = \pi/2$ where $\beta\sin^2\tau = \cos\tau$."""
    tau = np.pi / 2 / (n - 1)
    return float(np.cos(tau) / np.sin(tau) ** 2)


def ascent_trial(rng):
    """Where an ascent of the energy ends: at low temperature runs are too slow, and the energy grows along them."""
    n = int(rng.integers(3, 6))
    beta = float(rng.uniform(threshold(n), 6.9))

    def value(theta):
        gaps = theta[:, None] - theta[None, :]
        w = np.exp(beta * (np.cos(gaps) - 1))
        return -w.mean(), 2 * beta * (w * np.sin(gaps)).sum(axis=1) / n**2

    start = rng.uniform(0, 2 * np.pi, n)
    theta = minimize(value, start, jac=True, method="BFGS", options={"gtol": 1e-13}).x
    end = np.stack([np.cos(theta), np.sin(theta)], axis=1)
    return Trial(end_ratio(end, beta=beta), np.inf, f"β = {beta:.3f}, {shown(theta=start)}")


# ---- weak attention --------------------------------------------------------------------------------------------------


def departure_bound(t, strength: float):
    r"""How far tokens can be from those of $\beta = 0$: $\frac12(e^{2\beta\|B\|}-1)(e^{2t}-1)$, an instance of $O(\beta)e^{3t}$.

    Derived for V = I: weights lie within a factor $e^{\pm2\beta\|B\|}$ of the masses, and the field at β = 0 has the
    Lipschitz constant 2 in the maximum norm, since $\|xx^\top-yy^\top\|\le|x-y|$. For V = cI read ct for t.
    """
    with np.errstate(over="ignore"):
        return 0.5 * np.expm1(2 * strength) * np.expm1(2 * np.asarray(t, float))


def speaks_until(strength: float) -> float:
    """When the bound reaches 2, the largest distance there is."""
    return float(0.5 * np.log1p(4 / np.expm1(2 * strength))) if strength > 0 else np.inf


def departure_ratio(x, free, ts, strength, *, error=1e-6) -> float:
    """By how much the bound is passed, beyond integration errors."""
    apart = np.linalg.norm(x - free, axis=-1).max(axis=1)
    return bounded(apart, departure_bound(ts, strength) + error)


def departure_trial(rng):
    n, d, beta = int(rng.integers(2, 8)), int(rng.integers(2, 5)), float(10 ** rng.uniform(-4, -1))
    x, B, ts = unit(rng, n, d), rng.normal(size=(d, d)), np.array([0.05, 0.2, 0.5, 1.0, 2.0])
    if rng.integers(3) == 0:
        x = directions(x * np.array([1.0] + [1e-2] * (d - 1)))
    B = B / np.linalg.norm(B, 2)
    ratio = departure_ratio(sphere_run(x, ts, beta=beta, B=B), sphere_run(x, ts, beta=0.0), ts, beta)
    return Trial(ratio, 2.0, f"β = {beta:.3g}, {shown(3, B=B, x=x)}")


def weak_cluster_trial(rng):
    n, d, beta, T = int(rng.integers(2, 7)), int(rng.integers(2, 4)), float(rng.uniform(0, 0.05)), 60.0
    x, B = unit(rng, n, d), rng.normal(size=(d, d))
    B = B / np.linalg.norm(B, 2)
    end = sphere_run(x, [T], beta=beta, B=B)[-1]
    return Trial(end_ratio(end, beta=beta, B=B), T, f"β = {beta:.3g}, {shown(B=B, x=x)}")


def fast_trial(rng):
    """With V = 3I tokens are three times as fast as the bound for V = I allows for."""
    x, ts = unit(rng, 6, 3), np.array([0.05, 0.2])
    free, fast = sphere_run(x, ts, beta=0.0), sphere_run(x, ts, beta=0.05, V=3.0)
    return Trial(departure_ratio(fast, free, ts, 0.05), 0.2, shown(x=x))


# ---- cones -----------------------------------------------------------------------------------------------------------


def collapse_excess(lowest, ts, weight) -> float:
    r"""By how much $1-\alpha\le\frac12e^{-(t-t_0)w/2}$ is missed, w the least weight of a pair (SA: $e^{-2\beta}/n$).

    Once the smallest cosine is above 1/2 so is that with the limit; $\alpha\ge1-\epsilon$ gives cosines
    $\ge2(1-\epsilon)^2-1$.
    """
    lowest = np.asarray(lowest, float)
    inside = np.flatnonzero(lowest >= 0.5)
    if not len(inside):
        return 0.0
    first = inside[0]
    eps = 0.5 * np.exp(-(ts[first:] - ts[first]) * weight / 2)
    return float(np.max(2 * (1 - eps) ** 2 - 1 - lowest[first:]))


def cone_trial(rng):
    n, d, beta = int(rng.integers(2, 7)), int(rng.integers(2, 4)), float(rng.uniform(0, 4))
    x = unit(rng, n, d)
    x = x * np.sign(x[:, :1])
    x[0, 0] = 1e-3
    x, B = directions(x), rng.normal(size=(d, d))
    B, ts = B / np.linalg.norm(B, 2), np.linspace(0, 60, 31)
    y = sphere_run(x, ts, beta=beta, B=B)
    lowest, weight = [(z @ z.T).min() for z in y], np.exp(-2 * beta) / n
    late = stated(lambda by: collapse_excess(lowest, ts, by * weight) / 1e-7)
    fall = largest_rise(-y[..., 0].min(axis=1))
    return Trial(worst_ratio(fall / 1e-7, late), 60.0, f"β = {beta:.3f}, {shown(3, x=x)}")


def whole_sphere_trial(rng):
    """Tokens all around: the direction of the first one is as good as any."""
    x = unit(rng, 8, 3)
    y = sphere_run(x, np.linspace(0, 5, 11), beta=2.0)
    return Trial(largest_rise(-(y @ x[0]).min(axis=1)) / 1e-7, 5.0, shown(x=x))


def collapse_rate_trial(power, *, high, most=4):
    """1 − α along a run, α the smallest cosine with its limit, for tokens that start at α = 1/2."""

    def trial(rng):
        n, beta = int(rng.integers(2, most + 1)), float(rng.uniform(0, high))
        # Two tokens at 60° from their middle, where the bound starts, and others between.
        angles = np.append([-1.0, 1.0], rng.uniform(-1, 1, n - 2)) * np.pi / 3
        slow, settled = 2 * n * np.exp(power * beta), 15 * np.exp(1.5 * beta)
        ts = np.append(np.geomspace(1e-3, 0.3, 20) * slow, max(0.31 * slow, settled * (n > 2)))
        y = sphere_run(np.stack([np.cos(angles), np.sin(angles)], axis=1), np.append(0.0, ts), beta=beta)[1:]
        limit = np.array([1.0, 0.0]) if n == 2 else directions(y[-1].mean(axis=0))
        alpha = (y @ limit).min(axis=1)
        first = int(np.argmax(alpha >= 0.5 - 1e-9))
        start = ts[first] if n > 2 else 0.0
        left, times = 1 - alpha[first:-1], (ts[first:-1] - start) / slow
        ratio = stated(lambda by: float(np.max(left / (0.5 * np.exp(-by * times)))) - 1e-6)
        # The limit of three and more tokens is known only of a run that has collapsed.
        is_known = n == 2 or float((y[-1] @ y[-1].T).min()) > 1 - 1e-6
        words = f"n = {n}, β = {beta:.3f}, {shown(theta=angles)}: 1 − α is {ratio:.3g} times the bound"
        return Trial(ratio if is_known else np.nan, float(ts[-1]), words)

    return trial


def hemispherical_signs(x) -> int:
    r"""How many of the prompts $(x_1, \pm x_2, \dots, \pm x_n)$ lie in a hemisphere.

    For tokens in general position the number is the same, $\sum_{k<d}\binom{n-1}{k}$, so every prompt is a full test
    of the probability for every law that does not change when tokens are reflected.
    """
    signs = np.array(list(product((1.0, -1.0), repeat=len(x) - 1)))
    flipped = [np.vstack([x[:1], s[:, None] * x[1:]]) for s in signs]
    return sum(best_direction(y)[1] > 1e-12 for y in flipped)


def wendel_trial(rng):
    n, d = int(rng.integers(2, 7)), int(rng.integers(2, 5))
    x = unit(rng, n, d) if rng.integers(3) else directions(unit(rng, 1, d) + 0.2 * rng.normal(size=(n, d)))
    count, expected = hemispherical_signs(x), wendel(n, d) * 2 ** (n - 1)
    words = f"n = {n}, d = {d}: {count} of {2 ** (n - 1)} reflections share a hemisphere, not {expected:g}"
    return Trial(equal(count, expected, 0.5), 0.0, words)


# ---- equal angles ----------------------------------------------------------------------------------------------------


def equiangular_trial(rng):
    n, beta, model = int(rng.integers(2, 6)), float(rng.uniform(0, 5)), str(rng.choice(["SA", "USA"]))
    ts = np.array([0.5, 2.0, 5.0])
    y = sphere_run(np.eye(n), ts, beta=beta, model=model)
    clock = ts if model == "SA" else ts * np.exp(-beta)
    expected = cosine(clock, n=n, beta=beta, model=model)  # pyright: ignore[reportArgumentType]
    cosines = np.einsum("kid,kjd->kij", y, y)[:, ~np.eye(n, dtype=bool)]
    return Trial(equal(cosines, expected[:, None], 1e-7), 5.0, f"{model}, n = {n}, β = {beta}")


def unequal_trial(rng):
    x, ts = unit(rng, 4, 4), np.array([0.5, 2.0])
    y = sphere_run(x, ts, beta=2.0)
    off = np.abs((y[:, 0] * y[:, 1]).sum(axis=-1) - cosine(ts, n=4, beta=2.0, rho0=max(float(x[0] @ x[1]), -0.3))).max()
    return Trial(float(off) / 1e-5, 2.0, shown(x=x))


def late_bound(t, *, n: int, beta: float):
    r"""$\tfrac12\exp\big(\frac{n^2e^\beta}{2(n+e^{\beta/2})}-\frac{nt}{n+e^{\beta/2}}\big)$."""
    width = n + np.exp(beta / 2)
    return 0.5 * np.exp(n**2 * np.exp(beta) / (2 * width) - n * np.asarray(t) / width)


def late_trial(*, is_late: bool):
    def trial(rng):
        n, beta = int(rng.integers(2, 5)), float(rng.uniform(0, 1.5)) * int(rng.integers(0, 2))
        ts = (n * np.exp(beta) / 2 if is_late else 0.0) + np.array([0.0, 0.1, 1.0, 5.0])
        y = sphere_run(np.eye(n), ts, beta=beta)
        ratio = (1 - (y[:, 0] * y[:, 1]).sum(axis=1)) / late_bound(ts, n=n, beta=beta)
        k = int(np.argmax(ratio))
        words = f"n = {n}, β = {beta:.3g}, t = {ts[k]:.3g}: 1 − ρ is {ratio[k]:.3g} times the bound"
        return Trial(bounded(ratio, 1.0), float(ts[-1]), words)

    return trial


def log_growth(beta: float) -> float:
    r"""$\log c = 10\max(1,\beta)$ of theorem 6.9 for SA."""
    return 10 * max(1.0, beta)


def gram_speed(G, beta):
    r"""$\dot G_{ij}$ of the cosines of tokens under SA, $\sum_kP_{ik}(G_{kj}-G_{ik}G_{ij})$ and the same with i, j exchanged."""
    P = np.exp(beta * (G - 1))
    P = P / P.sum(axis=1, keepdims=True)
    half = P @ G - (P * G).sum(axis=1, keepdims=True) * G
    return half + half.T


def concentration_trial(rng):
    """Cosines ρ(t) + δ_ij(t)√(log d/d) to first order, since √(log d/d) < 1e-27: |δ| ≤ 1 at the start, ≤ 2c^{nt} later."""
    n, beta = int(rng.integers(2, 5)), float(rng.uniform(0, 2))
    start = np.clip(rng.normal(size=(n, n)), -1, 1)
    start = np.tril(start, -1) + np.tril(start, -1).T
    start = start / np.abs(start).max()
    off = ~np.eye(n, dtype=bool)

    def field(t, y):
        G = np.where(off, y[0], 1.0) + 1e-20j * y[1:].reshape(n, n)
        return np.append(rate(y[0], n=n, beta=beta), (gram_speed(G, beta).imag / 1e-20 * off).ravel())

    ts = np.concatenate([np.linspace(0, 0.3, 7), np.linspace(0.5, n * np.exp(beta) + 6, 12)])
    run = solve_ivp(field, (0, ts[-1]), np.append(0.0, start.ravel()), t_eval=ts, rtol=1e-9, atol=1e-12)
    ratio = np.abs(run.y[1:]).max(axis=0) / (2 * np.exp(np.minimum(log_growth(beta) * n * ts, 700.0)))
    return Trial(bounded(ratio, 1.0), float(ts[-1]), f"n = {n}, β = {beta:.3f}, {shown(start=start)}")


# ---- the circle ------------------------------------------------------------------------------------------------------


def oscillators(beta, mass, *, model, speed=1.0):
    """The velocity of the angles; `USA` carries the factor e^{−|β|}, `speed` is that of the clock."""

    def field(t, theta):
        gaps = theta[:, None] - theta[None, :]
        weights = np.exp(beta * np.cos(gaps) - abs(beta)) * mass
        weights = weights / weights.sum(axis=1, keepdims=True) if model == "SA" else weights
        return -speed * (weights * np.sin(gaps)).sum(axis=1)

    return field


def turned(x, speed):
    """The velocity of tokens of the circle that turn at these speeds."""
    return speed[:, None] * np.stack([-x[:, 1], x[:, 0]], axis=1)


def circle_trial(rng):
    n, beta, model = int(rng.integers(2, 9)), float(rng.uniform(0, 6)), str(rng.choice(["SA", "USA"]))
    x, mass = unit(rng, n, 2), rng.dirichlet(np.ones(n))
    y = sphere_run(x, [3.0], beta=beta, mass=mass, model=model)[-1]
    start = np.arctan2(x[:, 1], x[:, 0])
    theta = solve_ivp(oscillators(beta, mass, model=model), (0, 3.0), start, method="DOP853", rtol=1e-10, atol=1e-12)
    end = np.stack([np.cos(theta.y[:, -1]), np.sin(theta.y[:, -1])], axis=1)
    return Trial(float(np.abs(end - y).max()) / 1e-7, 3.0, f"{model}, β = {beta:.3f}, {shown(x=x)}")
