"""Tiny random models of every family as state dicts, and their forward passes in plain NumPy, written from the papers.

Nothing here is shared with the package: a forward pass reads the state dict by its own names and returns all streams.
"""

import numpy as np
from scipy.special import erf, softmax

D, H, F, L, WORDS, POSITIONS = 12, 3, 20, 3, 17, 11


def draw(rng, *shape, scale=0.4):
    return rng.normal(size=shape) * scale


def linear(rng, state, name, out, into, bias=True):
    state[f"{name}.weight"] = draw(rng, out, into)
    if bias:
        state[f"{name}.bias"] = draw(rng, out)


def norm(rng, state, name, d=D, bias=True):
    state[f"{name}.weight"] = 1 + draw(rng, d)
    if bias:
        state[f"{name}.bias"] = draw(rng, d)


# ---- plain operations --------------------------------------------------------------------------------------------------


def layer_norm(z, s, name, eps):
    centred = z - z.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + eps) * s[f"{name}.weight"] + s[f"{name}.bias"]


def rms_norm(z, s, name, eps):
    return z / np.sqrt((z**2).mean(-1, keepdims=True) + eps) * s[f"{name}.weight"]


def apply(z, s, name):
    return z @ s[f"{name}.weight"].T + s.get(f"{name}.bias", 0.0)


def attend(q, k, v, *, causal=False, window=None):
    """(n, h, k) queries, keys and values → (n, h·v)."""
    n = len(q)
    scores = np.einsum("ihk,jhk->hij", q, k) / np.sqrt(q.shape[-1])
    i, j = np.indices((n, n))
    hidden = np.zeros((n, n), bool)
    if causal:
        hidden |= j > i
    if window is not None:
        hidden |= i - j >= window
    scores[:, hidden] = -np.inf
    return np.einsum("hij,jhv->ihv", softmax(scores, axis=-1), v).reshape(n, -1)


def split(z, heads):
    return z.reshape(len(z), heads, -1)


def gelu(s):
    return s * (1 + erf(s / np.sqrt(2))) / 2


def gelu_tanh(s):
    return s * (1 + np.tanh(np.sqrt(2 / np.pi) * (s + 0.044715 * s**3))) / 2


def silu(s):
    return s / (1 + np.exp(-s))


def rotate(z, width, base=10000.0, interleaved=False):
    """Complex numbers turn plane by plane; z is (n, h, k)."""
    angle = np.arange(len(z))[:, None] * base ** (-np.arange(0, width, 2) / width)
    turn = np.exp(1j * angle)[:, None, :]
    out = z.copy()
    if interleaved:
        w = (z[..., 0:width:2] + 1j * z[..., 1:width:2]) * turn
        out[..., 0:width:2], out[..., 1:width:2] = w.real, w.imag
    else:
        half = width // 2
        w = (z[..., :half] + 1j * z[..., half:width]) * turn
        out[..., :half], out[..., half:width] = w.real, w.imag
    return out


# ---- families ----------------------------------------------------------------------------------------------------------


def bert(rng):
    s = {"bert.embeddings.word_embeddings.weight": draw(rng, WORDS, D)}
    s["bert.embeddings.position_embeddings.weight"] = draw(rng, POSITIONS, D)
    s["bert.embeddings.token_type_embeddings.weight"] = draw(rng, 2, D)
    norm(rng, s, "bert.embeddings.LayerNorm")
    for l in range(L):
        p = f"bert.encoder.layer.{l}."
        for name in ("query", "key", "value"):
            linear(rng, s, f"{p}attention.self.{name}", D, D)
        linear(rng, s, f"{p}attention.output.dense", D, D)
        norm(rng, s, f"{p}attention.output.LayerNorm")
        linear(rng, s, f"{p}intermediate.dense", F, D)
        linear(rng, s, f"{p}output.dense", D, F)
        norm(rng, s, f"{p}output.LayerNorm")
    return s, {"num_attention_heads": H, "layer_norm_eps": 1e-12, "hidden_act": "gelu", "model_type": "bert"}


def bert_forward(s, ids):
    e = "bert.embeddings."
    z = s[f"{e}word_embeddings.weight"][ids] + s[f"{e}position_embeddings.weight"][: len(ids)]
    y = layer_norm(z + s[f"{e}token_type_embeddings.weight"][0], s, f"{e}LayerNorm", 1e-12)
    streams = [y]
    for l in range(L):
        p = f"bert.encoder.layer.{l}."
        q, k, v = (split(apply(y, s, f"{p}attention.self.{name}"), H) for name in ("query", "key", "value"))
        said = apply(attend(q, k, v), s, f"{p}attention.output.dense")
        y = layer_norm(y + said, s, f"{p}attention.output.LayerNorm", 1e-12)
        said = apply(gelu(apply(y, s, f"{p}intermediate.dense")), s, f"{p}output.dense")
        y = layer_norm(y + said, s, f"{p}output.LayerNorm", 1e-12)
        streams.append(y)
    return np.stack(streams)


