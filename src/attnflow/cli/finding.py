"""Scenario files by path, or ready-made ones by name."""

from __future__ import annotations

from pathlib import Path

from ..errors import BadInput
from ..scenario import Scenario, load, with_values
from ..scenario.fitting import check_fitting
from ..scenario.reading import meant
from ..scenario.ready_made import ready_made, ready_sweeps


def find_path(name: str) -> Path:
    """The file of a scenario that is given by its path, or by the name of a ready-made one."""
    path, known = Path(name), ready_made()
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
