"""`predict` and `check`: what theory says, and whether it held."""

from __future__ import annotations

from pathlib import Path

from .answer import Answer, Table, numbers_in_words


def predict_scenario(name: str, settings: list[str]) -> Answer:
    """Every claim whose hypotheses hold for a scenario, and the nearest ones that miss."""
    from .engine import start_engine
    from .finding import find_scenario

    _, scenario = find_scenario(name, settings)
    start_engine()
    from ..scenario import build
    from ..theory.claim import claims, predict

    flow, mu, _ = build(scenario)
    predictions = predict(flow, mu)
    missed = [(claim, claim.hypotheses(flow, mu)) for claim in claims() if not claim.applies(flow, mu)]
    missed = [(claim, [h for h in conditions if not h.holds]) for claim, conditions in missed if conditions]
    from .limits import limit_answer

    return _predicted(scenario, predictions, missed, *limit_answer(flow, mu))


def _predicted(scenario, predictions, missed, limit, limit_blocks) -> Answer:
    data = {
        "title": scenario.title,
        "predictions": [vars(p) for p in predictions],
        "hypotheses_not_met": [
            {"claim": claim.key, "hypotheses": [{"words": h.words, "margin": float(h.margin)} for h in failed]}
            for claim, failed in missed
        ],
        "limit": limit,
    }
    blocks: list[str | Table] = [scenario.title or "This scenario", ""]
    blocks += [f"• {p.words}\n  [{p.claim}] {numbers_in_words(p.numbers)}" for p in predictions]
    if not predictions:
        blocks.append("No claim in the register speaks about this run.")
    blocks += limit_blocks
    if missed:
        rows = [(claim.key, "; ".join(f"{h.words} (by {-h.margin:.3g})" for h in failed)) for claim, failed in missed]
        blocks += ["", Table("Claims whose hypotheses fail here", ("Claim", "What fails"), rows)]
    return Answer(data, blocks)


def check_target(target: str | None, *, every: bool, effort: int, seed: int) -> Answer:
    """Check a stored run, the claims of a paper, or all of them."""
    from ..scenario.reading import meant
    from ..theory.claim import PAPERS, paper_of

    if every and target is None:
        return _falsify(None, effort, seed)
    if every or target is None:
        raise ValueError(f"check needs one of: a stored run, a paper ({', '.join(PAPERS)}), or --all")
    if paper_of(target) in PAPERS:
        return _falsify(paper_of(target), effort, seed)
    if Path(target).exists():
        return _check_run(Path(target))
    raise ValueError(
        f"{target}: neither a stored run nor a paper{meant(target, PAPERS)}; papers are {', '.join(PAPERS)}"
    )


def _check_run(path: Path) -> Answer:
    from .engine import start_engine

    start_engine()
    from ..store import load_run
    from ..theory.claim import check

    run = load_run(path)
    if run.flow is None:
        raise ValueError(f"{path}: stored without a scenario, so its flow is not known")
    checks = check(run)
    data = {"run": str(path), "status": str(run.status), "checks": [vars(c) for c in checks]}
    blocks: list[str | Table] = [f"{path}: {run.status}", ""]
    blocks += [f"{mark(c.holds)} {c.words}\n  [{c.claim}] {numbers_in_words(c.numbers)}" for c in checks]
    if not checks:
        blocks.append("No claim in the register can be checked on this run.")
    return Answer(data, blocks, code=int(any(c.holds is False for c in checks)))


def mark(holds: bool | None) -> str:
    return {True: "holds      ", False: "FAILS      ", None: "undecided  "}[holds]


def _falsify(paper: str | None, effort: int, seed: int) -> Answer:
    """Hunt for counterexamples; only a statement without a correction, or a corrected one, is expected to stand."""
    from .engine import start_engine

    start_engine()
    from ..theory.claim import claims, falsify, outside

    known = {claim.key: claim for claim in claims(paper)}
    verdicts = falsify(paper, seed=seed, effort=effort)
    beyond = outside(paper, seed=seed, effort=effort)
    untested = [key for key, claim in known.items() if claim.falsify is None]
    fallen = [v for v in verdicts if v.outcome == "refuted" and _should_stand(v, known.get(v.claim))]
    data = {
        "paper": paper,
        "seed": seed,
        "effort": effort,
        "verdicts": [vars(v) for v in verdicts],
        "outside": [vars(o) for o in beyond],
        "untested": untested,
    }
    blocks = _verdict_blocks(paper, known, verdicts, untested, fallen)
    return Answer(data, blocks + _outside_blocks(beyond), code=int(bool(fallen)))


def _verdict_blocks(paper, known, verdicts, untested, fallen) -> list[str | Table]:
    """One table per paper, then the counterexamples, then what could not be told."""
    blocks: list[str | Table] = []
    for name in dict.fromkeys(v.claim.split(".")[0] for v in verdicts):
        rows = [_verdict_row(v) for v in verdicts if v.claim.split(".")[0] == name]
        blocks.append(Table(name, ("Claim", "Statement", "Outcome", "Trials", "Horizon", "Worst"), rows))
    if not known:
        blocks.append(f"No claims are registered for {paper or 'any paper'} yet.")
    expected = [v for v in verdicts if v.outcome == "refuted" and v not in fallen]
    if expected:
        blocks += ["False as printed; counterexamples:", *[f"• {v.claim}: {v.example}" for v in expected], ""]
    unclear = [v for v in verdicts if v.outcome in ("undecidable", "hypotheses not met") or v.undecided]
    if unclear:
        blocks += ["Not decided:", *[f"• {v.claim} ({v.statement}): {_unclear(v)}" for v in unclear], ""]
    if untested:
        blocks.append(f"Without a search for counterexamples: {', '.join(untested)}")
    blocks += [f"REFUTED: {v.claim} ({v.statement}): {v.example}" for v in fallen]
    return blocks


def _outside_blocks(beyond) -> list[str | Table]:
    """What becomes of conclusions where a hypothesis is dropped."""
    if not beyond:
        return []
    rows = [(o.claim, o.dropped, f"fails in {o.fails}", o.trials) for o in beyond]
    return [Table("Outside the hypotheses", ("Claim", "Dropped", "Conclusion", "Of"), rows)]


def _verdict_row(v) -> tuple:
    """Short enough for a line of 80 characters."""
    return v.claim.split(".", 1)[1], v.statement, v.outcome, v.trials, f"{v.horizon:.3g}", f"{v.worst:.3g}"


def _unclear(v) -> str:
    if v.outcome == "hypotheses not met":
        return f"none of {v.outside} starts met the hypotheses"
    words = f"{v.undecided} of {v.trials} starts were too near a tie, or their runs too short, to tell"
    return words + ("; no verdict" if v.outcome == "undecidable" else "")


def _should_stand(verdict, claim) -> bool:
    return verdict.statement == "corrected" or claim is None or claim.corrected is None
