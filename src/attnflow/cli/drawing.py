"""`figure`: draw a published figure and keep its data."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ..errors import BadInput
from .answer import Answer

FORMATS = ("png", "pdf", "svg")


def draw_figure(
    paper: str, name: str, *, full: bool, out: Path, formats: list[str], replace: bool, seed: int
) -> Answer:
    """Write picture and data, and answer whether the expected outcome held."""
    from ..papers.register import find_paper

    paper = find_paper(paper)
    _check_formats(formats)
    files = [out / f"{paper}-{name}.{form}" for form in [*dict.fromkeys(formats), "npz"]]
    movie = out / f"{paper}-{name}.gif"
    taken = [file for file in (*files, movie) if file.exists()]
    if taken and not replace:
        raise BadInput(f"{taken[0]} exists already; give --replace to overwrite it, or another --out")
    from .engine import start_engine

    start_engine()
    from ..papers.figure import find
    from ..papers.kept import Kept

    figure = find(paper, name)
    kept = Kept(out / f".{paper}-{name}.parts" if full and figure.is_long else None)
    drawn = figure.draw(full=full, seed=seed, **({"kept": kept} if figure.is_long else {}))
    _write(drawn, files)
    kept.forget()
    if drawn.movie is not None:
        from ..draw.movie import animate

        files.append(animate(drawn.movie, movie))
    data = {
        "paper": paper, "figure": name, "title": figure.title, "seed": seed, "full": full, "expected": drawn.expected,
        "held": bool(drawn.held), "observed": drawn.observed, "notes": list(drawn.notes), "files": [str(f) for f in files],
    }  # fmt: skip
    lines = [figure.title, f"expected: {drawn.expected}", f"observed: {drawn.observed}"]
    lines += [f"note: {note}" for note in drawn.notes]
    lines += [f"{'held' if drawn.held else 'DID NOT HOLD'}", *[f"wrote {file}" for file in files]]
    return Answer(data, lines, code=0 if drawn.held else 1)


def _check_formats(formats: list[str]) -> None:
    for form in formats:
        if form not in FORMATS:
            raise BadInput(f"--format {form}: must be one of {', '.join(FORMATS)}")


def _write(drawn, files: list[Path]) -> None:
    """Each file whole or not at all."""
    import numpy as np

    files[0].parent.mkdir(parents=True, exist_ok=True)
    for file in files:
        draft = file.with_name(f".{file.name}.{os.getpid()}{file.suffix}")
        if file.suffix == ".npz":
            arrays: dict[str, Any] = {key: np.asarray(value) for key, value in drawn.data.items()}
            np.savez_compressed(draft, **arrays)
        else:
            drawn.figure.savefig(draft, dpi=200)
        os.replace(draft, file)
