r"""Knots of a run: tokens and velocities at times between which a cubic stays close to the exact path.

Between knots the page draws $p(s) = h_{00}x_0 + h_{10}h\,v_0 + h_{01}x_1 + h_{11}h\,v_1$, put back on the sphere where
tokens live on one. Its error is measured at a computed midpoint of every interval, and the interval divided where it is
too large; noise, layers and recorded states are joined by straight lines instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ...engine.evolution.options import Options
from ...engine.evolution.run import run as evolve_with
from ...engine.flow import choose
from ...engine.measures import Particles
from ...engine.spaces import Sphere
from .frames import IS_PROJECTED, IS_SPHERE, Knot

CLOSE = 5e-4
"""The largest distance of the drawn path from the computed midpoints, relative to the size of the prompt (at least 1)."""
PARTS = 9
"""Times at which a divided interval is computed: four knots, and a midpoint after each."""
DEEPEST = 3
"""Divisions of divisions."""


def hermite(a: Knot, b: Knot, s: float) -> np.ndarray:
    """The path from knot a to knot b at the share s of the time between them, as the page draws it."""
    if a.v is None or b.v is None:
        x = (1 - s) * a.x + s * b.x
    else:
        h, r = b.t - a.t, 1 - s
        x = (1 + 2 * s) * r * r * a.x + s * s * (3 - 2 * s) * b.x + h * s * r * (r * a.v - s * b.v)
    return x / np.linalg.norm(x, axis=1, keepdims=True) if a.flags & IS_SPHERE else x


@dataclass(frozen=True)
class Lens:
    """How tokens are looked at: directions on a sphere, all coordinates up to three, else a projection on three axes."""

    is_sphere: bool
    d: int
    axes: np.ndarray | None = None
    """3 × d, orthonormal rows."""

    @property
    def flags(self) -> int:
        return IS_PROJECTED if self.axes is not None else IS_SPHERE if self.is_sphere else 0

    def knot(self, t: float, x: np.ndarray, v: np.ndarray | None) -> Knot:
        """Tokens as they are drawn; where layers carry a length, only directions are."""
        if self.is_sphere:
            length = np.linalg.norm(x, axis=1, keepdims=True)
            u = x / length
            v = None if v is None else (v - np.sum(u * v, axis=1, keepdims=True) * u) / length
            x = u
        if self.axes is not None:
            x, v = x @ self.axes.T, None if v is None else v @ self.axes.T
        return Knot(float(t), x, v, self.flags, self.d)


def lens_of(flow, d: int, axes: np.ndarray | None = None) -> Lens:
    return Lens(isinstance(getattr(flow, "space", None), Sphere), d, axes)


@dataclass
class Curve:
    """Turns computed states into knots, one piece of a run after the other."""

    flow: object
    mass: object
    lens: Lens
    options: Options
    n: int
    """Tokens that are shown; the rest pads the arrays."""
    most: int = 100
    """Intervals that may be divided."""
    divisions: int = 0
    last: Knot | None = None
    """The end of the pieces so far."""

    def knots(self, ts: np.ndarray, x: np.ndarray, *, depth: int = 0) -> Iterator[Knot]:
        """Knots at every second time, and between them where needed; the odd times are midpoints. Without the last."""
        made = self._made(ts, x)
        self.last = made[-1] if depth == 0 else self.last
        for k in range(0, len(ts) - 2, 2):
            a, middle, b = made[k], made[k + 1], made[k + 2]
            if self._is_close(a, middle, b):
                yield a
            elif depth == DEEPEST or self.divisions >= self.most or not self._can_divide(a.t, b.t):
                yield a
                yield middle
            else:
                self.divisions += 1
                yield from self._divided(float(ts[k]), float(ts[k + 2]), x[k], depth + 1)
        if len(ts) % 2 == 0:
            yield made[-2]

    def _can_divide(self, start: float, end: float) -> bool:
        return end - start > 1e-9 * abs(end)

    def _divided(self, start: float, end: float, x, depth: int) -> Iterator[Knot]:
        times = np.linspace(start, end, PARTS)
        options = replace(self.options, start=start, until=end, save=times)
        done = evolve_with(self.flow, self._at(x), options)  # pyright: ignore[reportArgumentType]
        yield from self.knots(np.asarray(done.ts), np.asarray(done.x), depth=depth)

    def _made(self, ts: np.ndarray, x: np.ndarray) -> list[Knot]:
        v = np.asarray(velocities(self.flow, self._at(x), jnp.asarray(ts)))
        return [self.lens.knot(t, at[: self.n], to[: self.n]) for t, at, to in zip(ts, x, v)]

    def _at(self, x) -> Particles:
        mu = self.mass
        assert isinstance(mu, Particles)
        return mu.moved_to(jnp.asarray(x))

    def _is_close(self, a: Knot, middle: Knot, b: Knot) -> bool:
        share = (middle.t - a.t) / (b.t - a.t)
        error = np.abs(hermite(a, b, share) - middle.x).max()
        return bool(error <= CLOSE * max(1.0, float(np.abs(middle.x).max())))


def velocities(flow, mu: Particles, ts):
    """The velocity of every token at every time: mu has a leading axis of times."""
    first = mu.moved_to(mu.x[0])
    return _velocities(flow, mu, ts, choose("auto", flow, first))


@eqx.filter_jit
def _velocities(flow, mu, ts, summation):
    def one(pair):
        t, x = pair
        return flow.leave(flow.field(mu.moved_to(flow.enter(x)), t, summation))

    return jax.lax.map(one, (ts, mu.x))


def principal_axes(x: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """Three orthonormal directions of largest spread of tokens at several times, (k, n, d) → (3, d)."""
    flat, weight = x.reshape(-1, x.shape[-1]), np.broadcast_to(mass, x.shape[:-1]).reshape(-1, 1)
    centred = flat - (weight * flat).sum(0) / weight.sum()
    _, vectors = np.linalg.eigh(centred.T @ (weight * centred))
    return vectors[:, ::-1][:, :3].T


def axes_of(kind: str, x: np.ndarray, mass: np.ndarray, *, seed: int = 0) -> np.ndarray | None:
    """The projection of that name: "pca" of start and end together, "random", or the "first" three coordinates."""
    d = x.shape[-1]
    if d <= 3:
        return None
    if kind == "first":
        return np.eye(3, d)
    if kind == "random":
        return np.linalg.qr(np.random.default_rng(seed).standard_normal((d, 3)))[0].T
    return principal_axes(x[[0, len(x) // 2, -1]], mass)
