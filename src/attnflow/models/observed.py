"""Hidden states from anywhere as a trajectory, with the frame they are in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import equinox as eqx
import jax.numpy as jnp
import numpy as np

from ..engine.evolution import Status, Trajectory
from ..engine.linalg.arguments import as_annotated, one_of
from ..engine.linalg.array_files import read_npy, regular
from ..engine.linalg.rows import unit_rows
from ..engine.linalg.shown import Shown
from ..engine.measures import Particles
from ..engine.spaces import Euclidean, Space, Sphere
from ..errors import BadInput
from .files.weights import read_npz

FRAMES = ("raw", "unit", "sphere")


class Unseen(Shown, eqx.Module):
    """The flow behind states that were only observed: nothing is known of it but where they live."""

    space: Space
    first: Any = None
    """The stream before the first layer, of states recorded as directions."""

    @property
    def state_space(self) -> Space:
        return self.space

    def facts(self):
        return {"space": type(self.space).__name__, "known": "states only"}


@as_annotated
def observed(array, *, frame: str = "raw", names: Sequence[str] | None = None) -> Trajectory:
    """Hidden states (layers, n, d) as a trajectory whose time is the number of layers passed.

    `array` may be an array or a path to one, a list with one entry per layer (Hugging Face `hidden_states`, with a batch of
    one), or a cache of activations by name (TransformerLens, nnsight). "raw" keeps the numbers; "unit" takes directions;
    "sphere" says that they are directions already.

    >>> import attnflow as af
    >>> import numpy as np
    >>> states = np.random.default_rng(0).normal(size=(4, 6, 3))  # layers, tokens, dimension
    >>> af.observed(states, frame="unit").x.shape
    (4, 6, 3)
    """
    one_of(frame, "frame", FRAMES)
    x = _states(array)
    if not np.isfinite(x).all():
        raise BadInput("hidden states must be finite, but contain NaN or infinity")
    size = np.linalg.norm(x, axis=-1)
    if frame != "raw" and not size.all():
        raise BadInput("a token is the zero vector, which has no direction")
    if frame == "sphere" and np.abs(size - 1).max() > 1e-3:
        raise BadInput(
            'these are no unit vectors; observe them as "raw" or "unit", or record(model, …, frame="sphere")'
        )
    return trajectory(jnp.asarray(unit_rows(x) if frame == "unit" else x), frame, names)


def trajectory(x, frame: str, names=None, *, first=None) -> Trajectory:
    """States (layers, n, d) with equal masses as a run of layers."""
    called = tuple(names or ())
    if called and len(called) != x.shape[1]:
        raise BadInput(f"there are {len(called)} names for {x.shape[1]} tokens")
    count = jnp.asarray(x.shape[0] - 1)
    states = Particles(x)
    flow = Unseen(Euclidean() if frame == "raw" else Sphere(), first)
    ts = jnp.arange(x.shape[0], dtype=x.dtype)
    return Trajectory(
        ts, states, flow, Status.of("DONE", count), count, jnp.zeros_like(count), frame=frame, names=called
    )


@as_annotated
def same_frame(run: Trajectory, other: Trajectory) -> None:
    """Raise unless two runs are in one frame and have one shape: numbers of different frames do not compare."""
    if run.frame != other.frame:
        raise BadInput(f'states in frame "{run.frame}" and "{other.frame}" do not compare; record both in one frame')
    if run.x.shape != other.x.shape:
        raise BadInput(f"runs of shapes {run.x.shape} and {other.x.shape} do not compare")


@as_annotated
def difference(run: Trajectory, other: Trajectory) -> np.ndarray:
    """The largest difference of two runs at every layer, in one frame."""
    same_frame(run, other)
    return np.abs(np.asarray(run.x) - np.asarray(other.x)).max(axis=(1, 2))


def _states(array) -> np.ndarray:
    if isinstance(array, str | Path):
        array = _read(regular(array))
    if isinstance(array, Mapping) or (hasattr(array, "keys") and hasattr(array, "__getitem__")):
        array = _cached(array)
    if isinstance(array, Sequence):
        array = _stacked([_one(state) for state in array])
    x = _one(array)
    if x.ndim == 4 and x.shape[1] == 1:
        x = x[:, 0]
    if x.ndim == 4:
        raise BadInput(
            f"hidden states of {x.shape[1]} prompts at once, shape {x.shape}: give one prompt, such as [:, 0]"
        )
    if x.ndim != 3 or 0 in x.shape:
        raise BadInput(f"hidden states must have shape (layers, n, d), got {x.shape}")
    return x.astype(np.result_type(x.dtype, np.float32))


def _stacked(states: list[np.ndarray]) -> np.ndarray:
    shapes = {state.shape for state in states}
    if not shapes:
        raise BadInput("there are no hidden states: the list is empty")
    if len(shapes) > 1:
        raise BadInput(f"states of all layers must have one shape, got {', '.join(map(str, sorted(shapes)))}"[:198])
    return np.stack(states)


def _read(path: Path):
    if path.suffix != ".npz":
        return read_npy(path)
    kept = read_npz(path)
    if not kept:
        raise BadInput(f"{path.name}: the archive is empty")
    return kept.get("hidden_states", next(iter(kept.values())))


def _one(state) -> np.ndarray:
    if hasattr(state, "value") and not hasattr(state, "shape"):
        state = state.value
    if hasattr(state, "detach"):
        state = state.detach().cpu()
        state = state.float() if "bfloat16" in str(getattr(state, "dtype", "")) else state
    array = np.asarray(state)
    if not np.issubdtype(array.dtype, np.number) or np.iscomplexobj(array):
        raise BadInput(f"hidden states must be real numbers, got {array.dtype}")
    return array


def _cached(cache) -> list:
    """The residual stream of a TransformerLens cache, before every layer and after the last."""
    found = [re.fullmatch(r"blocks\.(\d+)\.hook_resid_(pre|post)", str(name)) for name in list(cache.keys())]
    layers = sorted({int(match[1]) for match in found if match})
    if not layers:
        if "hidden_states" in list(cache.keys()):
            return cache["hidden_states"]
        raise BadInput("no hidden states in this cache: looked for blocks.N.hook_resid_pre, …_post and hidden_states")
    names = ["blocks.0.hook_resid_pre", *[f"blocks.{l}.hook_resid_post" for l in range(layers[-1] + 1)]]
    if missing := [name for name in names if name not in list(cache.keys())]:
        raise BadInput(f"the cache has layers up to {layers[-1]}, but no {missing[0]}")
    return [cache[name] for name in names]
