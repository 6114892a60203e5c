"""`new`: a commented scenario file to start from."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

from ..errors import BadInput
from .answer import Answer
from .keys import ABOUT, SECTIONS, keys


def write_template(words: list[str], *, replace: bool) -> Answer:
    """A file with the values of a ready-made scenario, each explained, and the other keys as comments."""
    kind, target = _asked(words)
    from .finding import ready_made

    known = ready_made()
    if kind not in known:
        from ..scenario.reading import meant

        raise BadInput(f"{kind}: no such kind{meant(kind, known)}; there are {', '.join(sorted(known))}")
    if target.suffix != ".toml":
        raise BadInput(
            f"{target}: a scenario file ends in .toml; e.g. attnflow new {kind} {target.stem or 'mine'}.toml"
        )
    if target.exists() and not replace:
        raise BadInput(f"{target} exists already; give --replace to overwrite it, or another name")
    if not target.absolute().parent.is_dir():
        raise BadInput(f"{target}: the folder {target.parent} does not exist")
    text = template(known[kind].read_text(encoding="utf-8"), kind)
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    draft.write_text(text, encoding="utf-8")
    os.replace(draft, target)
    lines = [f"wrote {target}", f"try: attnflow predict {target}, then: attnflow run {target}"]
    return Answer({"file": str(target), "kind": kind}, lines)


def _asked(words: list[str]) -> tuple[str, Path]:
    match words:
        case [name]:
            return "default", Path(name)
        case [kind, name]:
            return kind, Path(name)
    raise BadInput("new takes [KIND] FILE.toml, e.g. attnflow new noisy mine.toml")


def template(text: str, kind: str) -> str:
    """The lines of a scenario with a comment on each key, and every key it does not use commented out."""
    given = tomllib.loads(text)
    lines = [
        f"# A scenario of attnflow, made from {kind!r}. `attnflow list keys` shows all keys; `run` takes this file."
    ]
    lines += [_line(key, _value(text, key), key) for key in ("title", "seed") if key in given]
    for section in SECTIONS:
        table = given.get(section, {})
        lines += ["", f"[{section}]"]
        lines += [
            _line(name, _value(text, name, section), f"{section}.{name}")
            for name in table
            if not _is_table(table[name])
        ]
        spare = [
            (key, kept) for key, kept, _ in keys() if key.startswith(f"{section}.") and key.split(".")[1] not in table
        ]
        lines += [
            f"# {key.split('.')[1]} = …  # {ABOUT.get(key, '')}" + (f" [{kept}]" if kept else "") for key, kept in spare
        ]
        lines += [_subtable(text, section, name) for name in table if _is_table(table[name])]
    return "\n".join(lines) + "\n"


def _is_table(value) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _line(name: str, value: str, key: str) -> str:
    about = ABOUT.get(key)
    return f"{name} = {value}" + (f"  # {about}" if about else "")


def _value(text: str, name: str, section: str | None = None) -> str:
    """The value as it is written in the file."""
    inside: str | None = None
    for line in text.splitlines():
        bare = line.strip()
        if bare.startswith("["):
            inside = bare.strip("[]")
        elif inside == section and bare.split("=")[0].strip() == name:
            return bare.split("=", 1)[1].strip()
    raise KeyError(name)


def _subtable(text: str, section: str, name: str) -> str:
    mark = f"[[{section}.{name}]]"
    return text[text.index(mark) :].strip() if mark in text else ""
