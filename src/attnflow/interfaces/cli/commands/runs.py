"""Commands on runs: simulate, sweep, reduce, compare, open."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from ..asking import answer_to
from .application import Json, Replace, Scenario, Settings, app


@app.command(short_help="Simulate a scenario and report on it.")
def run(
    scenario: Scenario,
    settings: Settings = [],  # noqa: B006 — typer copies it
    out: Annotated[Optional[Path], typer.Option(help="Folder of the result [out/NAME].")] = None,  # noqa: UP045
    replace: Replace = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ignore what a killed run left behind.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what the run would cost.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
    json: Json = False,
) -> None:
    """Simulate a scenario; leave figure, animation, data and a report in plain words.

    Example: attnflow run default --set attention.beta=4 --out out/warm
    """
    from ..running import cost_of, run_scenario

    if dry_run:
        answer_to(lambda: cost_of(scenario, settings), json)
    answer_to(
        lambda: run_scenario(scenario, settings, out=out, replace=replace, fresh=fresh, quiet=quiet or json),
        json,
        quiet,
    )


@app.command(short_help="Run a scenario over axes of values.")
def sweep(
    scenario: Scenario,
    over: Annotated[
        list[str], typer.Option("--over", metavar="KEY=VALUES", help="An axis: 1:9:9, 0:32, log:1:100:7, 1,2,4.")
    ] = [],  # noqa: B006
    measure: Annotated[list[str], typer.Option("--measure", help="clusters, energy(t), time_to(clusters<=1), …")] = [],  # noqa: B006
    settings: Settings = [],  # noqa: B006
    on: Annotated[str, typer.Option(help="serial, processes, dask, dask:tcp://HOST:PORT or slurm.")] = "auto",
    workers: Annotated[Optional[int], typer.Option("-j", min=1, help="Worker processes [one per core].")] = None,  # noqa: UP045
    shard: Annotated[str, typer.Option(metavar="i/N", help="Compute only a share of the sweep.")] = "1/1",
    shards: Annotated[int, typer.Option(min=1, help="Tasks of the job array that --on slurm prints.")] = 16,
    out: Annotated[Optional[Path], typer.Option(help="Folder of the result [out/NAME].")] = None,  # noqa: UP045
    budget: Annotated[Optional[str], typer.Option(help="Stop after 90s, 10m or 2h; the same command goes on.")] = None,  # noqa: UP045
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
    json: Json = False,
) -> None:
    """Run a scenario for all combinations of values, on this machine or a cluster; what is done is never lost.

    Example: attnflow sweep default --over attention.beta=1:9:9 --over seed=0:32 --measure clusters
    """
    from ..sweeping import sweep_file

    answer_to(
        lambda: sweep_file(
            scenario, settings, over=over, measure=measure, on=on, workers=workers, shard=shard, shards=shards, out=out,
            budget=budget, quiet=quiet or json,
        ),
        json, quiet,
    )  # fmt: skip


@app.command(short_help="Which cheaper model stands for a scenario.")
def reduce(
    scenario: Scenario,
    settings: Settings = [],  # noqa: B006
    error: Annotated[float, typer.Option(help="The error that is allowed.", min=1e-12)] = 0.05,
    out: Annotated[Path, typer.Option(help="Folder of the picture.")] = Path("out/reduce"),
    replace: Replace = False,
    json: Json = False,
) -> None:
    """Find the cheapest reduced model of a run within an error, and draw error against speed-up.

    Example: attnflow reduce default --set time.until=3 --error 0.02
    """
    from ..laboratory import reduce_scenario

    answer_to(lambda: reduce_scenario(scenario, settings, error=error, out=out, replace=replace), json)


@app.command(short_help="A commented scenario file to start from.")
def new(
    words: Annotated[
        list[str], typer.Argument(metavar="[KIND] FILE.toml", help="KIND is a ready-made scenario or sweep.")
    ],
    replace: Replace = False,
    json: Json = False,
) -> None:
    """Write a scenario file with every key explained.

    Example: attnflow new noisy mine.toml
    """
    from ..templates import write_template

    answer_to(lambda: write_template(words, replace=replace), json)


@app.command(short_help="Two stored runs side by side.")
def compare(
    first: Annotated[Path, typer.Argument(metavar="RUN")],
    second: Annotated[Path, typer.Argument(metavar="RUN")],
    json: Json = False,
) -> None:
    """Say in which settings two stored runs differ, how each ended, and how far apart they are.

    Example: attnflow compare out/default out/warm
    """
    from ..comparing import compare_runs

    answer_to(lambda: compare_runs(first, second), json)


@app.command("open", short_help="The report of a stored run, in the browser.")
def open_(run: Annotated[Path, typer.Argument(metavar="RUN", help="A stored run.")], json: Json = False) -> None:
    """Show the report of a stored run in the browser.

    Example: attnflow open out/default
    """
    from ..comparing import open_report

    answer_to(lambda: open_report(run, quiet=json), json)


@app.command(short_help="Versions and devices, or a stored run.")
def info(
    run: Annotated[Optional[Path], typer.Argument(metavar="[RUN]", help="A stored run.")] = None,  # noqa: UP045
    verify: Annotated[bool, typer.Option("--verify", help="Also build its flow and compare every digest.")] = False,
    json: Json = False,
) -> None:
    """Show versions, devices and precision, or what a stored run is.

    Example: attnflow info out/default --verify
    """
    from ..listing import describe

    answer_to(lambda: describe(run, verify=verify), json)
