r"""The uniform law on the circle: which ripples grow, and how much noise holds them down.

Source: derived from arXiv 2312.10794 (7.1) and 2512.01868, section 7; see also arXiv 2410.23228, 2412.14813.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.optimize import brentq
from scipy.special import ive

Model = Literal["SA", "USA"]


def growth(k, *, beta: float, model: Model = "SA"):
    r"""The growth rate of the k-th Fourier mode: $k^2I_k(\beta)/\beta$ (USA), divided by $I_0(\beta)$ (SA)."""
    k = np.asarray(k)
    if beta == 0:
        return np.where(k == 1, 0.5, 0.0)
    scale = 1 / ive(0, beta) if model == "SA" else np.exp(abs(beta))
    return k**2 * ive(k, beta) / beta * scale


def fastest(beta: float) -> int:
    r"""The mode that grows fastest, about $\sqrt{2\beta}$: the number of first clusters."""
    k = np.arange(1, int(4 * np.sqrt(2 * beta)) + 6)
    return int(k[np.argmax(growth(k, beta=beta))])


def critical_kappa(beta: float, *, model: Model = "USA") -> float:
    r"""The $\kappa$ at which the uniform law loses stability: $\beta/I_1(\beta)$ (USA), $\beta I_0/I_1$ (SA); 2 at $\beta=0$."""
    return float(1 / growth(1, beta=beta, model=model))


def kuramoto_order(kappa: float) -> float:
    r"""The order parameter $r = I_1(\kappa r)/I_0(\kappa r)$ of the noisy model at $\beta = 0$; 0 for $\kappa\le2$."""
    if kappa <= 2:
        return 0.0
    return float(brentq(lambda r: ive(1, kappa * r) / ive(0, kappa * r) - r, 1e-9, 1.0, xtol=1e-14))  # pyright: ignore[reportArgumentType]
