"""Kernel of attention: the weights of all pairs of tokens, held without forming them."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from ..special.shifted_exponential import bounded_exp, exponential


class Link(eqx.Module):
    """Link function: how scores become weights."""

    is_normalised: eqx.AbstractClassVar[bool]
    """Whether each row of weights is divided by its sum."""
    is_pointwise: ClassVar[bool] = False
    """Whether a weight depends on its own score alone, and not on its row."""
    is_exponential: ClassVar[bool] = False
    """Whether weights are exponentials of the scores, up to a factor of each row: fast sums rely on it."""
    is_shift_free: ClassVar[bool] = False
    """Whether a number added to a whole row of scores changes nothing, so that masses may enter as logarithms."""

    @abstractmethod
    def weigh(self, scores: Float[Array, "a b"], axis: int = -1) -> Float[Array, "a b"]:
        """Weights before masses, speakers along `axis`; scores of −inf are not heard and weigh nothing."""


class Exponential(Link):
    """Weights e^s of rows that are normalised afterwards, so any shift of a row is free."""

    is_normalised: ClassVar[bool] = True
    is_exponential: ClassVar[bool] = True
    is_shift_free: ClassVar[bool] = True

    def weigh(self, scores, axis=-1):
        # A row that hears nobody has only −inf; the finite shift keeps it 0/0 and so visibly NaN.
        top = jnp.max(scores, axis=axis, keepdims=True)
        return bounded_exp(scores - jax.lax.stop_gradient(jnp.where(jnp.isfinite(top), top, 0)))


class PlainExponential(Link):
    """Weights e^s without a normaliser."""

    is_normalised: ClassVar[bool] = False
    is_pointwise: ClassVar[bool] = True
    is_exponential: ClassVar[bool] = True

    def weigh(self, scores, axis=-1):
        return exponential(scores)


class Profile(eqx.Module):
    """Radial profile: the score of a pair as a function of its squared distance."""

    is_smooth: eqx.AbstractClassVar[bool]
    """Whether a squared distance with round-off is good enough: a square root near zero is not."""

    @abstractmethod
    def log(self, squared: Float[Array, "a b"]) -> Float[Array, "a b"]:
        """The logarithm of the weight at these squared distances."""

    def scores(self, one: Float[Array, "a k"], other: Float[Array, "b k"]) -> Float[Array, "a b"]:
        """The scores of all pairs."""
        if not self.is_smooth:
            return self.log(jnp.sum((one[:, None] - other[None]) ** 2, axis=-1))
        lengths = jnp.sum(one**2, axis=1)[:, None] + jnp.sum(other**2, axis=1)
        return self.log(jnp.maximum(lengths - 2 * one @ other.T, 0))


class Relation(eqx.Module):
    """Mask or position bias: what the positions of two tokens, not their values, say about who hears whom.

    `rows` and `columns` carry one entry per listener and per speaker, so that a tile of listeners can be cut out.
    """

    rows: eqx.AbstractVar[Array]
    columns: eqx.AbstractVar[Any]
    is_prefix: ClassVar[bool] = False
    """Whether token i is known to hear exactly the tokens up to itself."""

    @abstractmethod
    def bias(self, row: Array, column: Any) -> Float[Array, "t m"]:
        """Added to the score; −inf means not heard."""


class Kernel(eqx.Module):
    r"""The weights $m_j\,\varphi(\langle q_i, k_j\rangle + r_i + c_j + b_{ij})$, held in O(n + m) memory.

    `average` says what an unnormalised row is divided by: the mass it hears, or nothing. `is_symmetric` promises
    $\langle q_i, k_j\rangle = \langle q_j, k_i\rangle$. A `profile` makes the score a function of $|q_i - k_j|$ instead.
    """

    queries: Float[Array, "n k"]
    keys: Float[Array, "m k"]
    mass: Float[Array, "m"]
    link: Link
    row: Float[Array, "n"] | None = None
    column: Float[Array, "m"] | None = None
    relations: tuple[Relation, ...] = ()
    average: bool = eqx.field(static=True, default=True)
    is_symmetric: bool = eqx.field(static=True, default=False)
    profile: Profile | None = None

    @property
    def is_bilinear(self) -> bool:
        """Whether scores are inner products of queries and keys."""
        return self.profile is None

    def listeners(self):
        """Everything with one entry per listener, to be cut into tiles."""
        return self.queries, self.row, tuple(relation.rows for relation in self.relations)

    def scores(self, listeners) -> Float[Array, "t m"]:
        queries, row, places = listeners
        s = self._pairs(queries, self.keys)
        if row is not None:
            s = s + row[:, None]
        if self.column is not None:
            s = s + self.column
        for relation, place in zip(self.relations, places):
            s = s + relation.bias(place, relation.columns).astype(s.dtype)
        return s

    def turned_scores(self, queries: Float[Array, "t k"]) -> Float[Array, "m t"]:
        """Scores of rows without offsets or relations, a column for each listener."""
        s = self._pairs(self.keys, queries)
        return s if self.column is None else s + self.column[:, None]

    def _pairs(self, one, other):
        return one @ other.T if self.profile is None else self.profile.scores(one, other)

    def heard(self, scores: Float[Array, "t m"]) -> Bool[Array, "t m"]:
        return scores > -jnp.inf


def log_mass(mass: Float[Array, "m"]) -> Float[Array, "m"]:
    """Logarithms of the masses, −∞ for tokens of mass 0, with derivatives that stay finite."""
    return jnp.where(mass > 0, jnp.log(jnp.where(mass > 0, mass, 1)), -jnp.inf)
