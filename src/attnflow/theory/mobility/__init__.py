"""Optimal transport with nonlocal mobility 1/K_μ (Benamou–Brenier): the geometry of softmax attention as a gradient flow.

`transport_distance` finds shortest paths between tokens or densities on the circle and tokens on spheres; `flux_bound` is an
upper bound without a search; `dirac_length` and `splitting_onset` are closed forms for one atom.
"""

from .bound import flux_bound
from .dirac import dirac_length, splitting_onset
from .distance import Geodesic, transport_distance

__all__ = ["Geodesic", "dirac_length", "flux_bound", "splitting_onset", "transport_distance"]
