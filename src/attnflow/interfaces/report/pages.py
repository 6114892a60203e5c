"""A report as Markdown, and as one HTML file that needs nothing else."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from ...draw.player import player, script
from ...engine.linalg.mathml import as_mathml
from .blocks import Block, Cell
from .verdicts import verdict

HERE = Path(__file__).parent
STYLE, ANCHORS = HERE / "style.css", HERE / "anchors.js"
MIME = {".png": "image/png", ".gif": "image/gif", ".svg": "image/svg+xml"}
Films = Mapping[str, list[str]]
SPECIAL = re.compile(r"([\\`*_{}\[\]<>#+!|~&$-])")
"""What Markdown may read as more than a character."""


# ---- Markdown ---------------------------------------------------------------------------------------------------------


def as_markdown(blocks: Sequence[Block]) -> str:
    return _joined(_titled(blocks))


def _joined(blocks: Sequence[Block]) -> str:
    return "\n\n".join(part for block in blocks if (part := _markdown(block))) + "\n"


def _titled(blocks: Sequence[Block]) -> list[Block]:
    """The first heading of a page is its title."""
    first, *rest = blocks
    return [Block("title", first.content) if first.kind == "heading" else first, *rest]


def plain_markdown(words) -> str:
    """Words that Markdown shows as they are, on one line: titles and paths may hold anything."""
    return SPECIAL.sub(r"\\\1", "".join(c if c.isprintable() else " " for c in " ".join(str(words).split())))


def _markdown(block: Block) -> str:
    match block.kind:
        case "title":
            return f"# {plain_markdown(block.content)}"
        case "heading":
            return f"## {plain_markdown(block.content)}"
        case "items":
            return "\n".join(f"- {plain_markdown(item)}" for item in block.content)
        case "symbols":
            return "\n".join(f"- ${symbol}$: {plain_markdown(words)}" for symbol, words in block.content)
        case "formula":
            return f"$$\n{block.content}\n$$"
        case "table":
            head, *rows = [[_markdown_cell(cell) for cell in row] for row in block.content]
            return "\n".join(f"| {' | '.join(line)} |" for line in (head, ["---"] * len(head), *rows))
        case "picture" | "player":
            return f"![{plain_markdown(block.caption)}]({block.content})"
        case "code":
            # A fence longer than any run of backticks inside cannot be closed from inside.
            longest = max((len(run) for run in re.findall(r"`+", block.content)), default=0)
            fence = "`" * max(3, longest + 1)
            return f"{fence}toml\n{block.content.strip()}\n{fence}"
        case "claims":
            return "\n\n".join(_markdown_claim(*entry) for entry in block.content)
        case "folded":
            inside = _joined(block.content).strip()
            return f"<details><summary>{escape(block.caption)}</summary>\n\n{inside}\n\n</details>"
    return "`".join(part if k % 2 else plain_markdown(part) for k, part in enumerate(str(block.content).split("`")))


def _markdown_cell(cell) -> str:
    if isinstance(cell, Cell):
        link = f" [{plain_markdown(cell.claim)}](#{_anchor(cell.claim)})" if cell.claim else ""
        return plain_markdown(verdict(cell.outcome)) + link
    return plain_markdown(cell)


def _markdown_claim(key, title, lines) -> str:
    said = "\n".join(f"  - {name}: {plain_markdown(words)}" for name, words in lines)
    return f'- <a id="{_anchor(key)}"></a>**{plain_markdown(key)}** {plain_markdown(title)}\n{said}'


def _anchor(key: str) -> str:
    return "claim-" + re.sub(r"[^a-z0-9]+", "-", key.lower()).strip("-")


# ---- HTML -------------------------------------------------------------------------------------------------------------


def as_html(blocks: Sequence[Block], *, folder: Path, films: Films | None = None) -> str:
    """One page with its pictures inside: they are read from the folder, but for the frames of `films`, by their files."""
    title = escape(str(blocks[0].content))
    body = [_html(block, folder, films or {}) for block in _titled(blocks)]
    moving = script() if any(block.kind == "player" for block in blocks) else ""
    ending = f"<script>\n{moving}{ANCHORS.read_text(encoding='utf-8')}</script>"
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>{title}</title>'
    return "\n".join(
        [
            "<!doctype html>",
            f'<html lang="en"><head>{head}<style>',
            STYLE.read_text(encoding="utf-8"),
            "</style></head><body><main>",
            *body,
            f"</main>{ending}</body></html>",
            "",
        ]
    )


def _html(block: Block, folder: Path, films: Films) -> str:
    match block.kind:
        case "title":
            return f"<h1>{escape(str(block.content))}</h1>"
        case "heading":
            return f"<h2>{escape(block.content)}</h2>"
        case "items":
            return "<ul>" + "".join(f"<li>{escape(str(item))}</li>" for item in block.content) + "</ul>"
        case "symbols":
            rows = [f"<dt>{as_mathml(symbol)}</dt><dd>{escape(words)}</dd>" for symbol, words in block.content]
            return f"<dl>{''.join(rows)}</dl>"
        case "formula":
            return f'<div class="formula">{as_mathml(block.content, is_display=True)}</div>'
        case "table":
            return _html_table(block.content)
        case "picture":
            caption = escape(block.caption)
            source = _inline(folder / block.content)
            return f'<figure><img src="{source}" alt="{caption}"><figcaption>{caption}</figcaption></figure>'
        case "player":
            return player(films[block.content], block.caption)
        case "code":
            return f"<pre>{escape(block.content.strip())}</pre>"
        case "claims":
            return "".join(_html_claim(*entry) for entry in block.content)
        case "folded":
            inside = "".join(_html(inner, folder, films) for inner in block.content)
            return f"<details><summary>{escape(block.caption)}</summary>{inside}</details>"
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", f"<p>{escape(str(block.content))}</p>")


def _html_table(rows) -> str:
    """On a narrow screen every row becomes a card, with the names of the columns beside their cells."""
    head, *rest = rows
    lines = ["<thead><tr>" + "".join(f"<th>{escape(str(cell))}</th>" for cell in head) + "</tr></thead>"]
    lines += [
        "<tr>" + "".join(_html_cell(cell, name) for cell, name in zip(row, head, strict=True)) + "</tr>" for row in rest
    ]
    return "<table>" + "".join(lines) + "</table>"


def _html_cell(cell, name: str) -> str:
    if not isinstance(cell, Cell):
        return f'<td data-name="{escape(name)}">{escape(str(cell))}</td>'
    link = f'<br><a href="#{_anchor(cell.claim)}">{escape(cell.claim)}</a>' if cell.claim else ""
    return f'<td data-name="{escape(name)}"><b class="{escape(cell.outcome)}">{verdict(cell.outcome)}</b>{link}</td>'


def _html_claim(key, title, lines) -> str:
    said = "".join(f"<dt>{escape(name)}</dt><dd>{escape(words)}</dd>" for name, words in lines)
    return f'<section id="{_anchor(key)}"><h3><code>{escape(key)}</code> {escape(title)}</h3><dl>{said}</dl></section>'


def _inline(file: Path) -> str:
    return f"data:{MIME[file.suffix]};base64,{base64.b64encode(file.read_bytes()).decode()}"
