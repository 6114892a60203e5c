r"""Conventions for ε: cost ½|x−y|², kernel $e^{-|x-y|^2/(2\varepsilon)}$, and the same number in other libraries."""

from __future__ import annotations

import numpy as np

from ...engine.linalg.arguments import as_annotated, inside


@as_annotated
def pot_reg(eps: float) -> float:
    """`reg` of POT with "sqeuclidean" costs, which carry no ½."""
    return 2 * inside(eps, "eps", above=0)


@as_annotated
def ott_epsilon(eps: float) -> float:
    """`epsilon` of OTT with `SqEuclidean` costs, which carry no ½."""
    return 2 * inside(eps, "eps", above=0)


@as_annotated
def geomloss_blur(eps: float) -> float:
    """`blur` of GeomLoss `SamplesLoss("sinkhorn", p=2)`, whose cost carries the ½."""
    return float(np.sqrt(inside(eps, "eps", above=0)))


@as_annotated
def geomloss_reg(eps: float) -> float:
    """`reg` of GeomLoss `ot.solve_sample`, without the ½."""
    return 2 * inside(eps, "eps", above=0)


@as_annotated
def beta(eps: float) -> float:
    """The inverse temperature of dot-product attention, also on the sphere."""
    return 1 / inside(eps, "eps", least=1e-300)
