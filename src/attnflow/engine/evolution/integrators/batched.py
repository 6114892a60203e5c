"""Batches of runs of unequal length in one compiled call.

diffrax under `vmap` steps until the slowest run of the whole batch has ended; here that holds for small groups only.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp


def abreast(run, starts):
    """All runs, a group at a time: a long run then holds up only its group."""
    leaf = jax.tree.leaves(starts)[-1]
    count, size = leaf.shape[0], leaf[0].size
    together = min(count, max(10, min(200, 150_000 // size**3)))
    # Repeated runs fill the last group, so that one size of group is compiled.
    filled = jax.tree.map(lambda a: jnp.concatenate([a, a[: -count % together]]), starts)
    return jax.tree.map(lambda a: a[:count], jax.lax.map(run, filled, batch_size=together))
