"""Figures 2 and 3 of Burger et al. (arXiv 2501.03096) at full size against a plain PyTorch loop of the same scheme."""

from __future__ import annotations

import time

import jax
import numpy as np

from attnflow.papers.burger2025.figures.clusters import counts
from attnflow.papers.burger2025.figures.layers import random_starts
from attnflow.theory.sphere.steady.moment_layers import power_layers

from .table import markdown

VALUES, RUNS, LAYERS, N = 20, 100, 1500, 100
SAMPLE = 5
"""Runs of the peer that are timed; the whole figure is this many times as long."""


def report() -> str:
    jax.config.update("jax_enable_x64", True)
    rows = [*_clusters(), *_descent()]
    title = "Burger et al., figures 2 (20 × 100 runs, 1500 layers, n = 100) and 3b (n = 400, 10 000 layers), float32"
    return markdown(title, ["", "time", "× attnflow"], rows)


def _clusters():
    matrices = np.stack([np.diag([t, 1.0]) for t in np.linspace(0, 1.5, VALUES)])
    ours = _warm(lambda: counts(matrices, runs=RUNS, count=LAYERS, eta=0.1, seed=0))
    rows = [["figure 2, attnflow (whole)", f"{ours:.2f} s", "1.0"]]
    loop = _torch_loop()
    if loop is not None:
        peer = _warm(lambda: [loop(matrices[i], N, 0.1, LAYERS, 1) for i in range(SAMPLE)])
        theirs = peer * VALUES * RUNS / SAMPLE
        rows.append([f"figure 2, PyTorch loop ({SAMPLE} runs, scaled)", f"{theirs:.0f} s", f"{theirs / ours:.0f}"])
    return rows


def _descent():
    B, start = np.diag([1, 0.25, 1.0]), random_starts((400, 3), 0)
    ours = _warm(lambda: power_layers(B, start, eta=0.5, count=10_000, sign=-1))
    rows = [["figure 3b, attnflow", f"{ours:.2f} s", "1.0"]]
    loop = _torch_loop()
    if loop is not None:
        theirs = _warm(lambda: loop(B, 400, 0.5, 2000, -1)) * 5
        rows.append(["figure 3b, PyTorch loop (a fifth, scaled)", f"{theirs:.1f} s", f"{theirs / ours:.1f}"])
    return rows


def _warm(call) -> float:
    """The time of the second call."""
    call()
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _torch_loop():
    """The authors' update written plainly, or None when PyTorch is not installed (extra `bench`)."""
    try:
        import torch
    except ModuleNotFoundError:
        return None

    def run(B, n, eta, count, sign):
        D = torch.tensor(B, dtype=torch.float32)
        x = torch.tensor(random_starts((n, len(B)), 0), dtype=torch.float32)
        for _ in range(count):
            g = torch.exp(x @ D @ x.T) @ (x @ D) / n
            x = x + sign * eta * g
            x = x / torch.linalg.norm(x, dim=1, keepdim=True)
        return x

    return run
