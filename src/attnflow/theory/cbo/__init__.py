"""Consensus-based optimisation: interacting particles that minimise a function, as attention with an objective.

`CBO` holds the dynamics, `minimise` runs it, `OBJECTIVES` are test functions with known minima.
"""

from .dictionary import consensus_of, gaussian_of_dot
from .dynamics import CBO, consensus, drift, step
from .minimise import Minimum, geometric, minimise
from .objectives import OBJECTIVES, Objective

__all__ = [
    "CBO", "OBJECTIVES", "Minimum", "Objective", "consensus", "consensus_of", "drift", "gaussian_of_dot", "geometric",
    "minimise", "step",
]  # fmt: skip
