r"""Errors of reduced models: measured against the exact run, or bounded by the residual of the model and Grönwall's lemma."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from ...engine.flow import Flow, velocity
from ...engine.linalg.matrices import dense
from ...engine.measures import Gaussian, Particles
from ...engine.measures.bures import bures
from ...engine.measures.distances import wasserstein
from ...engine.spaces import Sphere
from .models import Model, Task, moments

BETWEEN = 1.05
"""Errors are largest at some time between two that are compared: at least so much is added to the largest one seen."""


def measured_error(model: Model, run, doubt: float) -> float:
    """The largest error over all times of the comparison, with what lies between them and what is not known of the run."""
    errors = np.array([_distance(model, state, run.at(k)) for k, state in enumerate(model.states)])
    worst, coarse = float(errors.max()), float(errors[::2].max())
    # What twice as many times have added, as many again may add once more.
    between = max(BETWEEN, min(worst / coarse, 2.0)) if coarse > 0 else BETWEEN
    if model.jumps is not None:
        worst = float(np.max(np.maximum(errors[1:], errors[:-1]) + model.jumps))
    return between * worst + doubt


def _distance(model: Model, state, exact: Particles) -> float:
    if model.of == "tokens":
        return float(np.linalg.norm(np.asarray(state.x) - np.asarray(exact.x), axis=1).max())
    if isinstance(state, Gaussian):
        return float(bures(state, moments(exact)))
    return float(wasserstein(state, exact, metric="geodesic"))


def bounded_error(model: Model, task: Task) -> float:
    r"""A bound without the exact run, for models of single tokens on the sphere whose velocity u is known.

    With residual $r(t) = \max_i|u_i - v_i(y)|$ and Lipschitz constant L of the velocities in the largest-token norm,
    $e(t) \le \int_0^t e^{L(t-s)}r(s)\,ds$ (Grönwall). Between two times r grows at most by the Lipschitz constants of v
    and u times the way there, which is at most $\|V\|$ times the time.
    """
    if model.of != "tokens" or model.rates is None or not isinstance(task.flow.space, Sphere):
        return np.inf
    V, _, condition = norms(task.flow, task.mu.d)
    L, steps = lipschitz(task.flow, task.mu.d), np.diff(task.ts)
    v = np.stack([np.asarray(velocity(task.flow, state)) for state in model.states])
    residual = np.linalg.norm(model.rates - v, axis=-1).max(axis=1)
    most = np.maximum(residual[1:], residual[:-1]) + (L + V * (condition + 2)) * V * steps / 2
    with np.errstate(over="ignore"):
        return float(np.sum(most * np.exp(L * (task.ts[-1] - task.ts[:-1])) * steps))


def norms(flow: Flow, d: int) -> tuple[float, float, float]:
    """‖V‖, ‖βB‖ and the condition number of B."""
    score = flow.attention.score  # pyright: ignore[reportAttributeAccessIssue]
    V, B = np.asarray(dense(jnp.asarray(flow.V), d), float), np.asarray(score.B(d), float)
    return float(np.linalg.norm(V, 2)), abs(float(score.beta)) * float(np.linalg.norm(B, 2)), float(np.linalg.cond(B))


def lipschitz(flow: Flow, d: int) -> float:
    r"""$L = \|V\|(3 + 2|\beta|\|B\|)$ of softmax attention on the sphere, in the largest-token norm (derived).

    Weights w move by at most the mean deviation of the scores' changes, each at most $2|\beta|\|B\|\delta$; the mean
    moves by δ itself; the projection adds twice the length of the mean.
    """
    V, B, _ = norms(flow, d)
    return V * (3 + 2 * B)
