"""Normalised associated Legendre functions."""

from __future__ import annotations

import numpy as np


def normalised_legendre(top: int, z: np.ndarray, *, sine: np.ndarray | None = None) -> np.ndarray:
    r"""$\bar P_{ol}(z)$ by order o, degree l up to `top` and argument, with $\frac12\int\bar P^2 = 1$.

    By the recurrence upward in l, which is stable. `sine` is $\sqrt{1-z^2}$ unless it carries a sign, as on a full
    turn of the colatitude.
    """
    P = np.zeros((top + 1, top + 1, len(z)))
    sine = np.sqrt((1 - z) * (1 + z)) if sine is None else sine
    P[0, 0] = 1
    for o in range(1, top + 1):
        P[o, o] = np.sqrt((2 * o + 1) / (2 * o)) * sine * P[o - 1, o - 1]
    for l in range(1, top + 1):
        o = np.arange(l)[:, None]
        a = np.sqrt((4 * l**2 - 1) / (l**2 - o**2))
        b = np.sqrt(np.maximum(0, (l - 1) ** 2 - o**2) / max(1, 4 * (l - 1) ** 2 - 1))
        P[:l, l] = a * (z * P[:l, l - 1] - (b * P[:l, l - 2] if l > 1 else 0))
    return P
