"""Trials of what is claimed of one cluster of a whole layer: random post-LN layers, written in NumPy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import erf

from ..hunt import Trial, shown
from ..independent import softmax
from ..trial import equal

STEP = 1e-5
"""Of central differences, whose error is its square and round-off over it: about 1e-10."""


@dataclass(frozen=True)
class Layer:
    """Heads, then a feed-forward part, each closed by a norm with gain and bias."""

    heads: np.ndarray  # (h, 4, k, d): Q, K, V and the transpose of W of every head
    inner: np.ndarray
    outer: np.ndarray
    norms: np.ndarray  # (2, 2, d): gain and bias of both norms

    def read(self, u, place: int):
        gain, bias = self.norms[place]
        return np.sqrt(u.shape[-1]) * gain * u + bias

    def __call__(self, u, mass, *, heard=None):
        """The directions u after one layer; they hear each other, or one token `heard` that does not move."""
        y = self.read(u, 1)
        speakers, mass = (y, mass) if heard is None else (self.read(heard[None], 1), np.ones(1))
        said = 0
        for Q, K, V, W in self.heads:
            P = softmax(y @ Q.T @ (speakers @ K.T).T / np.sqrt(len(Q)) + np.log(mass))
            said = said + P @ speakers @ V.T @ W
        y = self.read(_direction(y + said), 0)
        hidden = y @ self.inner.T
        return _direction(y + hidden * (1 + erf(hidden / np.sqrt(2))) / 2 @ self.outer.T)


def _direction(z):
    z = z - z.mean(axis=-1, keepdims=True)
    return z / np.linalg.norm(z, axis=-1, keepdims=True)


def _layer(rng) -> Layer:
    d, h, k = int(rng.integers(3, 7)), int(rng.integers(1, 4)), int(rng.integers(1, 4))
    gains = np.stack([rng.uniform(0.5, 2.0, size=(2, d)), 0.3 * rng.normal(size=(2, d))], axis=1)
    inner, outer = rng.normal(size=(2 * d, d)), rng.normal(size=(d, 2 * d))
    size = float(rng.uniform(0.1, 1.0))
    return Layer(rng.normal(size=(h, 4, k, d)) / np.sqrt(d), size * inner, size * outer / d, gains)


def _derivative(f, x):
    columns = [(f(x + e) - f(x - e)) / (2 * STEP) for e in STEP * np.eye(len(x))]
    return np.stack(columns, axis=1)


def consensus_trial(rng) -> Trial:
    """The derivative of a layer of several tokens at their consensus, entry by entry, against that of one token."""
    layer, n = _layer(rng), int(rng.integers(2, 5))
    d, mass = layer.norms.shape[-1], rng.dirichlet(np.ones(n))
    u = _direction(np.asarray(rng.normal(size=(1, d))))
    for _ in range(2000):
        u = layer(u, np.ones(1))
    if np.abs(layer(u, np.ones(1)) - u).max() > 1e-12:
        return Trial(np.nan, is_inside=False)
    point = u[0]
    parallel = _derivative(lambda v: layer(v[None], np.ones(1))[0], point)
    transverse = _derivative(lambda v: layer(v[None], np.ones(1), heard=point)[0], point)
    whole = _derivative(lambda x: layer(x.reshape(n, d), mass).ravel(), np.tile(point, n))
    want = np.kron(np.eye(n), transverse) + np.kron(np.ones((n, 1)) * mass, parallel - transverse)
    off = equal(whole, want, 1e-6 * max(1.0, float(np.abs(whole).max())))
    return Trial(off, 1.0, f"{shown(3, mass=mass, gains=layer.norms[:, 0])}: derivatives differ by {1e-6 * off:.3g}")
