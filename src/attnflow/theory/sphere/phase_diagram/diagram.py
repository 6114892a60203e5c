r"""Phase diagram of clustering on the sphere: the share of merged pairs over time and temperature.

The statistic is the share of pairs with $\langle x_i, x_j\rangle > 1-\delta$, averaged over uniform starts on the sphere,
for B and V multiples of the identity. Then the cosines of all pairs close among themselves (`systems.Gaps`), so d
enters only through the start: min(n, d) dimensions suffice.
Source: Geshkovski et al., arXiv 2312.10794, figure 3 and the authors' scripts; the reduction is derived.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ....engine.evolution.integrators.counting import merged_pairs
from ....engine.linalg.rows import unit_rows
from ....errors import BadInput
from ..equiangular import Model, phase_time
from .systems import Gaps, Tokens, tokens_under

GAPS_WIDTH, TOKENS_WIDTH = 16, 8
"""Runs that go side by side: their states and stages stay in cache (measured at n = 32, d = 128)."""


Part = Callable[[str, Callable[[], np.ndarray]], np.ndarray]
"""`part(name, make)`: what `make` gives, perhaps from before."""


def made(name: str, make: Callable[[], np.ndarray]) -> np.ndarray:
    return make()


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
    model: Model = "SA", tol: float = 2e-3, part: Part = made,
) -> PhaseDiagram:  # fmt: skip
    """The phase diagram of uniform starts; the same starts are used at every temperature.

    `part(name, make)` may keep finished rows and give them back.
    """
    betas, times = np.atleast_1d(np.asarray(betas, float)), np.asarray(times, float)
    if min(n, d) < 2 or runs < 1:
        raise BadInput(
            f"a phase diagram needs n >= 2 tokens, d >= 2 and at least one run, got n={n}, d={d}, runs={runs}"
        )
    if times.size == 0 or (np.diff(times) <= 0).any() or times[0] < 0:
        raise BadInput("times must be non-negative and increase strictly")
    starts = _starts(jax.random.key(seed), (runs,), n, d)
    solve = partial(shares_from, starts, jnp.asarray(times, jnp.float32), delta=delta, tol=tol, model=model)
    share = _rows(solve, betas, part)
    curve = phase_time(betas, n=n, delta=delta, model=model)
    return PhaseDiagram(betas, times, share, curve, n, d, delta, runs, seed)


def _rows(solve, betas, part: Part) -> Float[np.ndarray, "b t"]:
    """`solve` at every temperature, on all cores."""

    def row(beta):
        return part(f"beta{float(beta):.6g}", lambda: np.asarray(solve(beta=jnp.float32(beta))))

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return np.stack(list(pool.map(row, betas)))


def weighted_phase_diagram(
    B, V, *, betas, times, starts: Float[np.ndarray, "r n d"], delta: float = 1e-3, tol: float = 1e-2,
    dtype=jnp.float32, part: Part = made,
) -> Float[np.ndarray, "b t"]:  # fmt: skip
    """The share of merged pairs for any constant B and V, over temperatures (rows) and times, averaged over the starts.

    Figure 5 of arXiv 2312.10794 has random B and V. Finished rows are kept as in `phase_diagram`.
    """
    times = np.asarray(times, float)
    system, basis = tokens_under(B, V, until=float(times[-1]), delta=delta, dtype=dtype)
    x = np.asarray(starts, float)
    x = jnp.asarray(unit_rows(x) @ basis, dtype)
    ts = jnp.asarray(times, dtype)
    return _rows(lambda beta: _weighted(system, x, ts, beta.astype(dtype), tol), betas, part)


@eqx.filter_jit
def _weighted(system, starts, times, beta, tol):
    system = eqx.tree_at(lambda s: s.beta, system, beta)
    step = 0.1 / (1 + beta)
    return merged_pairs(system, starts, times=times, delta=system.delta, tol=tol, step=step, width=TOKENS_WIDTH)


def _starts(key, batch, n, d) -> Float[Array, "*b n k"]:
    r"""Uniform tokens up to a rotation: for d ≥ n the triangular factor of their Gram matrix (Bartlett), else tokens."""
    if d < n:
        x = jax.random.normal(key, (*batch, n, d), jnp.float32)
    else:
        one, two = jax.random.split(key)
        below = jnp.tril(jax.random.normal(one, (*batch, n, n), jnp.float32), -1)
        freedom = (d - jnp.arange(n)).astype(jnp.float32)
        diagonal = jnp.sqrt(2 * jax.random.gamma(two, jnp.broadcast_to(freedom / 2, (*batch, n)), dtype=jnp.float32))
        x = below + diagonal[..., None] * jnp.eye(n, dtype=jnp.float32)
    return unit_rows(x)


@eqx.filter_jit
def shares_from(starts, times, *, beta, delta: float = 1e-3, tol: float = 2e-3, model: Model = "SA"):
    """The share of merged pairs at one temperature for B = V = I, in the precision of the starts."""
    n, k = starts.shape[-2:]
    one = jnp.asarray(1, starts.dtype)
    if 2 * k >= n:
        gaps = (1 - starts @ starts.mT) * (1 - jnp.eye(n, dtype=starts.dtype))
        system, first, width = Gaps(beta, delta, model), gaps, GAPS_WIDTH
    else:
        system, first, width = Tokens(one, one, beta, None, delta, model), starts, TOKENS_WIDTH
    return merged_pairs(system, first, times=times, delta=delta, tol=tol, step=0.1, width=width)


def numpy_scheme(starts: Float[np.ndarray, "b n d"], times, *, beta: float, delta: float = 1e-3, step: float = 0.1):
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
            x = unit_rows(x)
            t += step
        merged = (x @ x.swapaxes(1, 2) > 1 - delta).sum() / len(x)
        out.append((merged - n) / (n * (n - 1)))
    return np.array(out)
