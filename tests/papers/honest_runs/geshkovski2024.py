import numpy as np
from solved import evolve

import attnflow as af


def run(x, *, beta, until, save=21, rule=af.Softmax, V=1.0, mass=None, **options):
    flow = af.Flow(af.Sphere(), rule(beta=beta), V=V)
    return lambda: evolve(flow, af.Particles(x, mass), until=until, save=save, **options)


def circle(*angles):
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


RNG = np.random.default_rng(1)
SIX = RNG.normal(size=(6, 3))
CONE = RNG.normal(size=(5, 3)) + 2 * np.eye(3)[0]
RING = RNG.normal(size=(5, 2))
UNEVEN = np.array([0.5, 0.1, 0.1, 0.2, 0.06, 0.04])
LATE = {"save": np.linspace(3.0, 20.0, 18)}

RUNS = {
    "energy_identity": [
        run(SIX, beta=2.0, until=6.0),
        run(SIX, beta=2.0, until=6.0, V=-3.0, mass=UNEVEN),
        run(SIX, beta=1e-3, until=6.0),
        run(SIX, beta=200.0, until=50.0),
        run(SIX, beta=3.0, until=0.3, rule=af.Unnormalised),
        run(RING[:2], beta=4.0, until=400.0, save=5),
        run(SIX, beta=2.0, until=20.0, **LATE),
        run(SIX, beta=2.0, until=20.0, save=[20.0]),
        run([[1.0], [-1.0], [1.0]], beta=2.0, until=5.0),
    ],
    "theorem4.1": [run(SIX, beta=0.0, until=20.0, save=41), run(RING[:2], beta=0.0, until=30.0, mass=[0.9, 0.1])],
    "theorem4.2": [
        run(SIX, beta=0.01, until=2.0),
        run(SIX, beta=0.05, until=2.0, V=5.0, mass=UNEVEN),
        run(SIX, beta=0.1, until=2.0, save=[2.0]),
        run(RING[:2], beta=1e-9, until=15.0),
    ],
    "theorem4.3": [run(RING, beta=0.8, until=30.0, save=41)],
    "theorem5.1": [run(RING[:3], beta=2.0, until=60.0, save=41), run(RING[:2], beta=30.0, until=1e4)],
    "theorem6.1": [
        run(SIX, beta=2.0, until=20.0, save=41),
        run(SIX, beta=2.0, until=20.0, **LATE),
        run(SIX, beta=9.0, until=30.0),
        run(SIX, beta=2.0, until=20.0, mass=UNEVEN, rule=af.Unnormalised),
    ],
    "lemma6.4": [
        run(CONE, beta=2.0, until=10.0),
        run(CONE, beta=100.0, until=10.0),
        run(CONE, beta=2.0, until=3.0, rule=af.Unnormalised),
        run(np.ones((2, 1)), beta=2.0, until=3.0),
        run(circle(0.0, 3.14159), beta=5.0, until=1e4, save=[1e4]),
    ],
    "theorem6.8": [
        run(np.eye(4), beta=2.0, until=8.0),
        run(np.eye(32), beta=9.0, until=200.0),
        run(np.eye(3), beta=40.0, until=1e5),
        run(circle(0.3, 0.3 + 1e-5), beta=2.0, until=10.0),
        run(circle(0.0, 3.14), beta=2.0, until=100.0),
        run(np.eye(4), beta=3.0, until=0.5, rule=af.Unnormalised, V=2.0),
        run(np.eye(4), beta=2.0, until=8.0, save=[4.0, 8.0]),
    ],
    "equation7.1": [
        run(RING, beta=2.0, until=6.0),
        run(RING, beta=0.0, until=6.0, V=-1.0),
        run(RING, beta=-2.0, until=0.5, rule=af.Unnormalised),
        run(RING, beta=300.0, until=100.0),
    ],
}
REFUTED = {
    "energy_identity": "clock × 1.5",
    "theorem4.1": "a longer run of −V",
    "theorem4.2": "clock × 1.5",
    "theorem4.3": "a longer run of −V",
    "theorem5.1": "a longer run of −V",
    "theorem6.1": "a longer run of −V",
    "lemma6.4": "one token drifts",
    "theorem6.8": "clock × 1.5",
    "equation7.1": "clock × 1.5",
}
BLIND = {}
