r"""Rows pressed to a point where all their scores vanish: they hear every token, and softly.

More tokens are tied there than there are dimensions, so that keeping the tie does not tell the weights. But they are still a
softmax, of logits $\langle\omega, u_j\rangle$ with $\omega = S\,\mathrm{pull}$ finite while S grows: the weights of largest
entropy with the mean that keeps the row where it is. Derived from arXiv 2305.05465 (3.1).
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float

MOST_STEPS = 60
"""Newton steps for one row."""

NEAR = 1e-9
"""Of the size of tokens: what Newton steps may leave before the last two, which square it twice."""

TURNS, STRIDE = 4000, 0.01
"""How many steps around a point tell whether a hard row comes back to it, and their length against the distance from it."""

AWAY, SAME = 1e-3, 0.1
"""How fast it may get away before that is more than the error of the number; directions this close are one."""

PARTS = np.array([2.0**-k for k in range(10)])
"""Parts of a Newton step that are tried."""


class Point(NamedTuple):
    """What a row at a point hears, and what is wanted of it."""

    u: Float[Array, "n d"]
    base: Float[Array, "n"]
    """Logits of masses, and of the coordinates that are not fast."""
    T: Float[Array, "d d"]
    """From the mean of what is heard to the motion of the pull."""
    wanted: Float[Array, "d"]
    fast: Bool[Array, "d"]
    """Coordinates in which the row is pressed."""

    def weights(self, omega) -> Float[Array, "n"]:
        return jax.nn.softmax((self.u * self.fast) @ omega + self.base)

    def spread(self, omega) -> Float[Array, "d d"]:
        """The covariance of what is heard, of fast coordinates with all."""
        w = self.weights(omega)
        apart = self.u - w @ self.u
        return (apart * self.fast * w[:, None]).T @ apart

    def slope(self, omega) -> Float[Array, "d d"]:
        """What omega changes in the motion of the pull."""
        return self._only_fast(self.spread(omega) @ self.T)

    def slowest(self, omega) -> Float[Array, ""]:
        """The slowest rate of return to the balance, for S = 1; negative where the row leaves it."""
        slope = self.spread(omega) @ self.T
        return -jnp.max(jnp.linalg.eigvals(self._only_fast(slope, -jnp.linalg.norm(slope))).real)

    def _only_fast(self, M, other=1.0):
        """The fast part of a matrix, and a number on the rest of the diagonal."""
        both = self.fast[:, None] & self.fast[None]
        return jnp.where(both, M, jnp.diag(jnp.where(self.fast, 0.0, other)).astype(M.dtype))

    def missing(self, omega) -> Float[Array, "d"]:
        """The mean that is heard less the one that is wanted."""
        motion = jnp.where(self.fast, (self.weights(omega) @ self.u) @ self.T - self.wanted, 0)
        return jnp.linalg.solve(self._only_fast(self.T).T, motion)

    def step(self, omega) -> Float[Array, "d"]:
        slope = jnp.linalg.solve(self._only_fast(self.T).T, self.slope(omega).T)
        return -jnp.linalg.solve(slope, self.missing(omega))


def settled(point: Point) -> Float[Array, "d"]:
    """The ω whose weights keep the row where it is, by Newton's method; two derivatives of it are exact."""
    fixed = jax.lax.stop_gradient(point)
    start = jnp.zeros_like(point.wanted)
    enough = NEAR * jnp.max(jnp.abs(fixed.u))
    goes_on = lambda state: (state[0] < MOST_STEPS) & (state[1] > enough)  # noqa: E731
    *_, omega = jax.lax.while_loop(
        goes_on, lambda state: _nearer(fixed, state), (0, jnp.asarray(jnp.inf, start.dtype), start)
    )
    omega = jax.lax.stop_gradient(omega)
    for _ in range(2):
        omega = omega + point.step(omega)
    return omega


def _nearer(point: Point, state):
    """A part of a Newton step: the one that leaves least; nothing is left once no part of it gets nearer."""
    count, _, omega = state
    tried = omega + jnp.asarray(PARTS, omega.dtype)[:, None] * point.step(omega)
    left = jnp.linalg.norm(jax.vmap(point.missing)(tried), axis=1)
    before, best = jnp.linalg.norm(point.missing(omega)), jnp.argmin(jnp.where(jnp.isnan(left), jnp.inf, left))
    is_nearer = left[best] < before
    return count + 1, jnp.where(is_nearer, left[best], 0), jnp.where(is_nearer, tried[best], omega)


def outward(point: Point) -> tuple[Float[Array, "k"], Float[Array, "k d"]]:
    """How fast a hard row that is off its point in some directions gets away, against how fast it moves, and where to.

    Near the point all else rests and the field depends on the direction alone, so steps as long as a share of the distance
    see the same at all distances. Negative numbers are of directions from which the row comes back.
    """
    pace = point.u @ point.T
    pace = pace / jnp.maximum(jnp.max(jnp.linalg.norm(pace, axis=1)), jnp.finfo(pace.dtype).tiny)
    score = jnp.where(jnp.isfinite(point.base), 0, -jnp.inf)

    def step(_, state):
        pull, away = state
        further = pull + STRIDE * pace[jnp.argmax(pull @ point.u.T + score, axis=1)]
        size = jnp.linalg.norm(further, axis=1, keepdims=True)
        return further / size, away + jnp.log(size[:, 0])

    start = jnp.asarray(_directions(len(point.T)), pace.dtype)
    still = jnp.zeros(len(start), pace.dtype)
    first = jax.lax.fori_loop(0, TURNS // 2, step, (start, still))[0]
    pull, away = jax.lax.fori_loop(0, TURNS, step, (first, still))
    return away / (TURNS * STRIDE), pull


def _directions(d: int) -> np.ndarray:
    """The axes, and as many others as there are of them four times."""
    some = np.random.default_rng(d).normal(size=(8 * d, d))
    return np.concatenate([np.eye(d), -np.eye(d), some / np.linalg.norm(some, axis=1, keepdims=True)])


class Fate(NamedTuple):
    """What becomes of a hard row at a point."""

    is_kept: Bool[Array, ""]
    """It comes back from everywhere."""
    is_told: Bool[Array, ""]
    """It does, or leaves in one direction, as softmax of a large scale would too."""


def fate(point: Point) -> Fate:
    away, pull = outward(point)
    leaves, first = away >= AWAY, pull[jnp.argmax(away)]
    apart = jnp.max(jnp.where(leaves, jnp.linalg.norm(pull - first, axis=1), 0))
    omega = settled(point)
    is_balance = jnp.linalg.norm(point.missing(omega)) <= NEAR * jnp.max(jnp.abs(point.u))
    is_kept, is_soft = ~jnp.any(leaves), is_balance & (point.slowest(omega) > 0)
    return Fate(is_kept, is_kept | ((apart <= SAME) & ~is_soft))
