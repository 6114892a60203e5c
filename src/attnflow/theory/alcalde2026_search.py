"""Counterexample searches for the claims of Alcalde et al. 2026 (arXiv 2605.10931)."""

from __future__ import annotations

import numpy as np

from ..concentration import two_atom_w2
from ..low_temperature import LowTemperatureLimit, laplace_bound
from .bruno2025_search import attention_run
from .search import Trial, falsifier, fixed, random_trials, softmax

BETA = 64.0
"""The temperature of the random terminal runs."""


def quantile_tokens(n: int) -> np.ndarray:
    theta = 2 * np.pi * (np.arange(n) + 0.5) / n
    return np.stack([np.cos(theta), np.sin(theta)], axis=1)


def laplace_ratio(x, y, B, beta, mass):
    """The largest error of a barycentre over its bound."""
    heard = softmax(beta * x @ B @ y.T + np.log(np.maximum(mass, 1e-300))) @ y
    star = x @ B / np.linalg.norm(x @ B, axis=1, keepdims=True)
    miss = np.linalg.norm(heard - star, axis=1)
    return float(np.max(miss / laplace_bound(x, y, B=B, beta=beta, mass=mass)))


def _laplace_trial(rng):
    n, d, beta = int(rng.integers(2, 60)), int(rng.integers(2, 5)), float(10 ** rng.uniform(-1, 3))
    x, y = (z / np.linalg.norm(z, axis=1, keepdims=True) for z in (rng.normal(size=(20, d)), rng.normal(size=(n, d))))
    B, mass = rng.normal(size=(d, d)), rng.dirichlet(np.ones(n))
    return Trial(laplace_ratio(x, y, B, beta, mass), 0.0, f"n = {n}, d = {d}, β = {beta}")


laplace = falsifier("alcalde2026.laplace", printed=random_trials(_laplace_trial, 50))


def _closest(limit, beta, *, n=200, until, steps=40):
    """The least W2 to the target over the saved times of one run."""
    x, best = quantile_tokens(n), np.inf
    for _ in range(steps):
        x = attention_run(x, V=limit.V, B=limit.B, beta=beta, until=until / steps, steps=3)
        best = min(best, two_atom_w2(x, limit.atoms, masses=(0.5, 0.5)))
    return best


def _concentration_trial(rng):
    """The bound's least value over t tends to 0 as β grows: the closest approach must be closer at 12 times the β."""
    V, B = rng.normal(size=(2, 2)), np.eye(2) + 0.5 * rng.normal(size=(2, 2))
    singular = np.linalg.svd(B, compute_uv=False)
    if singular[-1] < 0.4 or abs(np.linalg.det(V)) < 0.1:
        return Trial(0.0, is_inside=False)
    limit = LowTemperatureLimit(V, B)
    if limit.kind != "simple" or limit.dominant.gap < 0.5 or np.linalg.norm(limit.dominant.projector, 2) > 3:
        return Trial(0.0, is_inside=False)
    until = 5 * singular[0] / limit.dominant.gap
    warm, cold = (_closest(limit, beta, until=until) for beta in (12.0, 144.0))
    return Trial(cold / warm, until, f"V = {V.tolist()}, B = {B.tolist()}: {warm:.3g} at β = 12, {cold:.3g} at β = 144")


concentration = falsifier("alcalde2026.concentration", printed=random_trials(_concentration_trial, 10))


def end_of(V, B, *, until=60.0):
    """Where tokens rest at last, or None when they still move."""
    x = quantile_tokens(60)
    # Antipodal prompts stay antipodal: without a trace of asymmetry a pair never leans to one side.
    x = x + 1e-3 * np.stack([np.sin(np.arange(60.0) ** 2), np.cos(np.arange(60.0) ** 2)], axis=1)
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    x = attention_run(x, V=V, B=B, beta=BETA, until=until, steps=int(25 * until))
    y = attention_run(x, V=V, B=B, beta=BETA, until=0.1, steps=5)
    return x if np.abs(y - x).max() < 1e-3 else None


def degrees_off(x, axes):
    """Median angle of tokens to the nearest of these axes."""
    return float(np.degrees(np.median(np.arccos(np.clip(np.abs(x @ np.atleast_2d(axes).T).max(axis=1), 0, 1)))))


def _stops_on_the_cone():
    """⟨c, Bc⟩ changes sign before c reaches an eigenvector of V: tokens rest at none of them."""
    rng = np.random.default_rng(21)
    S, B = rng.normal(size=(2, 2)), rng.normal(size=(2, 2))
    V = (S + S.T) / 2
    x = end_of(V, B)
    off = np.nan if x is None else degrees_off(x, np.linalg.eigh(V)[1].T)
    return Trial(
        off / 10, 60.0, f"V = {V.tolist()}, B = {B.tolist()}: tokens rest {off:.3g}° from every eigenvector of V"
    )


def terminal_trial(V, B) -> Trial:
    """Where tokens rest at last against the rule for two clusters."""
    if BETA * np.linalg.svd(B, compute_uv=False)[-1] < 5 or abs(np.linalg.det(V)) < 0.05:
        return Trial(0.0, is_inside=False)
    limit = LowTemperatureLimit(V, B)
    if limit.kind != "simple" or limit.dominant.gap < 0.5:
        return Trial(0.0, is_inside=False)
    if limit.terminal().clause == "outside" or not limit.terminal().is_clear:
        return Trial(0.0, is_inside=False)
    # A pair leans to one side at the rate λ + ν; below 1/4 it still seems to rest at the end.
    leans = limit.terminal().clause != "gather" or np.linalg.eigvals(V).real.sum() > 0.25
    x = end_of(V, B) if leans else None
    off = np.nan if x is None else degrees_off(x, limit.terminal().q)
    return Trial(off / 10, 60.0, f"V = {V.tolist()}, B = {B.tolist()}: tokens rest {off:.3g}° from the prediction")


def _symmetric_trial(rng):
    S, B = rng.normal(size=(2, 2)), rng.normal(size=(2, 2))
    return terminal_trial((S + S.T) / 2, B)


terminal = falsifier(
    "alcalde2026.terminal", printed=fixed(_stops_on_the_cone), corrected=random_trials(_symmetric_trial, 10)
)
