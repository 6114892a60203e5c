"""Consensus-based optimisation: attention that also listens to an objective."""

from .dictionary import consensus_of, gaussian_of_dot
from .dynamics import CBO, consensus, drift, step
from .minimise import Minimum, geometric, minimise
from .objectives import OBJECTIVES, Objective
