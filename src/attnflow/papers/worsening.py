"""The worst trial made worse: CMA-ES on the numbers that it drew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np

from .draws import Draws

T = TypeVar("T")

FAR = 3.0
"""The search stays within so many deviations of what a trial may draw."""
FIRST = 0.3
"""The size of first changes, in deviations."""
GROUP = 6
"""Changes that are compared with each other: few, since steps are."""
WORST = 1e30
"""Stands for a trial outside the hypotheses or that could not tell; the search goes elsewhere."""


def worsened(
    one: Callable[[Draws], T], start: Draws, *, badness: Callable[[T], float], steps: int, enough: float = np.inf
) -> Iterator[T]:
    """`one` on changes of what `start` drew, ever worse, until one is worse than enough.

    A variance for every number of its own, as few steps in many numbers can learn no more: on the hunts of the register
    this finds worse trials than random draws, than all variances and covariances, and than a (1+1) strategy.
    """
    from cmaes import SepCMA  # late: it takes seconds to import, and only hunts need it

    place = np.clip(start.place, -FAR, FAR)
    if not len(place):
        return
    # The package wants two numbers at least: one alone gets an idle companion.
    mean, seed = np.append(place, np.zeros(max(0, 2 - len(place)))), int(start.rng.integers(2**31))
    bounds = np.tile([-FAR, FAR], (len(mean), 1))
    search = SepCMA(mean=mean, sigma=FIRST, bounds=bounds, population_size=GROUP, seed=seed)
    group: list[tuple[np.ndarray, float]] = []
    for _ in range(steps):
        point = search.ask()
        attempt = one(start.at(point[: len(place)]))
        yield attempt
        bad = badness(attempt)
        if bad > enough:
            return
        group.append((point, -bad if np.isfinite(bad) else WORST))
        if len(group) == GROUP:
            search.tell(group)
            group = []
