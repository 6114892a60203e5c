"""Gaussian flows against the published explicit Euler scheme, vectorised in NumPy: blow-up times and limit ranks."""

from __future__ import annotations

import time

import jax
import numpy as np

from .published_euler import EXPLOSION, Euler, euler, halves
from .table import markdown

WORDS = {"softmax": "blow-up", "heads": "blow-up", "l2": "exponential growth", "sinkhorn": "exponential growth"}


def timed(act, *given, **options):
    """The result and the CPU time it took: both sides use one core, and other programs do not count."""
    start = time.process_time()
    return act(*given, **options), time.process_time() - start


def row(task, who, seconds, result, ratio):
    return [task, who, f"{seconds:.3g} s", result, f"{ratio:.3g}"]


def blow_up_rows() -> list[list[str]]:
    """1184 starts, four variants: what becomes of each by our batched run, and by Euler with the published steps."""
    from attnflow.papers.castin2025.figures import weights as castin_weights
    from attnflow.theory.gaussian import blow_up

    weights, mu = castin_weights.explosion(), castin_weights.starts(40, 1.0)
    fields = halves(weights.Q, weights.K, weights.V)
    rows, total = closed_form_rows(weights, mu), np.zeros(2)
    for variant, word in WORDS.items():
        options = {"tol": 1e-11 if word == "blow-up" else 1e-6, "closed_form": False}
        flow, settings = weights.flow(variant), EXPLOSION[variant]
        _, first = timed(blow_up, flow, mu, **options)
        seen, ours = timed(blow_up, flow, mu, **options)
        (_, _, steps), theirs = timed(euler, fields[variant], np.asarray(mu.cov), settings)
        total += ours, theirs
        words = f"{np.sum(seen.verdict == word)} {word}; {first:.1f} s with compilation"
        rows += [
            row(f"1184 starts, {castin_weights.VARIANTS[variant]}", "attnflow", ours, words, 1),
            row("", f"Euler, h = {settings.h:g}", theirs, f"{steps} steps", theirs / ours),
        ]
    return [*rows, row("all four", "attnflow", total[0], "", 1), row("", "Euler", total[1], "", total[1] / total[0])]


def closed_form_rows(weights, mu) -> list[list[str]]:
    """Softmax with V = I needs no run: the times alone, and all that a run would show."""
    from attnflow.theory.gaussian import blow_up
    from attnflow.theory.gaussian.closed_forms import softmax_identity_blow_up

    flow, B, covs = weights.flow("softmax"), weights.B / np.sqrt(2), np.asarray(mu.cov)
    run = blow_up(flow, mu, tol=1e-11, closed_form=False)
    blow_up(flow, mu)
    _, known = timed(blow_up, flow, mu)
    exact, alone = timed(softmax_identity_blow_up, B, covs)
    _, theirs = timed(euler, halves(weights.Q, weights.K, weights.V)["softmax"], covs, EXPLOSION["softmax"])
    error = np.abs(run.time / exact - 1).max()
    return [
        row("1184 starts, softmax, V = I", "closed form, t* alone", alone, f"runs agree to {error:.0e}", 1),
        row("", "closed form, path and direction too", known, "", known / alone),
        row("", "Euler, h = 0.01", theirs, "t* to about 0.01", theirs / alone),
    ]


def rank_rows(d: int) -> list[list[str]]:
    """100 limits with V > 0: ranks by our runs to t = 1e8 and beyond, and by Euler, which loses runs that cannot diverge."""
    from attnflow.papers.castin2025.figures.histograms import DIMENSIONS, MOST_STEPS, STEPS, draws, true_ranks

    kind = "softmax, V > 0"
    _, first = timed(true_ranks, kind, d)
    (ranks, _), ours = timed(true_ranks, kind, d)
    words = f"{np.sum(ranks == d - d // 2)} of rank {d - d // 2}, {np.sum(ranks < 0)} undecided; {first:.1f} s with compilation"
    Q, V, S = draws(kind)[d]
    A, h = -np.swapaxes(Q, 1, 2) @ Q / np.sqrt(d), STEPS[kind][DIMENSIONS.index(d)]
    settings = Euler(h, 5e-5, most=MOST_STEPS[kind])
    (ends, redrawn), theirs = timed(until_all_converge, V, A, S, settings)
    right = int(np.sum(np.sum(np.linalg.eigvalsh(ends) > 0.1, axis=1) == d - d // 2))
    return [
        row(f"100 limit ranks, d = {d}", "attnflow", ours, words, 1),
        row("", f"Euler, h = {h:g}", theirs, f"{right} of rank {d - d // 2}, {redrawn} starts replaced", theirs / ours),
    ]


def until_all_converge(V, A, S, settings: Euler):
    """Starts that diverge or take too many steps are replaced by random ones, as in the authors' script."""
    S, left, redrawn, rng = S.copy(), np.arange(len(S)), 0, np.random.default_rng(0)
    while len(left):
        v, a = V[left], A[left]
        S[left], converged, _ = euler(lambda X, alive, v=v, a=a: v[alive] @ X @ a[alive] @ X, S[left], settings)
        left = left[~converged]
        G = rng.standard_normal((len(left), *S.shape[1:]))
        S[left], redrawn = G @ np.swapaxes(G, 1, 2), redrawn + len(left)
    return S, redrawn


def report() -> str:
    jax.config.update("jax_enable_x64", True)
    # In d = 5 the Euler scheme replaces starts for longer than a benchmark may last.
    rows = [*blow_up_rows(), *(row for d in (3, 4) for row in rank_rows(d))]
    return markdown("Gaussian flows", ["", "", "CPU time", "result", "× attnflow"], rows)
