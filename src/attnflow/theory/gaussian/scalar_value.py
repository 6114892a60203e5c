r"""Closed form of the covariance under softmax attention with V = vI, and its blow-up.

$$\Sigma(t) = \sum_i \frac{m_i m_i^\top}{1 - t\lambda_i},\qquad t^* = 1/\lambda_{\max},$$

where $\lambda_i$ are the eigenvalues of $vL_0^\top(B + B^\top)L_0$ and $m_i$ is $L_0$ times its eigenvectors. Source: derived.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...engine.attention import Softmax
from ...engine.linalg.matrices import is_scheduled, multiple_of_identity


class Modes(NamedTuple):
    """The rates λ, ascending, and the vectors m, for a batch of covariances."""

    rates: np.ndarray
    vectors: np.ndarray

    @property
    def sizes(self):
        return np.sum(self.vectors**2, axis=-2)


def modes(B, L, *, v: float = 1.0) -> Modes:
    """The eigenvalues of vL₀ᵀ(B + Bᵀ)L₀ and L₀ times its eigenvectors; rates that rounding could have made are zero."""
    L, B = np.asarray(L, float), v * np.asarray(B, float)
    turned = np.swapaxes(L, -1, -2)
    rates, vectors = np.linalg.eigh(turned @ (B + B.T) @ L)
    # What rounding can make of a vanishing score, entry by entry.
    size = np.linalg.norm(np.abs(turned) @ np.abs(B + B.T) @ np.abs(L), axis=(-2, -1))
    noise = 8 * L.shape[-1] * np.finfo(float).eps * size[..., None]
    return Modes(np.where(np.abs(rates) > noise, rates, 0.0), L @ vectors)


def modes_of(flow, L) -> Modes | None:
    """The rates and vectors of a flow, or None when it is not softmax attention with constant V = vI."""
    if is_scheduled(flow) or flow.feed_forward is not None or not isinstance(flow.attention, Softmax):
        return None
    if flow.attention.is_affine():
        return None
    v, d = multiple_of_identity(flow.V), L.shape[-2]
    return None if v is None else modes(flow.attention.score.matrix(d), L, v=v)


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
        "on": np.broadcast_to(explodes, x.shape), "scaled": scaled, "time": horizon[..., 0], "fate": _fate(modes, until),
        "rate": np.full(explodes.shape[:-1], np.nan), "slope": np.full(explodes.shape[:-1], np.nan),
    }  # fmt: skip


def _fate(modes, until):
    """What becomes of a covariance that does not blow up before the end: it decays if every mode has shrunk by half."""
    return np.where(np.all((modes.rates * until < -1) | (modes.sizes == 0), axis=-1), "decay", "bounded")


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
