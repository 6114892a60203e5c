"""Cost of a scenario, estimated before anything is allocated."""

from __future__ import annotations

import os
from dataclasses import dataclass

from ..errors import BadInput
from .data import Scenario
from .matrix import Course, Drawn, Stored

COPIES = 6
"""A saved state is in memory this many times while it is joined, observed, stored and drawn."""
MOST_STEPS = 10**9
PAIR = 1e-9
"""Seconds per pair of tokens and coordinate of an exact sum, on one core."""


@dataclass(frozen=True)
class Cost:
    """What a run will need, roughly."""

    n: int
    d: int
    saves: int
    steps: int | None
    """Of fixed-step methods; adaptive ones choose their own."""
    memory: int
    """Bytes."""
    velocity: float
    """Seconds of one exact velocity."""

    @property
    def words(self) -> list[str]:
        steps = "steps follow the tolerance" if self.steps is None else f"{self.steps:,} steps"
        return [
            f"{self.n:,} tokens in dimension {self.d:,}, saved {self.saves:,} times; {steps}",
            f"memory about {_bytes(self.memory)}, of {_bytes(available())} free",
            f"one exact velocity about {self.velocity:.2g} s (fast sums, where they apply, cost far less)",
        ]


def estimate(scenario: Scenario) -> Cost:
    """Sizes as the scenario states them; prompts read from files count once they are read."""
    given, time = scenario.tokens.parameters, scenario.time
    rows = given.get("x") or given.get("means") or ()
    n = int(given.get("n", given.get("rings", 1) * given.get("azimuths", 1) if "rings" in given else max(1, len(rows))))
    d = int(given.get("d", len(rows[0]) if rows and isinstance(rows[0], tuple) else 3))
    saves = time.save if isinstance(time.save, int) else len(time.save)
    steps = None if time.step is None else int(min(time.until / time.step, 1e18))
    is_law = scenario.tokens.kind == "law"
    state = (d * d + d) if is_law else n * (d + 1)
    matrices = sum(d * d for value in _matrices(scenario) if isinstance(value, Drawn | Stored | Course))
    memory = 8 * (COPIES * state * saves + 4 * matrices + (steps or 0) * 2)
    return Cost(n, d, saves, steps, memory, 0.0 if is_law else PAIR * n * n * max(1.0, d / 8))


def check_affordable(scenario: Scenario) -> Cost:
    """Refuse what cannot fit, in one line that says what would."""
    cost, free = estimate(scenario), available()
    if cost.steps is not None and cost.steps > MOST_STEPS:
        raise BadInput(
            f"time.step = {scenario.time.step:g} means {cost.steps:.1e} steps; at most {MOST_STEPS:.0e} are taken"
        )
    if cost.memory > free:
        fits = max(1, int(cost.saves * free / cost.memory))
        hint = f"time.save = {fits} would fit" if cost.saves > fits > 1 else "use fewer tokens or dimensions"
        raise BadInput(f"this run needs about {_bytes(cost.memory)} of memory, {_bytes(free)} are free; {hint}")
    return cost


def _matrices(scenario: Scenario):
    parts = [scenario.attention, *scenario.attention.heads]
    return [scenario.flow.V, *[getattr(part, name) for part in parts for name in ("B", "Q", "K", "V")]]


def available() -> int:
    """Bytes of memory that are free now."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable"))
    except (OSError, StopIteration, ValueError):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2


def _bytes(count: int) -> str:
    size, unit = float(count), "B"
    for larger in ("kB", "MB", "GB", "TB", "PB", "EB"):
        if size < 1000:
            break
        size, unit = size / 1000, larger
    return f"{size:.3g} {unit}"
