"""Every family against Hugging Face's own forward pass, on tiny random models: extra `oracle` (torch, transformers)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af
from attnflow import models

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytestmark = pytest.mark.slow

WORDS, TOKENS = 29, 9
SIZES = {"hidden_size": 24, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 40}
TEXT = SIZES | {"vocab_size": WORDS, "max_position_embeddings": 16}
ROTARY = TEXT | {"num_key_value_heads": 2}
IMAGE = SIZES | {"image_size": 8, "patch_size": 4, "num_channels": 2}
CASES = {
    "BERT": ("Bert", TEXT),
    "RoBERTa": ("Roberta", TEXT | {"pad_token_id": 4}),
    "ALBERT": ("Albert", TEXT | {"embedding_size": 12}),
    "ALBERT in groups": ("Albert", TEXT | {"embedding_size": 12, "num_hidden_groups": 3}),
    "GPT-2": ("GPT2", {"n_embd": 24, "n_layer": 3, "n_head": 4, "n_positions": 16, "vocab_size": WORDS}),
    "GPT-NeoX": ("GPTNeoX", TEXT),
    "GPT-NeoX, one after the other": ("GPTNeoX", TEXT | {"use_parallel_residual": False}),
    "Llama": ("Llama", ROTARY),
    "Llama with offsets": ("Llama", ROTARY | {"attention_bias": True, "mlp_bias": True}),
    "Llama, wide heads": ("Llama", ROTARY | {"head_dim": 10}),
    "Mistral": ("Mistral", ROTARY | {"sliding_window": 4}),
    "Qwen2": ("Qwen2", ROTARY),
    "Gemma": ("Gemma", ROTARY | {"head_dim": 6}),
    "ViT": ("ViT", IMAGE),
}


def made(name):
    """A module with random weights and gains, and a prompt for it."""
    kind, sizes = CASES[name]
    torch.manual_seed(0)
    config = getattr(transformers, f"{kind}Config")(**sizes, attn_implementation="eager")
    module = getattr(transformers, f"{kind}Model")(config).eval()
    with torch.no_grad():
        for weight in module.parameters():
            weight.add_(0.3 * torch.randn_like(weight))
    rng = np.random.default_rng(1)
    return module, rng.normal(size=(2, 8, 8)) if kind == "ViT" else rng.integers(2, WORDS, TOKENS)


def streams(module, prompt):
    given = torch.as_tensor(np.asarray(prompt))[None]
    given = given.to(next(module.parameters()).dtype) if given.is_floating_point() else given
    with torch.no_grad():
        said = module(given, output_hidden_states=True, output_attentions=True)
    return [np.asarray(h[0], float) for h in said.hidden_states], [np.asarray(P[0], float) for P in said.attentions]


@pytest.mark.parametrize("name", CASES)
def test_states_and_weights_are_those_of_hugging_face(name):
    module, prompt = made(name)
    model = af.read_model(module)
    run = af.record(model, prompt, frame="raw")
    # Decoders show their last state after the final norm, ViT before it.
    ours = [*run.x[:-1], run.x[-1] if model.final is None or name == "ViT" else model.final(run.x[-1])]
    # Rotary positions, RMS norms and ViT's softmax are in single precision there, whatever the weights are.
    exact = 1e-11 if model.heads(0).turn is None and name != "ViT" else 1e-6
    for precision, tol in ((torch.float32, 1e-5), (torch.float64, exact)):
        states, attention = streams(module.to(precision), prompt)
        size = max(np.abs(h).max() for h in states)
        for got, want in zip(ours, states, strict=True):
            assert_allclose(got, want, atol=tol * size)
        for (_, P), want in zip(models.attentions(model, run), attention, strict=True):
            assert_allclose(P, want, atol=tol)


@pytest.mark.parametrize("name", ["BERT", "ALBERT", "GPT-2", "Llama"])
def test_checks_against_the_source_hold_and_notice_wrong_weights(name):
    module, prompt = made(name)
    model = af.read_model(module)
    laws = models.check_model(model, prompt, source=module)
    assert {"hidden states", "attention of the module"} <= {law.name for law in laws}
    assert all(law.holds for law in laws), laws
    with torch.no_grad():
        weight = next(module.parameters())
        weight.add_(0.01 * torch.randn_like(weight))
    assert not all(law.holds for law in models.check_model(model, prompt, source=module))


def test_encoders_of_torch_are_read_as_they_are():
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(24, 4, 40, batch_first=True, activation="gelu")
    module = torch.nn.TransformerEncoder(layer, 3, enable_nested_tensor=False).double().eval()
    model = af.read_model(module, config={"nhead": 4, "activation": "gelu"})
    x = np.random.default_rng(0).normal(size=(7, 24))
    with torch.no_grad():
        want = np.asarray(module(torch.as_tensor(x)[None])[0])
    assert_allclose(af.record(model, x, frame="raw").x[-1], want, atol=1e-11)


GELU = {"activation": "gelu"}
BOTH = {
    "norm_first": True,
    "layer_norm_eps": 1e-2,
    "batch_first": False,
    "activation": torch.nn.GELU(approximate="tanh"),
}


@pytest.mark.parametrize("options", [GELU, BOTH, {"bias": False}], ids=["gelu", "pre-LN", "no bias"])
def test_encoders_of_torch_are_asked_for_their_options(options):
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(24, 4, 40, **options)
    last = torch.nn.LayerNorm(24, eps=options.get("layer_norm_eps", 1e-5))
    module = torch.nn.TransformerEncoder(layer, 2, last, enable_nested_tensor=False).double().eval()
    model = af.read_model(module)
    x = np.random.default_rng(0).normal(size=(7, 24))
    with torch.no_grad():
        want = np.asarray(module(torch.as_tensor(x)))
    assert_allclose(model.final(af.record(model, x, frame="raw").x[-1]), want, atol=1e-11)
    for told in ({"nhead": 8}, {"activation": "relu6"}, {"num_attention_heads": 2}, {"hidden_act": "tanh"}):
        with pytest.raises(af.BadInput):
            af.read_model(module, config=told)


def test_modules_that_compute_something_else_are_refused():
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(24, 4, 40)
    changes = (
        lambda m: setattr(m.layers[1], "activation", torch.nn.functional.gelu),
        lambda m: setattr(m.layers[1].norm2, "eps", 0.3),
        lambda m: setattr(m.layers[0].self_attn, "add_zero_attn", True),
        lambda m: setattr(m, "norm", torch.nn.RMSNorm(24)),
    )
    for change in changes:
        module = torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False).eval()
        with torch.no_grad():
            for weight in module.parameters():
                weight.add_(0.3 * torch.randn_like(weight))
        change(module)
        with pytest.raises(af.BadInput, match="differ by"):
            af.read_model(module)


@pytest.mark.parametrize("kind", ["LayoutLM", "IBert", "Helium", "BitNet", "DiffLlama", "Nystromformer"])
def test_relatives_in_folders_are_refused(tmp_path, kind):
    sizes = TEXT | ({"num_key_value_heads": 2, "head_dim": 6} if kind in ("Helium", "BitNet", "DiffLlama") else {})
    module = getattr(transformers, f"{kind}Model")(getattr(transformers, f"{kind}Config")(**sizes))
    module.save_pretrained(tmp_path)
    for source, config in ((tmp_path, None), (module.state_dict(), module.config.to_dict())):
        with pytest.raises(af.BadInput, match="model_type"):
            af.read_model(source, config=config)
