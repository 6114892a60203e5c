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
from .known import kind_of
from .rotary import turn_of

KNOWN_BY = "layers.0.self_attn.q_proj.weight"
KINDS = ("llama", "mistral", "qwen2", "gemma", "seed_oss")
TOLD = ("rms_norm_eps", "hidden_act|hidden_activation", "rope_theta|rope_parameters")


def build(weights: Weights) -> Model:
    prefix = prefix_of(weights.tensors, KNOWN_BY) or ""
    t, config = Tensors(weights.tensors, prefix), weights.config
    kind = kind_of(config, *KINDS, told=TOLD)
    refuse_other(config, "a relative of Llama", is_causal=True)
    word = t.raw("embed_tokens.weight", None, None)
    d, is_gemma = word.shape[1], kind == "gemma"
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
    usual = "gelu_pytorch_tanh" if config.get("model_type") == "gemma" else "silu"
    activation = activation_of(config, "hidden_activation", "hidden_act", default=usual)
    gated = FeedForward(w, a, 0.0 if b is None else b, activation, c=f, gate=g, gate_offset=e)
    norms = [t.rms_norm(name, d, eps=eps, plus=plus) for name in ("input_layernorm", "post_attention_layernorm")]
    return Block([Sublayer(attention, before=norms[0]), Sublayer(gated, before=norms[1])])


def _window(config, layer: int) -> int | None:
    """How many tokens a layer hears, where not all: layers may differ."""
    kind = config.get("model_type")
    if kind not in (None, "mistral", "qwen2"):
        return None  # a window that is told all the same stays unread, and is refused as such
    window, is_on = (
        maybe_whole(config, "sliding_window"),
        kind == "mistral" or config.get("use_sliding_window", kind != "qwen2"),
    )
    sorts, first = None if kind == "mistral" else config.get("layer_types"), config.get("max_window_layers")
    if window is None or not is_on:
        return None
    if isinstance(sorts, list) and layer < len(sorts):
        return window if sorts[layer] == "sliding_attention" else None
    return window if kind != "qwen2" or layer >= (first if isinstance(first, int) else 28) else None
