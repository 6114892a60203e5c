"""Rules that pass each score through a function and normalise nothing: sigmoid, linear, ReLU, any link."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array

from ..exponential import sigmoid
from ..kernel import Kernel, Link
from ..matrices import Scheduled, as_number
from .base import Attention
from .score import Score, check_dimension


class Elementwise(Link):
    """Weights f(s + bias); what is not heard weighs nothing."""

    function: Callable = eqx.field(static=True)
    bias: Array | float = 0.0
    is_normalised: ClassVar[bool] = False
    is_pointwise: ClassVar[bool] = True

    def weigh(self, scores, axis=-1):
        heard = scores > -jnp.inf
        return jnp.where(heard, self.function(jnp.where(heard, scores, 0) + self.bias), 0)


class Sigmoid(Attention):
    r"""Every pair is weighed on its own, between 0 and 1.

    $$w(x, y) = \sigma(\beta\langle x, By\rangle + b)$$

    `total=True` sums over tokens instead of averaging; `bias="-log n"` is the choice that makes such a sum tend to
    unnormalised exponential attention as n grows. Source: Ramapuram et al. 2024; Castin et al. 2025.
    """

    score: Score
    bias: Scheduled | str
    total: bool = eqx.field(static=True)

    def __init__(self, B=None, beta=1.0, *, Q=None, K=None, bias=0.0, total=False):
        if isinstance(bias, str) and bias != "-log n":
            raise ValueError(f'bias must be a number or "-log n", got {bias!r}')
        self.score = Score(B, Q, K, beta)
        self.bias = bias if isinstance(bias, str) else as_number(bias, "bias")
        self.total = bool(total)

    def kernel(self, x, mu):
        bias = -jnp.log(mu.n) if isinstance(self.bias, str) else self.bias
        mass = mu.mass * mu.n if self.total else mu.mass
        link = Elementwise(sigmoid, jnp.asarray(bias, mu.mass.dtype))
        return Kernel(
            self.score.queries(x), self.score.keys(mu.x), mass, link,
            average=not self.total, is_symmetric=self.score.is_symmetric(x, mu.x),
        )  # fmt: skip

    def check(self, d, n):
        check_dimension(self.score, d)


class Linked(Attention):
    r"""Attention through any link function of the score.

    $$w(x, y) = \varphi(\beta\langle x, By\rangle)$$
    """

    score: Score
    link: Callable = eqx.field(static=True)

    def __init__(self, link: Callable, B=None, beta=1.0, *, Q=None, K=None):
        self.score, self.link = Score(B, Q, K, beta), link

    def kernel(self, x, mu):
        is_symmetric = self.score.is_symmetric(x, mu.x)
        link = Elementwise(self.link)
        return Kernel(self.score.queries(x), self.score.keys(mu.x), mu.mass, link, is_symmetric=is_symmetric)

    def check(self, d, n):
        check_dimension(self.score, d)


def identity(score):
    return score


def Linear(B=None, beta=1.0, *, Q=None, K=None) -> Linked:
    r"""Linear attention, $w(x, y) = \beta\langle x, By\rangle$."""
    return Linked(identity, B, beta, Q=Q, K=K)


def Relu(B=None, beta=1.0, *, Q=None, K=None) -> Linked:
    r"""ReLU attention, $w(x, y) = \max(\beta\langle x, By\rangle, 0)$."""
    return Linked(jax.nn.relu, B, beta, Q=Q, K=K)
