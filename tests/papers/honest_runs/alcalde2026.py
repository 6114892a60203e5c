import numpy as np
from solved import evolve

import attnflow as af

V, B = 4 * np.diag([1, 0.4]), np.array([[0.3, 0.2], [0.1, 1.2]]).T
"""The reference case: the top eigenvector of VBᵀ is not that of V."""


def cold(*, beta, V=V, B=B, n=200, **options):
    x = af.circle_nodes(n)
    return evolve(af.Flow(af.Sphere(), af.Softmax(B=B, beta=beta), V=V), x, **options)


RUNS = {
    "abstract": [
        lambda: cold(beta=100.0, V=V / 4, until=3.0, save=41),
        lambda: cold(beta=30.0, V=np.diag([1.0, 0.3]), B=np.eye(2), until=4.0, save=41),
        lambda: cold(beta=32.0, until=20.0, save=41),
    ],
    "terminal_phase": [
        lambda: cold(beta=32.0, until=20.0, save=41),
        lambda: cold(beta=32.0, until=3.0, save=41),
    ],
    "laplace_principle": [lambda: cold(beta=32.0, until=1.0, save=41)],
}
BLIND = {}
