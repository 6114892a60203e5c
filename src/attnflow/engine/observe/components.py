"""Connected components of points at a distance, in NumPy and SciPy alone: pictures need them too."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import KDTree
from scipy.spatial.distance import cdist

NEIGHBOURS = 8
"""Nearest neighbours that make the first guess of the components."""

LEAF = 512
"""Up to this many tokens all pairs are compared at once."""

FEW_GROUPS = 2048
"""Up to this many groups the distances of their centres are worth comparing first."""


def smallest_gap(x: np.ndarray, labels: np.ndarray) -> float:
    """The smallest distance between tokens of different labels; infinite for one label."""
    first = np.unique(labels, return_index=True)[1]
    if len(first) < 2:
        return np.inf
    # One token per label gives an upper bound, which prunes almost everything when clusters are tight.
    bound = KDTree(x[first]).query(x[first], k=2)[0][:, 1].min()
    return min([bound, *(d.min() for _, _, d in _across(x, labels, bound) if len(d))])


def components(x, tol) -> np.ndarray:
    """Join near neighbours; then join whatever different groups still come within tol, until none does."""
    n = len(x)
    near = np.nextafter(tol, np.inf)
    if n <= LEAF:
        return _joined(n, *np.nonzero(cdist(x, x) < near))
    _, j = KDTree(x).query(x, k=min(n, NEIGHBOURS), distance_upper_bound=near)
    j = j.reshape(n, -1)
    rows, columns = np.nonzero(j < n)
    labels = _joined(n, rows, j[rows, columns])
    while True:
        links = [(i, j) for i, j, _ in _across(x, labels, near) if len(i)]
        if not links:
            return labels
        i, j = (np.concatenate(ends) for ends in zip(*links))
        labels = _joined(labels.max() + 1, labels[i], labels[j])[labels]


def _joined(n, i, j):
    graph = coo_array((np.ones(len(i), bool), (i, j)), shape=(n, n))
    return connected_components(graph, directed=False)[1]


def _across(x, labels, bound):
    """Pairs of different labels nearer than bound, at least one for every label that has any."""
    order = np.argsort(labels, kind="stable")
    edges = np.append(np.flatnonzero(np.diff(labels[order], prepend=-1)), len(x))
    groups = len(edges) - 1
    near = _overlapping(x, labels, bound) if groups <= FEW_GROUPS else None
    if near is not None and len(near[0]) <= 4 * groups:
        return (
            _nearest(x, order[edges[a] : edges[a + 1]], order[edges[b] : edges[b + 1]], bound) for a, b in zip(*near)
        )
    return _by_halves(x, labels, order, edges, bound)


def _overlapping(x, labels, bound):
    """Pairs of groups whose enclosing balls come nearer than bound: few when groups are tight."""
    count = labels.max() + 1
    size = np.bincount(labels, minlength=count)
    centres = np.stack([np.bincount(labels, column, count) for column in x.T], axis=1) / size[:, None]
    radii = np.zeros(count)
    np.maximum.at(radii, labels, np.linalg.norm(x - centres[labels], axis=1))
    distance = cdist(centres, centres) - radii[:, None] - radii
    return np.nonzero(np.triu(distance <= bound, 1))


def _by_halves(x, labels, order, edges, bound):
    """The labels are halved again and again; the tokens of one half look for their nearest in the other."""
    stack = [(0, len(edges) - 1)]
    while stack:
        low, high = stack.pop()
        tokens = order[edges[low] : edges[high]]
        if high - low < 2:
            continue
        if len(tokens) <= LEAF:
            yield _all_pairs(x, labels, tokens, bound)
            continue
        middle = int(np.clip(np.searchsorted(edges, (edges[low] + edges[high]) // 2), low + 1, high - 1))
        yield _nearest(x, order[edges[low] : edges[middle]], order[edges[middle] : edges[high]], bound)
        stack += [(low, middle), (middle, high)]


def _all_pairs(x, labels, tokens, bound):
    distance = cdist(x[tokens], x[tokens])
    i, j = np.nonzero((distance < bound) & (labels[tokens][:, None] < labels[tokens]))
    return tokens[i], tokens[j], distance[i, j]


def _nearest(x, some, others, bound):
    few, many = sorted((some, others), key=len)
    distance, j = map(np.asarray, KDTree(x[many]).query(x[few], distance_upper_bound=bound))
    found = np.flatnonzero(np.isfinite(distance))
    return few[found], many[j[found]], distance[found]


def by_mass(labels, mass):
    """Labels renumbered so that the heaviest cluster is 0."""
    order = np.argsort(-np.bincount(labels, mass), kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return rank[labels], len(order)


def centres_of(x, mass, labels, count):
    """The centre of mass and the mass of every label."""
    total = np.bincount(labels, mass, count)
    # A cluster of tokens without mass still has a place.
    share = np.where(total[labels] > 0, mass, 1.0)
    weight = np.bincount(labels, share, count)
    sums = np.stack([np.bincount(labels, share * column, count) for column in x.T], axis=1)
    return sums / weight[:, None], total


def extent(x) -> float:
    """The largest distance of a token from the centre."""
    return max(float(np.linalg.norm(x - x.mean(axis=0), axis=1).max()), np.finfo(float).tiny)
