"""How reliable a verdict is: what the record of hunts and the register say of themselves, in numbers."""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import Any

from attnflow.papers.register import claims

from .claims import DECIDES, claim_link
from .text import escaped, page, table, words
from .verdicts import Verdicts

SIZES = (1e-6, 1e-3, 0.01, 0.1, 0.5, 1.0)
"""Errors by which hunts are sorted, relative to the number of the statement."""
COARSE = 0.1
"""Hunts that need a larger error are named one by one."""
NO_CHECK = "nothing: the statement is about no single run, and only hunts test it"


def reliability_page(verdicts: Verdicts) -> str:
    rows = [row for found in verdicts.hunts.values() for row in found]
    stand = [row for row in rows if row["outcome"] == "not refuted"]
    return page(
        "# How reliable is a verdict?",
        "*Not refuted* says that a search found no counterexample, and *holds* that one run did not contradict a statement. "
        "Neither is a proof. This page says how hard was searched, and how wrong a statement could be without anybody noticing; "
        "its numbers are made from the register and from the record of hunts.",
        "## How hard was searched",
        _effort(verdicts, rows),
        "## What size of an error a hunt would see",
        _how_measured(),
        table(("An error of at most", "is seen by so many hunts"), _sizes(stand)),
        f"These {len(stand)} statements stand; the other {len(rows) - len(stand)} were refuted, or could not be decided. "
        "A bound that is not sharp cannot be told from a somewhat better one: its hunt notices large errors only, and "
        "rightly so. The hunts that need more than 10 %:",
        table(("Claim", "Statement", "Seen from"), _coarse(stand)),
        "## What the check of a run reads",
        table(("Read", "Claims", "What that is"), _read()),
        "A static check can be passed by a run that goes anywhere; a trajectory is held against the equation itself. What a "
        "check could not apply turns *holds* into *consistent*, and says so.",
        "## Other seeds, other precision",
        "The record has one seed, so that everybody finds the same again. `make verdicts-nightly` hunts all claims with the "
        "seeds 0 to 23 and runs the batteries of honest and of tampered runs, the long ones too; it ends with an error "
        "if a statement that should stand is refuted by any seed, and goes on where it was stopped. "
        "`attnflow check --all --effort 10` draws ten times as many trials.",
    )


def _effort(verdicts: Verdicts, rows: list[dict[str, Any]]) -> str:
    trials = sorted(row["trials"] for row in rows)
    open_ = sum(row["undecided"] for row in rows)
    made = verdicts.made
    packages = ", ".join(f"{name} {number}" for name, number in made["versions"].items() if name != "attnflow")
    return (
        f"The record is of {escaped(verdicts.words)}, on {escaped(made['platform'])} ({packages}). It has {len(rows)} verdicts "
        f"from {sum(trials)} trials inside the hypotheses: {trials[0]} to {trials[-1]} for a verdict, {median(trials):g} in the "
        f"middle; {open_} trials could not tell. A trial draws weights and tokens at random, some of them near the edge of the "
        "hypotheses; the worst is then varied by an evolution strategy. Its run is computed by NumPy and SciPy in double "
        "precision, to about 10⁻¹⁰, by code that shares nothing with the engine."
    )


def _how_measured() -> str:
    return (
        "A trial compares what it sees with the number of the statement: a bound, a rate, a limit, a closed form. The "
        "machinery multiplies this number by 1 ± *s* and finds the smallest *s* for which the trials of the record refute the "
        "statement: to both sides where it tells a value, to the side that makes it stronger where it is a bound. Where a "
        "statement has several numbers that one kind of trial looks at, all are scaled at once; of several kinds of trials the "
        "least sensitive counts. Were the statement really wrong, the search would turn to where that shows most: an error of "
        "*s* is noticed, and for a value, unlike a bound, often a smaller one too. Statements without a number "
        "(“all tokens meet”, “the energy grows”) have no such *s*."
    )


def _sizes(rows: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """How many hunts see errors of each size, the finest first."""
    seen = [row["sensitivity"] for row in rows if isinstance(row.get("sensitivity"), float)]
    counts = [(f"{100 * size:g} %", str(sum(s <= size for s in seen))) for size in SIZES]
    blind = sum(row.get("sensitivity") == "infinite" for row in rows)
    none = sum(row.get("sensitivity") is None for row in rows)
    return [
        *counts,
        ("(not even 100 % is seen)", str(blind)),
        ("(no number, or none that trials compare with)", str(none)),
    ]


def _coarse(rows: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    """The least sensitive first."""
    size = {id(row): float("inf") if row["sensitivity"] == "infinite" else row["sensitivity"]
            for row in rows if row.get("sensitivity") is not None}  # fmt: skip
    found = sorted((row for row in rows if size.get(id(row), 0.0) > COARSE), key=lambda row: -size[id(row)])
    return [(claim_link(row["claim"]), row["statement"], words(row["notices"])) for row in found]


def _read() -> list[tuple[str, str, str]]:
    counts = Counter(claim.decides if claim.check is not None else None for claim in claims())
    return [(str(kind).lower(), str(counts[kind]), DECIDES.get(str(kind), NO_CHECK)) for kind in (*DECIDES, None)]
