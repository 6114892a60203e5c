"""Sweep files: a scenario in TOML with a table [sweep] that says its axes and what is measured."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...engine.files.sealed import read_data
from ...engine.linalg.array_files import regular
from ...errors import BadInput, as_path
from ..scenario import Scenario, from_dict
from ..scenario.reading import as_table, bad, refuse_unknown, shown
from ..scenario.toml import MOST_BYTES, beside, shallow

MARK = "sweep.json"
"""The file that makes a folder one of a sweep."""
LONGEST = 1e9
"""Seconds of a budget: more than thirty years are none."""
KEYS = ("axes", "paired", "measure", "repeat", "budget", "theory")


@dataclass(frozen=True)
class Asked:
    """What a sweep file asks for."""

    axes: dict[str, Any] = field(default_factory=dict)
    paired: list[list[str]] = field(default_factory=list)
    measure: list[str] = field(default_factory=lambda: ["clusters"])
    repeat: int | None = None
    budget: float | None = None
    theory: dict[str, str] = field(default_factory=dict)


def read_sweep_file(path: Path) -> tuple[Scenario, Asked]:
    """The scenario of a file, and its table [sweep] (which may be missing: axes can come from the command line)."""
    path = regular(path, most=MOST_BYTES)
    try:
        table = shallow(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise BadInput(f"{path}: cannot be read: {str(error)[:100]}") from None
    asked = table.pop("sweep", {})
    try:
        return from_dict(beside(table, path.parent)), read_asked(asked, path.parent)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None


def read_asked(table, folder: Path) -> Asked:
    table = dict(as_table(table, "sweep"))
    refuse_unknown(table, KEYS, "sweep")
    if "axes" in table:
        table["axes"] = beside(as_table(table["axes"], "sweep.axes"), folder)
    if "measure" in table:
        table["measure"] = _texts(table["measure"], "sweep.measure")
        table["measure"] = [_beside(words, folder) for words in table["measure"]]
    if "paired" in table:
        pairs = table["paired"] if isinstance(table["paired"], list) else [table["paired"]]
        table["paired"] = [_texts(pair, "sweep.paired") for pair in pairs]
    if "budget" in table:
        table["budget"] = seconds_of(table["budget"], "sweep.budget")
    if "theory" in table:
        as_table(table["theory"], "sweep.theory")
    return Asked(**table)


def _texts(value, place: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise bad(place, value, 'must be a list of texts, ["…", "…"]')
    return value


def _beside(words: str, folder: Path) -> str:
    return str((folder / as_path(words)).resolve()) if ".py:" in words else words


def seconds_of(words, place: str) -> float:
    """A length of time: 90, "90s", "10m", "2h"."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d*)?)\s*([smh]?)\s*", str(words)) if not isinstance(words, bool) else None
    if match is None or not 0 < float(match[1]) <= LONGEST:
        raise BadInput(f"{place} = {shown(words)}: must be a length of time such as 90s, 10m or 2h")
    return float(match[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[match[2]]


def read_about(folder: Path) -> dict[str, Any] | None:
    """What the mark of a sweep says; None where it is damaged."""
    return read_data(folder / MARK, of=MARK)
