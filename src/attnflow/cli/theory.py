"""`predict`, `check` and `claim`: what theory says, whether it held, and in which words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..errors import BadInput
from .answer import Answer, Table, numbers_in_words

NEAREST = 5
"""Claims that fail by few hypotheses are shown up to this number."""
MARKS = {
    "holds": "holds      ", "consistent": "consistent ", "refuted": "REFUTED    ", "undecided": "undecided  ",
    "error": "ERROR      ",
}  # fmt: skip
LEGEND = (
    "holds: this run could have violated it and did not; consistent: many wrong runs would pass too; "
    "undecided: this run cannot tell."
)


def predict_scenario(name: str, settings: list[str]) -> Answer:
    """Every claim whose hypotheses hold for a scenario, and the nearest ones that miss."""
    from .engine import start_engine
    from .finding import find_scenario

    _, scenario = find_scenario(name, settings)
    start_engine()
    from ..papers.register import ask, predictions
    from ..report.headlines import nearest
    from ..scenario import build
    from .limits import limit_answer
    from .progress import progress

    flow, mu, _ = build(scenario)
    with progress("asking theory"):
        asked = ask(flow, mu)
        return _predicted(scenario, predictions(asked, flow, mu), nearest(asked), *limit_answer(flow, mu))


def _predicted(scenario, predictions, missed, limit, limit_blocks) -> Answer:
    data = {
        "title": scenario.title,
        "predictions": [vars(p) for p in predictions],
        "hypotheses_not_met": [
            {"claim": one.claim.key, "title": one.claim.title, "hypotheses": [vars(h) for h in one.missing]}
            for one in missed
        ],
        "limit": limit,
    }
    blocks: list[str | Table] = [scenario.title or "This scenario", ""]
    blocks += [f"• {p.words}\n  [{p.claim}] {numbers_in_words(p.numbers)}" for p in predictions]
    if not predictions:
        blocks.append("No claim in the register applies to this run; the table below says what the nearest ones miss.")
    blocks += limit_blocks
    if missed:
        rows = [(one.claim.key, _missing(one)) for one in missed[:NEAREST]]
        blocks += ["", Table("Nearest claims that do not apply, and what fails", ("Claim", "What fails"), rows)]
        more = len(missed) - len(rows)
        blocks += [f"… and {more} more (--json lists them)"] if more > 0 else []
    return Answer(data, blocks, code=int(any(p.is_error for p in predictions)))


def _missing(one) -> str:
    return "; ".join(f"{h.words} (by {-h.margin:.3g})" for h in one.missing)


def check_target(target: str | None, *, every: bool, effort: int, seed: int) -> Answer:
    """Check a stored run, the claims of a paper, or all of them."""
    from ..papers.register import find_paper

    if every and target is None:
        return _hunt(None, effort, seed)
    if every or target is None:
        raise BadInput("check needs one of: a stored run, a paper (`attnflow list papers`), or --all")
    if Path(target).exists():
        return _check_run(Path(target))
    try:
        paper = find_paper(target)
    except BadInput as error:
        raise BadInput(f"{target}: no stored run, and an {error}") from None
    return _hunt(paper, effort, seed)


def _check_run(path: Path) -> Answer:
    from .engine import start_engine

    start_engine()
    from ..papers.register import check
    from ..store import load_run
    from .progress import progress

    run = load_run(path)
    if run.flow is None:
        raise BadInput(f"{path}: stored without a scenario, so its flow is not known")
    with progress("asking theory"):
        checks = check(run)
    data = {"run": str(path), "status": str(run.status), "checks": [as_data(c) for c in checks]}
    blocks: list[str | Table] = [f"{path}: {run.status}", ""]
    blocks += [f"{MARKS[c.outcome]} {c.words}\n  [{c.claim}] {numbers_in_words(c.numbers)}" for c in checks]
    blocks += ["", LEGEND] if checks else ["No claim in the register can be checked on this run."]
    return Answer(data, blocks, code=int(any(c.fails for c in checks)))


def as_data(check) -> dict[str, Any]:
    return vars(check) | {"holds": check.holds}


def claim_answer(key: str) -> Answer:
    """All that is known of a claim."""
    from .engine import start_engine

    start_engine()
    from ..papers.register import find_claim

    claim = find_claim(key)
    data = claim_data(claim)
    lines = [f"{claim.key}  {claim.title}", f"{claim.source} ({claim.kind})", "", *_statement(claim)]
    if claim.latex:
        lines += ["", f"In symbols: {claim.latex}"]
    lines += ["", f"What a run decides: {claim.decides or 'nothing; only hunts test it'}"]
    lines += [f"Hunt for the {name} statement: {hunt.law or 'random trials'}" for name, hunt in claim.hunts.items()]
    lines += [f"Tried without: {words}" for words in claim.outside]
    lines += [f"See also: {', '.join(claim.see)}"] if claim.see else []
    return Answer(data, [*lines, "", f"Code: {data['file']}", "", claim.record.bibtex])


def _statement(claim) -> list[str]:
    """Printed and corrected statement, with what is known of the printed words."""
    said = {"seen": "As printed", "derived": "Derived here"}.get(claim.provenance, f"As {claim.provenance}")
    lines = [f"{said}: {claim.printed}"]
    if claim.corrected is not None:
        wrong = f"{'False' if claim.erratum == 'false' else (claim.erratum or 'corrected').capitalize()}"
        lines += ["", f"{wrong}. What is true: {claim.corrected}"]
    return lines


def claim_data(claim) -> dict[str, Any]:
    import inspect

    names = (
        "key",
        "title",
        "kind",
        "printed",
        "corrected",
        "provenance",
        "erratum",
        "latex",
        "decides",
        "see",
        "source",
    )
    try:
        where = Path(inspect.getfile(type(claim)))
        place = f"{where.parent.name}/{where.name}:{inspect.getsourcelines(type(claim))[1]}"
    except (OSError, TypeError):  # written at a prompt
        place = ""
    return {name: getattr(claim, name) for name in names} | {
        "paper": claim.paper, "arxiv": claim.record.arxiv, "edition": claim.record.edition, "number": claim.number,
        "bibtex": claim.record.bibtex, "in_layers": claim.in_layers, "file": place,
        "hunts": {name: hunt.law for name, hunt in claim.hunts.items()}, "outside": list(claim.outside),
    }  # fmt: skip


# ---- hunts ------------------------------------------------------------------------------------------------------------


def _hunt(paper: str | None, effort: int, seed: int) -> Answer:
    """Hunt for counterexamples; only a statement without a correction, or a corrected one, is expected to stand."""
    from .engine import start_engine
    from .progress import progress

    start_engine()
    from ..papers.hunt import dropped, hunted
    from ..papers.register import claims

    known = {claim.key: claim for claim in claims(paper)}
    verdicts, beyond = [], []
    with progress("hunting", total=len(known)) as advance:
        for place, claim in enumerate(known.values()):
            advance(claim.key, done=place, total=len(known))
            verdicts += hunted(claim, seed=seed, effort=effort)
            beyond += dropped(claim, seed=seed, effort=effort)
    untested = [key for key, claim in known.items() if not claim.hunts]
    fallen = [v for v in verdicts if v.outcome == "refuted" and _should_stand(v, known[v.claim])]
    data = {
        "paper": paper,
        "seed": seed,
        "effort": effort,
        "verdicts": [vars(v) for v in verdicts],
        "outside": [vars(o) for o in beyond],
        "untested": untested,
    }
    blocks = _verdict_blocks(known, verdicts, untested, fallen)
    return Answer(data, blocks + _outside_blocks(beyond), code=int(bool(fallen)))


def _verdict_blocks(known, verdicts, untested, fallen) -> list[str | Table]:
    """One table per paper, then the counterexamples, then what could not be told."""
    blocks: list[str | Table] = []
    for name in dict.fromkeys(claim.paper for claim in known.values()):
        rows = [_verdict_row(v) for v in verdicts if known[v.claim].paper == name]
        blocks.append(Table(name, ("Claim", "Statement", "Outcome", "Trials", "Horizon", "Worst"), rows))
    blocks += ["Worst: the largest violation ratio of all trials; above 1 the statement fails.", ""]
    expected = [v for v in verdicts if v.outcome == "refuted" and v not in fallen]
    for title, is_seen in (("False as printed", True), ("False as transcribed, quoted or summarised", False)):
        found = [v for v in expected if (known[v.claim].provenance == "seen") == is_seen]
        blocks += [f"{title}; counterexamples:", *[f"• {v.claim}: {v.example}" for v in found], ""] if found else []
    unclear = [v for v in verdicts if v.outcome in ("undecidable", "hypotheses not met") or v.undecided]
    if unclear:
        blocks += ["Not decided:", *[f"• {v.claim} ({v.statement}): {_unclear(v)}" for v in unclear], ""]
    if untested:
        blocks.append(f"Without a search for counterexamples: {', '.join(untested)}")
    blocks += [f"REFUTED: {v.claim} ({v.statement}): {v.example}" for v in fallen]
    return blocks


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


def _verdict_row(v) -> tuple:
    """Short enough for a line of 80 characters."""
    return v.claim.split(".", 1)[1], v.statement, v.outcome, v.trials, f"{v.horizon:.3g}", f"{v.worst:.3g}"


def _unclear(v) -> str:
    if v.outcome == "hypotheses not met":
        return f"none of {v.outside} starts met the hypotheses"
    words = f"{v.undecided} of {v.trials} starts were too near a tie, or their runs too short, to tell"
    return words + ("; no verdict" if v.outcome == "undecidable" else "")


def _should_stand(verdict, claim) -> bool:
    return verdict.statement == "corrected" or claim.corrected is None
