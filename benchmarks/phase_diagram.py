"""Phase diagram d = 128, n = 32 against the vectorised NumPy fixed-step scheme, on the same cores.

Both are timed on a few temperatures; the published grid has 90 of them and 1,024 starts, and both scale with these.
"""

from __future__ import annotations

import time

import numpy as np

from attnflow.theory.phase_diagram import numpy_scheme, phase_diagram

from .table import markdown

TIMES = np.linspace(0.15, 30.0, 200)
BETAS = np.linspace(0.1, 9.0, 6)
RUNS = 128
PUBLISHED = 90 / len(BETAS) * 1024 / RUNS


def report() -> str:
    phase_diagram(BETAS[:1], TIMES, runs=RUNS)
    ours = _clock(lambda: phase_diagram(BETAS, TIMES, runs=RUNS))
    x = np.random.default_rng(0).normal(size=(RUNS, 32, 128))
    x /= np.linalg.norm(x, axis=-1, keepdims=True)
    # The fixed-step scheme costs the same at every time and temperature: a tenth of the time on two temperatures.
    theirs = _clock(lambda: [numpy_scheme(beta, TIMES[:20], x) for beta in BETAS[:2]]) * 10 * len(BETAS) / 2
    rows = [
        ["attnflow, adaptive, cosines as state", f"{ours:.2f} s", f"{ours * PUBLISHED:.0f} s", "1"],
        [
            "NumPy, 300 fixed steps in 128 dimensions",
            f"{theirs:.1f} s",
            f"{theirs * PUBLISHED:.0f} s",
            f"{theirs / ours:.1f}",
        ],
    ]
    title = f"Phase diagram, n = 32, d = 128, {len(BETAS)} temperatures, {RUNS} starts, 200 times"
    return markdown(title, ["scheme", "measured", "published size (90 × 1,024)", "ratio"], rows)


def _clock(work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
