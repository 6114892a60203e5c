"""Attempts on a claim: one scenario run and checked, looked at twice, and made small."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...engine.evolution import evolve
from ...errors import BadInput
from ...papers.claim import Claim
from ...papers.following import stray
from ...papers.register import Asked, ask_claim, checks
from ..scenario import from_dict
from ..scenario.building import build

ABOUT_NOTHING = -1e3
"""The margin of a claim that is not about such flows at all."""


@dataclass(frozen=True)
class Attempt:
    """One scenario: whether the hypotheses held, and how the check came out."""

    table: dict[str, Any]
    outcome: str
    """outside, holds, consistent, undecided, refuted, error."""
    ratio: float = np.nan
    words: str = ""

    @property
    def badness(self) -> float:
        """How near to a violation, as a search compares attempts."""
        return -np.inf if np.isnan(self.ratio) else self.ratio


def asked_of(claim: Claim, table: dict[str, Any]) -> tuple[Asked, Any, Any, dict[str, Any]] | None:
    """The claim's hypotheses for a scenario, with what it stands for; None where the scenario makes no sense."""
    try:
        flow, mu, options = build(from_dict(table))
    except BadInput:
        return None
    return ask_claim(claim, flow, mu), flow, mu, options


def margin_of(claim: Claim, table: dict[str, Any]) -> float:
    """How far a scenario is inside the hypotheses; below 0 the sum of what is missing, each at most 1."""
    found = asked_of(claim, table)
    if found is None or not found[0].hypotheses:
        return ABOUT_NOTHING
    missing = [hypothesis.margin for hypothesis in found[0].missing]
    return float(np.sum(np.maximum(missing, -1.0))) if missing else 0.0


def attempted(claim: Claim, table: dict[str, Any], tol: float | None = None) -> Attempt:
    """Run a scenario and check the claim on it."""
    table = table if tol is None else table | {"time": table["time"] | {"tol": tol}}
    asked = asked_of(claim, table)
    if asked is None or not asked[0].applies:
        return Attempt(table, "outside")
    one, flow, mu, options = asked
    (found,) = checks([one], evolve(flow, mu, **options)) or (None,)
    if found is None:
        return Attempt(table, "undecided")
    ratio = found.numbers.get("ratio", np.nan)
    return Attempt(table, found.outcome, float(ratio) if np.ndim(ratio) == 0 else np.nan, found.words)


def second_look(claim: Claim, table: dict[str, Any]) -> str | None:
    """None if a refutation stands at half the tolerance and by the independent integrator; else why not."""
    if attempted(claim, table, table["time"]["tol"] / 2).outcome != "refuted":
        return "at half the tolerance the claim holds"
    flow, mu, options = build(from_dict(table))
    # None or NaN: the independent integrators do not know such runs.
    off = stray(evolve(flow, mu, **options))
    return "the independent integrator finds another run" if off is not None and off > 1 else None


def shrunk(claim: Claim, table: dict[str, Any], most: int = 60) -> dict[str, Any]:
    """A smaller scenario that still refutes: fewer tokens, rounder numbers."""
    changed, tries = True, 0
    while changed:
        changed = False
        for smaller in _smaller(table):
            tries += 1
            if tries > most:
                return table
            if attempted(claim, smaller).outcome == "refuted":
                table, changed = smaller, True
                break
    return table


def _smaller(table: dict[str, Any]):
    tokens = table["tokens"]
    for kept in _fewer(len(tokens.get("x", ()))):
        left = {key: [tokens[key][i] for i in kept] for key in ("x", "mass") if key in tokens}
        yield table | {"tokens": tokens | left}
    for digits in (0, 1, 2):
        rounder = table | {part: _rounded(table[part], digits) for part in ("tokens", "attention", "flow")}
        if table["flow"]["space"] == "sphere":
            rounder["tokens"] |= {"normalise": True}
        if len(json.dumps(rounder)) < len(json.dumps(table)):
            yield rounder


def _fewer(n: int):
    """Tokens that may do: all but one, or half of them, since pairs may balance each other."""
    whole = list(range(n))
    if n > 2:
        yield from (whole[:k] + whole[k + 1 :] for k in whole)
    if n > 3:
        yield from (whole[::2], whole[1::2], whole[: n // 2], whole[n // 2 :])


def _rounded(part, digits: int):
    """Every number with fewer digits; one that stands alone, as β, keeps its size."""
    match part:
        case dict():
            return {key: _rounded(value, digits) for key, value in part.items()}
        case list():
            return [round(entry, digits) if isinstance(entry, float) else _rounded(entry, digits) for entry in part]
        case float():
            return float(f"{part:.{digits + 1}g}")
    return part
