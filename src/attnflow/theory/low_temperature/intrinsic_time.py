r"""Linear flow in closed form, each token with its own intrinsic time.

$$x(t) = \frac{e^{sA}x_0}{|e^{sA}x_0|},\qquad t = \int_0^s |B^\top y(r)|\,dr,\quad y(r) = \frac{e^{rA}x_0}{|e^{rA}x_0|}$$

Source: Bruno, Pasqualotto, Agazzi 2025 (arXiv 2509.25040), Lemmas A.13 and A.15.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg
from numpy.polynomial import legendre

from ...engine.linalg.rows import unit_rows
from ...errors import BadInput

NODES = 14
"""Gauss points per panel; with panels of half a unit of |A| polynomials are exact to round-off."""

MAX_PANELS = 100_000


def run_clock(A: np.ndarray, B: np.ndarray, *, x: np.ndarray, ts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Tokens (k, n, d) and their intrinsic times s (k, n) at common increasing times ts."""
    # A common shift of the spectrum leaves directions alone and keeps exponentials from overflowing.
    shifted = A - np.linalg.eigvals(A).real.max() * np.eye(len(A))
    size = float(np.linalg.norm(shifted, 2))
    if size <= 1e-14 * max(1.0, np.linalg.norm(A, 2)):
        return np.broadcast_to(x, (len(ts), *x.shape)).copy(), ts[:, None] / np.linalg.norm(x @ B, axis=1)
    panel = Panel(shifted, B, 0.5 / size)
    places, clocks = np.empty((len(ts), *x.shape)), np.empty((len(ts), len(x)))
    s, t, y = 0.0, np.full(len(x), 0.0), x
    for _ in range(MAX_PANELS):
        t_end, y_end, speed, path = panel.advance(t, y)
        is_first = s == 0
        k, j = np.nonzero(((ts[:, None] > t) | is_first) & (ts[:, None] <= t_end))
        if len(k):
            fraction = panel.invert(ts[k] - t[j], speed[:, j])
            clocks[k, j], places[k, j] = s + panel.h * fraction, panel.place(path[:, j], fraction)
        is_stopped = (t_end < ts[-1]) & (t_end - t <= 1e-16 * t_end)
        if is_stopped.any():
            when = float(t_end[is_stopped].min())
            raise BadInput(f"a token reaches the kernel of Bᵀ at t = {when:.6g}: the limit is known up to then only")
        s, t, y = s + panel.h, t_end, y_end
        if t.min() >= ts[-1]:
            return places, clocks
    raise BadInput(f"the clock of a token has not reached t = {ts[-1]:g}: B is nearly singular along its path")


class Panel:
    """One stretch of intrinsic time, the same for all tokens, on which paths and clocks are polynomials."""

    def __init__(self, A: np.ndarray, B: np.ndarray, h: float):
        u, w = legendre.leggauss(NODES)
        self.h, self.B, self.w = h, B, w / 2
        self.maps = [scipy.linalg.expm(h * (1 + node) / 2 * A) for node in u]
        self.end = scipy.linalg.expm(h * A)
        degree = np.arange(NODES)
        self.coefficients = (2 * degree[:, None] + 1) / 2 * legendre.legvander(u, NODES - 1).T * w

    def advance(self, t, y):
        """Common times and tokens at the end; the clock speed and the path at the Gauss points."""
        path = np.stack([_unit(y @ M.T) for M in self.maps])
        speed = np.linalg.norm(path @ self.B, axis=2)
        return t + self.h * self.w @ speed, _unit(y @ self.end.T), speed, path

    def invert(self, elapsed, speed):
        """The fraction of the panel after which the clock shows `elapsed`: Newton on an increasing polynomial."""
        speed = self.coefficients @ speed
        integral = legendre.legint(speed, lbnd=-1, axis=0) * self.h / 2
        u = np.zeros_like(elapsed)
        for _ in range(20):
            miss = legendre.legval(u, integral, tensor=False) - elapsed
            step = miss / (legendre.legval(u, speed, tensor=False) * self.h / 2)
            u = np.clip(u - step, -1, 1)
            if np.abs(step).max() < 1e-15:
                break
        return (1 + u) / 2

    def place(self, path, fraction):
        u = 2 * fraction - 1
        return _unit(legendre.legval(u[:, None], np.tensordot(self.coefficients, path, 1), tensor=False))


def _unit(y):
    return unit_rows(y)
