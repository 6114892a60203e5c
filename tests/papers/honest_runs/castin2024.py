"""Runs of softmax attention in the plane and on the line; all claims here are about one state at a time."""

from functools import partial

import numpy as np
from solved import evolve

import attnflow as af

B, V = np.array([[0.09, 0.37], [-0.33, -0.11]]), np.array([[0.5, -0.4], [0.3, 0.9]])
CLOUD = np.random.default_rng(1).standard_normal((6, 2))
PLAIN = partial(evolve, af.Flow(af.Euclidean(), af.Softmax(B), V=V), af.Particles(CLOUD), until=1.0, save=3)
COLD = partial(
    evolve, af.Flow(af.Euclidean(), af.Softmax(beta=100.0)), af.Particles(CLOUD[:3, :1]), until=2.0, save=[1, 2]
)
MASKED = partial(evolve, af.Flow(af.Euclidean(), af.Causal(af.Softmax(B))), af.Particles(CLOUD), until=1.0, save=3)

RUNS = {"general_bound": [PLAIN, COLD, MASKED], "mean_field_bound": [PLAIN, COLD], "input_bound": [PLAIN, COLD]}
BLIND = {}
