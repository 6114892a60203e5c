"""Pictures by night: plots are turned over by the style sheet; those that are filled with colours are dimmed instead."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

DARK, SHARE = 150, 0.2
"""A picture is filled if more than this share of it is darker than this (of 255): heat maps, not lines."""


def is_filled(file: Path) -> bool:
    with Image.open(file) as picture:
        drawn = picture.convert("RGBA")
    paper = Image.new("RGBA", drawn.size, "white")
    counts = Image.alpha_composite(paper, drawn).convert("L").resize((200, 200)).histogram()
    return sum(counts[:DARK]) > SHARE * sum(counts)


def night_style(pictures: Path) -> str:
    """A style sheet that names the filled pictures of a folder."""
    names = sorted(file.name for file in pictures.glob("*.png") if is_filled(file))
    chosen = ",\n".join(f'html[data-theme="dark"] .bd-content img[src$="/{name}"]' for name in names)
    return f"{chosen} {{ filter: brightness(.8); mix-blend-mode: normal; }}\n" if names else ""
