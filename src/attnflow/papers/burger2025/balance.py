"""Energy balance of a gradient flow on the sphere by an integrator of SciPy: the flow and its dissipation together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

from ...engine.linalg.rows import unit_rows
from ...theory.sphere.steady.gradient_structure import Structure
from ..independent import Exhausted, counted, method_for
from ..tolerance import token_error

LARGEST_WORK = 8e5
"""Pairs of tokens times intervals between saved times that a check integrates again."""
PAIRS, CALLS = 2e9, 60_000
"""Pairs of tokens looked at, and velocities asked for, in all intervals together, before the rest is left out."""
OPEN = 0.05
"""A balance that errors of the run's own size change by this share of E decides nothing."""


def scaled_energy(B, x, mass) -> float:
    r"""$e^{-\|B\|}E$, which stays in the range of numbers for every β."""
    return float(mass @ np.exp(x @ B @ x.T - np.linalg.norm(B, 2)) @ mass)


def gradient_run(found: Structure, x, ts, *, mass, most: int = 20_000):
    r"""Tokens at the times ts, and what $e^{-\|B\|}E/2$ has gained by $\pm\int|v|^2/\mathrm{mob}\,d\mu$ until then.

    NaN from where more than `most` velocities would be needed.
    """
    (n, d), B, top = x.shape, found.B, np.linalg.norm(found.B, 2)
    is_softmax = found.normalisation == "SA"

    def rate(t, state):
        y = state[:-1].reshape(n, d)
        y = y / np.linalg.norm(y, axis=1, keepdims=True)
        kernel = np.exp(y @ B @ y.T - top) * mass
        K = kernel.sum(axis=1)
        # Without a normaliser the kernel keeps its size: e^{‖B‖} is put back into the velocity.
        g = found.sign * found.speed * (kernel @ y @ B) * (1 / K[:, None] if is_softmax else np.exp(top))
        v = g - (g * y).sum(axis=1, keepdims=True) * y
        weight = K if is_softmax else np.exp(-top)
        return np.append(v.ravel(), found.sign * mass @ (weight * (v * v).sum(axis=1)) / found.speed)

    start = np.append(unit_rows(x).ravel(), 0.0)
    states = np.full((len(ts), len(start)), np.nan)
    try:
        span, field, method = (0.0, float(ts[-1])), counted(rate, most), method_for(len(start))
        out = solve_ivp(field, span, start, t_eval=ts, method=method, rtol=1e-9, atol=1e-11)
        states[: out.y.shape[1]] = out.y.T
    except Exhausted:
        pass
    return unit_rows(states[:, :-1].reshape(-1, n, d)), states[:, -1]


@dataclass(frozen=True)
class Balance:
    """Per interval between saved times: by how much of E/2 the balance fails, and by how much it may."""

    residual: np.ndarray
    room: np.ndarray

    @property
    def is_decided(self) -> np.ndarray:
        return np.isfinite(self.residual) & (self.room < OPEN)

    @property
    def ratio(self) -> float:
        """The largest residual over its room; NaN when no interval decides."""
        decided = self.is_decided
        return float((self.residual / self.room)[decided].max()) if decided.any() else float("nan")


def balance(run, found: Structure) -> Balance:
    """E at saved times against the dissipation on the way, integrated again from each saved state to the next."""
    x, mass, ts = unit_rows(np.asarray(run.x, float)), np.asarray(run.mass, float), np.asarray(run.ts, float)
    errors = token_error(run) + max((merge.displacement for merge in run.merges), default=0.0)
    size = np.linalg.norm(found.B, 2)
    chosen = _chosen(run)
    most = int(min(CALLS, PAIRS / x.shape[1] ** 2) / (2 * len(chosen)))
    pairs = [_interval(found, x[k : k + 2], ts[k + 1] - ts[k], mass, errors[k + 1], size, most) for k in chosen]
    return Balance(*np.array(pairs).T)


def _chosen(run) -> np.ndarray:
    """The intervals that are looked at: all, or for many tokens some, the first and the last among them."""
    count, n = len(run.ts) - 1, run.x.shape[1]
    return np.unique(np.linspace(0, count - 1, int(np.clip(LARGEST_WORK / n**2, 3, count))).astype(int))


def _interval(found, pair, length, mass, error, size, most):
    starts = pair[0], _nudged(pair[0], error)
    gained = [gradient_run(found, start, [length], mass=mass, most=most)[1][-1] for start in starts]
    before, after = (scaled_energy(found.B, tokens, mass) / 2 for tokens in pair)
    residual = abs(after - before - gained[0]) / after
    # What the run's own error makes of the balance on the way, thirty times: the nudge is one of many directions.
    return residual, 10 * (1 + size) * error + 30 * abs(gained[1] - gained[0]) / after


def _nudged(x, error):
    return unit_rows(x + error * np.random.default_rng(0).normal(size=x.shape))
