r"""Rescaled runs to late times: tokens that come close to each other are kept as an anchor and offsets from it.

A follower of a leader v moves with $\dot x_i = Vx_v$, as the leader does: the offset $x_i - x_v$ rests, while
$z_i - z_v = e^{-tV}(x_i - x_v)$ drowns in the rounding of z along growing directions and explodes along decaying ones.
Who leads depends on these differences times $e^{\lambda t}$, so they must stay exact. Derived from arXiv 2305.05465 (3.1).
"""

from __future__ import annotations

import math

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int
from scipy.sparse.csgraph import connected_components

from ...flow.rescaled import Rescaled, argmax_share
from ...measures import Particles
from ...summation.kernel import log_mass
from ...summation.tiled import over_tiles

NEAR, LINKED, FAR = 1e-3, 3e-3, 1e-1
"""Distances of tokens x, relative to their size: anchors this near unite all that is linked; offsets this far part."""

LONGEST = 0.42
"""Offsets between tokens that both keep moving apart grow like $e^{\\lambda t}$: beyond this power of the largest number
they become anchors."""


SHRUNK = 0.1
"""Coordinates this much smaller than their unit are given another: what is left of them may still decide who leads."""


class Anchored(eqx.Module):
    """A rescaled flow whose state is c for anchors and the offset $e^{tV}(c_i - c_{a(i)})$ for the tokens near them."""

    flow: Rescaled
    anchor: Int[Array, "n"]
    reach: Float[Array, "n"]
    """Relative offset beyond which a token leaves its anchor."""
    unit: Float[Array, "2 d"] | None = None
    """What errors of anchors and of offsets are measured in, for every coordinate; at most 1."""
    sharpness: Float[Array, ""] | None = None
    """Of hard rows that are followed as a softmax: what `lead` is multiplied by in logits."""

    @property
    def state_space(self):
        return self.flow.state_space

    def enter(self, s):
        return s

    def leave(self, s):
        return s

    @property
    def is_anchor(self) -> Bool[Array, "n"]:
        return self.anchor == jnp.arange(len(self.anchor))

    def parts(self, s) -> tuple[Float[Array, "n d"], Float[Array, "n d"]]:
        """Every token's anchor, and its offset."""
        return s[self.anchor], jnp.where(self.is_anchor[:, None], 0, s)

    def coordinates(self, s, t) -> Float[Array, "n d"]:
        """The coordinates c of all tokens."""
        base, offset = self.parts(s)
        return base + self.flow.growth.exp(-t, offset, shift=0.0)

    @property
    def rate(self):
        """The largest growth rate σ, or 0."""
        return jnp.maximum(self.flow.growth.top, 0)

    def seen(self, s, t) -> Float[Array, "n d"]:
        r"""Tokens $e^{-\sigma t}x$, with σ the largest growth rate, or 0."""
        base, offset = self.parts(s)
        return self.flow.growth.exp(t, base, shift=self.rate) + jnp.exp(-self.rate * t) * offset

    def weights(self, mu: Particles, t) -> Float[Array, "n n"]:
        """The attention matrix P."""
        return self._over_rows(mu, t, lambda weights, own: weights)

    def field(self, mu: Particles, t, summation) -> Float[Array, "n d"]:
        return self.moved(self._over_rows(mu, t, lambda weights, own: self.heard(weights, mu.x, own)), t)

    def heard(self, weights, s, own) -> Float[Array, "k 2d"]:
        """What tokens `own` hear: anchors relative to the own one, and offsets; equal anchors leave no rounding."""
        base, offset = self.parts(s)
        others = jnp.where(self.anchor[None] == self.anchor[own][:, None], 0, weights)
        far = others @ base - others.sum(axis=1, keepdims=True) * base[own]
        return jnp.concatenate([far, weights @ offset], axis=1)

    def apart(self, weights, s, t, own) -> Float[Array, "k d"]:
        """Differences of tokens as they are seen, for weights of sum 0; tokens at the anchors of `own` leave no rounding."""
        far, near = jnp.split(self.heard(weights, s, own), 2, axis=1)
        return self.flow.growth.exp(t, far, shift=self.rate) + jnp.exp(-self.rate * t) * near

    def moved(self, heard, t) -> Float[Array, "n d"]:
        """The velocity of the state of tokens that hear this."""
        growth = self.flow.growth
        far, near = jnp.split(heard, 2, axis=1)
        slow = far + growth.exp(-t, near, shift=0.0)
        # What a token hears as its anchor does is left out first: exponentials of equal rows may differ by rounding.
        far, near = jnp.split(heard - heard[self.anchor], 2, axis=1)
        fast = growth.exp(t, far, shift=0.0) + near
        return self.flow.drift.apply(jnp.where(self.is_anchor[:, None], slow, fast))

    def scale(self, s, t) -> Array:
        """What `lead` is multiplied by in logits: $e^{2\\sigma t}$, and 1 for a rule that knows no temperature."""
        if self.sharpness is not None:
            return self.sharpness
        # Far beyond the range of exponentials, and products with the longest offsets still are numbers.
        most = 0.49 * math.log(float(jnp.finfo(s.dtype).max))
        return jnp.ones((), s.dtype) if self.is_hard else jnp.exp(jnp.minimum(2 * self.rate * t, most))

    def lead(self, s, t, own, better, other) -> Float[Array, "k"]:
        """By how much tokens `own` prefer `better` to `other`; tokens are subtracted before they are multiplied."""
        base, offset = self.parts(s)
        pull = self.seen(s, t)[own] @ self.flow.scores(s)
        turned = self.flow.growth.exp(t, pull, shift=self.rate, transpose=True)
        far = jnp.sum(turned * (base[better] - base[other]), axis=1)
        return far + jnp.exp(-self.rate * t) * jnp.sum(pull * (offset[better] - offset[other]), axis=1)

    def logits(self, s, t, own, best) -> Float[Array, "k n"]:
        """Logits of rows `own` without masses, less those of their tokens `best`."""
        return self.gaps(s, t, own, best)[0]

    def gaps(self, s, t, own, best) -> tuple[Float[Array, "k n"], Float[Array, "k n"] | None]:
        """The same, and the sizes of the terms they are sums of, where a hard rule asks for them."""
        pull = self.seen(s, t)[own] @ self.flow.scores(s)
        turned = self.flow.growth.exp(t, pull, shift=self.rate, transpose=True)
        return self._gaps(s, t)(pull, turned, best)

    def _gaps(self, s, t):
        """What gives scores less the best one, and the sizes of the terms they are sums of, which tell rounding from ties."""
        return self._hard_gaps(s, t) if self.is_hard else self._soft_gaps(s, t)

    def _hard_gaps(self, s, t):
        """Tokens are subtracted before they are multiplied: one that leads by anything at all is heard alone."""
        base, offset = self.parts(s)
        shrink = jnp.exp(-self.rate * t)

        def gaps(pull, turned, best):
            apart = lambda parts: parts[None] - parts[best][:, None]  # noqa: E731
            terms = turned[:, None] * apart(base) + shrink * pull[:, None] * apart(offset)
            return jnp.sum(terms, axis=-1), jnp.sum(jnp.abs(terms), axis=-1)

        return gaps

    def _soft_gaps(self, s, t):
        base, offset = self.parts(s)
        between, shrink = self.scale(s, t), jnp.exp(-self.rate * t)
        most = 0.49 * math.log(float(jnp.finfo(s.dtype).max))
        within = between * shrink if self.sharpness is not None else jnp.exp(jnp.minimum(self.rate * t, most))

        def gaps(pull, turned, best):
            """Tokens of one anchor differ by their offsets alone."""
            far, near = turned @ base.T, pull @ offset.T
            less = lambda scores: scores - jnp.take_along_axis(scores, best[:, None], axis=1)  # noqa: E731
            is_same = self.anchor[None] == self.anchor[best][:, None]
            return jnp.where(is_same, within * less(near), between * less(far + shrink * near)), None

        return gaps

    @property
    def is_hard(self) -> bool:
        return self.flow.is_hard and self.sharpness is None

    def shares(self, gaps, size, log_m) -> Float[Array, "k n"]:
        """Weights of rows with these logits, sums of terms of this size, by the rule of the flow."""
        return argmax_share(gaps, size, log_m) if self.is_hard else jax.nn.softmax(gaps + log_m, axis=1)

    def _over_rows(self, mu, t, read):
        """`read` on the weights of tiles of rows, and on which rows they are."""
        s, log_m = mu.x, log_mass(mu.mass)
        base, _ = self.parts(s)
        pull = self.seen(s, t) @ self.flow.scores(s)
        turned = self.flow.growth.exp(t, pull, shift=self.rate, transpose=True)
        gaps = self._gaps(s, t)
        heavier = jnp.where(log_m > -jnp.inf, 0, log_m) if self.is_hard else log_m

        def rows(listeners):
            pull, turned, own = listeners
            first = jnp.argmax(jnp.where(log_m > -jnp.inf, turned @ base.T, -jnp.inf), axis=1)
            best = jnp.argmax(gaps(pull, turned, first)[0] + heavier, axis=1)
            return read(self.shares(*gaps(pull, turned, best), log_m), own)

        return over_tiles(rows, (pull, turned, jnp.arange(mu.n)), max(16, min(mu.n, 2**20 // mu.n + 1)))

    def largest(self, s, t) -> Float[Array, "2 d"]:
        """The largest coordinates of anchors, and of tokens that hard rows hear: soft ones have a size of their own, 1."""
        most = lambda c: self.flow.growth.joined(jnp.max(jnp.abs(c), axis=0))  # noqa: E731
        base = s[self.anchor]
        tokens = most(self.flow.growth.exp(t, base, shift=0.0)) if self.is_hard else jnp.ones_like(base[0])
        return jnp.stack([most(base), tokens])

    def measured(self, s, t) -> Anchored:
        """The same with units of the size of these tokens."""
        largest = self.largest(s, t)
        return eqx.tree_at(
            lambda flow: flow.unit,
            self,
            jnp.where(largest > 0, jnp.minimum(largest, 1), 1),
            is_leaf=lambda x: x is None,
        )

    def sizes(self) -> Float[Array, "n d"]:
        """What errors of the state are measured in."""
        assert self.unit is not None
        return jnp.where(self.is_anchor[:, None], self.unit[0], self.unit[1])

    def _has_shrunk(self, s, t) -> Bool[Array, ""]:
        if self.unit is None:
            return jnp.zeros((), bool)
        largest, is_asked = self.largest(s, t), jnp.stack([jnp.ones((), bool), ~jnp.all(self.is_anchor)])
        return jnp.any((largest > 0) & (largest < SHRUNK * self.unit) & is_asked[:, None])

    def stops(self, s, t) -> Bool[Array, ""]:
        """Whether anchors have come near each other, a token has left its anchor, or units have become too large."""
        base = self.flow.growth.exp(t, s[self.anchor], shift=self.rate)
        size = jnp.linalg.norm(base, axis=1)
        pairs = self.is_anchor[:, None] & self.is_anchor[None] & ~jnp.eye(len(size), dtype=bool)
        offset = jnp.exp(-self.rate * t) * jnp.linalg.norm(self.parts(s)[1], axis=1)
        longest = _longest(self.rate * t, s.dtype)
        farthest = jnp.minimum(self.reach * size, 5 * longest)
        is_changed = jnp.any(pairs & _is_near(base, size, NEAR, longest)) | jnp.any(offset > farthest)
        return is_changed | self._has_shrunk(s, t)


def _longest(log_scale, dtype):
    """The longest offset, seen from afar."""
    return jnp.exp(LONGEST * math.log(float(jnp.finfo(dtype).max)) - log_scale)


def _is_near(x, size, share, longest):
    """Pairs nearer than a share of their size, and than the longest offset."""
    square = jnp.sum(x * x, axis=1)
    apart = jnp.sqrt(jnp.maximum(square[:, None] + square[None] - 2 * x @ x.T, 0))
    larger = jnp.maximum(size[:, None], size[None])
    # The square of a distance is known up to rounding of the sizes.
    return (apart < share * larger) & (jnp.maximum(apart, 1e-7 * larger) < longest)


@eqx.filter_jit
def look(flow, mu, t):
    """What regrouping needs: tokens as they are seen, coordinates, self-attention, the field, and the weights."""
    P = flow.weights(mu, t)
    return flow.seen(mu.x, t), flow.coordinates(mu.x, t), jnp.diagonal(P), flow.field(mu, t, None), P


@eqx.filter_jit
def _offsets(flow, s, anchor, t):
    """Offsets of all tokens from other anchors."""
    base, offset = flow.parts(s)
    return flow.flow.growth.exp(t, base - base[anchor], shift=0.0) + offset - offset[anchor]


def regrouped(flow: Anchored, here: Particles, t):
    """Groups of linked tokens, each anchored at the token that listens most to itself."""
    now = jnp.asarray(t, here.x.dtype)
    seen, c, self_weight, *_ = (np.asarray(part) for part in look(flow, here, now))
    size = np.linalg.norm(seen, axis=1)
    rate = max(float(flow.flow.growth.top), 0.0)
    linked = np.asarray(_is_near(jnp.asarray(seen), jnp.asarray(size), LINKED, 3 * _longest(rate * t, here.x.dtype)))
    label = connected_components(linked, directed=False)[1]
    order = np.argsort(-self_weight, kind="stable")
    _, first = np.unique(label[order], return_index=True)
    anchor = order[first][label]
    offset = np.asarray(_offsets(flow, here.x, jnp.asarray(anchor), now))
    is_anchor = anchor == np.arange(len(anchor))
    apart = np.exp(-rate * t) * np.linalg.norm(offset, axis=1) / np.maximum(size[anchor], 1e-300)
    reach = jnp.asarray(np.maximum(FAR, 2 * apart), here.x.dtype)
    state = jnp.asarray(np.where(is_anchor[:, None], c, offset), here.x.dtype)
    return Anchored(flow.flow, jnp.asarray(anchor), reach).measured(state, now), here.moved_to(state)


@eqx.filter_jit
def all_coordinates(flow, anchor, state, ts):
    one = lambda a, s, t: Anchored(flow, a, jnp.zeros(len(a))).coordinates(s, t)  # noqa: E731
    return jax.vmap(one)(anchor, state, ts)


@eqx.filter_jit
def all_tokens(flow, anchor, state, ts):
    """Tokens $e^{tV}c$ at all times, in the coordinates of the flow."""

    def one(anchor, s, t):
        base, offset = Anchored(flow, anchor, jnp.zeros(len(anchor))).parts(s)
        return flow.growth.exp(t, base, shift=0.0) + offset

    return jax.vmap(one)(anchor, state, ts)
