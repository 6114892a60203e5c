"""`check PAPER`, `check KEY`, `check --all`: hunts for counterexamples, told as tables of verdicts."""

from __future__ import annotations

from .answer import Answer, Table


def hunt(target: str | None, effort: int, seed: int) -> Answer:
    """Hunt in a paper, a claim, or all; only a statement without a correction, or a corrected one, is expected to stand."""
    from .engine import start_engine
    from .progress import progress

    start_engine()
    from ...papers.hunt import dropped, hunted
    from ...papers.register import papers

    is_one = target is not None and target not in papers()
    known = {claim.key: claim for claim in _chosen(target)}
    verdicts, beyond = [], []
    with progress("hunting", total=len(known)) as advance:
        for place, claim in enumerate(known.values()):
            advance(claim.key, done=place, total=len(known))
            verdicts += hunted(claim, seed=seed, effort=effort)
            beyond += dropped(claim, seed=seed, effort=effort)
    untested = [key for key, claim in known.items() if not claim.hunts]
    fallen = [v for v in verdicts if v.outcome == "refuted" and _should_stand(v, known[v.claim])]
    data = {
        "paper": None if is_one else target,
        "claim": target if is_one else None,
        "seed": seed,
        "effort": effort,
        "verdicts": [_verdict_data(v, known[v.claim]) for v in verdicts],
        "outside": [vars(o) for o in beyond],
        "untested": untested,
    }
    blocks = verdict_blocks(known, verdicts, untested, fallen)
    return Answer(data, blocks + _outside_blocks(beyond), code=int(bool(fallen)))


def _chosen(target: str | None) -> list:
    from ...papers.register import claims, find_claim, papers

    return claims(target) if target is None or target in papers() else [find_claim(target)]


def _verdict_data(v, claim) -> dict:
    told = {"margin": v.margin, "notices": v.notices, "command": v.command}
    return vars(v) | told | {"vacuous_below": claim.speaks_from or None}


def verdict_blocks(known, verdicts, untested, fallen) -> list[str | Table]:
    """One table per paper, then the counterexamples, then what could not be told."""
    blocks: list[str | Table] = []
    columns = ("Claim", "Statement", "Outcome", "Margin", "Notices", "Trials", "Open", "Horizon")
    names = list(dict.fromkeys(claim.paper for claim in known.values()))
    for name in names:
        blocks.append(Table(name, columns, [_verdict_row(v) for v in verdicts if known[v.claim].paper == name]))
    blocks += [
        "Margin: 1 less the largest violation ratio of all trials; negative where the statement fails. "
        "Notices: the smallest error of the number in the statement that would have been refuted, found by scaling that number. "
        "Open: trials that could not tell. Again, one by one: attnflow check KEY --seed S --effort E.",
        "",
    ]
    if len(names) == 1:
        blocks += ["How trials were drawn:", *dict.fromkeys(f"• {_row_key(v)}: {v.law}" for v in verdicts if v.law), ""]
    expected = [v for v in verdicts if v.outcome == "refuted" and v not in fallen]
    for title, belongs in ERRATA.items():
        found = [v for v in expected if belongs(known[v.claim])]
        blocks += [f"{title}; counterexamples:", *[f"• {v.claim}: {v.example}" for v in found], ""] if found else []
    vacuous = [claim for claim in known.values() if claim.speaks_from]
    if vacuous:
        blocks += ["Vacuous at every size tried:", *[f"• {c.key}: speaks from {c.speaks_from}" for c in vacuous], ""]
    unclear = [v for v in verdicts if v.outcome in ("undecidable", "hypotheses not met") or v.undecided]
    if unclear:
        blocks += ["Not decided:", *[f"• {v.claim} ({v.statement}): {_unclear(v)}" for v in unclear], ""]
    if untested:
        blocks.append(f"Without a search for counterexamples: {', '.join(untested)}")
    blocks += [f"REFUTED: {v.claim} ({v.statement}): {v.example}" for v in fallen]
    return blocks


ERRATA = {
    "False as printed": lambda claim: claim.provenance == "seen" and claim.erratum == "false",
    "Slips, conventions and gaps of printed texts": lambda claim: (
        claim.provenance == "seen" and claim.erratum != "false"
    ),
    "Not as transcribed, quoted, summarised or coded (the printed texts were not seen)": lambda claim: (
        claim.provenance != "seen"
    ),
}
"""Headings of refuted statements that have a correction."""


def _verdict_row(v) -> tuple:
    return _row_key(v), v.statement, v.outcome, f"{v.margin:.3g}", v.notices, v.trials, v.undecided, f"{v.horizon:.3g}"


def _row_key(v) -> str:
    return v.claim.split(".", 1)[1]


def _unclear(v) -> str:
    if v.outcome == "hypotheses not met":
        return f"none of {v.outside} starts met the hypotheses"
    words = f"{v.undecided} of {v.trials} starts were too near a tie, or their runs too short, to tell"
    return words + ("; no verdict" if v.outcome == "undecidable" else "")


def _should_stand(verdict, claim) -> bool:
    return verdict.statement == "corrected" or claim.corrected is None


def _outside_blocks(beyond) -> list[str | Table]:
    """What becomes of conclusions where a hypothesis is dropped; those that still hold may be wider theorems."""
    if not beyond:
        return []
    rows = [(o.claim, o.dropped, f"fails in {o.fails}" if o.fails else "STILL HOLDS", o.trials) for o in beyond]
    wider = [o for o in beyond if not o.fails and o.undecided < o.trials]
    blocks: list[str | Table] = [Table("Without a hypothesis", ("Claim", "Dropped", "Conclusion", "Of"), rows)]
    if wider:
        blocks += ["Candidates for a wider theorem (no failure without the hypothesis):"]
        blocks += [f"• {o.claim} without “{o.dropped}”" for o in wider]
    return blocks
