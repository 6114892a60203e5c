"""Trials of a statement: attempts to violate it."""

from __future__ import annotations

from collections.abc import Callable
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
