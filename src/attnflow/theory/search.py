"""The search for counterexamples: random and adversarial trials, and a small independent integrator for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.integrate import solve_ivp

from .claim import Claim, Prediction, Verdict, register


@dataclass(frozen=True)
class Trial:
    """One attempt: by how much the conclusion was violated (above 1: it fails), where and how long."""

    ratio: float
    horizon: float = 0.0
    example: str = ""
    is_inside: bool = True
    """Whether the hypotheses held."""


def hunt(key: str, statement: Literal["printed", "corrected"], trials: Iterable[Trial], *, seed: int) -> Verdict:
    """The verdict of all trials: refuted by the worst one, or not refuted."""
    trials = list(trials)
    inside = [trial for trial in trials if trial.is_inside]
    outside = len(trials) - len(inside)
    if not inside:
        return Verdict(key, statement, "hypotheses not met", 0, 0.0, 0.0, seed, outside=outside)
    # An infinite ratio is a violation beyond all numbers; only NaN says that a trial could not decide.
    decided = [trial for trial in inside if not np.isnan(trial.ratio)]
    horizon = max(trial.horizon for trial in inside)
    undecided = len(inside) - len(decided)
    if not decided:
        return Verdict(
            key, statement, "undecidable", len(inside), horizon, float("nan"), seed, "", undecided, outside
        )  # fmt: skip
    worst = max(decided, key=lambda trial: trial.ratio)
    refuted = worst.ratio > 1
    return Verdict(
        key, statement, "refuted" if refuted else "not refuted", len(inside), horizon, float(worst.ratio), seed,
        worst.example if refuted else "", undecided, outside,
    )  # fmt: skip


def random_trials(one: Callable[[np.random.Generator], Trial], count: int):
    """`falsify` of a claim whose trials are drawn at random."""

    def trials(seed, effort):
        rng = np.random.default_rng(seed)
        return [one(rng) for _ in range(count * effort)]

    return trials


def falsifier(key: str, *, printed=None, corrected=None):
    """`falsify(seed, effort)` from functions that make trials for each statement."""

    def falsify(seed: int, effort: int):
        verdicts = []
        if printed is not None:
            verdicts.append(hunt(key, "printed", printed(seed, effort), seed=seed))
        if corrected is not None:
            verdicts.append(hunt(key, "corrected", corrected(seed, effort), seed=seed))
        return verdicts

    return falsify


def hunted(
    key: str, source: str, printed: str, *hunts, corrected: str | None = None,
    kind: Literal["theorem", "lemma", "conjecture", "derived"] = "lemma",
) -> Claim:  # fmt: skip
    """Register a statement about no single run; `hunts` are the trials of the printed and of the corrected form."""
    return register(
        Claim(
            key, source, printed, lambda flow, mu: [], lambda flow, mu: Prediction(key, "not about a single run"), None,
            falsifier(key, **dict(zip(("printed", "corrected"), hunts))), corrected=corrected, kind=kind,
        )
    )  # fmt: skip


def both(*parts):
    """Trials of several kinds, one after the other."""
    return lambda seed, effort: [trial for part in parts for trial in part(seed, effort)]


def fixed(*trials: Callable[[], Trial]):
    """Trials that need no chance: known or exact counterexamples, boundary parameters."""
    return lambda seed, effort: [trial() for trial in trials]


def shown(digits: int = 4, **parts) -> str:
    """An example in words."""
    return ", ".join(f"{name} = {np.round(value, digits).tolist()}" for name, value in parts.items())


def softmax(scores):
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def doubly_stochastic(scores, mass):
    """The kernel e^{scores} made doubly stochastic by plain alternation: row weights, and the two log-potentials.

    All is NaN where three hundred sweeps were not enough.
    """
    top = scores.max()
    kernel, g, old = np.exp(scores - top), np.ones(len(mass)), np.zeros(len(mass))
    for _ in range(300):
        f = 1 / (kernel @ (mass * g))
        g, old = 1 / (kernel.T @ (mass * f)), g
        if np.abs(g / old - 1).max() < 1e-13:
            break
    else:
        g = np.full(len(mass), np.nan)
    f = 1 / (kernel @ (mass * g))
    return f[:, None] * kernel * (g * mass), np.log(f) - top / 2, np.log(g) - top / 2


def token_run(x, ts, weights, *, V):
    r"""$x_i' = \sum_j w_{ij}Vx_j$ in R^d by SciPy, to 1e-10, for weights given as a function of the tokens."""
    return _solve(lambda t, y: (weights(y.reshape(x.shape)) @ y.reshape(x.shape) @ V.T).ravel(), x, ts)


