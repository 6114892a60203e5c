"""Axes of a sweep: keys of a scenario, the values each takes, and which of them go together."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from ...errors import BadInput
from ..scenario import Scenario, from_dict, to_dict
from ..scenario.reading import meant, shown

FORMS = ("values", "linspace", "logspace", "range")
MOST_VALUES = 10**6
"""Of one axis."""


@dataclass(frozen=True)
class Axis:
    """One dimension of a sweep: a key of the scenario and its values; several keys where they go together."""

    keys: tuple[str, ...]
    values: tuple[tuple[Any, ...], ...]
    """For every key, as many values."""

    @property
    def name(self) -> str:
        return self.keys[0]

    def __len__(self) -> int:
        return len(self.values[0])

    def at(self, index: int) -> dict[str, Any]:
        return {key: values[index] for key, values in zip(self.keys, self.values)}


def read_axes(
    table: Mapping[str, Any], *, paired: Iterable[Iterable[str]] = (), repeat: int | None = None, seed: int = 0
) -> list[Axis]:
    """The axes of a table of keys and values; `paired` keys go together, `repeat` adds so many seeds."""
    found = {key: _values(value, key) for key, value in _flat(table).items()}
    groups = [tuple(group) if isinstance(group, list | tuple) else (group,) for group in paired]
    if not all(groups):
        raise BadInput("paired: a pair has no keys")
    for key in (key for group in groups for key in group):
        if not isinstance(key, str) or key not in found:
            raise BadInput(f"paired: {key} is no axis{meant(str(key), found)}; there are {', '.join(found) or 'none'}")
    if repeat is not None:
        if "seed" in found:
            raise BadInput("repeat and an axis seed say the same twice; give one of them")
        if not isinstance(repeat, int) or isinstance(repeat, bool) or repeat < 1:
            raise BadInput(f"repeat = {shown(repeat)}: must be a whole number of at least 1")
        found["seed"] = tuple(range(seed, seed + repeat))
    members = {key for group in groups for key in group}
    if len(members) < sum(len(group) for group in groups):
        raise BadInput("paired: a key stands in two pairs")
    axes = [_together(group, found) for group in groups]
    axes += [Axis((key,), (values,)) for key, values in found.items() if key not in members]
    if not axes:
        raise BadInput("a sweep needs at least one axis, e.g. --over attention.beta=1:9:9")
    # Along the last axis cells are neighbours in a batch: seeds take nearly equally long.
    return sorted(axes, key=lambda axis: axis.name == "seed")


def _together(group, found) -> Axis:
    lengths = [len(found[key]) for key in group]
    if len(set(lengths)) > 1:
        raise BadInput(f"paired axes {', '.join(group)} have different lengths {lengths}")
    return Axis(group, tuple(found[key] for key in group))


def _flat(table: Mapping[str, Any], place: str = "") -> dict[str, Any]:
    """Nested tables, as TOML makes them of dotted keys, as one table of dotted keys."""
    out: dict[str, Any] = {}
    for key, value in table.items():
        name = f"{place}.{key}" if place else str(key)
        if isinstance(value, Mapping) and not any(form in value for form in FORMS):
            out |= _flat(value, name)
        else:
            out[name] = value
    return out


def _too_many(key: str) -> BadInput:
    return BadInput(f"axis {key} has too many values; at most {MOST_VALUES:,} are taken")


def _values(value, key: str) -> tuple[Any, ...]:
    if isinstance(value, Mapping):
        value = _of_form(value, key)
    elif isinstance(value, str):
        value = read_span(value, key)
    if not isinstance(value, Iterable):
        raise BadInput(f"axis {key} = {shown(value)}: must be a list of values, or a table {{linspace = [1, 9, 9]}}")
    values = tuple(plain(one) for one in islice(value, MOST_VALUES + 1))
    if len(values) > MOST_VALUES:
        raise _too_many(key)
    if not values:
        raise BadInput(f"axis {key} has no values")
    if any(isinstance(one, int) and abs(one) >= 2**63 for one in values):
        raise BadInput(f"axis {key} has a whole number beyond 64 bits")
    if len({repr(one) for one in values}) < len(values):
        raise BadInput(f"axis {key} has a value twice")
    return values


def plain(value) -> Any:
    """Numbers of NumPy and JAX as those of Python, so that they can be written as JSON."""
    return value.tolist() if hasattr(value, "tolist") else value


def _of_form(table: Mapping[str, Any], key: str):
    form = next(form for form in FORMS if form in table)
    given = table[form]
    if len(table) > 1:
        raise BadInput(f"axis {key}: one of {', '.join(FORMS)} says its values, not {len(table)} keys")
    if form == "values":
        return given
    is_short = not isinstance(given, list | tuple) or not all(isinstance(one, int | float) for one in given)
    if is_short or len(given) not in ((3,) if form != "range" else (1, 2, 3)):
        need = "[first, last, count]" if form != "range" else "[start, stop]"
        raise BadInput(f"axis {key}: {form} = {shown(given)}: must be {need}")
    return _spaced(form, list(given), key)


def _spaced(form: str, given: list, key: str):
    count = given[2] if form != "range" else (max(given[:2]) if len(given) > 1 else given[0])
    if not all(isinstance(one, int) for one in (given if form == "range" else given[2:])) or count < 1:
        raise BadInput(f"axis {key}: {form} = {shown(given)}: counts must be whole numbers of at least 1")
    if not all(abs(one) < 2**63 for one in given):
        raise BadInput(f"axis {key}: {form} = {shown(given)}: numbers must lie within 64 bits")
    if count > MOST_VALUES and form != "range":
        raise _too_many(key)
    if form == "range":
        return _values(range(*given), key)
    if form == "logspace" and not (given[0] > 0 and given[1] > 0):
        raise BadInput(f"axis {key}: logspace = {shown(given)}: ends are the first and last value and must be positive")
    return (np.geomspace if form == "logspace" else np.linspace)(*given).tolist()


def read_span(words: str, key: str):
    """`1:9:9` is a linspace, `log:0.1:100:7` a logspace, `0:32` a range, `1,2,4` or `[…]` a list."""
    if ":" not in words:
        return _listed(words)
    is_log = words.startswith("log:")
    try:
        numbers = [_number(part) for part in words.removeprefix("log:").split(":")]
    except ValueError:
        numbers = []
    if len(numbers) not in (2, 3) or (is_log and len(numbers) == 2):
        raise BadInput(f"axis {key} = {shown(words)}: write 1:9:9 (first:last:count), 0:32, log:1:100:7 or 1,2,4")
    form = "logspace" if is_log else "linspace" if len(numbers) == 3 else "range"
    return _of_form({form: numbers}, key)


def _listed(words: str):
    """A list in TOML, with or without its brackets, or bare words between commas."""
    for attempt in (words, f"[{words}]"):
        try:
            value = tomllib.loads(f"value = {attempt}")["value"]
        except (ValueError, RecursionError):  # no TOML, an integer of thousands of digits, endless nesting
            continue
        if isinstance(value, list):
            return value
    return [word.strip() for word in words.split(",")]


def _number(word: str) -> int | float:
    return int(word) if word.strip().lstrip("+-").isdigit() else float(word)


def read_over(settings: Iterable[str]) -> dict[str, Any]:
    """The axes that `--over key=values` name."""
    out = {}
    for setting in settings:
        key, equals, words = setting.partition("=")
        if not equals or not key.strip() or not words.strip():
            raise BadInput(f"--over {setting}: write key=values, for example attention.beta=1:9:9")
        out[key.strip()] = words.strip()
    return out


# ---- cells ------------------------------------------------------------------------------------------------------------


def read_cell(table: dict[str, Any], overrides: dict[str, Any]) -> Scenario:
    try:
        return from_dict(table)
    except BadInput as error:
        key = next((key for key in overrides if str(error).startswith(key)), None)
        words = f"axis {error}" if key else str(error)
        raise BadInput(words if len(words) <= 200 else f"{words[:199]}…") from None


def changed(table: dict[str, Any], overrides: dict[str, Any]) -> dict[str, Any]:
    """The scenario with values put at dotted keys."""
    out = json.loads(json.dumps(table))
    for key, value in overrides.items():
        *path, last = key.split(".")
        place = out
        for name in path:
            place = place.setdefault(name, {})
            if not isinstance(place, dict):
                raise BadInput(f"axis {key}: {name} = {shown(place)} is not a table")
        place[last] = value
    return out


def first_and_last(scenario: Scenario, axes: list[Axis]) -> list[Scenario]:
    """Two cells of a sweep, read before the engine is there."""
    cells = [{key: value for axis in axes for key, value in axis.at(place).items()} for place in (0, -1)]
    return [read_cell(changed(to_dict(scenario), cell), cell) for cell in cells]
