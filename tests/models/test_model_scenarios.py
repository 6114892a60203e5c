"""Scenarios whose tokens and flow come from a model: run, sweep, predict, and what is refused."""

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose
from tiny import FAMILIES

import attnflow as af
from attnflow.errors import BadInput
from attnflow.experiments.store.dataset import to_xarray, write
from attnflow.experiments.store.draft import mark_of
from attnflow.interfaces.cli import execute

TOKENS = {"kind": "model", "model": "random", "ids": [3, 1, 4, 1, 5, 9]}
TOML = """
[tokens]
kind = "model"
model = "random"
ids = [3, 1, 4, 1, 5, 9]
keep = "attention"
[time]
until = 0.5
save = 3
"""


def built(**changes):
    kept = {key: value for key, value in (TOKENS | changes).items() if value is not None}
    return af.build(af.scenario.from_dict({"tokens": kept, "time": {"until": 1}}))


def test_tokens_are_the_states_before_the_layer_that_is_the_flow():
    flow, mu, _ = built(layer=2)
    run = af.record(af.models.random_albert(), TOKENS["ids"])
    assert_allclose(mu.x, run.x[2], atol=1e-14)
    # Layers of the block are the model, to the ε = 1e-12 of its norms.
    assert_allclose(af.layers(flow, mu, 1).x[1], run.x[3], atol=1e-11)


def test_heads_of_a_model_are_a_flow_that_theory_speaks_about():
    flow, mu, _ = built(keep="attention", layer=4)
    near = af.Particles(np.asarray(mu.x[:1]) + 1e-3 * np.asarray(mu.x))
    near = af.Particles(near.x / np.linalg.norm(near.x, axis=1, keepdims=True))
    told = {found.claim for found in af.predict(flow, near, paper="alcalde2026")}
    assert "alcalde2026.gathered_heads" in told


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"ids": None}, "need a prompt"),
        ({"text": "hello"}, "need a prompt"),
        ({"ids": None, "text": "hello"}, "no tokeniser"),
        ({"ids": [1.5]}, "whole numbers"),
        ({"ids": [99]}, "outside"),
        ({"layer": 9}, "between . and 4"),
        ({"layer": -1}, "between . and 4"),
        ({"model": "package:nothing-of-this-name"}, "no package"),
        ({"model": "no_such_folder"}, "no_such_folder"),
        ({"keep": "heads"}, "keep"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(changes, words):
    with pytest.raises(BadInput, match=words) as caught:
        built(**changes)
    assert "\n" not in str(caught.value) and len(str(caught.value)) <= 200


def test_a_flow_of_ones_own_is_refused():
    with pytest.raises(BadInput, match="brings its own flow"):
        af.build(af.scenario.from_dict({"tokens": TOKENS, "attention": {"beta": 2.0}, "time": {"until": 1}}))


@pytest.mark.slow
def test_commands_take_a_model(tmp_path, capsys):
    file = tmp_path / "heads.toml"
    file.write_text(TOML, encoding="utf-8")
    for command in (["run", "--out", str(tmp_path / "out")], ["predict"]):
        assert execute([command[0], str(file), *command[1:], "--json"]) == 0
        json.loads(capsys.readouterr().out)


def test_a_run_is_not_judged_with_other_weights(tmp_path):
    state, config = FAMILIES["ALBERT"][0](np.random.default_rng(0))
    (tmp_path / "config.json").write_text(json.dumps(config))
    np.savez(tmp_path / "model.npz", **state)
    table = af.scenario.from_dict(
        {"tokens": TOKENS | {"model": str(tmp_path), "ids": [1, 2, 3]}, "time": {"until": 0.1, "save": 2}}
    )
    flow, mu, options = af.build(table)
    place = write(to_xarray(af.evolve(flow, mu, **options), scenario=table), tmp_path / "run.zarr")
    first = mark_of(table, mu)
    assert af.load_run(place).states.n == 3
    for other in (lambda: np.savez(tmp_path / "model.npz", **{k: 1.5 * v for k, v in state.items()}),
                  lambda: (tmp_path / "config.json").write_text(json.dumps(config | {"note": 1}))):  # fmt: skip
        other()
        with pytest.raises(BadInput, match="has changed since"):
            af.load_run(place)
        assert mark_of(table, mu) != first
