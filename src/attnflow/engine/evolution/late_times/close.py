"""Tokens of a late run as it knew them: exact where z cannot tell tokens apart, with the ties they slid along."""

from __future__ import annotations

from typing import Any, NamedTuple

import equinox as eqx
import jax.numpy as jnp
import numpy as np

from ..trajectory import Trajectory
from .anchored import FAR, Anchored
from .rest import resting_weights
from .sliding import Sliding
from .ties import Rows, held


class Close(NamedTuple):
    """Tokens at the saved times as anchors and offsets, and the rows that were held at ties."""

    anchor: np.ndarray
    state: np.ndarray
    rows: tuple[Rows, ...]
    tol: float

    def attention(self, run: Trajectory, index: int) -> np.ndarray:
        """P at the saved time of that index."""
        flow, t, mu = self._flow(run, index), float(run.ts[index]), run.at(index)
        mu: Any = mu.moved_to(jnp.asarray(self.state[index]))
        if flow.is_hard and len(self.rows[index]) == mu.n and not any(self.rows[index].values()):
            return np.tile(resting_weights(np.asarray(flow.seen(mu.x, run.ts[index])), np.asarray(mu.mass)), (mu.n, 1))
        tied = held(flow, mu, t, tol=self.tol, rows=self.rows[index])
        return np.asarray(attention(tied, mu, run.ts[index]))

    def coordinates(self, run: Trajectory, index: int) -> np.ndarray:
        """The coordinates of z in the basis of the flow."""
        return np.asarray(self._flow(run, index).coordinates(jnp.asarray(self.state[index]), run.ts[index]))

    def _flow(self, run: Trajectory, index: int) -> Anchored:
        anchor = jnp.asarray(self.anchor[index])
        return Anchored(run.flow, anchor, jnp.full(len(anchor), FAR))


@eqx.filter_jit
def attention(flow: Anchored | Sliding, mu, t):
    return flow.weights(mu, t)
