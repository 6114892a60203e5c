"""Cost of a scenario, estimated before anything is allocated."""

from __future__ import annotations

import os
from dataclasses import dataclass

from ...errors import BadInput
from .data import Scenario
from .matrix import Course, Drawn, Stored
from .tokens import KINDS

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
    velocity: float | None
    """Seconds of one exact velocity; not known of a model's layer."""

    @property
    def words(self) -> list[str]:
        steps = "steps follow the tolerance" if self.steps is None else f"{self.steps:,} steps"
        lines = [
            f"{self.n:,} tokens in dimension {self.d:,}, saved {self.saves:,} times; {steps}",
            f"memory about {_bytes(self.memory)}, of {_bytes(available())} free",
        ]
        if self.velocity is not None:
            lines.append(f"one exact velocity about {self.velocity:.2g} s (fast sums, where they apply, cost far less)")
        return lines


SIZES = {
    "polygon": lambda given: (given["n"], 2),
    "circle_nodes": lambda given: (given["n"], 2),
    "quantiles": lambda given: (given["n"], 2 if given.get("circle") else 1),
    "quadrature": lambda given: (given["n"], 1),
    "sphere_nodes": lambda given: (given["rings"] * given["azimuths"], 3),
    "simplex": lambda given: (given["d"] + 1, given["d"]),
    "cross_polytope": lambda given: (2 * given["d"], given["d"]),
    "icosahedron": lambda given: (12, 3),
    "cell_600": lambda given: (120, 4),
    "mixture": lambda given: (given["n"], _width(given["means"])),
    "array": lambda given: (len(given["x"]), _width(given["x"])),
}
"""Tokens and dimension of prompts that do not state both."""


def stated_sizes(scenario: Scenario) -> tuple[int, int] | None:
    """Tokens and dimension if the scenario states them: not of prompts that are first read, from a file or a model."""
    kind, given = scenario.tokens.kind, scenario.tokens.parameters
    if kind in SIZES and all(name in given for name in KINDS[kind].needed):
        n, d = SIZES[kind](given)
    elif "d" in given and (kind == "law" or "n" in given):
        n, d = given.get("n", 1), given["d"]
    else:
        return None
    return int(n), int(d)


def _width(rows) -> int:
    return len(rows[0]) if isinstance(rows[0], tuple) else 1


def estimate(scenario: Scenario, *, read: tuple[int, int] = (1, 1)) -> Cost:
    """The cost by the sizes that the scenario states, else by those of its prompt once that was read."""
    time, (n, d) = scenario.time, stated_sizes(scenario) or read
    saves = time.save if isinstance(time.save, int) else len(time.save)
    steps = None if time.step is None else int(min(time.until / time.step, 1e18))
    is_law = scenario.tokens.kind == "law"
    state = (d * d + d) if is_law else n * (d + 1)
    matrices = sum(d * d for value in _matrices(scenario) if isinstance(value, Drawn | Stored | Course))
    memory = 8 * (COPIES * state * saves + 4 * matrices + (steps or 0) * 2)
    velocity = 0.0 if is_law else PAIR * n * n * max(1.0, d / 8)
    return Cost(n, d, saves, steps, memory, None if scenario.tokens.kind == "model" else velocity)


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
