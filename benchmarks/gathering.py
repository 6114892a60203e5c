"""A run of many tokens in high dimension that gather: groups heard through their moments, against exact sums throughout."""

from __future__ import annotations

import time

import jax
import numpy as np

import attnflow as af

from .table import markdown

N, D, BETA, TOL, SHORT, LONG = 4096, 64, 9.0, 1e-6, 100.0, 1000.0


def report() -> str:
    jax.config.update("jax_enable_x64", True)
    flow, mu = af.Flow(af.Sphere(), af.Softmax(beta=BETA)), af.uniform_sphere(N, D, seed=0)

    def run(until, summation, tol=TOL):
        start = time.perf_counter()
        found = af.evolve(flow, mu, until=until, save=[0.0, 8.0, until], tol=tol, summation=summation)
        x = np.asarray(found.x)
        return x, time.perf_counter() - start, int(found.steps)

    first = run(SHORT, "auto")[1]
    rows = []
    for until in (SHORT, LONG):
        x, ours, steps = run(until, "auto")
        exact, theirs, their_steps = run(until, "exact")
        difference = np.abs(x - exact).max(axis=(1, 2))
        rows.append([
            f"{until:g}", f"{ours:.1f} s ({steps} steps)", f"{theirs:.1f} s ({their_steps})", f"{theirs / ours:.1f}",
            f"{difference[1]:.0e}, {difference[2]:.0e}",
        ])  # fmt: skip
    title = f"Many tokens that gather: n = {N}, d = {D}, β = {BETA:g}, float64, tolerance {TOL:g}"
    names = ["t", "attnflow", "exact sums throughout", "ratio", "difference at t = 8 and at the end"]
    return markdown(title, names, rows) + f"\nFirst call with compilation, t = {SHORT:g}: {first:.1f} s.\n"
