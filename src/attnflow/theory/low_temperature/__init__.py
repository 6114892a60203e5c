"""Attention as β → ∞: tokens stop interacting and follow a linear flow to a target measure; then heat, pairing, merging.

`LowTemperatureLimit` is that flow in closed form, `check_concentration` and `recognise_phases` compare runs with it.
"""

from .backward_heat import cluster_variance, first_collapse, heat_variance
from .concentration import check_concentration
from .dominant_space import DominantSpace, dominant_space
from .laplace import laplace_bound, uniform_length
from .linear_flow import LowTemperatureLimit
from .recognise import recognise_phases
from .terminal import Terminal, terminal_phase

__all__ = [
    "DominantSpace", "LowTemperatureLimit", "Terminal", "check_concentration", "cluster_variance", "dominant_space",
    "first_collapse", "heat_variance", "laplace_bound", "recognise_phases", "terminal_phase", "uniform_length",
]  # fmt: skip
