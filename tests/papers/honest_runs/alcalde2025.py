import numpy as np
from solved import evolve

import attnflow as af

SQUARE = np.array([[2.0, 2.0], [-2.0, 2.0], [-2.0, -2.0], [2.0, -2.0], [0.5, 0.3], [-0.2, 0.7], [-1.0, -0.4]])


def hardmax(x, *, B=1.0, V=1.0, **options):
    return evolve(af.rescale(af.Flow(af.Euclidean(), af.Hardmax(B=B), V=V)), af.Particles(x), **options)


def layered():
    return af.layers(af.rescale(af.Flow(af.Euclidean(), af.Hardmax())), af.Particles(SQUARE), 8, 0.5)


RUNS = {
    "vertex_theorem": [
        lambda: hardmax(SQUARE, B=np.diag([1.0, 1.5]), until=3.0, save=21),
        lambda: hardmax(np.array([[-1.0], [2.0], [0.3]]), V=2.0, until=4.0, save=5),
        lambda: hardmax(SQUARE, until=20.0, save=21),
        layered,
    ]
}
REFUTED = {
    "vertex_theorem": "clock × 1.5",
}
BLIND = {}
