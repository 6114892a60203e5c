"""`model report`, `model list`, `model check`: trained Transformers."""

from __future__ import annotations

import sys
from pathlib import Path

from ....engine.files.whole import check_folder
from ....errors import BadInput, quoted
from ..answer import Answer, Table, plain

UNCHECKED = ("Not checked: that the original program computes the same. These laws hold of every model of this kind, also with "
             "other weights; a torch module can be asked for its states: check_model(model, source=module).")  # fmt: skip


def model_report(source: str, *, text: Path | None, ids: Path | None, iterate, control: int, out: Path, replace: bool,
                 quiet: bool, heads: int | None = None) -> Answer:  # fmt: skip
    """Study a model on a prompt and leave page, figures and numbers."""
    if (text is None) == (ids is None):
        raise BadInput("give the prompt: --text FILE, or --ids FILE with token numbers")
    check_folder(out)
    if (out / "index.html").exists() and not replace:
        raise BadInput(f"{out / 'index.html'} exists already; give --replace to overwrite it, or another --out")
    from ..engine import start_engine

    start_engine()
    from ....models import read_model
    from ....models.study import as_data, study
    from ...report.model import findings, write_model_report

    model = read_model(source, config=None if heads is None else {"num_attention_heads": heads})
    prompt = _prompt(text, ids)
    tell = (lambda words: None) if quiet else (lambda words: print(f"{words} …", file=sys.stderr, flush=True))
    found = study(model, prompt, iterate=iterate, control=control, tell=tell)
    files = write_model_report(found, out, plain=plain)
    data = as_data(found) | {"out": str(out), "files": {name: str(out / name) for name in files}}
    lines = [
        repr(model),
        *findings(found),
        "",
        f"Left in {out}:",
        *[f"  {out / f}  {what}" for f, what in files.items()],
    ]
    return Answer(data, lines, code=0 if all(law.holds for law in found.laws) else 1)


def _prompt(text: Path | None, ids: Path | None):
    from ....engine.linalg.array_files import read_npy, regular

    if text is not None:
        try:
            words = regular(text, most=2**24).read_text(encoding="utf-8").strip()
        except UnicodeDecodeError:
            raise BadInput(f"{text}: not a text file in UTF-8") from None
        if not words:
            raise BadInput(f"{text}: the file is empty")
        return words
    assert ids is not None
    if ids.suffix == ".npy":
        return read_npy(ids)
    import numpy as np

    words = regular(ids, most=2**24).read_text(encoding="utf-8").replace(",", " ").split()
    if odd := [word for word in words if not word.removeprefix("-").isdecimal()]:
        raise BadInput(f"{ids}: token numbers are whole numbers, got {quoted(odd[0][:40])}")
    return np.array([int(word[:20]) for word in words])


def model_list() -> Answer:
    """Packages that carry weights, and whether they are here."""
    from ....models.packages import PACKAGES

    rows = [
        (p.name, p.what, p.licence, "installed" if p.find() is not None else p.install, p.megabytes)
        for p in PACKAGES.values()
    ]
    data = [
        {"name": p.name, "source": f"package:{p.name}", "what": p.what, "licence": p.licence, "install": p.install,
         "installed": p.find() is not None, "variants": list(p.variants), "megabytes": p.megabytes}
        for p in PACKAGES.values()
    ]  # fmt: skip
    table = Table(
        "Packages with trained weights (use as package:NAME)", ("name", "what", "licence", "here?", "MB"), rows
    )
    return Answer({"packages": data}, [table])


def model_check(source: str, *, text: Path | None, heads: int | None = None) -> Answer:
    """Laws that a model must obey, with the largest violation seen."""
    from ..engine import start_engine

    start_engine()
    from ....models import check_model, read_model

    model = read_model(source, config=None if heads is None else {"num_attention_heads": heads})
    laws = check_model(model, None if text is None else _prompt(text, None))
    rows: list[tuple] = [(law.name, law.words, law.error, law.tol, "holds" if law.holds else "FAILS") for law in laws]
    rows.append(("hidden states", "states equal those of the original program", "", "", "not checked"))
    kind = model.config.get("model_type", f"{model.family}, by the names of tensors")
    checked = f"Read as {kind}: this kind is known, and so is every tensor below its prefix and every entry of the configuration."
    data = {"model": model.facts(), "laws": [vars(law) | {"holds": law.holds} for law in laws], "read_as": kind,
            "not_checked": UNCHECKED}  # fmt: skip
    table = Table(repr(model), ("law", "statement", "violation", "allowed", ""), rows)
    return Answer(data, [table, "", checked, UNCHECKED], code=0 if all(law.holds for law in laws) else 1)
