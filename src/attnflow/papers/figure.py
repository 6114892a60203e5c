"""Published figures: one function each, all drawn and stored the same way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from ..errors import BadInput, quoted
from .register import chapters, find_paper, is_own, papers


@dataclass(frozen=True)
class Drawn:
    """A figure with its data and a line on whether the expected outcome held."""

    figure: Any
    """A matplotlib figure."""
    data: dict[str, Any]
    """Arrays by name; stored beside the picture."""
    expected: str
    held: bool
    observed: str
    notes: tuple[str, ...] = field(default_factory=tuple)
    """Errata and warnings to print."""
    movie: Any = None
    """A run to be shown in motion beside the picture, if any."""


@dataclass(frozen=True)
class Figure:
    """A published figure: `draw(full, seed)` makes it, at the paper's size when full."""

    paper: str
    name: str
    title: str
    draw: Callable[..., Drawn]
    is_long: bool = False
    """Whether `draw` also takes `kept`, where it leaves finished parts at the paper's size."""


def figure(name: str, title: str, *, is_long: bool = False):
    """Mark `draw(*, full: bool, seed: int) -> Drawn` as a published figure of the paper whose folder it stands in."""

    def mark(draw: Callable[..., Drawn]) -> Callable[..., Drawn]:
        draw.figure = (name, title, is_long)  # pyright: ignore[reportFunctionMemberAccess]
        return draw

    return mark


def figures(paper: str | None = None) -> list[Figure]:
    """All published figures, or those of one paper (by name or arXiv number)."""
    names = papers() if paper is None else (find_paper(paper),)
    return [item for name in names for item in _figures_of(name)]


def _figures_of(paper: str) -> tuple[Figure, ...]:
    return tuple(
        Figure(paper, name, title, draw, is_long)
        for module in _modules(paper)
        for draw in vars(module).values()
        if hasattr(draw, "figure") and getattr(draw, "__module__", None) == module.__name__
        for name, title, is_long in [draw.figure]
    )


def _modules(paper: str) -> list[ModuleType]:
    """The modules that may hold figures: imported only when a figure is asked for."""
    home = f"{__package__}.{paper}.figures"
    if not is_own(paper):
        return list(chapters(paper))
    if find_spec(home) is None:
        return []
    package = import_module(home)
    inner = [import_module(f"{home}.{found.name}") for found in iter_modules(getattr(package, "__path__", []))]
    return [package, *inner]


def find(paper: str, name: str) -> Figure:
    """The figure of that name."""
    known = {item.name: item for item in figures(paper)}
    if name not in known:
        raise BadInput(f"{paper} has no figure {quoted(name)}; it has {', '.join(known) or 'none yet'}")
    return known[name]
