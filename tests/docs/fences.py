"""Fenced blocks of a Markdown page, in order, with what the page says of them in comments.

A comment on the line before a block, invisible to readers, says how it is tested:
`<!-- slow -->` in the long tests only; `<!-- weights: NAME -->` where that package is installed; `<!-- not run: why -->`
read, but not run.
"""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
"""Pages written by hand; what `make docs` makes is not in git, and is told by its first line."""
GENERATED = ("node_modules", "reference", "papers", "figures", "tutorials", "generate")

FENCE = re.compile(r"^(?:<!-- (?P<note>[^\n]*?) -->\n)?```(?P<language>[^\n`]*)\n(?P<code>.*?)^```$", re.M | re.S)


@dataclass(frozen=True)
class Fence:
    """A block of code, its language, and the comment before it."""

    language: str
    code: str
    note: str = ""

    @property
    def is_slow(self) -> bool:
        return self.note.startswith("slow")

    @property
    def weights(self) -> str:
        """The package with trained weights that the block needs."""
        return self.note.removeprefix("weights: ") if self.note.startswith("weights: ") else ""

    @property
    def is_run(self) -> bool:
        return not self.note.startswith("not run:")


def fences(page: Path) -> list[Fence]:
    found = FENCE.finditer(page.read_text(encoding="utf-8"))
    return [Fence(m["language"].strip(), m["code"], m["note"] or "") for m in found]


def pages() -> list[Path]:
    return [page for page in PAGES if not set(page.relative_to(ROOT).parts[1:2]) & set(GENERATED)]


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))
