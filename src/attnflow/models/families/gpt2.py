"""GPT-2: causal pre-LN decoders with absolute positions; their matrices are stored transposed."""

from __future__ import annotations

from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np

from ...engine.attention import MultiHead
from ...engine.flow import Block, FeedForward, Sublayer
from ..files.weights import Weights
from ..model import Model, Start, take
from ..tensors import Tensors, activation_of, by_head, number_in, output_by_head, prefix_of, refuse_other, whole
from .known import kind_of

KNOWN_BY = "h.0.attn.c_attn.weight"


@dataclass(frozen=True)
class Table:
    """Embeddings of words, of positions where there are any, times a factor."""

    word: np.ndarray
    position: np.ndarray | None = None
    longest: int | None = None
    factor: float = 1.0

    @property
    def positions(self) -> int | None:
        return self.longest if self.position is None else len(self.position)

    def start(self, prompt):
        y = self.factor * take(self.word, prompt)
        y = y if self.position is None else y + take(self.position, np.arange(len(prompt)), "positions")
        return Start(jnp.asarray(y))


def build(weights: Weights) -> Model:
    prefix = prefix_of(weights.tensors, KNOWN_BY) or ""
    t, config = Tensors(weights.tensors, prefix), weights.config
    kind_of(config, "gpt2", told=("activation_function", "layer_norm_epsilon"))
    refuse_other(config, "GPT-2", is_causal=True, scale_attn_by_inverse_layer_idx=False, scale_attn_weights=True)
    word = t.raw("wte.weight", None, None)
    d, heads, eps = word.shape[1], whole(config, "n_head"), number_in(config, "layer_norm_epsilon", 1e-5)
    blocks = [_layer(t.below(f"h.{l}"), d, heads=heads, config=config, eps=eps) for l in range(t.count("h"))]
    embedding = Table(word, t.raw("wpe.weight", None, d))
    final = t.layer_norm("ln_f", d, eps)
    return Model("GPT-2", "GPT-2", tuple(blocks), embedding, final, word, config=config, source=weights.source)


def _layer(t: Tensors, d: int, *, heads, config, eps) -> Block:
    Q, K, V = (by_head(M, heads) for M in np.split(t("attn.c_attn.weight", d, 3 * d).T, 3))
    q, k, c = (by_head(M, heads) for M in np.split(t("attn.c_attn.bias", 3 * d), 3))
    W, o = t("attn.c_proj.weight", d, d).T, t("attn.c_proj.bias", d)
    attention = MultiHead(Q, K, V=V, W=output_by_head(W, heads), q=q, k=k, c=c, o=o, causal=True)
    layer = FeedForward(
        t("mlp.c_proj.weight", None, d).T, t("mlp.c_fc.weight", d, None).T, t("mlp.c_fc.bias", None),
        activation_of(config, "activation_function", default="gelu_new"), c=t("mlp.c_proj.bias", d),
    )  # fmt: skip
    return Block([
        Sublayer(attention, before=t.layer_norm("ln_1", d, eps)), Sublayer(layer, before=t.layer_norm("ln_2", d, eps)),
    ])  # fmt: skip
