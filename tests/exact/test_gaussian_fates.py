"""Fates of random softmax covariances against SciPy's Radau on the shape and log trace, which shares no code with them."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import attnflow as af

LONG = 1e8


def shape_run(B, V, L):
    r"""log tr and time against the clock ds = tr Σ dt, in which shapes move at unit speed."""
    shape = L.shape

    def field(s, y):
        N = y[:-2].reshape(shape)
        F = V @ N @ (N.T @ B.T @ N)
        g = np.sum(N * F) / np.sum(N * N)
        return np.concatenate([(F - g * N).ravel(), [2 * g, np.exp(-y[-2])]])

    def grown(s, y):
        return abs(y[-2] - start) - 80

    grown.terminal = True
    start = np.log(np.sum(L**2))
    first = np.concatenate([(L / np.linalg.norm(L)).ravel(), [start, 0.0]])
    return solve_ivp(field, (0, LONG), first, method="Radau", rtol=1e-9, atol=1e-12, events=grown)


def plain_fate(run):
    """Blow-up and decay go on for 35 decades of the trace; else the power of s in the end: 0 at rest, 1 if exponential."""
    log = run.y[-2]
    if run.status == 1:
        return "blow-up" if log[-1] > log[0] else "decay"
    x = np.log(run.t[-1]) - np.log(10) * np.arange(3)
    powers = -np.diff(np.interp(x, np.log(np.maximum(run.t, 1e-9)), log)) / np.log(10)
    if np.all(np.abs(powers) < 1e-3):
        return "bounded"
    return "exponential growth" if np.all(np.abs(powers - 1) < 1e-2) else None


@pytest.mark.slow
@pytest.mark.parametrize("d", [2, 3])
def test_random_fates_agree_with_an_independent_integrator(d):
    agreed = 0
    for seed in range(12):
        rng = np.random.default_rng([seed, d, 97])
        B, V, L = rng.standard_normal((3, d, d))
        seen = af.blow_up(af.Flow(af.Euclidean(), af.Softmax(B), V=V), af.Gaussian(np.zeros(d), L @ L.T))
        run = shape_run(B, V, L)
        if (plain := plain_fate(run)) is None:
            continue
        assert seen.verdict == plain, (seed, seen.verdict, plain)
        agreed += 1
        if plain == "blow-up":
            np.testing.assert_allclose(seen.time, run.y[-1, -1], rtol=1e-6)  # Radau at 1e-9, hundreds of steps
        if plain == "exponential growth":
            log, t = run.y[-2], run.y[-1]
            late = log > log[-1] - 5
            rate = np.polyfit(t[late], log[late], 1)[0]
            # Radau ends at traces of 1e7, where rates still have half a percent to go.
            np.testing.assert_allclose(seen.rate, rate, rtol=1e-2)
    assert agreed >= 8
