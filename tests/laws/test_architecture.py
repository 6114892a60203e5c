"""Reading order is import order: a folder imports only what stands above it in ARCHITECTURE.md, and nothing goes round."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "src" / "attnflow"
ORDER = (
    "errors", "compiled_programs", "linalg", "special", "spaces", "measures", "summation", "sinkhorn", "attention", "flow",
    "evolution", "observe", "limits", "sphere", "low_temperature", "gaussian", "heat", "mobility", "cbo", "reduction",
    "models", "scenario", "store", "draw", "papers", "report", "sweeps", "extensions", "laboratory", "explore", "cli",
)  # fmt: skip
AT_START = ("cli", "explore", "extensions", "scenario", "store")
"""Folders whose functions import late, so that `attnflow --help` answers at once."""
FILES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(ROOT.rglob("*.py"))
    if path != ROOT / "__init__.py"
}


def imports(name: str):
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
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1] + (node.module or "").split(".") * bool(node.module)
            for alias in node.names:
                below = ".".join([*base, alias.name])
                yield (below if below in FILES else ".".join(base)), alias.name, node in late


@pytest.mark.parametrize("name", FILES)
def test_imports_come_from_above(name):
    own = ORDER.index(name.split(".")[0])
    below = {target for target, _, _ in imports(name) if target and ORDER.index(target.split(".")[0]) > own}
    assert not below, f"{name} imports {sorted(below)}, which stand below it"


@pytest.mark.parametrize("name", FILES)
def test_no_import_waits_without_reason(name):
    late = {target for target, _, is_late in imports(name) if is_late}
    assert not late or name.split(".")[0] in AT_START, f"{name} imports {sorted(late)} inside functions"


@pytest.mark.parametrize("name", FILES)
def test_private_names_stay_at_home(name):
    private = {
        f"{target}.{what}" for target, what, _ in imports(name) if what.startswith("_") and not what.startswith("__")
    }
    assert not private, f"{name} imports {sorted(private)}"


def test_no_module_imports_itself_by_a_detour():
    graph = {name: {target for target, _, _ in imports(name)} - {name, ""} for name in FILES}
    TopologicalSorter(graph).prepare()


def test_no_folder_is_crowded():
    folders = [path for path in ROOT.rglob("*") if path.is_dir() and path.name != "__pycache__"]
    crowded = {str(f.relative_to(ROOT)): count for f in folders if (count := len(list(f.glob("*.py")))) > 20}
    assert not crowded
