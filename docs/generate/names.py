"""Reference of public names: the front door in its own groups, then what only folders offer."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import attnflow

from .docstrings import described, first_sentence
from .text import block, code, page, slug, table

_HOMES: dict[str, list[str]] = attnflow._FRONT
_OLDER: dict[str, list[str]] = attnflow._BY_FOLDER
_PLACES: dict[str, str] = attnflow._FOLDERS
"""Folders of the front door, with the room they stand in: `heat` is `theory.heat`."""


def name_pages() -> Iterator[tuple[str, str]]:
    """File names and texts for the folder `reference`."""
    yield "index.md", _overview()
    for title, names in front().items():
        yield f"{slug(title)}.md", _page(title, "", names)
    for folder in folders():
        place = f"attnflow.{_PLACES[folder]}"
        module = import_module(place)
        yield f"{folder}.md", _page(place, inspect.getdoc(module) or "", folder_names(folder))


# ---- which names there are --------------------------------------------------------------------------------------------


@cache
def front() -> dict[str, dict[str, Any]]:
    """The front door in the groups that the comments of its stub name; the last holds the folders."""
    text = Path(attnflow.__file__).with_suffix(".pyi").read_text("utf-8")
    groups: dict[str, dict[str, Any]] = {}
    for title, body in re.findall(r"^# (.+)\n((?:[^#\n].*\n)+)", text.split('"""')[2], flags=re.M)[:-1]:
        homes = re.findall(r"^from \.([\w.]+) import", body, flags=re.M)
        groups[title[:1].upper() + title[1:]] = dict(_reached(home, name) for home in homes for name in _HOMES[home])
    return groups


def _reached(home: str, name: str) -> tuple[str, Any]:
    """A name as users reach it: by its home where a folder of the same name stands before it."""
    at_the_door = getattr(attnflow, name)
    found = getattr(import_module(f"attnflow.{home}"), name, at_the_door)
    return (f"attnflow.{name}" if found is at_the_door else f"attnflow.{home}.{name}"), found


def folders() -> list[str]:
    """Folders that offer more than the front door does."""
    return [folder for folder in sorted(_PLACES) if folder_names(folder)]


def folder_names(folder: str) -> dict[str, Any]:
    """Names of a folder, of its files that it offers as such, and older names of the front door that live in it."""
    place = _PLACES[folder]
    homes = {home: names for home, names in _OLDER.items() if f"{home}.".startswith(f"{place}.")}
    older = dict(_reached(home, name) for home, names in homes.items() for name in names)
    offered = {f"attnflow.{place}.{name}": value for name, value in _offered(f"attnflow.{place}").items()}
    known = {id(value) for names in front().values() for value in names.values()} | {id(v) for v in older.values()}
    found = older | {name: value for name, value in offered.items() if id(value) not in known}
    inner = {
        f"{value.__name__}.{name}": part
        for value in found.values()
        if inspect.ismodule(value)
        for name, part in _offered(value.__name__).items()
        if id(part) not in known
    }
    return {name: value for name, value in found.items() if not inspect.ismodule(value)} | inner


def _offered(module: str) -> dict[str, Any]:
    """What a module names in `__all__`, or defines and does not hide."""
    found = import_module(module)
    is_folder = hasattr(found, "__path__")
    names = getattr(found, "__all__", None) or [
        name
        for name, value in vars(found).items()
        if not name.startswith("_")
        and (inspect.isclass(value) or inspect.isfunction(value))
        and (value.__module__.startswith(f"{module}.") if is_folder else value.__module__ == module)
    ]
    return {name: getattr(found, name) for name in names}


# ---- pages ------------------------------------------------------------------------------------------------------------


def _overview() -> str:
    groups = [f"### [{title}]({slug(title)}.md)\n\n{_table(names)}" for title, names in front().items()]
    more = [
        (f"[{code(place)}]({folder}.md)", first_sentence(import_module(place)))
        for folder in folders()
        for place in [f"attnflow.{_PLACES[folder]}"]
    ]
    pages = ["commands", "scenario-keys", "../formats", *(slug(title) for title in front()), *folders()]
    return page(
        "# Reference",
        "`import attnflow as af` gives every name of the front door; the rest is reached by folder, as in "
        "`af.gaussian.closed_forms`. Also: the [command line](commands.md), the [keys of a scenario](scenario-keys.md), "
        "and the [files of a stored run](../formats.md).",
        "## The front door", *groups, "## By folder", table(("Folder", "What it is"), more),
        block("toctree", "", "\n".join(pages), hidden="", maxdepth="1"),
    )  # fmt: skip


def _table(names: dict[str, Any]) -> str:
    rows = [
        (f"{{py:obj}}`{full.rsplit('.', 1)[1]} <{full}>`", _cell(first_sentence(value)))
        for full, value in names.items()
    ]
    return table(("Name", "What it is"), rows)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _page(title: str, lead: str, names: dict[str, Any]) -> str:
    parts = [described(*full.rsplit(".", 1), value) for full, value in names.items()]
    return page(f"# {title}", lead, *parts)
