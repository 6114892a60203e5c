r"""How far attention at finite temperature may be from its linear limit at the saved times of a run: Grönwall's inequality.

$$|x_i-x_i^\infty|' \le \mu_i\,|x_i-x_i^\infty| + \big|\Pi_{x_i}V(m_\beta(x_i)-y^*(x_i))\big|$$
with the barycentre $m_\beta$ and its limit $y^*$ at the saved states, and the logarithmic norm $\mu_i$ of the limit field.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

SAFETY = 1.5
"""What lies between two saved times is taken to be at most this much worse than their ends."""
SHORT = 0.5
"""Stretches in which the field could move a token further than this are too long to be bounded by their ends."""

AT_ONCE = 2**20
"""Numbers in the derivatives of tokens that are looked at together."""


@dataclass(frozen=True)
class Coupling:
    """Distances of equal tokens of a run and of its linear limit, and what bounds them; rows are saved times."""

    limit: np.ndarray
    """Tokens of the linear flow."""
    apart: np.ndarray
    allowed: np.ndarray
    """NaN from the first stretch on that is too long to tell."""

    @property
    def seen(self) -> np.ndarray:
        """Saved times after the first at which the bound says something."""
        return np.flatnonzero(np.isfinite(self.allowed).all(axis=1))[1:]


def coupling(limit, x, ts, *, beta: float, mass, error: float = 1e-6) -> Coupling:
    """Follow the bound along tokens x (k, n, d) saved at times ts that start at 0; `error` is that of the run."""
    moved = np.concatenate([x[:1], limit.flow(x[0], ts[1:])]) if len(ts) > 1 else x[:1]
    allowed = np.full(x.shape[:2], np.nan)
    allowed[0] = error
    steps = np.diff(ts)
    steps = steps[np.cumprod(steps * np.linalg.norm(limit.V, 2) <= SHORT).astype(bool)]
    told = slice(len(steps) + 1)
    lag = np.array([_lag(limit, y, beta, mass) for y in x[told]])
    strain = np.maximum(_log_norms(limit, x[told]), _log_norms(limit, moved[told]))
    for k, h in enumerate(steps):
        rate, source = (np.maximum(part[k], part[k + 1]) for part in (strain, lag))
        allowed[k + 1] = (allowed[k] + SAFETY * h * source) * np.exp(
            h * np.maximum(SAFETY * rate, rate / SAFETY)
        ) + error
    return Coupling(moved, np.linalg.norm(x - moved, axis=2), allowed)


def _lag(limit, x, beta, mass):
    """How much the velocity at finite temperature differs from its limit."""
    scores = beta * (x @ limit.B @ x.T) + np.log(np.maximum(mass, 1e-300))
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    pulled = x @ limit.B
    v = (
        weights @ x / weights.sum(axis=1, keepdims=True) - pulled / np.linalg.norm(pulled, axis=1, keepdims=True)
    ) @ limit.V.T
    return np.linalg.norm(v - np.sum(x * v, axis=1, keepdims=True) * x, axis=1)


def _log_norms(limit, x):
    """Of all tokens of all times (k, n, d), as many at once as fit in little memory."""
    rows = x.reshape(-1, x.shape[-1])
    parts = np.array_split(rows, -(-rows.size * rows.shape[1] // AT_ONCE))
    return np.concatenate([_log_norm(limit, part) for part in parts]).reshape(x.shape[:-1])


def _log_norm(limit, x, h=1e-6):
    """The largest eigenvalue of the symmetric part of the limit field's derivative, as a field on the sphere extended to R^d."""
    d = x.shape[1]
    steps = h * np.eye(d)
    columns = [(limit.drift(_unit(x + e)) - limit.drift(_unit(x - e))) / (2 * h) for e in steps]
    J = np.stack(columns, axis=-1)
    tangent = np.eye(d) - x[:, :, None] * x[:, None, :]
    S = tangent @ ((J + np.swapaxes(J, 1, 2)) / 2) @ tangent
    # The radial direction carries the eigenvalue 0 of the projection: move it below all others.
    S = S - 1e6 * x[:, :, None] * x[:, None, :]
    return np.linalg.eigvalsh(S)[:, -1]


def _unit(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True)
