"""Sinkhorn attention and the heat equation: entropic self-transport, Schrödinger bridges, scores, Gaussian mixtures.

`self_transport` solves one layer, `bridge` runs many; closed forms for Gaussians are in `heat.gaussian_transport`.
"""

from . import epsilon_conventions, gaussian_transport
from .bridge import BridgeFlow, bridge
from .mixture import GaussianMixture
from .score_field import ScoreField, score_field
from .self_transport import SelfTransport, self_transport
from .steps import Euler, Heat, Reverse, Strang, Surrogate, fokker_planck
from .swaps import swap_plan

__all__ = [
    "BridgeFlow", "Euler", "GaussianMixture", "Heat", "Reverse", "ScoreField", "SelfTransport", "Strang", "Surrogate",
    "bridge", "epsilon_conventions", "fokker_planck", "gaussian_transport", "score_field", "self_transport", "swap_plan",
]  # fmt: skip
