"""`sweep`: a scenario over axes, and what a folder of one holds."""

from __future__ import annotations

import os
import re
import sys
import time
from pathlib import Path

from ...engine.files.whole import check_folder, reason, text_in, whole
from ...errors import BadInput, is_memory
from .answer import Answer, Table
from .progress import progress

MOST_ROWS = 16


def sweep_file(
    name: str, settings: list[str], *, over: list[str], measure: list[str], on: str, workers: int | None, shard: str,
    shards: int, out: Path | None, budget: str | None, quiet: bool,
) -> Answer:  # fmt: skip
    """Read, plan, compute, gather, draw and report; a folder that holds part of this sweep is gone on with."""
    from ...experiments.scenario.cost import check_affordable
    from ...experiments.sweeps.axes import first_and_last, read_axes, read_over
    from ...experiments.sweeps.engines import check_engine
    from ...experiments.sweeps.file import seconds_of
    from .engine import start_engine

    path, scenario, asked = _asked(name, settings)
    part = _shard(shard)
    out = Path("out") / path.stem if out is None else out
    check_folder(out)
    limit = asked.budget if budget is None else seconds_of(budget, "--budget")
    if on != "auto":
        check_engine(on)
    axes = asked.axes | read_over(over)
    for cell in first_and_last(scenario, read_axes(axes, paired=asked.paired, repeat=asked.repeat, seed=scenario.seed)):
        check_affordable(cell)
    start_engine()
    from ...experiments.sweeps.run import plan_sweep, run_sweep

    plan = plan_sweep(
        scenario, axes, measure=measure or asked.measure, paired=asked.paired,
        repeat=asked.repeat, theory=asked.theory,
    )  # fmt: skip
    if on == "slurm":
        return _slurm(name, settings, over=over, measure=measure, shards=shards, out=out)
    with progress("sweeping", quiet=quiet) as advance:
        try:
            found = run_sweep(
                plan, out, on=on, workers=workers, budget=limit, shard=part, report=_meter(advance, len(plan.parts))
            )
            return _answer(found, out)
        except KeyboardInterrupt:
            print(f"attnflow: {_kept(plan, out)}", file=sys.stderr)
            raise
        except (OSError, MemoryError, RuntimeError) as error:
            if isinstance(error, RuntimeError) and not is_memory(error):
                raise
            raise BadInput(f"{reason(error)}, writing {out}; {_kept(plan, out)}") from None


def _kept(plan, out: Path) -> str:
    done = len(list((out / "parts").glob("*.npz")))
    return f"{done} of {len(plan.parts)} parts are kept in {out}; the same command goes on"


def _asked(name: str, settings: list[str]):
    """The scenario and the sweep of a file, or of a ready-made scenario."""
    from ...experiments.scenario import with_values
    from ...experiments.sweeps.file import read_sweep_file
    from .finding import find_sweep

    path = find_sweep(name)
    scenario, asked = read_sweep_file(path)
    return path, with_values(scenario, settings), asked


def _shard(words: str) -> tuple[int, int]:
    i, _, count = words.partition("/")
    # At most nine digits, and no other letters that Unicode counts as digits.
    if not re.fullmatch(r"[0-9]{1,9}/[0-9]{1,9}", words) or not 1 <= int(i) <= int(count):
        raise BadInput(f"--shard {words}: write i/N with i from 1 to N, e.g. 1/4")
    return int(i), int(count)


def _meter(advance, total: int):
    started, state = time.monotonic(), {}

    def report(done: int, mine: int) -> None:
        first = state.setdefault("first", done)
        rate = (done - first) / max(time.monotonic() - started, 1e-9)
        left = f", {(mine - done) / rate:.0f} s left" if rate > 0 else ""
        advance(f"part {done} of {mine}{f' ({rate:.2g}/s{left})' if rate else ''}", done=done, total=mine)

    return report


def slurm_script(command: list[str], shards: int) -> str:
    """A job array: every task computes its share; parts that are done are skipped, so it can be submitted again."""
    import shlex

    words = " ".join(shlex.quote(word) for word in command)
    return "\n".join(
        [
            "#!/bin/bash",
            "#SBATCH --job-name=attnflow-sweep",
            f"#SBATCH --array=1-{shards}",
            "#SBATCH --cpus-per-task=1",
            "#SBATCH --requeue",
            f"srun {words} --on serial --shard $SLURM_ARRAY_TASK_ID/{shards}",
            "",
        ]
    )


def _slurm(name, settings, *, over, measure, shards: int, out: Path) -> Answer:
    command = ["attnflow", "sweep", name, "--out", str(out)]
    command += [word for setting in settings for word in ("--set", setting)]
    command += [word for one in over for word in ("--over", one)]
    command += [word for one in measure for word in ("--measure", one)]
    script = slurm_script(command, shards)
    return Answer(
        {"script": script, "submit": "sbatch sweep.sh"}, [script, "# save as sweep.sh and submit: sbatch sweep.sh"]
    )


