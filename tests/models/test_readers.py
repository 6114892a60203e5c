"""Weight files, hidden states and prompts as users have them; what is wrong is told in one line."""

import os
import pickle
import struct
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from tiny import FAMILIES, WORDS, D, bert_forward, prompt_for
from torch_files import write_legacy, write_zip

import attnflow as af
from attnflow.models.files.torch_file import read_torch


@pytest.fixture(scope="module")
def bert():
    rng = np.random.default_rng(5)
    state, config = FAMILIES["BERT"][0](rng)
    return state, config, prompt_for("BERT", rng)


@pytest.mark.parametrize("write", [write_zip, write_legacy])
def test_torch_files_are_read_to_the_bit(tmp_path, bert, write):
    state, *_ = bert
    write(tmp_path / "pytorch_model.bin", state)
    read = read_torch(tmp_path / "pytorch_model.bin")
    assert set(read) == set(state)
    for name, value in state.items():
        assert np.array_equal(read[name], value.astype("f4"))


def test_every_way_of_storing_gives_the_same_states(tmp_path, bert):
    safetensors = pytest.importorskip("safetensors.numpy")
    state, config, ids = bert
    single = {name: np.ascontiguousarray(value, "f4") for name, value in state.items()}
    write_zip(tmp_path / "a.pt", single)
    np.savez(tmp_path / "b.npz", **single)
    safetensors.save_file(single, tmp_path / "c.safetensors")
    want = bert_forward({name: value.astype(float) for name, value in single.items()}, ids)
    for name in ("a.pt", "b.npz", "c.safetensors"):
        model = af.read_model(tmp_path / name, config=config)
        assert_allclose(af.record(model, ids, frame="raw").x, want, atol=1e-12)


def test_files_that_would_run_code_are_refused(tmp_path):
    class Evil:
        def __reduce__(self):
            return os.system, (f"touch {tmp_path / 'ran'}",)

    plain = tmp_path / "evil.bin"
    plain.write_bytes(pickle.dumps({"w": Evil()}, protocol=2))
    with zipfile.ZipFile(tmp_path / "evil.pt", "w") as archive:
        archive.writestr("x/data.pkl", pickle.dumps({"w": Evil()}, protocol=2))
    for path in (plain, tmp_path / "evil.pt"):
        with pytest.raises(af.BadInput, match=r"torch file|refused"):
            af.read_model(path)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("share", [0.2, 0.7, 0.999])
def test_truncated_files_are_one_clear_line(tmp_path, bert, share):
    safetensors = pytest.importorskip("safetensors.numpy")
    state, config, _ = bert
    single = {name: np.ascontiguousarray(value, "f4") for name, value in state.items()}
    write_legacy(tmp_path / "a.bin", single)
    write_zip(tmp_path / "b.pt", single)
    safetensors.save_file(single, tmp_path / "c.safetensors")
    np.savez(tmp_path / "d.npz", **single)
    for name in ("a.bin", "b.pt", "c.safetensors", "d.npz"):
        raw = (tmp_path / name).read_bytes()
        (tmp_path / name).write_bytes(raw[: int(share * len(raw))])
        with pytest.raises(af.BadInput) as refused:
            af.read_model(tmp_path / name, config=config)
        assert len(str(refused.value)) <= 200 and "\n" not in str(refused.value)


