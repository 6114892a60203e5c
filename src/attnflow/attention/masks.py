"""Who may hear whom, whatever the tokens say: causal order, positions, tables, distance bias."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from ..kernel import Relation
from ..matrices import as_array, as_number, is_concrete
from .base import Attention
from .heads import Heads
from .sinkhorn import Sinkhorn


class Order(Relation):
    """Heard are the tokens at positions not after one's own."""

    rows: Array
    columns: Array

    def bias(self, row, column):
        return jnp.where(column[None, :] <= row[:, None], 0.0, -jnp.inf)


class Prefix(Order):
    """The order of the tokens themselves."""

    is_prefix: ClassVar[bool] = True

    @staticmethod
    def of(n: int) -> Prefix:
        return Prefix(jnp.arange(n), jnp.arange(n))


class Table(Relation):
    """Heard is what a table of truth values, or of score offsets, says."""

    rows: Array
    columns: None = None

    def bias(self, row, column):
        return jnp.where(row, 0.0, -jnp.inf) if row.dtype == bool else row


class NotSelf(Relation):
    rows: Array
    columns: Array

    @staticmethod
    def of(n: int) -> NotSelf:
        return NotSelf(jnp.arange(n), jnp.arange(n))

    def bias(self, row, column):
        return jnp.where(column[None, :] == row[:, None], -jnp.inf, 0.0)


class Distance(Relation):
    rows: Array
    columns: Array
    slope: Array

    def bias(self, row, column):
        return -self.slope * jnp.abs(row[:, None] - column[None, :])


class Masked(Attention):
    r"""Token i hears token j only if $s_j \le s_i$ (ties hear each other), or where a boolean table says so.

    Averages are over what is heard; `average="all"` divides unnormalised rules by the whole mass instead.
    Source: Castin et al. 2025 (arXiv 2501.18322), the measure on $[0,1]\times\mathbb R^d$.
    """

    rule: Attention
    positions: Any  # Float[Array, "n"], or None with a table
    table: Any  # Bool[Array, "n n"], or None with positions
    average: str = eqx.field(static=True)

    def __init__(self, rule: Attention, positions=None, *, table=None, average="heard"):
        if (positions is None) == (table is None):
            raise ValueError("Masked needs either positions or a boolean table")
        if average not in ("heard", "all"):
            raise ValueError(f'average must be "heard" or "all", got {average!r}')
        _check_rule(rule)
        self.rule, self.average = rule, average
        self.positions = None if positions is None else _positions(positions)
        self.table = None if table is None else _table(table)

    def kernel(self, x, mu):
        relation = Table(self.table) if self.positions is None else Order(self.positions, self.positions)
        return _masked(self.rule.kernel(x, mu), relation, self.average)

    def check(self, d, n):
        self.rule.check(d, n)
        count = len(self.table if self.positions is None else self.positions)
        if count != n:
            raise ValueError(f"the mask is for {count} tokens, but there are {n}")

    def spread(self, d):
        return self.rule.spread(d)


class Causal(Attention):
    """Token i hears tokens j ≤ i. Source: Karagodin, Polyanskiy, Rigollet 2024 (arXiv 2411.04990)."""

    rule: Attention
    average: str = eqx.field(static=True)

    def __init__(self, rule: Attention, *, average="heard"):
        if average not in ("heard", "all"):
            raise ValueError(f'average must be "heard" or "all", got {average!r}')
        _check_rule(rule)
        self.rule, self.average = rule, average

    def kernel(self, x, mu):
        return _masked(self.rule.kernel(x, mu), Prefix.of(mu.n), self.average)

    def check(self, d, n):
        self.rule.check(d, n)

    def spread(self, d):
        return self.rule.spread(d)


class Biased(Attention):
    r"""Scores are lowered by the distance of positions (ALiBi), $s - \text{slope}\,|s_i - s_j|$, or by a given table."""

    rule: Attention
    slope: Any
    positions: Any
    table: Any

    def __init__(self, rule: Attention, slope=None, *, positions=None, table=None):
        if (slope is None) == (table is None):
            raise ValueError("Biased needs either a slope or a table of score offsets")
        _check_rule(rule)
        self.rule = rule
        self.slope = None if slope is None else as_number(slope, "slope")
        self.positions = None if positions is None else _of_dimension(1, positions, "positions")
        self.table = None if table is None else _of_dimension(2, table, "table")

    def kernel(self, x, mu):
        kernel = self.rule.kernel(x, mu)
        return replace(kernel, relations=(*kernel.relations, self._relation(mu.n)))

    def _relation(self, n):
        if self.table is not None:
            return Table(self.table)
        places = jnp.arange(n, dtype=jnp.result_type(float)) if self.positions is None else self.positions
        return Distance(places, places, self.slope)

    def check(self, d, n):
        self.rule.check(d, n)
        given = self.positions if self.table is None else self.table
        if given is not None and given.shape != (n,) * given.ndim:
            raise ValueError(f"the bias has shape {given.shape}, but there are {n} tokens")


def _masked(kernel, relation, average: str):
    average_heard = kernel.average and average == "heard"
    return replace(kernel, relations=(*kernel.relations, relation), average=average_heard)


def _of_dimension(count: int, values, name: str):
    values = as_array(values, name)
    if values.ndim != count:
        wanted = "one number per token" if count == 1 else "a square array"
        raise ValueError(f"{name} must be {wanted}, got shape {values.shape}")
    return values


def _positions(positions):
    positions = _of_dimension(1, positions, "positions")
    if is_concrete(positions) and not np.all((np.asarray(positions) >= 0) & (np.asarray(positions) <= 1)):
        outside = next(s for s in np.asarray(positions) if not 0 <= s <= 1)
        raise ValueError(f"positions must lie in [0, 1], got {outside:g}; divide token indices by their number")
    return positions


def _table(table):
    table = jnp.asarray(table)
    if table.dtype != bool or table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise ValueError(f"table must be a square boolean array, got {table.dtype} of shape {table.shape}")
    if is_concrete(table) and not np.asarray(table).any(axis=1).all():
        deaf = int(np.flatnonzero(~np.asarray(table).any(axis=1))[0])
        raise ValueError(f"the mask leaves token {deaf} nothing to hear")
    return table


def check_heard(rule: Attention, mass) -> None:
    """Raise a clear ValueError when a mask and tokens of mass 0 together leave a token nothing to hear."""
    if isinstance(rule, Heads):
        for head, _ in rule.heads:
            check_heard(head, mass)
    if not isinstance(rule, Causal | Masked) or not is_concrete(rule, mass) or bool(np.all(np.asarray(mass) > 0)):
        return
    heard, n = np.asarray(mass) > 0, len(mass)
    if isinstance(rule, Masked) and rule.table is not None:
        is_deaf = ~np.asarray(rule.table)[:, heard].any(axis=1)
    else:
        places = np.arange(n) if isinstance(rule, Causal) else np.asarray(rule.positions)
        is_deaf = places < places[heard].min()
    if is_deaf.any():
        token = int(np.argmax(is_deaf))
        raise ValueError(f"the mask leaves token {token} only tokens of mass 0 to hear; put padding at the end")


def _check_rule(rule):
    if not isinstance(rule, Attention):
        raise ValueError(f"a mask or bias is put on a rule such as Softmax(), got {rule!r}")
    if isinstance(rule, Heads):
        raise ValueError("several heads cannot share a mask: mask each head, Heads([(Causal(rule), V), …])")
    if isinstance(rule, Sinkhorn):
        raise ValueError(
            "Sinkhorn attention cannot be masked: no triangular matrix but the identity is doubly stochastic"
        )
