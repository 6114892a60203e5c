import numpy as np
from solved import evolve

import attnflow as af


def prompt(n, d, seed=0, mass=None):
    x = np.random.default_rng(seed).normal(size=(n, d))
    return af.Particles(x / np.linalg.norm(x, axis=1, keepdims=True), mass)


def run(B, sign=1, *, rule=af.Softmax, beta=1.0, n=8, until=5.0, save=11, seed=0, mass=None, **options):
    B = np.asarray(B, float)
    mu = prompt(n, len(B), seed, mass)
    return lambda: evolve(af.Flow(af.Sphere(), rule(B=B, beta=beta), V=sign * B), mu, until=until, save=save, **options)


PLANE = np.array([[1.0, 0.3], [0.3, -0.5]])
SPACE = np.array([[1.0, 0.3, 0.0], [0.3, -0.5, 0.2], [0.0, 0.2, 0.7]])
DISSIPATION = [
    run(SPACE),
    run(SPACE, -1, rule=af.Unnormalised, n=3),
    run(PLANE, n=2, until=200.0, save=5),
    run(1e-3 * PLANE, n=3, until=50.0, save=[1.0, 20.0, 50.0]),
    run(PLANE, beta=80.0, n=3, until=3.0, save=4),
    run(np.diag([1.0, 1.0 - 1e-9]), n=5, until=300.0, save=3),
    run(PLANE, -1, n=3, mass=[0.9, 0.0999, 0.0001], until=40.0, save=3),
    run(SPACE, save=[2.0]),
    run(SPACE, merge=1e-3, until=20.0),
]
GATHERED = np.diag([1.0, 1.25])
RESTS = run(GATHERED, n=20, until=120.0, save=61)
PAIR = run(-np.eye(3), n=12, until=400.0, save=21, rule=af.Unnormalised)


def metastable():
    """A symmetric pair of rate 1.8e-6, which is no end state."""
    B = np.diag([np.tanh(1.0) + 1e-6, 1.0])
    x = np.array([[0.0, 1.0], [0.0, -1.0], [1e-4, 1.0], [-1e-4, -1.0]])
    return evolve(af.Flow(af.Sphere(), af.Softmax(B=B), V=B), af.Particles(af.Sphere().retract(x)), until=50.0, save=6)


def peaks(phi, *, rule=af.Unnormalised, values=(1.0, 2.0), until=8.0, save=9):
    corners = np.array([[a, b] for a in (1, -1) for b in (1, -1)])
    B, x = np.diag(values), corners * [np.cos(phi), np.sin(phi)]
    return lambda: evolve(af.Flow(af.Sphere(), rule(B=B), V=-B), af.Particles(x), until=until, save=save)


RUNS = {
    "dissipation": DISSIPATION,
    "stationary_states": [RESTS, PAIR, *DISSIPATION],
    "symmetric_peaks": [
        peaks(0.9),
        peaks(0.9, until=400.0, save=5),
        peaks(0.2, rule=af.Softmax, values=(0.5, 8.0), until=60.0),
        peaks(1.5, rule=af.Softmax, values=(1.0, 1.0 + 1e-9), save=[3.0, 4.0]),
    ],
    "cluster_states": [
        RESTS,
        PAIR,
        metastable,
        run(np.eye(3), until=80.0),
        run(GATHERED, -1, until=80.0),
        *DISSIPATION,
    ],
    "semidefinite_descent": [
        run(np.diag([0.0, 1.0, 1.5]), -1, n=12, until=600.0, save=[0.0, 200.0, 250.0, 300.0, 400.0, 500.0, 600.0]),
        run(np.diag([0.0, 1.0]), -1, n=2, until=900.0, save=10, mass=[0.95, 0.05]),
        run(np.diag([0.0, 1.0, 1.5]), -1, rule=af.Unnormalised, n=3, until=2000.0, save=41),
        run(np.diag([0.0, 2.0]), -1, n=9, until=100.0),
    ],
}
LABELS = {"two tokens swapped half-way": "equal tokens that change places leave the measure as it is"}
RESTING = {"clock × 1.5": "where tokens rest does not depend on the clock"}
REFUTED = {
    "dissipation": "clock × 1.5",
    "stationary_states": "frozen",
    "cluster_states": "rests at the lowest eigenvector",
    "symmetric_peaks": "clock × 1.5",
    "semidefinite_descent": "clock × 1.5",
}
BLIND = {
    "dissipation": LABELS,
    "stationary_states": LABELS | RESTING | {
        "a run of −V": "ascent and descent have the same stationary states",
        "a run of 4β": "clusters at eigenvectors rest at every temperature",
    },
    "cluster_states": LABELS | RESTING | {"a run of 4β": "the same clusters are stable at both temperatures"},
    "semidefinite_descent": LABELS,
}  # fmt: skip
