"""`predict`, `check` and `claim`: what theory says, whether it held, and in which words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from ...errors import BadInput
from .answer import Answer, Table, numbers_in_words
from .finding import check_claim_or_paper

LOOKS = 10
"""Copies of the prompt that are in memory while theory is asked."""
NEAREST = 5
"""Claims that fail by few hypotheses are shown up to this number."""


def predict_scenario(name: str, settings: list[str]) -> Answer:
    """Every claim whose hypotheses hold for a scenario, and the nearest ones that miss."""
    from ...experiments.scenario.cost import check_affordable
    from ...experiments.scenario.data import Time
    from .engine import start_engine
    from .finding import find_scenario

    _, scenario = find_scenario(name, settings)
    # Nothing is run, but claims look at the prompt in several ways.
    check_affordable(replace(scenario, time=Time(save=LOOKS)))
    start_engine()
    from ...experiments.scenario import build
    from ...papers.register import ask, nearest, predictions
    from .limits import limit_answer
    from .progress import progress

    flow, mu, _ = build(scenario)
    with progress("asking theory"):
        asked = ask(flow, mu)
        return _predicted(scenario, predictions(asked, flow, mu), nearest(asked), *limit_answer(flow, mu))


def _predicted(scenario, predictions, missed, limit, limit_blocks) -> Answer:
    from ..report.words import what_fails

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
        rows = [(one.claim.key, what_fails(one)) for one in missed[:NEAREST]]
        blocks += ["", Table("Nearest claims that do not apply, and what fails", ("Claim", "What fails"), rows)]
        more = len(missed) - len(rows)
        blocks += [f"… and {more} more (--json lists them)"] if more > 0 else []
    return Answer(data, blocks, code=int(any(p.is_error for p in predictions)))


def check_target(target: str | None, *, every: bool, effort: int, seed: int) -> Answer:
    """Check a stored run, a claim, the claims of a paper, or all of them."""
    from .verdicts import hunt

    if every and target is None:
        return hunt(None, effort, seed)
    if every or target is None:
        raise BadInput("check needs one of: a stored run, a paper (`attnflow list papers`), a claim's key, or --all")
    if Path(target).exists():
        return _check_run(Path(target))
    try:
        check_claim_or_paper(target)
        from ...papers.register import find_claim, find_paper, papers

        is_key = "." in target and target.split(".")[0] in papers()
        found = find_claim(target).key if is_key else find_paper(target)
    except BadInput as error:
        raise BadInput(f"{target}: no stored run, and an {error}") from None
    return hunt(found, effort, seed)


def _check_run(path: Path) -> Answer:
    from ...experiments.store import find_result
    from .engine import start_engine

    find_result(path)
    start_engine()
    from ...experiments.store import load_run
    from ...papers.register import study
    from ..report.verdicts import LEGEND, verdict
    from .progress import progress

    run = load_run(path)
    if run.flow is None:
        raise BadInput(f"{path}: stored without a scenario, so its flow is not known")
    with progress("asking theory"):
        found = study(run)
    checks = found.checks
    data = {"run": str(path), "status": str(run.status), "checks": [as_data(c) for c in checks]}
    blocks: list[str | Table] = [f"{path}: {run.status}", ""]
    blocks += [f"{verdict(c.outcome):15}{c.words}\n  [{c.claim}] {numbers_in_words(c.numbers)}" for c in checks]
    blocks += ["", LEGEND] if checks else [found.note or "No claim in the register can be checked on this run."]
    return Answer(data, blocks, code=int(found.fails or run.status.is_broken))


def as_data(check) -> dict[str, Any]:
    return vars(check) | {"holds": check.holds}
