"""Tokens, masses and temperatures of any size in single and double precision: right, or refused in one line, or a status."""

import os
import warnings

import jax
import numpy as np
import pytest
from scipy.special import expit

import attnflow as af
from attnflow.engine.evolution.trajectory import Status
from attnflow.errors import BadInput, Notice

TRIALS = max(10, int(os.environ.get("ATTNFLOW_FUZZ", "0")) // 10)
N, D = 5, 3
RULES = {
    "Softmax": lambda beta: af.Softmax(beta=beta),
    "Unnormalised": lambda beta: af.Unnormalised(beta=beta),
    "L2": lambda beta: af.L2(B=1.0, beta=beta),
    "Sigmoid": lambda beta: af.Sigmoid(beta=beta),
    "Linear": lambda beta: af.Linear(beta=beta),
    "Relu": lambda beta: af.Relu(beta=beta),
    "Sinkhorn": lambda beta: af.Sinkhorn(eps=1 / beta),
    "Hardmax": lambda beta: af.Hardmax(),
    "Causal": lambda beta: af.Causal(af.Softmax(beta=beta)),
}
SPACES = {"sphere": af.Sphere(), "free": af.Euclidean()}
SIZES, BETAS = (1e-30, 1e-8, 1.0, 1e8, 1e30), (1e-38, 1e-6, 1.0, 1e6, 1e38)
MASSES = ((1.0,) * N, (1e-300, 1.0, 1.0, 1.0, 1.0), (1e308,) * N, (1e308, 1e-300, 1.0, 1.0, 1.0), (1e-320, 1e-320, 0.0, 0.0, 0.0),
          (1e-45, 1.0, 2.0, 1.0, 1.0), (1e300, 2e300, 1e300, 1e299, 1e300))  # fmt: skip


def drawn(seed):
    rng = np.random.default_rng(seed)
    name, space = list(RULES)[rng.integers(len(RULES))], list(SPACES)[rng.integers(2)]
    size, beta, mass = (pool[rng.integers(len(pool))] for pool in (SIZES, BETAS, MASSES))
    return name, space, size, beta, mass, rng.normal(size=(N, D)), bool(rng.integers(2))


def weights_of(name, scores, mass):
    """Weights by their definition in extended range, rows of listeners."""
    wide = np.asarray(scores, np.longdouble)
    if name in ("Softmax", "L2", "Causal", "Hardmax"):
        wide = np.where(mass > 0, wide, -np.inf)
        if name == "Causal":
            wide = np.where(np.tril(np.ones((N, N), bool)), wide, -np.inf)
        top = wide.max(axis=1, keepdims=True)
        raw = (wide == top) if name == "Hardmax" else np.exp(wide - top)
        raw = raw * mass
        return raw / raw.sum(axis=1, keepdims=True)
    links = {
        "Unnormalised": np.exp,
        "Sigmoid": lambda s: expit(s.astype(float)),
        "Linear": lambda s: s,
        "Relu": lambda s: np.maximum(s, 0),
    }
    return links[name](wide) * mass


def expected(name, space, x, mass, beta):
    """The velocity for V = 1, where scores are known well enough to say; else None."""
    x, m = np.asarray(x, np.longdouble), np.asarray(mass, np.longdouble)
    if space == "sphere":
        x = x / np.sqrt((x**2).sum(axis=1, keepdims=True))
    scores = np.longdouble(beta) * (x @ x.T)
    if name == "L2":
        scores = -np.longdouble(beta) * ((x[:, None] - x) ** 2).sum(axis=2)
    if name in ("Sinkhorn", "Hardmax") or not np.all(np.abs(scores) < 1e3):
        return None
    v = weights_of(name, scores, m / m.sum()) @ x
    return v - (v * x).sum(axis=1, keepdims=True) * x if space == "sphere" else v


def measured(case, dtype):
    name, space, size, beta, mass, x, _ = case
    flow = af.Flow(SPACES[space], RULES[name](beta))
    mu = af.Particles(np.asarray(x * size, dtype), mass)
    v = np.asarray(af.velocity(flow, mu))
    assert np.isfinite(v).all() and v.dtype == dtype
    known = expected(name, space, np.asarray(mu.x), np.asarray(mass, np.longdouble), beta)
    if known is not None:
        # Scores below 1e3 are known to 1e3 roundings, and so are their exponentials; tiny numbers may be flushed to zero.
        room = 2e4 * np.finfo(dtype).eps * np.abs(known).max() + 1e3 * float(np.finfo(dtype).tiny)
        assert np.abs(v - known).max() <= room, (case, v, known)
    run = af.evolve(flow, mu, until=1.0, save=3, tol=1e-4)
    assert run.status != Status.DONE or np.isfinite(np.asarray(run.x)).all()
    return flow, mu


@pytest.mark.parametrize("seed", range(TRIALS))
@pytest.mark.broad(4)
def test_extreme_scales_are_right_or_refused(seed):
    case = drawn(seed)
    with jax.enable_x64(case[-1]), warnings.catch_warnings():
        warnings.simplefilter("ignore", Notice)
        try:
            flow, mu = measured(case, np.float64 if case[-1] else np.float32)
        except BadInput as refusal:
            assert len(str(refusal)) <= 200 and "\n" not in str(refusal), case
            return
        warnings.simplefilter("error", Notice)
        for look in (af.attention_matrix, af.energy, af.log_energy):
            try:
                assert np.isfinite(np.asarray(look(flow, mu))).all(), (look.__name__, case)
            except (BadInput, Notice) as told:
                assert len(str(told)) <= 200 and "\n" not in str(told), case
