"""Checkpoints: long runs in pieces that start anew at fixed times, so that a killed run resumes to the same digits."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

import jax
import jax.numpy as jnp
import numpy as np

from ..measures import Measure
from .dataset import merges_json
from .late_times.journey import needs_anchors
from .merging import merging_note
from .options import Options, checked, constant
from .run import run
from .trajectory import Merge, Status, Trajectory

CHUNKS = 10
BYTES = 2**26
"""A chunk of saved states stays below this size."""


class Shelf(Protocol):
    """Where finished chunks are kept."""

    def get(self, index: int, mu: Measure) -> Trajectory | None: ...

    def put(self, index: int, run: Trajectory) -> None: ...


def evolve_in_chunks(
    flow, mu: Measure, *, shelf: Shelf | None = None, chunk=None, report=None, **options
) -> Trajectory:
    """`evolve` with a checkpoint on the shelf after every `chunk` saved times.

    Chunks found on the shelf are not computed again; `report(done, total)` is called after each chunk. The limit of steps
    holds for each chunk, and for all of them together it is looked at after each.
    """
    chosen = checked(options)
    ts = np.asarray(chosen.times(mu))
    # Tokens kept as offsets cannot go through a saved z: such a run is one piece.
    size = len(ts) if needs_anchors(flow, mu, chosen) else chunk or chunk_size(len(ts), mu)
    pieces = cuts(ts, chosen.start, size)
    parts: list[Trajectory] = []
    state = mu
    for index, piece in enumerate(pieces):
        part = None if shelf is None else shelf.get(index, mu)
        if part is None:
            part = _piece(flow, state, options=chosen, piece=piece, count=len(pieces), index=index)
            if shelf is not None:
                shelf.put(index, part)
        parts.append(part)
        state = part.last
        _tell(report, index + 1, len(pieces))
        if part.status != Status.DONE:
            break
        if index + 1 < len(pieces) and sum(int(p.steps) for p in parts) >= chosen.max_steps:
            parts[-1] = replace(part, status=Status.of("OUT_OF_STEPS", part.status.time))
            break
    return joined(parts, flow, keeps_start=bool(ts[0] == pieces[0][0]), options=chosen)


def _tell(report: Callable[[int, int], None] | None, done: int, total: int) -> None:
    if report is not None:
        report(done, total)


def _piece(flow, state, *, options: Options, piece, count: int, index: int) -> Trajectory:
    if count == len(piece) == 1:
        return run(flow, state, options)
    seed = options.seed if index == 0 else int(np.random.SeedSequence([options.seed, index]).generate_state(1)[0])
    start = options.start if index == 0 else float(piece[0])
    until = options.until if index == count - 1 else float(piece[-1])
    return run(flow, state, replace(options, start=start, until=until, save=piece, seed=seed))


def chunk_size(saves: int, mu: Measure) -> int:
    """Intervals per chunk: about a tenth, if possible a divisor of their number, since equal shapes compile once."""
    intervals = max(1, saves - 1)
    size = sum(leaf.size * leaf.dtype.itemsize for leaf in jax.tree.leaves(mu))
    target = int(max(1, min(-(-intervals // CHUNKS), BYTES // size)))
    near = [c for c in range(-(-target // 2), 2 * target + 1) if intervals % c == 0]
    return min(near, key=lambda c: abs(c - target), default=target)


def cuts(ts: np.ndarray, start: float, size: int) -> list[np.ndarray]:
    """The save times in pieces that share their ends; the first begins at the start of the run."""
    points = ts if ts[0] == start else np.concatenate([[start], ts])
    if len(points) == 1:
        return [points]
    return [points[i : i + size + 1] for i in range(0, len(points) - 1, size)]


def joined(parts: Sequence[Trajectory], flow, *, keeps_start: bool, options: Options | None = None) -> Trajectory:
    """The pieces of one run as one trajectory, each shared end once."""
    skip = [0 if keeps_start else 1, *[1] * (len(parts) - 1)]
    # By NumPy: JAX would compile for every number of times.
    cut = [jax.tree.map(lambda a, s=s: np.asarray(a)[s:], (p.ts, p.states, p.labels)) for p, s in zip(parts, skip)]
    ts, states, labels = jax.tree.map(lambda *arrays: constant(np.concatenate(arrays)), *cut)
    merges = tuple(
        merge for k, p in enumerate(parts) for merge in p.merges if not (k and _is_known(merge, parts[k - 1]))
    )
    notes = tuple(dict.fromkeys(note for p in parts for note in p.notes))
    if labels is not None:
        notes = merging_note(merges, np.asarray(labels[-1]))
    return Trajectory(
        ts=ts,
        states=states,
        flow=flow,
        status=parts[-1].status,
        steps=jnp.asarray(sum(int(p.steps) for p in parts)),
        rejected=jnp.asarray(sum(int(p.rejected) for p in parts)),
        labels=labels,
        close=parts[0].close if len(parts) == 1 and keeps_start else None,
        merges=merges,
        notes=notes,
        stride=None if options is None else options.stride,
        tol=None if options is None else options.known_tol,
    )


def _is_known(merge: Merge, before: Trajectory) -> bool:
    """Whether the tokens had become one in the piece before: its end is where this one began."""
    return before.labels is not None and len(np.unique(np.asarray(before.labels[-1])[list(merge.tokens)])) == 1


def restored(part: dict[str, np.ndarray], mu: Measure) -> Trajectory:
    """A chunk from the arrays `packed` made of it."""
    leaves, tree = jax.tree.flatten(mu)
    states = jax.tree.unflatten(tree, [jnp.asarray(part[f"state{i}"]) for i in range(len(leaves))])
    return Trajectory(
        ts=jnp.asarray(part["ts"]),
        states=states,
        flow=None,
        status=Status(jnp.asarray(part["code"]), jnp.asarray(part["time"])),
        steps=jnp.asarray(part["steps"]),
        rejected=jnp.asarray(part["rejected"]),
        labels=jnp.asarray(part["labels"]) if "labels" in part else None,
        merges=tuple(Merge(time, tuple(tokens), moved) for time, tokens, moved in json.loads(str(part["merges"]))),
        notes=tuple(str(note) for note in part["notes"]),
    )


def packed(done: Trajectory) -> dict[str, np.ndarray]:
    """A chunk as plain arrays."""
    states = {f"state{i}": np.asarray(leaf) for i, leaf in enumerate(jax.tree.leaves(done.states))}
    labels = {} if done.labels is None else {"labels": np.asarray(done.labels)}
    kept = {
        "ts": done.ts, "code": done.status.code, "time": done.status.time, "steps": done.steps,
        "rejected": done.rejected, "notes": np.asarray(done.notes, dtype=str), "merges": merges_json(done),
    }  # fmt: skip
    return states | labels | {name: np.asarray(value) for name, value in kept.items()}
