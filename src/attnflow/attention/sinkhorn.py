from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array

from ..matrices import Schedule, as_number
from ..kernel import Exponential, Kernel, log_mass
from .base import Attention
from .score import Score, check_dimension


class Sinkhorn(Attention):
    r"""Attention normalised on rows and columns.

    $$w(x, y) = e^{\langle x, By\rangle/\varepsilon + f(x) + g(y)},\quad
      \int w(x, \cdot)\,d\mu = \int w(\cdot, y)\,d\mu = 1$$

    `iterations` counts half-steps, rows first (1 is softmax); None means converged.
    Source: Sander et al. 2022 (arXiv 2110.11773).
    """

    score: Score
    eps: Array | Schedule
    iterations: int | None = eqx.field(static=True)

    def __init__(self, B=None, eps=1.0, iterations=None, *, Q=None, K=None):
        self.score, self.eps, self.iterations = Score(B, Q, K, 1.0), as_number(eps, "eps"), iterations

    def kernel(self, x, mu):
        raise NotImplementedError

    def check(self, d, n):
        check_dimension(self.score, d)
