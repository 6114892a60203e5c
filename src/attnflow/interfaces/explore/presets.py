"""Presets: ready-made scenarios, published figures that are a run, and what the user opened."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...engine.evolution.trajectory import Trajectory
from ...errors import BadInput
from ...experiments.scenario import Scenario, from_dict, load
from ...experiments.scenario.ready_made import ready_made
from ...experiments.store.dataset import load as load_dataset
from ...experiments.store.dataset import scenario_of
from ...papers.register import papers
from .bounds import check_sizes
from .published import PUBLISHED

RUNS = Path("out")
"""Where `attnflow run` leaves its results."""


def catalogue(opened: dict[str, Any]) -> list[dict[str, str]]:
    """What can be opened: name, title and group of every preset."""
    own = [{"name": name, "title": _title(found, name), "group": "Opened"} for name, found in opened.items()]
    ready = [{"name": name, "title": found.title, "group": "Ready-made"} for name, found in _ready_made().items()]
    known = papers()
    drawn = [
        {
            "name": key,
            "title": f"Figure {key.split('/')[1]}: {made()['title']}",
            "group": known[key.split("/")[0]].citation,
        }
        for key, made in PUBLISHED.items()
    ]
    runs = [{"name": name, "title": name, "group": "Stored runs"} for name in stored_runs()]
    return [*own, *ready, *drawn, *runs]


def _ready_made() -> dict[str, Scenario]:
    """Ready-made scenarios; files that hold a sweep, cannot be read, or are too large to play are no presets."""
    found = {}
    for name, path in ready_made().items():
        with suppress(BadInput):
            scenario = load(path)
            check_sizes(scenario)
            found[name] = scenario
    return found


def _title(found: Any, name: str) -> str:
    return (found.title or name) if isinstance(found, Scenario) else name


def stored_runs() -> dict[str, Path]:
    """Result folders of the working folder by name; a page names one of these, never a path."""
    if not RUNS.is_dir():
        return {}
    return {f"run/{folder.name}": folder for folder in sorted(RUNS.iterdir()) if (folder / "result.zarr").is_dir()}


def find(name: str, opened: dict[str, Any]) -> Scenario | Trajectory | Path:
    """The preset of that name: a scenario, a run, or the folder of a stored one."""
    makers: dict[str, Callable[[], Any]] = {
        **{key: (lambda path=path: path) for key, path in stored_runs().items()},
        **{key: (lambda made=made: from_dict(made())) for key, made in PUBLISHED.items()},
        **{key: (lambda path=path: load(path)) for key, path in ready_made().items()},
        **{key: (lambda found=found: found) for key, found in opened.items()},
    }
    if name not in makers:
        raise BadInput(_unknown(name))
    return makers[name]()


def _unknown(name: str) -> str:
    kind, _, folder = name.partition("/")
    if kind != "run":
        return f"there is no preset {name[:40]!r}"
    return f"no result folder {folder[:40]!r} in {RUNS}/ here; start `attnflow explore` with its path"


def stored(path: Path) -> Scenario | None:
    """The scenario a stored run was made from."""
    return scenario_of(load_dataset(path))
