import numpy as np
from solved import evolve

import attnflow as af


def circle(angles):
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def causal(x, *, until, save, B=1.0, beta=1.0, V=1.0, mass=None, start=0.0):
    flow = af.Flow(af.Sphere(), af.Causal(af.Softmax(B=B, beta=beta)), V=V)
    return evolve(flow, af.Particles(x, mass), until=until, save=save, start=start)


SIX = circle(np.array([0.0, 0.5, 0.9, 1.4, 2.0, 2.7]))
SKEW = np.array([[1.0, 0.7, 0.0], [-0.4, 0.3, 0.2], [0.1, 0.0, -0.8]])
SPREAD = circle(np.array([0.0, 0.2, 1.6, 3.1, -1.5, -1.4]))

RUNS = {
    "theorem4.1": [
        lambda: causal(SIX, until=20.0, save=21),
        lambda: causal(SIX, until=40.0, save=21, V=0.7, mass=[0.5, 3.0, 1.0, 1.0, 1.0, 1.0]),
        lambda: causal(SIX, until=400.0, save=21, beta=30.0),
        lambda: causal(SIX, until=25.0, save=np.linspace(5, 25, 21), start=5.0),
        lambda: causal(np.eye(3), until=60.0, save=21, B=SKEW, beta=2.0, mass=[0.5, 3.0, 1.0]),
        lambda: causal(SIX[:2], until=20.0, save=[20.0]),
    ],
    "lemma5.1": [
        lambda: causal(SPREAD, until=20.0, save=21, beta=16.0),
        lambda: causal(SPREAD, until=1.0, save=21, beta=64.0),
    ],
}
REFUTED = {
    "theorem4.1": "one token drifts",
    "lemma5.1": "1 % noise",
}
BLIND = {}
