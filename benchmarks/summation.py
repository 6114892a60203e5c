"""Fast sums against the exact one: speed, error, growth with n, and the crossover where "auto" switches."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

import attnflow as af
from attnflow.engine.flow import choose
from attnflow.engine.summation.tiled import Tiled

from .table import markdown, seconds

SLICE_PAIRS = 2**27
"""Pairs of the slice from which the exact time is extrapolated."""


def tokens(n, d):
    x = np.random.default_rng(0).normal(size=(n, d))
    return af.Particles(jnp.asarray(x / np.linalg.norm(x, axis=1, keepdims=True)))


def flow_of(beta, B=None):
    return af.Flow(af.Sphere(), af.Softmax(B=B, beta=beta))


@jax.jit
def exact_slice(rule, x, mu):
    return Tiled(is_bounded=True).sum(rule.kernel(x, mu), mu.x)


@jax.jit
def all_heard(rule, strategy, mu):
    return strategy.sum(rule.kernel(mu.x, mu), mu.x)


def compare(n, d, beta, *, B=None, tol=1e-10):
    """Seconds of a fast and of an exact sum (from a slice of listeners), and the largest difference on the slice."""
    flow, mu = flow_of(beta, B), tokens(n, d)
    strategy = choose("fast", flow, mu, tol=tol)
    size = min(n, max(32, SLICE_PAIRS // n))
    some = mu.x[:: n // size][:size]
    fast = seconds(lambda: jax.block_until_ready(all_heard(flow.attention, strategy, mu)), repeats=3)
    exact = seconds(lambda: jax.block_until_ready(exact_slice(flow.attention, some, mu)), repeats=3) * n / len(some)
    heard = all_heard(flow.attention, strategy, mu)[:: n // size][:size]
    error = np.abs(np.asarray(heard - exact_slice(flow.attention, some, mu))).max()
    return type(strategy).__name__, fast, exact, error


def speed() -> str:
    uneven = np.diag([1.0, 0.5, 0.2])
    cases = {
        "circle, β = 81": (2**20, 2, 81.0, None, 1e-12),
        "S², β = 30": (131072, 3, 30.0, None, 1e-10),
        "S², β = 9, B = diag(1, ½, ⅕)": (131072, 3, 9.0, uneven, 1e-10),
    }
    rows = []
    for name, (n, d, beta, B, tol) in cases.items():
        form, fast, exact, error = compare(n, d, beta, B=B, tol=tol)
        rows.append([name, f"{n:,}", form, f"{fast:.2f} s", f"{exact:.0f} s", f"{exact / fast:,.0f}", f"{error:.0e}"])
    header = ["tokens", "n", "form", "fast", "exact (extrapolated)", "× faster", "max error"]
    return markdown("One velocity, float64", header, rows)


def growth(sizes=(10**4, 10**5, 10**6, 10**7)) -> str:
    rows = []
    for n in sizes:
        flow, mu = flow_of(81.0), tokens(n, 2)
        strategy = choose("fast", flow, mu)
        took = seconds(lambda: jax.block_until_ready(all_heard(flow.attention, strategy, mu)), repeats=3)  # noqa: B023
        rows.append([f"{n:,}", f"{1e3 * took:.1f} ms", f"{1e9 * took / n:.0f} ns"])
    return markdown("Growth on the circle, β = 81", ["n", "one velocity", "per token"], rows)


def crossover() -> str:
    rows = []
    for d, beta, B in ((2, 81.0, None), (3, 30.0, None), (3, 9.0, np.diag([1.0, 0.5, 0.2]))):
        for n in (512, 2048, 4096, 8192, 16384):
            flow, mu = flow_of(beta, B), tokens(n, d)
            strategy, exact = choose("fast", flow, mu), choose("exact", flow, mu)
            times = [
                seconds(lambda s=s: jax.block_until_ready(all_heard(flow.attention, s, mu)), repeats=3)  # noqa: B023
                for s in (strategy, exact)
            ]
            auto = type(choose("auto", flow, mu)).__name__
            form = "circle" if d == 2 else "S²" if B is None else "S², uneven B"
            rows.append([form, str(n), *(f"{1e3 * took:.1f} ms" for took in times), auto])
    return markdown("Crossover", ["tokens", "n", "fast", "exact", "auto takes"], rows)


def report() -> str:
    jax.config.update("jax_enable_x64", True)
    return "\n".join([speed(), growth(), crossover()])
