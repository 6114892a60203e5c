"""Encoders of `torch.nn.TransformerEncoder` (post-LN), such as SCEPTR, which reads receptors of T cells."""

from __future__ import annotations

from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np

from ...engine.attention import MultiHead
from ...engine.flow import Block, FeedForward, Sublayer
from ...errors import BadInput, quoted
from ..files.weights import Weights
from ..model import Model, Start, take
from ..tensors import Tensors, activation_of, by_head, label_of, number_in, output_by_head, prefix_of, whole
from .known import Told, kind_of

KNOWN_BY = "layers.0.self_attn.in_proj_weight"
AMINO = "_token_embedder._token_embedding._token_embeddings"
PLACE = "_token_embedder._compartment_embedding._token_embeddings"
PROJECTOR = "_self_attention_stack._initial_projector.weight"


@dataclass(frozen=True)
class Given:
    """No embedding is known: tokens are given as vectors."""

    positions: int | None = None

    def start(self, prompt):
        raise BadInput("this encoder has no embedding that is known: give its tokens as an array (n, d) of numbers")


@dataclass(frozen=True)
class Receptor:
    """Amino acid, relative place in its loop, and loop, of numbers (letter, place from 1, length, loop) per token."""

    letter: np.ndarray
    loop: np.ndarray | None
    projector: np.ndarray
    positions: int | None = None

    def start(self, prompt):
        if prompt.ndim != 2 or prompt.shape[1] != 4:
            raise BadInput(f"SCEPTR takes four numbers per token (letter, place, length, loop), got {prompt.shape}")
        letter, place, length, loop = prompt.T
        relative = np.where(length > 1, (place - 1) / np.maximum(length - 1, 1), 0.5)
        parts = [take(self.letter, letter), np.where(place == 0, 0.0, relative)[:, None]]
        parts += [] if self.loop is None else [take(self.loop, loop, "loops")]
        return Start(jnp.asarray(np.concatenate(parts, axis=1) @ self.projector.T), heard=letter != 0)


def build(weights: Weights) -> Model:
    prefix = prefix_of(weights.tensors, KNOWN_BY) or ""
    t, config = Tensors(weights.tensors, prefix), flat(weights.config)
    kind_of(config, "torch encoder", told=())
    d, heads = t.raw(KNOWN_BY, None, None).shape[1], whole(config, "nhead", "num_attention_heads")
    if config.get("num_attention_heads") not in (None, heads):
        raise BadInput(f"nhead = {heads}, but num_attention_heads = {quoted(str(config['num_attention_heads'])[:40])}")
    blocks: list[Block] = []
    for l in range(t.count("layers")):
        entry = blocks[-1].sublayers[-1].closing if blocks else None
        blocks.append(_layer(t.below(f"layers.{l}"), d, heads=heads, config=config, entry=entry))
    final = t.layer_norm("norm", d, number_in(config, "layer_norm_eps", 1e-5)) if t.has("norm.weight") else None
    name = label_of(config, "name", "torch encoder")
    return Model(
        "torch encoder", name, tuple(blocks), _embedding(weights, d), final, config=config, source=weights.source
    )


def flat(config) -> Told:
    """A nested configuration with the sizes of the encoder on top; what else SCEPTR says is of training."""
    model = config.get("model")
    if not isinstance(model, dict):
        return config
    stack = model.get("self_attention_stack")
    inside = stack.get("initargs") if isinstance(stack, dict) else None
    config.asked.update(config)
    config.update({**(inside if isinstance(inside, dict) else {}), "name": model.get("name")})
    return config


def _embedding(weights: Weights, d: int):
    t = Tensors(weights.tensors)
    if not (t.has(AMINO) and t.has(PROJECTOR)):
        return Given()
    loop = t(PLACE, None, None) if t.has(PLACE) else None
    letter = t(AMINO, None, None)
    width = letter.shape[1] + 1 + (0 if loop is None else loop.shape[1])
    return Receptor(letter, loop, t(PROJECTOR, d, width))


def _layer(t: Tensors, d: int, *, heads, config, entry) -> Block:
    Q, K, V = (by_head(M, heads) for M in np.split(t("self_attn.in_proj_weight", 3 * d, d), 3))
    bias = t.maybe("self_attn.in_proj_bias", 3 * d)
    q, k, c = (None,) * 3 if bias is None else [by_head(b, heads) for b in np.split(bias, 3)]
    W, o = t.linear("self_attn.out_proj", d, d)
    attention = MultiHead(Q, K, V=V, W=output_by_head(W, heads), q=q, k=k, c=c, o=o)
    (a, b), (w, e) = t.linear("linear1", None, d), t.linear("linear2", d, None)
    layer = FeedForward(w, a, 0.0 if b is None else b, activation_of(config, "activation", default="relu"), c=e)
    eps = number_in(config, "layer_norm_eps", 1e-5)
    norms = [t.layer_norm(name, d, eps) for name in ("norm1", "norm2")]
    if config.get("norm_first"):
        return Block([Sublayer(attention, before=norms[0]), Sublayer(layer, before=norms[1])])
    return Block([Sublayer(attention, closing=norms[0]), Sublayer(layer, closing=norms[1])], entry=entry)
