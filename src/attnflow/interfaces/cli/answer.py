"""What a command answers: data for machines, lines and tables for people, and an exit code."""

from __future__ import annotations

import json
import os
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ...experiments.scenario.plain import plain

PIPE = 110
"""Columns of a table that no terminal shows."""
KEY = 46
"""Up to this length the first cells of a table are names, and not broken."""


@dataclass(frozen=True)
class Table:
    title: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[Any]]


@dataclass(frozen=True)
class Answer:
    data: dict[str, Any]
    blocks: Sequence[str | Table] = field(default_factory=tuple)
    code: int = 0


def show(answer: Answer, *, in_json: bool, quiet: bool = False) -> None:
    if in_json:
        print(as_json(plain(answer.data), indent=2))
    elif not quiet:
        _print(answer.blocks)


def as_json(data: Any, indent: int | None = None) -> str:
    """JSON with letters as they are, where what reads it can take them."""
    is_wide = (sys.stdout.encoding or "").lower().startswith("utf")
    return json.dumps(data, indent=indent, ensure_ascii=not is_wide)


def _print(blocks: Sequence[str | Table]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table as Grid

    # On a pipe lines stay whole for other programs, and tables have room.
    console = Console(highlight=False, width=None if sys.stdout.isatty() or "COLUMNS" in os.environ else PIPE)
    for block in blocks:
        if isinstance(block, str):
            for line in block.split("\n"):
                line = shown(line)
                console.print(
                    line if not sys.stdout.isatty() else wrapped(line, console.width), markup=False, soft_wrap=True
                )
            continue
        if block.title:
            console.print(shown(block.title if block.rows else f"{block.title}: none yet"), markup=False)
        if not block.rows:
            continue
        grid = Grid(box=box.SIMPLE_HEAD)
        for place, column in enumerate(block.columns):
            is_key = place == 0 and max(len(_cell(row[0])) for row in block.rows) <= KEY
            grid.add_column(column, no_wrap=is_key, overflow="fold")
        for row in block.rows:
            grid.add_row(*[_cell(entry) for entry in row])
        console.print(grid)


def wrapped(line: str, width: int) -> str:
    """A line broken at words, with what follows set in below its first word."""
    inner = line.lstrip()
    lead = len(line) - len(inner)
    mark = len(inner) - len(inner.lstrip("•- "))
    return textwrap.fill(
        inner, width, initial_indent=line[:lead], subsequent_indent=" " * (lead + mark), break_on_hyphens=False,
        break_long_words=False,
    )  # fmt: skip


def _cell(entry) -> str:
    from rich.markup import escape

    return escape(f"{entry:.6g}" if isinstance(entry, float) else shown(str(entry)))


def shown(words: str) -> str:
    """What a terminal may be sent: titles and names of files can hold what would steer it."""
    return "".join(letter if letter.isprintable() or letter in "\n\t" else "?" for letter in words)


def numbers_in_words(numbers: dict[str, Any], most: int = 6) -> str:
    """A few numbers as `name = value`, long ones left out."""
    parts = []
    for name, value in plain(numbers).items():
        if name.endswith("_is") and name[:-3] in numbers:
            parts.append(f"{name[:-3]} = {value}")
        elif isinstance(value, float):
            parts.append(f"{name} = {value:.6g}")
        elif isinstance(value, bool | int | str):
            parts.append(f"{name} = {value}")
        elif isinstance(value, list) and len(value) <= 6 and all(isinstance(v, int | float) for v in value):
            parts.append(f"{name} = [{', '.join(f'{v:.4g}' for v in value)}]")
    return ", ".join(parts[:most])
