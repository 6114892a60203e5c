import numpy as np
from solved import evolve

import attnflow as af

B = np.array([[1.0, 0.4], [0.4, 0.5]])
INDEFINITE = np.array([[0.8, 0.3], [0.3, -0.6]])


def run(B=B, V=None, *, eps=0.5, n=6, d=2, until=1.0, save=6, seed=1, mass=None, **options):
    x = np.random.default_rng(seed).normal(size=(n, d)) + 0.5
    flow = af.Flow(af.Euclidean(), af.Sinkhorn(B, eps=eps), V=-2 * np.asarray(B) if V is None else V)
    return lambda: evolve(flow, af.Particles(x, mass), until=until, save=save, **options)


CASES = [
    run(),
    run(mass=[0.9, 0.09, 0.0099, 5e-5, 4e-5, 1e-5]),
    run(np.eye(2), -np.eye(2), eps=20.0, until=30.0),
    run(np.eye(2), -np.eye(2), eps=0.02, start=3.0, until=4.0),
    run(INDEFINITE),
    run(1.0, -1.0, n=2, d=1, until=4.0),
]
RUNS = {"proposition2": CASES, "mean": [*CASES, run(B, np.array([[0.0, 2.0], [-2.0, 0.1]]), until=3.0)]}
REFUTED = {
    "mean": "clock × 1.5",
    "proposition2": "clock × 1.5",
}
BLIND = {
    "mean": {
        "two tokens swapped half-way": "the mean does not see which token is where",
        "a run of 4β": "the mean moves the same way at every temperature",
    },
    "proposition2": {"two tokens swapped half-way": "equal tokens that change places leave the energy as it is"},
}
