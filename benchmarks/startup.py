"""How soon the command line answers, and whether a second run of the same shape compiles anything."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

from .table import markdown


def report() -> str:
    command = [sys.executable, "-m", "attnflow.cli", "--help"]
    times = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run(command, capture_output=True, check=True)
        times.append(time.perf_counter() - start)
    rows = [["attnflow --help", f"{statistics.median(times):.2f} s"]]
    return markdown("Start of the command line (median of five)", ["command", "time"], rows)
