from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import jax
import jax.numpy as jnp

from ..errors import BadInput
from ..linalg.matrices import Schedule, Scheduled, as_matrix, dense, times
from .base import Attention
from .constants import summed


class Heads(Attention):
    r"""Several rules side by side, each with its own value matrix.

    $$\sum_h V_h \int w_h(x, y)\, y\, d\mu(y)$$

    $V_h$ is a d × d matrix, or a pair (W_h, V_h) of a head's output (d × k) and value (k × d) matrices, which are
    multiplied. Source: Geshkovski et al. 2023, section 12; Castin et al. 2025 (arXiv 2501.18322).
    """

    heads: tuple[tuple[Attention, Scheduled], ...]

    def __init__(self, heads: Sequence[tuple[Attention, object]]):
        if not heads:
            raise BadInput("Heads needs at least one (rule, V) pair")
        self.heads = tuple(_head(pair, h) for h, pair in enumerate(heads))

    def parts(self):
        return tuple(rule for rule, _ in self.heads)

    def kernel(self, x, mu):
        raise BadInput("several heads have no single kernel; ask each head for its own")

    def check(self, d, n):
        for h, (rule, V) in enumerate(self.heads):
            rule.check(d, n)
            if not isinstance(V, Schedule) and V.ndim == 2 and V.shape != (d, d):
                raise BadInput(f"V of head {h} has shape {V.shape}, but tokens have dimension {d}")

    def check_mass(self, mass):
        for rule in self.parts():
            rule.check_mass(mass)

    def spread(self, d):
        return max(rule.spread(d) for rule in self.parts())

    def barycentre(self, x, mu, *, summation):
        return _sum(times(V, rule.barycentre(x, mu, summation=summation)) for rule, V in self.heads)

    def matrix(self, mu):
        return jnp.stack([rule.matrix(mu) for rule in self.parts()])

    def conventions(self):
        return [f"head {h}: " + ", ".join(rule.conventions()) for h, rule in enumerate(self.parts())]

    def why_not_maskable(self):
        return "several heads cannot share a mask: mask each head, Heads([(Causal(rule), V), …])"

    def why_not_mergeable(self):
        return next(filter(None, (rule.why_not_mergeable() for rule in self.parts())), None)

    def why_not_closed(self):
        return next(filter(None, (rule.why_not_closed() for rule in self.parts())), None)

    def gaussian_field(self, mean, L, X=None):
        return _sum(rule.gaussian_field(mean, L, X).through(V) for rule, V in self.heads)

    def gaussian_barycentre(self, mean, cov, x):
        return _sum(times(V, rule.gaussian_barycentre(mean, cov, x)) for rule, V in self.heads)

    def projected_field(self, mean, L):
        return _sum(rule.projected_field(mean, L).through(V) for rule, V in self.heads)

    def is_integrable(self, mean, L):
        return jnp.all(jnp.stack([rule.is_integrable(mean, L) for rule in self.parts()]))

    def energy(self, mu, *, convention, summation):
        return sum(rule.energy(mu, convention=convention, summation=summation) for rule in self.parts())

    def constants(self, d):
        sizes = [float(jnp.linalg.norm(dense(V, d), ord=2)) for _, V in self.heads]
        known = [(rule.constants(d), V) for rule, V in zip(self.parts(), sizes)]
        return lambda R: summed([of_rule(R).times(V) for of_rule, V in known])


def _sum(parts):
    """The sum of arrays, or of fields entry by entry."""
    return jax.tree.map(lambda *entries: reduce(jnp.add, entries), *parts)


def _head(pair, h: int) -> tuple[Attention, Scheduled]:
    if not isinstance(pair, Sequence) or len(pair) != 2 or not isinstance(pair[0], Attention):
        raise BadInput(f"head {h} must be a pair (rule, V) such as (Softmax(), 1.0), got {pair!r}")
    return pair[0], _output(pair[1], h)


def _output(V, h: int) -> Scheduled:
    if not isinstance(V, tuple):
        return as_matrix(V, f"V of head {h}")
    if len(V) != 2:
        raise BadInput(f"head {h} takes one matrix or a pair (W, V), got {len(V)} matrices")
    W, V = as_matrix(V[0], f"W of head {h}", square=False), as_matrix(V[1], f"V of head {h}", square=False)
    if isinstance(W, Schedule) or isinstance(V, Schedule):
        raise BadInput(f"W and V of head {h} depend on time: give their product as one function of t")
    if W.ndim == V.ndim == 2 and (W.shape[1] != V.shape[0] or W.shape[0] != V.shape[1]):
        raise BadInput(f"W (d × k) and V (k × d) of head {h} do not fit: shapes {W.shape} and {V.shape}")
    return as_matrix(W @ V if W.ndim == V.ndim == 2 else W * V, f"W V of head {h}")
