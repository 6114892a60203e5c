"""Timing and tables shared by all benchmarks."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def seconds(call: Callable[[], object], *, least: float = 0.3, repeats: int = 5) -> float:
    """The median time of a call that has been made once before; calls are repeated to last at least `least`."""
    call()
    start = time.perf_counter()
    call()
    once = time.perf_counter() - start
    count = max(1, int(least / max(once, 1e-9) / repeats))
    return statistics.median(_timed(call, count) for _ in range(repeats))


def _timed(call, count):
    start = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - start) / count


def markdown(title: str, header: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [f"## {title}", "", "| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)]) + "\n"
