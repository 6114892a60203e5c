from functools import partial

import numpy as np
from solved import evolve

import attnflow as af
from attnflow.papers.geshkovski2023.matrices import FIGURE_6


def run(x, *, V=1.0, beta=1.0, until=8.0, save=33, rescaled=True, mass=None, **options):
    flow = af.Flow(af.Euclidean(), af.Softmax(beta=beta), V=V)
    mu = af.Particles(np.asarray(x, float), mass)
    return evolve(af.rescale(flow) if rescaled else flow, mu, until=until, save=save, **options)


def cloud(n, d, seed=0, size=2.0):
    return np.random.default_rng(seed).uniform(-size, size, (n, d))


def made(x, **options):
    return partial(run, x, **options)


PARANORMAL = np.diag([1.0, 1.0, -0.5])
TRIPLE = [[-1.0], [0.0], [1.0]]
PAIR = [[1.0, 0.5], [1.0, -0.5]]
LINE = [
    made(cloud(7, 1)),
    made(cloud(7, 1), rescaled=False, until=5.0),
    made(cloud(2, 1, 1), until=6.0, save=7),
    made(cloud(3, 1, 2), V=0.3, beta=40.0, until=25.0),
    made(cloud(7, 1, 3), mass=np.arange(1.0, 8), until=10.0, save=[2.0, 4.0, 10.0]),
    made(cloud(7, 1, 4), beta=1e-3, until=15.0),
    made(cloud(6, 1, 5), until=8.0, save=[8.0]),
]
PLANE = [
    made(cloud(12, 2)),
    made(cloud(12, 2), rescaled=False, until=6.0),
    made(cloud(3, 2, 1), until=20.0, save=11),
    made(cloud(2, 2, 2), beta=300.0, until=4.0),
    made(cloud(8, 2, 3), beta=1e-3, until=14.0, mass=np.arange(1.0, 9)),
    made(cloud(20, 2, 4, size=5.0), until=6.0, save=101),
    partial(af.layers, af.Flow(af.Euclidean(), af.Softmax()), af.Particles(cloud(8, 2, 5)), 60, 0.1),
]
PLANES = [
    made(cloud(10, 2), V=FIGURE_6, until=14.0),
    made(cloud(10, 2), V=FIGURE_6, until=9.0, rescaled=False),
    made(cloud(3, 2, 1), V=np.array([[1.0, 0.1], [0.0, 0.97]]), until=30.0),
    made(cloud(6, 3, 2), V=np.diag([1.0, 0.2, -0.7]), beta=20.0, until=10.0, save=[1.0, 3.0, 9.0]),
]
REPELLED = [
    made(cloud(6, 2), V=-1.0, until=400.0, save=41, rescaled=False),
    made(cloud(2, 1, 1), V=-2.0, beta=3.0, until=60.0, rescaled=False),
    made(30 * cloud(5, 2, 2), V=-1.0, until=20.0, rescaled=False),
    made(cloud(3, 2, 3), V=-1.0, until=300.0, save=31, rescaled=False, mass=[1.0, 2.0, 7.0]),
    made(cloud(4, 1, 4, size=1.0), V=-1.0, until=3.0, save=[1.0, 2.0, 3.0]),
]
TRIPLES = [
    made(TRIPLE, until=1.6, save=17),
    made(TRIPLE, until=12.0, save=25),
    made([[-2.0], [-0.5], [0.0], [0.5], [2.0]], V=0.5, beta=2.0, until=2.0),
    made(TRIPLE, until=1.0, rescaled=False, mass=[1.0, 2.0, 1.0]),
]
PAIRS = [
    made(PAIR, until=9.0),
    made(PAIR, until=6.0, rescaled=False),
    made([[1.0, 0.3], [1.0, -0.3]], until=9.0, tol=1e-11),
    made([[1.0, 0.2], [1.0, -0.2]], until=12.0),
]
BEYOND = [
    made([[-1.0], [0.3], [3.0]], until=5.0),
    made([[-1.0], [0.3], [3.0]], until=5.0, rescaled=False),
    made([[-1.0], [2.0]], V=2.0, beta=3.0, until=4.0),
]
MULTIPLE = [
    made(cloud(9, 3), V=PARANORMAL, until=10.0),
    made(cloud(9, 3), V=PARANORMAL, until=6.0, rescaled=False),
    made(cloud(3, 3, 1), V=PARANORMAL, until=12.0, save=13, mass=[1.0, 2.0, 3.0]),
]
TWO_GROWING = made(cloud(8, 3), V=np.diag([1.5, 0.6, -0.4]), until=30.0)
POSITIVE = made(cloud(6, 2), V=np.diag([1.0, 0.4]))
ALL = [*LINE, *PLANE, *PLANES, *REPELLED, *TRIPLES, *PAIRS, *BEYOND, *MULTIPLE, TWO_GROWING, POSITIVE]
"""Few and many tokens, uneven masses, large and small β, near-degenerate V, late starts, one saved time, layers."""

RUNS = {
    "theorem2.1": LINE[:2],
    "rate_of_p": LINE[:1],
    "lemma7.5": LINE[:1],
    "lemma7.6": LINE[:1],
    "theorem3.1": PLANE[:2],
    "theorem8.1": PLANE[:1],
    "rank_of_p*": PLANE[:1],
    "proposition8.2": PLANE[:1],
    "lemma7.2": PLANE[:1],
    "theorem4.2": PLANES[:2],
    "leading_logit": PLANES[:1],
    "conjecture4.3": [TWO_GROWING],
    "theorem5.2": MULTIPLE[:2],
    "lemma7.3": BEYOND[:1],
    "lemma7.8": TRIPLES[:1],
    "remark7.9": PAIRS[:1],
    "theorem8.5": REPELLED[:1],
    "lemma8.7": REPELLED[:1],
    "lemma8.9": REPELLED[:1],
    "decay": REPELLED[:1],
    "lemma9.1": PLANES[:1],
    "corollary9.2": [POSITIVE],
    "lemma9.3": PLANES[:1],
}
REFUTED = {
    "theorem2.1": "clock × 1.5",
    "rate_of_p": "one token drifts",
    "lemma7.5": "two tokens at the origin",
    "lemma7.6": "two tokens at the origin",
    "theorem3.1": "clock × 1.5",
    "theorem8.1": "clock × 1.5",
    "rank_of_p*": "clock × 1.5",
    "proposition8.2": "one token drifts",
    "lemma7.2": "one token drifts",
    "theorem4.2": "one token drifts",
    "leading_logit": "ten times the start at last",
    "lemma9.1": "all tokens drift",
    "lemma9.3": "1 % noise",
    "conjecture4.3": "frozen",
    "theorem5.2": "clock × 1.5",
    "lemma7.3": "1 % noise",
    "lemma7.8": "two tokens swapped half-way",
    "remark7.9": "clock × 1.5",
    "theorem8.5": "clock × 1.5",
    "lemma8.7": "ten times the start at last",
    "lemma8.9": "one token drifts",
    "decay": "clock × 1.5",
    "corollary9.2": "1 % noise",
}
BLIND = {}
