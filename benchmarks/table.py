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


def in_turns(calls: dict[str, Callable[[], object]], *, rounds: int = 5) -> dict[str, float]:
    """The median time of each call at full pace; calls take turns, so that a busy machine is unfair to nobody."""
    for call in calls.values():
        call()
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            # Worker threads of the one before may still be spinning.
            time.sleep(0.25)
            _until_at_pace(call)
            times[name].append(_timed(call, 3))
    return {name: statistics.median(taken) for name, taken in times.items()}


def _until_at_pace(call, least: float = 0.1):
    """After an idle moment the system needs some milliseconds to give a process both cores again."""
    start = time.perf_counter()
    while time.perf_counter() - start < least:
        call()


def _timed(call, count):
    start = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - start) / count


def markdown(title: str, header: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [f"### {title}", "", "| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)]) + "\n"
