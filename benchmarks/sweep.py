"""A sweep of 20 temperatures × 50 seeds, n = 64: against a Python loop over `evolve`, and against `evolve_batch` by hand.

All are timed after compilation, turn by turn; the loop runs one seed of fifty at every temperature, and its time is scaled.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import jax
import numpy as np

jax.config.update("jax_enable_x64", True)

import attnflow as af  # noqa: E402
from attnflow.experiments.sweeps.run import plan_sweep, run_sweep  # noqa: E402

from .table import markdown  # noqa: E402

BETAS, SEEDS, N, UNTIL, ROUNDS = np.linspace(1.0, 9.0, 20), 50, 64, 10.0, 3
TABLE = {"tokens": {"n": N, "d": 3}, "time": {"until": UNTIL, "save": 2}}


def cell(beta: float, seed: int):
    return af.Flow(af.Sphere(), af.Softmax(beta=float(beta))), af.uniform_sphere(N, 3, seed=seed)


def loop() -> float:
    """Seconds of all cells, scaled from one seed."""
    started = time.perf_counter()
    for beta in BETAS:
        flow, mu = cell(beta, 0)
        run = af.evolve(flow, mu, until=UNTIL, save=2)
        af.clusters(run.last)
    return (time.perf_counter() - started) * SEEDS


def by_hand() -> float:
    """One batch of all seeds for every temperature."""
    started = time.perf_counter()
    for beta in BETAS:
        flows, mus = zip(*[cell(beta, seed) for seed in range(SEEDS)])
        run = jax.device_get(af.evolve_batch(list(flows), list(mus), until=UNTIL, save=2))
        [af.clusters(af.Particles(x[-1])) for x in run.x]
    return time.perf_counter() - started


def swept(on: str) -> float:
    axes = {"attention.beta": BETAS, "seed": range(SEEDS)}
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        run_sweep(plan_sweep(TABLE, axes, measure=["clusters"]), Path(folder) / "sweep", on=on)
        return time.perf_counter() - started


def report() -> str:
    loop(), swept("serial"), by_hand()
    rows = [(loop(), by_hand(), swept("serial")) for _ in range(ROUNDS)]
    python, hand, ours = (float(np.median(column)) for column in zip(*rows))
    cells = len(BETAS) * SEEDS
    table = [
        ("Python loop over evolve", f"{python:.1f}", f"{1000 * python / cells:.2f}", f"{python / ours:.1f}"),
        ("evolve_batch by hand, 50 at a time", f"{hand:.1f}", f"{1000 * hand / cells:.2f}", f"{hand / ours:.2f}"),
        ("af.sweep, one process, stored", f"{ours:.1f}", f"{1000 * ours / cells:.2f}", "1"),
    ]
    return markdown(
        f"Sweep of {cells} runs, n = {N}, d = 3, t = {UNTIL:g}", ("", "s", "ms per run", "over sweep"), table
    )
