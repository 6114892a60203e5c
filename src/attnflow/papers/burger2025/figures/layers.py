"""Many runs of the authors' layers x ← normalise(x ± η g) at once, by dense sums."""

from __future__ import annotations

import equinox as eqx
import jax
import numpy as np

from ....engine.attention import Unnormalised
from ....engine.flow import Flow
from ....engine.measures import Particles
from ....engine.spaces import Sphere
from ....engine.summation.tiled import Tiled


def ascent(B) -> Flow:
    """Attention without a normaliser that climbs the energy of B."""
    return Flow(Sphere(), Unnormalised(B=B), V=B)


@eqx.filter_jit
def last_layer(flow, x, eta, count: int, *, projected: bool = False):
    """Tokens of a batch of prompts x (b, n, d) after `count` layers, keeping nothing in between."""
    mu = Particles(x[0])

    def layer(tokens):
        state = mu.moved_to(tokens)
        push = flow.field(state, 0.0, Tiled()) if projected else flow.push(state, 0.0, Tiled())
        return flow.space.retract(tokens + eta * push)

    return jax.lax.fori_loop(0, count, lambda _, tokens: jax.vmap(layer)(tokens), x)


def cluster_outcomes(x: np.ndarray) -> np.ndarray:
    """1 or 2 clusters (antipodal) for each run (r, n, d) by cosines to its first token, 0 when undecided."""
    cosine = np.einsum("rnd,rd->rn", x, x[:, 0])
    one, two = np.all(cosine > 0.99, axis=1), np.all(np.abs(cosine) > 0.99, axis=1)
    return np.where(one, 1, np.where(two, 2, 0))


def random_starts(shape, seed: int) -> np.ndarray:
    """Normalised Gaussians."""
    x = np.random.default_rng(seed).normal(size=shape)
    return x / np.linalg.norm(x, axis=-1, keepdims=True)
