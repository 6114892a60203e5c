"""The hunt for counterexamples: random trials inside the hypotheses, and the worst of them made worse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from .claim import Claim, Statement
from .draws import Draws
from .register import claims
from .trial import Hunt, Trial, in_words, sensitivity
from .worsening import worsened


@dataclass(frozen=True)
class Verdict:
    """The outcome of a hunt; never "verified"."""

    claim: str
    statement: Statement
    outcome: Literal["not refuted", "refuted", "hypotheses not met", "undecidable"]
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
    law: str = ""
    """How the trials were drawn."""
    effort: int = 1
    sensitivity: float | None = None
    """The relative error of its number that the trials notice; infinite: not even 100 %; None: no number, or refuted."""

    @property
    def margin(self) -> float:
        """How far the worst trial was from a violation, 1 at most; negative where the statement fails."""
        return 1 - self.worst

    @property
    def notices(self) -> str:
        """What error of its number would have been seen, in words; nothing where the statement fell as it is."""
        return in_words(self.sensitivity) if self.outcome == "not refuted" else ""

    @property
    def command(self) -> str:
        """What finds the same verdict again."""
        return f"attnflow check {self.claim} --seed {self.seed} --effort {self.effort}"


@dataclass(frozen=True)
class Beyond:
    """What becomes of a conclusion where one hypothesis is dropped."""

    claim: str
    dropped: str
    trials: int
    fails: int
    undecided: int
    example: str
    """The clearest failure, in words."""


STEPS = 24
"""Changes of the worst trial that may make it worse; hunts whose trials take long name fewer."""


# ---- kinds of hunts ---------------------------------------------------------------------------------------------------


def sampled(one: Callable[[Any], Trial], count: int, *, law: str = "", steps: int = STEPS) -> Hunt:
    """`one(draws)` on random draws, then on changes of the worst of them that make it worse."""

    def trials(seed: int, effort: int) -> list[Trial]:
        rng = np.random.default_rng(seed)
        tried = [_tried(one, Draws(rng)) for _ in range(count * effort)]
        trial, draws = max(tried, key=lambda pair: _badness(pair[0]))
        first, found = _badness(trial), [trial for trial, _ in tried]
        if not np.isfinite(first) or first > 1:
            return found
        return found + list(worsened(one, draws, badness=_badness, steps=steps * effort, enough=1.0))

    return Hunt(trials, law)


def fixed(*trials: Callable[[], Trial]) -> Hunt:
    """Trials that need no chance: known or exact counterexamples, boundary parameters."""
    return Hunt(lambda seed, effort: [trial() for trial in trials], "given cases")


def both(*hunts: Hunt) -> Hunt:
    """Several kinds of trials, one after the other."""
    law = "; ".join(dict.fromkeys(hunt.law for hunt in hunts if hunt.law))
    return Hunt(lambda seed, effort: [trial for hunt in hunts for trial in hunt.trials(seed, effort)], law, hunts)


def shown(digits: int = 4, **parts) -> str:
    """An example in words."""
    return ", ".join(f"{name} = {np.round(value, digits).tolist()}" for name, value in parts.items())


def _tried(one, draws: Draws) -> tuple[Trial, Draws]:
    return one(draws), draws


def _badness(trial: Trial) -> float:
    return trial.ratio if trial.is_inside and not np.isnan(trial.ratio) else -np.inf


# ---- verdicts ---------------------------------------------------------------------------------------------------------


def falsify(paper: str | None = None, *, seed: int = 0, effort: int = 1) -> list[Verdict]:
    """Hunt for counterexamples to every claim; larger effort means more starts and longer horizons.

    >>> import attnflow as af
    >>> verdicts = af.falsify("sander2022")
    >>> sorted({verdict.outcome for verdict in verdicts})
    ['not refuted', 'refuted']
    """
    return [verdict for claim in claims(paper) for verdict in hunted(claim, seed=seed, effort=effort)]


def hunted(claim: Claim, *, seed: int = 0, effort: int = 1) -> list[Verdict]:
    """The verdicts on the printed and the corrected statement of one claim."""
    return [
        replace(_verdict(claim.key, statement, _tried_in(hunt, seed, effort), seed, hunt.law), effort=effort)
        for statement, hunt in claim.hunts.items()
    ]


def _tried_in(hunt: Hunt, seed: int, effort: int) -> list[list[Trial]]:
    """The trials of each kind."""
    return [list(part.trials(seed, effort)) for part in hunt.parts or (hunt,)]


def _verdict(key: str, statement: Statement, parts: list[list[Trial]], seed: int, law: str) -> Verdict:
    """Refuted by the worst trial, or not refuted."""
    trials = [trial for part in parts for trial in part]
    inside = [trial for trial in trials if trial.is_inside]
    # An infinite ratio is a violation beyond all numbers; only NaN says that a trial could not decide.
    decided = [trial for trial in inside if not np.isnan(trial.ratio)]
    worst = max(decided, key=lambda trial: trial.ratio, default=Trial(np.nan))
    outcome = (
        "hypotheses not met" if not inside
        else "undecidable" if not decided
        else "refuted" if worst.ratio > 1
        else "not refuted"
    )  # fmt: skip
    # Kinds of trials may be about several numbers: an error of the least noticed one counts.
    noticed = [s for part in parts if (s := sensitivity(part)) is not None] if outcome == "not refuted" else []
    return Verdict(
        key, statement, outcome, len(inside), max((trial.horizon for trial in inside), default=0.0),
        float(worst.ratio) if inside else 0.0, seed, worst.example if outcome == "refuted" else "",
        len(inside) - len(decided), len(trials) - len(inside), law, sensitivity=max(noticed, default=None),
    )  # fmt: skip


def outside(paper: str | None = None, *, seed: int = 0, effort: int = 1) -> list[Beyond]:
    """Whether conclusions fail where a hypothesis is dropped; where they do not, the theorem may be wider than proved."""
    return [found for claim in claims(paper) for found in dropped(claim, seed=seed, effort=effort)]


def dropped(claim: Claim, *, seed: int = 0, effort: int = 1) -> list[Beyond]:
    """What becomes of one claim without each of its hypotheses in turn."""
    return [_beyond(claim.key, words, hunt.trials(seed, effort)) for words, hunt in claim.outside.items()]


def _beyond(key: str, words: str, trials: list[Trial]) -> Beyond:
    decided = [trial for trial in trials if not np.isnan(trial.ratio)]
    failed = [trial for trial in decided if trial.ratio > 1]
    worst = max(failed, key=lambda trial: trial.ratio, default=Trial(0.0))
    return Beyond(key, words, len(trials), len(failed), len(trials) - len(decided), worst.example)
