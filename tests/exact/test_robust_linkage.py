"""Clusters as the eye counts them, on prompts whose truth is known."""

import jax.numpy as jnp
import numpy as np
import pytest

import attnflow as af
from attnflow.engine.evolution.trajectory import Status, Trajectory
from attnflow.engine.observe.merge_tree import merge_tree
from attnflow.engine.observe.robust_linkage import robust_clusters
from attnflow.interfaces.report.endings import gathered
from attnflow.interfaces.report.numbers import three
from attnflow.theory.limits.gathering import gathering

CENTRES = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [0, -1, 0]])


def blobs(sizes, width, seed=0, centres=CENTRES):
    """Groups on the sphere and the group each token is from."""
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(len(sizes)), sizes)
    x = centres[truth] + width * rng.normal(size=(len(truth), centres.shape[1]))
    return x / np.linalg.norm(x, axis=1, keepdims=True), truth


def agree(found, truth):
    """Whether every group of more than a straggler is one of the truth."""
    inside = (found.labels >= 0) & (truth >= 0)
    pairs = set(zip(found.labels[inside], truth[inside]))
    return len(pairs) == found.count == len(set(truth[truth >= 0]))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("width", [1e-6, 0.02, 0.1])
def test_noisy_groups(width, seed):
    x, truth = blobs([40, 40, 40], width, seed)
    found = robust_clusters(af.Particles(x), scale=1 / 3)
    assert agree(found, truth)
    assert found.loose < 0.1


@pytest.mark.parametrize("seed", range(6))
def test_unequal_groups(seed):
    x, truth = blobs([400, 60, 20, 10], 0.05, seed)
    found = robust_clusters(af.Particles(x), scale=1 / 3)
    assert agree(found, truth)
    assert np.all(np.diff(found.mass) <= 0)


@pytest.mark.parametrize("seed", range(6))
def test_stragglers_are_neither_groups_nor_bridges(seed):
    x, truth = blobs([60, 60, 60], 0.03, seed)
    path = np.linspace(0, 1, 7)[1:-1, None]
    between = (1 - path) * CENTRES[0] + path * CENTRES[1]
    between /= np.linalg.norm(between, axis=1, keepdims=True)
    found = robust_clusters(af.Particles(np.concatenate([x, between])), scale=1 / 3)
    assert agree(found, np.append(truth, np.full(5, -1)))
    assert found.loose > 0


