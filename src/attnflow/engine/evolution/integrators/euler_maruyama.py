"""Euler–Maruyama steps of many noisy runs, of which only a number per step is kept.

diffrax draws its noise from a Brownian tree, one walk through the tree for every step of every run, so that the steps may
adapt; for fixed steps independent draws are the same law at a fraction of the cost.
"""

from __future__ import annotations

from collections.abc import Callable

import jax


def euler_maruyama(drift: Callable, y0, *, step, spread, key, count: int):
    r"""What is seen at each of `count` steps $y \leftarrow y + h\,a(y) + s\,\xi$ with spread s; `drift(y)` gives (a, seen)."""

    def advance(y, key):
        a, seen = drift(y)
        return y + step * a + spread * jax.random.normal(key, y.shape, y.dtype), seen

    return jax.lax.scan(advance, y0, jax.random.split(key, count))[1]
