"""Upper bound of the transport distance between densities on the circle: the best flux along a given path."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from jax.typing import ArrayLike
from numpy.polynomial import chebyshev

from ...engine.linalg.arguments import as_annotated
from ...errors import BadInput, quoted
from ..sphere.steady.gradient_structure import square_matrix
from .quantiles import density_at


@as_annotated
def flux_bound(
    rho0: Callable, rho1: Callable, *, B: ArrayLike, path: Callable | None = None, nodes: int = 256, times: int = 24
):
    r"""The length of a path of positive densities, with the best circulation at every time: never below the distance.

    With cdf $F_t$ every flux is $J = J_0(t) - \partial_tF_t$; the cheapest has
    $J_0 = \int (K/\rho)\,\partial_tF\,/\int (K/\rho)$, and the length is $\int_0^1(\int KJ^2/\rho\,d\theta)^{1/2}dt$.
    `path(t)` is a density (a function of the angle) with the given ends; by default their linear interpolation.
    Source: derived for the distance of Burger et al. 2025 (arXiv 2501.03096).
    """
    B, theta = square_matrix(B, 2), 2 * np.pi * np.arange(nodes) / nodes
    t = (1 - np.cos(np.pi * np.arange(times + 1) / times)) / 2
    ends = [_values(rho, theta) for rho in (rho0, rho1)]
    if path is None:
        rho = (1 - t[:, None]) * ends[0] + t[:, None] * ends[1]
    else:
        along = [path(float(time)) for time in t]
        if not all(callable(density) for density in along):
            raise BadInput(f"path(t) must be a density, a function of the angle, got {quoted(along[0])}")
        rho = np.stack([_values(density, theta) for density in along])
        if max(np.abs(rho[k] - ends[k]).max() for k in (0, -1)) > 1e-8:
            raise BadInput("path(0) and path(1) must be the two given densities")
    if rho.min() <= 0:
        raise BadInput(f"the flux bound needs positive densities along the path, the smallest value is {rho.min():.3g}")
    action = _actions(rho, _time_derivative(rho), B, theta)
    if not np.all(np.isfinite(action)):
        raise BadInput(f"the kernel of B, with entries up to {np.abs(B).max():.2g}, leaves the range of numbers")
    return float(_integral(np.sqrt(action)))


def _values(density, theta):
    values = density_at(density, theta)
    return values / (values.mean() * 2 * np.pi)


def _series(values):
    """Chebyshev coefficients on [0, 1] of rows given at the extreme points."""
    times = len(values) - 1
    u = 2 * (1 - np.cos(np.pi * np.arange(times + 1) / times)) / 2 - 1
    return u, np.linalg.solve(chebyshev.chebvander(u, times), values)


def _time_derivative(rho):
    u, c = _series(rho)
    return 2 * chebyshev.chebval(u, chebyshev.chebder(c)).T


def _integral(values):
    _, c = _series(values)
    return np.diff(chebyshev.chebval([-1.0, 1.0], chebyshev.chebint(c)))[0] / 2


def _actions(rho, change, B, theta):
    m, width = len(theta), 2 * np.pi / len(theta)
    k = np.fft.rfftfreq(m, 1 / m)
    modes = np.fft.rfft(change, axis=1)
    modes[:, 0] = 0
    # The constant of integration is free: it is absorbed by J₀.
    swept = np.fft.irfft(np.divide(modes, 1j * k, out=np.zeros_like(modes), where=k > 0), m, axis=1)
    u = np.stack([np.cos(theta), np.sin(theta)], 1)
    resistance = (rho @ np.exp(u @ B @ u.T).T) * width / rho
    circulation = np.sum(resistance * swept, 1, keepdims=True) / np.sum(resistance, 1, keepdims=True)
    return np.sum(resistance * (circulation - swept) ** 2, axis=1) * width
