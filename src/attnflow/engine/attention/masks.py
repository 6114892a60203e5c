"""Masked attention: causal order, order of positions, tables, distance bias."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import equinox as eqx
import jax.numpy as jnp
import numpy as np

from ...errors import BadInput, quoted
from ..linalg.arguments import as_annotated, one_of
from ..linalg.matrices import as_array, as_number, is_concrete, is_count
from .base import Attention
from .relations import Distance, Order, Prefix, Table, Window


class Positional(Attention):
    """Rule under a mask or a bias that depends on the positions of tokens."""

    rule: eqx.AbstractVar[Attention]

    def check(self, d, n):
        self.rule.check(d, n)

    def bilinear_score(self):
        return self.rule.bilinear_score()

    def length_scale(self, d):
        return self.rule.length_scale(d)

    def is_affine(self):
        return self.rule.is_affine()

    def key_dimension(self, d):
        return self.rule.key_dimension(d)

    def why_not_mergeable(self):
        return "tokens under a mask or position bias are not exchangeable and cannot merge"

    def why_not_closed(self):
        name = type(self).__name__
        return f"{name} rules do not keep a Gaussian Gaussian; iid tokens move as under the rule without the mask"


class Masked(Positional):
    r"""Token i hears token j only if $s_j \le s_i$ (ties hear each other), or where a boolean table says so.

    Averages are over what is heard; `average="all"` divides unnormalised rules by the whole mass instead.
    Source: Castin et al. 2025 (arXiv 2501.18322), the measure on $[0,1]\times\mathbb R^d$.

    >>> import attnflow as af
    >>> mu = af.Particles([[1.0, 0.0], [0.0, 1.0]])
    >>> af.attention_matrix(af.Flow(af.Sphere(), af.Masked(af.Softmax(beta=0.0), positions=[1.0, 0.0])), mu).tolist()
    [[0.5, 0.5], [0.0, 1.0]]
    """

    rule: Attention
    positions: Any  # Float[Array, "n"], or None with a table
    table: Any  # Bool[Array, "n n"], or None with positions
    average: str = eqx.field(static=True)

    def __init__(self, rule: Attention, positions=None, *, table=None, average="heard"):
        if (positions is None) == (table is None):
            raise BadInput("Masked needs either positions or a boolean table")
        one_of(average, "average", ("heard", "all"))
        _check_rule(rule)
        self.rule, self.average = rule, average
        self.positions = None if positions is None else _positions(positions)
        self.table = None if table is None else _table(table)

    def kernel(self, x, mu):
        relation = Table(self.table) if self.positions is None else Order(self.positions, self.positions)
        return _masked(self.rule.kernel(x, mu), relation, self.average)

    def check(self, d, n):
        super().check(d, n)
        count = len(self.table if self.positions is None else self.positions)
        if count != n:
            raise BadInput(f"the mask is for {count} tokens, but there are {n}")

    def check_mass(self, mass):
        if not is_concrete(self, mass):
            return
        heard = np.asarray(mass) > 0
        by_table = self.table is not None
        _check_heard(~np.asarray(self.table)[:, heard].any(axis=1) if by_table else _deaf(self.positions, heard))

    def spread(self, d):
        return self.rule.spread(d)

    def conventions(self):
        visible = "s_j <= s_i, ties included" if self.table is None else "by table"
        return [*self.rule.conventions(), f"mask {visible}", _averages(self.average)]

    def constants(self, d):
        unmasked = self.rule.constants(d)
        return lambda R: unmasked(R)._replace(is_masked=True)


class Causal(Positional):
    """Token i hears tokens j ≤ i. Source: Karagodin, Polyanskiy, Rigollet 2024 (arXiv 2411.04990).

    >>> import attnflow as af
    >>> import numpy as np
    >>> mu = af.Particles([[1.0, 0.0], [0.0, 1.0]])
    >>> af.attention_matrix(af.Flow(af.Sphere(), af.Causal(af.Softmax(beta=np.log(3)))), mu).round(9).tolist()
    [[1.0, 0.0], [0.25, 0.75]]
    """

    rule: Attention
    average: str = eqx.field(static=True)

    def __init__(self, rule: Attention, *, average="heard"):
        one_of(average, "average", ("heard", "all"))
        _check_rule(rule)
        self.rule, self.average = rule, average

    def kernel(self, x, mu):
        return _masked(self.rule.kernel(x, mu), Prefix.of(mu.n), self.average)

    def check_mass(self, mass):
        if is_concrete(self, mass):
            _check_heard(_deaf(np.arange(len(mass)), np.asarray(mass) > 0))

    def spread(self, d):
        return self.rule.spread(d)

    def conventions(self):
        return [*self.rule.conventions(), "mask j <= i", _averages(self.average)]

    def constants(self, d):
        unmasked = self.rule.constants(d)
        return lambda R: unmasked(R)._replace(is_masked=True)


class Windowed(Positional):
    """Token i hears tokens less than `width` places away, and with `causal=True` only those up to itself.

    >>> import attnflow as af
    >>> mu = af.polygon(4)
    >>> af.attention_matrix(af.Flow(af.Sphere(), af.Windowed(af.Softmax(beta=0.0), 2)), mu).round(3).tolist()
    [[0.5, 0.5, 0.0, 0.0], [0.333, 0.333, 0.333, 0.0], [0.0, 0.333, 0.333, 0.333], [0.0, 0.0, 0.5, 0.5]]
    """

    rule: Attention
    width: int = eqx.field(static=True)
    is_causal: bool = eqx.field(static=True)

    @as_annotated
    def __init__(self, rule: Attention, width: int, *, causal: bool = False):
        _check_rule(rule)
        if not is_count(width, least=1, most=2**31 - 1):
            raise BadInput(f"width is a number of places, at least 1 (the token itself), got {quoted(width)}")
        self.rule, self.width, self.is_causal = rule, int(width), bool(causal)

    def kernel(self, x, mu):
        kernel = _masked(self.rule.kernel(x, mu), Window.of(mu.n, self.width), "heard")
        return _masked(kernel, Prefix.of(mu.n), "heard") if self.is_causal else kernel

    def check_mass(self, mass):
        if not is_concrete(self, mass):
            return
        heard, places = np.asarray(mass) > 0, np.arange(len(mass))
        near = np.abs(places[:, None] - places) < self.width
        if self.is_causal:
            near &= places <= places[:, None]
        _check_heard(~(near & heard).any(axis=1))

    def spread(self, d):
        return self.rule.spread(d)

    def conventions(self):
        return [*self.rule.conventions(), f"window of {self.width}{', causal' if self.is_causal else ''}"]


class Biased(Positional):
    r"""Scores are lowered by the distance of positions (ALiBi), $s - \text{slope}\,|s_i - s_j|$, or by a given table.

    >>> import attnflow as af
    >>> import numpy as np
    >>> mu = af.Particles([[1.0, 0.0], [0.0, 1.0]])
    >>> rule = af.Biased(af.Softmax(beta=0.0), slope=np.log(3))
    >>> af.attention_matrix(af.Flow(af.Sphere(), rule), mu).round(9).tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """

    rule: Attention
    slope: Any
    positions: Any
    table: Any

    def __init__(self, rule: Attention, slope=None, *, positions=None, table=None):
        if (slope is None) == (table is None):
            raise BadInput("Biased needs either a slope or a table of score offsets")
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
        super().check(d, n)
        given = self.positions if self.table is None else self.table
        if given is not None and given.shape != (n,) * given.ndim:
            raise BadInput(f"the bias has shape {given.shape}, but there are {n} tokens")

    def conventions(self):
        return [*self.rule.conventions(), "scores lowered by position"]


def _masked(kernel, relation, average: str):
    average_heard = kernel.average and average == "heard"
    return replace(kernel, relations=(*kernel.relations, relation), average=average_heard)


def _of_dimension(count: int, values, name: str):
    values = as_array(values, name)
    if values.ndim != count:
        wanted = "one number per token" if count == 1 else "a square array"
        raise BadInput(f"{name} must be {wanted}, got shape {values.shape}")
    return values


def _positions(positions):
    positions = _of_dimension(1, positions, "positions")
    if is_concrete(positions) and not np.all((np.asarray(positions) >= 0) & (np.asarray(positions) <= 1)):
        outside = next(s for s in np.asarray(positions) if not 0 <= s <= 1)
        raise BadInput(f"positions must lie in [0, 1], got {outside:g}; divide token indices by their number")
    return positions


def _table(table):
    try:
        table = jnp.asarray(table)
    except (TypeError, ValueError, OverflowError):
        raise BadInput(f"table must be a square boolean array, got {quoted(table)}") from None
    if table.dtype != bool or table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise BadInput(f"table must be a square boolean array, got {table.dtype} of shape {table.shape}")
    if is_concrete(table) and not np.asarray(table).any(axis=1).all():
        deaf = int(np.flatnonzero(~np.asarray(table).any(axis=1))[0])
        raise BadInput(f"the mask leaves token {deaf} nothing to hear")
    return table


def _averages(average: str) -> str:
    return f"averages over {'what is heard' if average == 'heard' else 'all'}"


def _deaf(places, heard):
    """Tokens placed before every token that has mass."""
    return np.asarray(places) < np.asarray(places)[heard].min()


def _check_heard(is_deaf) -> None:
    if is_deaf.any():
        token = int(np.argmax(is_deaf))
        raise BadInput(f"the mask leaves token {token} only tokens of mass 0 to hear; put padding at the end")


def _check_rule(rule):
    if not isinstance(rule, Attention):
        raise BadInput(f"a mask or bias is put on a rule such as Softmax(), got {quoted(rule)}")
    if (reason := rule.why_not_maskable()) is not None:
        raise BadInput(reason)
