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


def worst_ratio(*ratios) -> float:
    """The largest of numbers or arrays: a violation whatever else is unknown, else NaN if one is (`max` would drop it)."""
    known = np.concatenate([np.ravel(ratio) for ratio in ratios]).astype(float)
    largest = float(np.fmax.reduce(known, initial=-np.inf))
    return largest if largest > 1 or not np.isnan(known).any() else float("nan")
