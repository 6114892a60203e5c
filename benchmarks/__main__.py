"""`python -m benchmarks [NAME …]`: run benchmarks and write their tables to benchmarks/RESULTS.md."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

NAMES = (
    "latency",
    "grid",
    "velocity",
    "heads",
    "memory",
    "whole_run",
    "growth",
    "gathering",
    "explorer",
    "summation",
    "phase_diagram",
    "sweep",
    "burger",
    "cbo",
    "sinkhorn",
    "gaussian",
)


def main(names: list[str]) -> None:
    if names:
        print("\n".join(import_module(f"benchmarks.{name}").report() for name in names), flush=True)
        return
    libraries = ", ".join(f"{name} {version(name)}" for name in ("jax", "attnflow"))
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}, {libraries}"
    parts = [f"# Benchmarks\n\nMeasured on {machine}; every ratio against peers in the same run.\n"]
    for name in NAMES:
        parts.append(_in_its_own_process(name))
        print(parts[-1], flush=True)
    Path(__file__).with_name("RESULTS.md").write_text("\n".join(parts))


def _in_its_own_process(name: str) -> str:
    """Threads and memory of one benchmark must not burden the next; what peers print before their table is left out."""
    done = subprocess.run([sys.executable, "-m", "benchmarks", name], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout[done.stdout.index("## ") :]


if __name__ == "__main__":
    main(sys.argv[1:])