def albert(rng):
    small, p = 8, "albert.encoder.albert_layer_groups.0.albert_layers.0."
    s = {"albert.embeddings.word_embeddings.weight": draw(rng, WORDS, small)}
    s["albert.embeddings.position_embeddings.weight"] = draw(rng, POSITIONS, small)
    s["albert.embeddings.token_type_embeddings.weight"] = draw(rng, 2, small)
    norm(rng, s, "albert.embeddings.LayerNorm", small)
    linear(rng, s, "albert.encoder.embedding_hidden_mapping_in", D, small)
    for name in ("query", "key", "value", "dense"):
        linear(rng, s, f"{p}attention.{name}", D, D)
    norm(rng, s, f"{p}attention.LayerNorm")
    linear(rng, s, f"{p}ffn", F, D)
    linear(rng, s, f"{p}ffn_output", D, F)
    norm(rng, s, f"{p}full_layer_layer_norm")
    return s, {"num_attention_heads": H, "num_hidden_layers": L, "layer_norm_eps": 1e-12, "hidden_act": "gelu_new"}


def albert_forward(s, ids):
    e, p = "albert.embeddings.", "albert.encoder.albert_layer_groups.0.albert_layers.0."
    z = s[f"{e}word_embeddings.weight"][ids] + s[f"{e}position_embeddings.weight"][: len(ids)]
    y = layer_norm(z + s[f"{e}token_type_embeddings.weight"][0], s, f"{e}LayerNorm", 1e-12)
    y = apply(y, s, "albert.encoder.embedding_hidden_mapping_in")
    streams = [y]
    for _ in range(L):
        q, k, v = (split(apply(y, s, f"{p}attention.{name}"), H) for name in ("query", "key", "value"))
        y = layer_norm(y + apply(attend(q, k, v), s, f"{p}attention.dense"), s, f"{p}attention.LayerNorm", 1e-12)
        said = apply(gelu_tanh(apply(y, s, f"{p}ffn")), s, f"{p}ffn_output")
        y = layer_norm(y + said, s, f"{p}full_layer_layer_norm", 1e-12)
        streams.append(y)
    return np.stack(streams)


def gpt2(rng):
    s = {"wte.weight": draw(rng, WORDS, D), "wpe.weight": draw(rng, POSITIONS, D)}
    norm(rng, s, "ln_f")
    for l in range(L):
        for name, shape in (("attn.c_attn", (D, 3 * D)), ("attn.c_proj", (D, D)), ("mlp.c_fc", (D, F)), ("mlp.c_proj", (F, D))):
            s[f"h.{l}.{name}.weight"], s[f"h.{l}.{name}.bias"] = draw(rng, *shape), draw(rng, shape[1])
        norm(rng, s, f"h.{l}.ln_1")
        norm(rng, s, f"h.{l}.ln_2")
    return {f"transformer.{name}": value for name, value in s.items()}, {"n_head": H, "model_type": "gpt2"}


def gpt2_forward(s, ids):
    s = {name.removeprefix("transformer."): value for name, value in s.items()}
    y = s["wte.weight"][ids] + s["wpe.weight"][: len(ids)]
    streams = [y]
    for l in range(L):
        p = f"h.{l}."
        z = layer_norm(y, s, f"{p}ln_1", 1e-5)
        qkv = z @ s[f"{p}attn.c_attn.weight"] + s[f"{p}attn.c_attn.bias"]
        q, k, v = (split(part, H) for part in np.split(qkv, 3, axis=1))
        y = y + attend(q, k, v, causal=True) @ s[f"{p}attn.c_proj.weight"] + s[f"{p}attn.c_proj.bias"]
        z = gelu_tanh(layer_norm(y, s, f"{p}ln_2", 1e-5) @ s[f"{p}mlp.c_fc.weight"] + s[f"{p}mlp.c_fc.bias"])
        y = y + z @ s[f"{p}mlp.c_proj.weight"] + s[f"{p}mlp.c_proj.bias"]
        streams.append(y)
    return np.stack(streams)


def neox(rng):
    s = {"gpt_neox.embed_in.weight": draw(rng, WORDS, D), "embed_out.weight": draw(rng, WORDS, D)}
    norm(rng, s, "gpt_neox.final_layer_norm")
    for l in range(L):
        p = f"gpt_neox.layers.{l}."
        linear(rng, s, f"{p}attention.query_key_value", 3 * D, D)
        linear(rng, s, f"{p}attention.dense", D, D)
        linear(rng, s, f"{p}mlp.dense_h_to_4h", F, D)
        linear(rng, s, f"{p}mlp.dense_4h_to_h", D, F)
        norm(rng, s, f"{p}input_layernorm")
        norm(rng, s, f"{p}post_attention_layernorm")
    return s, {"num_attention_heads": H, "rotary_pct": 0.5, "layer_norm_eps": 1e-5, "hidden_act": "gelu"}


