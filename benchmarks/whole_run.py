"""A whole adaptive run against SciPy's DOP853 on a vectorised NumPy field, at equal accuracy."""

from __future__ import annotations

import time

import jax
import numpy as np
from scipy.integrate import solve_ivp

import attnflow as af

from .table import markdown, seconds

N, D, BETA, UNTIL, TIMES, TOL = 512, 3, 9.0, 30.0, 101, 1e-8


def report() -> str:
    jax.config.update("jax_enable_x64", True)
    x = np.random.default_rng(0).normal(size=(N, D))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    flow, mu, ts = af.Flow(af.Sphere(), af.Softmax(beta=BETA)), af.Particles(x), np.linspace(0, UNTIL, TIMES)
    run = lambda tol=TOL: jax.block_until_ready(af.evolve(flow, mu, until=UNTIL, save=TIMES, tol=tol).x)  # noqa: E731
    start = time.perf_counter()
    run()
    first = time.perf_counter() - start
    exact = run(1e-13)
    ours, error = seconds(run, repeats=3), float(np.abs(run() - exact).max())
    theirs, their_error, tol = _scipy(x, ts, exact, error)
    rows = [
        ["attnflow, adaptive", f"{TOL:g}", f"{ours:.2f} s", f"{error:.1e}", "1.0"],
        ["SciPy DOP853 + NumPy", f"{tol:.0e}", f"{theirs:.2f} s", f"{their_error:.1e}", f"{theirs / ours:.1f}"],
        ["attnflow, first call with compilation", f"{TOL:g}", f"{first:.2f} s", "", ""],
    ]
    title = f"A whole run: n = {N}, d = {D}, β = {BETA:g}, t = {UNTIL:g}, {TIMES} saved times, float64"
    return markdown(title, ["", "tol", "time", "max error", "× attnflow"], rows)


def _scipy(x, ts, exact, wanted):
    """The loosest SciPy tolerance that is at least as accurate as ours."""

    def field(t, flat):
        y = flat.reshape(N, D)
        s = BETA * (y @ y.T)
        p = np.exp(s - s.max(1, keepdims=True))
        a = p @ y / p.sum(1, keepdims=True)
        return (a - np.sum(a * y, 1, keepdims=True) * y).ravel()

    for tol in 10 ** np.arange(-8, -13, -0.5):
        start = time.perf_counter()
        y = solve_ivp(field, (0, UNTIL), x.ravel(), "DOP853", t_eval=ts, rtol=tol, atol=tol).y
        took = time.perf_counter() - start
        error = float(np.abs(y.T.reshape(TIMES, N, D) - exact).max())
        if error <= wanted:
            break
    return took, error, tol
