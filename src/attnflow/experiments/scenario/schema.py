"""JSON Schema of scenarios, for editors: read off the fields and readers that check a scenario."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any

from . import data, matrix, reading, tokens

NUMBER, TEXT, FLAG = {"type": "number"}, {"type": "string"}, {"type": "boolean"}
NUMBERS = {"type": "array", "items": NUMBER, "minItems": 1}
ROWS = {"type": "array", "items": NUMBERS, "minItems": 1}
SIMPLE: dict[reading.Reader, dict] = {
    reading.text: TEXT, reading.flag: FLAG, reading.number: NUMBER, reading.integer: {"type": "integer"},
    reading.whole: {"type": "integer", "minimum": 1}, reading.positive: {"type": "number", "exclusiveMinimum": 0},
    reading.numbers: NUMBERS, reading.rows: ROWS,
    reading.truths: {"type": "array", "items": {"type": "array", "items": {"type": ["boolean", "number"]}}},
    tokens.law_parameters: {"type": "object", "additionalProperties": NUMBER},
    matrix.anything: {}, matrix.plain: {"anyOf": [NUMBER, ROWS]},
}  # fmt: skip
"""What each plain reader accepts."""


def schema() -> dict[str, Any]:
    """The schema of a whole scenario file."""
    table = _table(data.Scenario)
    table["properties"] |= {"tokens": _tokens(), "attention": _attention(), "flow": _table(data.Motion)}
    about = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "attnflow scenario"}
    return about | table | {"$defs": {"matrix": _matrix(matrix.FORMS), "scalar": _matrix({"times": matrix.Course})}}


def _table(cls: type) -> dict[str, Any]:
    """The fields of a section."""
    known = [f for f in fields(cls) if "read" in f.metadata]  # pyright: ignore[reportArgumentType]
    return _object({f.name: _field(f) for f in known})


def _object(properties: dict[str, Any], required: tuple[str, ...] = ()) -> dict[str, Any]:
    needed = {"required": list(required)} if required else {}
    return {"type": "object", "properties": properties, "additionalProperties": False} | needed


def _field(f) -> dict[str, Any]:
    accepted = _accepted(f.metadata["read"])
    is_plain = f.default is not MISSING and isinstance(f.default, bool | int | float | str)
    return accepted | ({"default": f.default} if is_plain else {})


def _accepted(reader: reading.Reader) -> dict[str, Any]:
    if reader in SIMPLE:
        return dict(SIMPLE[reader])
    if reader in (matrix.matrix, matrix.scalar):
        return {"$ref": f"#/$defs/{reader.__name__}"}
    about = getattr(reader, "about", {})
    match about.get("kind"):
        case "choice":
            return {"enum": list(about["names"])}
        case "either":
            return {"anyOf": [_accepted(one) for one in about["readers"]]}
        case "many":
            return {"type": "array", "items": _accepted(about["reader"])}
        case "section":
            return _table(about["cls"])
    return {}


def _matrix(forms: dict[str, type]) -> dict[str, Any]:
    tables = [_table(cls) | {"required": [key]} for key, cls in forms.items()]
    return {"anyOf": [NUMBER, *([ROWS] if len(forms) > 1 else []), *tables]}


def _tokens() -> dict[str, Any]:
    """One table per kind of first prompt."""
    kinds = []
    for name, kind in tokens.KINDS.items():
        own = {key: _accepted(reader) for key, reader in kind.readers.items()}
        needed = (*(() if name == "sphere" else ("kind",)), *kind.needed)
        kinds.append(_object({"kind": {"const": name}} | own, needed))
    return {"oneOf": kinds}


def _attention() -> dict[str, Any]:
    """One table per rule, or a list of heads; all of them may be masked."""
    every = _table(data.Attention)["properties"]
    masks = {key: every[key] for key in data.MASK_KEYS}
    rules = [
        _rule(name, every | {key: {} for key in keys if name in data.OWN_RULES})
        for name, keys in data.RULE_KEYS.items()
    ]
    heads = [_object(rule["properties"] | {"V": every["V"]}, ("rule",)) for rule in rules]
    several = _object({"heads": {"type": "array", "items": {"oneOf": heads}}} | masks, ("heads",))
    return {"oneOf": [*[_object(r["properties"] | masks, tuple(r.get("required", ()))) for r in rules], several]}


def _rule(name: str, known: dict[str, Any]) -> dict[str, Any]:
    own = {key: known[key] for key in data.RULE_KEYS[name]}
    return _object({"rule": {"const": name}} | own, () if name == "softmax" else ("rule",))
