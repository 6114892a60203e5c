"""A statement of a paper as one object: hypotheses → prediction → check, with the hunts for a counterexample."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from .paper import Paper
from .proofs import Proof, proofs_of
from .trial import Hunt

Provenance = Literal["seen", "transcribed", "quoted", "summarised", "authors' code", "derived"]
"""Where our wording of a statement comes from; only what was *seen* can be called false as printed."""
Erratum = Literal["false", "incomplete", "convention", "slip of the pen"]
Decides = Literal["static", "monotone", "trajectory", "end state"]
"""What of a run a check reads: one state alone, a quantity that only grows or falls, the whole course, or where it ends."""
Statement = Literal["printed", "corrected"]
KINDS = ("theorem", "proposition", "lemma", "corollary", "remark", "conjecture", "equation", "figure", "table")
Outcome = Literal["holds", "consistent", "refuted", "undecided", "error"]
FAILS = ("refuted", "error")
"""Outcomes with which a command ends with exit code 1."""


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
    title: str = ""
    hypotheses: tuple[Hypothesis, ...] = ()
    is_error: bool = False
    """Whether asking the claim failed: a bug of ours, told in `words`."""


@dataclass(frozen=True)
class Check:
    """What a claim said, what a run did.

    *holds*: this run could have violated it and did not; *consistent*: it did not, but many wrong runs would pass too;
    *refuted*; *undecided*: `words` say why; *error*: a bug of ours.
    """

    claim: str
    outcome: Outcome
    words: str
    numbers: dict[str, Any] = field(default_factory=dict)
    title: str = ""

    @property
    def holds(self) -> bool | None:
        return {"holds": True, "consistent": True, "refuted": False}.get(self.outcome)

    @property
    def fails(self) -> bool:
        """Whether a command must end with exit code 1."""
        return self.outcome in FAILS


@dataclass(frozen=True)
class Finding:
    """What the check of a claim found; the register turns it into a `Check`."""

    outcome: Literal["holds", "consistent", "refuted", "undecided"]
    words: str
    numbers: dict[str, Any]


def holds(words: str, **numbers) -> Finding:
    return Finding("holds", words, numbers)


def refuted(words: str, **numbers) -> Finding:
    return Finding("refuted", words, numbers)


def undecided(words: str, **numbers) -> Finding:
    """`words` say why, and what run would decide."""
    return Finding("undecided", words, numbers)


def compared(ratio: float, words: str, **numbers) -> Finding:
    """Holds while a violation ratio is at most 1; NaN, and what lies below all numbers, decides nothing."""
    if np.isnan(ratio) or ratio == -np.inf:
        return undecided(f"{words}: not finite", ratio=ratio, **numbers)
    return (holds if ratio <= 1 else refuted)(words, ratio=float(ratio), **numbers)


class Claim(ABC):
    """A statement of a paper; every subclass is final, and the register makes the one object of it.

    `hypotheses` lists conditions with margins; an empty list says that the claim is not about such flows. `predict` and
    `check` are asked only when all of them hold. `check` sees a run whose time starts at 0 and whose numbers are finite.

    >>> import attnflow as af
    >>> claim = next(claim for claim in af.claims() if claim.key == "geshkovski2024.theorem6.1")
    >>> claim.title, claim.provenance, claim.decides
    ('From three dimensions on almost every prompt ends as one cluster, at every temperature', 'seen', 'end state')
    """

    number: ClassVar[str]
    """As printed in the paper's edition, e.g. "theorem 3.1"; a short name for what is printed nowhere."""
    title: ClassVar[str]
    printed: ClassVar[str]
    """The statement; whether these words were seen in print is what `provenance` says."""
    provenance: ClassVar[Provenance]
    corrected: ClassVar[str | None] = None
    """The statement with its erratum mended, as `proof` backs it; None where the printed one stands."""
    erratum: ClassVar[Erratum | None] = None
    """What is wrong with the statement as printed."""
    latex: ClassVar[str] = ""
    """The statement in symbols: the corrected one where there is one."""
    assumes: ClassVar[str] = ""
    """The hypotheses in words, where no flow is asked for them."""
    kind: ClassVar[str] = ""
    """Theorem, lemma, conjecture, …; by default the first word of the number, or "derived"."""
    decides: ClassVar[Decides | None] = None
    """What of a run the check reads; None for a statement about no single run, which only hunts can test."""
    in_layers: ClassVar[bool] = False
    """Whether the statement also holds for layers x + ηa, and its check reads them so."""
    speaks_from: ClassVar[str] = ""
    """Of a statement that is empty at every size that exists: where it begins to say something."""
    see: ClassVar[tuple[str, ...]] = ()
    """Keys of claims that say nearly the same."""
    hunts: ClassVar[Mapping[Statement, Hunt]] = {}
    """Trials of the printed and of the corrected statement."""
    outside: ClassVar[Mapping[str, Hunt]] = {}
    """Trials of the conclusion without the hypothesis that the key names."""

    def __init_subclass__(cls) -> None:
        first = cls.number.split()[0]
        cls.kind = cls.__dict__.get("kind") or (first if first in KINDS else "derived")

    def __init__(self, record: Paper):
        self.record = record

    @property
    def paper(self) -> str:
        return self.record.name

    @property
    def key(self) -> str:
        is_printed = self.number.split()[0] in KINDS
        return f"{self.paper}.{self.number.replace(' ', '' if is_printed else '_').lower()}"

    @property
    def source(self) -> str:
        where = "derived" if self.kind == "derived" else self.number
        return f"{self.record.citation}, {where}"

    @property
    def statement(self) -> str:
        """The whole statement: a correction stands after the words that it corrects."""
        return self.printed if self.corrected is None else f"{self.printed.rstrip('.')}. Corrected: {self.corrected}"

    @property
    def proof(self) -> Proof | None:
        """How a corrected or derived statement is known; None for one that is the paper's own."""
        if self.corrected is None and self.provenance != "derived":
            return None
        return proofs_of(self.paper).get(self.key.split(".", 1)[1], Proof("none"))

    def hypotheses(self, flow, mu) -> Sequence[Hypothesis]:
        return ()

    def predict(self, flow, mu) -> tuple[str, dict[str, Any]]:
        """What will happen, in words and in numbers."""
        raise NotImplementedError(f"{self.key} has hypotheses but no prediction")

    check: ClassVar[Callable[[Any, Any], Finding] | None] = None
    """`check(self, run) -> Finding`, where a run can be checked."""

    def __repr__(self) -> str:
        return f"<{self.key}: {self.title}>"
