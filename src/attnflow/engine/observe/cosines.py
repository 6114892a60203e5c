"""Cosines of pairs of different tokens: their distribution over a prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jax.typing import ArrayLike

from ...errors import BadInput
from ..linalg.arguments import as_annotated, shaped
from ..measures import Particles

BINS = 2**16
"""Cells in which cosines are counted; quantiles are exact to one cell, 2/65536."""

TILE_PAIRS = 2**22


@dataclass(frozen=True)
class Cosines:
    r"""Statistics of $\langle x_i, x_j\rangle/|x_i||x_j|$ over pairs $i \ne j$, each pair weighing $m_i m_j$."""

    mean: float
    least: float
    most: float
    counts: np.ndarray
    """The share of pairs in each of `BINS` equal cells of [−1, 1]."""
    fractions: dict[float, float]

    def quantile(self, level) -> np.ndarray:
        """The cosine below which a share `level` of the pairs lies, within one cell and the observed range."""
        edges = np.linspace(-1, 1, BINS + 1)
        share = np.concatenate([[0.0], np.cumsum(self.counts)])
        return np.clip(np.interp(np.asarray(level), share / share[-1], edges), self.least, self.most)

    def fraction_above(self, delta: float) -> float:
        """The share of pairs with cosine above 1 − delta, for a delta asked for at the start."""
        if delta not in self.fractions:
            known = ", ".join(f"{d:g}" for d in self.fractions)
            raise BadInput(f"delta = {delta:g} was not counted; ask cosines(mu, deltas=…) (counted: {known})")
        return self.fractions[delta]

    def histogram(self, bins: int = 64) -> tuple[np.ndarray, np.ndarray]:
        """Shares of pairs in equal cells of [−1, 1], and the edges of the cells; bins must divide 65536."""
        if bins < 1 or BINS % bins:
            raise BadInput(f"bins must divide {BINS}, got {bins}")
        return self.counts.reshape(bins, -1).sum(axis=1), np.linspace(-1, 1, bins + 1)


@as_annotated
def cosines(mu: Particles, *, deltas: ArrayLike | Sequence[float] = (1e-3,)) -> Cosines:
    """Statistics of the cosines of all pairs i ≠ j; O(n) memory.

    The fraction above 1 − 10⁻³ is the phase-diagram statistic of Geshkovski et al., arXiv 2312.10794.

    >>> import attnflow as af
    >>> found = af.cosines(af.polygon(4))
    >>> found.least, found.mean
    (-1.0, -0.3333333333333333)
    """
    return _counted(*_directions(mu), shaped(deltas, "deltas", "k").tolist())


def many_cosines(mu: Particles, *, deltas=(1e-3,), pairs: int = 10**6, seed: int = 0) -> Cosines:
    """The same statistics in O(n), for a million tokens.

    The mean is exact. The rest is exact up to cells of the angle on the circle, and a sample of pairs beyond.
    """
    u, mass = _directions(mu)
    values, weight = _on_circle(u, mass) if u.shape[1] == 2 else _sampled(u, mass, pairs, seed)
    cells = np.clip(((values + 1) * (BINS / 2)).astype(np.int64), 0, BINS - 1)
    seen = values[weight > 0]
    shares = {delta: float(weight @ (values > 1 - delta)) for delta in deltas}
    return Cosines(mean_cosine(u, mass), float(seen.min()), float(seen.max()), np.bincount(cells, weight, BINS), shares)


def mean_cosine(x, mass) -> float:
    """The mean over pairs i ≠ j, each weighing $m_i m_j$, without forming pairs."""
    u = x / np.linalg.norm(x, axis=1, keepdims=True)
    centre, own, total = mass @ u, np.sum(mass**2), np.sum(mass)
    return float((centre @ centre - own) / (total**2 - own))


def _directions(mu: Particles):
    x, mass = np.asarray(mu.x, np.float64), np.asarray(mu.mass, np.float64)
    if x.ndim != 2 or len(x) < 2:
        raise BadInput(f"cosines of pairs need one prompt of at least two tokens, got x of shape {x.shape}")
    length = np.linalg.norm(x, axis=1)
    if np.any(length == 0):
        raise BadInput(f"token {int(np.argmin(length))} is zero and has no direction")
    if np.sum(mass > 0) < 2:
        raise BadInput("all pairs have mass 0: at least two tokens must have mass")
    return x / length[:, None], mass


def _on_circle(u, mass, cells: int = 2**16):
    """The law of the difference of two angles is an autocorrelation, done by FFT on a fine grid."""
    cell = np.floor(np.arctan2(u[:, 1], u[:, 0]) / (2 * np.pi) * cells).astype(int) % cells
    share = np.fft.irfft(np.abs(np.fft.rfft(np.bincount(cell, mass, cells))) ** 2, cells)
    share[0] -= np.sum(mass**2)
    share = np.maximum(share, 0)
    return np.cos(2 * np.pi * np.arange(cells) / cells).clip(-1, 1), share / share.sum()


def _sampled(u, mass, pairs, seed):
    i, j = np.random.default_rng(seed).choice(len(u), size=(2, pairs), p=mass / mass.sum())
    i, j = i[i != j], j[i != j]
    return np.sum(u[i] * u[j], axis=1).clip(-1, 1), np.full(len(i), 1 / max(1, len(i)))


def _counted(u, mass, deltas):
    counts, above, total, weight = np.zeros(BINS), dict.fromkeys(deltas, 0.0), 0.0, 0.0
    least, most = np.inf, -np.inf
    for low, high in _tiles(len(u)):
        # Only pairs j > i of each tile of rows: every pair once.
        values = u[low:high] @ u[low:].T
        later = np.arange(high - low)[:, None] < np.arange(len(u) - low)
        c, w = values[later], np.outer(mass[low:high], mass[low:])[later]
        if not len(c):
            continue
        cells = np.clip(((c + 1) * (BINS / 2)).astype(np.int64), 0, BINS - 1)
        counts += np.bincount(cells, w, BINS)
        total, weight = total + w @ c, weight + w.sum()
        least, most = min(least, c.min()), max(most, c.max())
        for delta in above:
            above[delta] += w @ (c > 1 - delta)
    shares = {delta: float(value / weight) for delta, value in above.items()}
    return Cosines(float(total / weight), float(least), float(most), counts / weight, shares)


def _tiles(n):
    size = max(1, TILE_PAIRS // n)
    return [(low, min(low + size, n)) for low in range(0, n, size)]
