"""Extensions: rules, first prompts, spaces, papers and figures of users, known everywhere once registered."""

from __future__ import annotations

import sys
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from ..errors import BadInput

GROUP = "attnflow.extensions"
"""Entry points of this group are modules of installed packages; importing one registers what it offers."""


def load_extensions() -> None:
    """Import what installed packages offer."""
    for entry in entry_points(group=GROUP):
        _register_paper_of(entry.load())


def check_file(path: str | Path) -> None:
    """Refuse what is not a Python file."""
    if Path(path).suffix != ".py" or not Path(path).is_file():
        raise BadInput(f"--load {path}: no such Python file")


def load_file(path: str | Path) -> None:
    """Run a Python file that registers rules, prompts or spaces, or holds a `PAPER` with its claims and figures."""
    check_file(path)
    path = Path(path)
    # Under a name of its own: a file called numpy.py must not become everybody's numpy.
    name = f"attnflow_extension_{path.stem}"
    spec = spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None  # a .py file always has a loader
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise BadInput(f"--load {path}: {type(error).__name__}: {' '.join(str(error).split())}") from error
    _register_paper_of(module)


def _register_paper_of(module) -> None:
    from ..papers.register import register_paper

    if hasattr(module, "PAPER"):
        register_paper(module.PAPER, module)
