"""Commands on theorems: predict, check, claim, conjecture, hunt."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from ..asking import answer_to
from .application import Json, Replace, Scenario, Seed, Settings, app

MOST = 10_000
"""Times the effort: more would not end."""


@app.command(short_help="What theory says about a scenario.")
def predict(scenario: Scenario, settings: Settings = [], json: Json = False) -> None:  # noqa: B006
    """Say what theory knows about a scenario, without running it.

    Example: attnflow predict hyperplanes --set seed=5
    """
    from ..theory import predict_scenario

    answer_to(lambda: predict_scenario(scenario, settings), json)


@app.command(short_help="Check a stored run, or a paper's claims.")
def check(
    target: Annotated[
        str | None, typer.Argument(metavar="[PAPER|KEY|RUN]", help="A paper, a claim, or a stored run.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All claims of all papers.")] = False,
    effort: Annotated[int, typer.Option(help="More starts and longer horizons.", min=1, max=MOST)] = 1,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Check a stored run against theory, or hunt for counterexamples to the claims of a paper.

    Example: attnflow check out/default
    """
    from ..theory import check_target

    answer_to(lambda: check_target(target, every=every, effort=effort, seed=seed), json)


@app.command(short_help="All that is known of a claim, or a paper.")
def claim(
    key: Annotated[str, typer.Argument(metavar="KEY|PAPER", help="As in `list claims` or `list papers`.")],
    json: Json = False,
) -> None:
    """Show a claim (statement as printed and as corrected, provenance, source, hunts, code), or a paper's statements.

    Example: attnflow claim geshkovski2024.theorem6.1, attnflow claim geshkovski2024
    """
    from ..statements import claim_answer

    answer_to(lambda: claim_answer(key), json)


@app.command(short_help="An open question as an experiment.")
def conjecture(
    name: Annotated[Optional[str], typer.Argument(metavar="[NAME]", help="Without a name: all questions.")] = None,  # noqa: UP045
    effort: Annotated[int, typer.Option(help="So many times more trials.", min=1, max=MOST)] = 1,
    seed: Seed = 0,
    on: Annotated[str, typer.Option(help="serial, processes, dask or dask:tcp://HOST:PORT.")] = "serial",
    workers: Annotated[Optional[int], typer.Option("-j", min=1, help="Worker processes [one per core].")] = None,  # noqa: UP045
    out: Annotated[Path, typer.Option(help="Folder of picture and page.")] = Path("out/conjectures"),
    replace: Replace = False,
    json: Json = False,
) -> None:
    """Try an open question of the literature: what is known, an experiment, a table with error bars, a careful verdict.

    Example: attnflow conjecture vertices --effort 10 --on processes
    """
    from ..laboratory import conjecture_answer

    answer_to(
        lambda: conjecture_answer(
            name, effort=effort, seed=seed, on=on, workers=workers, out=out, replace=replace, quiet=json
        ),
        json,
    )


@app.command(short_help="Hunt for a counterexample to a claim.")
def hunt(
    target: Annotated[
        str, typer.Argument(metavar="CLAIM|FILE.py", help="A claim, or a file with a claim of your own.")
    ],
    budget: Annotated[str, typer.Option(help="How long: 90s, 10m, 2h; the same command goes on.")] = "1m",
    seed: Seed = 0,
    on: Annotated[str, typer.Option(help="serial, processes, dask or dask:tcp://HOST:PORT.")] = "serial",
    workers: Annotated[Optional[int], typer.Option("-j", min=1, help="Worker processes [one per core].")] = None,  # noqa: UP045
    out: Annotated[Path, typer.Option(help="Folder of hunts.")] = Path("out/hunts"),
    json: Json = False,
) -> None:
    """Search for a scenario that violates a claim; one that is found is shrunk, looked at twice and saved to be run.

    Example: attnflow hunt geshkovski2024.lemma6.4 --budget 10m --on processes
    """
    from ..laboratory import hunt_answer

    answer_to(lambda: hunt_answer(target, budget=budget, seed=seed, on=on, workers=workers, out=out, quiet=json), json)
