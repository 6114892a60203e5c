"""Flows that are called many times from outside: taken apart once, since that takes longer than small sums."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import equinox as eqx
import jax


def repeated(function: Callable, flow) -> Callable:
    """function(flow, …) as a compiled function of the rest; `function` must be one that stays the same for all flows."""
    leaves, tree = jax.tree.flatten(flow)
    is_array = [eqx.is_array(leaf) for leaf in leaves]
    arrays = [leaf for leaf, is_one in zip(leaves, is_array) if is_one]
    known = tree, tuple(None if is_one else leaf for leaf, is_one in zip(leaves, is_array)), tuple(is_array)
    return lambda *args: _called(function, known, arrays, *args)


@partial(jax.jit, static_argnums=(0, 1))
def _called(function, known, arrays, *args):
    (tree, others, is_array), left = known, iter(arrays)
    leaves = [next(left) if is_one else other for other, is_one in zip(others, is_array)]
    return function(jax.tree.unflatten(tree, leaves), *args)
