"""The stored record of hunts, kept in docs/verdicts.json: what `attnflow check --all` found, where and when.

`make docs-verdicts` writes it anew: python -m docs.generate.verdicts
"""

from __future__ import annotations

import json
import platform
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import attnflow
from attnflow.engine.files.versions import versions
from attnflow.interfaces.cli.engine import start_engine

FILE = Path(__file__).parents[1] / "verdicts.json"
KEPT = (
    "claim", "statement", "outcome", "trials", "undecided", "worst", "sensitivity", "notices", "horizon", "law",
    "example",
)  # fmt: skip


@dataclass(frozen=True)
class Verdicts:
    """The record by claim, with what it was made with."""

    made: dict[str, Any]
    hunts: dict[str, list[dict[str, Any]]]
    outside: dict[str, list[dict[str, Any]]]

    def on(self, claim: str, statement: str) -> dict[str, Any]:
        """The verdict on one statement of a claim; nothing where it was not hunted yet."""
        return next((v for v in self.hunts.get(claim, []) if v["statement"] == statement), {})

    @property
    def words(self) -> str:
        where = f"commit {self.made['commit']}, {self.made['date']}, {self.made['precision']}"
        return f"attnflow {self.made['version']} ({where}), effort {self.made['effort']}, seed {self.made['seed']}"


def stored(file: Path = FILE) -> Verdicts:
    data = json.loads(file.read_text("utf-8"))
    hunts, outside = _by_claim(data.pop("verdicts")), _by_claim(data.pop("outside"))
    return Verdicts(data, hunts, outside)


def _by_claim(rows: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault(row["claim"], []).append(row)
    return found


def circumstances() -> dict[str, Any]:
    """Version and commit of the code, day, machine, precision and packages, of this process."""
    import jax

    return {
        "version": attnflow.__version__, "commit": commit(), "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "platform": f"{platform.system()} {platform.machine()}",
        "precision": "float64" if jax.config.jax_enable_x64 else "float32",
        "versions": versions(),
    }  # fmt: skip


def commit(tree: Path = FILE.parent) -> str:
    """What is checked out, and whether files differ from it; the version where git cannot say."""
    asked = ["git", "-C", str(tree), "describe", "--always", "--abbrev=12", "--exclude=*", "--dirty= with changes"]
    try:
        told = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return f"unknown, version {attnflow.__version__}"
    return told


def written(answer: dict[str, Any], made: dict[str, Any]) -> str:
    """One verdict a line, so that changes are easy to read and to merge."""
    head = made | {"seed": answer["seed"], "effort": answer["effort"]}
    tables = {"verdicts": [_kept(v) for v in answer["verdicts"]], "outside": answer["outside"]}
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    for name, rows in tables.items():
        inner = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
        lines.append(f"{json.dumps(name)}: [\n{inner}\n]")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _kept(verdict: dict[str, Any]) -> dict[str, Any]:
    """A number that JSON cannot say is its word: "infinite", "not a number"; null is what there is none of."""
    return {key: verdict.get(f"{key}_is", verdict[key]) for key in KEPT}


def hunted() -> dict[str, Any]:
    """All claims, with seed 0 and effort 1."""
    from attnflow.experiments.scenario.plain import plain
    from attnflow.interfaces.cli.verdicts import hunt

    return plain(hunt(None, 1, 0).data)


if __name__ == "__main__":
    start_engine()  # before JAX is imported
    made = circumstances()
    FILE.write_text(written(hunted(), made), "utf-8")
