"""A report as Markdown, and as one HTML file that needs nothing else."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path

from .words import Block

STYLE = Path(__file__).with_name("style.css")
MIME = {".png": "image/png", ".gif": "image/gif", ".svg": "image/svg+xml"}


def as_markdown(blocks: Sequence[Block]) -> str:
    level = "#"
    parts = []
    for block in blocks:
        parts.append(_markdown(block, level))
        level = "##"
    return "\n\n".join(parts) + "\n"


def _markdown(block: Block, level: str) -> str:
    match block.kind:
        case "heading":
            return f"{level} {block.content}"
        case "items":
            return "\n".join(f"- {item}" for item in block.content)
        case "table":
            head, *rows = [[str(cell).replace("|", "\\|") for cell in row] for row in block.content]
            lines = [head, ["---"] * len(head), *rows]
            return "\n".join(f"| {' | '.join(line)} |" for line in lines)
        case "picture":
            return f"![{block.caption}]({block.content})"
        case "code":
            return f"```toml\n{block.content.strip()}\n```"
    return str(block.content)


def as_html(blocks: Sequence[Block], *, folder: Path) -> str:
    """One page with its pictures inside; they are read from the folder."""
    title = escape(str(blocks[0].content))
    body = [f"<h1>{title}</h1>", *[_html(block, folder) for block in blocks[1:]]]
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
    return "\n".join(
        [
            "<!doctype html>",
            f'<html lang="en"><head>{head}<style>',
            STYLE.read_text(encoding="utf-8"),
            "</style></head><body>",
            *body,
            "</body></html>",
            "",
        ]
    )


def _html(block: Block, folder: Path) -> str:
    match block.kind:
        case "heading":
            return f"<h2>{escape(block.content)}</h2>"
        case "items":
            return "<ul>" + "".join(f"<li>{escape(str(item))}</li>" for item in block.content) + "</ul>"
        case "table":
            return _html_table(block.content)
        case "picture":
            caption = escape(block.caption)
            source = _inline(folder / block.content)
            return f'<figure><img src="{source}" alt="{caption}"><figcaption>{caption}</figcaption></figure>'
        case "code":
            return f"<pre>{escape(block.content.strip())}</pre>"
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", f"<p>{escape(str(block.content))}</p>")


def _html_table(rows) -> str:
    head, *rest = rows
    lines = ["<tr>" + "".join(f"<th>{escape(str(cell))}</th>" for cell in head) + "</tr>"]
    lines += ["<tr>" + "".join(_cell(str(cell)) for cell in row) + "</tr>" for row in rest]
    return "<table>" + "".join(lines) + "</table>"


def _cell(words: str) -> str:
    return f'<td class="fails">{words}</td>' if words == "FAILS" else f"<td>{escape(words)}</td>"


def _inline(file: Path) -> str:
    return f"data:{MIME[file.suffix]};base64,{base64.b64encode(file.read_bytes()).decode()}"
