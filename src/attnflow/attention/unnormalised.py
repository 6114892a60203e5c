from __future__ import annotations

from typing import ClassVar

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array

from ..kernel import Kernel, Link
from ..matrices import as_number
from .base import Attention
from .score import Score, check_dimension


class PlainExponential(Link):
    is_normalised: ClassVar[bool] = False
    is_pointwise: ClassVar[bool] = True

    def weigh(self, scores, axis=-1):
        return jnp.exp(scores)


class Unnormalised(Attention):
    r"""Exponential attention without a normaliser (USA).

    $$w(x, y) = c\, e^{\beta\langle x, By\rangle}$$

    `scale` is the constant c: a number, or the name of a paper's choice — `"mean"` (c = 1, Geshkovski et al.,
    arXiv 2312.10794), `"shifted"` ($c = e^{-\beta\|B\|}$, arXiv 2410.06833, where $B = I$), `"sum"` (c = n).
    Clocks differ by exactly this constant.
    """

    score: Score
    scale: Array | str = eqx.field(converter=lambda c: c if isinstance(c, str) else as_number(c, "scale"))

    SCALES: ClassVar[tuple[str, ...]] = ("mean", "shifted", "sum")

    def __init__(self, B=None, beta=1.0, *, Q=None, K=None, scale="mean"):
        if isinstance(scale, str) and scale not in self.SCALES:
            raise ValueError(f"scale must be a number or one of {', '.join(self.SCALES)}, got {scale!r}")
        self.score, self.scale = Score(B, Q, K, beta), scale

    def kernel(self, x, mu):
        queries, keys = self.score.queries(x), self.score.keys(mu.x)
        mass, column = mu.mass, None
        if self.scale == "shifted":
            column = jnp.full_like(mass, -self._norm(mu.d))
        elif self.scale == "sum":
            mass = mass * mu.n
        elif self.scale != "mean":
            mass = mass * jnp.asarray(self.scale, mass.dtype)
        return Kernel(
            queries, keys, mass, PlainExponential(), column=column,
            average=self.scale != "sum", is_symmetric=self.score.is_symmetric(x, mu.x),
        )  # fmt: skip

    def _norm(self, d):
        return jnp.abs(self.score.beta) * jnp.linalg.norm(self.score.B(d), ord=2)

    def check(self, d, n):
        check_dimension(self.score, d)
