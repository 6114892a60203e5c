"""Gaussian flows against the published explicit Euler scheme, vectorised in NumPy: blow-up times and limit ranks."""

from __future__ import annotations

import time

import jax
import numpy as np

from .table import markdown


def timed(act):
    start = time.perf_counter()
    return act(), time.perf_counter() - start


def euler_with_clipping(B, V, S, *, h, tol, keys=None, limit=1e3, most=200_000):
    """The published algorithm for a batch: Euler on Σ, negative eigenvalues set to 1e-14, until still or too large."""
    S, alive, has_converged, steps = S.copy(), np.arange(len(S)), np.zeros(len(S), bool), 0
    while len(alive) and steps < most:
        X = S[alive]
        half = V[alive] @ X @ np.swapaxes(B[alive], 1, 2) @ X
        rate = half + np.swapaxes(half, 1, 2)
        is_still = np.linalg.norm(rate, axis=(1, 2)) < tol
        values, vectors = np.linalg.eigh(X + h * rate)
        moved = (vectors * np.where(values < 0, 1e-14, values)[:, None, :]) @ np.swapaxes(vectors, 1, 2)
        S[alive] = np.where(is_still[:, None, None], X, moved)
        is_lost = np.trace(moved, axis1=1, axis2=2) > limit
        has_converged[alive[is_still]] = True
        steps += 1
        alive = alive[~(is_still | is_lost)]
    return S, has_converged, steps


def blow_up_rows() -> list[list[str]]:
    """1184 starts: t* by our batched run, and by Euler, which knows it to about its step."""
    from attnflow.fate import blow_up
    from attnflow.figures import castin_weights
    from attnflow.theory.gaussian_closed_forms import softmax_identity_blow_up

    weights, mu = castin_weights.explosion(), castin_weights.starts(40, 1.0)
    flow, covs = weights.flow("softmax"), np.asarray(mu.cov)
    _, first = timed(lambda: blow_up(flow, mu, tol=1e-11))
    seen, ours = timed(lambda: blow_up(flow, mu, tol=1e-11))
    exact = np.array([softmax_identity_blow_up(weights.B / np.sqrt(2), cov) for cov in covs])
    error = np.abs(seen.time / exact - 1).max()
    B, V = np.broadcast_to(weights.B / np.sqrt(2), covs.shape), np.broadcast_to(weights.V, covs.shape)
    h = 1e-3
    _, theirs = timed(lambda: euler_with_clipping(B, V, covs, h=h, tol=0.0))
    return [
        ["1184 blow-up times", "attnflow", f"{ours:.2f} s ({first:.1f} s with compilation)", f"t* within {error:.0e}", "1"],
        ["", f"Euler, h = {h:g}", f"{theirs:.2f} s", f"t* within about {h:g}", f"{theirs / ours:.1f}"],
    ]  # fmt: skip


def rank_rows(d: int) -> list[list[str]]:
    """100 limits with V > 0: ranks by our runs to t = 1e8, and by Euler, which loses runs that cannot diverge."""
    from attnflow.figures.castin_histograms import DIMENSIONS, STEPS, draws, true_ranks

    kind = "softmax, V > 0"
    _, first = timed(lambda: true_ranks(kind, d))
    (ranks, _), ours = timed(lambda: true_ranks(kind, d))
    right = int(np.sum(ranks == d - d // 2))
    rows = [[f"100 limit ranks, d = {d}", "attnflow", f"{ours:.2f} s ({first:.1f} s with compilation)",
             f"{right} of rank {d - d // 2}, {np.sum(ranks < 0)} undecided", "1"]]  # fmt: skip
    if d > 3:
        return rows
    Q, V, S = draws(kind)[d]
    B, h = -np.swapaxes(Q, 1, 2) @ Q / np.sqrt(d), STEPS[kind][DIMENSIONS.index(d)]
    (ends, kept, _), theirs = timed(lambda: euler_with_clipping(B, V, S, h=h, tol=5e-5))
    right = int(np.sum(np.sum(np.linalg.eigvalsh(ends[kept]) > 0.1, axis=1) == d - d // 2))
    words = f"{right} of rank {d - d // 2}, {np.sum(~kept)} falsely diverged"
    return [*rows, ["", f"Euler, h = {h:g}", f"{theirs:.1f} s", words, f"{theirs / ours:.0f}"]]


def report() -> str:
    jax.config.update("jax_enable_x64", True)
    rows = [*blow_up_rows(), *(row for d in (3, 4, 5) for row in rank_rows(d))]
    return markdown("Gaussian flows", ["", "", "time", "result", "× attnflow"], rows)
