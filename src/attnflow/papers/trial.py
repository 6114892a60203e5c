"""Trials of a statement: attempts to violate it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


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
