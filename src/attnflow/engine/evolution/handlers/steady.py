"""Rest: the run ends when no token moves faster than a speed."""

from __future__ import annotations

import jax.numpy as jnp
from jaxtyping import Array, Float

from .base import Change, Handler


class Steady(Handler):
    """Ends the run when the largest entry of the velocity falls below `speed`."""

    speed: Float[Array, ""]

    def event(self, now):
        return jnp.max(jnp.abs(now.velocity())) < self.speed

    def handle(self, problem, segment, record):
        return Change(problem, "STEADY") if segment.is_fired else None
