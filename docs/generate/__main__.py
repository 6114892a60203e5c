"""python -m docs.generate [--no-drawing | --outcomes]: draw what is missing, then write all made pages.

`--outcomes` draws, and writes what came out into the stored record instead of pages.
"""

from __future__ import annotations

import sys

import matplotlib

from attnflow.interfaces.cli.engine import start_engine

matplotlib.use("Agg")
start_engine()

from attnflow.papers.figure import figures  # noqa: E402 — the engine is set before JAX is imported

from .drawing import OUTCOMES, draw_missing, outcome, stem, written  # noqa: E402
from .figures import make_thumbnails  # noqa: E402
from .site import PICTURES, write  # noqa: E402

known = figures()
if "--no-drawing" not in sys.argv[1:]:
    draw_missing(known, PICTURES)
if "--outcomes" in sys.argv[1:]:
    OUTCOMES.write_text(written({stem(figure): outcome(figure, PICTURES) for figure in known}), "utf-8")
    sys.exit()
make_thumbnails(known, PICTURES)
print(f"{write()} pages made")
