"""Sums in single precision for tokens in double, checked at every sum: twice as fast, and right to some 1e-8.

A token's own weight is often the largest, and rounding errors grow with partial sums: it is added afterwards, in double
precision, and so is the mean of all tokens.
"""

from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from .accuracy import listeners_at
from .columns import columns_of, means_of, scaled
from .kernel import Kernel
from .pairwise import is_pairwise, sums_of_others
from .tiled import SQUARE_TILE, Tiled, for_all_members, prepare

SAMPLE = 64
"""Listeners whose sums are done in double precision too."""

SAFETY = 2.0
"""The largest error of all listeners over that of the sample: 1.0 to 2.1 from uniform tokens to one cluster."""


class Single(eqx.Module):
    """Sums in single precision, or exact ones where a sample of them errs by more than `tol`.

    Errors along a token's own value do not count: on the sphere they move nothing, where V is a number.
    """

    tol: float = eqx.field(static=True)
    exact: Tiled = Tiled()

    def sum(self, kernel: Kernel, values: Float[Array, "m c"]) -> Float[Array, "n c"]:
        if not can_round(kernel):
            return self.exact.sum(kernel, values)
        rounded = _rounded_sum(prepare(kernel, True), values)
        n = len(values)
        places = (jnp.arange(SAMPLE) * n) // SAMPLE
        truth = self.exact.sum(listeners_at(kernel, places), values)
        error = SAFETY * _largest_across(rounded[places] - truth, values[places]) / jnp.max(jnp.abs(values))
        return jax.lax.cond(for_all_members(error <= self.tol), lambda: rounded, lambda: self.exact.sum(kernel, values))


def _largest_across(errors, values):
    """The largest entry of errors at right angles to values."""
    along = jnp.sum(errors * values, axis=1) / jnp.sum(values**2, axis=1)
    return jnp.max(jnp.abs(errors - along[:, None] * values))


def can_round(kernel: Kernel) -> bool:
    """Whether a kernel is a symmetric softmax of tokens among themselves, in double precision."""
    plain = prepare(kernel, True)
    is_square = kernel.is_symmetric and len(kernel.queries) == len(kernel.keys) >= SAMPLE
    return kernel.keys.dtype == jnp.float64 and is_square and is_pairwise(plain) and not plain.relations


def _rounded_sum(kernel: Kernel, values):
    centre = jnp.mean(values, axis=0)
    columns = scaled(columns_of(values - centre), kernel.mass)
    rounded, spoken = jax.tree.map(lambda a: a.astype(jnp.float32), (kernel, columns))
    others = sums_of_others(rounded, spoken, SQUARE_TILE)
    own = kernel.link.weigh(jnp.sum(kernel.queries * kernel.keys, axis=1))
    return centre + means_of(jax.tree.map(lambda a, b: a.astype(b.dtype) + b, others, scaled(columns, own)))
