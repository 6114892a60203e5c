"""Open questions with their experiments, and what came out of them."""

from __future__ import annotations

from typing import Any

from attnflow.experiments.laboratory.experiment import Conjecture
from attnflow.experiments.laboratory.questions import QUESTIONS

from .text import escaped, fenced, indented, page, sentence, table, words


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
        "been seen, and before the results shown here; each says below what was changed.\n:::",
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
