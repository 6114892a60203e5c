"""How the cost of a whole adaptive run grows with n, d, β and t: one of them varied at a time, compiled, best of two."""

from __future__ import annotations

import time
from pathlib import Path

import jax
import numpy as np

import attnflow as af

from .table import markdown

BASE = {"n": 512, "d": 3, "beta": 9.0, "t": 10.0}
VARIED = {
    "n": (128, 256, 512, 1024, 2048, 4096),
    "d": (2, 3, 8, 16, 32, 64),
    "beta": (1.0, 4.0, 16.0, 64.0, 256.0),
    "t": (1.0, 10.0, 100.0, 1e3),
}
SYMBOL = {"n": "n", "d": "d", "beta": "β", "t": "t"}
SUMS = ("auto", "exact")
TOL = 1e-8


def report() -> str:
    jax.config.update("jax_enable_x64", True)
    found = {(name, value): measured(BASE | {name: value}) for name, values in VARIED.items() for value in values}
    picture(found).savefig(Path(__file__).with_name("growth.png"), dpi=110)
    rows = [_row(name, values, found) for name, values in VARIED.items()]
    base = ", ".join(f"{SYMBOL[name]} = {value:g}" for name, value in BASE.items())
    title = f"Growth of whole runs around {base}, float64, tolerance {TOL:g}: milliseconds of exact sums (steps)"
    table = markdown(title, ["varied", *(f"value {k + 1}" for k in range(6)), "slope at the end"], rows)
    return f"{table}\n![Time of whole runs over n, d, β and t](growth.png)\n"


def measured(case: dict) -> dict[str, tuple[float, int]]:
    """Best seconds, and the steps, for each way to sum."""
    flow, mu = af.Flow(af.Sphere(), af.Softmax(beta=case["beta"])), af.uniform_sphere(case["n"], case["d"], seed=0)
    return {summation: _best(flow, mu, case["t"], summation) for summation in SUMS}


def _best(flow, mu, until, summation) -> tuple[float, int]:
    times = []
    for _ in range(3):
        start = time.perf_counter()
        run = af.evolve(flow, mu, until=until, save=2, tol=TOL, summation=summation)
        jax.block_until_ready(run.x)
        times.append(time.perf_counter() - start)
    return min(times[1:]), int(run.steps) + int(run.rejected)


def _row(name, values, found) -> list[str]:
    exact = [found[name, value]["exact"] for value in values]
    cells = [f"{value:g}: {1e3 * seconds:.3g} ({steps})" for value, (seconds, steps) in zip(values, exact)]
    slope = np.log(exact[-1][0] / exact[-2][0]) / np.log(values[-1] / values[-2])
    return [SYMBOL[name], *cells, *[""] * (6 - len(cells)), f"{slope:.2f}"]


def picture(found):
    """Time over each of the four, on logarithmic axes."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 4, figsize=(12, 3), layout="constrained", sharey=True)
    for axis, (name, values) in zip(axes, VARIED.items()):
        for summation, line in zip(SUMS, ("o-", "s--")):
            axis.loglog(values, [found[name, value][summation][0] for value in values], line, ms=4, label=summation)
        axis.set(xlabel=SYMBOL[name], xticks=values, xticklabels=[f"{value:g}" for value in values])
        axis.minorticks_off()
        axis.grid(alpha=0.3)
    axes[0].set(ylabel="seconds of a whole run")
    axes[0].legend(title="sums", frameon=False)
    return figure
