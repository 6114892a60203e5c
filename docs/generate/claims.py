"""One claim as a section of its paper's page."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attnflow
from attnflow.papers.claim import Claim
from attnflow.papers.proofs import Proof
from attnflow.papers.specimens import hypothesis_words

from .text import block, bullets, code, escaped, excerpt, indented, link, sentence, slug, with_formulas, words
from .verdicts import Verdicts

ROOT = Path(attnflow.__file__).parents[2]
ORIGIN = {
    "seen": "as printed", "transcribed": "from a transcription", "quoted": "as quoted elsewhere",
    "summarised": "from a summary", "authors' code": "from the authors' code", "derived": "derived here",
}  # fmt: skip
ERRATA = {
    "false": "False as {told}", "incomplete": "Incomplete as {told}", "convention": "Holds in another convention",
    "slip of the pen": "A slip of the pen",
}  # fmt: skip
TOLD = {"seen": "printed", "authors' code": "coded", "derived": "stated"}
DECIDES = {
    "static": "any state of a run", "monotone": "a quantity that only grows or falls along a run",
    "trajectory": "the whole course of a run", "end state": "where a run ends",
}  # fmt: skip


def anchor(key: str) -> str:
    """Unlike the names of pages: a figure and a claim may be called alike."""
    return f"claim-{slug(key)}"


def claim_link(key: str, text: str = "") -> str:
    return link(text or code(key), f"#{anchor(key)}")


def source(claim: Claim) -> str:
    """The file of a claim, from the root of the repository."""
    return Path(inspect.getfile(type(claim))).relative_to(ROOT).as_posix()


def name_of(claim: Claim) -> str:
    return claim.number[:1].upper() + claim.number[1:]


def erratum_words(claim: Claim) -> str:
    """What is wrong, and with which text: only what was seen can be called false as printed."""
    return ERRATA[claim.erratum or "false"].format(told=TOLD.get(claim.provenance, claim.provenance))


def section(claim: Claim, verdicts: Verdicts, figures: list[str]) -> str:
    """Statement, symbols, erratum, hypotheses, hunts, figures and code of a claim."""
    parts = [
        f"({anchor(claim.key)})=\n### {escaped(name_of(claim))}",
        f"**{words(claim.title)}**",
        " ".join(_badges(claim, verdicts)),
        f"$$\n{claim.latex}\n$$" if claim.latex else "",
        "\n\n".join(f"{term}\n: {indented(told).lstrip()}" for term, told in _facts(claim, verdicts, figures)),
        _erratum(claim, verdicts),
        excerpt(source(claim), type(claim).__name__),
    ]
    return "\n\n".join(part for part in parts if part)


def _badges(claim: Claim, verdicts: Verdicts) -> Iterator[str]:
    yield code(claim.key)
    yield f"{{bdg-secondary-line}}`{claim.kind}`"
    yield f"{{bdg-secondary-line}}`{ORIGIN[claim.provenance]}`"
    if claim.erratum:
        yield f"{{bdg-warning}}`{claim.erratum}`"
    found = verdicts.on(claim.key, "printed" if claim.corrected is None else "corrected")
    if found:
        colour = "danger" if found["outcome"] == "refuted" else "secondary"
        yield f"{{bdg-{colour}-line}}`{'' if claim.corrected is None else 'corrected: '}{found['outcome']}`"


def _facts(claim: Claim, verdicts: Verdicts, figures: list[str]) -> Iterator[tuple[str, str]]:
    """Terms and what is to be said of each."""
    yield "Statement", sentence(claim.printed)
    if claim.corrected is not None:
        yield "Corrected", sentence(claim.corrected)
    if claim.proof is not None:
        yield "Proof", _proved(claim.proof)
    hypotheses = hypothesis_words(claim)
    if hypotheses:
        yield "Hypotheses", bullets(words(line) for line in hypotheses)
    yield "Decided by", _decided(claim)
    if claim.speaks_from:
        yield "Speaks from", sentence(claim.speaks_from)
    if claim.hunts:
        yield "Hunted", bullets(_hunted(statement, verdicts.on(claim.key, statement)) for statement in claim.hunts)
    if claim.outside:
        yield "Outside", bullets(_outside(claim, verdicts))
    if figures:
        yield "Figures", ", ".join(figures)
    if claim.see:
        yield "See also", ", ".join(claim_link(key) for key in claim.see)


def _proved(proof: Proof) -> str:
    """Kind and place, then the text, whose formulas stay formulas."""
    kind, *rest = proof.lines
    return f"*{kind}* {with_formulas(' '.join(rest))}".rstrip()


def _decided(claim: Claim) -> str:
    if claim.check is None or claim.decides is None:
        return "hunts alone: the statement is about no single run."
    layers = "; also for layers *x* + *ηa*" if claim.in_layers else ""
    return f"{DECIDES[claim.decides]}{layers} (`attnflow check RUN`)."


def _hunted(statement: str, verdict: dict[str, Any]) -> str:
    if not verdict:
        return f"the {statement} statement: not in the stored record yet"
    trials = f"{verdict['trials']} trials" + (f", {verdict['undecided']} open" if verdict["undecided"] else "")
    end = verdict["horizon"]
    horizon = ", followed to their end" if isinstance(end, str) else f", up to *t* = {end:.3g}" if end else ""
    law = f": {words(verdict['law'])}" if verdict["law"] else ""
    return f"{statement}: **{verdict['outcome']}** ({trials}{horizon}; {_worst(verdict)}{_noticed(verdict)}){law}"


def _worst(verdict: dict[str, Any]) -> str:
    worst = verdict["worst"]
    if isinstance(worst, str):
        return "violated without bound" if worst == "infinite" else f"largest violation ratio {worst}"
    return f"largest violation ratio {worst:.3g}"


def _noticed(verdict: dict[str, Any]) -> str:
    """How wrong the number of the statement would have to be for these trials to refute it."""
    told = verdict.get("notices", "")
    words = "no number whose error could be seen" if told == "no number" else f"an error of {told} would be seen"
    return f"; {words}" if told else ""


def _outside(claim: Claim, verdicts: Verdicts) -> Iterator[str]:
    """What becomes of the conclusion without a hypothesis."""
    known = {row["dropped"]: row for row in verdicts.outside.get(claim.key, [])}
    for dropped in claim.outside:
        row = known.get(dropped)
        told = "not in the stored record yet" if row is None else _failures(row)
        yield f"without “{words(dropped)}”: {told}"


def _failures(row: dict[str, Any]) -> str:
    if not row["fails"]:
        return f"still holds in {row['trials'] - row['undecided']} of {row['trials']} trials"
    return f"fails in {row['fails']} of {row['trials']} trials, e.g. {words(row['example'])}"


def _erratum(claim: Claim, verdicts: Verdicts) -> str:
    if claim.erratum is None:
        return ""
    body = f"{counterexample(claim, verdicts)}\n\nSee it again: `attnflow check {claim.key}`"
    return block("admonition", erratum_words(claim), body, class_="warning")


def counterexample(claim: Claim, verdicts: Verdicts) -> str:
    example = verdicts.on(claim.key, "printed").get("example", "")
    return f"Counterexample: {sentence(example)}" if example else sentence(claim.corrected or "")
