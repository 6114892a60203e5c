"""Reduction: the cheapest model that stands for a run within an error."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import BadInput
from ..evolution.trajectory import Status
from ..flow import Flow, check_fits
from ..linalg.matrices import is_positive
from ..measures import Particles
from .errors import bounded_error, measured_error
from .models import Model, Task, candidates, pairs_of, states_of

TIMES = 65
MOST_EXACT = 4096
"""Up to this many tokens the exact run is the judge; beyond, a bound."""
TOL = 1e-8


@dataclass(frozen=True)
class Row:
    """One model in the table error × cost."""

    name: str
    error: float
    speedup: float
    of: str
    words: str
    is_measured: bool
    """Whether the error is against the exact run; else it is a bound."""


@dataclass(frozen=True)
class Reduction:
    """Which cheaper model stands for a run, how wrong it is, and how much cheaper."""

    model: Model
    error: float
    """At least the true error: over all times, of every token (or of moments, or of the law, as `model.of` says)."""
    speedup: float
    """Pairs of tokens that the exact run evaluates, over those of the model."""
    table: tuple[Row, ...]
    """Every model that applies, the cheapest first; the run itself last."""


def reduce(flow: Flow, mu: Particles, *, until: float = 10.0, error: float = 0.01) -> Reduction:
    """The cheapest model of a run that is within `error`: merged clusters, closed flows, leaders, hardmax, a density.

    Errors are distances between tokens of the model and of the run, the largest over tokens and times; for models of
    moments or of the law, the Wasserstein distance between Gaussians of these moments, or of the laws. The run itself is
    the last resort.

    >>> import attnflow as af
    >>> flow, mu = af.Flow(af.Sphere(), af.Softmax(beta=4.0)), af.uniform_sphere(8, 3, seed=0)
    >>> found = af.reduce(flow, mu, until=2.0, error=0.1)
    >>> found.error <= 0.1
    True
    """
    if not isinstance(flow, Flow):
        raise BadInput(f"reduce takes a Flow, got {type(flow).__name__}; rescaled flows have af.limit")
    if not isinstance(mu, Particles) or mu.x.ndim != 2:
        raise BadInput("reduce takes one prompt of tokens: Particles of shape (n, d)")
    if flow.noise is not None:
        raise BadInput("reduce compares single runs; a noisy flow has none")
    for name, value in (("until", until), ("error", error)):
        if not is_positive(value):
            raise BadInput(f"{name} must be a positive number, got {value!r}")
    check_fits(flow, mu)
    task = Task(flow, mu, np.linspace(0.0, float(until), TIMES), float(error), TOL)
    exact = task.evolve(flow, mu) if mu.n <= MOST_EXACT else None
    if exact is not None and exact.status != Status.DONE:
        raise BadInput(f"the run itself ends early ({exact.status}); give an earlier until")
    return _chosen(task, exact)


def _chosen(task: Task, exact) -> Reduction:
    models = candidates(task)
    whole = pairs_of(exact) if exact is not None else float(task.mu.n) ** 2 * 13 * TIMES
    own_states = states_of(exact) if exact is not None else ()
    itself = Model("the run itself", "all tokens, all pairs", "tokens", own_states, whole)
    found = [(model, *_error(model, task, exact)) for model in models]
    rows = [Row(m.name, e, whole / m.pairs, m.of, m.words, is_measured) for m, e, is_measured in found]
    rows = sorted(rows, key=lambda row: -row.speedup)
    rows.append(Row(itself.name, 100 * task.tol, 1.0, "tokens", itself.words, True))
    good = [(model, e) for model, e, _ in found if e <= task.error and model.pairs < whole]
    model, error = min(good, key=lambda pair: pair[0].pairs, default=(itself, 100 * task.tol))
    return Reduction(model, error, whole / model.pairs, tuple(rows))


def _error(model: Model, task: Task, exact) -> tuple[float, bool]:
    if exact is not None:
        return measured_error(model, exact, task.tol), True
    return bounded_error(model, task), False
