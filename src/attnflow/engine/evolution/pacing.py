"""Steps that can be paused: a run ends after any accepted step and goes on from there without changing a digit.

diffrax keeps the state of solver and controller, but not the time it was about to step to: that is kept here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import diffrax
import jax.numpy as jnp
from jaxtyping import Array, Float

ROUNDED = 100
"""diffrax steps to the end where it is nearer than so many units in the last place; a run that goes on does the same."""


class Pace(NamedTuple):
    """The state of paced steps."""

    inner: Any
    """The state of the controller that chooses the steps."""
    onward: Array
    """The time to step to next."""
    count: Array
    """Steps taken, rejected ones too."""
    t: Array
    """Where the last accepted step began, in time …"""
    x: Array
    """… and in space."""


class Paced(diffrax.AbstractAdaptiveStepSizeController):
    """Steps chosen by another controller, ended by an accepted one after `limit`, or by any after `most`."""

    inner: diffrax.AbstractStepSizeController
    first: Array
    """The time of the first step's end."""
    limit: Array
    most: Array

    @property
    def rtol(self):
        """With the next two: what implicit methods solve their stages by; fixed steps have none."""
        return getattr(self.inner, "rtol", None)

    @property
    def atol(self):
        return getattr(self.inner, "atol", None)

    @property
    def norm(self):
        return getattr(self.inner, "norm", None)

    def wrap(self, direction):
        return self

    def init(self, terms, t0, t1, y0, dt0, args, func, error_order):
        floor = t1
        for _ in range(ROUNDED):
            floor = jnp.nextafter(floor, -jnp.inf)
        return jnp.where(self.first > floor, t1, self.first), None

    def adapt_step_size(self, t0, t1, y0, y1_candidate, args, y_error, error_order, controller_state):
        keep, next_t0, next_t1, jump, inner, result = self.inner.adapt_step_size(
            t0, t1, y0, y1_candidate, args, y_error, error_order, controller_state.inner
        )
        count = controller_state.count + 1
        is_over = (keep & (count >= self.limit)) | (count >= self.most)
        results = diffrax.RESULTS
        result = results.where(is_over & (result == results.successful), results.max_steps_reached, result)
        begun = [jnp.where(keep, new, old) for new, old in ((t0, controller_state.t), (y0, controller_state.x))]
        return keep, next_t0, next_t1, jump, Pace(inner, jnp.asarray(next_t1), count, *begun), result


class Grid(diffrax.AbstractStepSizeController):
    """Fixed steps through the times `ts`, which may repeat the last one; diffrax's own would compile for each number of them."""

    ts: Float[Array, "s"]

    def wrap(self, direction):
        return self

    def init(self, terms, t0, t1, y0, dt0, args, func, error_order):
        return self.ts[1], jnp.asarray(2, jnp.int32)

    def adapt_step_size(self, t0, t1, y0, y1_candidate, args, y_error, error_order, controller_state):
        onward = self.ts[jnp.minimum(controller_state, len(self.ts) - 1)]
        keep, no_jump = jnp.asarray(True), jnp.asarray(False)
        return keep, t1, onward, no_jump, controller_state + 1, diffrax.RESULTS.successful
