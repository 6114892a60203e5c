"""The application that typer builds, and the options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(
    name="attnflow",
    help="Self-attention dynamics: run, predict, check, draw. "
    "--load FILE.py, with any command, adds rules, prompts, spaces, claims and figures of your own.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
Settings = Annotated[
    list[str], typer.Option("--set", metavar="KEY=VALUE", help="Change a value, e.g. attention.beta=4.")
]
Scenario = Annotated[
    str, typer.Argument(metavar="SCENARIO", help="A scenario file (.toml), or the name of a ready-made one.")
]
Replace = Annotated[bool, typer.Option("--replace", help="Overwrite an existing result.")]
Seed = Annotated[int, typer.Option(help="Seed of all that is random.", min=0)]
