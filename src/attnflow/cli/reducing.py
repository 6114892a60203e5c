"""`reduce`: which cheaper model stands for a scenario."""

from __future__ import annotations

from pathlib import Path

from ..errors import BadInput
from .answer import Answer, Table


def reduce_scenario(name: str, settings: list[str], *, error: float, out: Path, replace: bool) -> Answer:
    """The table of models, the choice, and a picture of error against speed-up."""
    from .engine import start_engine
    from .finding import find_scenario

    stem, scenario = find_scenario(name, settings)
    file = out / f"{stem}.png"
    if file.exists() and not replace:
        raise BadInput(f"{file} exists already; give --replace to overwrite it, or another --out")
    start_engine()
    from ..draw.error_cost import error_cost_figure
    from ..draw.style import save_figure
    from ..reduction.reduce import reduce
    from ..scenario import build

    flow, mu, _ = build(scenario)
    found = reduce(flow, mu, until=scenario.time.until, error=error)
    out.mkdir(parents=True, exist_ok=True)
    title = scenario.title or stem
    save_figure(error_cost_figure(found.table, error=error, chosen=found.model.name, title=title), file, dpi=200)
    rows = [(r.name, f"{r.error:.2g}", f"{r.speedup:.3g}", r.of, r.words) for r in found.table]
    how = (
        "measured against the run" if all(r.is_measured for r in found.table) else "bounded, not measured: many tokens"
    )
    data = {
        "model": found.model.name, "words": found.model.words, "of": found.model.of, "error": found.error,
        "speedup": found.speedup, "until": scenario.time.until, "table": [vars(row) for row in found.table],
        "files": [str(file)],
    }  # fmt: skip
    blocks: list[str | Table] = [
        title,
        f"{found.model.name} stands for this run up to t = {scenario.time.until:g}: {found.model.words}",
        f"error at most {found.error:.2g} ({how}), {found.speedup:.3g} times fewer pairs",
        Table("", ("Model", "Error", "Speed-up", "Of", "What it is"), rows),
        f"wrote {file}",
    ]
    return Answer(data, blocks)
