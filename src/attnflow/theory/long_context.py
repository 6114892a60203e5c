r"""Very long prompts: how fast the temperature must fall with n for a layer to keep tokens apart.

Source: Rigollet, arXiv 2512.01868, theorem 7 (arXiv 2510.05554); the finite-n formula is derived.
"""

from __future__ import annotations

import numpy as np

from .equiangular import mixed_cosine, weights


def critical_gamma(rho):
    r"""$\gamma_c = 1/(1-\rho)$ in $\beta_n = \gamma\log n$."""
    return 1 / (1 - rho)


def cosine_after(rho, *, n: float, gamma: float):
    """The exact cosine after one attention layer (no skip) of n equiangular tokens."""
    a, b = weights(rho, n=n, beta=gamma * np.log(n))  # pyright: ignore[reportArgumentType]
    return mixed_cosine(a, b, rho, n)


def limit_cosine(rho, *, gamma: float):
    r"""The limit $n\to\infty$: 1, $\frac{4\rho}{1+3\rho}$, $\rho$ for $\gamma <, =, > \gamma_c$."""
    critical = critical_gamma(rho)
    if np.isclose(gamma, critical, rtol=1e-12):
        return 4 * rho / (1 + 3 * rho)
    return 1.0 if gamma < critical else rho
