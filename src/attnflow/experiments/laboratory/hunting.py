"""Hunts for counterexamples as scenarios: random runs inside the hypotheses of a claim, and the worst of them made worse."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import jax
import numpy as np

from ...engine.files.sealed import read_data, write_data
from ...errors import BadInput
from ...papers.claim import Claim
from ...papers.draws import Draws
from ...papers.register import find_claim
from ...papers.worsening import worsened
from ..extensions import load_file
from ..scenario import from_dict
from ..sweeps.drive import settings
from ..sweeps.engines import check_engine, cores, engine
from .attempts import ABOUT_NOTHING, Attempt, attempted, margin_of, second_look, shrunk
from .drawing_scenarios import scenario_table

RANDOM, WORSE = 8, 24
"""Runs of one part: random ones, and changes of the worst of them."""
ASKED = 300
"""Scenarios of which only the hypotheses are asked, to find one inside."""
PUSHED = 60
"""Changes of a scenario that misses the hypotheses, to bring it inside."""


# ---- parts of a hunt --------------------------------------------------------------------------------------------------


def hunt_part(key: str, files: tuple[str, ...], seed: int, setup: dict) -> dict[str, Any]:
    """Random scenarios, then changes of the worst of them; the first refutation is shrunk and looked at twice."""
    for name, value in setup.items():
        jax.config.update(name, value)
    claim = loaded(key, files)
    if claim.check is None:
        return register_part(claim, seed)
    tried: list[Attempt] = []
    for attempt in attempts(claim, np.random.default_rng(seed)):
        tried.append(attempt)
        if attempt.outcome == "refuted":
            return _part(seed, tried, *_believed(claim, attempt))
    return _part(seed, tried, None, "")


def attempts(claim: Claim, rng: np.random.Generator) -> Iterator[Attempt]:
    """Random attempts inside the hypotheses, then ever worse ones, from the worst of them on."""
    one = lambda draws: attempted(claim, scenario_table(draws))  # noqa: E731
    worst: tuple[Attempt, Draws] | None = None
    for draws in inside(claim, rng, RANDOM):
        attempt = one(draws)
        yield attempt
        if worst is None or attempt.badness > worst[0].badness:
            worst = attempt, draws
    if worst is not None and np.isfinite(worst[0].badness):
        yield from worsened(one, worst[1], badness=lambda a: a.badness, steps=WORSE)


def inside(claim: Claim, rng: np.random.Generator, count: int) -> Iterator[Draws]:
    """Draws of scenarios that meet the hypotheses: by chance, else by moving one that misses them into them."""

    def tried(draws: Draws) -> tuple[float, Draws]:
        return margin_of(claim, scenario_table(draws)), draws

    found, missed = 0, []
    for _ in range(ASKED):
        margin, draws = tried(Draws(rng))
        if margin >= 0:
            found += 1
            yield draws.again()
        elif margin > ABOUT_NOTHING:
            missed.append((margin, draws))
        if found == count:
            return
    for _, draws in sorted(missed, key=lambda pair: -pair[0])[: count - found]:
        pushed = worsened(tried, draws, badness=lambda pair: pair[0], steps=PUSHED)
        moved = next((moved for margin, moved in pushed if margin >= 0), None)
        if moved is not None:
            yield moved.again()


def register_part(claim: Claim, seed: int) -> dict[str, Any]:
    """The register's own trials of a claim that no single run decides, with another seed; they have no scenario."""
    trials = claim.hunts["corrected" if "corrected" in claim.hunts else "printed"].trials(seed, 1)
    outcomes = ["outside" if not t.is_inside else "undecided" if np.isnan(t.ratio) else "refuted" if t.ratio > 1 else "holds"
                for t in trials]  # fmt: skip
    decided = [t for t in trials if t.is_inside and not np.isnan(t.ratio)]
    worst = max(decided, key=lambda t: t.ratio, default=None)
    return {
        "seed": seed, "counts": {name: outcomes.count(name) for name in dict.fromkeys(outcomes)},
        "worst": None if worst is None else float(worst.ratio), "example": None,
        "words": worst.example if worst is not None and worst.ratio > 1 else "",
    }  # fmt: skip


