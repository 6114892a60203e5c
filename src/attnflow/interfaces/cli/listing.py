"""`list` and `info`: what there is."""

from __future__ import annotations

import json
import os
import platform
import re
import sys
import tomllib
from pathlib import Path

from ...errors import BadInput, quoted
from .answer import Answer, Table

KINDS = ("scenarios", "tokens", "rules", "keys", "papers", "figures", "claims", "observables")
ABOUT = {
    "scenarios": "ready-made scenarios", "tokens": "kinds of first prompts", "rules": "attention rules, with formulas",
    "keys": "keys of a scenario file", "papers": "papers in the register",
    "figures": "published figures (list figures PAPER)", "claims": "claims (list claims PAPER)",
    "observables": "what a sweep can measure",
}  # fmt: skip
SHORT = ("scenarios", "rules", "papers")
"""Tables that `list` alone prints after the counts."""


def list_known(what: str | None, paper: str | None = None, *, is_long: bool = False) -> Answer:
    """How much there is of everything, or all of one kind, sorted."""
    from ...experiments.scenario.reading import meant

    if what is not None and what not in KINDS:
        raise BadInput(f"{what}: list knows {', '.join(KINDS)}{meant(what, KINDS)}")
    if paper is not None and what not in ("figures", "claims"):
        raise BadInput(f"{paper}: only figures and claims are listed by paper, e.g. attnflow list figures {paper}")
    makers = {
        "scenarios": _scenarios, "tokens": _tokens, "rules": _rules, "keys": _all_keys, "papers": _papers,
        "figures": lambda: _figures(paper), "claims": lambda: _statements(paper) if is_long else _claims(paper),
        "observables": _observables,
    }  # fmt: skip
    wanted = KINDS if what is None else (what,)
    tables = {name: makers[name]() for name in wanted}
    data = {name: [dict(zip(_keys(table), row)) for row in table.rows] for name, table in tables.items()}
    if is_long and "claims" in data:
        from ...papers.register import claims
        from .statements import claim_data

        data["claims"] = [claim_data(claim) for claim in claims(paper)]
    if what is not None:
        return Answer(data, list(tables.values()))
    counts = Table("What there is (attnflow list WHAT)", ("What", "Number", ""), [
        (name, len(table.rows), ABOUT[name]) for name, table in tables.items()
    ])  # fmt: skip
    return Answer(data, [counts, *[tables[name] for name in SHORT]])


def _keys(table: Table) -> list[str]:
    return [column.lower() for column in table.columns]


def _scenarios() -> Table:
    from ...experiments.scenario import load
    from .finding import ready_made

    rows = []
    for name, path in sorted(ready_made().items()):
        try:
            table = tomllib.loads(path.read_text(encoding="utf-8"))
            # Files with axes are for `sweep`, not for `run`.
            title = f"{table.get('title', '')} (attnflow sweep)" if "sweep" in table else load(path).title
        except ValueError as error:
            title = f"cannot be read: {error}"
        rows.append((name, title))
    return Table("Ready-made scenarios (attnflow run NAME)", ("Name", "Title"), rows)


def _tokens() -> Table:
    from ...experiments.scenario.tokens import KINDS as kinds

    rows = [(name, ", ".join(kind.needed) or "nothing", ", ".join(kind.readers)) for name, kind in kinds.items()]
    return Table("Kinds of first prompts ([tokens] kind = …)", ("Kind", "Needs", "Takes"), rows)


def _rules() -> Table:
    from ...experiments.scenario.data import RULE_KEYS
    from .templates import RULES

    rows = [(name, RULES.get(name, "a rule of your own"), ", ".join(keys)) for name, keys in RULE_KEYS.items()]
    return Table("Attention rules ([attention] rule = …)", ("Rule", "Weights", "Takes"), rows)


def _all_keys() -> Table:
    from .templates import keys

    return Table("Keys of a scenario file (--set KEY=VALUE)", ("Key", "Default or kind", "Meaning"), keys())


def _figures(paper: str | None) -> Table:
    rows = sorted(_indexed("figures", paper), key=lambda row: (row[0], _natural(row[1])))
    return Table("Published figures (attnflow figure PAPER FIG)", ("Paper", "Figure", "Title"), rows)


