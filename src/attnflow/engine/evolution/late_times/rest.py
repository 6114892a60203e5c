r"""Hard rows that come to rest together: tokens that span a space on which every score vanishes.

There every row likes all tokens alike, and may hear them with the mean 0, so that no token x moves: then $z = e^{-tV}x$ is
known for good. It is what tokens do if they stay there: steps around the place must come back to it, those of hard rows
(Euler's polygons) and those of softmax of a large scale. Derived from arXiv 2305.05465 (3.1).
"""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
from scipy.special import softmax

from ...measures import Particles
from .anchored import Anchored, look

VANISHING = 10.0
"""In tolerances: scores this small against what they could be are none."""

AWAY = 1e-5
"""How far from the place steps begin, against the tokens; those of softmax have a layer of a third of that."""

STEPS, SHARE = 8000, 0.05
"""How many steps are made, and how long each could be at most, in units of the distance."""

PLACES = 4
"""From how many places around it."""

STILL = 0.02
"""By which part of the way they could go tokens may have moved in the second half of these steps."""

MOST_STEPS = 50
"""Newton steps for weights."""


class Place:
    """Tokens at one time, every coordinate in units of its largest."""

    def __init__(self, flow: Anchored, mu: Particles, t: float):
        seen = np.asarray(look(flow, mu, jnp.asarray(t, mu.x.dtype))[0], np.float64)
        unit = np.abs(seen).max(axis=0)
        unit = np.where(unit > 0, unit, 1.0)
        self.u, self.mass = seen / unit, np.asarray(mu.mass, np.float64)
        self.scores = np.asarray(flow.flow.scores(mu.x), np.float64) * np.outer(unit, unit)
        self.drift = np.asarray(flow.flow.drift.apply(jnp.eye(mu.d, dtype=mu.x.dtype))) * unit[:, None] / unit

    def is_without_scores(self, tol: float) -> bool:
        """Whether all scores vanish."""
        return bool(np.abs(self.u @ self.scores @ self.u.T).max() <= VANISHING * tol * np.abs(self.scores).max())

    def is_silent(self, weights: np.ndarray) -> bool:
        """Whether all rows hear tokens at 0 alone, and so none moves."""
        return not np.abs(weights @ np.abs(self.u)).any()

    def is_kept(self) -> bool:
        """Whether tokens that leave the place a little come back and stay, be they hard or nearly so."""
        return all(self._stays(how, k) for k in range(PLACES) for how in (self._first, self._softly))

    def _first(self, scores):
        return np.eye(len(scores))[np.where(self.mass > 0, scores, -np.inf).argmax(axis=1)]

    def _softly(self, scores):
        with np.errstate(divide="ignore"):
            return softmax(3 * scores / (AWAY * np.abs(self.scores).max()) + np.log(self.mass), axis=1)

    def _stays(self, weights, seed: int) -> bool:
        """Whether steps with these weights do not go on for ever."""
        u = self.u + AWAY * np.random.default_rng(seed).normal(size=self.u.shape)
        step, halfway = SHARE * AWAY * self.drift / np.linalg.norm(self.drift, 2), u
        for k in range(STEPS):
            halfway = u if k == STEPS // 2 else halfway
            u = u + weights(u @ self.scores @ u.T) @ u @ step
        return bool(np.abs(u - halfway).max() <= STILL * STEPS / 2 * SHARE * AWAY)


def resting_weights(u, mass) -> np.ndarray:
    """Weights of largest entropy with which tokens have the mean 0, by Newton's method on their convex problem."""
    u, omega, heard = u / (np.abs(u).max() or 1.0), np.zeros(u.shape[1]), mass > 0
    u, mass = u[heard], mass[heard]
    level = lambda omega: np.log(mass @ np.exp(u @ omega - (u @ omega).max())) + (u @ omega).max()  # noqa: E731
    for _ in range(MOST_STEPS):
        w = softmax(u @ omega + np.log(mass))
        apart = u - w @ u
        step = -np.linalg.lstsq((apart * w[:, None]).T @ apart, w @ u, rcond=1e-10)[0]
        omega = omega + min((0.5**k for k in range(30)), key=lambda part: level(omega + part * step)) * step
    found = np.zeros(len(heard))
    found[heard] = softmax(u @ omega + np.log(mass))
    return found
