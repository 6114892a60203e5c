"""Recorded runs: the hidden states of a model on a prompt, layer by layer, as a trajectory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import equinox as eqx
import jax.numpy as jnp
import numpy as np

from ..engine.evolution import Trajectory
from ..engine.flow import Block
from ..engine.flow.block import Passing
from ..engine.linalg.arguments import as_annotated, one_of
from ..engine.linalg.rows import unit_rows
from ..engine.measures import Particles
from ..engine.summation.tiled import Tiled
from ..errors import BadInput, quoted
from .depth import DEAD
from .model import Model, Start
from .observed import FRAMES, Unseen, trajectory


@as_annotated
def record(model: Model, prompt, *, frame: str = "sphere", mask=None, names: Sequence[str] | None = None) -> Trajectory:
    """The states of a prompt before the first layer and after every layer; time is the number of layers passed.

    `prompt` is text, token numbers, an image for a ViT, or an array (n, d) of numbers taken as tokens before the first
    layer. Frames: "raw" is the stream, "unit" its directions, "sphere" the directions that the norms of the model make
    (post-LN: before gain and bias, of length 1 up to ε; pre-LN: of what the next layer reads). `mask` is true for tokens
    that are heard, false for padding.

    >>> import attnflow as af
    >>> model = af.models.random_albert()
    >>> run = af.record(model, [3, 1, 4, 1, 5])
    >>> run.x.shape, run.frame
    ((5, 5, 8), 'sphere')
    """
    check_frame(frame)
    start, called = started(model, prompt, names=names)
    heard = start.heard if mask is None else _heard(mask)
    mu = Particles(start.y, None if heard is None else _masses(heard, len(start.y)))
    states = []
    at = begin(model, start)
    for layer in range(model.depth + 1):
        states.append(_seen(model, at, layer, frame))
        if layer < model.depth:
            at = through(model.layers[layer], at, mu, Tiled())
    x = jnp.asarray(np.stack(states))
    return replace(
        trajectory(x, frame, called, first=start.y), states=_repeated(mu, x), notes=_notes(model, start, frame)
    )


def _notes(model: Model, start: Start, frame: str) -> tuple[str, ...]:
    if frame != "sphere" or not model.is_post_ln or start.z is not None:
        return ()
    return (
        "no norm made the first states: theirs are directions only; start layers from layer 1, or from the raw frame",
    )


def check_frame(frame: str) -> None:
    one_of(frame, "frame", FRAMES)


def _heard(mask) -> np.ndarray:
    try:
        return np.asarray(mask, bool)
    except (TypeError, ValueError):
        raise BadInput(f"mask must be true or false for each token, got {quoted(mask)}") from None


def _masses(heard, n: int):
    if heard.shape != (n,) or not heard.any():
        raise BadInput(f"mask must be true or false for each of {n} tokens, and true for one at least")
    return heard.astype(float)


def _repeated(mu: Particles, x):
    return eqx.tree_at(lambda m: (m.x, m.mass), mu, (x, jnp.broadcast_to(mu.mass, x.shape[:-1])))


def started(model: Model, prompt, *, names=None) -> tuple[Start, tuple[str, ...]]:
    """Tokens before the first layer, and what they are called."""
    if isinstance(prompt, str):
        if model.words is None:
            raise BadInput(f"{model.name} has no tokeniser that can be read here (package tokenizers?); give numbers")
        prompt = model.words.encode(prompt)
    prompt = _as_array(prompt.detach().cpu() if hasattr(prompt, "detach") else prompt)  # pyright: ignore[reportAttributeAccessIssue]
    if prompt.size == 0:
        raise BadInput("the prompt is empty: at least one token is needed")
    if np.issubdtype(prompt.dtype, np.floating) and prompt.ndim == 2 and prompt.shape[1] == model.d:
        return Start(jnp.asarray(prompt, jnp.result_type(float))), tuple(names or ())
    if prompt.ndim == 2 and prompt.shape[0] == 1 and model.family != "torch encoder":
        prompt = prompt[0]
    is_image = prompt.ndim == 3
    if not is_image and prompt.dtype.kind not in "iu":
        raise BadInput(f"a prompt is text, whole numbers, or vectors (n, {model.d}); got {prompt.dtype} {prompt.shape}")
    if prompt.ndim == 1 and model.embedding.positions is not None and len(prompt) > model.embedding.positions:
        raise BadInput(
            f"the prompt has {len(prompt)} tokens, but {model.name} has {model.embedding.positions} positions"
        )
    if not is_image and prompt.ndim != (2 if model.family == "torch encoder" else 1):
        raise BadInput(f"one prompt is a list of token numbers, got an array of shape {prompt.shape}")
    # First the embedding, which refuses numbers that no word has.
    start = model.embedding.start(prompt)
    called = tuple(names) if names is not None else () if model.words is None or is_image else model.words.names(prompt)
    return start, called


def _as_array(prompt) -> np.ndarray:
    try:
        return np.asarray(prompt)
    except ValueError:
        raise BadInput(f"a prompt is text, or one list of whole numbers, got {quoted(prompt)}") from None


def begin(model: Model, start: Start) -> Passing:
    """Stream and state before the first layer; a stream that no norm made has a direction only."""
    block = model.layers[0]
    if not block.is_on_sphere:
        return Passing(start.y, start.y, jnp.ones((), start.y.dtype))
    norm = block.entry if start.z is not None and block.entry is not None else block.sublayers[-1].closing
    assert norm is not None
    u, radius = _entered(norm, start.y if start.z is None else start.z)
    return Passing(u, start.y, radius)


@eqx.filter_jit
def _entered(norm, z):
    u = norm.direction(z)
    return u, norm.radius(u)


@eqx.filter_jit
def through(block: Block, at: Passing, mu: Particles, summation) -> Passing:
    """What comes out of one layer."""
    return block.pass_through(at, mu, k=0, eta=1.0, summation=summation)


def _seen(model: Model, at: Passing, layer: int, frame: str):
    if frame == "raw":
        return at.y
    if frame == "unit":
        return unit_rows(at.y)
    if model.is_post_ln:
        return at.u
    norm = model.final if layer == model.depth else model.reading(layer)
    return unit_rows(at.y if norm is None else norm.centred(at.y))


@eqx.filter_jit
def read(norm, u):
    """What a norm lets the next layer see of directions u."""
    return norm.read(u)


def in_frame(model: Model, run: Trajectory, frame: str, *, first: int = 0) -> Trajectory:
    """A run of states of post-LN layers, from layer `first` on, in a frame where depths compare.

    "raw" are the streams; "sphere" the directions without the coordinates that a gain near 0 hides from every reader.
    """
    if not model.is_post_ln:
        return run
    layers = model.layers[first:]
    made_by = [model.reading(first), *(layers[k % len(layers)].sublayers[-1].closing for k in range(len(run.ts) - 1))]
    states = [_framed(norm, u, frame) for norm, u in zip(made_by, np.asarray(run.x))]
    if made_by[0] is None and frame == "raw":
        states[0] = np.asarray(run.flow.first)  # pyright: ignore[reportAttributeAccessIssue] (a recorded run)
    return replace(eqx.tree_at(lambda r: r.states.x, run, jnp.asarray(np.stack(states))), frame=frame)


def _framed(norm, u, frame: str) -> np.ndarray:
    if norm is None:
        return u
    gain = np.abs(np.asarray(norm.gain))
    return np.asarray(read(norm, u)) if frame == "raw" else np.where(gain < DEAD * gain.mean(), 0, u)


def stream_at(model: Model, run: Trajectory, layer: int):
    """What layer `layer` received in a recorded run."""
    if run.x.shape[-1] != model.d:
        raise BadInput(f"the run has tokens of dimension {run.x.shape[-1]}, but {model.name} has {model.d}")
    states = np.asarray(run.x)
    if run.frame == "raw":
        return jnp.asarray(states[layer])
    if layer % model.depth == 0 and isinstance(run.flow, Unseen) and run.flow.first is not None:
        return run.flow.first
    norm = model.reading(layer) if model.is_post_ln else None
    if run.frame == "sphere" and norm is not None:
        return read(norm, states[layer])
    raise BadInput(f'the stream cannot be had from the "{run.frame}" frame of this run; record it with frame="raw"')
