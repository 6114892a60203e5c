"""Clusters against brute force, and on prompts whose clusters are known."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import cdist

import attnflow as af
from attnflow.engine.observe import components as module


def same_partition(a, b):
    return len(set(zip(a, b))) == len(set(a)) == len(set(b))


@pytest.mark.parametrize(
    ("n", "d", "tol"), [(60, 1, 0.01), (300, 2, 0.05), (700, 3, 0.12), (400, 6, 0.5), (900, 2, 0.03)]
)
def test_components_are_those_of_single_linkage(n, d, tol):
    mu = af.uniform_cube(n, d, seed=n)
    found, x = af.clusters(mu, tol), np.asarray(mu.x)
    expected = fcluster(linkage(x, "single"), tol, "distance")
    assert same_partition(found.labels, expected)
    distance = cdist(x, x)
    apart = distance[found.labels[:, None] != found.labels]
    assert_allclose(found.gap * tol, apart.min() if apart.size else np.inf, rtol=1e-12)
    np.fill_diagonal(distance, np.inf)
    joined = np.bincount(found.labels)[found.labels] > 1
    assert_allclose(found.link * tol, distance.min(axis=1)[joined].max(initial=0), rtol=1e-12)


def test_both_ways_to_cross_groups_agree(monkeypatch):
    mu = af.caps(3000, 3, centres=30, eps=1e-4, seed=2)
    quick = af.clusters(mu, 2e-3)
    monkeypatch.setattr(module, "FEW_GROUPS", 0)
    slow = af.clusters(mu, 2e-3)
    assert same_partition(quick.labels, slow.labels)
    assert_allclose(quick.gap, slow.gap, rtol=1e-12)


def test_a_chain_longer_than_the_first_neighbours_is_one_cluster():
    """Dense blobs joined by one bridge: nearest neighbours alone would not see it."""
    rng = np.random.default_rng(0)
    blobs = np.concatenate([rng.normal(size=(500, 2)) * 1e-3, rng.normal(size=(500, 2)) * 1e-3 + [1.0, 0.0]])
    bridge = np.column_stack([np.linspace(0, 1, 41), np.zeros(41)])
    assert af.clusters(af.Particles(blobs), 0.03).count == 2
    assert af.clusters(af.Particles(np.concatenate([blobs, bridge])), 0.03).count == 1


def test_masses_centres_and_order():
    x = np.array([[0.0, 0], [1e-4, 0], [5, 5], [9, 9]])
    found = af.clusters(af.Particles(x, [1, 3, 2, 0]))
    assert found.count == 3 and found.labels.tolist() == [0, 0, 1, 2]
    assert_allclose(found.mass, [4 / 6, 2 / 6, 0])
    assert_allclose(found.centres, [[0.75e-4, 0], [5, 5], [9, 9]])


def test_caps_are_counted_with_a_wide_gap_and_O_n_memory():
    import tracemalloc

    mu = af.caps(20_000, 3, centres=40, eps=1e-10, seed=1)
    tracemalloc.start()
    found = af.clusters(mu, 1e-3)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.count == 40 and found.gap > 5 and found.link < 0.1
    assert peak < 60e6


def test_equal_tokens_and_one_token():
    assert af.clusters(af.Particles(np.ones((50, 3)))).count == 1
    one = af.clusters(af.Particles([[1.0, 2.0]]))
    assert one.count == 1 and one.gap == np.inf and one.link == 0


def test_distance_exactly_tol_joins():
    assert af.clusters(af.Particles([[0.0], [1.0]]), 1.0).count == 1


def test_counts_along_a_run():
    flow = af.Flow(af.Sphere(), af.Softmax(beta=1.0))
    run = af.evolve(flow, af.uniform_sphere(12, 3, seed=4), until=25.0, save=6)
    counts = af.cluster_counts(run, 1e-3)
    assert counts[0] == 12 and counts[-1] == 1 and np.all(np.diff(counts) <= 0)


@pytest.mark.parametrize("tol", [0.0, -1.0, np.nan, np.inf])
def test_bad_tolerances_are_refused(tol):
    with pytest.raises(ValueError, match="tol must be"):
        af.clusters(af.Particles([[0.0]]), tol)
