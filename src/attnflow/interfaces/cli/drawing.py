"""`figure`: draw a published figure and keep its data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...engine.files.whole import check_folder, reason, told_where, whole
from ...errors import BadInput, is_memory
from .answer import Answer, Table
from .finding import check_figure

FORMATS = ("png", "pdf", "svg", "pgf")
STYLES = ("paper", "talk")
COLUMNS = ("single", "double")


@dataclass(frozen=True)
class Look:
    """How a figure is written and shown."""

    formats: tuple[str, ...] = ("png",)
    style: str = "paper"
    column: str | None = None
    show: bool = False

    def check(self) -> None:
        for form in self.formats:
            if form not in FORMATS:
                raise BadInput(f"--format {form}: must be one of {', '.join(FORMATS)}")
        if self.style not in STYLES:
            raise BadInput(f"--style {self.style}: must be one of {', '.join(STYLES)}")
        if self.column is not None and self.column not in COLUMNS:
            raise BadInput(f"--column {self.column}: must be one of {', '.join(COLUMNS)}")


def draw_figures(
    paper: str, name: str | None, *, every: bool, full: bool, out: Path, look: Look, replace: bool, seed: int
) -> Answer:
    """One figure of a paper, or all of them one after the other."""
    paper = check_figure(paper, name)
    look.check()
    if every == (name is not None):
        raise BadInput(f"figure takes a name or --all; `attnflow list figures {paper}` shows the names")
    from .engine import start_engine
    from .progress import progress

    if name is not None:
        _check_free(paper, name, out=out, look=look, replace=replace)
        start_engine()
        with progress(f"drawing {paper} {name}"):
            return _drawn(paper, name, full=full, out=out, look=look, seed=seed)
    start_engine()
    from ...papers.figure import figures

    names = [figure.name for figure in figures(paper)]
    if not names:
        raise BadInput(f"{paper} has no figures yet")
    for each in names:
        _check_free(paper, each, out=out, look=look, replace=replace)
    answers = []
    with progress(f"drawing {paper}", total=len(names)) as advance:
        for each in names:
            advance(each, done=len(answers))
            answers.append(_drawn(paper, each, full=full, out=out, look=look, seed=seed))
    rows = [(a.data["figure"], "held" if a.data["held"] else "DID NOT HOLD", a.data["observed"]) for a in answers]
    table = Table(f"{paper}, in {out}", ("Figure", "Outcome", "Observed"), rows)
    return Answer({"paper": paper, "figures": [a.data for a in answers]}, [table], code=max(a.code for a in answers))


def _files(paper: str, name: str, out: Path, look: Look) -> list[Path]:
    return [out / f"{paper}-{name}.{form}" for form in [*dict.fromkeys(look.formats), "npz"]]


def _check_free(paper: str, name: str, *, out: Path, look: Look, replace: bool) -> None:
    check_folder(out)
    taken = [file for file in (*_files(paper, name, out, look), out / f"{paper}-{name}.gif") if file.exists()]
    if taken and not replace:
        raise BadInput(f"{taken[0]} exists already; give --replace to overwrite it, or another --out")


def _drawn(paper: str, name: str, *, full: bool, out: Path, look: Look, seed: int) -> Answer:
    """Write picture and data, and answer whether the expected outcome held."""
    from ...draw.style import chosen_look
    from ...papers.figure import find
    from ...papers.kept import Kept

    figure, files = find(paper, name), _files(paper, name, out, look)
    kept = Kept(out / f".{paper}-{name}.parts" if full and figure.is_long else None)
    try:
        with chosen_look(style=look.style, column=look.column):
            drawn = figure.draw(full=full, seed=seed, **({"kept": kept} if figure.is_long else {}))
            _write(drawn, files, look)
    except (OSError, MemoryError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and not is_memory(error):
            raise
        raise BadInput(f"{reason(error)}, writing {out}; {kept.words}") from None
    kept.forget()
    if drawn.movie is not None:
        from ...draw.movie import animate

        files.append(animate(drawn.movie, out / f"{paper}-{name}.gif"))
    data = {
        "paper": paper, "figure": name, "title": figure.title, "seed": seed, "full": full, "expected": drawn.expected,
        "held": bool(drawn.held), "observed": drawn.observed, "notes": list(drawn.notes), "files": [str(f) for f in files],
    }  # fmt: skip
    lines = [figure.title, f"expected: {drawn.expected}", f"observed: {drawn.observed}"]
    lines += [f"note: {note}" for note in drawn.notes]
    lines += [f"{'held' if drawn.held else 'DID NOT HOLD'}", *[f"wrote {file}" for file in files]]
    if look.show:
        import typer

        typer.launch(str(files[0]))
    return Answer(data, lines, code=0 if drawn.held else 1)


def _write(drawn, files: list[Path], look: Look) -> None:
    """Each file whole or not at all."""
    import numpy as np

    from ...draw.style import fit_column

    with told_where(files[0].parent):
        files[0].parent.mkdir(parents=True, exist_ok=True)
    if look.column is not None:
        fit_column(drawn.figure, look.column)
    for file in files:
        with whole(file) as draft:
            if file.suffix == ".npz":
                arrays: dict[str, Any] = {key: np.asarray(value) for key, value in drawn.data.items()}
                np.savez_compressed(draft, **arrays)
            else:
                drawn.figure.savefig(draft, dpi=200)
