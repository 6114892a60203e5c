"""Files of llama2.c: a header of seven numbers, then the weights of a small Llama, one array after another."""

from __future__ import annotations

import math
import struct
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import BadInput

HEADER = struct.Struct("<7i")
NAMES = ("hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads",
         "vocab_size", "max_position_embeddings")  # fmt: skip


def is_llama2c(path: Path) -> bool:
    """Whether a file begins like one of llama2.c: seven plausible sizes that fit its length."""
    with path.open("rb") as file:
        head = file.read(HEADER.size)
    if len(head) < HEADER.size:
        return False
    config = _config(head)
    is_plausible = all(0 < config[name] < 2**24 for name in NAMES)
    return is_plausible and config["hidden_size"] % config["num_attention_heads"] == 0


def read_llama2c(path: Path) -> tuple[dict[str, np.ndarray], dict[str, Any], int]:
    """Tensors by the names of the Llama family, the sizes, and where the weights end (a tokeniser may follow)."""
    with path.open("rb") as file:
        config = _config(file.read(HEADER.size))
    flat, at, tensors = np.memmap(path, dtype="<f4", mode="r", offset=HEADER.size, shape=_floats(path)), 0, {}
    for name, shape in _shapes(config):
        size = math.prod(shape)
        if at + size > len(flat):
            raise BadInput(f"{path.name}: the file ends inside {name}: truncated, or no llama2.c weights")
        tensors[name] = np.array(flat[at : at + size]).reshape(shape)
        at += size
    return _by_layer(tensors, config), config, HEADER.size + 4 * at


def _floats(path: Path) -> int:
    return (path.stat().st_size - HEADER.size) // 4


def _config(head: bytes) -> dict[str, Any]:
    config = dict(zip(NAMES, HEADER.unpack(head)))
    # A negative vocabulary says that the last matrix is not the embedding.
    is_tied = config["vocab_size"] > 0
    extra = {"tie_word_embeddings": is_tied, "rms_norm_eps": 1e-5, "model_type": "llama", "rope_is_interleaved": True}
    return config | {"vocab_size": abs(config["vocab_size"])} | extra


def _shapes(c) -> list[tuple[str, tuple[int, ...]]]:
    d, f, L, vocabulary, seq = (
        c["hidden_size"], c["intermediate_size"], c["num_hidden_layers"], c["vocab_size"], c["max_position_embeddings"]
    )  # fmt: skip
    k = d // c["num_attention_heads"]
    shared = k * c["num_key_value_heads"]
    table = [
        ("embed", (vocabulary, d)), ("input_layernorm", (L, d)), ("q_proj", (L, d, d)), ("k_proj", (L, shared, d)),
        ("v_proj", (L, shared, d)), ("o_proj", (L, d, d)), ("post_attention_layernorm", (L, d)),
        ("gate_proj", (L, f, d)), ("down_proj", (L, d, f)), ("up_proj", (L, f, d)), ("norm", (d,)),
        ("cos", (seq, k // 2)), ("sin", (seq, k // 2)),
    ]  # fmt: skip
    return table if c["tie_word_embeddings"] else [*table, ("lm_head", (vocabulary, d))]


def _by_layer(tensors, config) -> dict[str, np.ndarray]:
    places = {name: f"self_attn.{name}" for name in ("q_proj", "k_proj", "v_proj", "o_proj")}
    places |= {name: f"mlp.{name}" for name in ("gate_proj", "up_proj", "down_proj")}
    places |= {name: name for name in ("input_layernorm", "post_attention_layernorm")}
    made = {
        f"model.layers.{l}.{place}.weight": tensors[name][l]
        for name, place in places.items()
        for l in range(config["num_hidden_layers"])
    }
    made |= {"model.embed_tokens.weight": tensors["embed"], "model.norm.weight": tensors["norm"]}
    return made | ({"lm_head.weight": tensors["lm_head"]} if "lm_head" in tensors else {})
