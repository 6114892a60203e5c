"""Progress of long commands: a bar on a terminal, one line every ten seconds elsewhere."""

from __future__ import annotations

import sys
import threading
import time
from contextlib import contextmanager

EVERY = 10.0
"""Seconds between two lines where there is no terminal."""


@contextmanager
def progress(what: str, *, total: float | None = None, quiet: bool = False):
    """Yields `advance(words, done=…)`: by default one step further. Without a total only the time spent is known."""
    if quiet:
        yield lambda words="", done=None, total=None: None
    elif sys.stderr.isatty():
        with _bar(what, total) as advance:
            yield advance
    else:
        with _lines(what, total) as advance:
            yield advance


@contextmanager
def _bar(what: str, total: float | None):
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        SpinnerColumn,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        SpinnerColumn(), TextColumn("{task.description}"), BarColumn(bar_width=24), TaskProgressColumn(),
        TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)

        def advance(words: str = "", done: float | None = None, total: float | None = None):
            bar.update(task, description=f"{what} {words}".strip(), total=total)
            bar.advance(task) if done is None else bar.update(task, completed=done)

        yield advance


@contextmanager
def _lines(what: str, total: float | None):
    """A thread speaks while the command works, also during one long call."""
    started, over = time.monotonic(), threading.Event()
    state: dict = {"words": "", "done": 0.0, "total": total}

    def advance(words: str = "", done: float | None = None, total: float | None = None):
        state["done"] = state["done"] + 1 if done is None else done
        state["total"], state["words"] = total or state["total"], words

    def speak():
        # A wait has a largest length that is far beyond any run.
        while not over.wait(min(EVERY, 1e6)):
            print(f"attnflow: {told(what, time.monotonic() - started, **state)}", file=sys.stderr, flush=True)

    voice = threading.Thread(target=speak, daemon=True)
    voice.start()
    try:
        yield advance
    finally:
        over.set()
        voice.join(timeout=1)


def told(what: str, spent: float, *, words: str, done: float, total: float | None) -> str:
    """A line of progress: what, where, per cent, seconds spent and left."""
    parts = [f"{what} {words}".strip()]
    share = done / total if total else 0.0
    if share > 0:
        parts.append(f"{100 * share:.0f} %")
    parts.append(f"{spent:.0f} s")
    if 0 < share < 1:
        parts.append(f"about {spent * (1 - share) / share:.0f} s left")
    return ", ".join(parts)
