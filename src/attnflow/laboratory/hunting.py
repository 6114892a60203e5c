"""Hunts for counterexamples as scenarios: random and worsened runs inside the hypotheses of a claim, shrunk when one fails."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..attention import Softmax
from ..errors import BadInput
from ..evolution import evolve
from ..extensions import load_file
from ..flow import Flow
from ..papers.claim import Claim
from ..papers.hunt import Draws
from ..papers.independent import euclidean_run, sphere_run
from ..papers.register import ask, checks, find_claim
from ..scenario import from_dict
from ..scenario.building import build
from ..spaces import Sphere
from ..store.whole import whole
from ..sweeps.drive import settings
from ..sweeps.engines import cores, engine

SHAPES = ((6, 2), (6, 3))
"""Numbers of tokens and dimensions: few, since every shape is compiled once per worker."""
UNTIL = 5.0
BATCH = 16
"""Trials of one part; half of them vary the worst of the other half."""
AGREE = 1e-5
"""Engine and independent integrator must agree to this before a refutation is believed."""


@dataclass(frozen=True)
class Attempt:
    """One scenario: whether the hypotheses held, and how the check came out."""

    table: dict[str, Any]
    outcome: str
    """outside, holds, consistent, undecided, refuted, error."""
    ratio: float = np.nan
    words: str = ""


def drawn(draws) -> dict[str, Any]:
    """A random scenario with every number written out."""
    n, d = SHAPES[int(draws.integers(len(SHAPES)))]
    space = ("sphere", "euclidean")[int(draws.integers(2))]
    x = np.asarray(draws.normal(size=(n, d)))
    x = x / np.linalg.norm(x, axis=1, keepdims=True) if space == "sphere" else x
    beta = float(np.exp(draws.uniform(np.log(0.1), np.log(20.0))))
    kind, sign = int(draws.integers(4)), float(draws.choice([1.0, -1.0]))
    M = np.asarray(draws.normal(size=(d, d)))
    V = {0: np.eye(d), 1: (M + M.T) / 2, 2: M, 3: M @ M.T / d}[kind] * sign
    B = np.eye(d) if int(draws.integers(2)) else V * sign
    rule = ("softmax", "unnormalised")[int(draws.integers(2))]
    until = UNTIL if space == "sphere" else 1.0
    return {
        "tokens": {"kind": "array", "x": x.tolist()},
        "attention": {"rule": rule, "beta": beta, "B": B.tolist()},
        "flow": {"space": space, "V": V.tolist()},
        "time": {"until": until, "save": 33, "tol": 1e-9, "max_steps": 20000},
    }


def attempted(claim: Claim, table: dict[str, Any], tol: float | None = None) -> Attempt:
    """Run a scenario and check the claim on it."""
    table = table if tol is None else table | {"time": table["time"] | {"tol": tol}}
    try:
        flow, mu, options = build(from_dict(table))
    except BadInput:
        return Attempt(table, "outside")
    asked = [one for one in ask(flow, mu, paper=claim.paper) if one.claim.key == claim.key]
    if not asked[0].applies:
        return Attempt(table, "outside")
    run = evolve(flow, mu, **options)
    (found,) = checks(asked, run) or (None,)
    if found is None:
        return Attempt(table, "undecided")
    ratio = found.numbers.get("ratio", np.nan)
    return Attempt(table, found.outcome, float(ratio) if np.ndim(ratio) == 0 else np.nan, found.words)


def second_look(claim: Claim, table: dict[str, Any]) -> str | None:
    """None if a refutation stands at half the tolerance and by the independent integrator; else why not."""
    if attempted(claim, table, table["time"]["tol"] / 2).outcome != "refuted":
        return "at half the tolerance the claim holds"
    flow, mu, options = build(from_dict(table))
    if not isinstance(flow, Flow) or type(flow.attention) is not Softmax:
        return None
    run = evolve(flow, mu, **options)
    x, ts, d = np.asarray(table["tokens"]["x"], float), np.asarray(run.ts, float), mu.d
    x = np.asarray(flow.space.retract(jnp.asarray(x))) if isinstance(flow.space, Sphere) else x
    B = float(flow.attention.score.beta) * np.asarray(flow.attention.score.B(d), float)
    V = np.asarray(flow.V, float) * (np.eye(d) if np.ndim(flow.V) == 0 else 1.0)
    other = sphere_run(x, ts, beta=1.0, B=B, V=V) if isinstance(flow.space, Sphere) else euclidean_run(x, ts, B=B, V=V)
    size = max(1.0, float(np.abs(other).max()))
    if not np.isfinite(other).all() or np.abs(np.asarray(run.x) - other).max() > AGREE * size:
        return "the independent integrator finds another run"
    return None


def shrunk(claim: Claim, table: dict[str, Any], most: int = 60) -> dict[str, Any]:
    """A smaller scenario that still refutes: fewer tokens, shorter time, rounder numbers."""
    changed, tries = True, 0
    while changed:
        changed = False
        for smaller in _smaller(table):
            tries += 1
            if tries > most:
                return table
            if attempted(claim, smaller).outcome == "refuted":
                table, changed = smaller, True
                break
    return table


def _smaller(table: dict[str, Any]):
    x = np.asarray(table["tokens"]["x"])
    if len(x) > 2:
        for k in range(len(x)):
            yield table | {"tokens": table["tokens"] | {"x": np.delete(x, k, axis=0).tolist()}}
    for digits in (0, 1, 2):
        rounder = _rounded(table, digits)
        if json.dumps(rounder) != json.dumps(table) and len(json.dumps(rounder)) < len(json.dumps(table)):
            yield rounder


def _rounded(table: dict[str, Any], digits: int) -> dict[str, Any]:
    space = table["flow"]["space"]
    rounder = lambda rows: np.round(np.asarray(rows), digits).tolist()  # noqa: E731
    x = np.round(np.asarray(table["tokens"]["x"]), digits)
    if space == "sphere" and not np.linalg.norm(x, axis=1).all():
        return table
    attention = table["attention"] | {"B": rounder(table["attention"]["B"])}
    attention["beta"] = float(f"{table['attention']['beta']:.{digits + 1}g}")
    return table | {
        "tokens": table["tokens"] | {"x": x.tolist()} | ({"normalise": True} if space == "sphere" else {}),
        "attention": attention, "flow": table["flow"] | {"V": rounder(table["flow"]["V"])},
    }  # fmt: skip


# ---- parts of a hunt --------------------------------------------------------------------------------------------------


def hunt_part(key: str, files: tuple[str, ...], seed: int, setup: dict) -> dict[str, Any]:
    """Random scenarios, then changes of the worst of them; the first refutation is shrunk and looked at twice."""
    for name, value in setup.items():
        jax.config.update(name, value)
    claim = loaded(key, files)
    if claim.check is None:
        return register_part(claim, seed)
    rng = np.random.default_rng(seed)
    tried: list[tuple[Attempt, Draws]] = []
    worst: tuple[Attempt, Draws] | None = None
    size = 0.3
    for k in range(BATCH):
        draws = Draws(rng) if worst is None or k < BATCH // 2 else worst[1].moved(size)
        pair = (attempted(claim, drawn(draws)), draws)
        tried.append(pair)
        if pair[0].outcome == "refuted":
            return _part(seed, tried, *_believed(claim, pair[0]))
        is_worse = not np.isnan(pair[0].ratio) and (worst is None or pair[0].ratio > worst[0].ratio)
        size = min(1.0, size * 1.5) if is_worse else max(1e-3, 0.9 * size)
        worst = pair if is_worse else worst
    return _part(seed, tried, None, "")


def register_part(claim: Claim, seed: int) -> dict[str, Any]:
    """The register's own trials of a claim that no single run decides, with another seed; they have no scenario."""
    trials = claim.hunts["corrected" if "corrected" in claim.hunts else "printed"].trials(seed, 1)
    outcomes = ["outside" if not t.is_inside else "undecided" if np.isnan(t.ratio) else "refuted" if t.ratio > 1 else "holds"
                for t in trials]  # fmt: skip
    inside = [t for t in trials if t.is_inside and not np.isnan(t.ratio)]
    worst = max(inside, key=lambda t: t.ratio, default=None)
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
    outcomes = [attempt.outcome for attempt, _ in tried]
    ratios = [attempt.ratio for attempt, _ in tried if not np.isnan(attempt.ratio)]
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
            kept = {s: _read(folder / f"{mark}-{seed}-{s}.json") for s in seeds}
            missing = [s for s in seeds if kept[s] is None]
            if missing and time.monotonic() > end:
                break
            futures = {s: executor.submit(hunt_part, key, files, _seed(seed, s), settings()) for s in missing}
            for s, future in futures.items():
                kept[s] = future.result()
                _write(folder / f"{mark}-{seed}-{s}.json", kept[s])
            found |= {s: part for s, part in kept.items() if part is not None}
            k = seeds.stop
            report(k)
            if any(part["example"] for part in found.values()):
                break
    return Hunted(tuple(found[s] for s in sorted(found)))


def _seed(seed: int, part: int) -> int:
    return int(np.random.SeedSequence([seed, part]).generate_state(1)[0])


def _read(file: Path) -> dict[str, Any] | None:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _write(file: Path, part) -> None:
    with whole(file) as draft:
        draft.write_text(json.dumps(part), encoding="utf-8")


def scenario_of(claim: Claim, table: dict[str, Any]):
    """A counterexample as a scenario that `attnflow run` and `check` reproduce."""
    return replace(from_dict(table), title=f"A counterexample to {claim.key}")
