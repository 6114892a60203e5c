"""Paths of version 0.2 give the very same modules, and say once where they are now."""

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import attnflow as af
from attnflow import moved

SOURCE = Path(af.__file__).parents[1]
DOCUMENTED = {
    "summation.kernel": "engine", "summation.sharded": "engine", "attention.score": "engine", "spaces": "engine",
    "sphere.equiangular": "theory", "gaussian.closed_forms": "theory", "cbo": "theory", "cli": "interfaces",
    "scenario": "experiments", "explore": "interfaces", "extensions": "experiments",
}  # fmt: skip
"""Paths that pages, tutorials and examples of version 0.2 named, and the room where they are now."""


@pytest.mark.parametrize("old", DOCUMENTED)
@pytest.mark.filterwarnings("ignore:attnflow:DeprecationWarning")
def test_an_old_path_is_the_same_module(old):
    now = import_module(f"attnflow.{DOCUMENTED[old]}.{old}")
    assert import_module(f"attnflow.{old}") is now
    assert now.__name__ == now.__spec__.name == f"attnflow.{DOCUMENTED[old]}.{old}"


def asked(*words, **options):
    own = os.environ | {"PYTHONPATH": str(SOURCE)}
    return subprocess.run([sys.executable, *words], env=own, capture_output=True, text=True, check=True, **options)


def test_one_warning_a_folder_which_names_the_line_of_the_user(tmp_path):
    (tmp_path / "mine.py").write_text(
        "import attnflow.spaces\nfrom attnflow.special import legendre\nfrom attnflow.special.harmonics import *\n"
        "import attnflow as af\nassert af.spaces is attnflow.engine.spaces\n"
    )
    said = asked("mine.py", cwd=tmp_path).stderr
    assert said.count("DeprecationWarning") == 2 and "mine.py:1:" in said and "mine.py:2:" in said
    assert "attnflow.special is now attnflow.engine.special" in said


def test_the_old_command_module_still_runs():
    done = asked("-W", "always", "-m", "attnflow.cli", "list", "papers")
    assert "geshkovski2023" in done.stdout and "attnflow.interfaces.cli" in done.stderr


def test_folders_of_the_front_door_need_no_room():
    assert af.sphere is import_module("attnflow.theory.sphere") and callable(af.explore)


def test_the_table_names_what_is_there():
    for room, names in moved.MOVED.items():
        there = {path.stem for path in (SOURCE / "attnflow" / room).iterdir()} - {
            "__init__",
            "__pycache__",
            "later",
            "files",
        }
        assert set(names) == there


@pytest.mark.filterwarnings("ignore:attnflow:DeprecationWarning")
def test_what_never_was_is_not_found():
    with pytest.raises(ModuleNotFoundError, match=r"attnflow\.nothing"):
        import_module("attnflow.nothing")
    with pytest.raises(ModuleNotFoundError):
        import_module("attnflow.linalg.nothing")
