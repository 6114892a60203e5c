"""What the reader does not know is refused in one line that names the way out: kinds, entries, tensors, options."""

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose
from tiny import FAMILIES, D, L, bert_forward, hooked, prompt_for

import attnflow as af
from attnflow.interfaces.cli import execute


def made(family):
    return FAMILIES[family][0](np.random.default_rng(2))


def refused(state, config, words):
    with pytest.raises(af.BadInput, match=words) as told:
        af.read_model(state, config=config)
    assert "\n" not in str(told.value) and len(str(told.value)) <= 200


@pytest.mark.parametrize(
    ("family", "kind"),
    [("BERT", "layoutlm"), ("BERT", "xmod"), ("BERT", "ibert"), ("BERT", "a-kind-of-tomorrow"), ("Llama", "helium"),
     ("Llama", "ernie4_5"), ("Llama", "bitnet"), ("GPT-2", "gpt_bigcode"), ("GPT-NeoX", "gpt_neox_japanese"),
     ("ViT", "deit"), ("ALBERT", "bert")],
)  # fmt: skip
def test_kinds_that_no_family_knows_are_refused(tmp_path, family, kind):
    state, config = made(family)
    refused(state, config | {"model_type": kind}, rf"{kind}.*af.observed\(hidden_states\)")
    np.savez(tmp_path / "model.npz", **state)
    (tmp_path / "config.json").write_text(json.dumps(config | {"model_type": kind}))
    with pytest.raises(af.BadInput, match=kind):
        af.read_model(tmp_path)


@pytest.mark.parametrize(
    ("family", "entry"),
    [("BERT", {"scale_embeddings": True}), ("Llama", {"attn_logit_softcapping": 50.0}), ("Llama", {"is_causal": False}),
     ("Llama", {"residual_multiplier": 0.5}), ("Llama", {"rope_parameters": {"mrope_section": [1, 2]}}),
     ("Llama", {"model_type": "llama"}), ("Llama", {"partial_rotary_factor": 0.5}), ("GPT-2", {"alibi": True}),
     ("torch encoder", {"hidden_act": "gelu"}), ("BERT", {"num_hidden_layers": L - 1}), ("GPT-2", {"add_cross_attention": True})],
)  # fmt: skip
def test_entries_that_may_change_layers_are_refused(family, entry):
    """One of them is the window of a plain Llama, whose own code has none."""
    state, config = made(family)
    refused(state, config | entry, "known here|not read|otherwise|hold 3 layers")


def test_entries_that_are_off_or_of_training_change_nothing():
    state, config = made("BERT")
    harmless = {"scale_embeddings": False, "quantization_config": None, "pruned_heads": {}, "classifier_dropout": 0.1,
                "_name_or_path": "me", "eos_token_id": 3, "torch_dtype": "float32", "id2label": {"0": "A"}}  # fmt: skip
    assert af.read_model(state, config=config | harmless).depth == L
    assert af.read_model(state, config=config | {"odd": 1}, check=False).depth == L


@pytest.mark.parametrize(
    ("family", "name"),
    [("BERT", "bert.encoder.layer.1.attention.self.gate.weight"), ("Llama", "model.layers.0.self_attn.q_norm.weight"),
     ("Llama", "model.layers.2.mlp.experts.0.up.weight"), ("GPT-2", "transformer.h.0.ln_3.weight"),
     ("ViT", "vit.encoder.layer.0.lambda_1"), ("torch encoder", "stack.layers.0.multihead_attn.in_proj_weight"),
     ("BERT", "bert.embeddings.task_type_embeddings.weight")],
)  # fmt: skip
def test_tensors_that_nobody_reads_are_refused(family, name):
    state, config = made(family)
    refused(state | {name: np.ones(D)}, config, "belongs to no layer")


def test_heads_and_buffers_are_no_layers():
    state, config = made("GPT-2")
    beside = {"transformer.h.0.attn.bias": np.ones((1, 1, 4, 4)), "score.weight": np.ones((2, D))}
    assert af.read_model(state | beside, config=config).depth == L


def test_a_check_says_what_it_could_not_check(tmp_path, capsys):
    state, config = made("BERT")
    np.savez(tmp_path / "model.npz", **state)
    (tmp_path / "config.json").write_text(json.dumps(config))
    assert execute(["model", "check", str(tmp_path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["read_as"] == "bert" and "original program" in told["not_checked"]
    (tmp_path / "config.json").write_text(json.dumps(config | {"model_type": "xmod"}))
    assert execute(["model", "check", str(tmp_path), "--json"]) == 2


def test_two_models_in_one_table_are_refused():
    state, config = made("BERT")
    refused(state | {f"other.{name}": value for name, value in state.items()}, config, "2 models")


def test_bare_weights_say_their_kind_or_what_kinds_differ_in():
    state, config = made("BERT")
    refused(state, {"num_attention_heads": config["num_attention_heads"]}, "model_type")
    plain = {name: value for name, value in config.items() if name != "model_type"}
    assert af.read_model(state, config=plain).depth == L


@pytest.mark.parametrize(("kind", "padding"), [("camembert", None), ("data2vec-text", 2), ("roberta", 0)])
def test_kinds_that_count_positions_from_their_padding(kind, padding):
    state, config = made("BERT")
    ids = prompt_for("BERT", np.random.default_rng(0))[:6] % 10 + 3
    model = af.read_model(state, config=config | {"model_type": kind, "pad_token_id": padding})
    places = "bert.embeddings.position_embeddings.weight"
    moved = state | {places: state[places][(1 if padding is None else padding) + 1 :]}
    assert_allclose(af.record(model, ids, frame="raw").x, bert_forward(moved, ids), atol=1e-12)


def test_encoders_with_norms_first_and_a_last_norm():
    state, config = made("torch encoder")
    last = {"stack.norm.weight": np.ones(D), "stack.norm.bias": np.zeros(D)}
    model = af.read_model(state | last, config=config | {"norm_first": True})
    assert model.scheme == "pre-LN" and model.final is not None


@pytest.mark.parametrize(
    "entry", [{"positional_embedding_type": "alibi"}, {"attn_only": True}, {"use_local_attn": True}]
)
def test_options_of_transformer_lens_that_are_not_read(entry):
    state, config, _ = hooked(np.random.default_rng(1))
    usual = {"positional_embedding_type": "standard", "rotary_base": 10000, "NTK_by_parts_factor": 8.0, "n_layers": L}
    assert af.read_model(state, config=config | usual).depth == L
    refused(state, config | usual | entry, "not read|otherwise")