def test_llama2c_files_are_read_as_the_same_llama(tmp_path):
    rng = np.random.default_rng(3)
    d, f, depth, heads, groups, words, seq = 8, 12, 2, 2, 1, 9, 6
    k = d // heads
    sizes = [(words, d), (depth, d), (depth, d, d), (depth, groups * k, d), (depth, groups * k, d), (depth, d, d), (depth, d),
             (depth, f, d), (depth, d, f), (depth, f, d), (d,), (seq, k // 2), (seq, k // 2)]  # fmt: skip
    arrays = [rng.normal(size=size).astype("<f4") for size in sizes]
    vocabulary = [(0.0, b"<unk>"), (0.0, b"<s>"), (0.0, b"</s>"), (-1.0, b" "), (-2.0, b"a"), (-3.0, b"b"), (1.0, b"ab"),
                  (0.5, b" a"), (0.0, b"c")]  # fmt: skip
    raw = struct.pack("<7i", d, f, depth, heads, groups, words, seq) + b"".join(a.tobytes() for a in arrays)
    tail = struct.pack("<i", 5) + b"".join(struct.pack("<fi", s, len(w)) + w for s, w in vocabulary)
    (tmp_path / "model.bin").write_bytes(raw + tail)
    model = af.read_model(tmp_path / "model.bin")
    assert (model.family, model.depth, model.d, model.heads(0).K.shape[0]) == ("Llama", depth, d, groups)
    assert model.heads(0).turn.is_interleaved
    assert list(model.words.encode("ab")) == [1, 3, 6]  # " ", "a", "b": "ab" has the best score, then " ab" is no word
    assert_allclose(model.heads(1).Q[1], arrays[2][1].reshape(heads, k, d)[1])
    assert_allclose(np.asarray(af.record(model, "ab", frame="raw").x[0]), arrays[0][[1, 3, 6]])
    (tmp_path / "model.bin").write_bytes(raw[:-200])
    with pytest.raises(af.BadInput, match="truncated"):
        af.read_model(tmp_path / "model.bin")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda s, c: s.pop("bert.encoder.layer.1.output.dense.bias") is None or s, "layers|missing|built alike|^$"),
        (lambda s, c: s.pop("bert.encoder.layer.1.attention.self.key.weight"), "key.weight is missing"),
        (lambda s, c: s.update({"bert.encoder.layer.0.intermediate.dense.weight": np.zeros((5, D + 1))}), "has shape"),
        (lambda s, c: c.pop("num_attention_heads"), "does not say num_attention_heads"),
        (lambda s, c: c.update(num_attention_heads=5), "cannot be shared by 5 heads"),
        (lambda s, c: c.update(hidden_act="mystery"), "activation 'mystery'"),
        (lambda s, c: s.update({"bert.encoder.layer.0.output.dense.weight": np.full((D, 20), np.nan)}), "NaN"),
    ],
)
def test_wrong_weights_are_told_in_one_line(bert, change, words):
    state, config = dict(bert[0]), dict(bert[1])
    change(state, config)
    try:
        af.read_model(state, config=config)
    except af.BadInput as refused:
        assert len(str(refused)) <= 200 and "\n" not in str(refused)
        import re

        assert re.search(words, str(refused))
    else:
        assert words.endswith("^$")  # an offset less is a model without it


def test_unknown_families_name_what_was_looked_for():
    with pytest.raises(af.BadInput, match=r"looked for ALBERT, BERT, GPT-2.*ViT"):
        af.read_model({"mystery.weight": np.zeros((2, 2))})


def test_prompts_that_do_not_fit(bert):
    state, config, ids = bert
    model = af.read_model(state, config=config)
    for prompt, words in (
        (np.zeros(12, int), "12 tokens, but"), ([WORDS], "outside the vocabulary"), ([-1], "outside the vocabulary"),
        ([], "empty"), ("some text", "no tokeniser"), (np.zeros((3, D + 1)), "whole numbers"), (np.zeros((2, 3), int), "shape"),
    ):  # fmt: skip
        with pytest.raises(af.BadInput, match=words):
            af.record(model, prompt)
    with pytest.raises(af.BadInput, match="frame"):
        af.record(model, ids, frame="round")
    with pytest.raises(af.BadInput, match="layers 0 to 2"):
        af.as_flow(model, layer=7)


def test_packages_that_are_not_there():
    with pytest.raises(af.BadInput, match="no package"):
        af.read_model("package:no-such-package-of-weights")


