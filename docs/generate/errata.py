"""What is wrong in print, and an index from printed numbers to claims and files."""

from __future__ import annotations

from attnflow.interfaces.cli.verdicts import ERRATA
from attnflow.papers.claim import Claim
from attnflow.papers.register import claims, papers

from .claims import claim_link, counterexample, erratum_words, name_of, source
from .text import block, code, escaped, fenced, page, sentence, short, table, words
from .verdicts import Verdicts


def errata_page(verdicts: Verdicts) -> str:
    wrong = [claim for claim in claims() if claim.erratum is not None]
    return page(
        "# Errata",
        f"{len(wrong)} statements do not stand as we read them. Each has a correction, whose page says whether it is proved or "
        f"only not refuted, a counterexample found by a hunt ({verdicts.words}), and one command that finds it again. Where "
        "the printed text was not seen, the mistake may be in what was read instead of it. Corrections to these corrections are "
        "welcome.",
        *(_group(title, [claim for claim in wrong if belongs(claim)], verdicts) for title, belongs in ERRATA.items()),
    )


def _group(title: str, wrong: list[Claim], verdicts: Verdicts) -> str:
    return f"## {title}\n\n" + "\n\n".join(_erratum(claim, verdicts) for claim in wrong)


def _erratum(claim: Claim, verdicts: Verdicts) -> str:
    mended = f"**Corrected:** {sentence(claim.corrected)}" if claim.corrected else ""
    again = f"attnflow check {claim.key}"
    body = [
        f"{{bdg-warning}}`{claim.erratum}` {claim_link(claim.key, words(claim.title))}",
        f"**{erratum_words(claim)}:** {sentence(claim.printed)}", mended, counterexample(claim, verdicts), fenced(again),
    ]  # fmt: skip
    title = f"{escaped(short(claim.record.authors, claim.record.year))}, {escaped(name_of(claim))}"
    return block("card", title, "\n\n".join(filter(None, body)), colons=4)


def numbers_page() -> str:
    """Printed number → claim → file, paper by paper."""
    parts = []
    for paper in papers().values():
        rows = [
            (
                escaped(name_of(claim)),
                claim_link(claim.key, code(claim.key.split(".", 1)[1])),
                words(claim.title),
                code(source(claim).rsplit("/", 1)[1]),
            )
            for claim in claims(paper.name)
        ]
        whose = f"{escaped(paper.authors)}: [{escaped(paper.title)}]({paper.name}.md), in `src/attnflow/papers/{paper.name}/`"
        heading = f"## {escaped(short(paper.authors, paper.year))}\n\n{whose}"
        parts.append(f"{heading}\n\n{table(('Printed', 'Claim', 'What it says', 'File'), rows)}")
    return page(
        "# Index of numbers", "Numbers are those of the edition that was read, named on each paper's page.", *parts
    )
