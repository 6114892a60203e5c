import numpy as np
from solved import evolve

import attnflow as af


def circle(angles):
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def schemed(scheme, x, *, beta=1.0, **options):
    return evolve(af.Flow(af.Sphere(), af.Softmax(beta=beta), normalisation=scheme), af.Particles(x), **options)


SIX = circle(np.array([0.0, 0.5, 0.9, 1.4, 2.0, 2.7]))
CLOSE = circle(np.array([0.0, 0.001, 0.002, 0.003, 0.004, 0.005]))
LONG = np.linspace(3, 9, 21)

RUNS = {
    "clustering_theorem": [
        lambda: schemed(af.NGPT(0.7), SIX, until=20.0, save=21),
        lambda: schemed(af.SqrtLN(), SIX, until=100.0, save=21),
        lambda: schemed(af.NGPT(), SIX, beta=60.0, until=50.0, save=21),
        lambda: schemed(af.NGPT(), SIX[:2], beta=1e-3, until=1.0, save=[1.0]),
    ],
    "alternative": [
        lambda: schemed(af.PreLN(), SIX, until=400.0, save=21),
        lambda: schemed(af.PreLN(), SIX, beta=30.0, until=5.0, save=21),
        lambda: schemed(af.PeriLN(), 2 * SIX, until=100.0, save=21),
        lambda: schemed(af.MixLN(1.0), SIX, beta=3.0, until=30.0, save=21),
    ],
    "equal_cosines": [
        lambda: schemed(af.PeriLN(), np.eye(3), beta=2.0, until=4.0, save=21),
        lambda: schemed(af.PreLN(), 3 * np.eye(3), beta=0.01, until=40.0, save=21),
        lambda: schemed(af.MixLN(1.0), np.eye(3), beta=2.0, until=4.0, save=21),
        lambda: schemed(af.SqrtLN(), np.eye(3), beta=40.0, until=9.0, save=LONG, start=3.0),
        lambda: schemed(af.NGPT(0.5), np.eye(2), until=1.0, save=[1.0]),
    ],
    "variance_law": [
        lambda: schemed(af.PreLN(), CLOSE, until=4.0, save=21),
        lambda: schemed(af.NGPT(0.3), CLOSE, beta=0.1, until=9.0, save=21),
        lambda: schemed(af.SqrtLN(), CLOSE, until=9.0, save=21),
        lambda: schemed(af.PeriLN(), 2 * CLOSE, until=9.0, save=LONG, start=3.0),
    ],
}
REFUTED = {
    "clustering_theorem": "one token drifts",
    "alternative": "one token drifts",
    "equal_cosines": "clock × 1.5",
    "variance_law": "clock × 1.5",
}
BLIND = {}
