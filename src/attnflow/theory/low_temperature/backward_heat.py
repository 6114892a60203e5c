"""Backward heat equation at low temperature: variance of clusters and time of their collapse."""

from __future__ import annotations

import numpy as np
from jax.typing import ArrayLike
from scipy.special import wrightomega

from ...engine.linalg.arguments import as_annotated, in_range
from ...errors import BadInput, quoted


def _check_beta(beta) -> None:
    if not np.all(np.asarray(beta) > 0):
        raise BadInput(f"beta must be positive, got {quoted(beta)}: at β = 0 every token hears all others alike")


@as_annotated
def heat_variance(v0: ArrayLike, t: ArrayLike, *, beta: ArrayLike, gamma: float = 1.0):
    r"""Variance of a wrapped normal in the heat phase, $v_0 - 2\gamma t/\beta$; meaningless once negative.

    Source: Bruno et al. 2025, Proposition 3.9.
    """
    _check_beta(beta)
    return in_range(np.asarray(v0) - 2 * gamma * np.asarray(t) / beta)


@as_annotated
def first_collapse(deviations: ArrayLike, *, beta: float) -> float:
    r"""When the narrowest normal of a mixture collapses under backward heat, $t = \beta\min_j\sigma_j^2/2$.

    The source prints $\min\sigma_j^2$ in heat-kernel time although its figure takes σ as a standard deviation.
    """
    _check_beta(beta)
    return float(beta * np.min(np.asarray(deviations)) ** 2 / 2)


@as_annotated
def cluster_variance(v0: ArrayLike, t: ArrayLike, *, beta: ArrayLike, gamma: float = 1.0):
    r"""Variance of a Gaussian cluster of any width, $v' = -2\gamma v/(1+\beta v)$.

    $$v(t) = \tfrac1\beta W\big(\beta v_0\,e^{\beta v_0 - 2\gamma t}\big)$$

    Equals the heat law while βv ≫ 1. Source: derived.
    """
    _check_beta(beta)
    # W(e^z) is the Wright omega function of z, which cannot overflow.
    if not np.all(np.asarray(v0) >= 0):
        raise BadInput(f"variances must not be negative, got {quoted(v0)}")
    start = np.asarray(beta) * np.asarray(v0, float)
    return in_range(np.real(wrightomega(np.log(start) + start - 2 * gamma * np.asarray(t))) / beta)
