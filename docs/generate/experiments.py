"""The stored record of experiments on open questions, kept in docs/experiments.json.

`make docs-verdicts` writes it anew: python -m docs.generate.experiments
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import attnflow
from attnflow.interfaces.cli.engine import start_engine

FILE = Path(__file__).parents[1] / "experiments.json"


def stored(file: Path = FILE) -> dict[str, Any]:
    """Version, and for each question the table and the verdict of its experiment."""
    return json.loads(file.read_text("utf-8"))


def written(results: dict[str, dict[str, Any]]) -> str:
    """One experiment a line, so that changes are easy to read and to merge."""
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(told, ensure_ascii=False)}" for name, told in results.items())
    return f'{{\n"version": "{attnflow.__version__}",\n{lines}\n}}\n'


def tried() -> dict[str, dict[str, Any]]:
    """Every experiment once, with seed 0 and effort 1."""
    start_engine()  # before JAX is imported
    from attnflow.experiments.laboratory.experiment import run_conjecture
    from attnflow.experiments.laboratory.questions import QUESTIONS

    results = {}
    for asked in QUESTIONS:
        print(f"trying {asked.name}", file=sys.stderr, flush=True)
        found = run_conjecture(asked)
        results[asked.name] = {
            "columns": found.columns, "rows": found.rows, "verdict": found.words, "trials": found.trials,
        }  # fmt: skip
    return results


if __name__ == "__main__":
    FILE.write_text(written(tried()), "utf-8")
