"""Attention as the temperature goes to zero: tokens stop interacting and follow a linear flow."""

from .laplace import laplace_bound, uniform_length
from .limit import LowTemperatureLimit
from .phases import (
    cluster_variance,
    first_collapse,
    heat_variance,
    mode_rate,
    pair_angle,
    pairing_time,
)
from .spectrum import DominantSpace, dominant_space
from .terminal import Terminal, terminal_phase
