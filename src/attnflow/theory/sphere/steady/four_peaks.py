"""Four symmetric peaks on the circle, and the map one layer makes of them."""

from __future__ import annotations

import numpy as np
from scipy.optimize import root_scalar

from ....errors import BadInput
from .gradient_structure import check_normalisation


def peak_energy(l1, l2, u):
    r"""$$E_4 = \cosh(l_1 u)\cosh(l_2(1-u)),\quad u = \cos^2\varphi$$"""
    return np.cosh(l1 * u) * np.cosh(l2 * (1 - u))


def symmetric_peaks(l1: float, l2: float) -> float:
    r"""The place $u = \cos^2\varphi$ of the best four equal peaks $(\pm\cos\varphi, \pm\sin\varphi)$ for $B = $ diag(l1, l2) > 0.

    $$l_1\tanh(l_1 u) = l_2\tanh(l_2(1-u))$$

    Not the minimiser over all measures. Source: Burger et al. 2025 (arXiv 2501.03096), lem:symmetricpeaks.
    """
    if not (l1 > 0 and l2 > 0):
        raise BadInput(f"four symmetric peaks need positive eigenvalues, got {l1:g} and {l2:g}")
    tilt = lambda u: l1 * np.tanh(l1 * u) - l2 * np.tanh(l2 * (1 - u))  # noqa: E731
    return root_scalar(tilt, bracket=(0, 1), xtol=1e-16).root


def peak_ratio(l1, l2, u):
    r"""$$\tanh(l_1\cos^2\varphi)/\tanh(l_2\sin^2\varphi)$$, equal to $l_2/l_1$ at the best peaks and 0 at $\pm e_2$."""
    return np.tanh(l1 * u) / np.tanh(l2 * (1 - u))


def peak_map(l1, l2, c, s, *, eta, normalisation: str = "USA"):
    """One descent layer acting on four peaks at (±c, ±s), exactly; arrays broadcast.

    Source: derived for the authors' scheme x ← normalise(x − η g).
    """
    if check_normalisation(normalisation) == "USA":
        first = 1 - eta * l1 * np.sinh(l1 * c**2) * np.cosh(l2 * s**2)
        second = 1 - eta * l2 * np.cosh(l1 * c**2) * np.sinh(l2 * s**2)
    else:
        first, second = 1 - eta * l1 * np.tanh(l1 * c**2), 1 - eta * l2 * np.tanh(l2 * s**2)
    c, s = c * first, s * second
    norm = np.hypot(c, s)
    return c / norm, s / norm


def peaks_after(l1, l2, *, eta, count: int, normalisation: str = "USA"):
    """cos²φ after `count` descent layers from φ = π/4."""
    l2 = np.asarray(l2, dtype=float)
    c = s = np.full(l2.shape, np.sqrt(0.5))
    for _ in range(count):
        c, s = peak_map(l1, l2, c, s, eta=eta, normalisation=normalisation)
    return c**2
