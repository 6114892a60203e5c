"""Which room of the package a test file guards: the last one that its imports, or the names of `af` it uses, reach."""

import ast
import re
from functools import cache
from pathlib import Path

import attnflow

ROOMS = ("engine", "theory", "models", "draw", "papers", "experiments", "interfaces")

WHOLE = ("docs", "web")
"""Folders of tests that read pages, not modules: those speak of every room."""


@cache
def room_of(file: Path) -> str:
    """The room of a test file, from its text alone; what reaches no room is about the front door, which every run uses."""
    if file.parent.name in WHOLE:
        return ROOMS[-1]
    tree = ast.parse(file.read_text(encoding="utf-8"))
    reached = [room for node in ast.walk(tree) for room in _rooms(node, file.parent)]
    return max(reached, key=ROOMS.index, default="engine")


def _rooms(node: ast.AST, folder: Path) -> list[str]:
    if isinstance(node, ast.ImportFrom | ast.Import):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
        names += [f"{node.module}.{alias.name}" for alias in node.names if isinstance(node, ast.ImportFrom)]
        beside = [folder / f"{name.split('.')[0]}.py" for name in names]
        beside += [folder / name.split(".")[0] / "__init__.py" for name in names]
        return [*_named(" ".join(names)), *(room_of(file) for file in beside if file.exists())]
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("af", "attnflow"):
        home = attnflow._WHERE.get(node.attr) or attnflow._FOLDERS.get(node.attr) or ""
        return [home.split(".")[0]] if home.split(".")[0] in ROOMS else []
    if isinstance(node, ast.Constant) and isinstance(node.value, str):  # `-m attnflow.interfaces.cli`, patched names
        return _named(node.value)
    return []


def _named(text: str) -> list[str]:
    return [room for room in re.findall(r"\battnflow\.(\w+)", text) if room in ROOMS]
