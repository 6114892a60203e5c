"""GPT-NeoX and Pythia: causal pre-LN decoders, rotary on a part of each head, attention and feed-forward side by side."""

from __future__ import annotations

import numpy as np

from ...engine.attention import MultiHead
from ...engine.flow import Block, Branch, FeedForward, Sublayer
from ...errors import BadInput
from ..files.weights import Weights
from ..model import Model
from ..tensors import Tensors, activation_of, maybe_whole, number_in, output_by_head, prefix_of, refuse_other, whole
from .gpt2 import Table
from .known import kind_of
from .rotary import turn_of

KNOWN_BY = "layers.0.attention.query_key_value.weight"


def build(weights: Weights) -> Model:
    prefix = prefix_of(weights.tensors, KNOWN_BY) or ""
    t, config = Tensors(weights.tensors, prefix), weights.config
    kind_of(config, "gpt_neox", told=("hidden_act", "layer_norm_eps", "rotary_pct|rope_parameters"))
    refuse_other(config, "GPT-NeoX", is_causal=True)
    word = t.raw("embed_in.weight", None, None)
    d, heads, eps = word.shape[1], whole(config, "num_attention_heads"), number_in(config, "layer_norm_eps", 1e-5)
    blocks = [_layer(t.below(f"layers.{l}"), d, heads=heads, config=config, eps=eps) for l in range(t.count("layers"))]
    embedding = Table(word, longest=maybe_whole(config, "max_position_embeddings"))
    final = t.layer_norm("final_layer_norm", d, eps)
    out = weights.tensors.get("embed_out.weight")
    return Model("GPT-NeoX", "GPT-NeoX", tuple(blocks), embedding, final, out, config=config, source=weights.source)


def _layer(t: Tensors, d: int, *, heads, config, eps) -> Block:
    # Queries, keys and values of one head lie together, head after head.
    if d % heads:
        raise BadInput(f"{d} coordinates cannot be shared by {heads} heads; check num_attention_heads")
    M, bias = t("attention.query_key_value.weight", 3 * d, d), t.maybe("attention.query_key_value.bias", 3 * d)
    Q, K, V = np.moveaxis(M.reshape(heads, 3, d // heads, d), 1, 0)
    q, k, c = (None,) * 3 if bias is None else np.moveaxis(bias.reshape(heads, 3, d // heads), 1, 0)
    W, o = t.linear("attention.dense", d, d)
    turn = turn_of(d // heads, config, usual=0.25)
    attention = MultiHead(Q, K, V=V, W=output_by_head(W, heads), q=q, k=k, c=c, o=o, turn=turn, causal=True)
    (a, b), (w, e) = t.linear("mlp.dense_h_to_4h", None, d), t.linear("mlp.dense_4h_to_h", d, None)
    layer = FeedForward(w, a, 0.0 if b is None else b, activation_of(config, "hidden_act"), c=e)
    one, other = t.layer_norm("input_layernorm", d, eps), t.layer_norm("post_attention_layernorm", d, eps)
    if config.get("use_parallel_residual", True):
        return Block([Sublayer((Branch(attention, one), Branch(layer, other)))])
    return Block([Sublayer(attention, before=one), Sublayer(layer, before=other)])
