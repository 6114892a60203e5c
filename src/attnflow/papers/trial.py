"""Trials of a statement: attempts to violate it, and how wrong its number may be before they notice.

Trials remember their ratio as a function of that number (`stated`), so nothing is simulated again: the number is scaled by
1 ± s, and s bisected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Trial:
    """One attempt: by how much the conclusion was violated (above 1: it fails), where and how long."""

    ratio: float
    horizon: float = 0.0
    example: str = ""
    is_inside: bool = True
    """Whether the hypotheses held."""


@dataclass(frozen=True)
class Hunt:
    """Trials of a statement, for a seed and an effort."""

    trials: Callable[[int, int], list[Trial]]
    law: str = ""
    parts: tuple[Hunt, ...] = ()
    """Hunts of several kinds, of which this one is made."""


class Ratio(float):
    """A violation ratio that also knows what it would be were the number of the statement wrong."""

    at: Callable[[float], float]
    """The ratio for a number `factor` times as large."""


def stated(at: Callable[[float], float]) -> Ratio:
    """The ratio of a statement with a number, from what it is for a number `factor` times as large."""
    ratio = Ratio(at(1.0))
    ratio.at = at
    return ratio


def bounded(seen, bound) -> Ratio:
    """That all of what is seen is at most the bound, which is the number of the statement."""
    return stated(lambda factor: float(np.max(np.divide(seen, factor * np.asarray(bound)))))


def equal(seen, told, room) -> Ratio:
    """That all of what is seen is what the statement tells, up to the room."""
    return stated(lambda factor: float(np.max(np.abs(seen - factor * np.asarray(told)) / room)))


def close(seen, told, share) -> Ratio:
    """That all of what is seen is what the statement tells, up to a share of it."""
    return stated(lambda factor: float(np.max(np.abs(np.divide(seen, factor * np.asarray(told)) - 1) / share)))


def worst_ratio(*ratios) -> float:
    """The largest of numbers or arrays: a violation whatever else is unknown, else NaN if one is (`max` would drop it)."""
    if any(isinstance(ratio, Ratio) for ratio in ratios):
        return stated(lambda factor: worst_ratio(*(r.at(factor) if isinstance(r, Ratio) else r for r in ratios)))
    known = np.concatenate([np.ravel(ratio) for ratio in ratios]).astype(float)
    largest = float(np.fmax.reduce(known, initial=-np.inf))
    return largest if largest > 1 or not np.isnan(known).any() else float("nan")


# ---- sensitivity ------------------------------------------------------------------------------------------------------

FINEST = -16.0
"""The logarithm of the smallest error that is tried: about the rounding of a number."""
HALVINGS = 16
"""Of the sixteen decades up to 100 %: s is known to half a thousandth of itself."""


def sensitivity(trials: Iterable[Trial]) -> float | None:
    """The least s so that a number off by s is refuted, to whichever side it makes the statement stronger.

    Infinite where 100 % are not noticed; None where the statement has no number, or no trial of it could tell.
    """
    ratios = [t.ratio for t in trials if t.is_inside and isinstance(t.ratio, Ratio) and not np.isnan(t.ratio)]
    with np.errstate(all="ignore"):
        sides = [_noticed(ratios, sign) for sign in (-1, 1) if _opposes(ratios, sign)]
    return max(sides) if sides else np.inf if ratios else None


def _opposes(ratios: list[Ratio], sign: int) -> bool:
    """Whether a number that is off to this side agrees less with the trials; a bound that is looser agrees more."""
    return any(_off(r, sign, 1.0) > max(ratios) for r in ratios)


def _off(ratio: Ratio, sign: int, size: float) -> float:
    """The ratio for a number that is off by this size; a number of 0 would divide by it."""
    return ratio.at(max(1 + sign * size, np.finfo(float).tiny))


def _noticed(ratios: list[Ratio], sign: int) -> float:
    """The least error to one side that refutes: only what notices an error can notice a smaller one."""
    low, high, left = FINEST, 0.0, [r for r in ratios if _off(r, sign, 1.0) > 1]
    if not left:
        return np.inf
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        found = [r for r in left if _off(r, sign, 10**middle) > 1]
        left, low, high = (found, low, middle) if found else (left, middle, high)
    return 10**high


def in_words(noticed: float | None) -> str:
    """How large an error of its number a hunt needs to notice it."""
    return "no number" if noticed is None else f"{100 * noticed:.2g} %" if noticed < np.inf else "more than 100 %"
