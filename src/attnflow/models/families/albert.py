"""ALBERT: post-LN encoders whose layers share their weights."""

from __future__ import annotations

from ...engine.attention import MultiHead
from ...engine.flow import Block, FeedForward, Sublayer
from ...errors import BadInput
from ..files.weights import Weights
from ..model import Model
from ..tensors import (
    Tensors,
    activation_of,
    by_head,
    maybe_by_head,
    number_in,
    output_by_head,
    prefix_of,
    refuse_other,
    whole,
)
from .bert import absolute
from .known import kind_of

GROUP = "encoder.albert_layer_groups"
KNOWN_BY = f"{GROUP}.0.albert_layers.0.attention.query.weight"


def build(weights: Weights) -> Model:
    prefix = prefix_of(weights.tensors, KNOWN_BY) or ""
    t, config = Tensors(weights.tensors, prefix), weights.config
    kind_of(config, "albert", told=("hidden_act", "layer_norm_eps"))
    refuse_other(config, "ALBERT", is_decoder=False, position_embedding_type="absolute")
    d, heads = t.raw(KNOWN_BY, None, None).shape[1], whole(config, "num_attention_heads")
    depth, eps = whole(config, "num_hidden_layers", most=10**4), number_in(config, "layer_norm_eps", 1e-12)
    stretch = t.linear("encoder.embedding_hidden_mapping_in", d, None)
    embedding = absolute(t.below("embeddings"), eps, stretch=stretch)
    groups = [_group(t.below(f"{GROUP}.{g}"), d, heads=heads, config=config, eps=eps) for g in range(t.count(GROUP))]
    if depth % len(groups):
        raise BadInput(f"{depth} layers cannot be shared by {len(groups)} groups of weights")
    layers = tuple(block for l in range(depth) for block in groups[l * len(groups) // depth])
    return Model("ALBERT", "ALBERT", layers, embedding, config=config, source=weights.source)


def _group(t: Tensors, d: int, **told) -> list[Block]:
    return [_layer(t.below(f"albert_layers.{inner}"), d, **told) for inner in range(t.count("albert_layers"))]


def _layer(t: Tensors, d: int, *, heads, config, eps) -> Block:
    names = ("query", "key", "value", "dense")
    (Q, q), (K, k), (V, c), (W, o) = (t.linear(f"attention.{name}", d, d) for name in names)
    (a, b), (w, e) = t.linear("ffn", None, d), t.linear("ffn_output", d, None)
    attention = MultiHead(
        by_head(Q, heads), by_head(K, heads), V=by_head(V, heads), W=output_by_head(W, heads),
        q=maybe_by_head(q, heads), k=maybe_by_head(k, heads), c=maybe_by_head(c, heads), o=o,
    )  # fmt: skip
    layer = FeedForward(w, a, 0.0 if b is None else b, activation_of(config, "hidden_act", default="gelu_new"), c=e)
    return Block([
        Sublayer(attention, closing=t.layer_norm("attention.LayerNorm", d, eps)),
        Sublayer(layer, closing=t.layer_norm("full_layer_layer_norm", d, eps)),
    ])  # fmt: skip