def loaded(key: str, files: tuple[str, ...]) -> Claim:
    for file in files:
        load_file(file)
    return find_claim(key)


def _believed(claim: Claim, attempt: Attempt) -> tuple[dict[str, Any] | None, str]:
    small = shrunk(claim, attempt.table)
    doubt = second_look(claim, small)
    if doubt is None:
        return small, attempted(claim, small).words
    doubt = second_look(claim, attempt.table)
    return (attempt.table, attempt.words) if doubt is None else (None, f"a refutation was not believed: {doubt}")


def _part(seed: int, tried, example, words: str) -> dict[str, Any]:
    outcomes = [attempt.outcome for attempt in tried]
    ratios = [attempt.ratio for attempt in tried if not np.isnan(attempt.ratio)]
    counts = {name: outcomes.count(name) for name in dict.fromkeys(outcomes)}
    return {"seed": seed, "counts": counts, "worst": max(ratios, default=None), "example": example, "words": words}


@dataclass(frozen=True)
class Hunted:
    """What a hunt has found so far."""

    parts: tuple[dict[str, Any], ...]

    @property
    def counts(self) -> dict[str, int]:
        names = dict.fromkeys(name for part in self.parts for name in part["counts"])
        return {name: sum(part["counts"].get(name, 0) for part in self.parts) for name in names}

    @property
    def inside(self) -> int:
        return sum(count for name, count in self.counts.items() if name != "outside")

    @property
    def example(self) -> dict[str, Any] | None:
        """The shortest counterexample."""
        found = [part["example"] for part in self.parts if part["example"] is not None]
        return min(found, key=lambda table: len(json.dumps(table)), default=None)


def hunt(
    key: str, folder: Path, *, budget: float, files: tuple[str, ...] = (), seed: int = 0, on: str | Executor = "serial",
    workers: int | None = None, most: int | None = None, report: Callable[[int], None] = lambda done: None,
) -> Hunted:  # fmt: skip
    """Hunt until the budget (seconds) is used, a counterexample stands, or `most` parts are done; parts on disk count."""
    claim = loaded(key, files)
    if claim.check is None and not claim.hunts:
        raise BadInput(
            f"{key}: no run decides this claim and it has no trials of its own, so there is nothing to hunt with"
        )
    if on != "auto":
        check_engine(on)
    folder.mkdir(parents=True, exist_ok=True)
    mark = hashlib.sha256("".join([key, *[Path(f).read_text(encoding="utf-8") for f in files]]).encode()).hexdigest()[
        :8
    ]
    end, workers, k = time.monotonic() + budget, workers or cores(), 0
    found: dict[int, dict[str, Any]] = {}
    with engine(on, workers) as make:
        executor = make()
        while most is None or k < most:
            seeds = range(k, min(k + (1 if on == "serial" else workers), most or k + workers))
            file_of = {s: folder / f"{mark}-{seed}-{s}.json" for s in seeds}
            kept = {s: read_data(file, of=file.stem) for s, file in file_of.items()}
            missing = [s for s in seeds if kept[s] is None]
            if missing and time.monotonic() > end:
                break
            futures = {s: executor.submit(hunt_part, key, files, _seed(seed, s), settings()) for s in missing}
            for s, future in futures.items():
                kept[s] = part = future.result()
                write_data(file_of[s], part, of=file_of[s].stem)
            found |= {s: part for s, part in kept.items() if part is not None}
            k = seeds.stop
            report(k)
            if any(part["example"] for part in found.values()):
                break
    return Hunted(tuple(found[s] for s in sorted(found)))


def _seed(seed: int, part: int) -> int:
    return int(np.random.SeedSequence([seed, part]).generate_state(1)[0])


def scenario_of(claim: Claim, table: dict[str, Any]):
    """A counterexample as a scenario that `attnflow run` and `check` reproduce."""
    return replace(from_dict(table), title=f"A counterexample to {claim.key}")
