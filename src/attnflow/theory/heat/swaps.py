"""Discrete Schrödinger bridge by random swaps: a stochastic relative of the Sinkhorn plan, not equal to it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jax.typing import ArrayLike
from scipy.spatial.distance import cdist

from ...engine.linalg.arguments import as_annotated, inside, shaped


@dataclass(frozen=True)
class SwapPlan:
    """The average permutation matrix and the cost along the walk."""

    matrix: np.ndarray
    cost: np.ndarray


@as_annotated
def swap_plan(
    x: ArrayLike, eps: float, *, swaps: int = 500_000, burn_in: int = 10_000, seed: int = 0, record: int = 1000
) -> SwapPlan:
    r"""Average permutations drawn with probability proportional to $e^{-\sum_i c(x_i, x_{s_i})/\varepsilon}$.

    A swap of $s_i, s_j$ is accepted with probability min(1, $e^{D/\varepsilon}$), where D is the cost it saves.
    Source: simulation code of Agarwal et al. 2024, with the cost ½|x−y|².
    """
    inside(eps, "eps", above=0)
    inside(record, "record", least=1)
    inside(burn_in, "burn_in", least=0)
    inside(swaps, "swaps", above=burn_in)
    x = shaped(x, "x", "n d")
    rng, n = np.random.default_rng(seed), len(x)
    C = cdist(x, x, "sqeuclidean") / 2
    s, since = np.arange(n), np.zeros(n)
    total, cost = np.zeros((n, n)), []
    first, second = rng.integers(n, size=swaps), rng.integers(n, size=swaps)
    gains = -eps * np.log(rng.random(swaps))
    now = 0.0
    for k in range(swaps):
        i, j = first[k], second[k]
        saved = C[i, s[i]] + C[j, s[j]] - C[i, s[j]] - C[j, s[i]]
        if saved >= -gains[k] and i != j:
            for a in (i, j):
                total[a, s[a]] += max(0, k - max(since[a], burn_in))
                since[a] = k
            s[i], s[j] = s[j], s[i]
            now -= saved
        if k % record == 0:
            cost.append(now / n)
    for a in range(n):
        total[a, s[a]] += max(0, swaps - max(since[a], burn_in))
    return SwapPlan(total / (swaps - burn_in), np.array(cost))
