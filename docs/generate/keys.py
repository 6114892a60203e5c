"""Keys of a scenario, from its JSON Schema: what `attnflow schema` prints, as tables."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from attnflow.experiments.scenario.schema import schema

from .text import block, code, fenced, page, table

NAMES = {"number": "number", "integer": "integer", "string": "text", "boolean": "true or false", "object": "table"}
SECTIONS = {"tokens": ("kind", "the first prompt"), "attention": ("rule", "who listens to whom")}
"""Sections that have one form for each kind or rule."""


def keys_page() -> str:
    whole = schema()
    top, sections = {}, {}
    for key, given in whole["properties"].items():
        (sections if "oneOf" in given or given.get("type") == "object" else top)[key] = given
    return page(
        "# Keys of a scenario",
        "Every key that a scenario file may hold, read off the code that checks it. "
        "[A run as plain data](../scenarios.md) explains them by examples. `attnflow schema` prints the schema below, with "
        "which editors complete and check scenario files.",
        _keys(top),
        *(_section(name, given) for name, given in sections.items()),
        "## Matrices and numbers that change",
        "`matrix` and `scalar` above stand for any of these.",
        *(f"**{name}**\n\n" + "\n".join(_forms(given)) for name, given in whole["$defs"].items()),
        "## JSON Schema",
        block("dropdown", "The whole schema", fenced(json.dumps(whole, indent=1, ensure_ascii=False), "json")),
    )


def _section(name: str, given: dict[str, Any]) -> str:
    if "oneOf" not in given:
        inner = {key: part for key, part in given["properties"].items() if part.get("type") == "object"}
        tables = [f"### `[{name}.{key}]`\n\n{_keys(part['properties'])}" for key, part in inner.items()]
        return "\n\n".join([f"## `[{name}]`\n\n{_keys(given['properties'])}", *tables])
    key, words = SECTIONS[name]
    forms = {_names(form["properties"], key): form for form in given["oneOf"]}
    parts = [
        f"### {' '.join(kind)}\n\n{_keys({k: v for k, v in form['properties'].items() if k != key}, form.get('required', ()))}"
        for kind, form in forms.items()
    ]
    return "\n\n".join([f"## `[{name}]`: {words}", *parts])


def _names(properties: dict[str, Any], key: str) -> tuple[str, ...]:
    """The kinds that a form is of; one without a kind goes by its first key, such as `heads`."""
    given = properties.get(key, {})
    found = given.get("enum", [given["const"]] if "const" in given else [])
    return tuple(code(f'"{one}"') for one in found) or (code(next(iter(properties))),)


def _keys(properties: dict[str, Any], needed: tuple[str, ...] | list[str] = ()) -> str:
    rows = [
        (f"`{key}`" + (" (needed)" if key in needed else ""), shape(given), _default(given))
        for key, given in properties.items()
    ]
    has_defaults = any(row[2] for row in rows)
    return table(("Key", "Value", "Default")[: 2 + has_defaults], [row[: 2 + has_defaults] for row in rows])


def _default(given: dict[str, Any]) -> str:
    return code(json.dumps(given["default"], ensure_ascii=False)) if "default" in given else ""


def _forms(given: dict[str, Any]) -> Iterator[str]:
    for form in given["anyOf"]:
        inner = "".join(f"\n  - `{key}`: {shape(value)}" for key, value in form.get("properties", {}).items())
        yield f"- {shape(form)}{inner}"


def shape(given: dict[str, Any]) -> str:
    """What a value must look like, in words."""
    if "$ref" in given:
        return given["$ref"].rsplit("/", 1)[1]
    if "const" in given or "enum" in given:
        return ", ".join(code(json.dumps(one)) for one in given.get("enum", [given.get("const")]))
    for key in ("anyOf", "oneOf"):
        if key in given:
            return " or ".join(dict.fromkeys(shape(one) for one in given[key]))
    kinds = given.get("type", "anything")
    if kinds == "array":
        return (
            f"list of {shape(given.get('items', {}))}"
            if given.get("items") != {"type": "number"}
            else "list of numbers"
        )
    told = " or ".join(NAMES.get(kind, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds))
    bound = f" ≥ {given['minimum']}" if "minimum" in given else " > 0" if given.get("exclusiveMinimum") == 0 else ""
    return told + bound
