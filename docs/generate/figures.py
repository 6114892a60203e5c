"""The gallery of published figures, and a page for each."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image

from attnflow.interfaces.explore.published import PUBLISHED
from attnflow.papers.figure import Figure
from attnflow.papers.register import papers

from .claims import ROOT, claim_link
from .drawing import outcome, stem
from .text import block, bullets, code, escaped, excerpt, fenced, indented, link, page, sentence, short, words

THUMBNAIL = (640, 480)
SHORT = 60.0
"""Seconds of one core, at reduced size: what takes longer is called long."""


def figure_pages(figures: list[Figure], pictures: Path) -> Iterator[tuple[str, str]]:
    """File names and texts of the folder `figures`."""
    yield "index.md", _gallery(figures, pictures)
    for figure in figures:
        yield f"{stem(figure)}.md", _page(figure, outcome(figure, pictures), pictures)


def figure_link(figure: Figure, home: str = "") -> str:
    return link(escaped(_number(figure)), f"{home}{stem(figure)}.md")


def _number(figure: Figure) -> str:
    return f"Figure {figure.name}" if figure.name[0].isdigit() else f"“{figure.name.replace('_', ' ')}”"


def _order(figure: Figure) -> tuple[float, str]:
    """Printed numbers first, as they are counted."""
    number = re.match(r"\d+", figure.name)
    return (float(number[0]) if number else float("inf"), figure.name)


# ---- the gallery ------------------------------------------------------------------------------------------------------


def _gallery(figures: list[Figure], pictures: Path) -> str:
    parts = []
    for paper in papers().values():
        own = [figure for figure in figures if figure.paper == paper.name]
        if own:
            title = f"{escaped(paper.authors)}: {link(escaped(paper.title), f'../papers/{paper.name}.md')}"
            parts.append(f"## {escaped(short(paper.authors, paper.year))}\n\n{title}")
            parts.append(cards(own, pictures))
    names = "\n".join(stem(figure) for figure in figures)
    return page(
        "# Figures",
        f"All {len(figures)} published figures, each redrawn by one command with its data and the outcome that is expected of "
        "it: `attnflow figure PAPER FIGURE`. The pictures here are drawn at reduced size, in the seconds of one core that stand "
        "below them; `--full` draws them at the size of the paper. *Held* means that what the paper shows, or what theory "
        "expects, was measured in the run; each page says what that is.",
        *parts,
        block("toctree", "", names, hidden="", maxdepth="1"),
    )


def cards(figures: list[Figure], pictures: Path, *, home: str = "") -> str:
    """Small pictures that lead to the pages of the figures."""
    items = "\n\n".join(_card(figure, pictures, home) for figure in sorted(figures, key=_order))
    return block("grid", "1 2 2 3", items, colons=4, gutter="2", class_container="af-gallery")


def _card(figure: Figure, pictures: Path, home: str) -> str:
    small = pictures / "small" / f"{stem(figure)}.png"
    shown = {"img_top": f"/{pictures.name}/small/{small.name}"} if small.exists() else {}
    told = outcome(figure, pictures)
    lines = [escaped(figure.title), "" if shown else f"*draw it:* {code(command(figure))}"]
    lines.append(f"{_verdict(told)} in {told['seconds']:.3g} s" if "expected" in told else "")
    text = "\n\n".join(filter(None, lines))
    return block(
        "grid-item-card", escaped(_number(figure)), text, link=f"{home}{stem(figure)}", link_type="doc", **shown
    )


def _verdict(told: dict[str, Any]) -> str:
    return "{bdg-success-line}`held`" if told["held"] else "{bdg-danger}`did not hold`"


def make_thumbnails(figures: list[Figure], pictures: Path) -> None:
    """Small copies of pictures that have none, or an older one."""
    (pictures / "small").mkdir(parents=True, exist_ok=True)
    for figure in figures:
        large, small = pictures / f"{stem(figure)}.png", pictures / "small" / f"{stem(figure)}.png"
        if large.exists() and (not small.exists() or small.stat().st_mtime < large.stat().st_mtime):
            with Image.open(large) as picture:
                flat = picture.convert("RGB")
                flat.thumbnail(THUMBNAIL, Image.Resampling.LANCZOS)
                flat.save(small)


# ---- one figure -------------------------------------------------------------------------------------------------------


def command(figure: Figure) -> str:
    return f"attnflow figure {figure.paper} {figure.name}"


def _page(figure: Figure, told: dict[str, Any], pictures: Path) -> str:
    paper = papers()[figure.paper]
    picture = pictures / f"{stem(figure)}.png"
    whose = "of" if figure.name[0].isdigit() else "for"
    shown = f"```{{image}} /{pictures.name}/{picture.name}\n:alt: {figure.title}\n:align: center\n```"
    facts = "\n\n".join(f"{term}\n: {indented(text).lstrip()}" for term, text in _facts(figure, told))
    return page(
        f"# {escaped(figure.title)}",
        f"{_number(figure)} {whose} {link(escaped(f'{paper.citation}: {paper.title}'), f'../papers/{paper.name}.md')}",
        shown if picture.exists() else "",
        fenced(command(figure) + ("" if picture.exists() and not figure.is_long else " --full")),
        facts,
        excerpt(_source(figure), figure.draw.__name__),
    )


def _source(figure: Figure) -> str:
    return Path(inspect.getfile(inspect.unwrap(figure.draw))).relative_to(ROOT).as_posix()


def _facts(figure: Figure, told: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if "expected" in told:
        yield "Expected", sentence(told["expected"])
        yield "Observed", f"{_verdict(told)} {sentence(told['observed'])}"
        if told["notes"]:
            yield "Notes", bullets(words(note) for note in told["notes"])
    yield "Time", _time(figure, told)
    if told.get("claims"):
        yield "Claims", "about this run: " + ", ".join(claim_link(key) for key in told["claims"])
    if any(name.split()[0] == f"{figure.paper}/{figure.name}" for name in PUBLISHED):
        yield "Explore", "a preset of the [explorer](../explorer.md): `attnflow explore`, then *Presets*"


def _time(figure: Figure, told: dict[str, Any]) -> str:
    full = (
        "; long at the size of the paper, where finished parts are kept if it is interrupted" if figure.is_long else ""
    )
    if "refusal" in told:
        return f"not drawn here: {sentence(told['refusal'])}"
    if "seconds" not in told:
        return f"not drawn yet{full}"
    kind = "short" if told["seconds"] <= SHORT else "long"
    return f"{kind}: {told['seconds']:.3g} s of one core at reduced size{full}"
