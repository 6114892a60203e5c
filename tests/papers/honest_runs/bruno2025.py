import numpy as np
from solved import evolve

import attnflow as af


def circle(angles):
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def cold(x, *, beta, V=1.0, B=1.0, mass=None, **options):
    return evolve(af.Flow(af.Sphere(), af.Softmax(B=B, beta=beta), V=V), af.Particles(x, mass), **options)


AROUND = circle(2 * np.pi * (np.arange(200) + 0.5) / 200)
WAVY = circle(2 * np.pi * np.arange(200) / 200 + 0.4 * np.sin(2 * np.pi * np.arange(200) / 200))
THREE = circle(np.array([0.0, 1.0, 3.2]))
TURN, SKEW = [[0.0, -1.0], [1.0, 0.1]], [[1.0, 0.3], [-0.2, 0.8]]

RUNS = {
    "theorem3.2": [
        lambda: cold(AROUND, beta=100.0, V=np.diag([1.0, 0.3]), B=np.eye(2), until=2.0, save=21),
        lambda: cold(AROUND, beta=30.0, V=np.diag([1.0, 1.0 - 1e-9]), B=np.eye(2), until=4.0, save=21),
        lambda: cold(AROUND, beta=60.0, V=TURN, B=SKEW, until=1.0, save=21),
    ],
    "proposition3.9": [
        lambda: cold(WAVY, beta=40.0, V=-1.0, until=20.0, save=21),
        lambda: cold(WAVY, beta=40.0, until=4.0, save=21),
        lambda: cold(WAVY, beta=15.0, V=-2.0, B=2.0, until=1.0, save=np.linspace(0.5, 1.0, 21), start=0.5),
    ],
    "proposition3.11": [
        lambda: cold(THREE, beta=10.0, until=12.0, save=21),
        lambda: cold(THREE, beta=10.0, until=30.0, save=21, mass=[1.0, 4.0, 2.0]),
        lambda: cold(THREE, beta=30.0, V=2.0, until=1e5, save=21),
        lambda: cold(circle(np.array([0.0, 0.8])), beta=10.0, until=7.0, save=21),
        lambda: cold(circle(np.array([0.0, 0.8])), beta=10.0, until=0.1, save=[0.1]),
    ],
}
REFUTED = {
    "theorem3.2": "clock × 1.5",
    "proposition3.9": "clock × 1.5",
    "proposition3.11": "clock × 1.5",
}
BLIND = {}
