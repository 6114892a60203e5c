"""Reading order is import order: rooms, and the folders in them, import only what stands above them in ARCHITECTURE.md."""

import ast
import os
import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from attnflow.engine.later import LATER

TOP = Path(__file__).parents[2]
ROOT = TOP / "src" / "attnflow"
ROOMS = ("engine", "theory", "models", "draw", "papers", "experiments", "interfaces")
AT_START = (
    "experiments.extensions",
    "experiments.scenario",
    "experiments.store",
    "interfaces.cli",
    "interfaces.explore",
)
"""Folders whose functions import late, so that `attnflow --help` answers at once."""


def order() -> list[str]:
    """The first column of ARCHITECTURE.md's table of rooms, read from top to bottom: `engine/`, then `linalg/` in it."""
    table = (TOP / "ARCHITECTURE.md").read_text(encoding="utf-8").split("| room or folder |")[1].split("\n\n")[0]
    found, room = [], ""
    for row in table.splitlines()[2:]:
        for name in re.findall(r"`([\w.]+?)(?:\.pyi?|/)`", row.split("|")[1]):
            room = name if name in ROOMS else room
            found.append(name if name in ROOMS or not room else f"{room}.{name}")
    return found


ORDER = order()
FILES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(ROOT.rglob("*.py"))
    if path != ROOT / "__init__.py"
}


@cache
def imports(name: str) -> tuple:
    """Every import of our own code: target module, imported name, and whether it waits inside a function."""
    path = FILES[name]
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    late = {
        inner
        for outer in ast.walk(tree)
        if isinstance(outer, ast.FunctionDef | ast.Lambda)
        for inner in ast.walk(outer)
        if isinstance(inner, ast.ImportFrom)
    }
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1] + (node.module or "").split(".") * bool(node.module)
            for alias in node.names:
                below = ".".join([*base, alias.name])
                found.append((below if below in FILES else ".".join(base), alias.name, node in late))
    return tuple(found)


def place(name: str) -> int:
    """Where the longest listed folder that holds a module stands in the order."""
    parts = name.split(".")
    return next(ORDER.index(head) for k in range(len(parts), 0, -1) if (head := ".".join(parts[:k])) in ORDER)


@cache
def named(name: str) -> frozenset[str]:
    """Modules of ours that the strings of a file name, docstrings apart: what `import_module` may be given."""
    tree = ast.parse(FILES[name].read_text(encoding="utf-8"))
    loose = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    words = [
        n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str) and n not in loose
    ]
    return frozenset(found for text in words for found in re.findall(r"\battnflow\.([\w.]+)", text) if found in FILES)


def test_every_file_has_a_place_and_the_table_names_no_other():
    assert {place(name) for name in FILES} == set(range(len(ORDER)))


def test_imports_come_from_above():
    below = {
        (name, target)
        for name in FILES
        for target in {target for target, _, _ in imports(name)} | named(name)
        if target and place(target) > place(name) and name != "engine.later"
    }
    assert not below


def test_methods_whose_work_is_done_further_down_are_in_one_table():
    for method, home in LATER.items():
        module, _, function = home.removeprefix("attnflow.").partition(":")
        assert module in FILES and f"def {function}(" in FILES[module].read_text(encoding="utf-8"), method


def test_the_top_shows_the_rooms():
    found = {path.name for path in ROOT.iterdir() if path.name != "__pycache__"}
    assert {name for name in found if (ROOT / name).is_dir()} == set(ROOMS)
    assert len(found - set(ROOMS)) <= 6


@pytest.mark.parametrize("room", ROOMS)
def test_each_room_has_a_door_that_is_its_map(room):
    tree = ast.parse(FILES[room].read_text(encoding="utf-8"))
    words = ast.get_docstring(tree) or ""
    assert all(part in words for part in ("May import", "Start with", "To add")), "a door says these three things"
    folders = {path.name for path in (ROOT / room).iterdir() if path.is_dir() and list(path.glob("*.py"))}
    assert room == "papers" or not {name for name in folders if f"`{name}/`" not in words}
    assert len(tree.body) == 1 or room == "models", (
        "a door imports nothing; functions of models are named like their files"
    )


def test_no_import_waits_without_reason():
    late = {(name, target) for name in FILES for target, _, is_late in imports(name) if is_late}
    assert {".".join(name.split(".")[:2]) for name, _ in late} <= set(AT_START), sorted(late)


def test_private_names_stay_at_home():
    private = {(name, what) for name in FILES for _, what, _ in imports(name) if what[0] == "_" and what[:2] != "__"}
    assert not private


def test_no_module_imports_itself_by_a_detour():
    graph = {name: {target for target, _, _ in imports(name)} - {name, ""} for name in FILES}
    TopologicalSorter(graph).prepare()


def test_no_folder_is_crowded():
    folders = [path for path in ROOT.rglob("*") if path.is_dir() and path.name != "__pycache__"]
    crowded = {str(f.relative_to(ROOT)): count for f in folders if (count := len(list(f.glob("*.py")))) > 20}
    assert not crowded


def test_a_file_stays_with_one_worker(request):
    """Else every worker compiles the programs of every file; a new pytest once undid it without a word."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        pytest.skip("one process has all files")
    assert request.node.nodeid.endswith("@tests/laws/test_architecture.py")
