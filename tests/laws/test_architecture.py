"""Reading order is import order: a folder imports only what stands above it in ARCHITECTURE.md, and nothing goes round."""

import ast
import os
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "src" / "attnflow"
ORDER = (
    "errors", "later", "files", "programs", "linalg", "special", "spaces", "measures", "summation", "sinkhorn", "attention",
    "flow", "evolution", "observe", "limits", "sphere", "low_temperature", "gaussian", "heat", "mobility", "cbo", "reduction",
    "models", "draw", "papers", "extensions", "scenario", "store", "sweeps", "laboratory", "report", "explore", "cli",
)  # fmt: skip
AT_START = ("cli", "explore", "extensions", "scenario", "store")
"""Folders whose functions import late, so that `attnflow --help` answers at once."""
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


def test_imports_come_from_above():
    below = {
        (name, target)
        for name in FILES
        for target, _, _ in imports(name)
        if target and ORDER.index(target.split(".")[0]) > ORDER.index(name.split(".")[0])
    }
    assert not below


def test_no_import_waits_without_reason():
    late = {(name, target) for name in FILES for target, _, is_late in imports(name) if is_late}
    assert {name.split(".")[0] for name, _ in late} <= set(AT_START), sorted(late)


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
