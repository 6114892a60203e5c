"""`claim`: one claim in all its words, or every statement of a paper and where it is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ...engine.files.package import PACKAGE
from .answer import Answer


def claim_answer(name: str) -> Answer:
    """All that is known of a claim; of a paper, its statements and the claims that tell them."""
    from .engine import start_engine
    from .finding import check_claim_or_paper

    check_claim_or_paper(name)
    start_engine()
    from ...papers.register import find_claim, find_paper, papers

    if name in papers() or "." not in name or name[:4].isdigit():
        return _paper_answer(find_paper(name))
    claim = find_claim(name)
    data = claim_data(claim)
    lines = [f"{claim.key}  {claim.title}", f"{claim.source} ({claim.kind}; {claim.record.edition})", ""]
    lines += _statement(claim)
    if claim.latex:
        lines += ["", f"In symbols: {claim.latex}"]
    if data["hypotheses"]:
        lines += ["", "Asked of flows and prompts for which:", *[f"• {words}" for words in data["hypotheses"]]]
    lines += ["", f"What a run decides: {claim.decides or 'nothing; only hunts test it'}"]
    lines += [f"Vacuous below {claim.speaks_from}"] if claim.speaks_from else []
    lines += [f"Hunt for the {name} statement: {hunt.law or 'random trials'}" for name, hunt in claim.hunts.items()]
    lines += [f"Tried without: {words}" for words in claim.outside]
    lines += [f"Last hunt for it: {_last(told)}" for told in data["recorded"]]
    lines += [f"Hunt again: attnflow check {claim.key}"] if claim.hunts else []
    lines += [f"See also: {', '.join(claim.see)}"] if claim.see else []
    lines += [f"Figures: {', '.join(data['figures'])} (attnflow figure {claim.paper} FIG)"] if data["figures"] else []
    return Answer(data, [*lines, "", f"Code: {data['file']}", "", claim.record.bibtex])


def _statement(claim) -> list[str]:
    """Printed and corrected statement, with what is known of the printed words."""
    lines = [f"{_origin(claim)}: {claim.printed}"]
    if claim.corrected is not None:
        lines += ["", f"Erratum ({claim.erratum}). Corrected: {claim.corrected}"]
    if claim.proof is not None:
        first, *rest = claim.proof.lines
        lines += ["", f"Proof: {first}", *[f"  {line}" for line in rest]]
    return lines


def _origin(claim) -> str:
    told = {"seen": "As printed", "derived": "Derived here", "authors' code": "As in the authors' code"}
    return told.get(claim.provenance, f"As {claim.provenance}; the printed text was not seen")


def claim_data(claim) -> dict[str, Any]:
    from ...papers.specimens import hypothesis_words

    names = (
        "key", "title", "kind", "printed", "corrected", "provenance", "erratum", "latex", "decides", "see", "source",
        "in_layers", "speaks_from", "number",
    )  # fmt: skip
    return {name: getattr(claim, name) for name in names} | {
        "paper": claim.paper, "arxiv": claim.record.arxiv, "edition": claim.record.edition,
        "hypotheses": hypothesis_words(claim), "bibtex": claim.record.bibtex,
        "file": _place(claim), "figures": _figures(claim.key), "proof": claim.proof and vars(claim.proof),
        "hunts": {name: hunt.law for name, hunt in claim.hunts.items()}, "outside": list(claim.outside),
        "recorded": recorded(claim.key),
    }  # fmt: skip


def recorded(key: str) -> list[dict[str, Any]]:
    """Verdicts of the stored record, where the source tree with its documents is at hand."""
    file = PACKAGE.parents[1] / "docs" / "verdicts.json"
    rows = json.loads(file.read_text("utf-8"))["verdicts"] if file.is_file() else []
    return [row for row in rows if row["claim"] == key]


def _last(told: dict[str, Any]) -> str:
    seen = f"; error of its number that would be noticed: {told['notices']}" if told.get("notices") else ""
    return f"{told['statement']}, {told['outcome']} in {told['trials']} trials{seen}"


def _place(claim) -> str:
    import inspect

    try:
        where = Path(inspect.getfile(type(claim)))
        return f"{where.parent.name}/{where.name}:{inspect.getsourcelines(type(claim))[1]}"
    except (OSError, TypeError):  # written at a prompt
        return ""


def _figures(key: str) -> list[str]:
    """Figures whose runs meet the hypotheses of a claim, or that the claim is about."""
    from .finding import stored_index

    return next((names for known, *names in stored_index()["drawn"] if known == key), [])


def _paper_answer(name: str) -> Answer:
    """Every statement of a paper that we know of: the claims that tell it, or why there is none."""
    from ...papers.register import claims, papers

    paper = papers()[name]
    data = {
        "paper": name, "title": paper.title, "authors": paper.authors, "arxiv": paper.arxiv, "edition": paper.edition,
        "note": paper.note, "bibtex": paper.bibtex, "claims": [claim.key for claim in claims(name)],
        "statements": [
            {"statement": line.statement, "claims": [f"{name}.{number}" for number in line.claims], "why": line.why}
            for line in paper.statements
        ],
    }  # fmt: skip
    head = [f"{paper.citation}: {paper.title}", f"Read: {paper.edition}", *([paper.note] if paper.note else []), ""]
    told = [f"• {line.statement} → {', '.join(line.claims) or 'no claim'}{_because(line)}" for line in paper.statements]
    return Answer(data, [*head, f"Statements and claims (attnflow claim {name}.KEY):", *told, "", paper.bibtex])


def _because(line) -> str:
    return "" if not line.why else f" ({line.why})" if line.claims else f": {line.why}"
