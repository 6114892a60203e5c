"""Phase diagram d = 128, n = 32 against the vectorised NumPy fixed-step scheme: `python benchmarks/phase_diagram.py [runs]`.

Both are timed on a few temperatures; the published grid has 90 of them and 1,024 starts, and both scale with these.
"""

import json
import sys
import time

import numpy as np

from attnflow.theory.phase_diagram import numpy_scheme, phase_diagram

TIMES = np.linspace(0.15, 30.0, 200)
BETAS = np.linspace(0.1, 9.0, 6)


def measure(runs: int) -> dict:
    phase_diagram(BETAS[:1], TIMES, runs=runs)
    ours = clock(lambda: phase_diagram(BETAS, TIMES, runs=runs))
    x = np.random.default_rng(0).normal(size=(runs, 32, 128))
    x /= np.linalg.norm(x, axis=-1, keepdims=True)
    steps = 3.0 / TIMES[-1]
    theirs = clock(lambda: [numpy_scheme(beta, TIMES[:20], x) for beta in BETAS[:2]]) / steps * len(BETAS) / 2
    published = 90 / len(BETAS) * 1024 / runs
    return {
        "runs": runs, "betas": len(BETAS), "seconds": ours, "numpy_seconds": theirs, "ratio": theirs / ours,
        "published_size_seconds": ours * published, "published_size_numpy_seconds": theirs * published,
    }  # fmt: skip


def clock(work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 128), indent=2))
