"""How a run ended and how its tokens gathered, in sentences."""

from __future__ import annotations

import numpy as np

from ...draw.energies import Energies, lasting
from ...engine.observe.merge_tree import merge_tree
from ...theory.limits.gathering import Gathering
from .numbers import three

ENDINGS = {
    "DONE": "The run reached its end, t = {t}.",
    "STEADY": "All tokens came to rest at t = {t}.",
    "BLOW_UP": "Tokens grew without bound and left the range of numbers at t = {t}. That is an outcome, not an error.",
    "STEP_TOO_SMALL": "The run broke down at t = {t}: steps became too small for the precision.",
    "OUT_OF_STEPS": "The run used up its steps at t = {t}; allow more with time.max_steps.",
    "NOT_FINITE": "The run broke down at t = {t}: numbers were no longer finite.",
    "UNRESOLVED": "The run was stopped at t = {t}: the density has structure finer than its grid; use more nodes.",
}
ONE = {"clusters": "cluster", "planes": "plane", "points": "point"}


def ending_of(groups: Gathering) -> str:
    """How many groups there are at the last saved time."""
    last, when = groups.last, f"at t = {three(groups.ts[-1])}"
    if not last.count:
        return f"Tokens are spread out {when}: no {groups.kind} hold half of them"
    name = ONE[groups.kind] if last.count == 1 else groups.kind
    stray = f", {last.loose:.1%} stragglers" if last.loose > 5e-4 else ""
    return f"{last.count} {name} {when}{stray}"


def gathered(groups: Gathering, mass) -> list[str]:
    """The number of groups, what justifies it, how long numbers lasted, and who met whom."""
    said = [f"{ending_of(groups)}{_justified(groups)}."]
    if groups.last.count:
        said.append(f"This is their number at linkage distance {three(groups.last.level)}, which gathering defines.")
    spans = lasting(groups.ts, groups.counts)
    if len(spans) > 1:
        stays = [f"{groups.counts[a]} from t = {three(groups.ts[a])} to {three(groups.ts[b])}" for a, b in spans]
        said.append(f"Numbers of {groups.kind} that lasted: {', '.join(stays)}.")
    meetings = merge_tree(groups.ts, groups.labels, np.asarray(mass, float)).meetings
    late = [m for m in meetings if len(m.masses) == 2 and min(m.masses) > 0.02][-3:]
    if late and groups.kind == "clusters":
        words = [f"{m.masses[0]:.0%} with {m.masses[1]:.0%} of the tokens by t = {three(m.after)}" for m in late]
        said.append(f"Last meetings of clusters: {'; '.join(words)}.")
    return said


def _justified(groups: Gathering) -> str:
    last = groups.last
    if last.count < 2:
        return ""
    apart = f": the nearest two are {three(last.distance)} apart"
    if last.gap > 1e6:
        return f"{apart}, and each is a point"
    sure = "" if last.gap > 3 else ", so the number depends on where one draws the line"
    return f"{apart}, {three(last.gap)} times the width of the widest{sure}"


def energy_words(found: Energies) -> str:
    """The course of the energy."""
    values, change = found.values, np.diff(found.values)
    if len(values) < 2:
        return f"The {found.name} is {three(values[0])} at the one saved time where it is known."
    slack = 1e-10 * max(1.0, float(np.abs(values).max()))
    falls, rises = bool(np.any(change < -slack)), bool(np.any(change > slack))
    course = "up and down" if falls and rises else "never rising" if falls else "never falling"
    return f"The {found.name} went from {three(values[0])} to {three(values[-1])}, {course}."
