"""Gaussian and Euclidean runs of every rule: plain, weighted, long, hot and cold, in one dimension, saved late or once."""

from functools import partial

import numpy as np
from solved import evolve

import attnflow as af

R = af.Euclidean()
S = np.array([[0.4, 0.1], [0.1, -0.3]])
B = np.array([[0.09, 0.37], [-0.33, -0.11]])
V = np.array([[0.5, -0.4], [0.3, 0.9]])
K = np.array([[1.0, 0.2], [0.0, 0.7]])
LAW = af.Gaussian([0.4, -0.7], [[0.9, -0.2], [-0.2, 0.5]])
LINE = af.Gaussian([0.4, -0.7], np.outer([1.0, 0.5], [1.0, 0.5]))
NUMBER = af.Gaussian([0.3], [[0.8]])
CLOUD = 0.5 * np.random.default_rng(0).standard_normal((6, 2))
MASS = np.array([0.4, 0.3, 0.1, 0.1, 0.07, 0.03])


def run(rule, V, mu, save=9, until=1.0, **options):
    """A run made when it is asked for."""
    flow = af.Flow(R, rule, V=V, feed_forward=options.pop("feed_forward", None))
    return partial(evolve, flow, mu, until=until, save=save, **options)


def tokens(x=CLOUD, mass=None):
    return af.Particles(x, mass)


LATE, ONCE = {"save": np.linspace(1.0, 2.0, 9), "until": 2.0}, {"save": [1.0]}
AFFINE = af.FeedForward(w=V, a=K, b=np.ones(2), activation="identity")
SOFTMAX, SINKHORN = af.Softmax(B), af.Sinkhorn(S)