def _natural(name: str) -> list:
    """A key that sorts 2 before 10, and numbers before words."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.findall(r"\d+|\D+", name)]


def _papers() -> Table:
    title = "Papers (attnflow claim PAPER: what each states; attnflow check PAPER: hunts)"
    return Table(title, ("Paper", "arXiv", "Authors", "Title"), _indexed("papers"))


def _claims(paper: str | None) -> Table:
    return Table("Claims (attnflow claim KEY)", ("Claim", "Kind", "Title", "Erratum"), _indexed("claims", paper))


def _indexed(kind: str, paper: str | None = None) -> list[list[str]]:
    """Rows of the stored index; of the register itself where it is at hand, and with it papers of other packages."""
    if "attnflow.papers.register" in sys.modules:
        from .index import made

        index = made()
    else:
        index = json.loads(Path(__file__).with_name("index.json").read_text(encoding="utf-8"))
    if paper is None:
        return index[kind]
    named = [name for name, arxiv, *_ in index["papers"] if paper in (name, arxiv)]
    if not named:
        raise BadInput(f"unknown paper {quoted(paper)}; `attnflow list papers` shows them")
    return [row for row in index[kind] if row[0].split(".")[0] == named[0]]


def _observables() -> Table:
    return Table("Observables (attnflow sweep … --measure NAME)", ("Name", "What it is"), _indexed("observables"))


def _statements(paper: str | None) -> Table:
    from ...papers.register import claims

    rows = [(claim.key, claim.title, claim.statement) for claim in claims(paper)]
    return Table("Claims (attnflow claim KEY)", ("Claim", "Title", "Statement"), rows)


def describe(run: Path | None, *, verify: bool = False) -> Answer:
    """The installation, or a stored run."""
    if run is None:
        return _installation()
    from .sweeping import describe_sweep, is_sweep

    if is_sweep(run):
        return describe_sweep(run, verify=verify)
    answer = _stored(run)
    if not verify:
        return answer
    from ...experiments.store import load_run
    from .engine import start_engine

    start_engine()
    load_run(run)
    words = "verified: every chunk, number, attribute and matrix file is the one that was stored"
    return Answer(answer.data | {"verified": True}, [*answer.blocks, "", words])


def _installation() -> Answer:
    import jax

    from ...engine.files.versions import versions
    from ...engine.programs import cache_folder
    from .engine import start_engine

    start_engine()
    devices = [str(device) for device in jax.devices()]
    data = {
        "versions": versions(),
        "system": platform.platform(),
        "cores": os.cpu_count(),
        "devices": devices,
        "precision": "float64" if jax.config.read("jax_enable_x64") else "float32",
        "cache": str(cache_folder()),
    }
    lines = [("versions", ", ".join(f"{name} {number}" for name, number in data["versions"].items()))]
    lines += [
        (key, ", ".join(value) if isinstance(value, list) else value)
        for key, value in data.items()
        if key != "versions"
    ]
    return Answer(data, [f"{name:<10} {value}" for name, value in lines])


def _stored(path: Path) -> Answer:
    from ...experiments.store import find_result, load

    dataset = load(path)
    attrs = dict(dataset.attrs)
    missing = [key for key in ("status", "status_time", "steps", "rejected", "notes", "versions") if key not in attrs]
    if missing or not dataset.sizes.get("time") or dataset["time"].dtype.kind != "f":
        raise BadInput(f"{path}: is not a whole run: {(missing or ['time'])[0]} is missing")
    data = {
        "path": str(find_result(path)),
        "sizes": dict(sorted(dataset.sizes.items())),  # the order of files in a folder is any
        "until": float(dataset["time"][-1]),
        "status": attrs["status"],
        "status_time": attrs["status_time"],
        "steps": attrs["steps"],
        "rejected": attrs["rejected"],
        "seed": attrs.get("seed"),
        "schema": attrs["schema"],
        "notes": _json(attrs["notes"]),
        "versions": _json(attrs["versions"]),
        "scenario": attrs.get("scenario"),
    }
    lines = [f"{key:<12} {_words(value)}" for key, value in data.items() if key != "scenario"]
    return Answer(data, [*lines, "", data["scenario"] or "stored without a scenario"])


def _json(words):
    try:
        return json.loads(words)
    except (TypeError, ValueError, RecursionError):
        return "cannot be read"


def _words(value) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {entry}" for key, entry in value.items())
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)
