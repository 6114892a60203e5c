"""Hemispheres that contain all tokens: Wendel's probability, and the best direction by linear programming."""

from __future__ import annotations

import numpy as np
from jax.typing import ArrayLike
from scipy.optimize import linprog
from scipy.special import bdtr

from ...engine.linalg.arguments import as_annotated, shaped
from ...errors import BadInput


@as_annotated
def wendel(n: int, d: int) -> float:
    r"""The probability that n uniform tokens lie in one hemisphere of $S^{d-1}$.

    $$2^{-(n-1)}\sum_{k<d}\binom{n-1}{k}$$

    Source: Wendel 1962; arXiv 2312.10794, theorem 6.7.
    """
    if n > 1000:
        return float(bdtr(d - 1, n - 1, 0.5))
    ways, total = 1, 0
    for k in range(min(d, n)):
        total += ways
        ways = ways * (n - 1 - k) // (k + 1)
    return total / 2 ** (n - 1)


@as_annotated
def best_direction(x: ArrayLike) -> tuple[np.ndarray, float]:
    r"""A direction w with $\min_i\langle x_i, w\rangle$ largest in the unit box, and that minimum for |w| = 1.

    The minimum is positive exactly when all tokens lie in an open hemisphere.
    """
    x = shaped(x, "x", "n d")
    d = x.shape[1]
    rows = np.hstack([-x, np.ones((len(x), 1))])
    found = linprog(np.append(np.zeros(d), -1), A_ub=rows, b_ub=np.zeros(len(x)), bounds=[(-1, 1)] * d + [(None, None)])
    if found.x is None:
        raise BadInput("no direction was found: tokens are too large or too small for linear programming; scale them")
    w = found.x[:d]
    size = np.linalg.norm(w)
    if size == 0:
        return w, 0.0
    return w / size, float(np.min(x @ w) / size)
