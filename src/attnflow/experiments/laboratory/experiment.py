"""Experiments on open questions: the same small trial many times, a table with error bars, and a verdict in careful words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from scipy.stats import beta as beta_law

from ...errors import BadInput
from ...papers.kept import NOTHING_KEPT, Kept
from ..scenario.reading import meant
from ..sweeps.engines import cores, engine


@dataclass(frozen=True)
class Quantity:
    """A number that a trial measures; a share counts trials, with an exact binomial interval."""

    name: str
    is_share: bool = False
    is_log: bool = False


@dataclass(frozen=True)
class Conjecture:
    """An open question with an experiment that could inform it."""

    name: str
    question: str
    source: str
    known: str
    experiment: str
    axis: str
    """What the cases differ in."""
    cases: tuple[dict[str, Any], ...]
    trial: Callable[..., Sequence[float]]
    """Of a seed and the numbers of a case; NaN where a trial cannot tell."""
    quantities: tuple[Quantity, ...]
    verdict: Callable[[Result], str]
    trials: int = 20
    changed: str = ""
    """What was changed in the experiment after its first results were seen: a reader must know which came first."""


@dataclass(frozen=True)
class Estimate:
    """A mean or a share with its 95 % interval, over so many trials that could tell."""

    value: float
    low: float
    high: float
    count: int

    @property
    def words(self) -> str:
        if not self.count:
            return "–"
        return f"{self.value:.3g} [{self.low:.3g}, {self.high:.3g}]"


@dataclass(frozen=True)
class Result:
    """What came out: values of every trial (cases, trials, quantities)."""

    conjecture: Conjecture
    values: np.ndarray
    seed: int
    labels: tuple[str, ...] = field(default=())

    def estimate(self, quantity: int, case: int | None = None) -> Estimate:
        """Of one case, or of all together."""
        seen = self.values[:, :, quantity] if case is None else self.values[case, :, quantity]
        seen = seen[~np.isnan(seen)]
        return share_of(seen) if self.conjecture.quantities[quantity].is_share else mean_of(seen)

    @property
    def trials(self) -> int:
        return self.values.shape[0] * self.values.shape[1]

    @property
    def words(self) -> str:
        return self.conjecture.verdict(self)

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.conjecture.axis or "case", *[q.name for q in self.conjecture.quantities], "trials")

    @property
    def rows(self) -> list[tuple[str | int, ...]]:
        """One line per case: every quantity with its interval, and how many trials could tell."""
        return [
            (
                label or "all",
                *[self.estimate(q, k).words for q in range(len(self.columns) - 2)],
                self.estimate(0, k).count,
            )
            for k, label in enumerate(self.labels)
        ]


def share_of(seen: np.ndarray) -> Estimate:
    """A share with the interval of Clopper and Pearson, which is never too short."""
    k, n = int(np.sum(seen > 0.5)), len(seen)
    if n == 0:
        return Estimate(np.nan, np.nan, np.nan, 0)
    low = beta_law.ppf(0.025, k, n - k + 1) if k else 0.0
    high = beta_law.ppf(0.975, k + 1, n - k) if k < n else 1.0
    return Estimate(k / n, float(low), float(high), n)


def mean_of(seen: np.ndarray) -> Estimate:
    n = len(seen)
    if n == 0:
        return Estimate(np.nan, np.nan, np.nan, 0)
    half = 1.96 * float(np.std(seen, ddof=1)) / np.sqrt(n) if n > 1 else np.inf
    value = float(np.mean(seen))
    return Estimate(value, value - half, value + half, n)


def fitted_power(result: Result, quantity: int, key: str) -> Estimate:
    """The exponent of a power law in a number of the cases, with the interval of its fit to the means of all cases."""
    x = np.log([case[key] for case in result.conjecture.cases])
    y = np.log([result.estimate(quantity, k).value for k in range(len(x))])
    good = np.isfinite(y)
    if good.sum() < 3:
        return Estimate(np.nan, np.nan, np.nan, 0)
    (slope, _), cov = np.polyfit(x[good], y[good], 1, cov="unscaled")
    rest = y[good] - np.polyval(np.polyfit(x[good], y[good], 1), x[good])
    half = 1.96 * float(np.sqrt(cov[0, 0] * np.sum(rest**2) / max(1, good.sum() - 2)))
    return Estimate(float(slope), float(slope) - half, float(slope) + half, int(good.sum()))


def run_trials(trial, case: dict[str, Any], seeds: list[int]) -> np.ndarray:
    return np.array([np.asarray(trial(seed, **case), float) for seed in seeds])


def run_conjecture(
    conjecture: Conjecture,
    *,
    seed: int = 0,
    effort: int = 1,
    on: str | Executor = "serial",
    workers: int | None = None,
    kept: Kept = NOTHING_KEPT,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> Result:
    """Every trial of every case; cases that were finished before are not repeated."""
    count, found = conjecture.trials * effort, []
    with engine(on, workers or cores()) as make:
        executor = make()
        for k, case in enumerate(conjecture.cases):
            own = kept.given(np.frombuffer(repr((conjecture.name, case, seed, count)).encode(), np.uint8))
            found.append(own.part(f"case{k}", partial(_case, executor, conjecture, case, seed, count)))
            report(k + 1, len(conjecture.cases))
    labels = tuple(", ".join(f"{key} = {_shown(v)}" for key, v in case.items()) for case in conjecture.cases)
    return Result(conjecture, np.stack(found), seed, labels)


def _case(executor, conjecture: Conjecture, case, seed: int, count: int) -> np.ndarray:
    seeds = [int(s) for s in np.random.SeedSequence(seed).generate_state(count)]
    piece = max(1, count // 16)
    futures = [
        executor.submit(run_trials, conjecture.trial, case, seeds[i : i + piece]) for i in range(0, count, piece)
    ]
    return np.concatenate([future.result() for future in futures])


def _shown(value) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def find_conjecture(name: str, known: Sequence[Conjecture]) -> Conjecture:
    names = [one.name for one in known]
    if name not in names:
        raise BadInput(f"{name}: no such question{meant(name, names)}; `attnflow conjecture` lists {len(names)}")
    return known[names.index(name)]
