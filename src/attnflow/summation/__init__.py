"""How the sum over all tokens is done; a rule says only what the weights are."""

from __future__ import annotations

from typing import Protocol

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ..kernel import Kernel
from ..matrices import is_concrete, is_scheduled
from ..spaces import Sphere
from .tiled import Tiled


class Summation(Protocol):
    def sum(self, kernel: Kernel, values: Float[Array, "m c"]) -> Float[Array, "n c"]: ...


NAMES = ("auto", "exact", "fast")


def choose(summation, flow, mu) -> Summation:
    """The strategy a name stands for, given what can be known of flow and measure before compilation."""
    if not isinstance(summation, str):
        return summation
    if summation not in NAMES:
        raise ValueError(f"summation must be one of {', '.join(NAMES)}, got {summation!r}")
    return Tiled(is_bounded=has_bounded_scores(flow, mu))


def has_bounded_scores(flow, mu) -> bool:
    """Whether no score, shifted by its Cauchy–Schwarz bound, can underflow a whole row."""
    score = getattr(flow.attention, "score", None)
    if score is None or not isinstance(flow.space, Sphere) or is_scheduled(flow) or not is_concrete(score, mu.mass):
        return False
    heard = np.asarray(mu.mass)[np.asarray(mu.mass) > 0]
    spread = 2 * float(jnp.abs(score.beta)) * float(jnp.linalg.norm(score.B(mu.d), ord=2))
    room = -np.log(np.finfo(mu.x.dtype).tiny) - 20
    return bool(spread + np.log(heard.max() / heard.min()) < room)
