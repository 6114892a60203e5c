"""A question of the user, answered in words or JSON, or refused in one line."""

from __future__ import annotations

import os
import sys

import typer

from ...errors import BadInput, is_memory, printable

FULL = "not enough memory; use fewer tokens, dimensions or saved times (run --dry-run tells)"


def answer_to(ask, as_json: bool, quiet: bool = False) -> None:
    """Print an answer, or the one line that says what is wrong with the question."""
    import warnings

    from ...errors import Notice
    from .answer import show

    try:
        with warnings.catch_warnings():
            # Warnings of libraries speak to programmers; what users should know is in notes and statuses.
            warnings.simplefilter("default" if os.environ.get("ATTNFLOW_DEBUG") else "ignore")
            warnings.simplefilter("always", Notice)
            warnings.showwarning = _show_notice
            _load_extensions()
            answer = ask()
    except (BadInput, OSError, MemoryError, RuntimeError) as error:
        if os.environ.get("ATTNFLOW_DEBUG") or (isinstance(error, RuntimeError) and not is_memory(error)):
            raise
        raise Refusal(FULL if is_memory(error) else _line(error), as_json) from None
    show(answer, in_json=as_json, quiet=quiet)
    raise typer.Exit(answer.code)


def _show_notice(message, category, filename, lineno, file=None, line=None) -> None:
    print(f"attnflow: note: {printable(str(message))}", file=sys.stderr)


LOAD: list[str] = []
"""Files named by --load; read when the engine may start."""


def _load_extensions() -> None:
    from ...experiments.extensions import check_file, load_extensions, load_file

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
    return printable(words)


class Refusal(Exception):
    """Bad input, in one line."""

    def __init__(self, line: str, as_json: bool = False):
        super().__init__(line)
        self.as_json = as_json
