"""`compare` and `open`: stored runs side by side, and the report of one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...errors import BadInput
from .answer import Answer, Table


def compare_runs(first: Path, second: Path) -> Answer:
    """What differs between two stored runs: their scenarios, how they ended, and how far apart their last states are."""
    from ...experiments.store import find_result
    from .engine import start_engine
    from .progress import progress

    for path in (first, second):
        find_result(path)
    start_engine()
    with progress("comparing"):
        one, two = _told(first), _told(second)
        settings = _differences(one["scenario"], two["scenario"])
        outcome = [(name, one["outcome"][name], two["outcome"].get(name, "")) for name in one["outcome"]]
        apart = _distance(one["run"], two["run"])
    data = {
        "runs": [str(first), str(second)],
        "settings": [dict(zip(("key", "first", "second"), row)) for row in settings],
        "outcome": [dict(zip(("what", "first", "second"), row)) for row in outcome],
        "distance": apart,
    }
    names = ("", str(first), str(second))
    blocks: list[str | Table] = [Table("Settings that differ", ("Key", *names[1:]), settings)]
    blocks += [Table("How they ended", ("What", *names[1:]), outcome)]
    if apart is not None:
        blocks.append(f"The last states are {apart:.3g} apart (Wasserstein distance W₂).")
    return Answer(data, blocks)


def _told(path: Path) -> dict[str, Any]:
    from ...draw.crowd import sample_gathering
    from ...draw.energies import normalised_energies
    from ...engine.measures import Particles
    from ...experiments.store import load, load_run
    from ..report.endings import ending_of
    from ..report.numbers import three

    run, attrs = load_run(path), load(path).attrs
    outcome = {"status": str(run.status), "steps": str(int(run.steps)), "last time": three(float(run.ts[-1]))}
    if isinstance(run.states, Particles):
        outcome["tokens"] = f"{run.states.n} in dimension {run.states.d}"
    if isinstance(run.states, Particles) and _has_distances(run.x):
        groups = sample_gathering(run)
        outcome[groups.kind] = ending_of(groups)
        found = normalised_energies(run, groups) if run.flow is not None else None
        if found is not None and len(found.values):
            outcome["energy"] = f"{found.name}: {three(found.values[0])} to {three(found.values[-1])}"
    return {"run": run, "scenario": attrs.get("scenario"), "outcome": outcome}


def _has_distances(x) -> bool:
    import numpy as np

    return bool((np.abs(np.asarray(x)) < FAR).all())


def _differences(one: str | None, two: str | None) -> list[tuple[str, str, str]]:
    import tomllib

    a, b = (_flat(tomllib.loads(text)) if text else {} for text in (one, two))
    keys = [key for key in dict.fromkeys([*a, *b]) if a.get(key) != b.get(key)]
    return [(key, str(a.get(key, "")), str(b.get(key, ""))) for key in keys]


def _flat(table: dict, place: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in table.items():
        name = f"{place}{key}"
        found |= _flat(value, f"{name}.") if isinstance(value, dict) else {name: value}
    return found


FAR = 1e150
"""Squares of larger numbers leave the range of floating point."""
MOST = 2000
"""Tokens of which distances are computed."""


def _distance(one, two) -> float | None:
    from ...engine.measures import Particles
    from ...engine.measures.distances import wasserstein

    a, b = one.last, two.last
    if not isinstance(a, Particles) or not isinstance(b, Particles) or a.d != b.d or max(a.n, b.n) > MOST:
        return None
    if not _has_distances(a.x) or not _has_distances(b.x):
        return None
    return float(wasserstein(a, b))


def open_report(run: Path, *, quiet: bool = False) -> Answer:
    """Show the report of a stored run in the browser; without one, say where it lies."""
    page = run / "report.html" if run.is_dir() else run
    if not page.is_file() or page.suffix != ".html":
        raise BadInput(f"{run}: has no report.html; give the folder that `attnflow run` made")
    import os
    import sys
    import webbrowser

    has_screen = bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or sys.platform in ("darwin", "win32")
    )
    opened = not quiet and has_screen and webbrowser.open(page.absolute().as_uri())
    return Answer({"report": str(page), "opened": bool(opened)}, [f"{'opened' if opened else 'the report is'} {page}"])
