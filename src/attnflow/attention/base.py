"""A rule turns listeners and a measure into a kernel."""

from __future__ import annotations

from abc import abstractmethod

import equinox as eqx
from jaxtyping import Array, Float

from ..kernel import Kernel
from ..measures import Particles


class Attention(eqx.Module):
    """Who listens to whom: one rule per file."""

    @abstractmethod
    def kernel(self, x: Float[Array, "n d"], mu: Particles) -> Kernel:
        """The weights with which listeners x hear the tokens of mu."""

    @abstractmethod
    def check(self, d: int, n: int) -> None:
        """Raise a clear ValueError if the rule cannot act on n tokens of dimension d."""

    def spread(self, d: int) -> float:
        """For unit tokens: how far a row's best score can lie below its Cauchy–Schwarz bound. Unknown: infinitely far."""
        return float("inf")
