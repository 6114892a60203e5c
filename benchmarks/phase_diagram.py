"""Phase diagram d = 128, n = 32 against the vectorised NumPy fixed-step scheme, on the same cores.

Both are timed turn by turn on the same temperatures, so that other load meets both; ratios are taken within a turn. The
fixed-step scheme costs the same at every step and temperature: a piece of it is timed at every temperature, and one
temperature whole to show that it does. Errors of the share of merged pairs, averaged over that temperature's times, are
against a run in double precision at tolerance 1e-6 from the same starts.
"""

from __future__ import annotations

import resource
import time

import jax
import jax.numpy as jnp
import numpy as np

from attnflow.theory.sphere.phase_diagram.diagram import numpy_scheme, phase_diagram, shares_from

from .table import markdown

TIMES = np.linspace(0.15, 30.0, 200)
BETAS = np.linspace(0.1, 9.0, 6)
RUNS = 256
PIECE = 10
"""Save times of the piece of the fixed-step scheme: 15 of 300 steps."""
ROUNDS = 5
WHOLE = BETAS[2]
PUBLISHED = 90 / len(BETAS) * 1024 / RUNS


def report() -> str:
    phase_diagram(BETAS, TIMES, runs=RUNS)
    x = np.random.default_rng(0).normal(size=(RUNS, 32, 128))
    x /= np.linalg.norm(x, axis=-1, keepdims=True)
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(_clock(lambda: phase_diagram(BETAS, TIMES, runs=RUNS)))
        piece = _clock(lambda: [numpy_scheme(x, TIMES[:PIECE], beta=beta) for beta in BETAS])
        theirs.append(piece * 300 / _steps(PIECE))
    found = []
    whole = _clock(lambda: found.append(numpy_scheme(x, TIMES, beta=WHOLE))) * len(BETAS)
    errors = _errors(x, found[0])
    ours, theirs = np.array(ours), np.array(theirs)
    rows = [
        _row("attnflow, adaptive, gaps as state", ours, ours, errors[0]),
        _row("NumPy, 300 fixed steps in 128 dimensions", theirs, ours, errors[1]),
        _row("the same, one temperature run whole", np.tile(whole, (ROUNDS, 1)), ours, errors[1]),
    ]
    title = f"Phase diagram, n = 32, d = 128, {len(BETAS)} temperatures, {RUNS} starts, 200 times; {_peak()}"
    header = [
        "scheme", "measured", "CPU time", "published size (90 × 1,024)", "ratio (median, range)", "ratio of CPU times",
        f"mean error at β = {WHOLE:.3g}",
    ]  # fmt: skip
    return markdown(title, header, rows)


def _row(name, spent, ours, error):
    wall, cpu = np.median(spent, axis=0)
    ratios = [f"{np.median(r):.1f} ({r.min():.1f}–{r.max():.1f})" for r in (spent / ours).T]
    return [name, f"{wall:.2f} s", f"{cpu:.2f} s", f"{wall * PUBLISHED:.0f} s", *ratios, f"{error:.0e}"]


def _errors(x, fixed) -> list[float]:
    with jax.enable_x64(True):
        exact = np.asarray(shares_from(jnp.asarray(x), jnp.asarray(TIMES), beta=jnp.asarray(WHOLE), tol=1e-6))
    starts, times, beta = (jnp.asarray(a, jnp.float32) for a in (x, TIMES, WHOLE))
    return [float(np.abs(np.asarray(share) - exact).mean()) for share in (shares_from(starts, times, beta=beta), fixed)]


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
