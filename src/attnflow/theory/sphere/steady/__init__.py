"""Steady states of attention on the sphere and extremisers of the interaction energy (Burger et al. 2025).

What B predicts, linear stability, minimisers with certificates, and gradient layers that descend or ascend the energy.
"""

from .dissipation import dissipated_power, dissipation_balance
from .extremisers import extremiser_table
from .gradient_structure import structure
from .layer_scheme import gradient_layers
from .minimiser import minimiser
from .particle_descent import descend
from .predicted_states import steady_states
from .residual import stationarity
from .state_stability import cluster_rates, stability

__all__ = [
    "cluster_rates",
    "descend",
    "dissipated_power",
    "dissipation_balance",
    "extremiser_table",
    "gradient_layers",
    "minimiser",
    "stability",
    "stationarity",
    "steady_states",
    "structure",
]
