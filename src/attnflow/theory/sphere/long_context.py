r"""Phase transition of long contexts: how β must grow with n for one layer to keep tokens apart.

Source: Rigollet, arXiv 2512.01868, theorem 7 (arXiv 2510.05554); the finite-n formula is derived.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from jax.typing import ArrayLike

from ...engine.linalg.arguments import as_annotated
from ...errors import BadInput, quoted
from .equiangular import weights


@as_annotated
def critical_gamma(rho: ArrayLike) -> Any:
    r"""$\gamma_c = 1/(1-\rho)$ in $\beta_n = \gamma\log n$."""
    if not np.all(np.asarray(rho) < 1):
        raise BadInput(f"cosines must be below 1, got {quoted(rho)}")
    return 1 / (1 - np.asarray(rho))[()]


def cosine_after(rho, *, n: float, gamma: float):
    r"""The exact cosine after one attention layer (no skip) of n equiangular tokens.

    With a, b the weights a token gives itself and another, and $c=(n-1)b$, which stays finite for any n:
    $$\frac{a^2\rho+2a(b+(c-b)\rho)+b(c-b)+(c^2-b(c-b))\rho}{a^2+2ac\rho+bc+c(c-b)\rho}$$
    """
    if not n >= 2:
        raise BadInput(f"an angle needs at least two tokens, got n={quoted(n)}")
    if not -1 <= rho * (n - 1) or not rho <= 1:
        raise BadInput(f"{n:g} tokens can have common cosines from -1/(n-1) to 1, got rho={quoted(rho)}")
    a, b = weights(rho, n=n, beta=gamma * np.log(n))  # pyright: ignore[reportArgumentType]
    c = (n - 1) * b
    across = a**2 * rho + 2 * a * (b + (c - b) * rho) + b * (c - b) + (c**2 - b * (c - b)) * rho
    return across / (a**2 + 2 * a * c * rho + b * c + c * (c - b) * rho)


def limit_cosine(rho, *, gamma: float):
    r"""The limit $n\to\infty$: 1, $\frac{4\rho}{1+3\rho}$, $\rho$ for $\gamma <, =, > \gamma_c$, where $0<\rho<1$.

    Orthogonal tokens, $\rho=0$, part earlier: 1, ½, 0 for $\gamma <, =, > \tfrac12$ (derived), because a token's own
    $n^{2\gamma-2}$ then outweighs the $1/n$ of all others in $|a_i|^2$.
    """
    if not 0 <= rho < 1:
        raise BadInput(
            f"n tokens have a common cosine of at least -1/(n-1), so in the limit 0 <= rho < 1; got {quoted(rho)}"
        )
    critical, balance = (0.5, 0.5) if rho == 0 else (critical_gamma(rho), 4 * rho / (1 + 3 * rho))
    if np.isclose(gamma, critical, rtol=1e-12):
        return balance
    return 1.0 if gamma < critical else rho
