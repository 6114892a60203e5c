r"""Softmax rows that settle fast: implicit steps follow them while rounding is finer than the layer around their ties.

Newton's method inside an implicit step takes the Jacobian of its start, whose fast directions must hardly turn meanwhile.
Tokens that follow leaders rest as $z = e^{-tV}x$; tokens that balance several rest, up to their growth, as $e^{-\sigma t}x$.
So steps are made in either variable: the ones in which they are longer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ...measures import Particles
from .anchored import Anchored
from .calls import repeated

MOST_UNKNOWNS = 600
"""Of implicit steps: each factors two matrices of this size."""


def is_small(mu: Particles) -> bool:
    """Whether implicit steps are quick enough."""
    return mu.n * mu.d <= MOST_UNKNOWNS


class Slopes(NamedTuple):
    """What SciPy's steps ask for, in variables of their own; all compiled, but for the sizes."""

    enter: Callable
    """(t, state) → variables."""
    leave: Callable
    field: Callable
    watch: Callable
    """Positive until anchors or ties change."""
    jacobian: Callable | None
    size: np.ndarray
    """What errors are of."""


def slopes(flow: Anchored, mu: Particles, t: float, *, is_seen: bool) -> Slopes:
    """Of anchors as they are seen, or in z; offsets from anchors are the same in both."""
    flow_and_all = flow, mu, jnp.asarray(is_seen)
    called = [repeated(one, flow_and_all) for one in (_enter, _leave, _field, _ahead, _jacobian)]
    at = lambda t, s: (np.asarray(t, mu.x.dtype), np.asarray(s, mu.x.dtype))  # noqa: E731
    enter, leave, field, ahead, jacobian = (lambda t, s, one=one: np.asarray(one(*at(t, s))) for one in called)
    size = np.asarray(_sizes(flow, mu.x, jnp.asarray(t, mu.x.dtype)) if is_seen else flow.sizes())
    return Slopes(enter, leave, field, lambda t, s: float(ahead(t, s)), jacobian, size)


def _turned(which, t, s, sign):
    """The state with anchors multiplied by $e^{\\pm t(V - \\sigma)}$, where they are to be."""
    flow, _, is_seen = which
    turned = flow.flow.growth.exp(sign * t, s, shift=flow.rate)
    return jnp.where(is_seen & flow.is_anchor[:, None], turned, s)


def _enter(which, t, s):
    return _turned(which, t, s, 1)


def _leave(which, t, y):
    return _turned(which, t, y, -1)


def _field(which, t, y):
    flow, mu, _ = which
    s = _leave(which, t, y)
    onward = (jnp.ones_like(t), flow.field(mu.moved_to(s), t, None))
    return jax.jvp(lambda t, s: _enter(which, t, s), (t, s), onward)[1]


def _ahead(which, t, y):
    return jnp.where(which[0].stops(_leave(which, t, y), t), -1.0, 1.0)


def _jacobian(which, t, y):
    flat = lambda y: _field(which, t, y.reshape(which[1].x.shape)).reshape(-1)  # noqa: E731
    return jax.jacfwd(flat)(y.reshape(-1))


def _sizes(flow: Anchored, s, t):
    """The largest coordinates of anchors as they are seen; offsets have the sizes they always have."""
    seen = flow.flow.growth.exp(t, s[flow.anchor], shift=flow.rate)
    largest = flow.flow.growth.joined(jnp.max(jnp.abs(seen), axis=0))
    return jnp.where(flow.is_anchor[:, None], jnp.where(largest > 0, largest, 1), flow.sizes())
