"""Index of papers, figures, claims and observables: what `attnflow list` shows, stored so that it need not import them.

`python -m attnflow.interfaces.cli.index` writes it anew; a test keeps it true.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from ...experiments.laboratory.questions import QUESTIONS
from ...experiments.sweeps.observables import known
from ...papers.figure import figures
from ...papers.register import claims, papers

FILE = Path(__file__).with_name("index.json")
OUTCOMES = Path(__file__).parents[4] / "docs" / "outcomes.json"
"""The record of figures, of which an installed package has what the index says; after `make docs-outcomes` write it anew."""


def made() -> dict[str, list[list[str]]]:
    """The rows of every table, from the papers and sweeps themselves."""
    return {
        "papers": [[name, paper.arxiv, paper.authors, paper.title] for name, paper in papers().items()],
        "figures": [[figure.paper, figure.name, figure.title] for figure in figures()],
        "claims": [[claim.key, claim.kind, claim.title, claim.erratum or ""] for claim in claims()],
        "drawn": list(drawn()),
        "observables": [list(row) for row in known().items()],
        "questions": [[one.name, one.question] for one in QUESTIONS],
    }


def drawn() -> Iterator[list[str]]:
    """The key of each claim with the figures that show it: those about it, and those whose runs meet its hypotheses."""
    record = json.loads(OUTCOMES.read_text(encoding="utf-8")) if OUTCOMES.exists() else {}
    met = {(one.paper, one.name): record.get(f"{one.paper}-{one.name}", {}).get("claims", []) for one in figures()}
    for claim in claims():
        about = claim.paper, claim.number.removeprefix("figure ")
        told = [key[1] for key, keys in met.items() if claim.key in keys or (key == about and claim.kind == "figure")]
        if told:
            yield [claim.key, *told]


def written(index: dict[str, list[list[str]]]) -> str:
    """One row a line, so that changes are easy to read and to merge."""
    tables = []
    for name, rows in index.items():
        lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
        tables.append(f"{json.dumps(name)}: [\n{lines}\n]")
    return "{\n" + ",\n".join(tables) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(written(made()), encoding="utf-8")
