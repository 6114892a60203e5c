r"""How likely two tokens are to have merged, over time and temperature.

The statistic is the share of pairs with $\langle x_i, x_j\rangle > 1-\delta$, averaged over uniform starts on the sphere,
for B and V multiples of the identity. Then cosines close among themselves,
$$\dot G = PG + (PG)^\top - (c_i + c_j)G,\qquad c = \mathrm{diag}(PG),$$
so d enters only through the start: min(n, d) dimensions suffice.
Source: Geshkovski et al., arXiv 2312.10794, figure 3 and the authors' scripts; the reduction is derived.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from .equiangular import Model, phase_time
from .observed_run import observed

CHUNK = 32
"""Starts that share their time steps: their cosines and stages stay in cache (measured)."""


@dataclass(frozen=True)
class PhaseDiagram:
    """The share of merged pairs on the grid of temperatures (rows) and times (columns)."""

    betas: np.ndarray
    times: np.ndarray
    share: np.ndarray
    curve: np.ndarray
    """The predicted boundary t*(β)."""
    n: int
    d: int
    delta: float
    runs: int
    seed: int

    def boundary(self, level: float = 0.5) -> np.ndarray:
        """The first time at which the share exceeds a level, for every β; infinite if never."""
        above = self.share > level
        return np.where(above.any(axis=1), self.times[above.argmax(axis=1)], np.inf)


def phase_diagram(
    betas, times, *, n: int = 32, d: int = 128, runs: int = 64, delta: float = 1e-3, seed: int = 0,
    model: Model = "SA", tol: float = 1e-3,
) -> PhaseDiagram:  # fmt: skip
    """The phase diagram of uniform starts; the same starts are used at every temperature."""
    betas, times = np.atleast_1d(np.asarray(betas, float)), np.asarray(times, float)
    if min(n, d) < 2 or runs < 1:
        raise ValueError(
            f"a phase diagram needs n >= 2 tokens, d >= 2 and at least one run, got n={n}, d={d}, runs={runs}"
        )
    if times.size == 0 or (np.diff(times) <= 0).any() or times[0] < 0:
        raise ValueError("times must be non-negative and increase strictly")
    chunk = min(CHUNK, runs)
    count = -(-runs // chunk)
    starts = _starts(jax.random.key(seed), (count, chunk), n, d)
    solve = partial(_shares, starts, jnp.asarray(times, jnp.float32), delta=delta, tol=tol, model=model)
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        rows = list(pool.map(lambda beta: np.asarray(solve(jnp.float32(beta))), betas))
    curve = phase_time(betas, n=n, delta=delta, model=model)
    return PhaseDiagram(betas, times, np.stack(rows), curve, n, d, delta, count * chunk, seed)


def _starts(key, batch, n, d) -> Float[Array, "c b n k"]:
    r"""Uniform tokens up to a rotation: for d ≥ n the triangular factor of their Gram matrix (Bartlett), else tokens."""
    if d < n:
        x = jax.random.normal(key, (*batch, n, d), jnp.float32)
    else:
        one, two = jax.random.split(key)
        below = jnp.tril(jax.random.normal(one, (*batch, n, n), jnp.float32), -1)
        freedom = (d - jnp.arange(n)).astype(jnp.float32)
        diagonal = jnp.sqrt(2 * jax.random.gamma(two, jnp.broadcast_to(freedom / 2, (*batch, n)), dtype=jnp.float32))
        x = below + diagonal[..., None] * jnp.eye(n, dtype=jnp.float32)
    return x / jnp.linalg.norm(x, axis=-1, keepdims=True)


@eqx.filter_jit
def _shares(starts, times, beta, *, delta: float, tol: float, model: str):
    n, k = starts.shape[-2:]
    state = Cosines(model) if 2 * k >= n else Tokens(model)
    shares = jax.lax.map(lambda x: _chunk(state, x, times, beta, delta, tol), starts)
    return shares.mean(axis=0)


class Cosines(eqx.Module):
    """The state is the matrix of all cosines: one product per evaluation."""

    model: str

    def enter(self, x):
        return x @ x.mT

    def cosines(self, G):
        return G

    def scale(self, G, delta):
        """Errors count relative to the distance from merging: that is where the threshold is."""
        return jnp.abs(1 - G) + delta

    def field(self, t, G, beta):
        E = jnp.exp(beta * (G - 1))
        # E is symmetric, so EG needs no transpose; dividing its rows by Z makes it PG.
        PG = (E @ G) / _normaliser(E, beta, self.model)
        c = jnp.diagonal(PG, axis1=-2, axis2=-1)
        return PG + PG.mT - (c[..., :, None] + c[..., None, :]) * G


class Tokens(eqx.Module):
    """The state is the tokens: cheaper when they have few dimensions."""

    model: str

    def enter(self, x):
        return x

    def scale(self, x, delta):
        """A cosine near 1 feels the square of an error, or its product with the distance left."""
        return jnp.full_like(x, delta**0.5)

    def cosines(self, x):
        x = x / jnp.linalg.norm(x, axis=-1, keepdims=True)
        return x @ x.mT

    def field(self, t, x, beta):
        E = jnp.exp(beta * (x @ x.mT - 1))
        a = (E @ x) / _normaliser(E, beta, self.model)
        return a - jnp.sum(a * x, axis=-1, keepdims=True) * x


def _normaliser(E, beta, model):
    if model == "SA":
        return E.sum(axis=-1, keepdims=True)
    return E.shape[-1] * jnp.exp(-beta)


def _chunk(state, x, times, beta, delta, tol):
    """Shares of merged pairs at all times, for starts that step together until all of them are one cluster."""

    def share(y):
        merged = state.cosines(y) > 1 - delta
        runs, n = merged.shape[:2]
        # The diagonal is 1 up to the tolerance, so it is counted, not assumed.
        return (merged.sum() - jnp.diagonal(merged, axis1=-2, axis2=-1).sum()) / (runs * n * (n - 1))

    def is_united(y):
        return jnp.min(state.cosines(y)) > 1 - delta / 2

    field = lambda y: state.field(0.0, y, beta)  # noqa: E731
    scale = lambda y: state.scale(y, delta)  # noqa: E731
    return observed(field, state.enter(x), times, share, is_united, scale=scale, tol=tol, finished=1.0)


def numpy_scheme(beta: float, times, starts: Float[np.ndarray, "b n d"], *, delta: float = 1e-3, step: float = 0.1):
    """The authors' scheme, vectorised over starts: fixed layers $x \\leftarrow N(x + \\eta a)$ in all d dimensions.

    It is the yardstick of the benchmark, not a recommendation: its clock is slow by up to 1/(1+η).
    """
    x, out, t = np.asarray(starts), [], 0.0
    n = x.shape[1]
    for target in times:
        while t < target - 1e-9:
            P = np.exp(beta * (x @ x.swapaxes(1, 2) - 1))
            P /= P.sum(axis=-1, keepdims=True)
            x = x + step * P @ x
            x /= np.linalg.norm(x, axis=-1, keepdims=True)
            t += step
        merged = (x @ x.swapaxes(1, 2) > 1 - delta).sum() / len(x)
        out.append((merged - n) / (n * (n - 1)))
    return np.array(out)
