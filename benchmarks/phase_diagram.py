"""Phase diagram d = 128, n = 32 against the vectorised NumPy fixed-step scheme, on the same cores.

Both are timed turn by turn on the same temperatures and starts, so that other load meets both. The fixed-step scheme costs
the same at every step and temperature: a piece of it is timed at every temperature, and once the whole to show that it does.
"""

from __future__ import annotations

import resource
import time

import numpy as np

from attnflow.theory.phase_diagram import numpy_scheme, phase_diagram

from .table import markdown

TIMES = np.linspace(0.15, 30.0, 200)
BETAS = np.linspace(0.1, 9.0, 6)
RUNS = 128
PIECE = 10
"""Save times of the piece of the fixed-step scheme: 15 of 300 steps."""
REPEATS = 3
PUBLISHED = 90 / len(BETAS) * 1024 / RUNS


def report() -> str:
    phase_diagram(BETAS, TIMES, runs=RUNS)
    x = np.random.default_rng(0).normal(size=(RUNS, 32, 128))
    x /= np.linalg.norm(x, axis=-1, keepdims=True)
    ours, theirs = [], []
    for _ in range(REPEATS):
        ours.append(_clock(lambda: phase_diagram(BETAS, TIMES, runs=RUNS)))
        piece = _clock(lambda: [numpy_scheme(beta, TIMES[:PIECE], x) for beta in BETAS])
        theirs.append(piece * 300 / _steps(PIECE))
    whole = _clock(lambda: numpy_scheme(BETAS[2], TIMES, x)) * len(BETAS)
    fast, slow = np.min(ours, axis=0), np.min(theirs, axis=0)
    rows = [
        _row("attnflow, adaptive, cosines as state", fast, fast),
        _row("NumPy, 300 fixed steps in 128 dimensions", slow, fast),
        _row("the same, one temperature run whole", whole, fast),
    ]
    title = f"Phase diagram, n = 32, d = 128, {len(BETAS)} temperatures, {RUNS} starts, 200 times; {_peak()}"
    header = ["scheme", "measured", "CPU time", "published size (90 × 1,024)", "ratio", "ratio of CPU times"]
    return markdown(title, header, rows)


def _row(name, spent, least):
    wall, cpu = spent
    return [name, f"{wall:.2f} s", f"{cpu:.2f} s", f"{wall * PUBLISHED:.0f} s", *(f"{r:.1f}" for r in spent / least)]


def _steps(count: int) -> int:
    """Steps of 0.1 the fixed scheme takes up to the given save time."""
    return int(np.ceil(TIMES[count - 1] / 0.1 - 1e-9))


def _peak() -> str:
    return f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:.0f} MB"


def _clock(work) -> np.ndarray:
    """Time on the wall, and time on all cores together, which other load hardly touches."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return np.array([time.perf_counter() - wall, time.process_time() - cpu])
