"""One page per paper, made from the register: claims, what is told where, figures, BibTeX; and an overview of all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from attnflow.papers.claim import Claim
from attnflow.papers.figure import Figure
from attnflow.papers.paper import Line, Paper
from attnflow.papers.register import chapters, claims, papers

from .claims import claim_link, section
from .drawing import outcome
from .figures import cards, figure_link
from .text import block, code, escaped, fenced, link, page, sentence, short, table, words
from .verdicts import Verdicts


def paper_pages(figures: list[Figure], verdicts: Verdicts, pictures: Path) -> Iterator[tuple[str, str]]:
    """File names and texts of the folder `papers`."""
    yield "index.md", _overview(figures)
    for paper in papers().values():
        own = [figure for figure in figures if figure.paper == paper.name]
        yield f"{paper.name}.md", _page(paper, own, verdicts, pictures)


# ---- all papers -------------------------------------------------------------------------------------------------------


def _overview(figures: list[Figure]) -> str:
    found = claims()
    wrong = sum(claim.erratum is not None for claim in found)
    known = papers()
    names = "\n".join(["errata", "numbers", "questions", *map(_listed, known.values())])
    return page(
        "# Papers",
        f"{len(found)} claims of {len(known)} papers, each with its statement as printed and as corrected, its hypotheses, "
        "what of a run decides it, and the verdict of hunts for counterexamples. "
        f"{wrong} of them have an [erratum](errata.md); the [index of numbers](numbers.md) leads from a printed number to its "
        "claim and its file; [open questions](questions.md) are tried by experiments. What words mean is in the "
        "[glossary](../start/glossary.md); the letters of each paper beside ours are in the "
        "[table of notation](../start/notation.md).",
        block("grid", "1 1 2 2", "\n\n".join(_card(paper, figures) for paper in known.values()), colons=4, gutter="3"),
        block("toctree", "", names, hidden="", maxdepth="1"),
    )


def _listed(paper: Paper) -> str:
    return f"{short(paper.authors, paper.year)} <{paper.name}>"


def _card(paper: Paper, figures: list[Figure]) -> str:
    own = claims(paper.name)
    drawn = sum(figure.paper == paper.name for figure in figures)
    wrong = sum(claim.erratum is not None for claim in own)
    counts = [
        _count(len(own), "claim", "claims"),
        _count(wrong, "erratum", "errata"),
        _count(drawn, "figure", "figures"),
    ]
    body = f"{escaped(paper.authors)}, {paper.year}\n\n*{' · '.join(filter(None, counts))}*"
    return block("grid-item-card", escaped(paper.title), body, link=paper.name, link_type="doc")


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}" if number else ""


# ---- one paper --------------------------------------------------------------------------------------------------------


def _page(paper: Paper, figures: list[Figure], verdicts: Verdicts, pictures: Path) -> str:
    return page(
        f"(paper-{paper.name})=\n# {escaped(paper.title)}",
        f"{escaped(paper.authors)}, {paper.year} · {link(f'arXiv {paper.arxiv}', f'https://arxiv.org/abs/{paper.arxiv}')} · "
        f"{code(paper.name)}",
        f"**Read:** {sentence(paper.edition)} {sentence(paper.note) if paper.note else ''}",
        f"A hunt tries to break a statement and reports its largest violation ratio: above 1 the statement fails. Verdicts are "
        f"those of {verdicts.words}; `attnflow check {paper.name}` hunts again.",
        *(_chapter(module, paper, figures, verdicts, pictures) for module in chapters(paper.name)),
        _coverage(paper),
        "## Figures\n\n" + cards(figures, pictures, home="../figures/") if figures else "",
        "## BibTeX\n\n" + fenced(paper.bibtex, "bibtex"),
    )


def _chapter(module: ModuleType, paper: Paper, figures: list[Figure], verdicts: Verdicts, pictures: Path) -> str:
    """A file of claims as a section under its own first line."""
    title, _, rest = (module.__doc__ or module.__name__).split("\n")[0].rstrip(".").partition(": ")
    own = [claim for claim in claims(paper.name) if type(claim).__module__ == module.__name__]
    lead = sentence(rest[:1].upper() + rest[1:]) if rest else ""
    shown = {claim.key: _figures_of(claim, figures, pictures) for claim in own}
    parts = [section(claim, verdicts, shown[claim.key]) for claim in own]
    return "\n\n".join(part for part in [f"## {escaped(title)}", lead, *parts] if part)


def _figures_of(claim: Claim, figures: list[Figure], pictures: Path) -> list[str]:
    """Figures whose runs meet the hypotheses of a claim, or that the claim is about."""
    about = claim.number.removeprefix("figure ") if claim.kind == "figure" else None
    return [
        figure_link(figure, "../figures/")
        for figure in figures
        if figure.name == about or claim.key in outcome(figure, pictures).get("claims", [])
    ]


def _coverage(paper: Paper) -> str:
    """Every statement of the paper that we know of: the claims that tell it, or why none does."""
    if not paper.statements:
        return ""
    rows = [(words(line.statement), _told(paper, line), words(line.why)) for line in paper.statements]
    return "## Statements of the paper\n\n" + table(("Statement", "Claims", "What is not told, and why"), rows)


def _told(paper: Paper, line: Line) -> str:
    return ", ".join(claim_link(f"{paper.name}.{number}", code(number)) for number in line.claims) or "none"
