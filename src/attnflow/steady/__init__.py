"""States that do not move: what B predicts, how stable it is, and the measures of least energy."""

from .dissipation import dissipated_power, dissipation_balance
from .find import steady_states
from .minimiser import minimiser
from .particles import descend
from .residual import stationarity
from .scheme import gradient_layers
from .score_matrix import structure
from .stability import cluster_rates, stability
from .table import extremiser_table

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
