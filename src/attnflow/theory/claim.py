"""A theorem as an object: hypotheses → prediction → check, with the search for a counterexample beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, Literal

import numpy as np

PAPERS = (
    "geshkovski2023",
    "geshkovski2024",
    "geshkovski2025",
    "burger2025",
    "castin2025",
    "agarwal2024",
    "alcalde2026",
    "bruno2025",
)
"""Modules of this folder that register claims, in reading order."""
BEYOND = ("geshkovski2023_outside", "sphere_outside", "others_outside")
"""Modules that drop hypotheses of claims of one or several papers."""

ARXIV = {
    "2305.05465": "geshkovski2023", "2312.10794": "geshkovski2024", "2410.06833": "geshkovski2025",
    "2411.04990": "geshkovski2025", "2508.09628": "geshkovski2025", "2510.22026": "geshkovski2025",
    "2512.01868": "geshkovski2025", "2501.03096": "burger2025", "2501.18322": "castin2025", "2406.10823": "agarwal2024",
    "2605.10931": "alcalde2026", "2509.25040": "bruno2025",
}  # fmt: skip
"""Which module an arXiv number belongs to."""


def paper_of(name: str) -> str:
    """The module of a paper that may be given by its arXiv number."""
    return ARXIV.get(name.lower().removeprefix("arxiv").lstrip(": "), name)


Outcome = Literal["not refuted", "refuted", "hypotheses not met", "undecidable"]


@dataclass(frozen=True)
class Hypothesis:
    """A condition and by how much it holds: a negative margin means it fails."""

    words: str
    margin: float

    @property
    def holds(self) -> bool:
        return self.margin >= 0


@dataclass(frozen=True)
class Prediction:
    """What a claim says will happen to this prompt."""

    claim: str
    words: str
    numbers: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Check:
    """What a claim said, what a run did. `holds` is None when the run cannot decide."""

    claim: str
    holds: bool | None
    words: str
    numbers: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Verdict:
    """The outcome of a search for counterexamples; never "verified"."""

    claim: str
    statement: Literal["printed", "corrected"]
    outcome: Outcome
    trials: int
    horizon: float
    worst: float
    """Violation ratio: above 1 the conclusion fails."""
    seed: int
    example: str = ""
    """The counterexample, in words."""
    undecided: int = 0
    """Trials inside the hypotheses whose run was too short, or too near a tie, to tell."""
    outside: int = 0
    """Trials that turned out not to meet the hypotheses."""


@dataclass(frozen=True)
class Outside:
    """What becomes of a conclusion where one hypothesis is dropped."""

    claim: str
    dropped: str
    trials: int
    fails: int
    undecided: int
    example: str
    """The clearest failure, in words."""


@dataclass(frozen=True)
class Claim:
    """A statement of a paper.

    `corrected` is None when the printed statement stands. `hypotheses(flow, mu)` lists conditions with margins (an empty
    list: the claim is not about such flows); `predict(flow, mu)` and `check(run)` are asked only when all hold.
    `falsify(seed, effort)` hunts for counterexamples, inside the hypotheses, with random and adversarial starts.
    """

    key: str
    source: str
    printed: str
    hypotheses: Callable[[Any, Any], Sequence[Hypothesis]]
    predict: Callable[[Any, Any], Prediction]
    check: Callable[[Any], Check] | None = None
    falsify: Callable[[int, int], Sequence[Verdict]] | None = None
    corrected: str | None = None
    kind: Literal["theorem", "lemma", "conjecture", "derived"] = "theorem"
    in_layers: bool = False
    """Whether the statement also holds for layers x + ηa, and its check reads them so."""

    @property
    def paper(self) -> str:
        return self.key.split(".")[0]

    def applies(self, flow, mu) -> bool:
        conditions = self.hypotheses(flow, mu)
        return bool(conditions) and all(condition.holds for condition in conditions)


_REGISTER: dict[str, Claim] = {}
_DROPPED: list[tuple[str, str, Callable[[int, int], Sequence[Any]]]] = []


def register(claim: Claim) -> Claim:
    if claim.key in _REGISTER:
        raise ValueError(f"claim {claim.key} is registered twice")
    _REGISTER[claim.key] = claim
    return claim


def drop(key: str, words: str, trials: Callable[[int, int], Sequence[Any]]) -> None:
    """Register trials of a conclusion on instances that lack one hypothesis."""
    _DROPPED.append((key, words, trials))


def outside(paper: str | None = None, *, seed: int = 0, effort: int = 1) -> list[Outside]:
    """Whether conclusions fail where a hypothesis is dropped; where they do not, the theorem may be wider than proved."""
    known = {claim.key for claim in claims(paper)}
    for name in BEYOND:
        _load(name)
    return [_beyond(key, words, list(make(seed, effort))) for key, words, make in _DROPPED if key in known]


def _beyond(key, words, trials) -> Outside:
    decided = [trial for trial in trials if not np.isnan(trial.ratio)]
    failed = [trial for trial in decided if trial.ratio > 1]
    worst = max(failed, key=lambda trial: trial.ratio, default=None)
    return Outside(
        key, words, len(trials), len(failed), len(trials) - len(decided), "" if worst is None else worst.example
    )


def claims(paper: str | None = None) -> list[Claim]:
    """All claims, or those of one paper."""
    for name in PAPERS if paper is None else (paper,):
        _load(name)
    return [claim for claim in _REGISTER.values() if paper in (None, claim.paper)]


def _load(paper: str) -> None:
    if paper not in PAPERS + BEYOND:
        raise ValueError(f"unknown paper {paper!r}; known are {', '.join(PAPERS)}")
    try:
        import_module(f"attnflow.theory.{paper}")
    except ModuleNotFoundError as error:
        if error.name != f"attnflow.theory.{paper}":
            raise


def predict(flow, mu) -> list[Prediction]:
    """What theory says of this flow and this prompt: one prediction for every claim whose hypotheses hold."""
    from ..densities import Density
    from ..measures import Gaussian, Particles

    if not isinstance(mu, Particles | Gaussian | Density) or not hasattr(flow, "attention"):
        raise ValueError(f"predict takes a flow and a prompt, got {type(flow).__name__} and {type(mu).__name__}")
    return [claim.predict(flow, mu) for claim in claims() if claim.applies(flow, mu)]


def check(run) -> list[Check]:
    """Every claim whose hypotheses hold at the start of the run, with numbers."""
    from ..evolution.trajectory import Trajectory

    if not isinstance(run, Trajectory):
        raise ValueError(f"check takes a run, made by evolve, got {type(run).__name__}")
    if run.ts.ndim > 1:
        raise ValueError("the runs of a batch are checked one by one: give run.member(i)")
    start = run.at(0)
    return [_checked(c, c.check, run) for c in claims() if c.check is not None and c.applies(run.flow, start)]


def _checked(claim: Claim, ask, run) -> Check:
    """A run in fixed steps is not the flow: it refutes only what is also claimed of layers."""
    found = ask(run)
    if found.holds is not False or run.stride is None or (claim.in_layers and is_layered(run)):
        return found
    why = f"steps of {run.stride.step:g} ({run.stride.method}) are not the flow of this claim; run it with a tolerance"
    return replace(found, holds=None, words=f"{found.words}: does not hold, but {why}")


def is_layered(run) -> bool:
    r"""Whether every step was $x\leftarrow x+\eta a$ (for rescaled tokens: $R^{-1}$ of it) with one η."""
    from ..rescaled import Rescaled

    stride = getattr(run, "stride", None)
    if stride is None or stride.method not in ("layers", "euler"):
        return False
    if stride.method == "layers":
        return True
    counts = np.asarray(run.ts, float) / stride.step
    return not isinstance(run.flow, Rescaled) and bool(np.abs(counts - np.round(counts)).max() < 1e-6)


def falsify(paper: str | None = None, *, seed: int = 0, effort: int = 1) -> list[Verdict]:
    """Search for counterexamples to every claim; larger effort means more starts and longer horizons."""
    return [verdict for c in claims(paper) if c.falsify is not None for verdict in c.falsify(seed, effort)]
