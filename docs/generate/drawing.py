"""Pictures of the published figures, drawn at reduced size and kept until the source they come from changes."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import attnflow
from attnflow.errors import BadInput
from attnflow.experiments.scenario import build, from_dict
from attnflow.interfaces.explore.published import PUBLISHED
from attnflow.papers.figure import Drawn, Figure
from attnflow.papers.kept import NOTHING_KEPT
from attnflow.papers.register import ask

OUTCOMES = Path(__file__).parents[1] / "outcomes.json"
"""The stored record of all figures; `make docs-outcomes` writes what was drawn last into it."""
SOURCE = Path(attnflow.__file__).parent
DPI = 120


def stem(figure: Figure) -> str:
    return f"{figure.paper}-{figure.name}"


def draw_missing(figures: Iterable[Figure], folder: Path) -> None:
    """Draw what is not there yet, one after the other; each picture is whole or absent."""
    folder.mkdir(parents=True, exist_ok=True)
    for figure in figures:
        if record(figure, folder).get("digest") != digest(figure):
            print(f"drawing {stem(figure)}", end=" ", file=sys.stderr, flush=True)
            told = _told(figure, folder)
            (folder / f"{stem(figure)}.json").write_text(json.dumps(told, ensure_ascii=False, indent=1), "utf-8")
            print(f"{told['seconds']} s", file=sys.stderr, flush=True)


def record(figure: Figure, folder: Path) -> dict[str, Any]:
    """What was drawn and observed; nothing where the figure was never drawn in this folder."""
    file = folder / f"{stem(figure)}.json"
    return json.loads(file.read_text("utf-8")) if file.exists() else {}


def outcome(figure: Figure, folder: Path) -> dict[str, Any]:
    """What came out here, or else what the stored record says."""
    told = record(figure, folder)
    return told if "expected" in told else stored().get(stem(figure), told)


@cache
def stored(file: Path = OUTCOMES) -> dict[str, dict[str, Any]]:
    return json.loads(file.read_text("utf-8")) if file.exists() else {}


def written(known: dict[str, dict[str, Any]]) -> str:
    """One figure a line, so that changes are easy to read and to merge."""
    lines = [f"{json.dumps(name)}: {json.dumps(told, ensure_ascii=False)}" for name, told in known.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def digest(figure: Figure) -> str:
    """Of the paper's own files, the look of pictures and the version: what changes a figure without changing these is a
    change of the engine that its tests allow."""
    found = hashlib.sha256(attnflow.__version__.encode())
    for file in sorted([*(SOURCE / "papers" / figure.paper).rglob("*.py"), *(SOURCE / "draw").rglob("*.py")]):
        found.update(file.read_bytes())
    return found.hexdigest()[:16]


def _told(figure: Figure, folder: Path) -> dict[str, Any]:
    start, told = time.process_time(), {"digest": digest(figure)}
    try:
        drawn: Drawn = figure.draw(full=False, seed=0, **({"kept": NOTHING_KEPT} if figure.is_long else {}))
    except BadInput as refusal:  # trained weights or data that are not on this machine
        return told | {"refusal": str(refusal), "seconds": round(time.process_time() - start, 1)}
    drawn.figure.savefig(folder / f"{stem(figure)}.png", dpi=DPI)
    return told | {
        "expected": drawn.expected, "observed": drawn.observed, "held": bool(drawn.held), "notes": list(drawn.notes),
        "seconds": round(time.process_time() - start, 1), "claims": _claims(figure),
    }  # fmt: skip


def _claims(figure: Figure) -> list[str]:
    """The claims whose hypotheses hold for the runs that the figure shows, where they are scenarios."""
    key = f"{figure.paper}/{figure.name}"
    shown = [made for name, made in PUBLISHED.items() if name.split()[0] == key]
    asked = [one for made in shown for one in ask(*build(from_dict(made()))[:2])]
    return list(dict.fromkeys(one.claim.key for one in asked if one.applies))
