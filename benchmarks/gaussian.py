"""Gaussian flows: batched blow-up and rank histograms against the published explicit Euler scheme, vectorised in NumPy."""

from __future__ import annotations

import time

import jax
import numpy as np

jax.config.update("jax_enable_x64", True)

from attnflow.fate import blow_up  # noqa: E402
from attnflow.figures import castin_weights  # noqa: E402
from attnflow.figures.castin_histograms import euler_with_clipping, published_ranks, true_ranks  # noqa: E402
from attnflow.theory.gaussian_closed_forms import softmax_identity_blow_up  # noqa: E402


def timed(act):
    start = time.perf_counter()
    return act(), time.perf_counter() - start


def blow_up_figure() -> None:
    """1184 starts: t* by our batched run and, at the accuracy it can reach, by Euler on Σ."""
    weights, mu = castin_weights.explosion(), castin_weights.starts(40, 1.0)
    flow, covs = weights.flow("softmax"), np.asarray(mu.cov)
    _, first = timed(lambda: blow_up(flow, mu, tol=1e-11))
    seen, again = timed(lambda: blow_up(flow, mu, tol=1e-11))
    exact = np.array([softmax_identity_blow_up(weights.B / np.sqrt(2), cov) for cov in covs])
    error = np.abs(seen.time / exact - 1).max()
    print(
        f"blow-up, 1184 starts: {first:.1f} s with compilation, {again:.2f} s after; largest relative error of t* {error:.1e}"
    )
    B = np.broadcast_to(weights.B / np.sqrt(2), covs.shape)
    V = np.broadcast_to(weights.V, covs.shape)
    for h in (0.01, 0.001):
        (_, _, steps), seconds = timed(lambda h=h: euler_with_clipping(B, V, covs, h=h, tol=0.0))
        print(f"  published Euler, h = {h}: {seconds:.2f} s, {steps} steps, blow-up time known to about {h}")


def histograms(dimensions=(3, 4)) -> None:
    for d in dimensions:
        (ranks, steps), slow = timed(lambda d=d: published_ranks("softmax, V = I", d))
        (true, _), fast = timed(lambda d=d: true_ranks("softmax, V = I", d))
        print(
            f"V = I, d = {d}: Euler {slow:.1f} s ({steps} steps, ranks {counted(ranks)}); "
            f"closed form {fast:.2f} s, ranks {counted(true)}"
        )
        _, first = timed(lambda d=d: true_ranks("softmax, V > 0", d))
        (true, _), again = timed(lambda d=d: true_ranks("softmax, V > 0", d))
        print(f"V > 0, d = {d}: log-time {first:.1f} s with compilation, {again:.2f} s after, ranks {counted(true)}")


def counted(ranks) -> dict[int, int]:
    values, counts = np.unique(ranks, return_counts=True)
    return {int(v): int(c) for v, c in zip(values, counts)}


if __name__ == "__main__":
    blow_up_figure()
    histograms()