# ---- hidden states -----------------------------------------------------------------------------------------------------


def test_hidden_states_from_anywhere(tmp_path, rng):
    x = rng.normal(size=(4, 5, D))
    np.save(tmp_path / "h.npy", x)
    np.savez(tmp_path / "h.npz", other=np.zeros(2), hidden_states=x)
    cache = {f"blocks.{l}.hook_resid_post": x[l + 1][None] for l in range(3)} | {"blocks.0.hook_resid_pre": x[0][None]}

    class Tensor:
        """What torch tensors offer."""

        dtype = "torch.float32"

        def __init__(self, array):
            self.array = array

        def detach(self):
            return self

        def cpu(self):
            return self

        def __array__(self, dtype=None, copy=None):
            return np.asarray(self.array, dtype)

    sources = (
        x,
        list(x),
        tuple(Tensor(h[None]) for h in x),
        Tensor(x),
        cache,
        tmp_path / "h.npy",
        str(tmp_path / "h.npz"),
    )
    for source in sources:
        run = af.observed(source, names=list("abcde"))
        assert_allclose(run.x, x)
        assert run.frame == "raw" and run.names == tuple("abcde") and run.status == af.Status.DONE
        assert list(run.ts) == [0, 1, 2, 3]
    assert_allclose(np.linalg.norm(af.observed(x, frame="unit").x, axis=-1), 1)


def test_frames_do_not_mix(rng):
    x = rng.normal(size=(4, 5, D))
    raw, unit = af.observed(x), af.observed(x, frame="unit")
    with pytest.raises(af.BadInput, match="do not compare"):
        af.models.difference(raw, unit)
    with pytest.raises(af.BadInput, match="no unit vectors"):
        af.observed(x, frame="sphere")
    assert af.models.difference(unit, unit).max() == 0


def test_hidden_states_that_cannot_be_read(tmp_path, rng):
    x = rng.normal(size=(3, 4, D))
    np.save(tmp_path / "whole.npy", x)
    (tmp_path / "short.npy").write_bytes((tmp_path / "whole.npy").read_bytes()[:100])
    (tmp_path / "junk.npz").write_bytes(b"PK\x03\x04")
    np.savez(tmp_path / "empty.npz")
    for source, words in (
        (tmp_path / "short.npy", "not a readable"), (tmp_path / "junk.npz", "not a readable"),
        (tmp_path / "empty.npz", "empty"), ([x[0], x[1][:2]], "one shape"), ([], "empty"),
        ({"blocks.1.hook_resid_post": x[0]}, "no blocks.0.hook_resid_pre"),
    ):  # fmt: skip
        with pytest.raises(af.BadInput, match=words) as refused:
            af.observed(source)
        assert len(str(refused.value)) <= 200


def test_words_are_asked_only_for_numbers_in_the_vocabulary(bert):
    class Letters:
        def names(self, ids):
            return tuple("abc"[i] for i in ids)

    model = replace(af.read_model(bert[0], config=bert[1]), words=Letters())
    with pytest.raises(af.BadInput, match="outside the vocabulary"):
        af.record(model, [WORDS])
    with pytest.raises(af.BadInput, match="layers 0 to 2"):
        af.regimes(model, af.record(model, [0, 1, 2]), layers=[7])
    with pytest.raises(af.BadInput, match="seed"):
        af.shuffled(model, seed="x")


def test_observed_runs_are_read_like_any_other(rng):
    run = af.observed(rng.normal(size=(4, 6, D)), frame="unit")
    assert af.clusters(run.last).count == 6
    assert -1 <= af.cosines(run.last).mean <= 1
    assert af.check(run) == [] and af.predict(run.flow, run.at(0)) == []
    assert run.to_xarray().x.shape == (4, 6, D)
    with pytest.raises(af.BadInput, match="flow"):
        af.velocity(run.flow, run.at(0))
