"""What can be said of a million tokens without looking at pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..measures import Particles


@dataclass(frozen=True)
class Histogram:
    """Mass per unit of length or area in cells of equal size: `edges` per axis, `density` one entry per cell."""

    edges: tuple[np.ndarray, ...]
    density: np.ndarray
    axes: tuple[str, ...]


@dataclass(frozen=True)
class Cosines:
    r"""How the cosine $\langle x, y\rangle/|x||y|$ of two independent tokens of a prompt is distributed.

    Mean and second moment are exact, $|\int\theta\,d\mu|^2$ and $\|\int\theta\theta^\top d\mu\|^2$; the histogram is exact
    up to its cells on the circle, and a sample of pairs in higher dimension.
    """

    mean: float
    second_moment: float
    edges: np.ndarray
    density: np.ndarray


def density(mu: Particles, *, bins: int = 360) -> Histogram:
    """The density of tokens: by angle on the circle, by longitude and height on S² (equal areas), by place in R^d."""
    x, mass = _arrays(mu)
    coordinates, ranges, axes = _coordinates(x)
    counts = [bins] if len(axes) == 1 else [bins, max(1, bins // 2)] if _is_unit(x) else [bins] * len(axes)
    values, edges = np.histogramdd(coordinates, bins=counts, range=ranges, weights=mass)
    cell = np.prod([edge[1] - edge[0] for edge in edges])
    return Histogram(tuple(edges), values / cell, axes)


def cosines(mu: Particles, *, bins: int = 200, pairs: int = 10**6, seed: int = 0) -> Cosines:
    """The law of the cosine of two tokens, in O(n)."""
    x, mass = _arrays(mu)
    theta = x / np.linalg.norm(x, axis=1, keepdims=True)
    mean, second = mass @ theta, theta.T @ (mass[:, None] * theta)
    edges = np.linspace(-1, 1, bins + 1)
    values, weight = _circle_cosines(theta, mass) if x.shape[1] == 2 else _sampled(theta, mass, pairs, seed)
    height = np.histogram(values, edges, weights=weight)[0] / (edges[1] - edges[0])
    return Cosines(float(mean @ mean), float(np.sum(second**2)), edges, height)


def _circle_cosines(theta, mass, cells: int = 2**16):
    """The law of the difference of two angles is an autocorrelation, done by FFT on a fine grid."""
    angle = np.arctan2(theta[:, 1], theta[:, 0])
    cell = np.floor(angle / (2 * np.pi) * cells).astype(int) % cells
    share = np.bincount(cell, mass, cells)
    difference = np.fft.irfft(np.abs(np.fft.rfft(share)) ** 2, cells)
    return np.cos(2 * np.pi * np.arange(cells) / cells).clip(-1, 1), difference


def _sampled(theta, mass, pairs, seed):
    i, j = np.random.default_rng(seed).choice(len(theta), size=(2, pairs), p=mass)
    return np.sum(theta[i] * theta[j], axis=1).clip(-1, 1), np.full(pairs, 1 / pairs)


def _coordinates(x):
    d = x.shape[1]
    if _is_unit(x) and d == 2:
        return np.arctan2(x[:, 1], x[:, 0])[:, None], [(-np.pi, np.pi)], ("angle",)
    if _is_unit(x) and d == 3:
        longitude = np.arctan2(x[:, 1], x[:, 0])
        return np.stack([longitude, x[:, 2]], axis=1), [(-np.pi, np.pi), (-1.0, 1.0)], ("longitude", "height")
    if d > 3:
        raise ValueError(f"densities are drawn in dimension at most 3, got {d}; project the tokens first")
    return x, [(a, b) if b > a else (a - 0.5, b + 0.5) for a, b in zip(x.min(0), x.max(0))], tuple("xyz"[:d])


def _is_unit(x) -> bool:
    return bool(np.abs(np.linalg.norm(x, axis=1) - 1).max() < 1e-6)


def _arrays(mu: Particles):
    if mu.x.ndim != 2:
        raise ValueError(f"give one prompt with x of shape (n, d), got {mu.x.shape}")
    mass = np.asarray(mu.mass, np.float64)
    return np.asarray(mu.x, np.float64), mass / mass.sum()


def count_clusters(x: np.ndarray, tol: float) -> int:
    """The number of groups that chains of steps of at most `tol` connect; on the circle by sorting angles."""
    x = np.asarray(x, np.float64)
    if x.shape[1] == 2 and _is_unit(x):
        angle = np.sort(np.arctan2(x[:, 1], x[:, 0]))
        gaps = np.diff(angle, append=angle[0] + 2 * np.pi)
        return max(1, int(np.sum(2 * np.sin(np.minimum(gaps, np.pi) / 2) > tol)))
    from .clusters import components

    return int(components(x, tol).max()) + 1
