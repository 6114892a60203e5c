"""What is plotted beside a run: energy, clusters, effective rank and cosines at its saved times."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import jax.numpy as jnp
import numpy as np

from ...engine.evolution.trajectory import Trajectory
from ...engine.flow import Flow, attention_matrix
from ...engine.measures import Gaussian, Particles
from ...engine.observe.cosines import mean_cosine
from ...engine.observe.energy import energy
from ...engine.spaces import Sphere
from ...theory.limits.gathering import gathering

CELLS = 64
"""Of a histogram of cosines."""
SAMPLE = 512
"""Up to this many tokens all pairs are counted; beyond, those of a sample."""
LARGEST_MATRIX = 2048
"""Weights of more tokens are shown for a sample of them."""
FEW_TIMES = 12
"""Times at which clusters order the tokens of a matrix."""
BLOCKS = 512
"""The largest side of a matrix that is sent."""


def directions(run: Trajectory) -> np.ndarray:
    """Tokens as they are seen: on the sphere, directions."""
    x = np.asarray(run.x)
    if not isinstance(getattr(run.flow, "space", None), Sphere):
        return x
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def effective_rank(second_moment: np.ndarray) -> float:
    r"""$e^{H(p)}$ of the eigenvalues p of a second moment as shares of their sum: how many dimensions are used."""
    shares = np.clip(np.linalg.eigvalsh(second_moment), 0, None)
    shares = shares[shares > 0] / shares.sum()
    return float(np.exp(-np.sum(shares * np.log(shares))))


def series(run: Trajectory) -> Iterator[dict[str, Any]]:
    """Plots one after the other, the quick ones first."""
    ts = [float(t) for t in np.asarray(run.ts)]
    yield {"t": ts, "rank": ranks(run)}
    if not isinstance(run.states, Particles):
        yield {"t": ts, "energy": None, "energy_words": "not computed for a law"}
        return
    values, words = energies(run)
    yield {"t": ts, "energy": values, "energy_words": words}
    yield {"t": ts, "clusters": cluster_counts(run)}
    x = directions(run)
    shown = np.unique(np.linspace(0, len(ts) - 1, min(len(ts), 81)).astype(int))
    found = [histogram(state, mass) for state, mass in zip(x[shown], np.asarray(run.states.mass)[shown])]
    if all(cells is not None for cells in found):
        means = [mean_cosine(state, mass) for state, mass in zip(x[shown], np.asarray(run.states.mass)[shown])]
        yield {"cosines_t": [ts[k] for k in shown], "cosines": found, "cosines_mean": means}


def ranks(run: Trajectory) -> list[float]:
    if isinstance(run.states, Gaussian):
        mean, cov = np.asarray(run.mean), np.asarray(run.cov)
        return [effective_rank(c + np.outer(m, m)) for m, c in zip(mean, cov)]
    x, mass = directions(run), np.asarray(run.states.mass)
    if x.shape[-1] > x.shape[-2]:  # the same eigenvalues, in the smaller of the two matrices
        roots = np.sqrt(mass)[..., None] * x
        return [effective_rank(r @ r.T) for r in roots]
    return [effective_rank(state.T @ (share[:, None] * state)) for state, share in zip(x, mass)]


def energies(run: Trajectory) -> tuple[list[float] | None, str]:
    """The energy at every saved time; or why there is none."""
    if not isinstance(run.flow, Flow):
        return None, "no energy is known in these variables"
    try:
        values = np.asarray(energy(run.flow, run.states, t=run.ts))  # pyright: ignore[reportArgumentType]
    except ValueError as error:
        return None, f"no energy: {error}"
    return ([float(v) for v in values], "") if np.isfinite(values).all() else (None, "too large for a number")


def histogram(x: np.ndarray, mass: np.ndarray) -> list[float] | None:
    """Shares of pairs i < j by their cosine, each pair weighing $m_i m_j$; nothing where a token has no direction."""
    length = np.linalg.norm(x, axis=1)
    if len(x) < 2 or not length.all() or np.sum(mass > 0) < 2:
        return None
    u = x / length[:, None]
    if len(u) > SAMPLE:
        chosen = np.random.default_rng(0).choice(len(u), SAMPLE, replace=False)
        u, mass = u[chosen], mass[chosen]
    i, j = np.triu_indices(len(u), 1)
    values = np.clip((u @ u.T)[i, j], -1, 1)
    # A cosine of exactly 1 computed as 1 − 1e-16 stays in the last cell.
    cells = np.minimum(((values + 1) * (CELLS / 2)).astype(int), CELLS - 1)
    shares = np.bincount(cells, mass[i] * mass[j], CELLS)
    return [round(float(share), 6) for share in shares / shares.sum()]


def last_clusters(run: Trajectory) -> dict[str, Any] | None:
    """The clusters at the end, counted as in reports: their number, the cluster of each token (−1: none), their masses."""
    if not isinstance(run.states, Particles) or not np.isfinite(np.asarray(run.x)[[0, -1]]).all():
        return None
    ends = Particles(np.asarray(run.x)[[0, -1]], np.asarray(run.states.mass)[[0, -1]])
    found = gathering(replace(run, ts=jnp.asarray(np.asarray(run.ts)[[0, -1]]), states=ends)).last
    return {"count": found.count, "labels": found.labels.tolist(), "mass": found.mass[:64].tolist()}


def by_cluster(run: Trajectory) -> np.ndarray:
    """Tokens by their clusters at the end, and within these by clusters before: what meets late stands side by side."""
    states = run.states
    assert isinstance(states, Particles)
    count = min(len(run.ts), FEW_TIMES if states.n <= LARGEST_MATRIX else 2)
    at = np.unique(np.linspace(0, len(run.ts) - 1, count).astype(int))
    some = Particles(np.asarray(run.x)[at], np.asarray(states.mass)[at])
    labels = gathering(replace(run, ts=jnp.asarray(np.asarray(run.ts)[at]), states=some)).labels
    return np.lexsort(np.where(labels < 0, labels.shape[1], labels))


def cluster_counts(run: Trajectory) -> list[int]:
    """The number of clusters at every saved time, 0 while tokens are spread out; between counted times, the last one."""
    found = gathering(run)
    place = np.searchsorted(found.at, np.arange(len(np.asarray(run.ts))), side="right") - 1
    return found.counts[np.maximum(place, 0)].tolist()


def matrix(run: Trajectory, k: int, order: np.ndarray) -> tuple[np.ndarray, int, int]:
    """The attention matrix at saved time k, tokens in the given order, in blocks above 512 of them; heads; tokens."""
    mu = run.at(k)
    assert isinstance(mu, Particles)
    picked = order[np.linspace(0, len(order) - 1, min(len(order), LARGEST_MATRIX)).astype(int)]
    if len(picked) < mu.n:
        mu, picked = Particles(np.asarray(mu.x)[picked], np.asarray(mu.mass)[picked]), np.arange(len(picked))
    weights = np.asarray(attention_matrix(run.flow, mu, t=float(run.ts[k])))
    heads = 1 if weights.ndim == 2 else len(weights)
    weights = weights if weights.ndim == 2 else weights.mean(axis=0)
    return block_means(weights[np.ix_(picked, picked)]), heads, len(picked)


def block_means(weights: np.ndarray, size: int = BLOCKS) -> np.ndarray:
    """Means over blocks of tokens: at most `size` a side."""
    n = len(weights)
    if n <= size:
        return weights
    edges = np.linspace(0, n, size + 1).astype(int)[:-1]
    counts = np.diff(np.append(edges, n))
    summed = np.add.reduceat(np.add.reduceat(weights, edges, axis=0), edges, axis=1)
    return summed / np.outer(counts, counts)
