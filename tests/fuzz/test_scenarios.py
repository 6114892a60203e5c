"""Thousands of scenarios that make no sense: each is built, or refused in one clean line; `make fuzz` tries more."""

import copy
import os
import time
import tomllib

import jax
import numpy as np
import pytest

import attnflow as af
from attnflow.errors import BadInput, printable
from attnflow.experiments.scenario import dumps, from_dict, loads
from attnflow.experiments.scenario.building import build
from attnflow.experiments.scenario.cost import check_affordable
from attnflow.experiments.scenario.data import ACTIVATIONS, METHODS, RULE_KEYS, SCHEMES
from attnflow.experiments.scenario.tokens import KINDS
from attnflow.experiments.scenario.toml import with_values
from attnflow.interfaces.cli.finding import ready_made

COUNT = int(os.environ.get("ATTNFLOW_FUZZ", "120"))
PARTS = 4
SECONDS = 4.0
SMALL = {"n": 6, "d": 3, "rings": 3, "azimuths": 4}
HOSTILE = (
    None, True, 0, -1, 1, 2, 3, 0.5, -0.5, 1e-300, 1e300, float("inf"), float("nan"), 10**400, -(2**70), 2**63, "", "x",
    "sphere", "\x1b[31m", "é" * 300, [], [[]], [1], [1, 2, 3], [[1, 2], [3]], [[1.0, 0.0], [0.0, 1.0]], {}, {"file": "/dev/zero"},
    {"file": "nowhere.npy"}, {"file": "\x00"}, {"random": "goe"}, {"random": "cauchy"}, {"diagonal": [1, 2, 3]},
    {"times": [0, 1], "values": [1, 2]}, {"times": [1, 0], "values": [1, 2]}, "softmax", "sinkhorn", "hardmax", "-log n",
    "gaussian", "law", "mix_ln", "euler",
)  # fmt: skip
NUMBERS = (0.5, 1.0, 2.0, -1.0, 0.0, 1e-3, 40.0, 1e6, 1e-9, {"times": [0, 1], "values": [1, 2]})
MATRICES = (
    *NUMBERS, {"random": "goe"}, {"random": "gaussian", "scale": 0.5}, {"random": "orthogonal"}, {"random": "psd"},
    {"random": "gaussian", "rows": 2}, {"diagonal": [1, 2]}, {"diagonal": [1, 2, 3]}, [[1, 0], [0, 1]],
    [[1, 0, 0], [0, 2, 0], [0, 0, -1]], [[0, 1], [-1, 0]], [[1, 2, 3]],
    {"times": [0, 1], "values": [[[1, 0], [0, 1]], [[0, 1], [1, 0]]]},
)  # fmt: skip
PLAUSIBLE = {
    "tokens.kind": tuple(KINDS), "tokens.n": (1, 2, 3, 5, 6), "tokens.d": (1, 2, 3, 4),
    "tokens.mass": ([1, 2, 3], [1] * 6, [0] * 6),
    "tokens.cov": ([[1, 0], [0, 1]], [[1, 2], [2, 1]], 2.0), "tokens.mean": ([0, 0], [1, 2, 3]),
    "tokens.file": ("nowhere.csv", "/"),
    "tokens.x": ([[1, 0], [0, 1]], [[0, 0], [0, 0]], [[1, 2, 3]]), "tokens.cos": (0.3, -1, 2), "tokens.rings": (1, 3, 0),
    "tokens.centres": (1, 2, [[1, 0, 0]]), "tokens.law": ("uniform", "norm", "nolaw"), "tokens.sampling": ("iid", "sobol"),
    "tokens.angle": (0.1, 4.0), "tokens.radius": (1.0, 1e200), "tokens.weights": ([1, 1], [-1, 2]),
    "tokens.means": ([[0, 1], [1, 0]], [1, 2]),
    "tokens.covs": ([1, 2], [1, -1], [[[1, 0], [0, 1]], 1]), "tokens.low": (-1, 1), "tokens.high": (-1, 1),
    "attention.rule": tuple(RULE_KEYS), "attention.beta": NUMBERS, "attention.B": MATRICES, "attention.Q": MATRICES,
    "attention.K": MATRICES, "attention.heads": ([{}], [{"V": 1}, {"rule": "linear", "V": 2}],
    [{"B": {"random": "goe"}, "V": {"random": "gaussian"}}]),
    "attention.causal": (True, False), "attention.positions": ([1, 2, 3, 4, 5, 6], [1, 2]),
    "attention.table": ([[True, False], [True, True]], [[0, 1], [1, 0]]), "attention.slope": (0.1, -1.0),
    "attention.eps": NUMBERS, "attention.bias": (*NUMBERS, "-log n"), "attention.total": (True, False),
    "attention.scale": ("mean", "sum", "shifted", 2.0), "attention.iterations": (1, 5), "attention.ties": (0.0, 1e-6, -1.0),
    "attention.others": (True, False), "attention.average": ("heard", "all"), "flow.V": MATRICES,
    "flow.space": ("sphere", "euclidean"), "flow.noise": NUMBERS, "flow.normalisation": tuple(SCHEMES), "flow.tau": (0.5, 2.0),
    "flow.alpha": NUMBERS, "flow.rescaled": (True, False),
    "flow.feed_forward": (*[{"activation": name} for name in ACTIVATIONS], {"w": {"random": "gaussian", "rows": 2}}),
    "time.until": (0.5, 1e-9, 1e9), "time.save": (1, 2, 5, [0, 0.1], [0.1, 0.05], [0.0, 1e12]), "time.tol": (1e-8, 1e-16, 0.5),
    "time.step": (0.1, 1e-3, 20.0), "time.method": METHODS, "time.merge": (1e-6, 0.1), "time.spacing": (1.0, 4.0, 1e-3, 300.0),
    "time.jumps": ([0.1], [-5.0], [1, 0]), "time.steady": (1e-6,), "time.max_steps": (1, 10),
    "time.summation": ("auto", "fast", "exact"),
    "output.figure": ([], ["png"], ["bmp"]), "output.chunk": (1, 1000), "output.page": (True, False), "seed": (0, 7, 2**62),
}  # fmt: skip


