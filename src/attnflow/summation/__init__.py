"""How the sum over all tokens is done; a rule says only what the weights are."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ..kernel import Kernel
from ..matrices import is_concrete, is_scheduled
from ..spaces import Sphere
from .tiled import Tiled


@runtime_checkable
class Summation(Protocol):
    def sum(self, kernel: Kernel, values: Float[Array, "m c"]) -> Float[Array, "n c"]: ...


NAMES = ("auto", "exact", "fast")

FEWEST_TOKENS = 2048
"""Below this many tokens the exact sum is always faster, and "auto" looks no further."""


def choose(summation, flow, mu, *, tol: float | None = None) -> Summation:
    """The strategy a name stands for, given what can be known of flow and measure before compilation.

    "auto" is exact unless a fast sum holds `tol` (by default 1e-10, or what single precision can) and costs less.
    """
    if not isinstance(summation, str):
        return summation
    if summation not in NAMES:
        raise ValueError(f"summation must be one of {', '.join(NAMES)}, got {summation!r}")
    exact = Tiled(is_bounded=has_bounded_scores(flow, mu))
    if summation == "exact" or (summation == "auto" and mu.n < FEWEST_TOKENS):
        return exact
    from .cost import select

    return select(flow, mu, tol, exact, is_wanted=summation == "fast")


def has_bounded_scores(flow, mu) -> bool:
    """Whether no score, shifted by its Cauchy–Schwarz bound, can underflow a whole row."""
    rule = flow.attention
    if not isinstance(flow.space, Sphere) or is_scheduled(flow) or not is_concrete(rule, mu.mass):
        return False
    heard = np.asarray(mu.mass)[np.asarray(mu.mass) > 0]
    room = -np.log(np.finfo(mu.x.dtype).tiny) - 20
    return bool(rule.spread(mu.d) + np.log(heard.max() / heard.min()) < room)
