"""Sinkhorn plans of any score: blocks, copies, uneven masses and scores of any size, each in at most 30 Newton steps."""

import os

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.special import softmax

from attnflow.engine.sinkhorn.gram import Gram
from attnflow.engine.sinkhorn.newton import newton_scaling

TRIALS = max(12, int(os.environ.get("ATTNFLOW_FUZZ", "0")) // 5)
MOST = 5
"""Dimensions; fewer are filled up with zeros, so that one program serves all."""


@jax.jit
def scaled(queries, keys, mass):
    none = jnp.zeros_like(mass)
    return newton_scaling(Gram(queries, keys, none, none), mass, tol=1e-12, max_iterations=150)


def tokens(rng, n, d):
    x = rng.normal(size=(n, d))
    few = rng.integers(4, size=n)
    return [
        x, 3 * x[few] + 0.1 * rng.normal(size=(n, d)), x[rng.integers(n // 3 + 1, size=n)],
        x * np.exp(rng.normal(size=(n, 1))), x / np.linalg.norm(x, axis=1, keepdims=True),
    ][rng.integers(5)]  # fmt: skip


def masses(rng, n):
    some = rng.random(n) > 0.25
    some[0] = True
    m = [np.ones(n), rng.random(n) + 0.05, np.exp(2 * rng.normal(size=n)), some * 1.0][rng.integers(4)]
    return m / m.sum()


def score(rng, d):
    B = rng.normal(size=(d, d))
    B = [B, B - B.T, -B @ B.T, np.outer(B[0], B[-1]), B + B.T][rng.integers(5)]
    return 10 ** rng.uniform(-3, 4) * B / max(np.linalg.norm(B, 2), 1e-300)


@pytest.mark.parametrize("part", range(4))
@pytest.mark.broad(2)
def test_any_plan_in_thirty_steps(part):
    for seed in range(part, TRIALS, 4):
        rng = np.random.default_rng(seed)
        n, d = int(rng.choice([6, 30])), int(rng.integers(1, MOST + 1))
        x, m, B = tokens(rng, n, d), masses(rng, n), score(rng, d)
        y = x - m @ x
        queries, keys = (np.pad(z, ((0, 0), (0, MOST - d))) for z in (y @ B, y))
        found = scaled(queries, keys, m)
        heard = m > 0
        logits = (queries @ keys.T + np.asarray(found.potential))[np.ix_(heard, heard)] + np.log(m[heard])
        error = np.abs(m[heard] @ softmax(logits, axis=1) - m[heard]).sum()
        # A score of size s is known to 2e-16 s, and so are the sums.
        assert found.iterations <= 30 and error < 2e-12 + 4e-15 * np.abs(logits).max(), (
            seed,
            int(found.iterations),
            error,
        )
