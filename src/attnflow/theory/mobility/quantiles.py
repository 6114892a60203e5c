"""Quantile functions of measures on the circle, lifted to the line: Q(s + 1) = Q(s) + 2π."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...engine.linalg.arguments import values_of
from ...engine.measures import Particles
from ...errors import BadInput


@dataclass(frozen=True)
class Quantile:
    breaks: np.ndarray
    """Levels in [0, 1) where an atom ends and the next begins; empty for densities."""
    value: Callable[[np.ndarray], np.ndarray]
    """Q on [0, 1)."""

    def __call__(self, s) -> np.ndarray:
        turns = np.floor(np.asarray(s, dtype=float))
        return self.value(s - turns) + 2 * np.pi * turns


def quantile(mu) -> Quantile:
    """The quantile function of tokens in the plane's unit circle, or of a density given as a function of the angle."""
    if isinstance(mu, Particles):
        return _of_tokens(mu)
    if callable(mu):
        return _of_density(mu)
    raise BadInput(f"a measure on the circle is Particles (n, 2) or a density θ ↦ ρ(θ), got {type(mu).__name__}")


def _of_tokens(mu: Particles) -> Quantile:
    if mu.x.ndim != 2 or mu.d != 2:
        raise BadInput(f"tokens on the circle have shape (n, 2), got {mu.x.shape}")
    x, mass = np.asarray(mu.x, dtype=float), np.asarray(mu.mass, dtype=float)
    theta = np.mod(np.arctan2(x[:, 1], x[:, 0]), 2 * np.pi)[mass > 0]
    order, mass = np.argsort(theta, kind="stable"), mass[mass > 0]
    theta, ends = theta[order], np.cumsum(mass[order])
    ends = ends / ends[-1]
    return Quantile(np.concatenate([[0.0], ends[:-1]]), lambda s: theta[np.searchsorted(ends[:-1], s, side="right")])


def density_at(density: Callable, theta: np.ndarray) -> np.ndarray:
    """The values of a density at angles; a number stands for a constant."""
    values = values_of(density, theta)
    values = np.broadcast_to(values, theta.shape) if values.size == 1 else values
    if (
        values.shape != theta.shape
        or not np.all(np.isfinite(values))
        or values.min() < 0
        or not 0 < values.sum() < np.inf
    ):
        raise BadInput(
            "a density on the circle must give a number for every angle, finite and not negative, with positive mass"
        )
    return values


def _of_density(density: Callable, modes: int = 256) -> Quantile:
    grid = 2 * np.pi * np.arange(2 * modes) / (2 * modes)
    values = density_at(density, grid)
    coefficients = np.fft.rfft(values / values.mean())[:modes] / len(grid)
    k = np.arange(1, modes)
    kept = k[np.abs(coefficients[1:]) > 1e-17]
    c = coefficients[kept] / (1j * kept)

    def cdf(theta):
        wave = (np.exp(1j * theta[..., None] * kept) - 1) @ c if len(kept) else np.zeros_like(theta)
        return (theta + 2 * np.real(wave)) / (2 * np.pi)

    def value(s):
        low, high = np.zeros_like(s), np.full_like(s, 2 * np.pi)
        for _ in range(60):  # bisection: safe where the density vanishes, and exact to rounding
            middle = (low + high) / 2
            below = cdf(middle) < s
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        return (low + high) / 2

    return Quantile(np.empty(0), value)
