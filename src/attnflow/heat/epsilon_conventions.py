r"""Conventions for ε: cost ½|x−y|², kernel $e^{-|x-y|^2/(2\varepsilon)}$, and the same number in other libraries."""

from __future__ import annotations

import numpy as np


def pot_reg(eps: float) -> float:
    """`reg` of POT with "sqeuclidean" costs, which carry no ½."""
    return 2 * eps


def ott_epsilon(eps: float) -> float:
    """`epsilon` of OTT with `SqEuclidean` costs, which carry no ½."""
    return 2 * eps


def geomloss_blur(eps: float) -> float:
    """`blur` of GeomLoss `SamplesLoss("sinkhorn", p=2)`, whose cost carries the ½."""
    return float(np.sqrt(eps))


def geomloss_reg(eps: float) -> float:
    """`reg` of GeomLoss `ot.solve_sample`, without the ½."""
    return 2 * eps


def beta(eps: float) -> float:
    """The inverse temperature of dot-product attention, also on the sphere."""
    return 1 / eps
