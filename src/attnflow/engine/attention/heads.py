from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ...errors import BadInput, quoted
from ..linalg.matrices import Schedule, Scheduled, as_array, as_matrix, dense, times
from .base import Attention
from .constants import summed


class Factored(eqx.Module):
    r"""Values of a head as it was trained, $x \mapsto W(Vx + c)$: its d × d product is never formed in a sum."""

    W: Float[Array, "d v"]
    V: Float[Array, "v d"]
    c: Any = None  # Float[Array, "v"] | None

    @property
    def matrix(self) -> Float[Array, "d d"]:
        """The product W V."""
        return self.W @ self.V

    def values(self, x: Float[Array, "n d"]) -> Float[Array, "n v"]:
        rows = times(self.V, x)
        return rows if self.c is None else rows + self.c.astype(x.dtype)


def product_of(V) -> Scheduled:
    """The value matrix of a head, whichever way it is kept."""
    return V.matrix if isinstance(V, Factored) else V


class Heads(Attention):
    r"""Several rules side by side, each with its own value matrix.

    $$\sum_h V_h \int w_h(x, y)\, y\, d\mu(y)$$

    $V_h$ is a d × d matrix, a pair (W_h, V_h) of a head's output (d × v) and value (v × d) matrices, or a triple with an
    offset of its values, $W_h(V_h y + c_h)$; pairs stay factored. `offset` is added to the sum of all heads.
    Source: Geshkovski et al. 2023, section 12; Castin et al. 2025 (arXiv 2501.18322).

    >>> import attnflow as af
    >>> mu = af.Particles([[1.0, 0.0], [0.0, 1.0]])
    >>> flow = af.Flow(af.Sphere(), af.Heads([(af.Softmax(), 1.0), (af.Hardmax(), -0.5)]))
    >>> af.attention_matrix(flow, mu).shape, af.velocity(flow, mu).shape
    ((2, 2, 2), (2, 2))
    """

    heads: tuple[tuple[Attention, Any], ...]
    offset: Any

    def __init__(self, heads: Sequence[tuple[Attention, object]], *, offset=None):
        if not isinstance(heads, list | tuple) or not heads:
            raise BadInput(f"Heads takes a list of at least one (rule, V) pair, got {quoted(heads)}")
        self.heads = tuple(_head(pair, h) for h, pair in enumerate(heads))
        self.offset = None if offset is None else as_array(offset, "offset")

    def parts(self):
        return tuple(rule for rule, _ in self.heads)

    def kernel(self, x, mu):
        raise BadInput("several heads have no single kernel; ask each head for its own")

    def check(self, d, n):
        for h, (rule, V) in enumerate(self.heads):
            rule.check(d, n)
            if isinstance(V, Schedule):
                continue
            shape = (V.W.shape[0], V.V.shape[1]) if isinstance(V, Factored) else V.shape
            if shape not in ((), (d, d)):
                raise BadInput(f"V of head {h} has shape {shape}, but tokens have dimension {d}")
        if self.offset is not None and self.offset.shape != (d,):
            raise BadInput(f"the offset of the heads has shape {self.offset.shape}, but tokens have dimension {d}")

    def check_mass(self, mass):
        for rule in self.parts():
            rule.check_mass(mass)

    def spread(self, d):
        return max(rule.spread(d) for rule in self.parts())

    def is_affine(self):
        return any(rule.is_affine() for rule in self.parts())

    def barycentre(self, x, mu, *, summation):
        if len(self.heads) > 1 and _are_alike(self.heads):
            said = _in_turn(self.heads, x, mu, summation)
        else:
            said = _sum(_says(rule, V, x, mu, summation) for rule, V in self.heads)
        return said if self.offset is None else said + self.offset.astype(x.dtype)

    def matrix(self, mu):
        return jnp.stack([rule.matrix(mu) for rule in self.parts()])

    def conventions(self):
        return [f"head {h}: " + ", ".join(rule.conventions()) for h, rule in enumerate(self.parts())]

    def why_not_maskable(self):
        return "several heads cannot share a mask: mask each head, Heads([(Causal(rule), V), …])"

    def why_not_mergeable(self):
        return next(filter(None, (rule.why_not_mergeable() for rule in self.parts())), None)

    def why_not_closed(self):
        if self.offset is not None or any(isinstance(V, Factored) and V.c is not None for _, V in self.heads):
            return "no theory of Gaussian prompts here takes offsets of values"
        return next(filter(None, (rule.why_not_closed() for rule in self.parts())), None)

    def gaussian_field(self, mean, L, X=None):
        return _sum(rule.gaussian_field(mean, L, X).through(product_of(V)) for rule, V in self.heads)

    def gaussian_barycentre(self, mean, cov, x):
        return _sum(times(product_of(V), rule.gaussian_barycentre(mean, cov, x)) for rule, V in self.heads)

    def projected_field(self, mean, L):
        return _sum(rule.projected_field(mean, L).through(product_of(V)) for rule, V in self.heads)

    def is_integrable(self, mean, L):
        return jnp.all(jnp.stack([rule.is_integrable(mean, L) for rule in self.parts()]))

    def energy(self, mu, *, convention, summation):
        return sum(rule.energy(mu, convention=convention, summation=summation) for rule in self.parts())

    def constants(self, d):
        sizes = [float(jnp.linalg.norm(dense(product_of(V), d), ord=2)) for _, V in self.heads]
        known = [(rule.constants(d), V) for rule, V in zip(self.parts(), sizes)]
        return lambda R: summed([of_rule(R).times(V) for of_rule, V in known])