def matrix_run(start, ts, rate):
    """A matrix whose rate of change is a function of itself, by SciPy, to 1e-10."""
    return _solve(lambda t, y: rate(y.reshape(start.shape)).ravel(), start, ts)


def euclidean_run(x, ts, *, B=None, V=None):
    """Softmax attention in R^d by SciPy, to 1e-10: independent of the engine."""
    d = x.shape[1]
    B, V = np.eye(d) if B is None else B, np.eye(d) if V is None else V
    return token_run(x, ts, lambda y: softmax(y @ B @ y.T), V=V)


def rescaled_run(x, ts, *, B=None, V=1.0):
    r"""Rescaled tokens for $V = cI$ by SciPy."""
    n, d = x.shape
    B = np.eye(d) if B is None else B

    def field(t, y):
        y = y.reshape(n, d)
        return V * (softmax(np.exp(2 * V * t) * (y @ B @ y.T)) @ y - y).ravel()

    return _solve(field, x, ts)


def diagonal_run(c, ts, *, rates, M):
    r"""Rescaled tokens of $V = \mathrm{diag}(\lambda)$ for scores $\langle x, My\rangle$, differences first; M may be any matrix.

    Every diagonalisable V with a real spectrum is of this kind in its eigen-coordinates.
    """
    n, d = c.shape
    rates = np.asarray(rates, float)

    def field(t, y):
        y = y.reshape(n, d)
        grown = np.exp(rates * t)
        pull = ((y * grown) @ M) * grown
        apart = y[None] - y[np.argmax(pull @ y.T, axis=1)][:, None]
        return (rates * (softmax(np.einsum("id,ijd->ij", pull, apart)) @ y - y)).ravel()

    return _solve(field, c, ts)


def sphere_run(x, ts, *, beta: float, V: float | np.ndarray = 1.0, model: str = "SA", B=None, mask=None, mass=None):
    """Attention on the sphere by SciPy; `USA` carries the factor e^{−β}, so that clocks stay comparable."""
    n, d = x.shape
    B, value = np.eye(d) if B is None else B, np.asarray(V * np.eye(d) if np.ndim(V) == 0 else V)
    m = np.full(n, 1 / n) if mass is None else mass

    def field(t, y):
        y = y.reshape(n, d)
        y = y / np.linalg.norm(y, axis=1, keepdims=True)
        scores = beta * (y @ B @ y.T)
        scores = scores if mask is None else np.where(mask, scores, -np.inf)
        a = (softmax(scores + np.log(m)) if model == "SA" else np.exp(scores - beta) * m) @ y @ value.T
        return (a - (a * y).sum(axis=1, keepdims=True) * y).ravel()

    out = _solve(field, x, ts)
    return out / np.linalg.norm(out, axis=-1, keepdims=True)


def _solve(field, x, ts):
    """Tokens at the times ts; NaN from where the solver gave up."""
    out = solve_ivp(field, (0.0, float(ts[-1])), np.ravel(x), t_eval=ts, method="DOP853", rtol=1e-10, atol=1e-12)
    saved = np.full((len(ts), *x.shape), np.nan)
    reached = np.asarray(out.y).reshape(x.size, -1).T
    saved[: len(reached)] = reached.reshape(-1, *x.shape)
    return saved


def unit(rng, n, d):
    x = rng.normal(size=(n, d))
    return x / np.linalg.norm(x, axis=1, keepdims=True)
