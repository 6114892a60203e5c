"""Peak memory of one exact velocity of 100,000 tokens, in a process of its own."""

from __future__ import annotations

import subprocess
import sys

from .table import markdown

SCRIPT = """
import resource, sys
import jax
jax.config.update("jax_enable_x64", True)
import numpy as np
import attnflow as af
n = int(sys.argv[1])
x = np.random.default_rng(0).normal(size=(n, 3))
jax.block_until_ready(af.velocity(af.Flow(af.Sphere(), af.Softmax(beta=9.0)), af.Particles(x), summation="exact"))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6)
"""


def peak(n: int) -> float:
    """Gigabytes, everything included: Python, JAX and the sum."""
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(n)], capture_output=True, text=True, check=True)
    return float(done.stdout)


def report() -> str:
    rows = [[f"{n:,}", f"{peak(n):.2f} GB", f"{8e-9 * n * n:.1f} GB"] for n in (1_000, 100_000)]
    return markdown(
        "Peak memory of one exact velocity (d = 3, float64)", ["n", "whole process", "an n × n matrix"], rows
    )
