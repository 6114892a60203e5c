"""Long-time limits of rescaled tokens $z = e^{-tV}x$ in R^d, certified (Geshkovski et al. 2023).

`classify` says which theorem the spectrum of V allows; `limit` integrates until a proof closes. Polytopes and their limit set
S, hyperplanes of a simple eigenvalue, and closed forms in one dimension have a file each.
"""

from .limit import limit
from .one_dimension import escape_level, exceptional_row, pair_limit, repelled_pair, symmetric_triple_limit
from .polytope import enumerate_limits, is_possible_limit
from .result import Certificate, Limit
from .value_matrix import ValueMatrix, classify

__all__ = [
    "Certificate", "Limit", "ValueMatrix", "classify", "enumerate_limits", "escape_level", "exceptional_row",
    "is_possible_limit", "limit", "pair_limit", "repelled_pair", "symmetric_triple_limit",
]  # fmt: skip