def neox_forward(s, ids):
    y, k_ = s["gpt_neox.embed_in.weight"][ids], D // H
    streams = [y]
    for l in range(L):
        p = f"gpt_neox.layers.{l}."
        z = apply(layer_norm(y, s, f"{p}input_layernorm", 1e-5), s, f"{p}attention.query_key_value")
        q, k, v = np.split(z.reshape(len(ids), H, 3 * k_), 3, axis=-1)
        q, k = rotate(q, 2), rotate(k, 2)
        said = apply(attend(q, k, v, causal=True), s, f"{p}attention.dense")
        z = gelu(apply(layer_norm(y, s, f"{p}post_attention_layernorm", 1e-5), s, f"{p}mlp.dense_h_to_4h"))
        y = y + said + apply(z, s, f"{p}mlp.dense_4h_to_h")
        streams.append(y)
    return np.stack(streams)


GROUPS = 1


def llama(rng):
    k = D // H
    s = {"model.embed_tokens.weight": draw(rng, WORDS, D), "lm_head.weight": draw(rng, WORDS, D)}
    norm(rng, s, "model.norm", bias=False)
    for l in range(L):
        p = f"model.layers.{l}."
        for name, rows in (("q", D), ("k", GROUPS * k), ("v", GROUPS * k)):
            linear(rng, s, f"{p}self_attn.{name}_proj", rows, D)
        linear(rng, s, f"{p}self_attn.o_proj", D, D, bias=False)
        for name, shape in (("gate", (F, D)), ("up", (F, D)), ("down", (D, F))):
            linear(rng, s, f"{p}mlp.{name}_proj", *shape, bias=False)
        norm(rng, s, f"{p}input_layernorm", bias=False)
        norm(rng, s, f"{p}post_attention_layernorm", bias=False)
    config = {"num_attention_heads": H, "num_key_value_heads": GROUPS, "rms_norm_eps": 1e-5, "hidden_act": "silu",
              "rope_theta": 500.0, "sliding_window": 4}  # fmt: skip
    return s, config


