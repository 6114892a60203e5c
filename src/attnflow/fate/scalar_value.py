r"""Softmax attention with V = vI: the covariance is known for all times, and with it everything about its blow-up.

$$\Sigma(t) = \sum_i \frac{m_i m_i^\top}{1 - t\lambda_i},\qquad t^* = 1/\lambda_{\max},$$

where $\lambda_i$ are the eigenvalues of $vL_0^\top(B + B^\top)L_0$ and $m_i$ is $L_0$ times its eigenvectors. Source: derived.
"""

from __future__ import annotations

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from ..attention import Softmax
from ..closure.hear import _score_matrix
from ..matrices import dense, is_scheduled


class Modes(NamedTuple):
    """The rates λ, ascending, and the vectors m, for a batch of covariances."""

    rates: np.ndarray
    vectors: np.ndarray

    @property
    def sizes(self):
        return np.sum(self.vectors**2, axis=-2)


def multiple_of_identity(V) -> float | None:
    """The number v when V = vI up to rounding."""
    V = np.asarray(V, float)
    return float(V[0, 0]) if np.allclose(V, V[0, 0] * np.eye(len(V)), rtol=0, atol=1e-14 * np.abs(V).max()) else None


def modes_of(flow, L) -> Modes | None:
    """The rates and vectors of a flow that has them; rates that rounding could have made are set to zero."""
    if is_scheduled(flow) or flow.feed_forward is not None or not isinstance(flow.attention, Softmax):
        return None
    L, d = np.asarray(L, float), L.shape[-2]
    v = multiple_of_identity(dense(flow.V, d))
    if v is None:
        return None
    B = v * np.asarray(_score_matrix(flow.attention, jnp.zeros(d)), float)
    turned = np.swapaxes(L, -1, -2)
    rates, vectors = np.linalg.eigh(turned @ (B + B.T) @ L)
    scale = np.linalg.norm(np.abs(turned) @ np.abs(B + B.T) @ np.abs(L), axis=(-2, -1), keepdims=True)[..., 0]
    return Modes(np.where(np.abs(rates) > 8 * d * np.finfo(float).eps * scale, rates, 0.0), L @ vectors)


def climb_known(modes: Modes, levels, until):
    """What `blow_up.climb` would see, from the closed form; levels are in units of the first trace or of one."""
    fastest, sizes = modes.rates[..., -1:], modes.sizes
    explodes = fastest * until >= 1
    horizon = np.where(explodes, 1 / np.where(explodes, fastest, 1.0), until)
    # 1 − tλ = gap + reach/x with t = horizon (1 − 1/x): nothing cancels as x grows.
    gap = np.where(explodes, (fastest - modes.rates) * horizon, 1 - modes.rates * horizon)
    reach, wanted = modes.rates * horizon, levels * np.maximum(1.0, sizes.sum(axis=-1, keepdims=True))
    x = np.where(explodes, _closeness(gap, reach, sizes, wanted), np.inf)
    left = gap[..., None, :] + reach[..., None, :] / x[..., None]
    parts = sizes[..., None, :] / left
    trace = parts.sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        scaled = modes.vectors[..., None, :, :] / np.sqrt(left * trace[..., None])[..., None, :]
    return {
        "trace": trace, "growth": np.sum(parts * modes.rates[..., None, :] / left, axis=-1), "t": horizon * (1 - 1 / x),
        "on": np.broadcast_to(explodes, x.shape), "scaled": scaled, "time": horizon[..., 0],
    }  # fmt: skip


def _closeness(gap, reach, sizes, wanted):
    r"""$x = 1/(1 - t/t^*)$ where the trace $\sum_i w_i/(g_i + r_i/x)$ passes the wanted levels.

    The trace is convex in t, so it passes each level once. Newton's steps for the logarithms, kept between bounds.
    """
    gap, reach, sizes = gap[..., None, :], reach[..., None, :], sizes[..., None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = np.zeros(wanted.shape), np.log(np.maximum(wanted / sizes[..., -1], 1.0))
        y = high
        for _ in range(60):
            left = gap + reach * np.exp(-y)[..., None]
            parts = sizes / left
            trace, slope = parts.sum(axis=-1), np.sum(parts * reach / left, axis=-1) * np.exp(-y)
            if np.all((np.abs(trace / wanted - 1) < 1e-9) | ~(high > low)):
                break
            low, high = np.where(trace < wanted, y, low), np.where(trace < wanted, high, y)
            newton = y - np.log(trace / wanted) * trace / slope
            y = np.where((newton >= low) & (newton <= high), newton, (low + high) / 2)
    return np.exp(y)
