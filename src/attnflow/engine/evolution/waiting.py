"""Long runs that ask between their steps whether anybody still waits for them.

A compiled program cannot be stopped from outside, so it calls back; JAX keeps no such program on disk.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from weakref import WeakValueDictionary

import jax
import numpy as np

PAUSE = 0.5
"""Seconds between two questions."""
_NUMBERS = itertools.count()
_KNOWN: WeakValueDictionary[int, Waiting] = WeakValueDictionary()


class Waiting:
    """Somebody who waits for a run: `ask` raises when nobody does any more, and the run raises the same."""

    def __init__(self, ask: Callable[[], object]):
        self.ask, self.number, self.asked = ask, next(_NUMBERS), time.monotonic()
        self.error: BaseException | None = None
        _KNOWN[self.number] = self

    def is_over(self) -> bool:
        if self.error is None and time.monotonic() - self.asked >= PAUSE:
            try:
                self.ask()
            except BaseException as error:
                self.error = error
            self.asked = time.monotonic()
        return self.error is not None


def is_over(number, t):
    """Inside a compiled run at time t: whether the one of that number has ceased to wait."""
    return jax.pure_callback(_is_over, jax.ShapeDtypeStruct((), bool), number, t, vmap_method="sequential")


def _is_over(number, t) -> np.bool_:
    found = _KNOWN.get(int(number))
    return np.bool_(found is None or found.is_over())


def check(number) -> None:
    """After a run: raise what ended it, if nobody waited any more."""
    found = _KNOWN.get(int(number))
    if found is not None and found.error is not None:
        raise found.error
