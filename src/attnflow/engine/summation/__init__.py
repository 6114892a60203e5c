"""Summation strategies: how the sum over all tokens is done; a rule says only what the weights are."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from jaxtyping import Array, Float

from .kernel import Kernel

NAMES = ("auto", "exact", "fast")

FEWEST_TOKENS = 2048
"""Below this many tokens the exact sum is always faster, and "auto" looks no further."""


@runtime_checkable
class Summation(Protocol):
    def sum(self, kernel: Kernel, values: Float[Array, "m c"]) -> Float[Array, "n c"]: ...
