"""Scenario files by path or name; names of papers, claims, figures and questions that are not there.

Those are refused by the stored index, before the engine starts.
"""

from __future__ import annotations

import json
import sys
from difflib import get_close_matches
from importlib.metadata import entry_points
from pathlib import Path

from ...errors import BadInput, quoted
from ...experiments.extensions import GROUP
from ...experiments.scenario import Scenario, load, with_values
from ...experiments.scenario.fitting import check_fitting
from ...experiments.scenario.reading import meant
from ...experiments.scenario.ready_made import ready_made, ready_sweeps
from .asking import LOAD


def find_path(name: str) -> Path:
    """The file of a scenario that is given by its path, or by the name of a ready-made one."""
    path, known = Path(name), ready_made()
    if not name:
        raise BadInput(f"a scenario needs a name or a path; there are {', '.join(sorted(known))}")
    if not path.is_file() and name in known:
        return known[name]
    if not path.exists() and path.suffix != ".toml" and path.parent == Path("."):
        hint = meant(name, known)
        raise BadInput(f"{name}: no such file, nor a ready-made scenario{hint}; there are {', '.join(sorted(known))}")
    return path


def find_sweep(name: str) -> Path:
    """The file of a sweep: by its path, by the name of a ready-made one, or of a ready-made scenario."""
    ready = ready_sweeps()
    return ready[name] if name in ready and not Path(name).is_file() else find_path(name)


def find_scenario(name: str, settings: list[str]) -> tuple[str, Scenario]:
    """The name of a run and its scenario with the settings applied."""
    path = find_path(name)
    return path.stem, check_fitting(with_values(load(path), settings))


# ---- names of the register ----------------------------------------------------------------------------------------


def _index() -> dict[str, list[list[str]]] | None:
    """The stored index; None where papers of users may be known too."""
    if LOAD or "attnflow.papers.register" in sys.modules or entry_points(group=GROUP):
        return None
    return stored_index()


def stored_index() -> dict[str, list[list[str]]]:
    return json.loads(Path(__file__).with_name("index.json").read_text(encoding="utf-8"))


def check_paper(name: str) -> str:
    """The name of a paper that is given by it or by its arXiv number; others are refused."""
    index = _index()
    if index is None:
        from ...papers.register import find_paper

        return find_paper(name)
    number = name.lower().removeprefix("arxiv").lstrip(": ").split("v")[0]
    for row in index["papers"]:
        if name == row[0] or number == row[1]:
            return row[0]
    near = get_close_matches(name, [row[0] for row in index["papers"]], n=1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    raise BadInput(f"unknown paper {quoted(name)}{hint}; `attnflow list papers` shows them")


def check_claim(key: str) -> None:
    """Refuse the key of no claim."""
    index = _index()
    known = [] if index is None else [row[0] for row in index["claims"]]
    if index is None or key in known:
        return
    near = get_close_matches(key, known, n=5, cutoff=0.4)
    raise BadInput(f"unknown claim {quoted(key)}" + (f"; did you mean {', '.join(near)}?" if near else ""))


def check_claim_or_paper(name: str) -> None:
    """Refuse what is neither a claim nor a paper."""
    is_paper = "." not in name or name[:4].isdigit()
    (check_paper if is_paper else check_claim)(name)


def check_figure(paper: str, name: str | None) -> str:
    """The name of the paper; one that is not there is refused, and a figure that it does not have."""
    full, index = check_paper(paper), _index()
    known = [] if index is None else [row[1] for row in index["figures"] if row[0] == full]
    if index is not None and name is not None and name not in known:
        raise BadInput(f"{full} has no figure {quoted(name)}; it has {', '.join(known) or 'none yet'}")
    return full


def check_question(name: str) -> None:
    """Refuse the name of no open question."""
    index = _index()
    known = [] if index is None else [row[0] for row in index["questions"]]
    if index is not None and name not in known:
        near = get_close_matches(name, known, n=1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        raise BadInput(f"{name}: no such question{hint}; `attnflow conjecture` lists {len(known)}")
