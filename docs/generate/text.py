"""Plain words as MyST Markdown: escaped, with indices and powers raised and lowered, in tables and lists."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

_SPECIAL = re.compile(r"([\\`*_\[\]<>|$#])")
_BRACES = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
_LETTER = "[A-Za-zΑ-ω]"
_LOWER = rf"[ijkl]{{1,2}}(?![a-z]{{2}})|{_LETTER}{{1,3}}\d?(?!{_LETTER})|\d+|[*∞]"
_UPPER = rf"[−-]?\d+(?:\.\d+)?|{_LETTER}|[*∞]|\([^()]*\)"
_INDEX = re.compile(rf"(?<=[^\s_^({{\[<=,;])(?:(?P<low>_)|\^)(?:{_BRACES}|(?(low)({_LOWER})|({_UPPER})))")
_FORMULA = re.compile(r"\$[^$]+\$")
_CODE = re.compile(r"`[^`]+`")


def words(text: str) -> str:
    """A sentence as it is read: `x_i` and `e^{−t}` get true indices and powers, code stays, nothing else is markup."""
    return _between(_CODE, lambda found: found[0], _with_indices, text)


def with_formulas(text: str) -> str:
    """Words among formulas in `$…$`, which stay as they are."""
    return _between(_FORMULA, lambda found: found[0], words, " ".join(text.split()))


def _with_indices(text: str) -> str:
    return _between(_INDEX, _moved, escaped, text)


def _moved(found: re.Match) -> str:
    """An index below or above the line."""
    tag = "sub" if found["low"] else "sup"
    inner = next(part for part in found.groups()[1:] if part is not None)
    return f"<{tag}>{_with_indices(inner)}</{tag}>"


def _between(pattern: re.Pattern, inside: Callable[[re.Match], str], outside: Callable[[str], str], text: str) -> str:
    parts, end = [], 0
    for found in pattern.finditer(text):
        parts += [outside(text[end : found.start()]), inside(found)]
        end = found.end()
    return "".join([*parts, outside(text[end:])])


def escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", re.sub(r"\s+", " ", text))


def sentence(text: str) -> str:
    """Words with a full stop at their end."""
    return words(text + ("" if text.endswith((".", "!", "?", ".)")) else "."))


def code(text: str) -> str:
    fence = "``" if "`" in text else "`"
    return f"{fence}{text}{fence}"


def link(text: str, target: str) -> str:
    return f"[{text}]({target})"


def slug(text: str) -> str:
    """A name for files and anchors."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def short(authors: str, year: int) -> str:
    """A paper as it is cited in passing."""
    first, *others = authors.split(", ")
    return f"{first} et al. {year}" if others else f"{first} {year}"


def bullets(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def indented(text: str, by: int = 2) -> str:
    return "\n".join(" " * by + line if line else "" for line in text.split("\n"))


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table whose cells are Markdown in one line each."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns), *lines])


def block(kind: str, argument: str, body: str, *, colons: int = 3, **options: str) -> str:
    """A directive with its options; `class_` stands for `class`, other underscores for hyphens."""
    given = "".join(f":{name.rstrip('_').replace('_', '-')}: {value}\n" for name, value in options.items())
    fence = ":" * colons
    return f"{fence}{{{kind}}} {argument}\n{given}\n{body}\n{fence}"


def fenced(text: str, language: str = "") -> str:
    return f"```{language}\n{text}\n```"


def excerpt(path: str, name: str) -> str:
    """The source of one class or function, folded; `path` is relative to the repository."""
    body = f"```{{literalinclude}} /../{path}\n:pyobject: {name}\n:language: python\n```"
    return block("dropdown", f"Code: {path}", body, class_container="af-code")


def page(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"
