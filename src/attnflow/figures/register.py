"""Published figures: one function each, all drawn and stored the same way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from ..theory.claim import PAPERS


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


_REGISTER: dict[tuple[str, str], Figure] = {}


def figure(paper: str, name: str, title: str, *, is_long: bool = False):
    """Register `draw(*, full: bool, seed: int) -> Drawn` as a published figure."""

    def add(draw: Callable[..., Drawn]) -> Callable[..., Drawn]:
        if (paper, name) in _REGISTER:
            raise ValueError(f"figure {name} of {paper} is registered twice")
        _REGISTER[paper, name] = Figure(paper, name, title, draw, is_long)
        return draw

    return add


def figures(paper: str | None = None) -> list[Figure]:
    for name in PAPERS if paper is None else (paper,):
        _load(name)
    return [item for item in _REGISTER.values() if paper in (None, item.paper)]


def find(paper: str, name: str) -> Figure:
    known = {item.name: item for item in figures(paper)}
    if name not in known:
        raise ValueError(f"{paper} has no figure {name!r}; it has {', '.join(known) or 'none yet'}")
    return known[name]


def _load(paper: str) -> None:
    if paper not in PAPERS:
        raise ValueError(f"unknown paper {paper!r}; known are {', '.join(PAPERS)}")
    try:
        import_module(f"attnflow.figures.{paper}")
    except ModuleNotFoundError as error:
        if error.name != f"attnflow.figures.{paper}":
            raise
