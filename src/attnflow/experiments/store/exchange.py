"""Putting a finished folder in its place by one atomic step."""

from __future__ import annotations

import ctypes
import os
import shutil
from collections.abc import Callable
from pathlib import Path

AT_FDCWD, RENAME_EXCHANGE = -100, 2


def put_in_place(draft: Path, path: Path) -> None:
    """Move a complete folder to its place; what stood there is exchanged first and removed after."""
    if not path.exists():
        os.rename(draft, path)
        return
    if not _exchange(draft, path):
        aside = _aside(path)
        os.rename(path, aside)
        os.rename(draft, path)
        draft = aside
    shutil.rmtree(draft, ignore_errors=True)


def repair(path: Path, *, is_ours: Callable[[Path], bool]) -> None:
    """Undo an exchange that was interrupted between its two renames, on systems without an atomic one."""
    aside = _aside(path)
    if aside.is_dir() and not aside.is_symlink() and is_ours(aside):
        if path.exists():
            shutil.rmtree(aside, ignore_errors=True)
        else:
            os.rename(aside, path)


def _aside(path: Path) -> Path:
    return path.with_name(f".{path.name}.attnflow-replaced")


def _exchange(a: Path, b: Path) -> bool:
    """Exchange two names in one system call, where the system has one (Linux: renameat2)."""
    try:
        call = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    return call(AT_FDCWD, os.fsencode(a), AT_FDCWD, os.fsencode(b), RENAME_EXCHANGE) == 0
