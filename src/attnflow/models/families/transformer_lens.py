"""Weights in the names of TransformerLens (`HookedTransformer`): one tensor per head, rows times matrices."""

from __future__ import annotations

import numpy as np

from ...engine.attention import MultiHead, rotation
from ...engine.flow import Block, Branch, FeedForward, LayerNorm, RMSNorm, Sublayer
from ...errors import BadInput, quoted
from ..files.weights import Weights
from ..model import Model
from ..tensors import Tensors, activation_of, label_of, maybe_whole, number_in, refuse_other
from .gpt2 import Table
from .known import WAY_OUT, kind_of

KNOWN_BY = "blocks.0.attn.W_Q"
USUAL = {"use_attn_scale": True, "attn_only": False, "use_local_attn": False, "scale_attn_by_inverse_layer_idx": False}


def build(weights: Weights) -> Model:
    t, config = Tensors(weights.tensors), weights.config
    kind_of(config, "HookedTransformer", told=())
    refuse_other(config, "TransformerLens", **USUAL)
    word = t.raw("embed.W_E", None, None)
    d, eps = word.shape[1], number_in(config, "eps", 1e-5)
    kind = config.get("normalization_type", "LN")
    if kind not in ("LN", "LNPre", "RMS", "RMSPre"):
        raise BadInput(f"normalization_type {quoted(kind)} is not known; known are LN, LNPre, RMS and RMSPre")
    make = _norms(kind, d, eps)
    blocks = [_layer(t.below(f"blocks.{l}"), d, config=config, make=make) for l in range(t.count("blocks"))]
    position = t.raw("pos_embed.W_pos", None, d) if t.has("pos_embed.W_pos") else None
    embedding, out = Table(word, position, maybe_whole(config, "n_ctx")), t("unembed.W_U", d, None).T
    name = label_of(config, "model_name", "HookedTransformer")
    return Model("TransformerLens", name, tuple(blocks), embedding, make(t.below("ln_final")), out, config=config,
                 source=weights.source)  # fmt: skip


def _norms(kind: str, d: int, eps: float):
    """Norms by their place; folded ones ("Pre") have gain 1 and no bias."""

    def make(t: Tensors):
        gain = t("w", d) if t.has("w") else np.ones(d)
        if kind.startswith("RMS"):
            return RMSNorm(gain, eps=eps)
        return LayerNorm(gain, t.maybe("b", d), eps=eps)

    return make


def _layer(t: Tensors, d: int, *, config, make) -> Block:
    W_Q = t("attn.W_Q", None, d, None)
    h, _, k = W_Q.shape
    Q, K, V = (np.swapaxes(t(f"attn.{name}", None, d, k), 1, 2) for name in ("W_Q", "W_K", "W_V"))
    W = np.swapaxes(t("attn.W_O", h, k, d), 1, 2)
    width, base = maybe_whole(config, "rotary_dim") or k, number_in(config, "rotary_base", 10000.0)
    is_paired, sort = bool(config.get("rotary_adjacent_pairs")), config.get("positional_embedding_type")
    if sort not in (None, "standard", "rotary"):
        raise BadInput(f"positions of type {quoted(str(sort)[:40])} are not read; {WAY_OUT}")
    turn = rotation(width, base=base, is_interleaved=is_paired) if sort == "rotary" else None
    attention = MultiHead(
        Q, K, V=V, W=W, q=t.maybe("attn.b_Q"), k=t.maybe("attn.b_K"), c=t.maybe("attn.b_V"), o=t.maybe("attn.b_O", d),
        turn=turn, causal=config.get("attention_dir", "causal") == "causal",
        beta=1 / number_in(config, "attn_scale", k**0.5),
    )  # fmt: skip
    gate = t.maybe("mlp.W_gate")
    b = t.maybe("mlp.b_in")
    layer = FeedForward(
        t("mlp.W_out", None, d).T, t("mlp.W_in", d, None).T, 0.0 if b is None else b,
        activation_of(config, "act_fn", default="gelu_new"), c=t.maybe("mlp.b_out", d),
        gate=None if gate is None else gate.T,
    )  # fmt: skip
    if config.get("parallel_attn_mlp"):
        return Block([Sublayer((Branch(attention, make(t.below("ln1"))), Branch(layer, make(t.below("ln2")))))])
    return Block([Sublayer(attention, before=make(t.below("ln1"))), Sublayer(layer, before=make(t.below("ln2")))])
