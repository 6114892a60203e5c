"""Ready-made scenarios by name."""

from __future__ import annotations

from pathlib import Path

from ...engine.files.package import PACKAGE


def folders() -> list[Path]:
    """Where ready-made scenarios lie: the working folder, the source tree, the installed package."""
    places = [Path("scenarios"), PACKAGE.resolve().parents[1] / "scenarios", PACKAGE / "scenarios"]
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
