"""Llama and its like (Mistral, Qwen2, Gemma): causal decoders with RMS norms, rotary positions and a gate."""

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
    label_of,
    maybe_by_head,
    maybe_whole,
    number_in,
    output_by_head,
    prefix_of,
    refuse_other,
    whole,
)
from .gpt2 import Table
from .rotary import turn_of

KNOWN_BY = "layers.0.self_attn.q_proj.weight"
FOREIGN = ("self_attn.q_norm.weight", "pre_feedforward_layernorm.weight", "post_feedforward_layernorm.weight",
           "block_sparse_moe.gate.weight", "mlp.experts.0.gate_proj.weight", "mlp.gate.weight", "input_layernorm.bias",
           "self_attn.sinks")  # fmt: skip
"""Tensors of later relatives whose layers are built otherwise."""


def build(weights: Weights) -> Model:
    prefix = prefix_of(weights.tensors, KNOWN_BY) or ""
    t, config = Tensors(weights.tensors, prefix), weights.config
    for name in FOREIGN:
        if t.has(f"layers.0.{name}"):
            raise BadInput(f"a relative of Llama whose layers hold {name}: that kind of layer is not read yet")
    usual = {
        "embedding_multiplier": 1.0,
        "residual_multiplier": 1.0,
        "attention_multiplier": None,
        "no_rope_layers": None,
    }
    refuse_other(config, "a relative of Llama", **usual)
    word = t.raw("embed_tokens.weight", None, None)
    d, is_gemma = word.shape[1], config.get("model_type") == "gemma"
    eps, plus = number_in(config, "rms_norm_eps", 1e-6), 1.0 if is_gemma else 0.0
    blocks = [_layer(t, l, d=d, config=config, eps=eps, plus=plus) for l in range(t.count("layers"))]
    embedding = Table(word, longest=maybe_whole(config, "max_position_embeddings"), factor=d**0.5 if is_gemma else 1.0)
    out = weights.tensors.get("lm_head.weight", word)
    final = t.rms_norm("norm", d, eps=eps, plus=plus)
    return Model("Llama", label_of(config, "model_type", "Llama"), tuple(blocks), embedding, final, out, config=config,
                 source=weights.source)  # fmt: skip


def _layer(t: Tensors, layer: int, *, d: int, config, eps, plus) -> Block:
    t, heads = t.below(f"layers.{layer}"), whole(config, "num_attention_heads")
    groups = whole(config, "num_key_value_heads") if config.get("num_key_value_heads") else heads
    (Q, q), (K, k), (V, c) = (t.linear(f"self_attn.{name}_proj", None, d) for name in "qkv")
    W, o = t.linear("self_attn.o_proj", d, None)
    if heads % groups:
        raise BadInput(f"{heads} heads cannot share {groups} keys evenly")
    attention = MultiHead(
        by_head(Q, heads), by_head(K, groups), V=by_head(V, groups), W=output_by_head(W, heads),
        q=maybe_by_head(q, heads), k=maybe_by_head(k, groups), c=maybe_by_head(c, groups), o=o, causal=True,
        turn=turn_of(len(Q) // heads, config), window=_window(config, layer),
    )  # fmt: skip
    (a, b), (g, e), (w, f) = (
        t.linear("mlp.up_proj", None, d), t.linear("mlp.gate_proj", None, d), t.linear("mlp.down_proj", d, None),
    )  # fmt: skip
    activation = activation_of(config, "hidden_activation", "hidden_act", default="silu")
    gated = FeedForward(w, a, 0.0 if b is None else b, activation, c=f, gate=g, gate_offset=e)
    norms = [t.rms_norm(name, d, eps=eps, plus=plus) for name in ("input_layernorm", "post_attention_layernorm")]
    return Block([Sublayer(attention, before=norms[0]), Sublayer(gated, before=norms[1])])


def _window(config, layer: int) -> int | None:
    """How many tokens a layer hears, where not all: layers may differ."""
    window, kinds = maybe_whole(config, "sliding_window"), config.get("layer_types")
    if window is None or not config.get("use_sliding_window", True):
        return None
    if isinstance(kinds, list) and layer < len(kinds):
        return window if kinds[layer] == "sliding_attention" else None
    return window if layer >= (maybe_whole(config, "max_window_layers") or 0) else None
