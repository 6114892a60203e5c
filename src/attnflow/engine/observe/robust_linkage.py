"""Clusters as the eye counts them: robust single linkage, cut where the count lasts longest.

A token joins others only where some tokens are near it, so that stragglers form no bridges; groups count by mass, and
only while they are narrow. Source: Chaudhuri and Dasgupta 2010, Rates of convergence for the cluster tree (NIPS 23).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.spatial import KDTree
from scipy.spatial.distance import pdist, squareform

from ...errors import BadInput, quoted
from ..linalg.arguments import as_annotated
from ..linalg.matrices import is_positive
from .clusters import SAME, tokens_of
from .components import by_mass, centres_of, extent

WIDEST = 0.35
"""A cluster is narrower than this share of the size of the prompt; on the unit sphere, 20 degrees."""

LEAST = 0.01
"""Groups of less than this share of the mass are stragglers."""

FEW = 24
"""Of so few tokens every one counts: none is a straggler."""

SAMPLE = 1000
"""Of more tokens the tree is that of a sample; the others go where the nearest of the sample is."""

LEVELS = 12
"""Scales at which the tree is cut."""

APART = 1.6
"""The centres of two groups are apart by at least so many times the sum of their widths."""

CHANCE = 8
"""Groups that are no dots hold at least so many tokens on average: chance makes smaller ones of spread-out tokens."""

HALF = 0.5
"""Groups that hold less than this share of the mass are no clusters: the tokens are spread out."""


@dataclass(frozen=True)
class Groups:
    """Groups of tokens that are narrow and apart, the heaviest first; none where tokens are spread out."""

    count: int
    labels: np.ndarray
    """The group of each token, −1 for stragglers."""
    centres: np.ndarray
    mass: np.ndarray
    width: float
    """Of the widest group: nine tenths of its mass are within this distance of its centre."""
    distance: float
    """The smallest distance between tokens of different groups; infinite for one."""
    level: float
    """The distance at which groups were told apart."""

    @property
    def gap(self) -> float:
        """The smallest distance between groups over the width of the widest: what justifies the count."""
        return self.distance / max(self.width, np.finfo(float).tiny)

    @property
    def loose(self) -> float:
        """The share of the mass in no group."""
        return float(max(0.0, 1 - self.mass.sum()))


@as_annotated
def robust_clusters(
    mu, *, resolution: float | None = None, scale: float | None = None, least: float | None = None
) -> Groups:
    """Groups as the eye sees them, on the scale between `resolution` and `scale` where their number lasts longest.

    Below `resolution` (1 % of the size of the prompt) tokens are one dot; a group is no wider than `scale` (35 % of it, or
    $\\beta^{-1/2}$ of an attention flow) and holds at least the share `least` of the mass (1 %, and two tokens).
    """
    return groups_of(*tokens_of(mu), resolution=resolution, scale=scale, least=least)


def groups_of(x, mass, *, resolution: float | None = None, scale: float | None = None, least=None) -> Groups:
    """The same of arrays: tokens (n, d) and masses (n,)."""
    resolution = SAME * extent(x) if resolution is None else resolution
    scale = max(WIDEST * extent(x), resolution) if scale is None else scale
    for name, value in (("resolution", resolution), ("scale", scale)):
        if not is_positive(value):
            raise BadInput(f"{name} must be a positive distance, got {quoted(value)}")
    mass = mass / mass.sum()
    if least is None:
        least = 0.0 if len(x) <= FEW else max(LEAST, 1.5 / len(x))
    if len(x) <= SAMPLE:
        return _groups(x, mass, _labels(x, mass, resolution, scale, least))
    chosen = np.linspace(0, len(x) - 1, SAMPLE).astype(int)
    share = mass[chosen] / mass[chosen].sum()
    labels, level = _labels(x[chosen], share, resolution, scale, least)
    return _groups(x, mass, (labels[KDTree(x[chosen]).query(x)[1]], level))


def _labels(x, mass, resolution, scale, least) -> tuple[np.ndarray, float]:
    """Labels at the scale where the number of groups lasts longest, weighted by the mass they hold."""
    if len(x) == 1:
        return np.zeros(1, int), resolution
    tree = _tree(x, core_size(len(x)) if least > 0 else 0)
    levels = np.geomspace(resolution, max(scale, 1.001 * resolution), LEVELS)
    # Between two heights of the tree all levels cut it alike.
    merged = np.searchsorted(tree[:, 2], levels, side="right")
    cut = {m: _cut(_joined(tree[:m], len(x)), x, mass, scale=scale, least=least) for m in set(merged.tolist())}
    cuts = [cut[m] for m in merged]
    counts = [labels.max() + 1 for labels in cuts]
    cover = [float(mass[labels >= 0].sum()) for labels in cuts]
    lasting = sorted(_runs(counts), key=lambda run: (-sum(cover[run[0] : run[1] + 1]), -run[1]))
    for _, last in lasting:
        if counts[last] and cover[last] >= HALF and (least == 0 or _are_apart(x, mass, cuts[last], resolution)):
            return cuts[last], float(levels[last])
    return np.full(len(x), -1), float(levels[-1])


def _are_apart(x, mass, labels, dot: float) -> bool:
    """Whether the centres of groups are further apart than the groups are wide, so that the eye sees them."""
    count = int(labels.max()) + 1
    if count < 2:
        return True
    width = np.array([_width(x, mass, labels == k) for k in range(count)])
    if width.max() > dot and np.sum(labels >= 0) < CHANCE * count:
        return False
    centres, _ = centres_of(x[labels >= 0], mass[labels >= 0], labels[labels >= 0], count)
    return bool(np.all(pdist(centres) >= APART * squareform(np.add.outer(width, width), checks=False)))


def core_size(n: int) -> int:
    """How many others must be near a token before groups may grow through it."""
    return 0 if n <= FEW else max(min(3, n // 40), n // 200)


def _tree(x, others: int):
    """Single linkage of the larger of distance and core distance, that to the k-th nearest other token."""
    distance = pdist(x)
    if others:
        core, (one, other) = KDTree(x).query(x, k=others + 1)[0][:, -1], _pairs(len(x))
        distance = np.maximum(distance, np.maximum(core[one], core[other]))
    return linkage(distance, "single")


@lru_cache(1)
def _pairs(n: int) -> tuple[np.ndarray, np.ndarray]:
    """The two tokens of every pair, in the order of `pdist`."""
    return np.triu_indices(n, 1)


def _joined(merges, n: int) -> np.ndarray:
    """Labels of n tokens after the first merges of their tree; `fcluster` spends most of its time on looking it over."""
    above = np.arange(n + len(merges))
    above[merges[:, :2].astype(int)] = n + np.arange(len(merges))[:, None]
    while not np.array_equal(above, above[above]):
        above = above[above]
    return np.unique(above[:n], return_inverse=True)[1]


def _cut(labels, x, mass, *, scale, least):
    """Groups that are heavy and narrow, the heaviest first; −1 elsewhere."""
    labels, count = by_mass(labels, mass)
    weight = np.bincount(labels, mass, count)
    # Groups of a sum just below the threshold by rounding still count.
    kept = [k for k in range(count) if weight[k] >= least * (1 - 1e-12) and _width(x, mass, labels == k) <= scale]
    rank = np.full(count, -1)
    rank[kept] = np.arange(len(kept))
    return rank[labels]


def _width(x, mass, members) -> float:
    """The distance from the centre within which nine tenths of the mass of a group are."""
    own, share = x[members], mass[members]
    total = share.sum()
    share = share / total if total > 0 else np.full(len(own), 1 / len(own))
    apart = own - share @ own
    distance = np.sqrt(np.einsum("ij,ij->i", apart, apart))
    order = np.argsort(distance)
    return float(distance[order][min(np.searchsorted(np.cumsum(share[order]), 0.9), len(own) - 1)])


def _runs(values):
    edges = [0, *(np.flatnonzero(np.diff(values)) + 1), len(values)]
    return [(int(a), int(b) - 1) for a, b in itertools.pairwise(edges)]


def _groups(x, mass, found) -> Groups:
    labels, level = found
    count, inside = int(labels.max()) + 1, labels >= 0
    if not count:
        return Groups(0, labels, np.empty((0, x.shape[1])), np.empty(0), np.nan, np.inf, level)
    centres, weight = centres_of(x[inside], mass[inside], labels[inside], count)
    width = max(_width(x, mass, labels == k) for k in range(count))
    return Groups(count, labels, centres, weight, width, _distance(x, labels, count), level)


def _distance(x, labels, count) -> float:
    """The smallest distance between tokens of different groups."""
    if count < 2:
        return np.inf
    if len(x) <= SAMPLE:
        one, other = _pairs(len(x))
        are_apart = (labels[one] != labels[other]) & (labels[one] >= 0) & (labels[other] >= 0)
        return float(pdist(x)[are_apart].min())
    own = [x[labels == k] for k in range(count)]
    trees = [KDTree(group) for group in own]
    return min(float(trees[b].query(own[a])[0].min()) for a in range(1, count) for b in range(a))
