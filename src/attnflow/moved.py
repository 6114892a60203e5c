"""Paths of version 0.2, kept for one version: `attnflow.summation` is `attnflow.engine.summation`, the very same module."""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder, SourceLoader
from importlib.machinery import ModuleSpec
from importlib.util import find_spec

MOVED = {
    "engine": (
        "programs", "linalg", "special", "spaces", "measures", "summation", "sinkhorn", "attention", "flow", "evolution",
        "observe",
    ),
    "theory": ("limits", "sphere", "low_temperature", "gaussian", "heat", "mobility", "cbo", "reduction"),
    "experiments": ("extensions", "scenario", "store", "sweeps", "laboratory"),
    "interfaces": ("report", "explore", "cli"),
}  # fmt: skip
"""Room: what stood beside it in version 0.2."""

_ROOM = {name: room for room, names in MOVED.items() for name in names}


def follow_old_paths() -> None:
    """Let imports of old paths find the modules where they are now."""
    sys.meta_path.insert(0, _OldPaths())  # first: a moved folder would find its files once more, under their old names


class _OldPaths(MetaPathFinder, Loader):
    """Finds a module under its old path, warns once for every folder, and gives the one that is there."""

    def find_spec(self, fullname, path=None, target=None):
        package, _, rest = fullname.partition(".")
        if package != __package__ or rest.split(".")[0] not in _ROOM:
            return None
        true = find_spec(_now(fullname))
        if true is None:
            return None
        return ModuleSpec(fullname, self, is_package=true.submodule_search_locations is not None)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        name = module.__name__
        if name.count(".") == 1:
            words = f"{name} is now {_now(name)}; the old path goes with the next version"
            warnings.warn(words, DeprecationWarning, stacklevel=2)
        sys.modules[name] = import_module(_now(name))  # Python goes on with what stands there after this

    def get_code(self, fullname):
        """For `python -m attnflow.cli`."""
        now = find_spec(_now(fullname))
        assert now is not None and isinstance(now.loader, SourceLoader)
        return now.loader.get_code(now.name)


def _now(fullname: str) -> str:
    package, _, rest = fullname.partition(".")
    return f"{package}.{_ROOM[rest.split('.')[0]]}.{rest}"
