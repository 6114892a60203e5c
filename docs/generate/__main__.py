"""python -m docs.generate [--no-drawing]: draw what is missing, then write all made pages."""

from __future__ import annotations

import sys

import matplotlib

from attnflow.cli.engine import start_engine

matplotlib.use("Agg")
start_engine()

from attnflow.papers.figure import figures  # noqa: E402 — the engine is set before JAX is imported

from .drawing import draw_missing  # noqa: E402
from .figures import make_thumbnails  # noqa: E402
from .site import PICTURES, write  # noqa: E402

known = figures()
if "--no-drawing" not in sys.argv[1:]:
    draw_missing(known, PICTURES)
make_thumbnails(known, PICTURES)
print(f"{write()} pages made")
