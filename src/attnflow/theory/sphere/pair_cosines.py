"""Cosines of all pairs of tokens, some rows at a time: nothing of size n × n is kept."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...engine.linalg.rows import unit_rows
from .interaction_energy import ENTRIES, interaction_energy

ROWS = 1024
"""Of a crowd, so many rows, evenly chosen, are compared with all tokens."""


def directions(x) -> np.ndarray:
    """Tokens as unit rows in double precision."""
    return unit_rows(np.asarray(x, float))


def blocks(x, *, all_rows: bool = False) -> Iterator[np.ndarray]:
    """Cosines of rows with all tokens, own ones NaN; of a crowd some rows only unless all are asked for."""
    n = len(x)
    rows = np.arange(n) if all_rows or n <= ROWS else np.unique(np.linspace(0, n - 1, ROWS).astype(int))
    size = max(1, ENTRIES // n)
    for k in range(0, len(rows), size):
        mine = rows[k : k + size]
        cosines = x[mine] @ x.T
        cosines[np.arange(len(mine)), mine] = np.nan
        yield cosines


def extremes(x) -> tuple[float, float]:
    """The smallest and the largest cosine of two tokens."""
    found = [(np.nanmin(part), np.nanmax(part)) for part in blocks(x)]
    return float(min(low for low, _ in found)), float(max(high for _, high in found))


def lowest_cosine(x) -> float:
    """The smallest cosine of two tokens; for crowds a lower bound by their distance to the mean direction."""
    if len(x) < 2:
        return 1.0
    if len(x) <= ROWS:
        return extremes(x)[0]
    mean = x.mean(axis=0)
    size = np.linalg.norm(mean)
    if size == 0:
        return -1.0
    near = float(np.clip((x @ mean).min() / size, -1, 1))
    return 2 * near**2 - 1 if near > 0 else -1.0


def energy(x, mass, *, beta: float) -> float:
    r"""$\sum_{ij}m_im_je^{\beta(\langle x_i,x_j\rangle-1)}$, at most 1 for β > 0."""
    return interaction_energy(x, mass, B=beta, shift=beta)


def some_times(count: int, n: int) -> np.ndarray:
    """Indices of saved times to look at: all of a small run, a dozen of a crowd."""
    return np.unique(np.linspace(0, count - 1, min(count, 101 if n <= 500 else 12)).astype(int))
