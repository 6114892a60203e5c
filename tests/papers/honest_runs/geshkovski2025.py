import numpy as np
from solved import evolve

import attnflow as af


def circle(*angles):
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def run(x, rule, **options):
    return lambda: evolve(af.Flow(af.Sphere(), rule), af.Particles(x), **options)


POLES = circle(-0.05, 0.0, 0.06, np.pi - 0.05, np.pi, np.pi + 0.06)
LADDER = circle(0.0, 0.15, 0.45, 1.2)
SHIFTED = af.Unnormalised(beta=8.0, scale="shifted")
IN_CAPS = [
    run(POLES, af.Softmax(beta=8.0), until=400.0, save=41),
    run(POLES, SHIFTED, until=400.0, save=41),
    run(POLES, af.Unnormalised(beta=8.0), until=0.1, save=41),
    run(POLES, af.Softmax(beta=30.0), until=1e4, save=[10.0, 1e3, 1e4]),
    run(POLES, af.Softmax(beta=8.0), until=400.0, save=[400.0]),
]

RUNS = {
    "caps": IN_CAPS,
    "crowd": IN_CAPS,
    "cap_growth": IN_CAPS,
    "tight": IN_CAPS,
    "staircase": [
        run(LADDER, af.Unnormalised(beta=200.0, scale="shifted"), until=300.0, save=31),
        run(LADDER, af.Unnormalised(beta=200.0, scale="shifted"), until=300.0, save=[300.0]),
        run(circle(0.0, 1.0), af.Unnormalised(beta=20.0, scale="shifted"), until=1e5, save=5),
    ],
}
REFUTED = {
    "caps": "one token drifts",
    "crowd": "one token drifts",
    "cap_growth": "one token drifts",
    "tight": "one token leaves its group",
    "staircase": "1 % noise",
}
BLIND = {}