def _answer(found, out: Path) -> Answer:
    from ..report.sweep import endings, failures, place_of, summary_rows

    dataset, plan = found.dataset, found.plan
    failed = failures(dataset)
    files = write_folder(dataset, out) if found.is_whole else {}
    columns, rows = summary_rows(dataset)
    data = {
        "out": str(out), "cells": plan.count, "parts": len(plan.parts), "done": found.done, "whole": found.is_whole,
        "endings": endings(dataset), "failed": {place_of(dataset, cell): why for cell, why in failed.items()},
        "rows": [dict(zip(columns, row)) for row in rows], "files": files,
    }  # fmt: skip
    blocks: list[str | Table] = [
        dataset.attrs["title"] or "A sweep",
        f"{plan.count} cells in {len(plan.parts)} parts, {found.done} of them done: {endings(dataset)}",
    ]
    if rows:
        blocks.append(Table("", columns, rows[:MOST_ROWS]))
        blocks += [f"… and {len(rows) - MOST_ROWS} more rows in {out / 'table.csv'}"] if len(rows) > MOST_ROWS else []
    blocks += [f"FAILED {place}: {why}" for place, why in list(data["failed"].items())[:5]]
    if not found.is_whole:
        blocks.append(f"Not whole yet: {found.done} of {len(plan.parts)} parts are in {out}; the same command goes on.")
    blocks += ["", f"Left in {out}:", *[f"  {out / name}  {what}" for name, what in files.items()]] if files else []
    return Answer(data, blocks, code=int(bool(failed)))


def write_folder(dataset, out: Path) -> dict[str, str]:
    """Tables, picture and report beside the data."""
    from ...draw.style import save_figure
    from ...experiments.sweeps.picture import sweep_figure
    from ...experiments.sweeps.result import courses, table
    from ..report.pages import as_html, as_markdown
    from ..report.sweep import sweep_story

    files = {"result.zarr": "all values, with axes, scenario and versions (xarray, zarr)"}
    for stem, frame in (("table", table(dataset)), ("courses", courses(dataset))):
        if frame is not None:
            with whole(out / f"{stem}.csv") as draft:
                frame.to_csv(draft, index=False)
            files[f"{stem}.csv"] = "one row per cell" if stem == "table" else "one row per cell and time"
            files |= _parquet(frame, out / f"{stem}.parquet")
    for form in ("png", "pdf"):
        save_figure(sweep_figure(dataset), out / f"figure.{form}", dpi=200)
        files[f"figure.{form}"] = "what was measured, over the axes"
    files |= {"report.md": "this report", "report.html": "this report as one page"}
    blocks = sweep_story(dataset, files)
    text_in(out, "report.md", as_markdown(blocks))
    text_in(out, "report.html", as_html(blocks, folder=out))
    return files


def _parquet(frame, path: Path) -> dict[str, str]:
    try:
        with whole(path) as draft:
            frame.to_parquet(draft, index=False)
    except ImportError:  # pyarrow is not part of the core install
        return {}
    return {path.name: "the same for pandas, polars, DuckDB"}


def is_sweep(path: Path) -> bool:
    return (path / "sweep.json").is_file()


def describe_sweep(path: Path, *, verify: bool = False) -> Answer:
    """What a folder of a sweep holds, also while it runs."""
    from ...experiments.sweeps.file import read_about

    about = read_about(path)
    if about is None:
        raise BadInput(f"{path}: sweep.json is damaged; the same sweep with another --out writes it anew")
    data = _about(path, about)
    if verify:
        data |= {"verified": _verified(path, about["parts"])}
    lines = [f"{key:<10} {', '.join(map(str, v)) if isinstance(v, list) else v}" for key, v in data.items()]
    return Answer(data, lines)


def _about(path: Path, about: dict) -> dict:
    names, axes = about["parts"], about["axes"]
    done = sum((path / "parts" / f"{name}.npz").is_file() for name in names)
    failed = sorted(file.name for file in (path / "failed").glob("*")) if (path / "failed").is_dir() else []
    return {
        "path": str(path), "cells": about["cells"], "parts": len(names), "done": done, "failed": len(failed),
        "gathered": (path / "result.zarr").is_dir(), "axes": {", ".join(a["keys"]): len(a["values"][0]) for a in axes},
        "measure": [one[0] for one in about["measure"]], "precision": about["precision"], "sweep": about["sweep"],
    }  # fmt: skip


def _verified(path: Path, names: list[str]) -> str:
    """Every part and the data set read whole; damage is an error that says how to mend it."""
    from ...experiments.store import load
    from ...experiments.sweeps.cells import part_file, read_part
    from ...experiments.sweeps.plan import Part

    for part in [Part(name, ()) for name in names]:
        file = part_file(path, part)
        if os.path.lexists(file) and read_part(path, part) is None:
            raise BadInput(f"{file}: is damaged; the same sweep command computes this part again")
    if not (path / "result.zarr").exists():
        return "every part that is there"
    load(path / "result.zarr")
    return "every part, chunk, number and attribute"
