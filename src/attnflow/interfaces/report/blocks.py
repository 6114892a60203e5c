"""Blocks that a report is made of, whatever it is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Block:
    """A piece of a report: kind is one of title, heading, text, items, table, symbols, formula, picture, player, code,
    claims, folded."""

    kind: str
    content: Any
    caption: str = ""


@dataclass(frozen=True)
class Cell:
    """A verdict in a table, which links to its claim in the appendix."""

    outcome: str
    claim: str = ""
