"""The command line: every command answers people in words and machines in JSON (`--json`).

Exit codes: 0 fine, 1 a check failed or a run broke down or an expected outcome did not hold, 2 bad input (one clear line),
70 a bug of ours (one line, and a file to send).
"""

from __future__ import annotations

import gc
import os
import sys

import typer

from ...errors import printable
from .asking import LOAD, Refusal
from .commands import app
from .engine import set_environment

BUG = 70
"""The exit code of a bug, EX_SOFTWARE of sysexits."""
INTERRUPTED = 130
"""The exit code of a command stopped by Ctrl-C, also typer's own."""


def main() -> None:
    for stream in (sys.stdout, sys.stderr):
        # Names of files need not be text, and not every terminal can show every letter.
        stream.reconfigure(errors="backslashreplace")  # pyright: ignore[reportAttributeAccessIssue]
    code = execute(sys.argv[1:])
    # On its way out Python looks through all objects for cycles, which takes longer than many a command.
    gc.freeze()
    sys.exit(code)


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
            return _refuse(printable(error.format_message()), "--json" in words)  # pyright: ignore[reportAttributeAccessIssue]
        if os.environ.get("ATTNFLOW_DEBUG"):
            raise
        return _report_bug(error, words)


def _without_load(words: list[str]) -> list[str]:
    """Take `--load FILE` out, wherever it stands."""
    LOAD.clear()
    rest = list(words)
    while "--load" in rest:
        at = rest.index("--load")
        if at + 1 == len(rest) or rest[at + 1].startswith("--"):
            raise Refusal("--load needs a Python file", "--json" in words)
        LOAD.append(rest[at + 1])
        del rest[at : at + 2]
    return rest


def _report_bug(error: Exception, words: list[str]) -> int:
    """One line for the user, and a file with all that we need to mend it."""
    import traceback

    from ...engine.files.versions import versions

    parts = [f"attnflow {' '.join(words)}", str(versions()), "".join(traceback.format_exception(error)), *_texts(words)]
    file, what = _left("\n\n".join(parts)), printable(str(error))[:60]
    line = f"a bug in attnflow ({type(error).__name__}: {what}); please report it with {file}"
    if "--json" in words:
        from .answer import as_json

        print(as_json({"error": line}))
    print(f"attnflow: {line}", file=sys.stderr)
    return BUG


def _left(report: str) -> str:
    """The file that holds a report; where none can be written, the way to see it."""
    import tempfile

    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="attnflow-bug-", suffix=".txt", delete=False, encoding="utf-8", errors="backslashreplace"
        ) as file:
            file.write(report)
    except OSError:
        return "what ATTNFLOW_DEBUG=1 shows"
    return file.name


def _texts(words: list[str]) -> list[str]:
    """The scenarios that a command line names, as they are written."""
    from pathlib import Path

    from ...engine.linalg.array_files import regular
    from ...experiments.scenario.ready_made import ready_made

    known, found = ready_made(), []
    for word in words:
        try:
            path = regular(known.get(word, Path(word)), most=2**20)
            found += [f"{word}:\n{path.read_text(encoding='utf-8')}"] if path.suffix == ".toml" else []
        except (ValueError, OSError):  # no file, or none to be read
            continue
    return found


def _refuse(line: str, is_json: bool) -> int:
    if is_json:
        from .answer import as_json

        print(as_json({"error": line}))
    print(f"attnflow: {line}", file=sys.stderr)
    return 2
