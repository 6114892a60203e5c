"""Outcomes of checks in words: a run may not agree with a statement, but only a hunt refutes one."""

from __future__ import annotations

from ...papers.claim import FAILS

MEASURED = "measured"
"""Stands in place of an outcome where no claim judges what is shown."""
LEGEND = (
    "Holds: this run could have violated it and did not. Consistent: it did not, but many wrong runs would pass too. "
    "Undecided: this run cannot tell, and why is said. Does not agree: this run contradicts it. "
    "Measured: a formula beside what was seen, which no check judges."
)


def verdict(outcome: str) -> str:
    """What a reader sees; in capitals where a command ends with exit code 1."""
    words = {"refuted": "does not agree"}.get(outcome, outcome)
    return words.upper() if outcome in FAILS else words
