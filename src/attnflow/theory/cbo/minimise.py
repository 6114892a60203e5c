"""Minimisation by consensus-based optimisation: whole runs, many at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike
from jaxtyping import Array, Float

from ...engine.linalg.arguments import as_annotated, shaped
from ...errors import BadInput
from .dynamics import CBO, is_on_sphere, step

STARTS, NOISE = 0, 1
"""Purposes a seed is folded with, so that another draw of one shifts none of the other."""


@dataclass(frozen=True)
class Minimum:
    """What a batch of runs found; the leading axis counts runs."""

    x: np.ndarray
    """The best point ever seen, (runs, d)."""
    value: np.ndarray
    particles: np.ndarray
    """Where all particles ended, (runs, n, d)."""
    history: np.ndarray
    """The best value so far after every step, (runs, steps)."""
    evaluations: int


@as_annotated
def minimise(
    cbo: CBO,
    x: ArrayLike | None = None,
    *,
    d: int | None = None,
    n: int = 100,
    runs: int = 1,
    box: ArrayLike | Sequence[float] = (-3.0, 3.0),
    steps: int = 500,
    dt: float = 0.05,
    seed: int = 0,
) -> Minimum:
    """Minimise the objective from particles x of shape (runs, n, d), or from uniform draws in the box (or on the sphere).

    Every run has its own random numbers, derived from the seed and its place in the batch.
    """
    if cbo.objective is None:
        raise BadInput("there is nothing to minimise: give CBO an objective")
    if not dt > 0 or steps < 1:
        raise BadInput(f"dt and steps must be positive, got {dt} and {steps}")
    key = jax.random.key(seed)
    keys = jax.random.split(jax.random.fold_in(key, NOISE), runs)
    x = _starts(cbo, d, n, runs, box, jax.random.fold_in(key, STARTS)) if x is None else _batch(x)
    keys = keys if len(keys) == len(x) else jax.random.split(jax.random.fold_in(key, NOISE), len(x))
    last, best, value, history = _run(cbo, x, keys, steps, jnp.asarray(dt, x.dtype))
    if not np.all(np.isfinite(np.asarray(last))):
        raise BadInput("particles are no longer finite: the objective gave NaN, or dt, lam or sigma is too large")
    arrays = [np.asarray(a) for a in (best, value, last, history)]
    return Minimum(*arrays, evaluations=int(x.shape[0] * x.shape[1] * (steps + 1)))


def _starts(cbo, d, n, runs, box, key):
    if d is None:
        raise BadInput("give the dimension d, or starting particles x")
    shape = (runs, n, d)
    if is_on_sphere(cbo):
        return cbo.space.retract(jax.random.normal(key, shape))
    low, high = shaped(box, "box", "two", two=2)
    return jax.random.uniform(key, shape, minval=low, maxval=high)


def _batch(x):
    x = jnp.asarray(x, jnp.result_type(float))
    if x.ndim not in (2, 3):
        raise BadInput(f"particles must have shape (n, d) or (runs, n, d), got {x.shape}")
    return x[None] if x.ndim == 2 else x


@eqx.filter_jit
def _run(cbo, x, keys, steps: int, dt):
    return jax.vmap(lambda x, key: _single(cbo, x, key, steps, dt))(x, keys)


def _single(cbo, x: Float[Array, "n d"], key, steps, dt):
    def update(best, x, energy):
        lead = jnp.argmin(energy)
        better = energy[lead] < best[1]
        return jnp.where(better, x[lead], best[0]), jnp.where(better, energy[lead], best[1])

    def advance(carry, k):
        x, energy, best = carry
        z = jax.random.normal(jax.random.fold_in(key, k), x.shape, x.dtype)
        x = step(cbo, x, dt=dt, z=z, t=k * dt, energy=energy)
        energy = cbo.objective(x)
        best = update(best, x, energy)
        return (x, energy, best), best[1]

    energy = cbo.objective(x)
    best = update((x[0], jnp.asarray(jnp.inf, x.dtype)), x, energy)
    (x, _, best), history = jax.lax.scan(advance, (x, energy, best), jnp.arange(steps))
    return x, *best, history


@as_annotated
def geometric(start: float, rate: float, *, cap: float | None = None) -> Callable:
    """A schedule that grows (rate > 0) or falls (rate < 0) exponentially in time up to a cap."""
    return lambda t: jnp.minimum(start * jnp.exp(rate * t), np.inf if cap is None else cap)
