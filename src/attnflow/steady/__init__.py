"""States that do not move: what B predicts, how stable it is, and the measures of least energy."""

from .dissipation import dissipated_power, dissipation_balance
from .find import steady_states
from .minimiser import minimiser
from .residual import stationarity
from .score_matrix import structure
from .stability import cluster_rates, stability

__all__ = [
    "cluster_rates",
    "dissipated_power",
    "dissipation_balance",
    "minimiser",
    "stability",
    "stationarity",
    "steady_states",
    "structure",
]
