"""What a run to late times tells of itself: why it stopped, what rested, what slid."""

from __future__ import annotations

from typing import Any

from ..trajectory import CODE

MOST_STEPS = 50_000
"""Steps without an event, none of them explained by a tie, before a run is given up."""

STOPPED = "tokens slide along ties that are too stiff for steps and have no balance of weights; the run was stopped"

ENDLESS = (
    "ties begin and end here without end, as where all scores of a token vanish and its weights cannot be told; "
    "the run was stopped"
)

UNDETERMINED = (
    "where all its scores vanish, and may stay or leave in several ways: which, the equation does not say; "
    "the run was stopped"
)

TORN = (
    "of its tie where nothing leads it back, and may leave it on either side: which, the equation does not say; "
    "the run was stopped"
)

AT_REST = "all scores vanish between them, and each hears all with the mean 0 (weights of largest entropy)"

SOFTENED = "ties that could not be told were followed as those of a softmax with logits of up to 1e10"

SILENT = "each hears tokens at 0 alone"


def notes_of(way: Any, code: int) -> tuple[str, ...]:
    """What is to be told of a journey that ended with this code."""
    notes = (STOPPED,) if code == CODE["OUT_OF_STEPS"] and way.since >= MOST_STEPS else ()
    notes += (ENDLESS,) if way.is_endless else ()
    if way.leaving:
        notes += (f"token {', '.join(map(str, way.leaving[:4]))} is at 0, {UNDETERMINED}",)
    if way.torn:
        notes += (f"token {', '.join(map(str, way.torn[:4]))} reaches a point {TORN}",)
    if way.rested is not None:
        notes += (
            f"from t = {way.rested:.6g} on all tokens x = e^{{tV}}z rest: {SILENT if way.is_silent else AT_REST}",
        )
    if way.softened:
        notes += (f"from t = {way.softened[0]:.6g} on {SOFTENED}",)
    if way.slid:
        tokens = ", ".join(f"{i} (from t = {t:.4g})" for i, t in list(way.slid.items())[:4])
        more = f" and {len(way.slid) - 4} more" if len(way.slid) > 4 else ""
        notes += (f"token {tokens}{more} slid along a tie: there its weights are those that keep the tie",)
    return notes
