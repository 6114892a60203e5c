r"""Linear stability of the uniform law: growth rates of harmonics, and the critical noise on the circle.

Source: derived from arXiv 2312.10794 (7.1) and 2512.01868, section 7; see also arXiv 2410.23228, 2412.14813.
"""

from __future__ import annotations

import numpy as np
from jax.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import ive

from ...engine.linalg.arguments import as_annotated, in_range, inside, one_of
from ...engine.special.funk_hecke import funk_hecke
from ...errors import BadInput, quoted


@as_annotated
def growth(degree: ArrayLike, *, beta: ArrayLike, d: int = 2, model: str = "SA"):
    r"""The growth rate of a harmonic of degree l (d = 2: the l-th Fourier mode) on the uniform law, $B = V = I$.

    $$\frac{l(l+d-2)}{\beta}\,\frac{\lambda_l(\beta)}{\lambda_0(\beta)}\ \text{(SA)},\qquad
      \frac{l(l+d-2)}{\beta}\,\lambda_l(\beta)\ \text{(USA)}$$
    with the eigenvalues $\lambda_l$ of Funk and Hecke. Every rate is multiplied by c for $V = cI$.
    """
    one_of(model, "model", ("SA", "USA"))
    inside(d, "d", least=2)
    l, beta = np.asarray(degree, float), np.asarray(beta, float)
    if np.any(l < 0):
        raise BadInput(f"degrees must not be negative, got {quoted(degree)}")
    size = funk_hecke(l, beta, d=d, is_scaled=model == "SA")
    size = size / funk_hecke(0, beta, d=d, is_scaled=True) if model == "SA" else size
    at_zero = np.where(l == 1, 1 / d, 0.0)
    return in_range((l * (l + d - 2) * np.where(beta == 0, at_zero, size / np.where(beta == 0, 1.0, beta)))[()])


@as_annotated
def fastest(beta: float) -> int:
    r"""The mode that grows fastest, about $\sqrt{2\beta}$: the number of first clusters."""
    inside(beta, "beta", least=0, most=1e12)
    k = np.arange(1, int(4 * np.sqrt(2 * beta)) + 6)
    return int(k[np.argmax(growth(k, beta=beta))])


@as_annotated
def critical_kappa(beta: float, *, model: str = "USA") -> float:
    r"""The $\kappa$ at which the uniform law loses stability: $\beta/I_1(\beta)$ (USA), $\beta I_0/I_1$ (SA); 2 at $\beta=0$."""
    rate = float(growth(1, beta=beta, model=model))
    if not rate > 0:
        raise BadInput(f"at beta = {beta:g} the rate of the first mode leaves the range of numbers")
    return 1 / rate


@as_annotated
def kuramoto_order(kappa: float) -> float:
    r"""The order parameter $r = I_1(\kappa r)/I_0(\kappa r)$ of the noisy model at $\beta = 0$; 0 for $\kappa\le2$."""
    if kappa <= 2:
        return 0.0
    return float(brentq(lambda r: ive(1, kappa * r) / ive(0, kappa * r) - r, 1e-9, 1.0, xtol=1e-14))  # pyright: ignore[reportArgumentType]
