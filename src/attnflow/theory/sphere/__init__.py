"""Attention on the unit sphere: equiangular tokens, clusters and their merging, metastability, the uniform law, noise.

Steady states and minimisers of the energy are in `steady`, phase diagrams in `phase_diagram`. Where function names are short
(`growth`, `rate`, `cosine`) they are reached through their file, as in `sphere.uniform_law.growth`.
"""

from . import (
    equiangular,
    long_context,
    mean_shift,
    noisy_circle,
    noisy_sphere,
    random_layers,
    sharp_configurations,
    staircase,
    two_clusters,
    uniform_law,
)  # fmt: skip
from .caps import Caps, caps_of
from .causal_centres import renyi_centres, strong_centres
from .hemisphere import best_direction, wendel
from .interaction_energy import interaction_energy
from .steady import (
    cluster_rates,
    descend,
    dissipated_power,
    dissipation_balance,
    extremiser_table,
    gradient_layers,
    minimiser,
    stability,
    stationarity,
    steady_states,
    structure,
)  # fmt: skip
from .two_clusters import merging_time

__all__ = [
    "Caps", "best_direction", "caps_of", "cluster_rates", "descend", "dissipated_power", "dissipation_balance",
    "equiangular", "extremiser_table", "gradient_layers", "interaction_energy", "long_context", "mean_shift",
    "merging_time", "minimiser", "noisy_circle", "noisy_sphere", "random_layers", "renyi_centres", "sharp_configurations",
    "stability", "staircase", "stationarity", "steady_states", "strong_centres", "structure", "two_clusters", "uniform_law",
    "wendel",
]  # fmt: skip
