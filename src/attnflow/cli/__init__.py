"""The command line: every command answers people in words and machines in JSON (`--json`).

Exit codes: 0 fine, 1 a check failed or an expected outcome did not hold, 2 bad input (one clear line).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Optional

import typer

app = typer.Typer(
    name="attnflow",
    help="Self-attention dynamics: run, predict, check, draw.",
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
INTERRUPTED = 130
"""The exit code of a command stopped by Ctrl-C, also typer's own."""

Seed = Annotated[int, typer.Option(help="Seed of all that is random.", min=0)]


@app.command(short_help="Simulate a scenario and report on it.")
def run(
    scenario: Scenario,
    settings: Settings = [],  # noqa: B006 — typer copies it
    out: Annotated[Optional[Path], typer.Option(help="Folder of the result [out/NAME].")] = None,  # noqa: UP045
    replace: Replace = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ignore what a killed run left behind.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
    json: Json = False,
) -> None:
    """Simulate a scenario; leave figure, animation, data and a report in plain words."""
    from .running import run_scenario

    _answer(
        lambda: run_scenario(scenario, settings, out=out, replace=replace, fresh=fresh, quiet=quiet or json),
        json,
        quiet,
    )


@app.command(short_help="What theory says about a scenario.")
def predict(scenario: Scenario, settings: Settings = [], json: Json = False) -> None:  # noqa: B006
    """Say what theory knows about a scenario, without running it."""
    from .theory import predict_scenario

    _answer(lambda: predict_scenario(scenario, settings), json)


@app.command(short_help="Check a stored run, or a paper's claims.")
def check(
    target: Annotated[Optional[str], typer.Argument(metavar="[PAPER|RUN]", help="A paper, or a stored run.")] = None,  # noqa: UP045
    every: Annotated[bool, typer.Option("--all", help="All claims of all papers.")] = False,
    effort: Annotated[int, typer.Option(help="More starts and longer horizons.", min=1)] = 1,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Check a stored run against theory, or hunt for counterexamples to the claims of a paper."""
    from .theory import check_target

    _answer(lambda: check_target(target, every=every, effort=effort, seed=seed), json)


@app.command(short_help="Draw a published figure.")
def figure(
    paper: Annotated[str, typer.Argument(metavar="PAPER")],
    name: Annotated[str, typer.Argument(metavar="FIG")],
    full: Annotated[bool, typer.Option("--full", help="At the size of the paper; may take long.")] = False,
    out: Annotated[Path, typer.Option(help="Folder for picture and data.")] = Path("out/figures"),
    formats: Annotated[list[str], typer.Option("--format", help="png, pdf or svg; may be repeated.")] = ["png"],  # noqa: B006
    replace: Replace = False,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Draw a published figure, store its data, and say whether the expected outcome held."""
    from .drawing import draw_figure

    _answer(lambda: draw_figure(paper, name, full=full, out=out, formats=formats, replace=replace, seed=seed), json)


@app.command("list", short_help="Scenarios, tokens, rules, figures, claims.")
def list_(
    what: Annotated[
        str | None, typer.Argument(metavar="[WHAT]", help="scenarios, tokens, rules, figures or claims.")
    ] = None,
    json: Json = False,
) -> None:
    """List scenarios, kinds of tokens, attention rules, figures and claims."""
    from .listing import list_known

    _answer(lambda: list_known(what), json)


@app.command(short_help="Versions and devices, or a stored run.")
def info(
    run: Annotated[Optional[Path], typer.Argument(metavar="[RUN]", help="A stored run.")] = None,  # noqa: UP045
    json: Json = False,
) -> None:
    """Show versions, devices and precision, or what a stored run is."""
    from .listing import describe

    _answer(lambda: describe(run), json)


def _answer(ask, as_json: bool, quiet: bool = False) -> None:
    """Print an answer, or the one line that says what is wrong with the question."""
    import warnings

    from .answer import show

    try:
        with warnings.catch_warnings():
            # Warnings of libraries speak to programmers; what users should know is in notes and statuses.
            warnings.simplefilter("default" if os.environ.get("ATTNFLOW_DEBUG") else "ignore")
            answer = ask()
    except (ValueError, OSError) as error:
        if os.environ.get("ATTNFLOW_DEBUG"):
            raise
        raise Refusal(_line(error), as_json) from None
    show(answer, as_json=as_json, quiet=quiet)
    raise typer.Exit(answer.code)


def _line(error: Exception) -> str:
    words = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)
    return " ".join(words.split())


class Refusal(Exception):
    """Bad input, in one line."""

    def __init__(self, line: str, as_json: bool = False):
        super().__init__(line)
        self.as_json = as_json


def main() -> None:
    sys.exit(execute(sys.argv[1:]))


def execute(words: list[str]) -> int:
    """Run a command line and return its exit code."""
    code = _execute(words)
    if code == INTERRUPTED:
        print("attnflow: stopped; a run goes on from its last checkpoint when started again", file=sys.stderr)
    return code


def _execute(words: list[str]) -> int:
    try:
        return app(words or ["--help"], prog_name="attnflow", standalone_mode=False) or 0
    except Refusal as refusal:
        return _refuse(str(refusal), refusal.as_json)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        # The reader (head, less) has gone; say nothing more, also not at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        return _refuse(" ".join(error.format_message().split()), "--json" in words)  # type: ignore[attr-defined]


def _refuse(line: str, as_json: bool) -> int:
    if as_json:
        import json

        print(json.dumps({"error": line}, ensure_ascii=False))
    print(f"attnflow: {line}", file=sys.stderr)
    return 2
