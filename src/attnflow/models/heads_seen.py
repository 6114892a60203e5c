"""What the heads of a layer see of a recorded prompt: scores, weights and streams, one head at a time."""

from __future__ import annotations

from collections.abc import Iterator

import equinox as eqx
import numpy as np
from jaxtyping import Array, Float

from ..engine.attention import MultiHead
from ..engine.evolution import Trajectory
from ..engine.measures import Particles
from ..errors import BadInput, quoted
from .model import Model, normed
from .record import stream_at


def seen_by(model: Model, run: Trajectory, layer: int) -> tuple[MultiHead, Particles]:
    """The attention of a layer and the tokens that it reads, after the norm before it in pre-LN models."""
    y = stream_at(model, run, layer)
    norm = None if model.is_post_ln else model.reading(layer)
    return model.heads(layer), run.at(0).moved_to(y if norm is None else normed(norm, y))  # pyright: ignore[reportAttributeAccessIssue]


def attentions(model: Model, run: Trajectory) -> Iterator[tuple[int, Float[Array, "h n n"]]]:
    """The attention matrices of a recorded run, layer by layer: nothing is kept beyond one layer."""
    for layer in range(model.depth):
        yield layer, weights_of(*seen_by(model, run, layer))


@eqx.filter_jit
def weights_of(heads: MultiHead, mu: Particles) -> Float[Array, "h n n"]:
    """The attention matrices of a layer on tokens."""
    return heads.matrix(mu)


def is_heard(heads: MultiHead, mu: Particles) -> np.ndarray:
    """Who hears whom: padding and what a mask hides is not heard."""
    i, j = np.arange(mu.n)[:, None], np.arange(mu.n)[None, :]
    heard = np.broadcast_to(np.asarray(mu.mass) > 0, (mu.n, mu.n))
    if heads.is_causal:
        heard = heard & (j <= i)
    return heard if heads.window is None else heard & (np.abs(i - j) < heads.window)


def layers_of(model: Model, layers) -> list[int]:
    """The layers asked for, or all that differ: one for shared weights is still seen at every depth."""
    if layers is None:
        return list(range(model.depth))
    if not np.iterable(layers) or isinstance(layers, str | bytes) or not (layers := list(layers)):
        raise BadInput(f"layers must be a list of layers, 0 to {model.depth - 1}, got {quoted(layers)}")
    for layer in layers:
        model.block(layer)  # refuses what is no layer
    return [int(layer) % model.depth for layer in layers]
