"""Bounds on what a page may ask for; a link or a dropped file never raises them."""

from __future__ import annotations

from dataclasses import replace

from ...engine.measures import Particles
from ...errors import BadInput
from ...experiments.scenario import Scenario, files_of
from ...experiments.scenario.cost import check_affordable, estimate

MOST_TOKENS, MOST_NUMBERS, MOST_DIMENSIONS = 200_000, 2_000_000, 1024
MOST_SAVES, MOST_STEPS = 2001, 200_000
MOST_TEXT, MOST_UPLOAD = 2**23, 2**26
"""Bytes of a message in text, and of a dropped file."""
MOST_SESSIONS = 8
SECONDS = 120.0
"""Of one piece of an adaptive run, estimated."""
LONG_STEPS = 10**8
"""Pairs times dimensions: beyond, a piece of a run may take many seconds, and is asked between steps whether it is wanted."""
KNOT_BYTES = 2**27
"""Of all knots of a run at its saved times, and of those that divide its intervals."""
MOST_DIVISIONS = 100


def check_bounds(scenario: Scenario) -> None:
    """Refuse, in one line, what a page may not ask for."""
    if files_of(scenario):
        raise BadInput("the page names a file; drop the file itself, or give its scenario to `attnflow explore`")
    check_sizes(scenario)


def check_sizes(scenario: Scenario) -> None:
    """Refuse what is too large to play."""
    cost = estimate(scenario)
    for name, value, most in (
        ("tokens", cost.n, MOST_TOKENS), ("dimensions", cost.d, MOST_DIMENSIONS),
        ("numbers (tokens × dimensions)", cost.n * cost.d, MOST_NUMBERS), ("saved times", cost.saves, MOST_SAVES),
        ("steps", cost.steps or 0, MOST_STEPS),
    ):  # fmt: skip
        if value > most:
            raise BadInput(f"{value:,} {name}: the explorer takes at most {most:,}; use `attnflow run`")
    if 24 * cost.n * cost.saves > KNOT_BYTES:
        fits = max(2, KNOT_BYTES // (24 * cost.n))
        raise BadInput(f"{cost.n:,} tokens saved {cost.saves} times are too much to play; time.save = {fits} fits")
    check_affordable(scenario)


def most_steps(n: int, d: int) -> int:
    """Steps of a piece: a method of 13 stages over all pairs ends within the bound."""
    pair = 1e-9 * max(1.0, d / 8)
    return int(min(MOST_STEPS, max(2000, SECONDS / (13 * n * n * pair))))


def has_long_steps(mu) -> bool:
    return isinstance(mu, Particles) and mu.n * mu.n * mu.d > LONG_STEPS


def most_divisions(n: int) -> int:
    """Intervals between knots that may be divided into four: crowds have few, for knots fill the memory of a browser."""
    return min(MOST_DIVISIONS, KNOT_BYTES // (4 * 24 * n))


def preview_of(scenario: Scenario, *, n: int = 256, saves: int = 201) -> Scenario:
    """The same run with few tokens and times, for while a slider moves."""
    given, time = scenario.tokens.parameters, scenario.time
    tokens = replace(scenario.tokens, parameters=given | {"n": min(int(given["n"]), n)}) if "n" in given else None
    if scenario.tokens.parameters.get("mass") or scenario.attention.positions or scenario.attention.table:
        tokens = None
    save = min(time.save, saves) if isinstance(time.save, int) and time.step is None else time.save
    return replace(scenario, tokens=tokens or scenario.tokens, time=replace(time, save=save))
