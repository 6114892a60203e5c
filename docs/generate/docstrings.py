"""What a public name says of itself: signature, docstring, fields and methods, as Markdown for Sphinx."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from enum import Enum
from functools import cached_property
from typing import Any


def described(module: str, name: str, value: Any) -> str:
    """A name of a module with all that is known of it."""
    if inspect.isclass(value):
        inner = "\n\n".join([markdown(value), *_members(value)])
        return _entry("class", f"{name}{signature(value)}", inner, module=module)
    if callable(value):
        return _entry("function", f"{name}{signature(value)}", markdown(value), module=module)
    return _entry("data", name, _shown(value), module=module)


def first_sentence(value: Any) -> str:
    """The sentence that stands for a name in tables."""
    told = (inspect.getdoc(value) or "").split("\n\n")[0]
    told = told.replace("$$", "$")  # within a cell of a table
    return " ".join(re.split(r"(?<=\.)\s", told)[0].split()) if callable(value) or inspect.ismodule(value) else ""


def _entry(kind: str, head: str, body: str, **options: str) -> str:
    is_member = "module" not in options  # the table of contents of a page lists classes and functions alone
    given = "".join(f":{key}: {value}\n" for key, value in options.items() if value)
    given += ":no-contents-entry:\n" if is_member else ""
    depth = max((len(fence) for fence in re.findall(r"^\s*(:{3,})", body, flags=re.M)), default=2) + 1
    fence = ":" * max(depth, 3)
    return f"{fence}{{py:{kind}}} {head}\n{given}\n{body}\n{fence}"


def _shown(value: Any) -> str:
    """A constant: its keys or its value, where that is short."""
    told = ", ".join(f"`{key}`" for key in value) if isinstance(value, dict | tuple) else f"`{value!r}`"
    return told if len(told) < 400 else ""


# ---- docstrings -------------------------------------------------------------------------------------------------------


def markdown(value: Any) -> str:
    """A docstring; sources and examples get paragraphs of their own."""
    told = inspect.getdoc(value) or ""
    if inspect.isclass(value) and not value.__doc__:
        return ""
    told = re.sub(r"(?<!\n)\n(Source:)", r"\n\n\1", told)
    # A formula is displayed where it has lines of its own; beside words MyST would leave the dollars as they are.
    told = re.sub(r"(?<=[^\n])(\n?)\$\$([^$]+)\$\$|()\$\$([^$]+)\$\$(?=[^\n])", r"\1$\2\4$", told)
    return re.sub(r"((?:^>>>.*\n?(?:^(?!$).*\n?)*)+)", _example, told, flags=re.M)


def _example(found: re.Match) -> str:
    return f"```pycon\n{found[1].rstrip()}\n```\n"


# ---- signatures -------------------------------------------------------------------------------------------------------


class _Bare(str):
    """An annotation or a default that is shown as it stands."""

    def __repr__(self) -> str:
        return str(self)


def signature(value: Any) -> str:
    """Arguments with types and defaults, in one line; none where Python does not tell."""
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return "()"
    if inspect.isclass(value) and issubclass(value, Enum):
        return ""
    arguments = [
        one.replace(annotation=_annotation(one.annotation), default=_default(one.default))
        for one in found.parameters.values()
        if not one.name.startswith("_")
    ]
    returns = inspect.Signature.empty if inspect.isclass(value) else _annotation(found.return_annotation)
    return str(found.replace(parameters=arguments, return_annotation=returns))


def _annotation(given: Any) -> Any:
    if given is inspect.Parameter.empty:
        return given
    told = given if isinstance(given, str) else inspect.formatannotation(given)
    told = re.sub(r"\b(?:jaxtyping|typing|collections\.abc|jax|pathlib|attnflow(?:\.\w+)*)\.(?=\w)", "", told)
    return _Bare(told) if _parses(told) else inspect.Parameter.empty


def _default(given: Any) -> Any:
    if given is inspect.Parameter.empty or _parses(repr(given)):
        return given
    return _Bare("...")


def _parses(text: str) -> bool:
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return True


# ---- what a class holds -----------------------------------------------------------------------------------------------


def _members(kind: type) -> Iterator[str]:
    """Fields, properties and methods, own ones first, each once."""
    seen: set[str] = set()
    for home in (base for base in kind.__mro__ if base.__module__.startswith("attnflow")):
        for name, entry in [*_fields(home), *_methods(home)]:
            if name not in seen:
                seen.add(name)
                yield entry


def _fields(kind: type) -> Iterator[tuple[str, str]]:
    """Annotated names and members of an enumeration, with the string below them."""
    body = _body(kind)
    for node, after in zip(body, [*body[1:], None], strict=True):
        target = next(iter(getattr(node, "targets", [getattr(node, "target", None)])))
        if not isinstance(target, ast.Name) or target.id.startswith("_"):
            continue
        told = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
        if isinstance(node, ast.Assign) and not (told or issubclass(kind, Enum)):
            continue
        type_ = ast.unparse(node.annotation) if isinstance(node, ast.AnnAssign) else ""
        yield target.id, _entry("attribute", target.id, inspect.cleandoc(str(told)), type=type_)


def _body(kind: type) -> list[ast.stmt]:
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(kind)))
    except (OSError, TypeError, SyntaxError):
        return []
    return tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else []


def _methods(kind: type) -> Iterator[tuple[str, str]]:
    for name, value in vars(kind).items():
        if name.startswith("_"):
            continue
        if isinstance(value, property | cached_property) and value.__doc__:
            yield name, _entry("property", name, inspect.getdoc(value) or "", type=_returned(value))
        elif isinstance(value, classmethod | staticmethod) and value.__func__.__doc__:
            yield name, _entry("method", f"{name}{signature(getattr(kind, name))}", markdown(value.__func__))
        elif inspect.isfunction(inspect.unwrap(value) if callable(value) else value) and value.__doc__:
            yield name, _entry("method", f"{name}{_without_self(signature(value))}", markdown(value))


def _returned(value: Any) -> str:
    made = value.fget if isinstance(value, property) else value.func
    given = getattr(made, "__annotations__", {}).get("return")
    told = "" if given is None else _annotation(given)
    return told if isinstance(told, str) else ""


def _without_self(told: str) -> str:
    return re.sub(r"^\(self(?:, )?", "(", told)
