"""Open questions with their experiments, and what came out of them: the record is docs/experiments.json.

`make docs-verdicts` writes it anew: python -m docs.generate.questions
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import attnflow
from attnflow.laboratory.experiment import Conjecture, run_conjecture
from attnflow.laboratory.questions import QUESTIONS

from .text import escaped, fenced, indented, page, sentence, table, words

FILE = Path(__file__).parents[1] / "experiments.json"


def stored(file: Path = FILE) -> dict[str, Any]:
    return json.loads(file.read_text("utf-8"))


def tried(asked: Conjecture) -> dict[str, Any]:
    """The table and the verdict of one experiment, seed 0, effort 1."""
    found = run_conjecture(asked)
    return {"columns": found.columns, "rows": found.rows, "verdict": found.words, "trials": found.trials}


def written(results: dict[str, dict[str, Any]]) -> str:
    """One experiment a line, so that changes are easy to read and to merge."""
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(told, ensure_ascii=False)}" for name, told in results.items())
    return f'{{\n"version": "{attnflow.__version__}",\n{lines}\n}}\n'


# ---- the page ---------------------------------------------------------------------------------------------------------


def questions_page(record: dict[str, Any]) -> str:
    changed = [asked for asked in QUESTIONS if asked.changed]
    return page(
        "# Open questions",
        f"{len(QUESTIONS)} questions that the sources leave open, or that arose here, each with a small experiment that could "
        "inform it. An experiment proves nothing: it repeats one trial with other seeds, gives 95 % intervals, and says in "
        f"careful words what was seen (attnflow {record['version']}, seed 0, effort 1; `--effort 10` tries ten times as often).",
        ":::{admonition} Changed after first results\n:class: warning\n\n"
        f"{len(changed)} of these experiments are not as they were first designed: "
        f"{', '.join(f'[{asked.name}](#question-{asked.name})' for asked in changed)}. They were changed after first results had "
        "been seen, and before the results shown here; each says below what was changed. The others ran as designed.\n:::",
        *(_question(asked, record.get(asked.name, {})) for asked in QUESTIONS),
    )


def _question(asked: Conjecture, told: dict[str, Any]) -> str:
    facts = [
        ("Source", sentence(asked.source)),
        ("Known", sentence(asked.known)),
        ("Experiment", sentence(asked.experiment)),
    ]
    facts += [("Changed", sentence(asked.changed))] if asked.changed else []
    facts += [("Seen", sentence(told["verdict"]))] if told else []
    parts = [f"(question-{asked.name})=\n## {escaped(asked.question)}"]
    parts.append("\n\n".join(f"{term}\n: {indented(text).lstrip()}" for term, text in facts))
    if told:
        cells = [[words(str(cell)) for cell in row] for row in told["rows"]]
        parts.append(table([words(name) for name in told["columns"]], cells))
    return "\n\n".join([*parts, fenced(f"attnflow conjecture {asked.name}")])


def _write_record() -> None:
    from attnflow.cli.engine import start_engine

    start_engine()
    results = {}
    for asked in QUESTIONS:
        print(f"trying {asked.name}", file=sys.stderr, flush=True)
        results[asked.name] = tried(asked)
    FILE.write_text(written(results), "utf-8")


if __name__ == "__main__":
    _write_record()
