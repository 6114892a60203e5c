"""Wasserstein distances, exact: by sorting, by assignment, by linear programming, in closed form."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from ...errors import BadInput, quoted
from ..linalg.arguments import as_annotated, one_of
from .bures import bures
from .gaussian import Gaussian
from .particles import Particles

METRICS = ("chordal", "geodesic")

MOST_PAIRS = 10**8
"""Beyond this many pairs a table of all distances does not fit in memory."""


@as_annotated
def wasserstein(mu, nu, *, p: float = 2.0, metric: str = "chordal") -> float:
    r"""The Wasserstein distance $W_p(\mu, \nu)$ of two prompts, exact.

    `metric="chordal"` measures $|x - y|$, "geodesic" the angle between unit vectors. Tokens on the line are sorted, on
    the circle (geodesic) cut at the best place; elsewhere equal masses are assigned and others transported by linear
    programming. Two Gaussians have the closed form of Bures (p = 2).

    >>> import attnflow as af
    >>> af.wasserstein(af.Particles([[0.0], [1.0]]), af.Particles([[2.0], [3.0]]))
    2.0
    """
    if isinstance(mu, Gaussian) and isinstance(nu, Gaussian):
        if p != 2 or metric != "chordal":
            raise BadInput("the distance of two Gaussians is known for p = 2 and the chordal metric")
        return float(bures(mu, nu))
    x, a, y, b = _checked(mu, nu, p, metric)
    if metric == "geodesic" and x.shape[1] == 2:
        return _on_circle(_angles(x), a, _angles(y), b, p)
    if metric == "chordal" and x.shape[1] == 1:
        return _on_line(x[:, 0], a, y[:, 0], b, p)
    size = _power_range(np.abs(np.concatenate([x, y])), 2.0)
    table = _table(x / size, y / size, metric)
    scale = _power_range(table, p)
    return size * scale * _between((table / scale) ** p, a, b) ** (1 / p)


def _checked(mu, nu, p, metric):
    if not (isinstance(mu, Particles) and isinstance(nu, Particles)) or mu.x.ndim != 2 or nu.x.ndim != 2:
        raise BadInput("wasserstein compares two prompts of Particles, or two Gaussians")
    if mu.d != nu.d:
        raise BadInput(f"the prompts have different dimensions, {mu.d} and {nu.d}")
    one_of(metric, "metric", METRICS)
    if not (np.isfinite(p) and p >= 1):
        raise BadInput(f"p must be a number of at least 1, got {quoted(p)}")
    arrays = [np.asarray(array, np.float64) for array in (mu.x, mu.mass, nu.x, nu.mass)]
    if metric == "geodesic" and not all(np.allclose(np.linalg.norm(z, axis=1), 1, atol=1e-5) for z in arrays[::2]):
        raise BadInput("the geodesic metric is for tokens on the unit sphere; use the chordal one")
    return arrays


def _power_range(distances, p: float) -> float:
    """What to divide by so that powers are numbers: 1, unless the largest distance is extreme."""
    largest = float(distances.max())
    return 1.0 if largest == 0 or abs(p * np.log10(largest)) < 250 else largest


def _on_line(x, a, y, b, p):
    """Monotone rearrangement: integrate the difference of the quantile functions."""
    i, j = np.argsort(x), np.argsort(y)
    A, B = np.cumsum(a[i]), np.cumsum(b[j])
    A[-1] = B[-1] = 1.0
    levels = np.union1d(A, B)
    share = np.diff(levels, prepend=0.0)
    step = np.abs(x[i][np.searchsorted(A, levels)] - y[j][np.searchsorted(B, levels)])
    scale = _power_range(step, p)
    return float(scale * (share @ (step / scale) ** p) ** (1 / p))


def _on_circle(s, a, u, b, p):
    """Cut where both are best sorted. Source: Delon, Salomon, Sobolevski 2010, as implemented in POT."""
    import ot

    turn = 2 * np.pi
    found: Any = ot.wasserstein_circle(s / turn, u / turn, a, b, p=p, eps=1e-14)
    return float(turn * max(0.0, float(np.squeeze(found))) ** (1 / p))


def _angles(x):
    return np.arctan2(x[:, 1], x[:, 0]) % (2 * np.pi)


def _table(x, y, metric):
    if len(x) * len(y) > MOST_PAIRS:
        raise BadInput(f"{len(x)} × {len(y)} pairs are too many for exact transport; compare subsamples")
    chord = cdist(x, y)
    return chord if metric == "chordal" else 2 * np.arcsin(np.minimum(chord / 2, 1))


def _between(cost, a, b):
    if len(a) == len(b) and np.ptp(a) < 1e-15 and np.ptp(b) < 1e-15:
        return float(cost[linear_sum_assignment(cost)].mean())
    import ot

    value, log = ot.emd2(a, b, cost, numItermax=10_000_000, log=True)
    if log["warning"]:
        raise BadInput(f"the transport programme did not finish: {log['warning']}")
    return max(0.0, float(value))
