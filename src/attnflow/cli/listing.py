"""`list` and `info`: what there is."""

from __future__ import annotations

import json
import os
import platform
from pathlib import Path

from .answer import Answer, Table

KINDS = ("scenarios", "tokens", "rules", "figures", "claims")


def list_known(what: str | None) -> Answer:
    """Everything that can be named on the command line, or one kind of it."""
    from ..scenario.reading import meant

    if what is not None and what not in KINDS:
        raise ValueError(f"{what}: list knows {', '.join(KINDS)}{meant(what, KINDS)}")
    wanted = KINDS if what is None else (what,)
    tables = [
        {"scenarios": _scenarios, "tokens": _tokens, "rules": _rules, "figures": _figures, "claims": _claims}[w]()
        for w in wanted
    ]
    data = {name: [dict(zip(_keys(table), row)) for row in table.rows] for name, table in zip(wanted, tables)}
    return Answer(data, tables)


def _keys(table: Table) -> list[str]:
    return [column.lower() for column in table.columns]


def _scenarios() -> Table:
    from ..scenario import load
    from .finding import ready_made

    rows = []
    for name, path in ready_made().items():
        try:
            title = load(path).title
        except ValueError as error:
            title = f"cannot be read: {error}"
        rows.append((name, title))
    return Table("Ready-made scenarios (attnflow run NAME)", ("Name", "Title"), rows)


def _tokens() -> Table:
    from ..scenario.tokens import KINDS as kinds

    rows = [(name, ", ".join(kind.needed) or "nothing", ", ".join(kind.readers)) for name, kind in kinds.items()]
    return Table("Kinds of first prompts ([tokens] kind = …)", ("Kind", "Needs", "Takes"), rows)


def _rules() -> Table:
    from ..scenario.data import RULE_KEYS

    rows = [(name, ", ".join(keys)) for name, keys in RULE_KEYS.items()]
    return Table("Attention rules ([attention] rule = …)", ("Rule", "Takes"), rows)


def _figures() -> Table:
    from ..figures.register import figures

    rows = [(figure.paper, figure.name, figure.title) for figure in figures()]
    return Table("Published figures (attnflow figure PAPER FIG)", ("Paper", "Figure", "Title"), rows)


def _claims() -> Table:
    from ..theory.claim import claims

    rows = [(claim.key, claim.kind, claim.source, "corrected" if claim.corrected else "") for claim in claims()]
    return Table("Claims (attnflow check PAPER)", ("Claim", "Kind", "Source", "Erratum"), rows)


def describe(run: Path | None) -> Answer:
    """The installation, or a stored run."""
    return _installation() if run is None else _stored(run)


def _installation() -> Answer:
    import jax

    from ..store import versions
    from .engine import cache_folder, start_engine

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
    from ..store import find_result, load

    dataset = load(path)
    attrs = dict(dataset.attrs)
    data = {
        "path": str(find_result(path)),
        "sizes": dict(dataset.sizes),
        "until": float(dataset["time"][-1]),
        "status": attrs["status"],
        "status_time": attrs["status_time"],
        "steps": attrs["steps"],
        "rejected": attrs["rejected"],
        "seed": attrs.get("seed"),
        "schema": attrs["schema"],
        "notes": json.loads(attrs["notes"]),
        "versions": json.loads(attrs["versions"]),
        "scenario": attrs.get("scenario"),
    }
    lines = [f"{key:<12} {_words(value)}" for key, value in data.items() if key != "scenario"]
    return Answer(data, [*lines, "", data["scenario"] or "stored without a scenario"])


def _words(value) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {entry}" for key, entry in value.items())
    return "; ".join(value) if isinstance(value, list) else str(value)
