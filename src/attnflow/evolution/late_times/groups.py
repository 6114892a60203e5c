r"""Which tokens go together in the ties of a row: those too close to tell apart, or to be held apart.

Tokens of one anchor differ by their offsets alone. A hard row tells them apart by anything at all; for a soft one they are a
tie of their own only where the row would return to it faster than steps can follow, and else share one softmax.
"""

from __future__ import annotations

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from scipy.sparse.csgraph import connected_components

from ...measures import Particles
from .anchored import Anchored
from .sliding import RESOLVED, slowest_held

NEAR = 10.0
"""In tolerances: tokens this near go together."""


@eqx.filter_jit
def _look(flow: Anchored, mu: Particles, t):
    """Tokens as they are seen, offsets, matrices of scores and of the drift, and what logits are multiplied by."""
    drift = flow.flow.drift.apply(jnp.eye(mu.d, dtype=mu.x.dtype))
    scale, shrink = flow.scale(mu.x, t), jnp.exp(-flow.rate * t)
    return flow.seen(mu.x, t), flow.parts(mu.x)[1], flow.flow.scores(mu.x), drift, scale, shrink


class Groups:
    """Tokens at one time, as the rows see them."""

    def __init__(self, flow: Anchored, mu: Particles, t: float, tol: float):
        self.anchor, self.tol, self.is_hard = np.asarray(flow.anchor), tol, flow.is_hard
        found = _look(flow, mu, jnp.asarray(t, mu.x.dtype))
        self.seen, self.offset, self.scores, self.drift, self.scale, self.shrink = (np.asarray(part) for part in found)
        self.pull = self.seen @ self.scores
        self.is_same = self.anchor[:, None] == self.anchor[None]
        apart = np.linalg.norm(self.seen[:, None] - self.seen[None], axis=-1)
        self.is_near = ~self.is_same & (apart <= NEAR * tol * np.linalg.norm(self.seen, axis=1).max())
        self.width = np.array([np.linalg.norm(self.offset[row], axis=1).max() for row in self.is_same])
        """The longest offset beside each token."""
        anchors, count = np.unique(self.anchor, return_counts=True)
        self.clusters = [np.flatnonzero(self.anchor == a) for a in anchors[count > 1]]
        self.linked = _linked(self.is_near)

    def of(self, i: int) -> np.ndarray:
        """Which tokens go together for row i."""
        if not self.clusters:
            return self.linked
        close = self.is_near.copy()
        for inside in self.clusters:
            close[np.ix_(inside, inside)] = self._inside(i, inside, inside)
        return _linked(close)

    def beside(self, i: int, token: int) -> np.ndarray:
        """Which tokens are so close to this one for row i."""
        close, inside = self.linked[token].copy(), np.flatnonzero(self.is_same[token])
        close[inside] |= self._inside(i, np.array([token]), inside)[0]
        return close

    def _inside(self, i: int, tokens: np.ndarray, inside: np.ndarray) -> np.ndarray:
        """The same among tokens of one anchor."""
        apart = self.offset[tokens][:, None] - self.offset[inside][None]
        close = np.linalg.norm(apart, axis=-1) <= NEAR * self.tol * self.width[inside[0]]
        if self.is_hard:
            return close
        delta = self.shrink * apart
        moved = delta @ self.drift
        own = (tokens == i)[:, None] * 1.0 - (inside == i)[None]
        rate = self.scale * np.abs(np.sum((moved @ self.scores) * delta, axis=-1) + own * (moved @ self.pull[i]))
        return close | (rate <= slowest_held(self.tol))

    def behind(self) -> tuple[np.ndarray, np.ndarray]:
        """By how much every row hears tokens less than the best one beside them, and how large that could be."""
        score = self.scale * self.shrink * self.pull @ self.offset.T
        best = np.stack([score[:, row].max(axis=1) for row in self.is_same], axis=1)
        return score - best, self.scale * self.shrink * np.linalg.norm(self.pull, axis=1)[:, None] * self.width

    def is_told(self, weights, heard: float) -> np.ndarray:
        """Which rows hear tokens of one anchor alone, with weights that can be read off their offsets."""
        _, size = self.behind()
        first = weights.argmax(axis=1)
        alone = ~((weights > heard) & (self.anchor[None] != self.anchor[first][:, None])).any(axis=1)
        return alone & (np.take_along_axis(size, first[:, None], axis=1)[:, 0] < RESOLVED) & (not self.is_hard)


def _linked(close: np.ndarray) -> np.ndarray:
    label = connected_components(close, directed=False)[1]
    return label[:, None] == label[None]
