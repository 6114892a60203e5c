"""Commands that show: published figures, the explorer, lists of what there is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from ..asking import answer_to
from .application import Json, Replace, Seed, Settings, app


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
    from ..drawing import Look, draw_figures

    look = Look(formats=tuple(formats), style=style, column=column, show=show and not json)
    answer_to(
        lambda: draw_figures(paper, name, every=every, full=full, out=out, look=look, replace=replace, seed=seed), json
    )


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
    from ..explore import export_page, serve_page

    if export is not None:
        answer_to(lambda: export_page(what, settings, out=export, replace=replace), json)
    answer_to(
        lambda: serve_page(what, settings, port=port, opens_browser=not no_browser, as_json=json), json, quiet=True
    )


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
    from ..listing import list_known

    answer_to(lambda: list_known(what, paper, is_long=long), json)


@app.command(short_help="The JSON Schema of scenario files.")
def schema() -> None:
    """Print the JSON Schema of scenario files, with which editors complete and check them.

    Example: attnflow schema > scenario.schema.json
    """
    from ....experiments.scenario.schema import schema
    from ..answer import Answer

    answer_to(lambda: Answer(schema()), True)