def _says(rule, V, x, mu, summation):
    """What one head adds: values are projected before the sum where that makes them shorter."""
    if isinstance(V, Factored):
        return summation.sum(rule.kernel(x, mu), V.values(mu.x)) @ V.W.T.astype(x.dtype)
    return times(V, rule.barycentre(x, mu, summation=summation))


def _are_alike(heads) -> bool:
    """Whether heads differ in numbers alone, so that one program serves all."""
    return all(isinstance(V, Factored) for _, V in heads) and all(_shape(head) == _shape(heads[0]) for head in heads)


def _shape(head):
    """What a head is but for its numbers: shapes and kinds of arrays, and everything else as it is."""
    leaves, structure = jax.tree.flatten(head)
    return [(a.shape, a.dtype) if eqx.is_array(a) else a for a in leaves], structure


def _in_turn(heads, x, mu, summation):
    """Heads after one another: side by side (vmap) is twice as slow on CPUs."""
    numbers, rest = zip(*(eqx.partition(head, eqx.is_array) for head in heads))
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *numbers)

    def one(head):
        rule, V = eqx.combine(head, rest[0])
        return summation.sum(rule.kernel(x, mu), V.values(mu.x))

    said = jnp.moveaxis(jax.lax.map(one, stacked), 0, 1).reshape(len(x), -1)
    return said @ jnp.moveaxis(stacked[1].W, 2, 1).reshape(said.shape[1], -1).astype(x.dtype)


def _sum(parts):
    """The sum of arrays, or of fields entry by entry."""
    return jax.tree.map(lambda *entries: reduce(jnp.add, entries), *parts)


def _head(pair, h: int) -> tuple[Attention, Any]:
    if not isinstance(pair, Sequence) or len(pair) != 2 or not isinstance(pair[0], Attention):
        raise BadInput(f"head {h} must be a pair (rule, V) such as (Softmax(), 1.0), got {quoted(pair)}")
    return pair[0], _output(pair[1], h)


def _output(V, h: int) -> Any:
    if isinstance(V, Factored):
        return V
    if not isinstance(V, tuple):
        return as_matrix(V, f"V of head {h}")
    if len(V) not in (2, 3):
        raise BadInput(f"head {h} takes one matrix, a pair (W, V) or a triple (W, V, c), got {len(V)} entries")
    W, M = as_matrix(V[0], f"W of head {h}", square=False), as_matrix(V[1], f"V of head {h}", square=False)
    c = as_array(V[2], f"c of head {h}") if len(V) == 3 and V[2] is not None else None
    if isinstance(W, Schedule) or isinstance(M, Schedule):
        raise BadInput(f"W and V of head {h} depend on time: give their product as one function of t")
    if c is None and (W.ndim == 0 or M.ndim == 0):
        return as_matrix(W * M, f"W V of head {h}")
    if W.ndim != 2 or M.ndim != 2 or W.shape[1] != M.shape[0] or W.shape[0] != M.shape[1]:
        raise BadInput(f"W (d × v) and V (v × d) of head {h} do not fit: shapes {W.shape} and {M.shape}")
    if c is not None and c.shape != (M.shape[0],):
        raise BadInput(f"c of head {h} must have {M.shape[0]} entries, got shape {c.shape}")
    return Factored(W, M, c)
