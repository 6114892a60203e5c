"""Attention on Gaussian prompts: blow-up, long-time limits and their rank, equilibria and their stability.

Also what norms alone give for any prompt: Lipschitz constants, stability in Wasserstein distance, mean-field rates.
Closed forms are in `gaussian.closed_forms`.
"""

from . import closed_forms
from .blow_up import BlowUp, blow_up
from .equilibria import equilibrium_residual, isotropic_lines, isotropic_subspace, largest_isotropic_rank
from .equilibrium_stability import line_stability, linear_stability
from .fate import Fate, fate_of
from .lipschitz import local_lipschitz
from .long_time import LongRun, long_time
from .mean_field import effective_share, mean_field_rate
from .stability_bounds import StabilityBound, stability_bound

__all__ = [
    "BlowUp", "Fate", "LongRun", "StabilityBound", "blow_up", "closed_forms", "effective_share", "equilibrium_residual",
    "fate_of", "isotropic_lines", "isotropic_subspace", "largest_isotropic_rank", "line_stability", "linear_stability",
    "local_lipschitz", "long_time", "mean_field_rate", "stability_bound",
]  # fmt: skip
