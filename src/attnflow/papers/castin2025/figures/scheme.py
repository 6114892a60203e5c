"""The published scheme for covariances: explicit Euler steps, negative eigenvalues set to 1e-14, many runs abreast.

Source: authors' code of Castin et al. 2025. A run counts as converged when |Σ'| falls below a tolerance, as diverged when its
trace passes 1e3, and is given up after a number of steps; a run that did not converge starts again from the next random
covariance. Eigenvalues are computed only where a pivot says that one is negative: elsewhere the clipping does nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float

RUNNING, CONVERGED, DIVERGED, GIVEN_UP = range(4)
LARGEST, CLIPPED = 1e3, 1e-14

FEW = 8
"""When no more runs than this are under way, they continue in a smaller batch."""


class Settings(NamedTuple):
    """Step, tolerance for |Σ'| and the number of steps after which a run is given up."""

    h: float
    tol: float
    max_steps: int


class Euler(NamedTuple):
    """Runs abreast, the last axis counting them: batched products of small matrices are fast only in this layout.

    Q is (k, d, n), V and cov are (d, d, n); NumPy arrays between calls, JAX arrays within.
    """

    Q: Any
    V: Any
    cov: Any
    code: Any
    steps: Any

    def take(self, chosen) -> Euler:
        return Euler(*(np.asarray(part)[..., chosen] for part in self))

    def put(self, chosen, other: Euler) -> Euler:
        for mine, theirs in zip(self, other):
            mine[..., chosen] = np.asarray(theirs)
        return self


class Ends(NamedTuple):
    """The covariances where the runs stopped, and how many starts diverged or were given up on the way."""

    cov: Float[np.ndarray, "n d d"]
    diverged: int
    given_up: int


def run_published(Q, V, draw: Callable, settings: Settings, *, is_l2: bool) -> Ends:
    """Every run from the first drawn covariance that nobody before it has used and from which it converges."""
    drawn, count = [], len(Q)

    def covs(numbers):
        while len(drawn) <= numbers[-1]:
            drawn.append(draw())
        return np.stack([drawn[k] for k in numbers], axis=-1)

    number = np.arange(count)
    batch = Euler(
        np.moveaxis(np.array(Q), 0, -1), np.moveaxis(np.array(V), 0, -1), covs(number), *np.zeros((2, count), int)
    )
    failed: list[list[int]] = [[] for _ in range(count)]
    chunk = 64
    while np.any(batch.code == RUNNING):
        batch = _onward(batch, settings, chunk, is_l2)
        chunk = min(2 * chunk, 4096)
        bad = np.flatnonzero(batch.code >= DIVERGED)
        if len(bad):
            # All later runs were started too early in the sequence of draws, whatever became of them.
            first, chunk = bad[0], 64
            failed[first].append(int(batch.code[first]))
            failed[first + 1 :] = [[] for _ in failed[first + 1 :]]
            number[first:] = number[first] + 1 + np.arange(count - first)
            batch.cov[..., first:] = covs(number[first:])
            batch.code[first:] = batch.steps[first:] = 0
    codes = np.concatenate([*failed, []])
    return Ends(np.moveaxis(batch.cov, -1, 0), int(np.sum(codes == DIVERGED)), int(np.sum(codes == GIVEN_UP)))


def _onward(batch: Euler, settings: Settings, chunk: int, is_l2: bool) -> Euler:
    """Some steps of all runs, or of the few still under way."""
    live = np.flatnonzero(batch.code == RUNNING)
    if len(live) > FEW:
        return Euler(*(np.array(part) for part in _advance(batch, settings, chunk, is_l2)))
    # Runs that have stopped fill the small batch, so that one size is compiled; they do not move.
    idle = np.flatnonzero(batch.code != RUNNING)[: FEW - len(live)]
    chosen = np.concatenate([live, idle])
    return batch.put(chosen, _advance(batch.take(chosen), settings, chunk, is_l2))


@partial(jax.jit, static_argnums=3)
def _advance(batch: Euler, settings: Settings, count, is_l2) -> Euler:
    def goes_on(state):
        k, batch = state
        return (k < count) & jnp.any(batch.code == RUNNING)

    def step(state):
        k, batch = state
        rate = _rate(batch, is_l2)
        is_live, is_still = batch.code == RUNNING, jnp.sqrt(jnp.sum(rate**2, axis=(0, 1))) < settings.tol
        moves = is_live & ~is_still
        moved = batch.cov + settings.h * rate
        moved = _clipped(moved, moves & is_indefinite(moved))
        steps = batch.steps + is_live
        cases = [~is_live, is_still, jnp.trace(moved) > LARGEST, steps >= settings.max_steps]
        code = jnp.select(cases, [batch.code, CONVERGED, DIVERGED, GIVEN_UP], RUNNING)
        return k + 1, batch._replace(cov=jnp.where(moves, moved, batch.cov), code=code, steps=steps)

    return jax.lax.while_loop(goes_on, step, (0, Euler(*map(jnp.asarray, batch))))[1]


def _times(A, B):
    return sum(A[:, j, None] * B[None, j] for j in range(A.shape[1]))


def _rate(batch: Euler, is_l2):
    r"""$\Sigma'$ for $K = -Q$ with at most two rows and the score divided by $\sqrt d$."""
    QX = heard = _times(batch.Q, batch.cov)
    if is_l2:
        heard = 2 * _solve_small(2 * _times(QX, jnp.swapaxes(batch.Q, 0, 1)), QX)
    half = -_times(batch.V, _times(jnp.swapaxes(QX, 0, 1), heard)) / np.sqrt(len(batch.V))
    return half + jnp.swapaxes(half, 0, 1)


def _solve_small(M, Y):
    """(I + M)⁻¹ Y for M of one or two rows."""
    if len(M) == 1:
        return Y / (1 + M[0])
    a, b, c, e = 1 + M[0, 0], M[0, 1], M[1, 0], 1 + M[1, 1]
    return jnp.stack([e * Y[0] - b * Y[1], a * Y[1] - c * Y[0]]) / (a * e - b * c)


def is_indefinite(S: Float[Array, "d d n"]) -> Bool[Array, "n"]:
    """Whether elimination meets a pivot that is not positive or zero."""
    rows = [[S[i, j] for j in range(i + 1)] for i in range(len(S))]
    bad = ~(rows[0][0] >= 0)
    for k in range(len(S) - 1):
        for i in reversed(range(k + 1, len(S))):
            share = rows[i][k] / rows[k][k]
            rows[i] = [rows[i][j] - share * rows[j][k] if j > k else rows[i][j] for j in range(i + 1)]
        bad |= ~(rows[k + 1][k + 1] >= 0)
    return bad


def _clipped(cov, bad):
    """The published projection of those that need it, one after the other: they are few at a time."""

    def one(state):
        cov, bad = state
        k = jnp.argmax(bad)
        values, vectors = jnp.linalg.eigh(cov[:, :, k])
        clipped = (vectors * jnp.where(values < 0, CLIPPED, values)) @ vectors.T
        return cov.at[:, :, k].set(clipped), bad.at[k].set(False)

    return jax.lax.while_loop(lambda state: jnp.any(state[1]), one, (cov, bad))[0]
