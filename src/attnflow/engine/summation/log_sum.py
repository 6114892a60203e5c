"""Logarithm of the normaliser of every token, by a fast sum where it holds its tolerance."""

from __future__ import annotations

from dataclasses import replace

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.scipy.special import logsumexp
from jaxtyping import Array, Float

from .accuracy import Heard, repaired
from .circle import Circle
from .gauss import Gauss, has_gauss_form
from .kernel import Kernel, PlainExponential, log_mass
from .tiled import SINGLE_BLOCK, TILE_PAIRS, over_tiles
from .two_sphere import TwoSphere


class LogSum(eqx.Module):
    """The exact logarithms, a tile of listeners at a time."""

    def sum(self, kernel: Kernel, values: Float[Array, "m c"]) -> Float[Array, "n 1"]:
        n, m = kernel.queries.shape[0], kernel.keys.shape[0]
        size = n if n * m <= SINGLE_BLOCK else max(16, TILE_PAIRS // m)
        level = log_mass(kernel.mass)
        return over_tiles(lambda rows: logsumexp(kernel.scores(rows) + level, axis=1), kernel.listeners(), size)[
            :, None
        ]


def log_normaliser(kernel: Kernel, summation) -> Float[Array, "n"]:
    r"""$$\log\sum_j m_j e^{s_{ij}}$$"""
    ones = jnp.ones_like(kernel.mass)[:, None]
    if not (isinstance(summation, Gauss | Circle | TwoSphere) and has_gauss_form(kernel)):
        return LogSum().sum(kernel, ones)[:, 0]
    # The Cauchy–Schwarz bound keeps every row below 1; what underflows is summed exactly.
    bound = jnp.linalg.norm(kernel.queries, axis=1) * jnp.max(jnp.linalg.norm(kernel.keys, axis=1))
    bound = jax.lax.stop_gradient(bound + (0 if kernel.column is None else jnp.max(kernel.column)))
    heard = summation.hear(replace(kernel, link=PlainExponential(), row=-bound), ones)
    is_seen = heard.sums[:, 0] > jnp.finfo(bound.dtype).tiny
    logs = jnp.log(jnp.where(is_seen[:, None], heard.sums, 1)) + bound[:, None]
    return repaired(Heard(logs, jnp.where(is_seen, heard.excess, jnp.inf)), kernel, ones, LogSum())[:, 0]
