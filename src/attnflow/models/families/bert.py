"""BERT and its like (MiniLM, RoBERTa): post-LN encoders with absolute positions."""

from __future__ import annotations

from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np

from ...engine.attention import MultiHead
from ...engine.flow import Block, FeedForward, LayerNorm, Sublayer
from ...errors import BadInput
from ..files.weights import Weights
from ..model import Model, Start, normed, take
from ..tensors import (
    Tensors,
    activation_of,
    by_head,
    label_of,
    maybe_by_head,
    maybe_whole,
    number_in,
    output_by_head,
    prefix_of,
    refuse_other,
    whole,
)
from .known import WAY_OUT, kind_of

KNOWN_BY = "encoder.layer.0.attention.self.query.weight"
COUNTED = ("roberta", "xlm-roberta", "camembert", "data2vec-text")
"""Kinds that count positions from the number of their padding on."""


@dataclass(frozen=True)
class Absolute:
    """Sum of the embeddings of word, position and segment, through a norm; perhaps stretched to the model's width."""

    word: np.ndarray
    position: np.ndarray
    segment: np.ndarray | None
    norm: LayerNorm
    padding: int | None = None
    """The number of the word that only fills up, where positions are counted from it on (RoBERTa)."""
    stretch: tuple[np.ndarray, np.ndarray | None] | None = None

    @property
    def positions(self) -> int:
        return len(self.position) - (0 if self.padding is None else self.padding + 1)

    def start(self, prompt):
        z = take(self.word, prompt) + take(self.position, self._places(prompt), "positions")
        if self.segment is not None:
            z = z + take(self.segment, np.zeros(len(prompt), int))
        if self.stretch is None:
            return Start(normed(self.norm, z), jnp.asarray(z))
        M, offset = self.stretch
        y = np.asarray(normed(self.norm, z)) @ M.T
        return Start(jnp.asarray(y if offset is None else y + offset))

    def _places(self, prompt):
        if self.padding is None:
            return np.arange(len(prompt))
        counts = prompt != self.padding
        return np.where(counts, np.cumsum(counts), 0) + self.padding


def absolute(t: Tensors, eps: float, *, padding: int | None = None, stretch=None) -> Absolute:
    """The embedding tables that BERT and ALBERT share."""
    word = t.raw("word_embeddings.weight", None, None)
    size = word.shape[1]
    segment = t.raw("token_type_embeddings.weight", None, size) if t.has("token_type_embeddings.weight") else None
    norm = t.layer_norm("LayerNorm", size, eps)
    if stretch is not None and stretch[0].shape[1] != size:
        raise BadInput(f"embeddings have {size} numbers, but the mapping to the layers takes {stretch[0].shape[1]}")
    return Absolute(word, t.raw("position_embeddings.weight", None, size), segment, norm, padding, stretch)


def build(weights: Weights) -> Model:
    prefix = prefix_of(weights.tensors, KNOWN_BY) or ""
    t, config = Tensors(weights.tensors, prefix), weights.config
    kind = kind_of(config, "bert", "ernie", "electra", *COUNTED, told=("hidden_act", "layer_norm_eps"))
    refuse_other(config, "BERT", position_embedding_type="absolute", is_decoder=False)
    d, heads = t.raw(KNOWN_BY, None, None).shape[1], whole(config, "num_attention_heads")
    eps = number_in(config, "layer_norm_eps", 1e-12)
    embedding = absolute(t.below("embeddings"), eps, padding=_padding(config) if kind in COUNTED else None)
    if embedding.word.shape[1] != d:
        raise BadInput(
            f"embeddings of {embedding.word.shape[1]} numbers for layers of {d}: a map is not read; {WAY_OUT}"
        )
    made, entry = [], embedding.norm
    for l in range(t.count("encoder.layer")):
        layer, entry = _layer(t.below(f"encoder.layer.{l}"), d, heads=heads, config=config, eps=eps, entry=entry)
        made.append(layer)
    name = label_of(config, "_name_or_path", "BERT")
    return Model("BERT", name, tuple(made), embedding, config=config, source=weights.source)


def _padding(config) -> int:
    """The number of the word that fills up, which may be 0; 1 by default."""
    return 0 if config.get("pad_token_id") == 0 else maybe_whole(config, "pad_token_id") or 1


def _layer(t: Tensors, d: int, *, heads, config, eps, entry):
    (Q, q), (K, k), (V, c) = (t.linear(f"attention.self.{name}", d, d) for name in ("query", "key", "value"))
    (W, o), (a, b), (w, e) = (
        t.linear(*entries)
        for entries in (
            ("attention.output.dense", d, d), ("intermediate.dense", None, d), ("output.dense", d, None),
        )
    )  # fmt: skip
    attention = MultiHead(
        by_head(Q, heads), by_head(K, heads), V=by_head(V, heads), W=output_by_head(W, heads),
        q=maybe_by_head(q, heads), k=maybe_by_head(k, heads), c=maybe_by_head(c, heads), o=o,
    )  # fmt: skip
    layer = FeedForward(w, a, 0.0 if b is None else b, activation_of(config, "hidden_act"), c=e)
    closing = t.layer_norm("output.LayerNorm", d, eps)
    sublayers = [
        Sublayer(attention, closing=t.layer_norm("attention.output.LayerNorm", d, eps)),
        Sublayer(layer, closing=closing),
    ]
    return Block(sublayers, entry=entry), closing
