r"""Softmax rows that settle fast: implicit steps follow them while rounding is finer than the layer around their ties.

Newton's method inside an implicit step takes the Jacobian of its start, whose fast directions must hardly turn meanwhile.
Tokens that follow leaders rest as $z = e^{-tV}x$; tokens that balance several rest, up to their growth, as $e^{-\sigma t}x$.
So steps are made in either variable: the ones in which they are longer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ...measures import Particles
from .anchored import Anchored
from .calls import repeated

MOST_UNKNOWNS = 600
"""Of implicit steps: each factors two matrices of this size."""

FINEST = 1e-5, 1e-2
"""Rounding of the logits of rows that hear several tokens, beyond which implicit steps may lose their ties: in double
precision, and in single, where steps are coarser too."""

SHARPEST = 0.2
"""The part of that which softened rows begin with: tokens may grow."""

SEVERAL = 1e-9
"""A row whose other weights are below this hears one token."""


def finest(dtype) -> float:
    return FINEST[dtype != jnp.float64]


def is_small(mu: Particles) -> bool:
    """Whether implicit steps are quick enough."""
    return mu.n * mu.d <= MOST_UNKNOWNS


def softened(flow: Anchored, mu: Particles, t: float) -> Anchored:
    """Hard rows as a softmax whose logits are as large as rounding allows; tokens of one anchor it could not tell apart."""
    now = jnp.asarray(t, mu.x.dtype)
    u = flow.seen(mu.x, now)
    loudest = jnp.max(jnp.linalg.norm(u @ flow.flow.scores(mu.x), axis=1)) * jnp.max(jnp.linalg.norm(u, axis=1))
    sharpness = SHARPEST * finest(u.dtype) / (jnp.finfo(mu.x.dtype).eps * loudest)
    return eqx.tree_at(lambda one: one.sharpness, flow, sharpness, is_leaf=lambda one: one is None)


def is_softened_well(flow: Anchored, mu: Particles) -> bool:
    """Whether a softmax can stand for hard rows: no two tokens are known by an offset alone."""
    return is_small(mu) and bool(jnp.all(flow.is_anchor)) and mu.x.dtype == jnp.float64


class Slopes(NamedTuple):
    """What SciPy's steps ask for, in variables of their own; all compiled, but for the sizes."""

    enter: Callable
    """(t, state) → variables."""
    leave: Callable
    field: Callable
    watch: Callable
    """Positive until anchors or ties change, or weights are lost in rounding."""
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
    (flow, mu, _), s = which, _leave(which, t, y)
    return jnp.where(flow.stops(s, t) | _is_lost(flow, mu, s, t), -1.0, 1.0)


def _is_lost(flow: Anchored, mu: Particles, s, t):
    """Whether a row hears several tokens with weights that rounding blurs; tokens of one anchor differ by offsets alone."""
    P, u, scale = flow.weights(mu.moved_to(s), t), flow.seen(s, t), flow.scale(s, t)
    best = jnp.argmax(P, axis=1)
    is_same = flow.anchor[None] == flow.anchor[best][:, None]
    is_other = jnp.arange(mu.n)[None] != best[:, None]
    hears = lambda group: jnp.sum(jnp.where(group, P, 0), axis=1) > SEVERAL  # noqa: E731
    longest = lambda x: jnp.max(jnp.linalg.norm(x, axis=1))  # noqa: E731
    rounding = jnp.finfo(s.dtype).eps * jnp.linalg.norm(u @ flow.flow.scores(s), axis=1)
    far, near = rounding * scale * longest(u), rounding * jnp.sqrt(scale) * longest(flow.parts(s)[1])
    lost = lambda noise: noise > finest(s.dtype)  # noqa: E731
    return jnp.any((hears(~is_same) & lost(far)) | (hears(is_same & is_other) & lost(near)))


def _jacobian(which, t, y):
    flat = lambda y: _field(which, t, y.reshape(which[1].x.shape)).reshape(-1)  # noqa: E731
    return jax.jacfwd(flat)(y.reshape(-1))


def _sizes(flow: Anchored, s, t):
    """The largest coordinates of anchors as they are seen; offsets have the sizes they always have."""
    seen = flow.flow.growth.exp(t, s[flow.anchor], shift=flow.rate)
    largest = flow.flow.growth.joined(jnp.max(jnp.abs(seen), axis=0))
    return jnp.where(flow.is_anchor[:, None], jnp.where(largest > 0, largest, 1), flow.sizes())
