"""Gram matrix and cosines of the tokens against time or depth: how representations collapse."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import LogNorm

from ...engine.measures import Particles
from ...engine.observe.cosines import cosines
from ..curve import draw_curve
from ..style import PALETTE, SEQUENTIAL, faded, styled


@styled
def draw_gram_spectrum(ax, run, *, most: int = 8, log_time=None):
    r"""Shares of the largest eigenvalues of $\sum_j m_jx_jx_j^\top$, whose nonzero ones are those of the Gram matrix."""
    shares = gram_shares(run)
    tint = np.array([*(int(PALETTE[0][k : k + 2], 16) / 255 for k in (1, 3, 5)), 1.0])
    for k, column in enumerate(shares.T[:most]):
        colour = tuple(faded(tint, 1 - 0.75 * k / most))
        draw_curve(ax, run.ts, column, colour=colour, name="share of the variance", label=f"{k + 1}", log_time=log_time)
    ax.set_ylim(0, 1.02)
    ax.legend(title="eigenvalue", ncols=2, fontsize=7.5)
    return ax


def gram_shares(run) -> np.ndarray:
    """Eigenvalues of the second moments, largest first, as shares of their sum: (k, d)."""
    x, mass = np.asarray(run.states.x, float), np.asarray(run.states.mass, float)
    values = np.linalg.eigvalsh(np.einsum("kn,kna,knb->kab", mass, x, x))[:, ::-1]
    return values / values.sum(axis=1, keepdims=True)


@styled
def draw_cosine_histogram(ax, run, *, bins: int = 64):
    """How many pairs of tokens have which cosine, over time or depth: mass per unit of cosine."""
    xs, masses, ts = (np.asarray(a, float) for a in (run.states.x, run.states.mass, run.ts))
    found = [cosines(Particles(x, m)).histogram(bins)[0] for x, m in zip(xs, masses)]
    edges = np.linspace(-1, 1, bins + 1)
    image = np.maximum(np.array([counts / counts.sum() for counts in found]).T * bins / 2, 1e-3)
    drawn = ax.pcolormesh(
        ts, (edges[1:] + edges[:-1]) / 2, image, cmap=SEQUENTIAL, norm=LogNorm(1e-3, image.max()), rasterized=True
    )
    ax.figure.colorbar(drawn, ax=ax, label="density of pairs", pad=0.02)
    ax.set(xlabel="time $t$", ylabel=r"$\langle x_i, x_j\rangle$", ylim=(-1, 1))
    return drawn
