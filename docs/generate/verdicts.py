"""The stored record of hunts: what `attnflow check --all --json` found, kept in docs/verdicts.json.

`make docs-verdicts` writes it anew: attnflow check --all --json | python -m docs.generate.verdicts
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import attnflow

FILE = Path(__file__).parents[1] / "verdicts.json"
KEPT = ("claim", "statement", "outcome", "trials", "undecided", "worst", "horizon", "law", "example")


@dataclass(frozen=True)
class Verdicts:
    """The record by claim, with the version and effort it was made with."""

    version: str
    seed: int
    effort: int
    hunts: dict[str, list[dict[str, Any]]]
    outside: dict[str, list[dict[str, Any]]]

    def on(self, claim: str, statement: str) -> dict[str, Any]:
        """The verdict on one statement of a claim; nothing where it was not hunted yet."""
        return next((v for v in self.hunts.get(claim, []) if v["statement"] == statement), {})

    @property
    def words(self) -> str:
        return f"attnflow {self.version}, effort {self.effort}, seed {self.seed}"


def stored(file: Path = FILE) -> Verdicts:
    data = json.loads(file.read_text("utf-8"))
    hunts, outside = _by_claim(data["verdicts"]), _by_claim(data["outside"])
    return Verdicts(data["version"], data["seed"], data["effort"], hunts, outside)


def _by_claim(rows: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault(row["claim"], []).append(row)
    return found


def written(answer: dict[str, Any]) -> str:
    """One verdict a line, so that changes are easy to read and to merge."""
    head = {"version": attnflow.__version__, "seed": answer["seed"], "effort": answer["effort"]}
    tables = {"verdicts": [{key: v[key] for key in KEPT} for v in answer["verdicts"]], "outside": answer["outside"]}
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    for name, rows in tables.items():
        inner = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
        lines.append(f"{json.dumps(name)}: [\n{inner}\n]")
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(written(json.load(sys.stdin)), "utf-8")
