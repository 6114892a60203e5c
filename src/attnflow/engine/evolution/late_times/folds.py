r"""Where a tie lets its row go on both sides: sliding may lead there in finite time, and the way on need not be one.

A hard row at a tie is held while each of two tokens gains when the other is heard. Both gains may vanish at once (a two-fold):
after that each token gains when it is heard itself. The second derivative of its lead tells whether a side is left for good;
if both are, the equation does not say which (Colombo & Jeffrey 2011, on sliding that breaks determinacy).
"""

from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ...measures import Particles
from .anchored import Anchored
from .game import Rows
from .sliding import Sliding
from .ties import held, measured

LOOSE = 1e-6
"""Rates of return below this, against what they could be, are none."""


def torn(flow: Anchored, mu: Particles, t: float, *, tol: float, rows: Rows) -> list[int]:
    """Hard rows that leave their tie here, and may do so on either side."""
    loose = [i for i in _loose(flow, mu, t, tol, rows) if rows[i]]
    return [i for i in loose if _leaves_on_both_sides(flow, mu, t, tol, rows, i)]


def _loose(flow, mu, t, tol, rows) -> list[int]:
    """Rows that nothing leads back to their ties."""
    trial = held(flow, mu, t, tol=tol, rows=rows)
    if not isinstance(trial, Sliding):
        return []
    found, row = measured(trial, mu, jnp.asarray(t, mu.x.dtype))[0], np.asarray(trial.ties.row)
    if float(trial.grip(found)) > 0:
        return []
    rate = np.abs(np.diagonal(np.asarray(found.A))) / np.maximum(np.asarray(found.size), 1e-300)
    return np.unique(row[(row < mu.n) & (rate < LOOSE)]).tolist()


def _leaves_on_both_sides(flow, mu, t, tol, rows: Rows, i: int) -> bool:
    others = held(flow, mu, t, tol=tol, rows={k: tokens for k, tokens in rows.items() if k != i})
    now = jnp.asarray(t, mu.x.dtype)
    bends = [float(_bend(others, mu, now, jnp.asarray([i, *pair]))) for pair in (rows[i][:2], rows[i][1::-1])]
    return min(bends) > 0


@eqx.filter_jit
def _bend(flow: Anchored | Sliding, mu: Particles, t, who):
    """The second derivative of the lead of a token over another where it alone is heard, for (row, token, other)."""
    inner, (row, heard, other) = flow.flow if isinstance(flow, Sliding) else flow, who

    def onward(t, s):
        P = flow.weights(mu.moved_to(s), t).at[row].set(jnp.eye(mu.n, dtype=s.dtype)[heard])
        return jnp.ones_like(t), inner.moved(inner.heard(P, s, jnp.arange(mu.n)), t)

    lead = lambda t, s: inner.lead(s, t, row[None], heard[None], other[None])[0]  # noqa: E731
    gain = lambda t, s: jax.jvp(lead, (t, s), onward(t, s))[1]  # noqa: E731
    return jax.jvp(gain, (t, mu.x), onward(t, mu.x))[1]
