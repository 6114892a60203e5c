"""Trials of the claims of arXiv 2605.10931."""

from __future__ import annotations

import numpy as np

from ...engine.measures import Particles
from ...theory.low_temperature import LowTemperatureLimit, laplace_bound
from ...theory.low_temperature.concentration import index_distance, two_atom_w2
from ..hunt import Trial, shown
from ..independent import attention_run, softmax
from ..trial import bounded, worst_ratio

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
    return bounded(miss, laplace_bound(x, y, B=B, beta=beta, mass=mass))


def laplace_trial(rng):
    n, d, beta = int(rng.integers(2, 60)), int(rng.integers(2, 5)), float(10 ** rng.uniform(-1, 3))
    x, y = (z / np.linalg.norm(z, axis=1, keepdims=True) for z in (rng.normal(size=(20, d)), rng.normal(size=(n, d))))
    B, mass = rng.normal(size=(d, d)), rng.dirichlet(np.ones(n))
    return Trial(laplace_ratio(x, y, B, beta, mass), 0.0, f"n = {n}, d = {d}, β = {beta}")


def concentration_trial(rng):
    """At a fixed time attention must approach the linear flow as fast as √(log(β+1)/β), and that flow its target.

    The second part is that W₂ of the linear flow at 2T is below that at T, for T = 2|B|/gap.
    """
    V, B = rng.normal(size=(2, 2)), np.eye(2) + 0.5 * rng.normal(size=(2, 2))
    singular = np.linalg.svd(B, compute_uv=False)
    if singular[-1] < 0.4 or abs(np.linalg.det(V)) < 0.1:
        return Trial(np.nan, is_inside=False)
    limit = LowTemperatureLimit(V, B)
    if limit.kind != "simple" or limit.dominant.gap < 0.5 or np.linalg.norm(limit.dominant.projector, 2) > 3:
        return Trial(np.nan, is_inside=False)
    x, t, betas = quantile_tokens(240), 0.5 / max(1.0, np.linalg.norm(V, 2)), np.array([20.0, 160.0])
    warm, cold = (
        index_distance(attention_run(x, V=V, B=B, beta=b, until=t, steps=20), limit.flow(x, t)) for b in betas
    )
    bound = np.sqrt(np.log(betas + 1) / betas)
    T = 2 * singular[0] / limit.dominant.gap
    early, late = (two_atom_w2(limit.flow(x, s), limit.atoms, masses=(0.5, 0.5)) for s in (T, 2 * T))
    ratio = worst_ratio(bounded(cold / warm, bound[1] / bound[0]), late / early)
    words = f"{shown(3, V=V, B=B)}: {warm:.3g} at β = 20, {cold:.3g} at β = 160; W₂ of the linear flow {early:.3g}, {late:.3g}"
    return Trial(ratio, 2 * T, words)


def end_of(V, B, *, until=60.0):
    """Where tokens rest at last, or None when they still move."""
    x = quantile_tokens(40)
    # Antipodal prompts stay antipodal: without a trace of asymmetry a pair never leans to one side.
    x = x + 1e-3 * np.stack([np.sin(np.arange(40.0) ** 2), np.cos(np.arange(40.0) ** 2)], axis=1)
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    x = attention_run(x, V=V, B=B, beta=BETA, until=until, steps=int(12 * until))
    y = attention_run(x, V=V, B=B, beta=BETA, until=0.1, steps=5)
    return x if np.abs(y - x).max() < 1e-3 else None


def degrees_off(x, axes):
    """Median angle of tokens to the nearest of these axes."""
    return float(np.degrees(np.median(np.arccos(np.clip(np.abs(x @ np.atleast_2d(axes).T).max(axis=1), 0, 1)))))


def stops_on_the_cone():
    """⟨c, Bc⟩ changes sign before c reaches an eigenvector of V: tokens rest at none of them."""
    rng = np.random.default_rng(28)
    S, B = rng.normal(size=(2, 2)), rng.normal(size=(2, 2))
    V = (S + S.T) / 2
    x = end_of(V, B)
    off = np.nan if x is None else degrees_off(x, np.linalg.eigh(V)[1].T)
    return Trial(
        off / 10, 60.0, f"V = {V.tolist()}, B = {B.tolist()}: tokens rest {off:.3g}° from every eigenvector of V"
    )


def end_trial(V, B) -> Trial:
    """Where tokens rest at last against the rule for two clusters."""
    if BETA * np.linalg.svd(B, compute_uv=False)[-1] < 5 or abs(np.linalg.det(V)) < 0.05:
        return Trial(np.nan, is_inside=False)
    limit = LowTemperatureLimit(V, B)
    if limit.kind != "simple" or limit.dominant.gap < 0.5:
        return Trial(np.nan, is_inside=False)
    if limit.terminal().clause == "outside" or not limit.terminal().is_clear:
        return Trial(np.nan, is_inside=False)
    # A pair leans to one side at the rate λ + ν; below 1/4 it still seems to rest at the end.
    leans = limit.terminal().clause != "gather" or np.linalg.eigvals(V).real.sum() > 0.25
    x = end_of(V, B) if leans else None
    off = np.nan if x is None else degrees_off(x, limit.terminal().q)
    return Trial(off / 10, 60.0, f"V = {V.tolist()}, B = {B.tolist()}: tokens rest {off:.3g}° from the prediction")


def terminal_trial(rng) -> Trial:
    S, B = rng.normal(size=(2, 2)), rng.normal(size=(2, 2))
    return end_trial((S + S.T) / 2, B)


def narrow_trial(rng):
    """All tokens on an arc of one radian, and B = −I: nobody is at −x, where every token would listen."""
    theta = float(rng.uniform(0, 2 * np.pi)) + np.linspace(0, 1, 100)
    x, closest = np.stack([np.cos(theta), np.sin(theta)], axis=1), []
    limit = LowTemperatureLimit(np.diag([1.0, float(rng.uniform(-0.5, 0.3))]), -np.eye(2))
    masses = limit.masses(Particles(x))
    for beta in (12.0, 144.0):
        y, apart = x, []
        for _ in range(20):
            y = attention_run(y, V=limit.V, B=limit.B, beta=beta, until=0.3, steps=3)
            apart.append(two_atom_w2(y, limit.atoms, masses=masses))
        closest.append(np.min(apart))
    # Twelve times colder must come closer by a tenth at least.
    words = f"{shown(3, V=limit.V, start=theta[0])}: {closest[0]:.3g} at β = 12, {closest[1]:.3g} at β = 144"
    return Trial(closest[1] / (0.9 * closest[0]), 6.0, words)
