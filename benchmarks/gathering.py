"""A run of many tokens in high dimension that gather: groups heard through their moments, against exact sums throughout."""

from __future__ import annotations

import time

import jax
import numpy as np

import attnflow as af

from .table import markdown

N, D, BETA, TOL, UNTIL = 4096, 64, 9.0, 1e-6, 100.0


def report() -> str:
    jax.config.update("jax_enable_x64", True)
    flow, mu = af.Flow(af.Sphere(), af.Softmax(beta=BETA)), af.uniform_sphere(N, D, seed=0)

    def run(summation):
        start = time.perf_counter()
        found = af.evolve(flow, mu, until=UNTIL, save=[0.0, 8.0, UNTIL], tol=TOL, summation=summation)
        return np.asarray(found.x), time.perf_counter() - start, int(found.steps)

    first = run("auto")[1]
    (x, ours, steps), (exact, theirs, their_steps) = run("auto"), run("exact")
    difference = np.abs(x - exact).max(axis=(1, 2))
    rows = [
        ["attnflow", f"{ours:.1f} s", str(steps), "1.0", f"{difference[1]:.0e}, {difference[2]:.0e}"],
        ["exact sums throughout", f"{theirs:.1f} s", str(their_steps), f"{theirs / ours:.1f}", ""],
        ["attnflow, first call with compilation", f"{first:.1f} s", "", "", ""],
    ]
    title = f"Many tokens that gather: n = {N}, d = {D}, β = {BETA:g}, t = {UNTIL:g}, float64, tolerance {TOL:g}"
    return markdown(title, ["", "time", "steps", "× attnflow", "difference at t = 8 and at the end"], rows)
