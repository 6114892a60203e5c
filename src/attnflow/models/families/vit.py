"""Vision Transformer: pre-LN encoders of patches of an image, in the names of Hugging Face or timm."""

from __future__ import annotations

from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np

from ...engine.attention import MultiHead
from ...engine.flow import Block, FeedForward, Sublayer
from ...errors import BadInput
from ..files.weights import Weights
from ..model import Model, Start
from ..tensors import Tensors, activation_of, by_head, maybe_by_head, number_in, output_by_head, prefix_of, whole
from .known import kind_of

HUGGING_FACE, TIMM = "encoder.layer.0.attention.attention.query.weight", "blocks.0.attn.qkv.weight"
NEWER = "layers.0.attention.q_proj.weight"
KNOWN_BY = (HUGGING_FACE, NEWER, TIMM)
"""A tensor of Hugging Face's models, of those of transformers from version 5 on, and of timm's."""


@dataclass(frozen=True)
class Patches:
    """Patches of an image (channels, height, width) through one linear map, after a token of their own, with positions."""

    kernel: np.ndarray
    offset: np.ndarray | None
    first: np.ndarray
    position: np.ndarray

    @property
    def positions(self) -> int:
        return len(self.position)

    def start(self, prompt):
        c, p = self.kernel.shape[1], self.kernel.shape[2]
        if prompt.ndim != 3 or prompt.shape[0] != c or prompt.shape[1] % p or prompt.shape[2] % p:
            raise BadInput(f"a ViT takes an image (channels {c}, height, width), sides multiples of {p},"
                           f" got {prompt.shape}")  # fmt: skip
        rows, columns = prompt.shape[1] // p, prompt.shape[2] // p
        cut = prompt.reshape(c, rows, p, columns, p).transpose(1, 3, 0, 2, 4).reshape(rows * columns, -1)
        y = cut.astype(jnp.result_type(float)) @ self.kernel.reshape(len(self.kernel), -1).T
        y = np.concatenate([self.first, y if self.offset is None else y + self.offset])
        if len(y) != len(self.position):
            raise BadInput(f"the image has {len(y)} tokens, but the model has positions for {len(self.position)}")
        return Start(jnp.asarray(y + self.position))


def build(weights: Weights) -> Model:
    kind = next(name for name in KNOWN_BY if prefix_of(weights.tensors, name) is not None)
    stem, first, layer, eps = {
        HUGGING_FACE: ("encoder.layer", "layernorm_before", _hugging_face, 1e-12),
        NEWER: ("layers", "layernorm_before", _newer, 1e-12),
        TIMM: ("blocks", "norm1", _timm, 1e-6),
    }[kind]
    t, config = Tensors(weights.tensors, prefix_of(weights.tensors, kind) or ""), weights.config
    kinds, told = ([], ()) if kind == TIMM else (["vit", "vit_msn"], ("hidden_act", "layer_norm_eps"))
    kind_of(config, *kinds or ["timm"], told=told)
    heads, eps = whole(config, "num_attention_heads", "num_heads"), number_in(config, "layer_norm_eps", eps)
    d = t.raw(f"{stem}.0.{first}.weight", None).shape[0]
    blocks = [layer(t.below(f"{stem}.{l}"), d, heads=heads, config=config, eps=eps) for l in range(t.count(stem))]
    final = t.layer_norm("norm" if kind == TIMM else "layernorm", d, eps)
    return Model("ViT", "ViT", tuple(blocks), _patches(t, d, kind == TIMM), final, config=config, source=weights.source)


def _patches(t: Tensors, d: int, is_timm: bool) -> Patches:
    names = ("patch_embed.proj", "cls_token", "pos_embed") if is_timm else (
        "embeddings.patch_embeddings.projection", "embeddings.cls_token", "embeddings.position_embeddings"
    )  # fmt: skip
    kernel, first, position = (
        t(f"{names[0]}.weight", d, None, None, None),
        t(names[1], 1, 1, d),
        t(names[2], 1, None, d),
    )
    return Patches(kernel, t.maybe(f"{names[0]}.bias", d), first[0], position[0])


NAMES = ("attention.attention.query", "attention.attention.key", "attention.attention.value", "attention.output.dense",
         "intermediate.dense", "output.dense")  # fmt: skip
NEWER_NAMES = (*(f"attention.{name}_proj" for name in "qkvo"), "mlp.fc1", "mlp.fc2")
"""Queries, keys, values, output, and both maps of the feed-forward part."""


def _newer(t: Tensors, d: int, *, heads, config, eps) -> Block:
    return _hugging_face(t, d, heads=heads, config=config, eps=eps, names=NEWER_NAMES)


def _hugging_face(t: Tensors, d: int, *, heads, config, eps, names=NAMES) -> Block:
    (Q, q), (K, k), (V, c), output = (t.linear(name, d, d) for name in names[:4])
    made = _attention((Q, K, V), (q, k, c), output, heads)
    (a, b), (w, e) = t.linear(names[4], None, d), t.linear(names[5], d, None)
    layer = FeedForward(w, a, 0.0 if b is None else b, activation_of(config, "hidden_act"), c=e)
    norms = [t.layer_norm(name, d, eps) for name in ("layernorm_before", "layernorm_after")]
    return Block([Sublayer(made, before=norms[0]), Sublayer(layer, before=norms[1])])


def _timm(t: Tensors, d: int, *, heads, config, eps) -> Block:
    M, bias = t.linear("attn.qkv", 3 * d, d)
    offsets = (None,) * 3 if bias is None else np.split(bias, 3)
    made = _attention(np.split(M, 3), offsets, t.linear("attn.proj", d, d), heads)
    (a, b), (w, e) = t.linear("mlp.fc1", None, d), t.linear("mlp.fc2", d, None)
    layer = FeedForward(w, a, 0.0 if b is None else b, activation_of(config, "hidden_act"), c=e)
    return Block([
        Sublayer(made, before=t.layer_norm("norm1", d, eps)), Sublayer(layer, before=t.layer_norm("norm2", d, eps)),
    ])  # fmt: skip


def _attention(matrices, offsets, output, heads) -> MultiHead:
    Q, K, V = (by_head(M, heads) for M in matrices)
    q, k, c = (maybe_by_head(offset, heads) for offset in offsets)
    return MultiHead(Q, K, V=V, W=output_by_head(output[0], heads), q=q, k=k, c=c, o=output[1])
