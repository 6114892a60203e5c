"""Thousands of scenarios that make no sense: each is built, or refused in one clean line; `make fuzz` tries more."""

import copy
import os
import tomllib

import numpy as np
import pytest

from attnflow.cli.finding import ready_made
from attnflow.errors import BadInput
from attnflow.scenario import dumps, from_dict, loads
from attnflow.scenario.building import build
from attnflow.scenario.cost import check_affordable

COUNT = int(os.environ.get("ATTNFLOW_FUZZ", "120"))
SMALL = {"n": 6, "d": 3, "rings": 3, "azimuths": 4}
HOSTILE = (
    None, True, 0, -1, 1, 2, 3, 0.5, -0.5, 1e-300, 1e300, float("inf"), float("nan"), 10**400, -(2**70), 2**63, "", "x",
    "sphere", "\x1b[31m", "é" * 300, [], [[]], [1], [1, 2, 3], [[1, 2], [3]], [[1.0, 0.0], [0.0, 1.0]], {}, {"file": "/dev/zero"},
    {"file": "nowhere.npy"}, {"random": "goe"}, {"random": "cauchy"}, {"diagonal": [1, 2, 3]},
    {"times": [0, 1], "values": [1, 2]},
    {"times": [1, 0], "values": [1, 2]}, "softmax", "sinkhorn", "hardmax", "-log n", "gaussian", "law", "mix_ln", "euler",
)  # fmt: skip


def small(table: dict) -> dict:
    """A ready-made scenario with few tokens and times."""
    tokens = {key: min(value, SMALL[key]) if key in SMALL else value for key, value in table["tokens"].items()}
    return table | {"tokens": tokens, "time": table.get("time", {}) | {"save": 3}}


BASES = [small(tomllib.loads(path.read_text(encoding="utf-8"))) for path in ready_made().values()]
KEYS = (
    "title", "seed", "tokens", "attention", "flow", "time", "output", "tokens.kind", "tokens.n", "tokens.d", "tokens.mass",
    "tokens.cov", "attention.rule", "attention.beta", "attention.B", "attention.Q", "attention.K", "attention.heads",
    "attention.causal", "attention.positions", "attention.table", "attention.eps", "attention.bias", "flow.V", "flow.space",
    "flow.noise", "flow.normalisation", "flow.feed_forward", "flow.rescaled", "flow.tau", "time.until", "time.save",
    "time.tol", "time.step", "time.method", "time.merge", "time.spacing", "time.jumps", "output.figure", "unknown.key",
)  # fmt: skip


def damaged(rng) -> dict:
    table = copy.deepcopy(BASES[rng.integers(len(BASES))])
    for key in rng.choice(KEYS, size=rng.integers(1, 4)):
        *path, last = str(key).split(".")
        inner = table
        for name in path:
            inner = inner.setdefault(name, {}) if isinstance(inner, dict) else {}
        if isinstance(inner, dict):
            inner[last] = copy.deepcopy(HOSTILE[rng.integers(len(HOSTILE))])
    return table


@pytest.mark.parametrize("seed", range(COUNT))
def test_a_damaged_scenario_is_built_or_refused(seed):
    table = damaged(np.random.default_rng(seed))
    try:
        scenario = from_dict(table)
        assert loads(dumps(scenario)) == scenario
        check_affordable(scenario)
        build(scenario)
    except BadInput as refusal:
        assert len(str(refusal).splitlines()) == 1


def test_dotted_keys_may_not_nest_without_end():
    with pytest.raises(BadInput, match="nested too deeply"):
        loads("a" + ".a" * 3000 + " = 1")
