"""The JSON Schema of scenarios accepts what the readers accept and refuses what they refuse."""

import tomllib

import jsonschema
import pytest

from attnflow.errors import BadInput
from attnflow.experiments.scenario import from_dict, load, to_dict
from attnflow.experiments.scenario.schema import schema
from attnflow.interfaces.cli.finding import ready_made

CHECKER = jsonschema.Draft202012Validator(schema())


@pytest.mark.parametrize("path", ready_made().values(), ids=lambda path: path.stem)
def test_ready_made_scenarios_fit(path):
    CHECKER.validate(tomllib.loads(path.read_text(encoding="utf-8")))
    CHECKER.validate(to_dict(load(path)))


TOKENS = {"tokens": {"kind": "sphere", "n": 4, "d": 3}}


@pytest.mark.parametrize(
    "table",
    [
        {"titel": "a"},
        {"seed": "zero"},
        TOKENS | {"attention": {"rule": "softmx"}},
        TOKENS | {"attention": {"rule": "hardmax", "beta": 2.0}},
        TOKENS | {"attention": {"beta": "warm"}},
        TOKENS | {"attention": {"B": {"random": "cauchy"}}},
        TOKENS | {"flow": {"space": "torus"}},
        TOKENS | {"time": {"until": -1.0}},
        TOKENS | {"time": {"save": 0}},
        {"tokens": {"kind": "polygon", "n": 3, "d": 2}},
    ],
)
def test_what_is_refused_does_not_fit(table):
    with pytest.raises(BadInput):
        from_dict(table)
    assert not CHECKER.is_valid(table)


@pytest.mark.parametrize(
    "part",
    [
        {"attention": {"beta": {"times": [0, 1], "values": [1, 2]}}},
        {"attention": {"heads": [{"rule": "softmax", "beta": 1.0, "V": 2.0}, {"rule": "linear"}], "causal": True}},
        {"attention": {"rule": "sinkhorn", "eps": 0.5, "iterations": 3}},
        {"flow": {"V": [[1, 0], [0, 1]], "space": "euclidean", "feed_forward": {"b": [1, 2]}}},
        {"time": {"save": [0, 1, 2], "method": "euler", "step": 0.1}},
    ],
)
def test_what_is_accepted_fits(part):
    from_dict(TOKENS | part)
    CHECKER.validate(TOKENS | part)
