"""Clusters of tokens by single linkage, with how safely they can be told apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import KDTree

from ...errors import BadInput, quoted
from ..evolution.trajectory import Trajectory
from ..linalg.arguments import as_annotated
from ..linalg.matrices import is_concrete, is_positive
from ..measures import Particles
from .components import by_mass, centres_of, components, extent, smallest_gap
from .histogram import is_unit

SAME = 1e-2
"""Tokens closer than this share of the size of the prompt (at least 1) count as one cluster in pictures."""


@dataclass(frozen=True)
class Clusters:
    """Groups of tokens that chains of steps of at most `tol` connect, the heaviest first."""

    count: int
    labels: np.ndarray
    """The cluster of each token."""
    centres: np.ndarray
    mass: np.ndarray
    gap: float
    """Smallest distance between different clusters over `tol`: barely above 1, the count hangs on the tolerance."""
    link: float
    """Largest distance from a token to the nearest of its cluster over `tol`: small when clusters are tight."""
    tol: float


@as_annotated
def clusters(mu: Particles, tol: float = 1e-3) -> Clusters:
    """The connected components of the tokens at distance `tol` (single linkage).

    Distances are straight lines in R^d, on the sphere chords. The count is the same for every tolerance between the
    largest step inside a cluster and `gap`·`tol`. Memory O(n).

    >>> import attnflow as af
    >>> found = af.clusters(af.Particles([[0.0], [0.1], [5.0]]), tol=0.2)
    >>> found.count, found.labels.tolist(), found.mass.round(3).tolist()
    (2, [0, 0, 1], [0.667, 0.333])
    """
    x, mass = tokens_of(mu)
    if not is_positive(tol):
        raise BadInput(f"tol must be a positive distance, got {quoted(tol)}")
    labels, count = by_mass(components(x, tol), mass)
    centres, weight = centres_of(x, mass, labels, count)
    gap, link = smallest_gap(x, labels) / tol, _largest_link(x, labels, count) / tol
    return Clusters(count, labels, centres, weight, float(gap), float(link), float(tol))


@as_annotated
def cluster_counts(run: Trajectory, tol: float = 1e-3) -> np.ndarray:
    """The number of clusters at every saved time of a run; for a batch one row per run, 0 where it did not get."""
    x = np.asarray(run.x)
    states = x.reshape(-1, *x.shape[-2:])
    counts = [components(state, tol).max() + 1 if np.isfinite(state).all() else 0 for state in states]
    return np.array(counts).reshape(x.shape[:-2])


def count_clusters(x: np.ndarray, tol: float) -> int:
    """The number of groups that chains of steps of at most `tol` connect; on the circle by sorting angles."""
    x = np.asarray(x, np.float64)
    if x.shape[1] == 2 and is_unit(x):
        angle = np.sort(np.arctan2(x[:, 1], x[:, 0]))
        gaps = np.diff(angle, append=angle[0] + 2 * np.pi)
        return max(1, int(np.sum(2 * np.sin(np.minimum(gaps, np.pi) / 2) > tol)))
    return int(components(x, tol).max()) + 1


def tokens_of(mu):
    """Tokens and masses of one prompt as NumPy arrays."""
    if not isinstance(mu, Particles) or mu.x.ndim != 2:
        raise BadInput("clusters are of one prompt: give Particles with x of shape (n, d)")
    if not is_concrete(mu.x):
        raise BadInput("clusters are counted outside jit, vmap and grad: their number is a shape")
    return np.asarray(mu.x, np.float64), np.asarray(mu.mass, np.float64)


def _largest_link(x, labels, count):
    if len(x) < 2:
        return 0.0
    nearest = KDTree(x).query(x, k=2)[0][:, 1]
    inside = nearest[np.bincount(labels, minlength=count)[labels] > 1]
    return inside.max() if len(inside) else 0.0


def same_distance(x) -> float:
    """Below this distance two tokens of x count as one in pictures and reports."""
    return SAME * max(1.0, extent(np.asarray(x, float)))
