"""One exact softmax velocity over n × d × precision: attnflow against PyTorch and against the roofline.

Each library runs in a process of its own; they take turns, and the best of several readings counts.
$ATTNFLOW_BENCH_GRID=small keeps to a corner of the grid.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from .table import markdown

NS = (512, 1024, 2048, 4096, 8192, 16384, 65536)
DS = (2, 3, 8, 16, 64, 256)
SMALL = (512, 1024, 4096), (3, 16, 64)
PRECISIONS = ("float32", "float64")
NAMES = ("attnflow", "in jit", "PyTorch", "roofline")
MOST_WORK = 3e11
"""Floating-point operations of the two products in one velocity; larger cells are left out."""
LONG = 0.5
"""Seconds; readings as long as this differ little, and one of each is enough."""
TIE = 1.1
"""Readings of one program differ by so much between processes."""


class Library:
    """A library in a process of its own, asked for readings."""

    def __init__(self, name: str):
        command = [sys.executable, "-m", "benchmarks.worker", name]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def seconds(self, cell: dict) -> float:
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None and stdout is not None
        stdin.write(json.dumps(cell) + "\n")
        stdin.flush()
        # Peers print words of their own before the number.
        while (answer := _number(line := stdout.readline())) is None:
            if not line:
                raise RuntimeError(f"{self.process.args} has died")
        return answer

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def _number(line: str) -> float | None:
    try:
        return float(line)
    except ValueError:
        return None


def measured(ns, ds, *, rounds: int = 3) -> dict[tuple[str, int, int], dict[str, float]]:
    """Best seconds of every library in every cell."""
    libraries = {name: Library(name) for name in NAMES}
    found = {}
    for precision in PRECISIONS:
        for n in ns:
            for d in (d for d in ds if 4.0 * n * n * d <= MOST_WORK):
                found[precision, n, d] = best_of(libraries, {"n": n, "d": d, "precision": precision}, rounds=rounds)
    for library in libraries.values():
        library.close()
    return found


def best_of(libraries: dict[str, Library], cell: dict, *, rounds: int) -> dict[str, float]:
    """Best seconds of every library in one cell; they take turns."""
    best = dict.fromkeys(libraries, np.inf)
    for _ in range(rounds):
        for name, library in libraries.items():
            time.sleep(0.05)  # worker threads of the one before may still be spinning
            best[name] = np.fmin(best[name], library.seconds(cell))
        if np.nanmin(list(best.values())) > LONG:
            break
    return {name: value if np.isfinite(value) else np.nan for name, value in best.items()}


def report() -> str:
    ns, ds = SMALL if os.environ.get("ATTNFLOW_BENCH_GRID") == "small" else (NS, DS)
    before, found = os.getloadavg()[0], measured(ns, ds)
    picture(found, ns, ds).savefig(Path(__file__).with_name("grid.png"), dpi=110)
    busy = (
        f"Load average {before:.1f} before, {os.getloadavg()[0]:.1f} after; 2 means that both cores are ours alone.\n"
    )
    tables = [_table(found, precision, ns, ds) for precision in PRECISIONS]
    return "\n".join([*tables, busy, "![PyTorch's time over attnflow's](grid.png)\n"])


def _table(found, precision, ns, ds) -> str:
    rows = [[f"{n:,}", *(_words(found.get((precision, n, d))) for d in ds)] for n in ns]
    title = (
        f"One exact softmax velocity, {precision}: time, × PyTorch (inside a user's `jit`), share of the roofline; "
        f"cells below {1 / TIE:.2f} in italics are lost"
    )
    return markdown(title, ["n", *(f"d = {d}" for d in ds)], rows)


def _words(cell) -> str:
    if cell is None:
        return ""
    mine, jit, torch, roof = (cell[name] for name in NAMES)
    words = f"{1e3 * mine:.3g} ms, {torch / mine:.2f} ({torch / jit:.2f}), {roof / mine:.0%}"
    return f"*{words}*" if torch / mine < 1 / TIE else words


def picture(found, ns, ds):
    """Heat maps of the ratio to PyTorch: above 1 attnflow is faster."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(9, 0.55 * len(ns) + 1.6), layout="constrained", sharey=True)
    for axis, precision in zip(axes, PRECISIONS):
        cells = [[found.get((precision, n, d)) for d in ds] for n in ns]
        ratio = np.array([[np.nan if c is None else c["PyTorch"] / c["attnflow"] for c in row] for row in cells])
        shown = axis.imshow(np.log2(ratio), cmap="RdBu", vmin=-2, vmax=2, aspect="auto")
        for (i, j), value in np.ndenumerate(ratio):
            if np.isfinite(value):
                colour = "white" if abs(np.log2(value)) > 1.3 else "black"
                axis.text(j, i, f"{value:.2f}", ha="center", va="center", color=colour, fontsize=9)
        axis.set(title=precision, xlabel="d", xticks=range(len(ds)), xticklabels=ds)
    axes[0].set(ylabel="n", yticks=range(len(ns)), yticklabels=[f"{n:,}" for n in ns])
    bar = figure.colorbar(shown, ax=axes, ticks=[-2, -1, 0, 1, 2], label="× as fast as PyTorch")
    bar.ax.set_yticklabels(["¼", "½", "1", "2", "4"])
    return figure
