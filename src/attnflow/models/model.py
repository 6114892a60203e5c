"""Model: the layers of a trained Transformer as blocks, with its embedding and its words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ..engine.attention import MultiHead
from ..engine.flow import Block, FeedForward, Norm
from ..engine.linalg.shown import Shown
from ..errors import BadInput, quoted


class Start(NamedTuple):
    """Tokens before the first layer: the stream, and what was normalised into it, where it was."""

    y: Float[Array, "n d"]
    z: Float[Array, "n d"] | None = None
    heard: np.ndarray | None = None
    """Which tokens are heard; the others are padding."""


class Embedding(Protocol):
    """How a prompt becomes tokens."""

    @property
    def positions(self) -> int | None:
        """The longest prompt, or None."""
        ...

    def start(self, prompt: np.ndarray) -> Start: ...


class Words(Protocol):
    """How text becomes numbers, and what a number is called."""

    def encode(self, text: str) -> np.ndarray: ...

    def names(self, ids: np.ndarray) -> tuple[str, ...]: ...


@dataclass(frozen=True, repr=False)
class Model(Shown):
    """A trained Transformer: `layers[k]` is layer k as a `Block`; layers that share their weights are one object."""

    family: str
    name: str
    layers: tuple[Block, ...]
    embedding: Embedding
    final: Norm | None = None
    """The norm after the last layer of pre-LN models; states are recorded before it."""
    unembedding: np.ndarray | None = None
    """Rows that turn the last state into scores of words, where the weights hold them."""
    words: Words | None = None
    config: dict[str, Any] = field(default_factory=dict)
    source: str = ""

    def __post_init__(self):
        if not self.layers:
            raise BadInput("the weights hold no layers")

    def facts(self):
        heads = self.heads(0)
        return {
            "family": self.family, "name": self.name, "layers": f"{self.depth}{', shared' if self.is_shared else ''}",
            "d": str(self.d), "heads": f"{heads.count} of dimension {heads.Q.shape[1]}",
            "tokens": "causal" if self.is_causal else "all hear all", "norms": self.scheme,
        }  # fmt: skip

    @property
    def depth(self) -> int:
        return len(self.layers)

    @property
    def d(self) -> int:
        return self.heads(0).Q.shape[-1]

    @property
    def is_shared(self) -> bool:
        """Whether one layer is applied again and again."""
        return self.depth > 1 and all(block is self.layers[0] for block in self.layers)

    @property
    def is_causal(self) -> bool:
        return self.heads(0).is_causal

    @property
    def is_post_ln(self) -> bool:
        return self.layers[0].is_on_sphere

    @property
    def scheme(self) -> str:
        """Where normalisation stands."""
        if self.is_post_ln:
            return "post-LN"
        return "peri-LN" if self.layers[0].sublayers[0].branches[0].after is not None else "pre-LN"

    def heads(self, layer: int) -> MultiHead:
        """The attention of a layer."""
        return self._parts(layer, MultiHead)[0]

    def feed_forward(self, layer: int) -> FeedForward:
        """The feed-forward part of a layer."""
        return self._parts(layer, FeedForward)[0]

    def _parts(self, layer: int, kind) -> list[Any]:
        found = [b.part for s in self.block(layer).sublayers for b in s.branches if isinstance(b.part, kind)]
        if not found:
            raise BadInput(f"layer {layer} of {self.name} has no {kind.__name__}")
        return found

    def block(self, layer: int) -> Block:
        """Layer of that number, counted from 0, or from the end below 0."""
        if not isinstance(layer, int | np.integer) or isinstance(layer, bool) or not -self.depth <= layer < self.depth:
            raise BadInput(f"{self.name} has layers 0 to {self.depth - 1}, got layer {quoted(layer)}")
        return self.layers[int(layer)]

    def reading(self, layer: int) -> Norm | None:
        """The norm through which attention of a layer reads: its own in pre-LN models, that before it in post-LN ones."""
        block = self.block(layer)
        if not block.is_on_sphere:
            return next(b.before for s in block.sublayers for b in s.branches if isinstance(b.part, MultiHead))
        layer = layer % self.depth
        return block.entry if layer == 0 else self.layers[layer - 1].sublayers[-1].closing


@eqx.filter_jit
def normed(norm: Norm, z) -> Array:
    """What a norm makes of z: one program, where operations one by one would be many."""
    return norm(z)


def take(table: np.ndarray, ids: np.ndarray, what: str = "vocabulary") -> np.ndarray:
    """Rows of an embedding table, in the precision of the engine."""
    if ids.dtype.kind not in "iu":
        raise BadInput(f"tokens of the {what} are whole numbers, got {ids.dtype} {ids.shape}")
    if ids.size and (ids.min() < 0 or ids.max() >= len(table)):
        raise BadInput(f"token number {int(ids.max() if ids.max() >= len(table) else ids.min())} is outside the {what}"
                       f" of {len(table)}")  # fmt: skip
    return np.asarray(table[ids], jnp.result_type(float))