RUNS = {
    "support": [
        run(SOFTMAX, V, tokens()), run(af.L2(np.eye(2)), 1.0, tokens(mass=MASS), **LATE),
        run(af.Softmax(beta=1e3), 1.0, tokens(CLOUD[:2])),
    ],
    "one_unnormalised_token": [
        run(af.Unnormalised(0.5), 1.0, tokens(2 * [[1.2, 0.3]]), until=0.15),
        run(af.Unnormalised(0.8), 2.0, tokens([[0.9]]), until=0.1),
        run(af.Unnormalised(1e-3), 1.0, tokens([[0.1, 0.1]]), **LATE), run(af.Unnormalised(0.5), 1.0, tokens([[0.2]]), **ONCE),
    ],
    "short_support": [run(af.Linear(S), 1.0, tokens()), run(af.Unnormalised(S), V, tokens(mass=MASS), **LATE)],
    "causal_prefix": [
        run(af.Causal(SOFTMAX), V, tokens()), run(af.Causal(af.Softmax(beta=50.0)), -1.0, tokens(CLOUD[:3, :1]), until=5.0),
        run(af.Causal(SOFTMAX), V, tokens(mass=MASS), **LATE), run(af.Causal(SOFTMAX), V, tokens(), **ONCE),
    ],
    "linear_moments": [
        run(af.Linear(S), V, tokens()), run(af.Linear(-1.0), 1.0, tokens(CLOUD[:2, :1]), until=20.0),
        run(af.Linear(B), V, tokens(mass=MASS), **LATE),
    ],
    "gaussians": [
        run(SOFTMAX, V, LAW), run(af.L2(Q=S, K=K), V, LAW, until=5.0), run(af.Sinkhorn(B, 0.3), -1.0, LAW, **LATE),
        run(af.Heads([(SOFTMAX, V), (af.Softmax(S), K)]), 1.0, LAW), run(af.Sinkhorn(S, iterations=3), V, LAW),
        run(af.Softmax(beta=1e-6), 1.0, NUMBER, until=20.0), run(af.Softmax(1.0), 1.0, NUMBER, until=0.62),
        run(SOFTMAX, V, LAW, feed_forward=AFFINE), partial(af.layers, af.Flow(R, SOFTMAX, V=V), LAW, 10, 0.08),
        run(SOFTMAX, V, LINE), run(SOFTMAX, V, LAW, tol=1e-5), run(SOFTMAX, V, LAW, **ONCE),
    ],
    "scalar_v": [
        run(af.Softmax(S), 1.0, LAW), run(af.Softmax(-1.0), 1.0, LAW, until=1e3), run(af.Softmax(S), -2.0, LAW, **LATE),
        run(af.Softmax(1.0), 1.0, NUMBER, until=0.62), run(af.Softmax(np.diag([1.0, 1 - 1e-9])), 1.0, LAW, until=0.4),
        run(af.Softmax(1.0), 1.0, LAW, until=2.0), run(af.Softmax(S), 1.0, LAW, **ONCE),
    ],
    "affine_layer": [run(af.Softmax(-S), 1.0, LAW, feed_forward=AFFINE), run(SOFTMAX, -1.0, LAW, feed_forward=AFFINE, **LATE)],
    "l2_closed_form": [
        run(af.L2(Q=K, K=K), 1.0, LAW), run(af.L2(Q=-K, K=K, beta=3.0), 0.5, LAW, until=50.0),
        run(af.L2(2.0), -1.0, NUMBER, **LATE),
    ],
    "sinkhorn_closed_form": [
        run(af.Sinkhorn(K @ K.T, 0.5), 1.0, LAW), run(af.Sinkhorn(-K @ K.T), 2.0, LAW, until=20.0),
        run(af.Sinkhorn(1.0), -1.0, NUMBER),
        run(af.Sinkhorn(K @ K.T, 2.0), -0.3, LINE, **LATE),
    ],
    "rank_one": [
        run(SOFTMAX, V, LINE), run(af.Softmax(S), -V, LINE, until=30.0), run(af.Softmax(B, 10.0), V, LINE, **LATE),
        run(af.Softmax(-1.0), 1.0, NUMBER),
    ],
    "limit_rank": [
        run(af.Softmax(-np.eye(2)), np.diag([1.0, 2.0]), LAW), run(af.Softmax(B - 0.5 * np.eye(2)), 2.0, LINE, until=1e3),
        run(af.Softmax(np.diag([-1.0, 0.0])), np.diag([1.0, 2.0]), LAW, **LATE),
    ],
    "bounded_growth": [
        run(af.L2(Q=S, K=K), V, LAW), run(SINKHORN, 1.0, LAW, until=10.0), run(af.L2(Q=2 * K, K=K), 1.0, LAW, **LATE),
    ],
    "isotropic_equilibria": [
        run(af.Softmax(np.array([[0.0, 1.0], [0.5, 1.0]])), V, af.Gaussian([0.2, 0.1], [[1.0, 0.0], [0.0, 0.0]])),
        run(af.Sinkhorn(np.array([[0.0, 2.0], [-1.0, 0.0]])), 3.0, af.Gaussian([0.2, 0.1], [[0.0, 0.0], [0.0, 2.0]]), until=20.0),
    ],
    "energy": [
        run(af.Softmax(S), -S, tokens()), run(af.Unnormalised(S, beta=0.5), 2 * S, tokens(mass=MASS)),
        run(af.Softmax(S, 100.0), S, tokens(CLOUD[:3])), run(af.Softmax(1.0), -1.0, tokens(CLOUD[:2, :1]), until=30.0),
        run(af.Softmax(S), S, tokens(mass=MASS), **LATE), run(af.Softmax(S), S, tokens(), **ONCE),
    ],
    "sinkhorn_energy": [
        run(SINKHORN, -S, tokens(), save=5), run(af.Sinkhorn(1.0, 0.3), 0.5, tokens(CLOUD[:3, :1], [0.5, 0.3, 0.2]), save=3),
    ],
    "bures_wasserstein": [
        run(af.Softmax(S), -S, LAW), run(af.Softmax(S, 3.0), S, LAW), run(af.Softmax(-1.0), 1.0, NUMBER, **LATE),
    ],
    "fisher_rao": [run(SOFTMAX, 1.0, LAW), run(af.Softmax(-1.0), 1.0, LAW, until=1e3), run(SOFTMAX, -1.0, LAW, **LATE)],
}  # fmt: skip

MOMENTS_ONLY = "equal masses: a swap leaves sums over tokens as they are"
REFUTED = {
    "support": "ten times the start at last",
    "one_unnormalised_token": "clock × 1.5",
    "short_support": "ten times the start at last",
    "causal_prefix": "clock × 1.5",
    "linear_moments": "clock × 1.5",
    "gaussians": "clock × 1.5",
    "scalar_v": "clock × 1.5",
    "affine_layer": "clock × 1.5",
    "l2_closed_form": "clock × 1.5",
    "sinkhorn_closed_form": "clock × 1.5",
    "rank_one": "clock × 1.5",
    "limit_rank": "time reversed",
    "bounded_growth": "ten times the start at last",
    "isotropic_equilibria": "1 % noise",
    "energy": "clock × 1.5",
    "sinkhorn_energy": "clock × 1.5",
    "bures_wasserstein": "clock × 1.5",
    "fisher_rao": "clock × 1.5",
}
BLIND = {
    "linear_moments": {"two tokens swapped half-way": MOMENTS_ONLY},
    "isotropic_equilibria": {"clock × 1.5": "nothing moves"},
}
