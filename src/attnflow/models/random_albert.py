"""Small ALBERT with random weights, to try everything on that takes a model."""

from __future__ import annotations

import numpy as np

from ..engine.linalg.arguments import as_annotated, inside
from .model import Model
from .reading import read_model

GROUP = "albert.encoder.albert_layer_groups.0.albert_layers.0"
NORMS = ("albert.embeddings.LayerNorm", f"{GROUP}.attention.LayerNorm", f"{GROUP}.full_layer_layer_norm")


@as_annotated
def random_albert(d: int = 8, *, heads: int = 2, depth: int = 4, words: int = 32, seed: int = 0) -> Model:
    """An untrained ALBERT of dimension d whose one layer is applied `depth` times; prompts are numbers of words.

    Entries are normal of variance 1/d, offsets 0, gains 1.
    """
    inside(heads, "heads", least=1)
    inside(depth, "depth", least=1)
    inside(words, "words", least=1)
    rng = np.random.default_rng(seed)
    tables = {"word": words, "position": 512, "token_type": 2}
    state = {f"albert.embeddings.{name}_embeddings.weight": rng.normal(size=(n, d)) for name, n in tables.items()}
    shapes = {f"{GROUP}.attention.{name}": (d, d) for name in ("query", "key", "value", "dense")}
    shapes |= {f"{GROUP}.ffn": (4 * d, d), f"{GROUP}.ffn_output": (d, 4 * d)}
    for name, (rows, columns) in (shapes | {"albert.encoder.embedding_hidden_mapping_in": (d, d)}).items():
        state[f"{name}.weight"] = rng.normal(size=(rows, columns)) / np.sqrt(columns)
        state[f"{name}.bias"] = np.zeros(rows)
    for name in NORMS:
        state[f"{name}.weight"], state[f"{name}.bias"] = np.ones(d), np.zeros(d)
    config = {"num_attention_heads": heads, "num_hidden_layers": depth, "hidden_act": "gelu", "layer_norm_eps": 1e-12}
    return read_model(state, config=config)
