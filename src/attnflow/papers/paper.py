"""Bibliographic record of a paper: whose it is, which edition was read, where its claims stand."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, init=False)
class Line:
    """A statement of a paper, the claims that tell it (as in their keys), and why there is none, or what they leave out."""

    statement: str
    claims: tuple[str, ...]
    why: str

    def __init__(self, statement: str, *claims: str, why: str = ""):
        object.__setattr__(self, "statement", statement)
        object.__setattr__(self, "claims", claims)
        object.__setattr__(self, "why", why)


@dataclass(frozen=True)
class Paper:
    """A paper as it is cited; numbers of theorems are those of the named edition.

    >>> import attnflow as af
    >>> af.Paper(authors="Smith", title="On cosines", arxiv="2701.00001", edition="v1", year=2027, chapters=()).title
    'On cosines'
    """

    authors: str
    title: str
    arxiv: str
    edition: str
    """The version whose numbering the claims follow, e.g. "v6"; or what was read instead of the paper."""
    year: int
    chapters: tuple[str, ...]
    """Files of the folder that hold claims, in the order of the paper."""
    statements: tuple[Line, ...] = ()
    """Every statement of the paper that we know of, and where it is told."""
    note: str = ""
    """What was not seen of it."""
    name: str = ""
    """The folder, stamped by the register; also the BibTeX key."""

    @property
    def citation(self) -> str:
        return f"{self.authors} {self.year} (arXiv {self.arxiv})"

    @property
    def bibtex(self) -> str:
        people = " and ".join(self.authors.split(", "))
        return (
            f"@misc{{{self.name},\n  author = {{{people}}},\n  title = {{{self.title}}},\n  year = {{{self.year}}},\n"
            f"  eprint = {{{self.arxiv}}},\n  archivePrefix = {{arXiv}}\n}}"
        )