@pytest.mark.parametrize("seed", range(4))
def test_nested_groups_are_told_apart_by_scale(seed):
    rng = np.random.default_rng(seed)
    fine = np.repeat(np.arange(12), 15)
    x = 3.0 * np.eye(3)[fine // 4] + 0.1 * rng.normal(size=(12, 3))[fine] + 1e-4 * rng.normal(size=(180, 3))
    mu = af.Particles(x)
    assert robust_clusters(mu, resolution=0.3, scale=1.0).count == 3
    assert agree(robust_clusters(mu, resolution=1e-3, scale=0.02), fine)


@pytest.mark.parametrize(("n", "d"), [(32, 2), (64, 2), (256, 2), (32, 3), (64, 3), (256, 3)])
def test_uniform_tokens_are_spread_out(n, d):
    for seed in range(5):
        assert robust_clusters(af.uniform_sphere(n, d, seed=seed), resolution=0.01, scale=1 / 3).count == 0


def test_few_tokens_count_each():
    x = np.array([[1.0, 0], [0, 1], [0, 1.001], [-1, 0]])
    found = robust_clusters(af.Particles(x, [0.97, 0.01, 0.01, 0.01]))
    assert found.count == 3
    assert found.labels[1] == found.labels[2]


def test_near_points_are_two_though_attention_hears_further():
    x, truth = blobs([30, 30], 1e-5, centres=np.array([[1.0, 0], [0.96, 0.28]]))
    assert agree(robust_clusters(af.Particles(x), scale=0.33, resolution=0.01), truth)


def saved(x, flow):
    """A run of one saved time."""
    states = af.Particles(np.asarray(x)[None], np.ones((1, len(x))))
    return Trajectory(jnp.zeros(1), states, flow, Status.DONE, jnp.asarray(0), jnp.asarray(0))


@pytest.mark.parametrize("beta", [9.0, 40.0, 900.0, 4.0])
def test_two_clusters_are_one_from_the_distance_that_the_docstring_says(beta):
    flow, r, s = af.Flow(af.Sphere(), af.Softmax(beta=beta)), 0.01, np.clip(beta**-0.5, 0.04, 0.35)
    for near, count in ((0.99, 1), (1.01, 2)):
        half = r ** (5 / 11) * s ** (6 / 11) * near / 2
        ends = np.array([[np.sqrt(1 - half**2), half, 0], [np.sqrt(1 - half**2), -half, 0]])
        found = gathering(saved(np.repeat(ends, [20, 20], axis=0), flow))
        assert found.counts.tolist() == [count]
        assert f"linkage distance {three(found.last.level)}" in " ".join(gathered(found, np.full(40, 1 / 40)))


def test_spread_out_tokens_count_each_or_not_at_all():
    """The docstring's example has few tokens, the guide's first run has many."""
    flow = af.Flow(af.Sphere(), af.Softmax(beta=4.0))
    assert gathering(saved(af.uniform_sphere(8, 3, seed=0).x, flow)).counts.tolist() == [8]
    assert gathering(saved(af.uniform_sphere(256, 3, seed=0).x, flow)).counts.tolist() == [0]


def test_a_sample_tells_all_tokens():
    x, truth = blobs([5000, 2000, 600], 0.05)
    found = robust_clusters(af.Particles(x), scale=1 / 3)
    assert agree(found, truth)
    np.testing.assert_allclose(found.mass, np.bincount(truth) / len(truth), atol=0.01)  # edge tokens may be loose


def test_tokens_that_differ_inside_planes_are_two_planes():
    rng = np.random.default_rng(0)
    z = np.column_stack([np.repeat([-1.0, 2.0], 30) + 1e-4 * rng.normal(size=60), 3 * rng.normal(size=(60, 2))])
    flow = af.rescale(af.Flow(af.Euclidean(), af.Softmax(), V=np.diag([1.0, 0.3, -0.1])))
    states = af.Particles(np.stack([z, z]), np.full((2, 60), 1 / 60))
    run = af.Trajectory(np.array([0.0, 1.0]), states, flow, af.Status.DONE, np.array(1), np.array(0))
    found = gathering(run)
    assert (found.kind, found.last.count) == ("planes", 2)


@pytest.mark.slow
def test_planes_of_a_rescaled_flow():
    """Two parallel planes: tokens differ freely inside them, and theory's certified limit says the same."""
    flow = af.Flow(af.Euclidean(), af.Softmax(), V=np.diag([1.0, 0.3, -0.1]))
    mu = af.initial.uniform_cube(48, 3, seed=1)
    found = gathering(af.evolve(af.rescale(flow), mu, until=10.0, save=21))
    assert found.kind == "planes"
    assert found.last.count == len(af.limit(flow, mu).planes)


@pytest.mark.slow
def test_points_of_a_rescaled_flow():
    flow, mu = af.Flow(af.Euclidean(), af.Softmax()), af.initial.uniform_cube(24, 2, seed=4)
    found = gathering(af.evolve(af.rescale(flow), mu, until=12.0, save=13))
    ends = np.unique(np.round(af.limit(flow, mu).z, 6), axis=0)
    assert found.kind == "points"
    assert found.last.count == len(ends)


def test_merge_tree_of_known_meetings():
    labels = np.array([[0, 0, 1, 1, 2, -1], [0, 0, 1, 1, 0, 0], [0, 0, 0, 0, 0, 0]])
    mass = np.array([0.2, 0.2, 0.15, 0.15, 0.2, 0.1])
    tree = merge_tree([0.0, 1.0, 5.0], labels, mass)
    first, second = tree.meetings
    assert (first.before, first.after, second.before, second.after) == (0, 1, 1, 5)
    np.testing.assert_allclose(first.masses, (0.4, 0.2))
    np.testing.assert_allclose(second.masses, (0.7, 0.3))
    places = [node.place for node in tree.nodes if node.time == 1]
    assert 0 < min(places) < max(places) < 1


@pytest.mark.slow
def test_counts_of_a_batch():
    mu = af.uniform_sphere(16, 3, seed=0)
    run = af.evolve_batch([af.Flow(af.Sphere(), af.Softmax(beta=b)) for b in (1.0, 2.0)], mu, until=1.0, save=3)
    counts = af.cluster_counts(run, 0.1)
    assert counts.shape == (2, 3)
    assert list(counts[1]) == list(af.cluster_counts(run.member(1), 0.1))
