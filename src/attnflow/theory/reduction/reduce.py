"""Reduction: the cheapest model that stands for a run within an error."""

from __future__ import annotations

from dataclasses import dataclass, replace

import jax.numpy as jnp
import numpy as np

from ...engine.evolution import Trajectory
from ...engine.evolution.options import checked
from ...engine.flow import Flow, check_fits
from ...engine.linalg.arguments import as_annotated
from ...engine.linalg.matrices import is_positive
from ...engine.measures import Particles
from ...errors import BadInput, quoted
from .errors import bounded_error, measured_error
from .models import STAGES, Model, Task, candidates, pairs_of, states_of

SHOWN, BUSY = 65, 63
"""Times of a model's states, evenly spread; and further ones at which errors are looked at, where the run is busy."""
MOST_EXACT = 4096
"""Up to this many tokens the exact run is the judge; beyond, a bound."""
ROUGH = 1e-4
"""The tolerance of a first look at the run, which tells when it is busy."""


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


LEAST = 1e-300
"""Shorter times are not told from 0."""


@as_annotated
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
        if not is_positive(value) or value < LEAST:
            raise BadInput(f"{name} must be a positive number, got {quoted(value)}")
    check_fits(flow, mu)
    tol = checked({}).tolerance(mu.x.dtype)
    task = Task(flow, mu, np.linspace(0.0, float(until), SHOWN), float(error), tol)
    if mu.n > MOST_EXACT:
        return _chosen(task, None, np.inf)
    return _chosen(*_judged(task))


def _judged(task: Task) -> tuple[Task, Trajectory, float]:
    """The task at times that follow the run, the run, and how far it may be from the true one."""
    rough = task.run(tol=max(ROUGH, task.tol))
    task = replace(task, ts=np.union1d(task.ts, _busy_times(task.ts, rough)))
    run = task.run()
    finer = task.run(tol=max(task.tol / 100, 10 * float(jnp.finfo(task.mu.x.dtype).eps)))
    x, y = np.asarray(run.x, float), np.asarray(finer.x, float)
    apart = float(np.linalg.norm(x - y, axis=-1).max())
    return task, run, 2 * apart + 100 * task.tol * max(1.0, float(np.abs(x).max()))


def _busy_times(ts: np.ndarray, run: Trajectory) -> np.ndarray:
    """Times between which the token that moves most moves equally far."""
    moved = np.linalg.norm(np.diff(np.asarray(run.x, float), axis=0), axis=-1).max(axis=-1)
    way = np.concatenate([[0.0], np.cumsum(moved)])
    return np.interp(np.linspace(0, way[-1], BUSY + 2)[1:-1], way, ts) if way[-1] > 0 else ts


def _chosen(task: Task, exact: Trajectory | None, doubt: float) -> Reduction:
    models = candidates(task)
    whole = pairs_of(exact) if exact is not None else float(task.mu.n) ** 2 * STAGES * SHOWN
    own_states = states_of(exact) if exact is not None else ()
    itself = Model("the run itself", "all tokens, all pairs", "tokens", own_states, whole)
    found = [(model, *_error(model, task, exact, doubt)) for model in models]
    rows = [Row(m.name, e, whole / m.pairs, m.of, m.words, is_measured) for m, e, is_measured in found]
    rows = sorted(rows, key=lambda row: -row.speedup)
    rows.append(Row(itself.name, doubt, 1.0, "tokens", itself.words, exact is not None))
    good = [(model, e) for model, e, _ in found if e <= task.error and model.pairs < whole]
    model, error = min(good, key=lambda pair: pair[0].pairs, default=(itself, doubt))
    return Reduction(shown(model, task.ts), error, whole / model.pairs, tuple(rows))


def shown(model: Model, ts: np.ndarray) -> Model:
    """The model at evenly spread times alone."""
    even = np.isin(ts, np.linspace(0.0, ts[-1], SHOWN))
    pick = lambda values: tuple(value for value, is_kept in zip(values, even) if is_kept)  # noqa: E731
    rates = None if model.rates is None else model.rates[even]
    return replace(model, states=pick(model.states), rates=rates, jumps=None)


def _error(model: Model, task: Task, exact: Trajectory | None, doubt: float) -> tuple[float, bool]:
    if exact is not None:
        return measured_error(model, exact, doubt), True
    return bounded_error(model, task), False
