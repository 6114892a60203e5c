r"""Layers with independent Gaussian weights: the common cosine in the limit of many dimensions.

Q, K (and V) have entries of variance 1/d, drawn anew in every layer. Scores are then Gaussian of variance
$\sigma^2=\beta^2/d$ with correlations $\rho_{ik}\rho_{jl}$; a fresh V turns the output into a direction orthogonal to
everything, the same for all tokens that agree. So directions no longer drift towards each other, they diffuse together:
rates are those of $1/s^2$ instead of $1/s$, and $1-\rho$ falls like $1/t$ where $s\sim\sqrt t$. Derived.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

Scheme = Literal["Post-LN", "Pre-LN", "Peri-LN", "nGPT", "√t"]


def outputs(rho: float, *, n: int, variance: float = 1.0) -> tuple[float, float]:
    r"""$|a_i|^2$ and $\langle a_i,a_k\rangle$ of attention outputs.

    $$\rho+\frac{1-\rho}n e^{\sigma^2(1-\rho)},\qquad \rho+\frac{1-\rho}n e^{\sigma^2\rho(1-\rho)}$$
    """
    share = (1 - rho) / n
    return rho + share * np.exp(variance * (1 - rho)), rho + share * np.exp(variance * rho * (1 - rho))


def apart(scheme: Scheme, *, n: int, layers: int, has_values: bool, variance: float = 1.0) -> np.ndarray:
    """The common $1-\\rho$ after each layer of step 1, from orthogonal tokens; `has_values`: V is Gaussian, else I."""
    rho, square, out = 0.0, 1.0, []
    for t in range(layers):
        own, across = outputs(rho, n=n, variance=variance)
        gain = {"Post-LN": 1.0, "Pre-LN": 1.0, "√t": (1 + t) ** -0.5}.get(scheme, own**-0.5)
        seen = 0.0 if has_values else 2 * np.sqrt(square) * gain * (rho + (1 - rho) / n)
        after = square + seen + gain**2 * own
        # 1 − ρ, not ρ: what is left would drown in rounding.
        left = (square * (1 - rho) + gain**2 * (own - across)) / after
        rho, square = 1 - left, after if scheme in ("Pre-LN", "Peri-LN") else 1.0
        out.append(left)
    return np.array(out)
