"""Progress of long commands: a bar on a terminal, one line every ten seconds elsewhere."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager

EVERY = 10.0
"""Seconds between two lines where there is no terminal."""


@contextmanager
def progress(what: str, *, total: float | None = None, quiet: bool = False):
    """Yields `advance(words, done=…)`: by default one step further."""
    if quiet:
        yield lambda words="", done=None, total=None: None
    elif sys.stderr.isatty():
        with _bar(what, total) as advance:
            yield advance
    else:
        yield _lines(what, total)


@contextmanager
def _bar(what: str, total: float | None):
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn(), TimeRemainingColumn()
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)

        def advance(words: str = "", done: float | None = None, total: float | None = None):
            bar.update(task, description=f"{what} {words}", total=total)
            bar.advance(task) if done is None else bar.update(task, completed=done)

        yield advance


def _lines(what: str, total: float | None):
    state = {"at": time.monotonic(), "done": 0.0, "total": total}

    def advance(words: str = "", done: float | None = None, total: float | None = None):
        state["done"] = state["done"] + 1 if done is None else done
        state["total"] = total or state["total"]
        if time.monotonic() - state["at"] >= EVERY:
            state["at"] = time.monotonic()
            share = f" {100 * state['done'] / state['total']:.0f} %" if state["total"] else ""
            print(f"attnflow: {what} {words}{share}", file=sys.stderr, flush=True)

    return advance
