r"""Rate and bounds of the interaction energy $\iint e^{\beta(\langle x,y\rangle-1)}d\mu\,d\mu$ on the sphere.

Source: Geshkovski et al., arXiv 2312.10794, (3.5)–(3.8) and proposition 3.4; the bounds by moments are derived.
"""

from __future__ import annotations

import numpy as np

from ...engine.special.funk_hecke import funk_hecke
from .interaction_energy import interaction_energy


def energy_rate(x, mass, *, beta: float, V: float = 1.0, model: str = "SA", speed: float = 1.0) -> float:
    r"""The rate of the energy along the flow.

    $$2\beta V\sum_i m_iZ_i|\Pi_{x_i}a_i|^2 \text{ (SA)},\qquad
      2\beta Vc\sum_i m_i|\Pi_{x_i}Z_ia_i|^2 \text{ (USA with weights } ce^{\beta(\langle x,y\rangle-1)})$$

    with $Z_i = \sum_jm_je^{\beta(\langle x_i,x_j\rangle-1)}$ and $a_i$ the softmax mean; `speed` is c.
    """
    weights = np.exp(beta * (x @ x.T - 1)) * mass
    Z, pull = weights.sum(axis=1), weights @ x
    size = np.linalg.norm(pull - (pull * x).sum(axis=1, keepdims=True) * x, axis=1)
    return float(2 * beta * V * mass @ (size * (size / Z if model == "SA" else speed * size)))


def uniform_moments(beta: float, d: int) -> tuple[float, float, float]:
    r"""$e^{-|\beta|}$ times the means of $e^{\beta s}$, $se^{\beta s}$, $s^2e^{\beta s}$ over the cosine s with a uniform token.

    $$\lambda_0,\quad \lambda_1,\quad \tfrac1d\lambda_0 + \tfrac{d-1}d\lambda_2$$ with the eigenvalues $\lambda_l$ of the kernel.
    """
    zero, one, two = funk_hecke(np.arange(3), beta, d=d, is_scaled=True)
    return float(zero), float(one), float(zero / d + (d - 1) / d * two)


def energy_bounds(x, mass, *, beta: float) -> tuple[float, float]:
    r"""Between which values the energy lies if the uniform law and Dirac masses alone are extreme.

    Below: the parts of degree 0, 1 and 2 of the kernel, with $m = \int x\,d\mu$, $M = \int xx^\top d\mu$,
    $$\lambda_0 + d\,\lambda_1|m|^2 + \tfrac{d(d+2)}2\lambda_2\big(\|M\|^2-\tfrac1d\big),$$
    each part vanishing for the uniform law; above: the chord of the exponential, $1-\frac{1-e^{-2\beta}}2(1-|m|^2)$.
    """
    d = x.shape[1]
    mean, second = mass @ x, (x * mass[:, None]).T @ x
    zero, one, two = funk_hecke(np.arange(3), beta, d=d, is_scaled=True) * np.exp(abs(beta) - beta)
    low = zero + d * one * (mean @ mean) + d * (d + 2) / 2 * two * ((second**2).sum() - 1 / d)
    return float(low), float(1 - (1 - np.exp(-2 * beta)) / 2 * (1 - mean @ mean))


def beyond_bounds(x, mass, *, beta: float) -> float:
    """Above 1 if the energy lies below what is left of the uniform law, or above what is left of a Dirac mass."""
    low, high = energy_bounds(x, mass, beta=beta)
    E = interaction_energy(x, mass, B=beta, shift=beta)
    return max(low / E, E / high)


def simplex_energy(n: int, beta: float) -> float:
    """The energy of n tokens at cosines −1/(n−1)."""
    return 1 / n + (1 - 1 / n) * float(np.exp(-beta * n / (n - 1))) if n > 1 else 1.0
