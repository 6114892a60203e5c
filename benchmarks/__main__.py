"""`python -m benchmarks [NAME …]`: run benchmarks and write their tables to benchmarks/RESULTS.md."""

from __future__ import annotations

import os
import platform
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

NAMES = (
    "velocity",
    "memory",
    "whole_run",
    "startup",
    "summation",
    "phase_diagram",
    "burger",
    "cbo",
    "sinkhorn",
    "gaussian",
)


def main(names: list[str]) -> None:
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}, jax {version('jax')}"
    parts = [f"# Benchmarks\n\nMeasured on {machine}; every ratio against peers in the same run.\n"]
    for name in names or NAMES:
        parts.append(import_module(f"benchmarks.{name}").report())
        print(parts[-1], flush=True)
    if not names:
        Path(__file__).with_name("RESULTS.md").write_text("\n".join(parts))


if __name__ == "__main__":
    main(sys.argv[1:])
