"""How values of a scenario are read: each reader returns a clean value or says in one line what is possible."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable
from dataclasses import field, fields
from difflib import get_close_matches
from inspect import Parameter, signature
from typing import Any, TypeVar

from ...errors import BadInput, quoted

Reader = Callable[[Any, str], Any]
T = TypeVar("T")


def about(reader: Reader, /, **what: Any) -> Reader:
    """The reader, knowing what it reads; the schema is made from that."""
    reader.about = what  # pyright: ignore[reportFunctionMemberAccess]
    return reader


def part(read: Reader, default: Any = None) -> Any:
    """A field of a section, with the reader of its values."""
    return field(default=default, metadata={"read": read})


def section(cls: type[T]) -> Reader:
    """A reader of tables whose keys are the fields of a frozen dataclass."""

    def read(value, place) -> T:
        readers = {f.name: f.metadata["read"] for f in fields(cls) if "read" in f.metadata}  # type: ignore[arg-type]
        table = as_table(value, place)
        refuse_unknown(table, readers, place)
        return cls(**{key: readers[key](entry, join(place, key)) for key, entry in table.items()})

    return about(read, kind="section", cls=cls)


def join(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def bad(place: str, value, need: str, *, most: int = 60) -> BadInput:
    return BadInput(f"{place or '(no name)'} = {shown(value, most)}: {need}")


def shown(value, most: int = 60) -> str:
    """A value as a user wrote it, cut to a line."""
    try:
        words = {True: "true", False: "false"}[value] if isinstance(value, bool) else repr(value).replace("'", '"')
    except (ValueError, RecursionError):  # integers of thousands of digits, endless nesting
        return "something very long"
    return words if len(words) <= most else words[: most - 3] + "…"


def refuse_unknown(table: dict, known: Iterable[str], place: str) -> None:
    known = list(known)
    for key, value in table.items():
        if key not in known:
            owner = f"[{place}] takes" if place else "a scenario takes"
            raise bad(join(place, key), value, f"unknown key{meant(key, known)}; {owner} {listed(known)}", most=40)


def listed(names: Iterable[str]) -> str:
    """Names with commas between them, as many as a line holds."""
    words = ", ".join(names)
    return words if len(words) <= 80 else f"{words[:80].rpartition(', ')[0]}, …"


def meant(word: str, known: Iterable[str]) -> str:
    """A hint at the nearest known word."""
    by_lower = {name.lower(): name for name in known}
    near = get_close_matches(str(word).lower(), by_lower, n=1, cutoff=0.6)
    return f" (did you mean {by_lower[near[0]]}?)" if near else ""


def as_table(value, place: str) -> dict:
    if not isinstance(value, dict):
        raise bad(place or "scenario", value, f"must be a table of keys, write [{place}]")
    return value


def text(value, place):
    if not isinstance(value, str):
        raise bad(place, value, "must be text in quotes")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise bad(
            place, value, "must be text in UTF-8, which no result can be stored without; rename files and folders"
        )
    return value


def flag(value, place):
    if not isinstance(value, bool):
        raise bad(place, value, "must be true or false")
    return value


def number(value, place):
    if isinstance(value, bool) or not isinstance(value, int | float) or not _is_finite(value):
        raise bad(place, value, "must be a finite number")
    return float(value)


def _is_finite(value: int | float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def positive(value, place):
    if number(value, place) <= 0:
        raise bad(place, value, "must be a positive number")
    return float(value)


def integer(value, place):
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 2**63:
        raise bad(place, value, "must be a whole number below 2⁶³")
    return value


def whole(value, place):
    """A count: 1, 2, …"""
    if integer(value, place) < 1:
        raise bad(place, value, "must be a whole number of at least 1")
    return value


def numbers(value, place):
    if not isinstance(value, list | tuple) or not value:
        raise bad(place, value, "must be a list of numbers")
    return tuple(number(entry, f"{place}[{i}]") for i, entry in enumerate(value))


def rows(value, place):
    """A matrix written as a list of rows of equal length."""
    if not isinstance(value, list | tuple) or not value or not all(isinstance(row, list | tuple) for row in value):
        raise bad(place, value, "must be a list of rows, [[…], […]]")
    out = tuple(numbers(row, f"{place}[{i}]") for i, row in enumerate(value))
    if len({len(row) for row in out}) > 1:
        raise bad(place, value, f"rows have different lengths {[len(row) for row in out]}")
    return out


def truths(value, place):
    """A square table of truth values (who hears whom) or of numbers (offsets of scores)."""
    if isinstance(value, list | tuple) and value and all(isinstance(row, list | tuple) for row in value):
        if all(isinstance(entry, bool) for row in value for entry in row):
            return tuple(tuple(row) for row in value)
        return rows(value, place)
    raise bad(place, value, "must be a square table of true/false or of numbers")


def choice(*names: str) -> Reader:
    return one_of(names)


def one_of(names: Collection[str]) -> Reader:
    """One of some names; they may be the keys of a table that users add to."""

    def read(value, place):
        if not isinstance(value, str) or value not in names:
            raise bad(place, value, f"must be one of {listed(names)}{meant(value, names)}")
        return value

    return about(read, kind="choice", names=names)


def either(*readers: Reader, need: str) -> Reader:
    """The first reader that accepts the value."""

    def read(value, place):
        for reader in readers:
            try:
                return reader(value, place)
            except BadInput:
                continue
        raise bad(place, value, f"must be {need}")

    return about(read, kind="either", readers=readers)


def many(reader: Reader) -> Reader:
    def read(value, place):
        if not isinstance(value, list | tuple):
            raise bad(place, value, "must be a list")
        return tuple(reader(entry, f"{place}[{i}]") for i, entry in enumerate(value))

    return about(read, kind="many", reader=reader)


def parameters_of(function: Callable) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names a function takes, without its seed, and those it cannot do without."""
    try:
        taken = signature(function).parameters.values()
    except (TypeError, ValueError):
        raise BadInput(f"a class or function whose arguments can be seen is needed, got {quoted(function)}") from None
    known = [p for p in taken if p.name != "seed" and p.kind is not Parameter.VAR_KEYWORD]
    return tuple(p.name for p in known), tuple(p.name for p in known if p.default is Parameter.empty)


def check_new(name: str, taken: Collection[str]) -> None:
    """Refuse a name that cannot be written in a scenario or is taken."""
    if not isinstance(name, str) or not name.isidentifier() or name in taken:
        raise BadInput(
            f"{quoted(name)} cannot be registered: choose a plain word that is not taken ({', '.join(taken)})"
        )
