import numpy as np
from solved import evolve

import attnflow as af

V, B = 4 * np.diag([1, 0.4]), np.array([[0.3, 0.2], [0.1, 1.2]]).T
"""The reference case: the top eigenvector of VBᵀ is not that of V."""


def cold(*, beta, V=V, B=B, n=200, **options):
    x = af.circle_nodes(n)
    return evolve(af.Flow(af.Sphere(), af.Softmax(B=B, beta=beta), V=V), x, **options)


HEADS = (
    (
        np.array([[1.0, 0.4, 0.0], [-0.2, 0.5, 0.3], [0.0, 0.1, -0.6]]),
        np.array([[1.2, 0.3, 0.0], [-0.5, 0.6, 0.2], [0.1, 0.0, 0.3]]),
    ),
    (
        np.array([[-0.5, 0.0, 0.7], [0.2, 1.1, 0.0], [0.3, 0.0, 0.4]]),
        np.array([[0.5, 0.2, 0.3], [0.0, -0.2, 0.1], [-0.2, 0.3, -0.4]]),
    ),
)
"""Scores and values of two heads."""
CLUSTER = np.array([[0.6, 0.7, 0.2], [0.61, 0.695, 0.2], [0.6, 0.69, 0.215], [0.59, 0.7, 0.19]])
PAIR = np.array([[1.0, 0.2, -0.3], [-1.0, -0.2, 0.3], [1.0, 0.2, -0.3], [-1.0, -0.2, 0.3]])


def headed(x, *, turned=0.0, **options):
    """Two heads; `turned` adds a rotation, so that the leading eigenvalues are a complex pair."""
    R = turned * np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 0]])
    rule = af.Heads([(af.Softmax(B=B, beta=2.0), V + R) for B, V in HEADS])
    return evolve(af.Flow(af.Sphere(), rule), af.Particles(x / np.linalg.norm(x, axis=1, keepdims=True)), **options)


def layered(size, count):
    """Tokens near the consensus of an untrained ALBERT, through its layer again and again."""
    block = af.as_flow(af.models.random_albert(), layer=0)
    x = af.consensus(block).point + size * np.random.default_rng(1).normal(size=(5, 8))
    return af.layers(block, af.Particles(x / np.linalg.norm(x, axis=1, keepdims=True)), count)


RUNS = {
    "abstract": [
        lambda: cold(beta=100.0, V=V / 4, until=3.0, save=41),
        lambda: cold(beta=30.0, V=np.diag([1.0, 0.3]), B=np.eye(2), until=4.0, save=41),
        lambda: cold(beta=32.0, until=20.0, save=41),
    ],
    "terminal_phase": [
        lambda: cold(beta=32.0, until=20.0, save=41),
        lambda: cold(beta=32.0, until=3.0, save=41),
    ],
    "gathered_heads": [
        lambda: headed(CLUSTER, until=2.0, save=41),
        lambda: headed(CLUSTER, turned=1.0, until=2.0, save=41),
    ],
    "dominant_plane": [
        lambda: headed(CLUSTER, until=10.0, save=41),
        lambda: headed(CLUSTER, turned=1.0, until=12.0, save=41),
    ],
    "signed_consensus": [
        lambda: headed(PAIR, until=1.0, save=21),
        lambda: headed(PAIR[:2], turned=1.0, until=1.0, save=21),
    ],
    "layer_consensus": [lambda: layered(1e-3, 12), lambda: layered(0.5, 30)],
}
REFUTED = {
    "abstract": "clock × 1.5",
    "terminal_phase": "frozen",
    "gathered_heads": "clock × 1.5",
    "dominant_plane": "clock × 1.5",
    "signed_consensus": "clock × 1.5",
    "layer_consensus": "one token drifts",
}
BLIND = {}
