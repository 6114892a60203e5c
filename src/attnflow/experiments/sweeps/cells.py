"""Cells of a sweep, computed part by part: a part is written whole or not at all, and its file is the mark that it is done."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ...engine.evolution import evolve, evolve_batch
from ...engine.evolution.late_times.journey import needs_anchors
from ...engine.evolution.options import checked
from ...engine.evolution.trajectory import CODE, Status, Trajectory
from ...engine.files.sealed import read_arrays, write_arrays
from ...engine.measures import Particles
from ...errors import BadInput
from ..scenario import to_dict
from ..scenario.building import build_flow, build_options, build_tokens
from .observables import Observable, value_of
from .plan import Part, Plan, is_batchable


def part_file(folder: Path, part: Part) -> Path:
    return Path(folder) / "parts" / f"{part.name}.npz"


def run_part(folder: Path, plan: Plan, part: Part, setup: dict) -> str:
    """Compute the cells of a part and leave them in its file; a part that is there already is not computed again."""
    for name, value in setup.items():
        jax.config.update(name, value)
    if not is_done(folder, part):
        write_arrays(part_file(folder, part), measured(plan, part), of=part.name)
    return part.name


def read_part(folder: Path, part: Part) -> dict[str, np.ndarray] | None:
    """The values of a part, if its file is there and whole; a damaged one is computed again like a missing one."""
    return read_arrays(part_file(folder, part), of=part.name)


def is_done(folder: Path, part: Part) -> bool:
    return read_part(folder, part) is not None


def measured(plan: Plan, part: Part) -> dict[str, np.ndarray]:
    """Every observable of every cell, with its status; a cell whose observable raises says why."""
    runs = _runs(plan, part)
    words = [""] * len(runs)
    out: dict[str, np.ndarray] = {}
    for place, observable in enumerate(plan.observables):
        values = [_value(observable, run, words, k) for k, run in enumerate(runs)]
        out[f"value{place}"] = np.stack([_padded(v, run, observable, plan) for v, run in zip(values, runs)])
    out["status"] = np.array([int(run.status.code) for run in runs], np.int8)
    out["time"] = np.array([float(run.status.time) for run in runs])
    out["why"] = np.array(words)
    return out


def _value(observable: Observable, run: Trajectory, words: list[str], k: int) -> np.ndarray:
    try:
        return value_of(observable, run)
    except Exception as error:  # a user's function, or an observable that this state does not have
        words[k] = words[k] or f"{observable.name}: {type(error).__name__}: {' '.join(str(error).split())[:120]}"
        return np.asarray(np.nan)


def _padded(value: np.ndarray, run: Trajectory, observable: Observable, plan: Plan) -> np.ndarray:
    """Values over time on the clock of the sweep; times that were not reached have none."""
    if not observable.over_time:
        return value
    clock = clock_of(plan)
    out = np.full(len(clock), np.nan)
    if value.ndim:
        seen = np.isin(np.asarray(run.ts), clock)
        out[: seen.sum()] = value[seen]
    return out


@lru_cache(maxsize=2)
def _clock(table: str, precision: str) -> np.ndarray:
    from_table = Plan(json.loads(table), (), (), precision, {})
    scenario = from_table.cell(0)
    return np.asarray(checked(build_options(scenario)).times(Particles(jnp.zeros((1, 1), precision))))


def clock_of(plan: Plan) -> np.ndarray:
    """The times at which all cells are saved."""
    return _clock(json.dumps(plan.scenario | {"tokens": {"kind": "sphere"}}), plan.precision)


# ---- runs of a part ---------------------------------------------------------------------------------------------------


def _runs(plan: Plan, part: Part) -> list[Trajectory]:
    scenarios = [plan.cell(cell) for cell in part.cells]
    build = Builder()
    built = [build(scenario) for scenario in scenarios]
    options = built[0][2]
    if not any(one.needs_path for one in plan.observables):
        options = options | {"save": 1}
    flow, mu, _ = built[0]
    if len(built) > 1 and is_batchable(scenarios[0]) and not needs_anchors(flow, mu, checked(options)):
        try:
            return _side_by_side(built, options)
        except BadInput:  # cells that turn out to differ in more than numbers
            pass
    own = {} if any(one.needs_path for one in plan.observables) else {"save": 1}
    return [_alone(flow, mu, told | own) for flow, mu, told in built]


def _alone(flow, mu, options: dict[str, Any]) -> Trajectory:
    return evolve(flow, mu, **options)


def _side_by_side(built, options) -> list[Trajectory]:
    flows, mus = [one[0] for one in built], [one[1] for one in built]
    batch = jax.device_get(evolve_batch(flows, mus, **{k: v for k, v in options.items() if k != "seed"}))
    ended = np.asarray(batch.status.code)
    return [
        _member(batch, k, flows[k]) if ended[k] == CODE["DONE"]
        # A batch keeps no state at which a run ended early.
        else evolve(flows[k], mus[k], **options)
        for k in range(len(built))
    ]  # fmt: skip


def _member(batch: Trajectory, k: int, flow) -> Trajectory:
    """One run of a batch that reached its end, with the flow it was given."""
    pick = lambda a: a[k]  # noqa: E731
    states, status = jax.tree.map(pick, batch.states), jax.tree.map(pick, batch.status)
    return Trajectory(
        batch.ts[k], states, flow, status, batch.steps[k], batch.rejected[k], stride=batch.stride, tol=batch.tol
    )


class Builder:
    """Builds cells; what two cells share is built once."""

    def __init__(self):
        self._flows: dict[str, object] = {}
        self._prompts: dict[str, object] = {}

    def __call__(self, scenario):
        mu = self._kept(self._prompts, [to_dict(scenario.tokens), scenario.seed], lambda: build_tokens(scenario))
        parts = to_dict(scenario)
        told = json.dumps([parts.get("attention"), parts.get("flow")], default=str)
        # Only random matrices depend on the seed.
        seed = scenario.seed if '"random"' in told else None
        flow = self._kept(self._flows, [told, seed, mu.d], lambda: build_flow(scenario, mu.d))
        return flow, mu, build_options(scenario)

    @staticmethod
    def _kept(table, key, make):
        words = json.dumps(key, default=str)
        if words not in table:
            table[words] = make()
        return table[words]


def probe(plan: Plan) -> None:
    """Build one cell for every value of every axis and look at what is measured at its start; refuse what cannot be."""
    build = Builder()
    for scenario in plan.corners():
        flow, mu, options = build(scenario)
        checked(options).times(mu)
        start = _start(flow, mu)
        for observable in plan.observables:
            if observable.is_cheap:
                value_of(observable, start)


def _start(flow, mu) -> Trajectory:
    """The run of no length: what observables see at time 0."""
    states = jax.tree.map(lambda a: jnp.asarray(a)[None] if eqx.is_array(a) else a, mu)
    nothing = jnp.asarray(0)
    return Trajectory(jnp.zeros(1), states, flow, Status.of("DONE", 0.0), nothing, nothing)
