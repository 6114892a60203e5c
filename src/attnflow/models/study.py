"""Study of a model on a prompt: every measurement of a report, with its control beside it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..engine.evolution import Trajectory, evolve, layers
from ..engine.flow import Block, stack
from ..errors import BadInput
from .alone import Alone, alone
from .as_flow import as_flow, first_made, without
from .checking import Law, laws_of
from .consensus import Consensus, consensus
from .controls import reinitialised, shuffled
from .depth import Depth, Rogue, along_depth, groups, mean_cosines, rogue_coordinates
from .lyapunov import lyapunov
from .model import Model
from .record import in_frame, record
from .regimes import Regimes, regimes
from .spectra import Spectra, spectra

SEEN = 100
"""A long run is measured at most at so many layers."""


@dataclass(frozen=True)
class Iterated:
    """The model applied again and again beyond its depth."""

    at: np.ndarray
    depth: Depth
    groups: list[tuple[int, list[list[str]]]]
    """At a few layers, the names of the tokens in the largest clusters."""
    what: str
    control: Depth
    """The same of the first shuffled model."""


@dataclass(frozen=True)
class Study:
    """All that a report says of a model and a prompt."""

    model: Model
    run: Trajectory
    laws: list[Law]
    frame: str
    """In which all cosines along depth are taken: "sphere" where one norm makes every state, else "raw"."""
    elsewhere: tuple[str, np.ndarray] | None
    """The other frame, of post-LN models, and the mean cosine by layer there."""
    depth: Depth
    shuffled: list[Depth]
    untrained: Depth
    regimes: Regimes
    control_regimes: Regimes
    spectra: Spectra
    control_spectra: Spectra
    rogues: list[Rogue]
    control_rogues: list[Rogue]
    iterated: Iterated | None
    ablated: dict[str, np.ndarray]
    """Mean cosine by layer where what one part adds is 0, norms kept, and of the ODE."""
    rates: np.ndarray
    control_rates: np.ndarray
    """Of the first shuffled model, inside the trained depth."""
    consensus: Consensus | None
    control_consensus: Consensus | None
    alone: Alone
    control_alone: Alone
    notes: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        return self.run.states.n  # pyright: ignore[reportAttributeAccessIssue]


def study(model: Model, prompt, *, iterate: int | None = None, control: int = 3, names=None, tell=None) -> Study:
    """Measure a model on a prompt, with `control` shuffled models; `iterate` layers beyond its depth (default: few)."""
    if control < 1:
        raise BadInput("a study needs at least one control: numbers of a model alone say nothing of its training")
    tell = tell or (lambda words: None)
    tell("recording")
    run = record(model, prompt, frame="sphere" if model.is_post_ln else "raw", names=names)
    if run.states.n < 3:  # pyright: ignore[reportAttributeAccessIssue]
        raise BadInput("a study needs at least three tokens; give a longer text")
    tell("controls")
    others = [shuffled(model, seed=seed) for seed in range(control)]
    runs = [record(other, prompt, frame=run.frame or "raw", names=names) for other in others]
    both = (model, run), (others[0], runs[0])
    with ThreadPoolExecutor(1) as beside:
        # Compiling, sums and eigenvalues leave the interpreter to others, so two things at once take less time.
        of_heads = beside.submit(_of_heads, *both, jnp.result_type(float) == jnp.float64)
        of_layers = _of_layers(*both, iterate, tell)
        tell("depth")
        untrained, frame = reinitialised(model), frame_of(model)
        both_frames = {other: in_frame(model, run, other) for other in ("raw", "sphere")}
        elsewhere = "raw" if frame == "sphere" else "sphere"
        of_depth = {
            "frame": frame, "elsewhere": (elsewhere, mean_cosines(both_frames[elsewhere])) if model.is_post_ln else None,
            "depth": along_depth(both_frames[frame]),
            "shuffled": [along_depth(in_frame(other, r, frame)) for other, r in zip(others, runs)],
            "untrained": along_depth(record(untrained, prompt, frame=frame, names=names)),
            "rogues": rogue_coordinates(*both[0]), "control_rogues": rogue_coordinates(*both[1]),
        }  # fmt: skip
        tell("heads")
        return Study(model, run, **of_depth, **of_layers, **of_heads.result(), notes=(*run.notes, *_limits(model)))


Seen = tuple[Model, Trajectory]


def frame_of(model: Model) -> str:
    """The frame for cosines along depth: directions of norms that differ from layer to layer do not compare."""
    return "sphere" if model.is_post_ln and model.is_shared else "raw"


def _of_layers(seen: Seen, control: Seen, iterate: int | None, tell) -> dict[str, Any]:
    """What becomes of tokens in many layers, without parts of these, and of small differences between tokens."""
    tell("iterating")
    (model, run), first = seen, first_made(seen[0])
    block, control_block = _whole(model), _whole(control[0])
    start: Any = run.at(first)
    count = (400 if model.is_shared else 2 * model.depth) if iterate is None else iterate
    long = layers(block, start, max(count, 3 * model.depth if model.is_shared else count, 1))
    control_long = layers(control_block, control[1].at(first), len(long.ts) - 1)  # pyright: ignore[reportArgumentType]
    tell("parts")
    ablated = _ablated(model, block, start, long)
    tell("stability")
    rates = lyapunov(block, long, count=min(len(long.ts) - 1, 3 * model.depth))
    control_rates = lyapunov(control_block, control_long, count=min(len(control_long.ts) - 1, model.depth))
    has_consensus = block.depth is None and model.is_post_ln and not model.is_causal
    return {
        "iterated": _iterated(model, long, run, control_long), "ablated": ablated, "laws": laws_of(model, run, long),
        "rates": rates, "control_rates": control_rates,
        "consensus": consensus(block) if has_consensus else None,
        "control_consensus": consensus(control_block) if has_consensus else None,
    }  # fmt: skip


def _of_heads(seen: Seen, control: Seen, is_double: bool) -> dict[str, Any]:
    """What heads do; a thread has to be told the precision."""
    with jax.enable_x64(is_double):
        return {
            "regimes": regimes(*seen), "control_regimes": regimes(*control),
            "spectra": spectra(*seen), "control_spectra": spectra(*control),
            "alone": alone(*seen), "control_alone": alone(*control),
        }  # fmt: skip


def _whole(model: Model) -> Block:
    """The layer that is shared, or all layers in turn, from the first whose state is on the sphere."""
    if model.is_shared or first_made(model) == 0:
        return as_flow(model)  # pyright: ignore[reportReturnType]
    return stack(model.layers[1:])


def _limits(model: Model) -> tuple[str, ...]:
    notes = []
    if not model.is_shared:
        notes.append("layers have weights of their own: iterated means all layers in turn, again and again")
    if not model.is_post_ln:
        notes.append("pre-LN: states are streams, whose directions are measured; their lengths grow with depth")
    return tuple(notes)


def _iterated(model: Model, long: Trajectory, run: Trajectory, control: Trajectory) -> Iterated:
    long, control = (in_frame(model, r, frame_of(model), first=first_made(model)) for r in (long, control))
    last = min(len(long.ts), len(control.ts)) - 1
    at = np.unique(np.linspace(0, last, min(last + 1, SEEN)).astype(int))
    names = run.names or tuple(str(i) for i in range(run.x.shape[1]))
    shown = sorted({0, min(model.depth, last), last // 4, last})
    together = [(k, _groups(long, k, names)) for k in shown]
    what = "the shared layer" if model.is_shared else "all layers in turn"
    return Iterated(at, along_depth(long, at=at), together, what, along_depth(control, at=at))


def _groups(run: Trajectory, k: int, names, most: int = 6) -> list[list[str]]:
    x = np.asarray(run.x)[k].astype(float)
    u = x / np.linalg.norm(x, axis=1, keepdims=True)
    count, labels = groups(u @ u.T)
    members = sorted(([names[i] for i in np.flatnonzero(labels == c)] for c in range(count)), key=len, reverse=True)
    return [group for group in members[:most] if len(group) > 1]


def _ablated(model: Model, block: Block, start, long: Trajectory) -> dict[str, np.ndarray]:
    count = min(len(long.ts) - 1, 2 * model.depth)
    runs = {"whole": long}
    for part in ("feed-forward", "attention"):
        runs[f"no {part}"] = layers(without(block, part), start, count)
    if block.depth is None:
        runs["as an ODE"] = evolve(block, start, until=float(count), save=count + 1, method="rk4", step=0.25)
    frame, first = frame_of(model), first_made(model)
    return {
        name: mean_cosines(in_frame(model, run, frame, first=first), at=range(count + 1)) for name, run in runs.items()
    }


def as_data(found: Study) -> dict[str, Any]:
    """The study as plain data, for machines."""
    cosines = np.array([d.cosine for d in found.shuffled])
    return {
        "model": found.model.facts() | {"source": found.model.source}, "tokens": found.tokens, "frame": found.frame,
        "cosine_in_other_frame": None if found.elsewhere is None else dict([found.elsewhere]),
        "checks": [vars(law) | {"holds": law.holds} for law in found.laws],
        "depth": vars(found.depth) | {"violations": found.depth.violations},
        "shuffled": {"cosine": cosines, "violations": [d.violations for d in found.shuffled], "seeds": list(range(len(cosines)))},
        "untrained": vars(found.untrained),
        "regimes": found.regimes.rows(), "regimes_shuffled": found.control_regimes.rows(),
        "spectra": found.spectra.rows(), "spectra_shuffled": found.control_spectra.rows(),
        "rogue_coordinates": [vars(r) for r in found.rogues],
        "rogue_coordinates_shuffled": [vars(r) for r in found.control_rogues],
        "iterated": None if found.iterated is None else {
            "what": found.iterated.what, "layers": found.iterated.at, **vars(found.iterated.depth),
            "groups": [{"layer": k, "tokens": groups} for k, groups in found.iterated.groups],
            "shuffled": vars(found.iterated.control),
        },
        "parts": found.ablated, "lyapunov": found.rates, "lyapunov_shuffled": found.control_rates,
        "consensus": _consensus_data(found.consensus), "consensus_shuffled": _consensus_data(found.control_consensus),
        "attention_alone": found.alone.data(), "attention_alone_shuffled": found.control_alone.data(), "notes": list(found.notes),
    }  # fmt: skip


def _consensus_data(found: Consensus | None) -> dict[str, Any] | None:
    if found is None:
        return None
    largest = {name: float(np.abs(getattr(found, name)).max()) for name in ("transverse", "parallel")}
    return {"verdict": found.verdict, "residual": found.residual, **largest}
