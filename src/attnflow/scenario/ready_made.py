"""Ready-made scenarios by name."""

from __future__ import annotations

from pathlib import Path


def folders() -> list[Path]:
    """Where ready-made scenarios lie: the working folder, the source tree, the installed package."""
    here = Path(__file__).resolve().parent
    places = [Path("scenarios"), here.parents[2] / "scenarios", here.parent / "scenarios"]
    return [place for place in places if place.is_dir()]


def ready_made() -> dict[str, Path]:
    """Ready-made scenarios by name."""
    return _by_name("*.toml")


def ready_sweeps() -> dict[str, Path]:
    """Ready-made sweeps by name."""
    return _by_name("sweeps/*.toml")


def _by_name(pattern: str) -> dict[str, Path]:
    found = [file for folder in reversed(folders()) for file in sorted(folder.glob(pattern))]
    return {file.stem: file for file in found}