def small(table: dict) -> dict:
    """A ready-made scenario with few tokens and times."""
    tokens = {key: min(value, SMALL[key]) if key in SMALL else value for key, value in table["tokens"].items()}
    return table | {"tokens": tokens, "time": table.get("time", {}) | {"save": 3}}


BASES = [small(tomllib.loads(path.read_text(encoding="utf-8"))) for path in ready_made().values()]
KEYS = (*PLAUSIBLE, "title", "tokens", "attention", "flow", "time", "output", "unknown.key", "tokens.", "\x1b[2J")


def damaged(rng) -> dict:
    """A ready-made scenario with one to four values changed, most of them to what could be meant."""
    table = copy.deepcopy(BASES[rng.integers(len(BASES))])
    for key in rng.choice(KEYS, size=rng.choice([1, 1, 2, 2, 3, 4])):
        *path, last = str(key).split(".")
        pool = PLAUSIBLE.get(str(key), HOSTILE) if rng.random() < 0.85 else HOSTILE
        inner = table
        for name in path:
            inner = inner.setdefault(name, {}) if isinstance(inner, dict) else {}
        if isinstance(inner, dict):
            inner[last] = copy.deepcopy(pool[rng.integers(len(pool))])
    return table


def tried(make) -> bool:
    """Build what `make` gives as far as a run would before it compiles; False where it is refused in one clean line."""
    began = time.process_time()
    try:
        scenario = make()
        assert loads(dumps(scenario)) == scenario
        check_affordable(scenario)
        flow, mu, _ = build(scenario)
        jax.eval_shape(lambda mu: af.velocity(flow, mu), mu)
    except BadInput as refusal:
        line = str(refusal)
        assert line == line.strip() and len(line.splitlines()) == 1 and len(printable(line)) <= 200
        assert len(line) <= 200 or os.sep in line, line
        return False
    finally:
        assert time.process_time() - began < SECONDS
    return True


@pytest.mark.parametrize("part", range(PARTS))
def test_a_damaged_scenario_is_built_or_refused(part):
    built = 0
    for seed in range(part, COUNT, PARTS):
        table = damaged(np.random.default_rng(seed))
        try:
            built += tried(lambda table=table: from_dict(table))
        except Exception as error:
            raise AssertionError(f"seed {seed}: {table}") from error
    assert built > COUNT / PARTS / 20


def mangled(rng, text: str) -> str:
    """A scenario file after an accident."""
    at, other = sorted(rng.integers(len(text) + 1, size=2))
    lines = text.splitlines()
    accidents = (
        lambda: text[:at], lambda: text[:at] + text[other:], lambda: text[:at] + chr(rng.integers(0x1, 0x2FF)) + text[at:],
        lambda: text + text, lambda: "\n".join(rng.permutation(lines)), lambda: text[:at] + "[" * 2000 + text[at:],
        lambda: text.replace("=", "= 9" + "9" * 5000, 1), lambda: text.replace("\n", "\r"), lambda: text[:at] + text[at:].upper(),
        lambda: text.replace("=", "= -", int(rng.integers(1, 4))), lambda: text.replace('"', "'''", 1),
        lambda: text.replace(".", ".." , 1),
        lambda: text[:at] + "\n[[tokens]]\n" + text[at:], lambda: text[:at] + "\n[tokens.x.y]\na=1\n" + text[at:],
    )  # fmt: skip
    return accidents[rng.integers(len(accidents))]()


TEXTS = [dumps(from_dict(table)) for table in BASES if "sweep" not in table]


def test_a_mangled_file_is_read_or_refused():
    for seed in range(COUNT // 2):
        rng = np.random.default_rng([seed, 1])
        text = mangled(rng, TEXTS[rng.integers(len(TEXTS))])
        try:
            tried(lambda text=text: loads(text))
        except Exception as error:
            raise AssertionError(f"seed {seed}: {text[:300]!r}") from error


def test_settings_of_the_command_line_are_read_or_refused():
    base = loads(TEXTS[0])
    values = [
        "",
        "=",
        "[",
        "{",
        "[[",
        "'",
        '"',
        "1e999",
        "nan",
        "--",
        "\x1b",
        "\n",
        "1,2",
        "true",
        "9" * 5000,
        "[" * 3000,
    ]
    values += [
        "5",
        "softmax",
        "[1]",
        "{file='/dev/full'}",
        "[[1,0],[0,1]]",
        "\ud800",
        "é",
        "0x" + "f" * 400,
        "1979-05-27",
    ]
    for seed in range(COUNT // 2):
        rng = np.random.default_rng([seed, 2])
        key = str(rng.choice([*KEYS, "", ".", "..", "a" + ".a" * 500, "tokens.kind.x", "tokens[0]"]))
        setting = key + str(rng.choice(["=", "", "=="])) + values[rng.integers(len(values))]
        try:
            tried(lambda setting=setting: with_values(base, [setting]))
        except Exception as error:
            raise AssertionError(f"seed {seed}: {setting[:200]!r}") from error


def test_dotted_keys_may_not_nest_without_end():
    with pytest.raises(BadInput, match="nested too deeply"):
        loads("a" + ".a" * 3000 + " = 1")
