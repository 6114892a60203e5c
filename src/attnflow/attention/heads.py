from __future__ import annotations

from collections.abc import Sequence

from ..matrices import Schedule, Scheduled, as_matrix
from .base import Attention


class Heads(Attention):
    r"""Several rules side by side, each with its own value matrix.

    $$\sum_h V_h \int w_h(x, y)\, y\, d\mu(y)$$

    $V_h$ is a d × d matrix, or a pair (W_h, V_h) of a head's output (d × k) and value (k × d) matrices, which are
    multiplied. Source: Geshkovski et al. 2023, section 12; Castin et al. 2025 (arXiv 2501.18322).
    """

    heads: tuple[tuple[Attention, Scheduled], ...]

    def __init__(self, heads: Sequence[tuple[Attention, object]]):
        if not heads:
            raise ValueError("Heads needs at least one (rule, V) pair")
        self.heads = tuple(_head(pair, h) for h, pair in enumerate(heads))

    def kernel(self, x, mu):
        raise ValueError("several heads have no single kernel; ask each head for its own")

    def check(self, d, n):
        for h, (rule, V) in enumerate(self.heads):
            rule.check(d, n)
            if not isinstance(V, Schedule) and V.ndim == 2 and V.shape != (d, d):
                raise ValueError(f"V of head {h} has shape {V.shape}, but tokens have dimension {d}")

    def spread(self, d):
        return max(rule.spread(d) for rule, _ in self.heads)


def _head(pair, h: int) -> tuple[Attention, Scheduled]:
    if not isinstance(pair, Sequence) or len(pair) != 2 or not isinstance(pair[0], Attention):
        raise ValueError(f"head {h} must be a pair (rule, V) such as (Softmax(), 1.0), got {pair!r}")
    return pair[0], _output(pair[1], h)


def _output(V, h: int) -> Scheduled:
    if not isinstance(V, tuple):
        return as_matrix(V, f"V of head {h}")
    if len(V) != 2:
        raise ValueError(f"head {h} takes one matrix or a pair (W, V), got {len(V)} matrices")
    W, V = as_matrix(V[0], f"W of head {h}", square=False), as_matrix(V[1], f"V of head {h}", square=False)
    if isinstance(W, Schedule) or isinstance(V, Schedule):
        raise ValueError(f"W and V of head {h} depend on time: give their product as one function of t")
    if W.ndim == V.ndim == 2 and (W.shape[1] != V.shape[0] or W.shape[0] != V.shape[1]):
        raise ValueError(f"W (d × k) and V (k × d) of head {h} do not fit: shapes {W.shape} and {V.shape}")
    return as_matrix(W @ V if W.ndim == V.ndim == 2 else W * V, f"W V of head {h}")
