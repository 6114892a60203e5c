"""Counterexample searches for the claims of Bruno et al. 2025."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..attention import Unnormalised
from ..concentration import index_distance
from ..densities import Density
from ..evolution.density import density_velocity
from ..flow import Flow
from ..low_temperature import LowTemperatureLimit, first_collapse, pair_angle, pairing_time
from ..low_temperature.phases import funk_hecke, heat_variance, pair_speed
from ..spaces import Sphere
from .search import Trial, falsifier, fixed, random_trials, softmax, unit


def attention_run(x, *, V, B, beta, until, steps=60):
    """Attention on the sphere by the classical fourth-order method, independent of the engine."""

    def field(y):
        y = y / np.linalg.norm(y, axis=1, keepdims=True)
        a = softmax(beta * y @ B @ y.T) @ y @ V.T
        return a - np.sum(a * y, axis=1, keepdims=True) * y

    h = until / steps
    for _ in range(steps):
        k1 = field(x)
        k2 = field(x + h / 2 * k1)
        k3 = field(x + h / 2 * k2)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + field(x + h * k3))
        x = x / np.linalg.norm(x, axis=1, keepdims=True)
    return x


def _linear_trial(rng):
    V, B = rng.normal(size=(2, 2)), np.eye(2) + 0.5 * rng.normal(size=(2, 2))
    if np.linalg.svd(B, compute_uv=False)[-1] < 0.4 or abs(np.linalg.det(V)) < 0.1:
        return Trial(0.0, is_inside=False)
    theta = 2 * np.pi * (np.arange(300) + 0.5) / 300
    x = np.stack([np.cos(theta), np.sin(theta)], axis=1)
    exact = LowTemperatureLimit(V, B).flow(x, 0.5)
    warm, cold = (index_distance(attention_run(x, V=V, B=B, beta=b, until=0.5), exact) for b in (30.0, 240.0))
    return Trial(cold / (0.7 * warm), 0.5, f"V = {V.tolist()}, B = {B.tolist()}")


linear_limit = falsifier("bruno2025.theorem-3.2", printed=random_trials(_linear_trial, 4))


def _dominant_trial(rng):
    d = int(rng.integers(2, 5))
    limit = LowTemperatureLimit(rng.normal(size=(d, d)), np.eye(d))
    gap = limit.dominant.gap
    if not np.isfinite(gap) or gap < 0.1:
        return Trial(0.0, is_inside=False)
    x, E = unit(rng, 50, d), limit.dominant.basis
    x = x[limit.margin(x) > 1e-3]
    end = limit.flow(x, 40 / gap)
    return Trial(float(np.abs(end - end @ E @ E.T).max()) / 1e-6, 40 / gap, f"A = {limit.A.tolist()}")


def _jordan_trial():
    """The generalised eigenspace is the plane, but tokens end on one line: the limit is smaller than printed."""
    limit = LowTemperatureLimit([[1.0, 1], [0, 1]])
    x = np.stack([np.cos(np.arange(20.0)), np.sin(np.arange(20.0))], axis=1)
    end = limit.flow(x, 2000.0)
    return Trial(float(np.sqrt(np.mean(end[:, 1] ** 2))) / 0.05, 2000.0, "Jordan block of size 2")


dominant_space = falsifier(
    "bruno2025.proposition-3.4", printed=random_trials(_dominant_trial, 10), corrected=fixed(_jordan_trial)
)


def _collapse(convention):
    """A wrapped normal of deviation σ under backward heat has no variance left at the stated time."""

    def trial():
        sigma, beta = 0.3, 100.0
        time = convention(sigma, beta)
        left = float(heat_variance(sigma**2, time, beta=beta))
        return Trial(abs(left) / (1e-9 * sigma**2), time, f"σ = {sigma}: variance {left:.3g} is left at t = {time:g}")

    return trial


collapse_time = falsifier(
    "bruno2025.proposition-3.9",
    printed=fixed(_collapse(lambda sigma, beta: beta * sigma**2)),
    corrected=fixed(_collapse(lambda sigma, beta: first_collapse([sigma], beta=beta))),
)


def _porous(factor):
    def trial():
        beta, theta = 100.0, 2 * np.pi * np.arange(256) / 256
        rho = Density(1 + 0.3 * np.cos(theta) + 0.2 * np.sin(2 * theta))
        scale: Any = float(beta / (np.exp(beta) * funk_hecke(0, beta, 2)))
        flow = Flow(Sphere(), Unnormalised(beta=beta, scale=scale), V=-1.0)
        grid = rho.grid
        rate = np.asarray(-grid.divergence(rho.values[:, None] * density_velocity(flow, rho)))
        laplacian = -(np.asarray(grid.degree) ** 2) * np.asarray(grid.analyse(rho.values**2))
        miss = np.abs(rate - factor * laplacian).max() / np.abs(laplacian).max()
        return Trial(float(miss) / (5 / beta), 0.0, f"the rate is {factor} Δρ² up to {miss:.2g}")

    return trial


porous_medium = falsifier("bruno2025.remark-3.10", printed=fixed(_porous(1.0)), corrected=fixed(_porous(0.5)))


def _meets():
    """Printed words of a survey: the pair merges in finite rescaled time; its angle is positive for ever."""
    angle = float(pair_angle(20.0, 1.0))
    return Trial(angle / 1e-300, 20.0, f"θ = {angle:.2g} > 0 at s = 20")


def _quadrature(rng):
    from scipy.integrate import solve_ivp

    theta, beta, a = rng.uniform(0.5, 2.0), rng.uniform(3, 10), rng.uniform(0.2, 0.8)
    masses = (a, 1 - a)
    time = pairing_time(theta, 0.05, beta=beta, masses=masses)
    run = solve_ivp(lambda t, y: pair_speed(y, beta=beta, masses=masses), (0, time), [theta], rtol=1e-9, atol=1e-12)
    return Trial(abs(run.y[0, -1] - 0.05) / 1e-4, time, f"θ = {theta}, β = {beta}")


pairing = falsifier("bruno2025.proposition-3.11", printed=fixed(_meets), corrected=random_trials(_quadrature, 5))
