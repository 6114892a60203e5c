"""All made pages, written into the folders that Sphinx reads beside the pages written by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from attnflow.papers.figure import figures

from . import experiments
from .commands import commands_page
from .errata import errata_page, numbers_page
from .figures import figure_pages
from .keys import keys_page
from .names import name_pages
from .papers import paper_pages
from .questions import questions_page
from .reliability import reliability_page
from .verdicts import stored

DOCS = Path(__file__).parents[1]
PICTURES = DOCS / "_drawn"
FOLDERS = ("papers", "figures", "reference")


def pages(pictures: Path = PICTURES) -> Iterator[tuple[str, str]]:
    """Every made page, by its path in docs/."""
    drawn, verdicts = figures(), stored()
    yield from _within("papers", paper_pages(drawn, verdicts, pictures))
    others = [
        ("errata.md", errata_page(verdicts)),
        ("numbers.md", numbers_page()),
        ("questions.md", questions_page(experiments.stored())),
    ]
    yield from _within("papers", iter(others))
    yield "how/reliability.md", reliability_page(verdicts)
    yield from _within("figures", figure_pages(drawn, pictures))
    yield from _within("reference", name_pages())
    yield from _within("reference", iter([("commands.md", commands_page()), ("scenario-keys.md", keys_page())]))


def _within(folder: str, made: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    return ((f"{folder}/{name}", text) for name, text in made)


def write(docs: Path = DOCS, pictures: Path = PICTURES) -> int:
    """Write what changed, and remove what is no longer made; the count of pages."""
    made = {docs / path: text for path, text in pages(pictures)}
    for file, text in made.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists() or file.read_text("utf-8") != text:
            file.write_text(text, "utf-8")
    for folder in FOLDERS:
        for old in set((docs / folder).glob("*.md")) - set(made):
            old.unlink()
    _forget_tutorials(docs)
    return len(made)


def _forget_tutorials(docs: Path) -> None:
    """Sphinx-gallery leaves pages of examples that are gone, and Sphinx would miss them in every list."""
    known = {example.stem for example in (docs.parent / "examples").glob("*.py")}
    for old in (docs / "tutorials").glob("plot_*"):
        if old.name.split(".")[0] not in known:
            old.unlink()