def llama_forward(s, ids):
    y = s["model.embed_tokens.weight"][ids]
    streams, k_ = [y], D // H
    for l in range(L):
        p = f"model.layers.{l}."
        z = rms_norm(y, s, f"{p}input_layernorm", 1e-5)
        q = split(apply(z, s, f"{p}self_attn.q_proj"), H)
        k, v = (np.repeat(split(apply(z, s, f"{p}self_attn.{name}_proj"), GROUPS), H // GROUPS, axis=1) for name in "kv")
        q, k = rotate(q, k_, 500.0), rotate(k, k_, 500.0)
        y = y + apply(attend(q, k, v, causal=True, window=4), s, f"{p}self_attn.o_proj")
        z = rms_norm(y, s, f"{p}post_attention_layernorm", 1e-5)
        y = y + apply(silu(apply(z, s, f"{p}mlp.gate_proj")) * apply(z, s, f"{p}mlp.up_proj"), s, f"{p}mlp.down_proj")
        streams.append(y)
    return np.stack(streams)


SIDE, PATCH, CHANNELS = 8, 4, 2


def vit(rng):
    tokens = (SIDE // PATCH) ** 2 + 1
    e = "vit.embeddings."
    s = {f"{e}cls_token": draw(rng, 1, 1, D), f"{e}position_embeddings": draw(rng, 1, tokens, D)}
    s[f"{e}patch_embeddings.projection.weight"] = draw(rng, D, CHANNELS, PATCH, PATCH)
    s[f"{e}patch_embeddings.projection.bias"] = draw(rng, D)
    norm(rng, s, "vit.layernorm")
    for l in range(L):
        p = f"vit.encoder.layer.{l}."
        for name in ("query", "key", "value"):
            linear(rng, s, f"{p}attention.attention.{name}", D, D)
        linear(rng, s, f"{p}attention.output.dense", D, D)
        linear(rng, s, f"{p}intermediate.dense", F, D)
        linear(rng, s, f"{p}output.dense", D, F)
        norm(rng, s, f"{p}layernorm_before")
        norm(rng, s, f"{p}layernorm_after")
    return s, {"num_attention_heads": H, "layer_norm_eps": 1e-12, "hidden_act": "gelu"}


def vit_forward(s, image):
    e = "vit.embeddings.patch_embeddings.projection"
    patches = [
        np.einsum("dcab,cab->d", s[f"{e}.weight"], image[:, i : i + PATCH, j : j + PATCH]) + s[f"{e}.bias"]
        for i in range(0, SIDE, PATCH)
        for j in range(0, SIDE, PATCH)
    ]
    y = np.stack([s["vit.embeddings.cls_token"][0, 0], *patches]) + s["vit.embeddings.position_embeddings"][0]
    streams = [y]
    for l in range(L):
        p = f"vit.encoder.layer.{l}."
        z = layer_norm(y, s, f"{p}layernorm_before", 1e-12)
        q, k, v = (split(apply(z, s, f"{p}attention.attention.{name}"), H) for name in ("query", "key", "value"))
        y = y + apply(attend(q, k, v), s, f"{p}attention.output.dense")
        z = gelu(apply(layer_norm(y, s, f"{p}layernorm_after", 1e-12), s, f"{p}intermediate.dense"))
        y = y + apply(z, s, f"{p}output.dense")
        streams.append(y)
    return np.stack(streams)


def encoder(rng):
    s = {}
    for l in range(L):
        p = f"stack.layers.{l}."
        s[f"{p}self_attn.in_proj_weight"], s[f"{p}self_attn.in_proj_bias"] = draw(rng, 3 * D, D), draw(rng, 3 * D)
        linear(rng, s, f"{p}self_attn.out_proj", D, D)
        linear(rng, s, f"{p}linear1", F, D)
        linear(rng, s, f"{p}linear2", D, F)
        norm(rng, s, f"{p}norm1")
        norm(rng, s, f"{p}norm2")
    return s, {"nhead": H}


def encoder_forward(s, y):
    streams = [y]
    for l in range(L):
        p = f"stack.layers.{l}."
        qkv = y @ s[f"{p}self_attn.in_proj_weight"].T + s[f"{p}self_attn.in_proj_bias"]
        q, k, v = (split(part, H) for part in np.split(qkv, 3, axis=1))
        y = layer_norm(y + apply(attend(q, k, v), s, f"{p}self_attn.out_proj"), s, f"{p}norm1", 1e-5)
        said = apply(np.maximum(apply(y, s, f"{p}linear1"), 0), s, f"{p}linear2")
        y = layer_norm(y + said, s, f"{p}norm2", 1e-5)
        streams.append(y)
    return np.stack(streams)


def hooked(rng):
    """GPT-2 in the names of TransformerLens: the forward pass is that of the same weights under GPT-2's names."""
    s, _ = gpt2(rng)
    g = {name.removeprefix("transformer."): value for name, value in s.items()}
    k = D // H
    made = {"embed.W_E": g["wte.weight"], "pos_embed.W_pos": g["wpe.weight"], "unembed.W_U": g["wte.weight"].T}
    made |= {"ln_final.w": g["ln_f.weight"], "ln_final.b": g["ln_f.bias"]}
    for l in range(L):
        p, b = f"h.{l}.", f"blocks.{l}."
        M, offset = g[f"{p}attn.c_attn.weight"], g[f"{p}attn.c_attn.bias"]
        for i, name in enumerate("QKV"):
            made[f"{b}attn.W_{name}"] = M[:, i * D : (i + 1) * D].reshape(D, H, k).transpose(1, 0, 2)
            made[f"{b}attn.b_{name}"] = offset[i * D : (i + 1) * D].reshape(H, k)
        made[f"{b}attn.W_O"], made[f"{b}attn.b_O"] = g[f"{p}attn.c_proj.weight"].reshape(H, k, D), g[f"{p}attn.c_proj.bias"]
        for one, other in (("in", "c_fc"), ("out", "c_proj")):
            made[f"{b}mlp.W_{one}"], made[f"{b}mlp.b_{one}"] = g[f"{p}mlp.{other}.weight"], g[f"{p}mlp.{other}.bias"]
        for one, other in (("ln1", "ln_1"), ("ln2", "ln_2")):
            made[f"{b}{one}.w"], made[f"{b}{one}.b"] = g[f"{p}{other}.weight"], g[f"{p}{other}.bias"]
    return made, {"act_fn": "gelu_new", "normalization_type": "LN", "eps": 1e-5}, s


FAMILIES = {
    "BERT": (bert, bert_forward), "ALBERT": (albert, albert_forward), "GPT-2": (gpt2, gpt2_forward),
    "GPT-NeoX": (neox, neox_forward), "Llama": (llama, llama_forward), "ViT": (vit, vit_forward),
    "torch encoder": (encoder, encoder_forward),
}  # fmt: skip


def prompt_for(family, rng):
    if family == "ViT":
        return rng.normal(size=(CHANNELS, SIDE, SIDE))
    if family == "torch encoder":
        return rng.normal(size=(7, D))
    return rng.integers(0, WORDS, 9)
