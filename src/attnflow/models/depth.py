"""Measurements along depth, each a function of the states of one layer: cosines, energy, rank, rogue coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jax.typing import ArrayLike
from scipy.sparse.csgraph import connected_components

from ..engine.evolution import Trajectory
from ..engine.linalg.arguments import as_annotated, shaped
from ..errors import BadInput, quoted
from .model import Model

DEAD = 0.01
"""A gain below this share of the mean gain hides a coordinate of a state from everything that reads it."""
VIOLATION = 1e-3
"""A relative fall of the energy by more than this between layers is one."""


@dataclass(frozen=True)
class Depth:
    """One number per saved layer."""

    cosine: np.ndarray
    """Mean cosine of pairs i ≠ j."""
    spread: np.ndarray
    """Standard deviation of those cosines."""
    energy: np.ndarray
    r"""$\frac{1}{2\beta n^2}\sum_{ij} e^{\beta\cos_{ij}}$, at the β given."""
    expected: np.ndarray
    """Its change in each layer to first order, from the change of the states; the true one is the difference of `energy`."""
    rank: np.ndarray
    """Effective rank: exponential of the entropy of the squared singular values of unit rows."""
    participation: np.ndarray
    r"""$1/\overline{\cos^2}$ over all pairs: the participation ratio of the Gram matrix."""
    clusters: np.ndarray
    """Groups of tokens that chains of steps of at most 0.1 connect."""
    length: np.ndarray
    """Mean length of the rows of the frame."""
    beta: float

    @property
    def violations(self) -> int:
        """Layers in which the energy fell, which no gradient flow of attention does."""
        return int(np.sum(np.diff(self.energy) < -VIOLATION * np.abs(self.energy[:-1])))


@as_annotated
def along_depth(run: Trajectory, *, beta: float = 1.0, at: ArrayLike | Sequence[int] | None = None) -> Depth:
    """All measurements of a run at the saved layers `at` (default: all), one Gram matrix per layer and none kept.

    Tokens of mass 0 (padding) do not count.
    """
    rows, before, states = [], None, shaped(run.x, "the states of the run", "k n d")[:, _counted(run)]
    layers = range(len(states)) if at is None else shaped(at, "at", "k").astype(int)
    if not all(0 <= k < len(states) for k in layers):
        raise BadInput(f"at must be saved layers, 0 to {len(states) - 1}, got {quoted(at)}")
    for k in layers:
        x = states[k].astype(float)
        size = np.linalg.norm(x, axis=1, keepdims=True)
        u = x / np.where(size > 0, size, 1)
        rows.append((*_of_state(u, beta), float(size.mean()), _first_order(before, u, beta)))
        before = u
    columns = np.array(rows, float).T
    cosine, spread, energy, rank, participation, count, length, expected = columns
    return Depth(cosine, spread, energy, expected[1:], rank, participation, count, length, beta)


def mean_cosines(run: Trajectory, *, at=None) -> np.ndarray:
    r"""Mean cosine of pairs i ≠ j at every saved layer, $(|\sum_i u_i|^2 - n)/(n(n-1))$ of unit rows."""
    found, states = [], np.asarray(run.x)[:, _counted(run)]
    for k in range(len(run.ts)) if at is None else at:
        x = states[k].astype(float)
        u = x / np.linalg.norm(x, axis=1, keepdims=True)
        found.append((np.sum(u.sum(axis=0) ** 2) - len(u)) / (len(u) * (len(u) - 1)))
    return np.array(found)


def _counted(run: Trajectory) -> np.ndarray:
    return np.asarray(run.mass) > 0


def _of_state(u, beta):
    G, n = u @ u.T, len(u)
    apart = G[~np.eye(n, dtype=bool)]
    share = np.linalg.eigvalsh(G).clip(0) / n
    share = share[share > 1e-15]
    energy = np.mean(np.exp(beta * G)) / (2 * beta)
    return apart.mean(), apart.std(), energy, np.exp(-np.sum(share * np.log(share))), 1 / np.mean(G**2), groups(G)[0]


def _first_order(before, u, beta) -> float:
    r"""$\langle\nabla E, \Delta u\rangle = \frac{1}{n^2}\sum_{ij} e^{\beta\cos_{ij}}\langle u_j, \Delta u_i\rangle$."""
    if before is None:
        return np.nan
    n = len(u)
    return float(np.sum((np.exp(beta * before @ before.T) @ before) * (u - before)) / n**2)


def groups(G: np.ndarray, angle: float = 0.1) -> tuple[int, np.ndarray]:
    """Tokens joined by chains of steps of at most so much on the unit sphere, from their cosines: number and labels."""
    return connected_components(1 - G <= angle**2 / 2, directed=False)  # pyright: ignore[reportReturnType]


@dataclass(frozen=True)
class Rogue:
    """A coordinate that holds much of the energy of states, though the gain after it hides it."""

    layer: int
    coordinate: int
    share: float
    gain: float


@as_annotated
def rogue_coordinates(model: Model, run: Trajectory) -> list[Rogue]:
    """Coordinates with more than 5/d of the energy of sphere states whose gain is below 1 % (`DEAD`) of the mean gain."""
    if not model.is_post_ln or run.frame != "sphere":
        return []
    found = []
    for layer in range(1, model.depth + 1):
        norm = model.layers[layer - 1].sublayers[-1].closing
        assert norm is not None
        gain, u = np.abs(np.asarray(norm.gain)), np.asarray(run.x)[layer]
        share = np.mean(u**2, axis=0) / np.mean(np.sum(u**2, axis=1))
        for c in np.flatnonzero((share > 5 / model.d) & (gain < DEAD * gain.mean())):
            found.append(Rogue(layer, int(c), float(share[c]), float(gain[c])))
    return found
