"""Damaged and hostile weights: whatever is done to them, a model is read or refused in one line."""

import json
import os
import random
import struct
import sys
from pathlib import Path

import numpy as np
import pytest

import attnflow as af

sys.path.insert(0, str(Path(__file__).parents[1] / "models"))
from tiny import FAMILIES, prompt_for
from torch_files import write_legacy, write_zip

from attnflow.models.record import started

TRIALS = max(150, int(os.environ.get("ATTNFLOW_FUZZ", "0")))
ODD = (
    None,
    True,
    -1,
    0,
    1,
    3,
    7,
    10**9,
    10**30,
    0.5,
    float("nan"),
    "",
    "gelu",
    "x" * 999,
    "line\nline",
    [],
    [1],
    {},
    {"a": {}},
)
KEYS = ("num_attention_heads", "n_head", "nhead", "num_hidden_layers", "layer_norm_eps", "rms_norm_eps", "layer_norm_epsilon",
        "hidden_act", "activation_function", "activation", "rope_theta", "rope_scaling", "rope_parameters", "rotary_pct",
        "model_type", "sliding_window", "layer_types", "max_position_embeddings", "num_key_value_heads", "pad_token_id",
        "_name_or_path",
        "max_window_layers", "model", "name", "use_parallel_residual", "position_embedding_type")  # fmt: skip


def write_safetensors(path, state):
    pytest.importorskip("safetensors.numpy").save_file(state, path)


def write_llama2c(path, state):
    """A header of seven numbers, and enough of others."""
    head = struct.pack("<7i", 8, 12, 2, 2, 1, 9, 6)
    path.write_bytes(head + np.random.default_rng(0).normal(size=1200).astype("<f4").tobytes())


WRITERS = {"model.safetensors": write_safetensors, "pytorch_model.bin": write_legacy, "state_dict.pt": write_zip,
           "model.npz": lambda path, state: np.savez(path, **state), "model.bin": write_llama2c}  # fmt: skip


def damaged(path, rng):
    data = bytearray(path.read_bytes())
    match rng.randrange(5):
        case 0:
            data = data[: rng.randrange(len(data))]
        case 1:
            data += rng.randbytes(rng.randrange(1, 60))
        case 2:
            place = rng.randrange(len(data))
            data[place : place + rng.randrange(30)] = rng.randbytes(rng.randrange(30))
        case _:
            # Headers are at the beginning, tables of archives at the end.
            for _ in range(rng.randrange(1, 6)):
                place = rng.choice(
                    [
                        rng.randrange(min(600, len(data))),
                        rng.randrange(len(data)),
                        -rng.randrange(1, min(600, len(data))),
                    ]
                )
                data[place] = rng.choice([0, 1, 127, 255, data[place] ^ (1 << rng.randrange(8))])
    path.write_bytes(bytes(data))


def bent(state, rng):
    """A tensor less, of another shape, of another kind, or with what is no number."""
    name = rng.choice(sorted(state))
    array = state[name]
    match rng.randrange(6):
        case 0:
            del state[name]
        case 1:
            state[name] = array[..., :-1]
        case 2:
            state[name] = array.reshape(-1)[: rng.randrange(array.size)]
        case 3:
            state[name] = array.astype(rng.choice(["i4", "f2", "i1", "?"]))
        case 4:
            state[name] = np.where(np.arange(array.size).reshape(array.shape) == 0, np.inf, array).astype("f4")
        case _:
            state[rng.choice(sorted(state))] = array


def trial(folder, rng):
    family = rng.choice(sorted(FAMILIES))
    numbers = np.random.default_rng(rng.randrange(2**32))
    state, config = FAMILIES[family][0](numbers)
    state = {name: np.ascontiguousarray(value, "f4") for name, value in state.items()}
    for _ in range(rng.randrange(3)):
        bent(state, rng)
    state = {name: np.ascontiguousarray(value) for name, value in state.items()}
    config |= {rng.choice(KEYS): rng.choice(ODD) for _ in range(rng.randrange(4))}
    name = rng.choice(sorted(WRITERS))
    if name == "pytorch_model.bin" or name == "state_dict.pt":
        state = {key: value.astype("f4") for key, value in state.items()}
    WRITERS[name](folder / name, state)
    (folder / "config.json").write_text(json.dumps(config))
    if rng.random() < 0.5:
        damaged(folder / name, rng)
    if rng.random() < 0.1:
        damaged(folder / "config.json", rng)
    return folder / name if rng.random() < 0.5 else folder, prompt_for(family, numbers)


def test_weights_are_read_or_refused_in_one_line(tmp_path):
    read = 0
    for seed in range(TRIALS):
        folder = tmp_path / str(seed)
        folder.mkdir()
        place, prompt = trial(folder, random.Random(seed))
        try:
            model = af.read_model(place)
            started(model, prompt)
            assert model.d and "\n" not in repr(model.facts())
            read += 1
        except af.BadInput as refused:
            assert len(str(refused)) <= 200 and "\n" not in str(refused), (seed, str(refused))
        except Exception as error:
            raise AssertionError(f"seed {seed}: {type(error).__name__}: {error}") from error
    assert 0.05 * TRIALS < read < 0.95 * TRIALS
