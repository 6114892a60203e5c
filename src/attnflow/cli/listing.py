"""`list` and `info`: what there is."""

from __future__ import annotations

import json
import os
import platform
from pathlib import Path

from ..errors import BadInput
from .answer import Answer, Table

KINDS = ("scenarios", "tokens", "rules", "papers", "figures", "claims", "observables")


def list_known(what: str | None, *, is_long: bool = False) -> Answer:
    """Everything that can be named on the command line, or one kind of it."""
    from ..scenario.reading import meant

    if what is not None and what not in KINDS:
        raise BadInput(f"{what}: list knows {', '.join(KINDS)}{meant(what, KINDS)}")
    makers = {
        "scenarios": _scenarios, "tokens": _tokens, "rules": _rules, "papers": _papers, "figures": _figures,
        "claims": _statements if is_long else _claims, "observables": _observables,
    }  # fmt: skip
    wanted = KINDS if what is None else (what,)
    tables = [makers[name]() for name in wanted]
    data = {name: [dict(zip(_keys(table), row)) for row in table.rows] for name, table in zip(wanted, tables)}
    if is_long and "claims" in data:
        from ..papers.register import claims
        from .theory import claim_data

        data["claims"] = [claim_data(claim) for claim in claims()]
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
    from ..papers.figure import figures

    rows = [(figure.paper, figure.name, figure.title) for figure in figures()]
    return Table("Published figures (attnflow figure PAPER FIG)", ("Paper", "Figure", "Title"), rows)


def _papers() -> Table:
    from ..papers.register import papers

    rows = [(name, paper.arxiv, paper.authors, paper.title) for name, paper in papers().items()]
    return Table("Papers (attnflow check PAPER)", ("Paper", "arXiv", "Authors", "Title"), rows)


def _claims() -> Table:
    from ..papers.register import claims

    rows = [(claim.key, claim.kind, claim.title, claim.erratum or "") for claim in claims()]
    return Table("Claims (attnflow claim KEY)", ("Claim", "Kind", "Title", "Erratum"), rows)


def _observables() -> Table:
    from ..sweeps.observables import known

    return Table("Observables (attnflow sweep … --measure NAME)", ("Name", "What it is"), list(known().items()))


def _statements() -> Table:
    from ..papers.register import claims

    rows = [(claim.key, claim.title, claim.corrected or claim.printed) for claim in claims()]
    return Table("Claims (attnflow claim KEY)", ("Claim", "Title", "Statement, as corrected"), rows)


def describe(run: Path | None, *, verify: bool = False) -> Answer:
    """The installation, or a stored run."""
    if run is None:
        return _installation()
    from .sweeping import describe_sweep, is_sweep

    if is_sweep(run):
        return describe_sweep(run)
    answer = _stored(run)
    if not verify:
        return answer
    from ..store import load_run
    from .engine import start_engine

    start_engine()
    load_run(run)
    words = "verified: every chunk, number, attribute and matrix file is the one that was stored"
    return Answer(answer.data | {"verified": True}, [*answer.blocks, "", words])


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
    missing = [key for key in ("status", "status_time", "steps", "rejected", "notes", "versions") if key not in attrs]
    if missing or "time" not in dataset:
        raise BadInput(f"{path}: is not a whole run: {(missing or ['time'])[0]} is missing")
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
        "notes": _json(attrs["notes"]),
        "versions": _json(attrs["versions"]),
        "scenario": attrs.get("scenario"),
    }
    lines = [f"{key:<12} {_words(value)}" for key, value in data.items() if key != "scenario"]
    return Answer(data, [*lines, "", data["scenario"] or "stored without a scenario"])


def _json(words):
    try:
        return json.loads(words)
    except (TypeError, ValueError):
        return "cannot be read"


def _words(value) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {entry}" for key, entry in value.items())
    return "; ".join(value) if isinstance(value, list) else str(value)
