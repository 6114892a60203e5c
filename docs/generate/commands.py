"""The command line, from the commands themselves."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import typer.main

from attnflow.interfaces import cli

from .text import code, escaped, fenced, page, table


def commands_page() -> str:
    root = typer.main.get_command(cli.app)
    return page("# Command line", escaped(root.help or ""), _exits(), *_sections(root, "attnflow"))


def names(root: Any = None, path: str = "attnflow") -> Iterator[str]:
    """Every command, with the words that call it."""
    root = root or typer.main.get_command(cli.app)
    for name, command in getattr(root, "commands", {}).items():
        yield from names(command, f"{path} {name}") if hasattr(command, "commands") else [f"{path} {name}"]


def _exits() -> str:
    """Exit codes, as the module tells them."""
    told = re.search(r"Exit codes: (.+)", inspect.getdoc(cli) or "", flags=re.S)
    assert told is not None
    codes = re.findall(r"(\d+) ([^,(]+(?:\([^)]*\))?)", " ".join(told[1].split()))
    rows = [(code(number), escaped(words.strip().rstrip("."))) for number, words in codes]
    return "## Exit codes\n\n" + table(("Code", "Meaning"), rows)


def _sections(group: Any, path: str) -> Iterator[str]:
    for name, command in getattr(group, "commands", {}).items():
        if hasattr(command, "commands"):
            yield from _sections(command, f"{path} {name}")
        else:
            yield _section(command, f"{path} {name}")


def _section(command: Any, path: str) -> str:
    told, _, example = (command.help or "").partition("Example:")
    rows = [_row(one) for one in command.params if one.name != "help"]
    parts = [
        f"## {path}", escaped(told), fenced(" ".join(example.split())) if example else "",
        table(("Argument", "Meaning"), rows) if rows else "",
    ]  # fmt: skip
    return "\n\n".join(part for part in parts if part)


def _row(one: Any) -> tuple[str, str]:
    """Name and meaning; `metavar` is the word that stands for the value."""
    is_option, is_flag = one.opts[0].startswith("-"), getattr(one, "is_flag", False)
    word = one.metavar or one.name.upper()
    name = f"{', '.join(one.opts)}{'' if is_flag else f' {word}'}" if is_option else word
    is_telling = one.default not in (None, False, (), []) and not callable(one.default)
    return code(name), escaped(one.help or "") + (f" Default: {code(str(one.default))}." if is_telling else "")
