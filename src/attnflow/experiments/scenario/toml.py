"""Scenarios as TOML text; the standard library reads it and only writing is ours."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from ...engine.linalg.array_files import regular
from ...errors import BadInput, as_path, quoted
from .data import Scenario, from_dict, to_dict
from .reading import shown
from .tokens import KINDS

MOST_BYTES = 2**24
"""A scenario is a page of text; anything beyond this is something else."""

DEEPEST = 50
"""Tables and lists inside each other; dotted keys may nest without a limit."""


def load(path: str | Path) -> Scenario:
    """Read a scenario file; files it names are looked for beside it."""
    path = regular(path, most=MOST_BYTES)
    try:
        words = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    try:
        return from_dict(beside(_table(words), path.parent))
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None


def loads(words: str) -> Scenario:
    return from_dict(_table(words))


def _table(words: str) -> dict:
    if not isinstance(words, str):
        raise BadInput(f"a scenario is read from TOML text, got {quoted(words)}")
    try:
        return shallow(tomllib.loads(words))
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"not TOML: {error}") from None
    except (RecursionError, ValueError, OverflowError) as error:
        raise BadInput(f"cannot be read: {_reason(error)}") from None


def shallow(table: Any) -> Any:
    """The table itself, if what is inside each other is no deeper than any scenario needs."""
    layer = [table]
    for _ in range(DEEPEST):
        boxes = [box.values() if isinstance(box, dict) else box for box in layer if isinstance(box, dict | list)]
        layer = [entry for box in boxes for entry in box]
    if layer:
        raise RecursionError("nested too deeply")
    return table


def _reason(error: Exception) -> str:
    return "tables or lists are nested too deeply" if isinstance(error, RecursionError) else str(error)[:80]


def beside(table: Any, folder: Path) -> Any:
    """The same table with the files it names as absolute paths, so that it can be built from anywhere."""
    match table:
        case dict():
            return {
                key: _absolute(value, folder) if key == "file" else beside(value, folder)
                for key, value in table.items()
            }
        case list():
            return [beside(entry, folder) for entry in table]
    return table


def _absolute(name, folder: Path):
    return str((folder / as_path(name)).resolve()) if isinstance(name, str) else name


def _check(scenario) -> None:
    if not isinstance(scenario, Scenario):
        raise BadInput(f"a Scenario is needed, got {type(scenario).__name__}")


def dumps(scenario: Scenario) -> str:
    """TOML text that `loads` reads back to an equal scenario."""
    _check(scenario)
    table = to_dict(scenario)
    plain = {key: value for key, value in table.items() if not isinstance(value, dict)}
    blocks = [_lines(plain)]
    blocks += [f"[{key}]\n{_lines(value)}" for key, value in table.items() if isinstance(value, dict) and value]
    return "\n\n".join(blocks) + "\n"


def _lines(table: dict) -> str:
    return "\n".join(f"{key} = {_value(value)}" for key, value in table.items())


def _value(value) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case dict():
            return "{ " + ", ".join(f"{key} = {_value(entry)}" for key, entry in value.items()) + " }"
        case list():
            return "[" + ", ".join(_value(entry) for entry in value) + "]"
        case str():
            # JSON strings are TOML basic strings, except that TOML forbids a raw DEL.
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return repr(value)


def with_values(scenario: Scenario, settings: list[str] | tuple[str, ...]) -> Scenario:
    """The scenario with `key=value` changes such as `attention.beta=4`; values are TOML, or bare words."""
    _check(scenario)
    if not isinstance(settings, list | tuple) or not all(isinstance(setting, str) for setting in settings):
        raise BadInput(f"settings must be a list of texts such as attention.beta=4, got {quoted(settings)}")
    table = to_dict(scenario)
    for setting in settings:
        key, equals, words = setting.partition("=")
        if not equals or not key.strip():
            raise BadInput(f"--set {shown(setting)}: write key=value, for example attention.beta=4")
        _put(table, key.strip(), _parse(words.strip()))
        if key.strip() == "tokens.kind":
            _keep_known(table["tokens"])
    return from_dict(table)


def _put(table: dict, key: str, value) -> None:
    *path, last = key.split(".")
    for name in path:
        table = table.setdefault(name, {})
        if not isinstance(table, dict):
            raise BadInput(f"--set {shown(key)}: {name} is not a table")
    table[last] = value


def _keep_known(tokens: dict) -> None:
    """Another kind of prompt keeps only the parameters it knows."""
    kind = KINDS.get(tokens["kind"]) if isinstance(tokens["kind"], str) else None
    for key in [key for key in tokens if kind is not None and key not in ("kind", *kind.readers)]:
        del tokens[key]


def _parse(words: str):
    try:
        return tomllib.loads(f"value = {words}")["value"]
    except tomllib.TOMLDecodeError:
        return words
    except (RecursionError, ValueError, OverflowError) as error:
        raise BadInput(f"--set …={shown(words)}: {_reason(error)}") from None


def files_of(part: Any) -> list[str]:
    """Every file a scenario reads."""
    match part:
        case Scenario():
            return files_of(to_dict(part))
        case dict():
            own = [part["file"]] if isinstance(part.get("file"), str) else []
            return own + [name for value in part.values() for name in files_of(value)]
        case list():
            return [name for value in part for name in files_of(value)]
    return []
