from __future__ import annotations

from collections.abc import Sequence

from ..matrices import Schedule, Scheduled, as_matrix
from .base import Attention


class Heads(Attention):
    r"""Several rules side by side, each with its own value matrix.

    $$\sum_h V_h \int w_h(x, y)\, y\, d\mu(y)$$

    $V_h$ is the d × d product of a head's output and value matrices. Source: Geshkovski et al. 2023, section 12.
    """

    heads: tuple[tuple[Attention, Scheduled], ...]

    def __init__(self, heads: Sequence[tuple[Attention, object]]):
        if not heads:
            raise ValueError("Heads needs at least one (rule, V) pair")
        self.heads = tuple((rule, as_matrix(V, f"V of head {h}")) for h, (rule, V) in enumerate(heads))

    def kernel(self, x, mu):
        raise ValueError("several heads have no single kernel; ask each head for its own")

    def check(self, d, n):
        for h, (rule, V) in enumerate(self.heads):
            rule.check(d, n)
            if not isinstance(V, Schedule) and V.ndim == 2 and V.shape != (d, d):
                raise ValueError(f"V of head {h} has shape {V.shape}, but tokens have dimension {d}")

    def spread(self, d):
        return max(rule.spread(d) for rule, _ in self.heads)
