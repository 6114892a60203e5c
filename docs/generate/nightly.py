"""What hunts with many seeds found: python -m docs.generate.nightly FOLDER, of files seed-N.json of `attnflow check --json`.

Ends with 1 if any seed refuted a statement that should stand.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from attnflow.papers.register import find_claim


def found(folder: Path) -> dict[int, list[dict[str, Any]]]:
    """Verdicts by seed."""
    answers = [json.loads(file.read_text("utf-8")) for file in folder.glob("seed-*.json")]
    return {answer["seed"]: answer["verdicts"] for answer in sorted(answers, key=lambda answer: answer["seed"])}


def false_alarms(nights: dict[int, list[dict[str, Any]]]) -> list[str]:
    """Refutations of statements that have no correction, or that are one."""
    return [
        f"seed {seed}: {v['claim']} ({v['statement']}), ratio {v['worst']}: {v['example']}"
        for seed, verdicts in nights.items()
        for v in verdicts
        if v["outcome"] == "refuted" and (v["statement"] == "corrected" or find_claim(v["claim"]).corrected is None)
    ]


def sensitivities(nights: dict[int, list[dict[str, Any]]]) -> list[str]:
    """The smallest error that each hunt notices, with its best and its worst seed."""
    seen: dict[tuple[str, str], list[float]] = defaultdict(list)
    for verdicts in nights.values():
        for v in verdicts:
            noticed = float("inf") if v.get("sensitivity_is") == "infinite" else v["sensitivity"]
            if noticed is not None:
                seen[v["claim"], v["statement"]].append(noticed)
    worst = sorted(seen.items(), key=lambda entry: -max(entry[1]))
    return [f"{max(s):9.2g} {min(s):9.2g}  {claim} ({statement})" for (claim, statement), s in worst]


if __name__ == "__main__":
    nights = found(Path(sys.argv[1]))
    alarms = false_alarms(nights)
    print(
        "The smallest relative error that is noticed, by the worst and by the best seed:",
        *sensitivities(nights),
        sep="\n",
    )
    print(f"{len(nights)} seeds, {len(alarms)} false alarms", *alarms, sep="\n")
    sys.exit(bool(alarms))
