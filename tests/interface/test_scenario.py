"""A scenario is plain data: read with clear refusals, written back equal, built into the engine's objects."""

import dataclasses
import inspect
import json
import re
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from attnflow import scenario
from attnflow.engine.evolution.stepping import METHODS
from attnflow.engine.flow import ACTIVATIONS, velocity
from attnflow.engine.flow import normalisation as schemes
from attnflow.engine.measures import initial
from attnflow.experiments.scenario import building, data, dumps, from_dict, load, loads, to_dict, with_values
from attnflow.experiments.scenario.building import build, build_tokens
from attnflow.experiments.scenario.cost import estimate
from attnflow.experiments.scenario.matrix import ENSEMBLES, FORMS
from attnflow.experiments.scenario.tokens import ADAPTERS, KINDS

READY = sorted((Path(__file__).parents[2] / "scenarios").glob("*.toml"))
SMALL = {"tokens": {"kind": "sphere", "n": 6, "d": 3}}


def small(*settings):
    return with_values(from_dict(SMALL), settings)


@pytest.mark.parametrize("path", READY, ids=lambda path: path.stem)
def test_ready_made_scenarios_are_read_built_and_written_back(path):
    made = load(path)
    assert made.title
    assert loads(dumps(made)) == made == from_dict(to_dict(made))
    flow, mu, options = build(made)
    assert options["until"] > 0
    if hasattr(mu, "x") and mu.n <= 1000 and not made.flow.rescaled:
        assert np.all(np.isfinite(velocity(flow, mu)))


@pytest.mark.parametrize(
    "setting, words",
    [
        ("attention.betta=4", ["attention.betta = 4", "did you mean beta?", "rule, B, Q, K"]),
        ("tme.until=4", ["tme", "did you mean time?"]),
        ("attention.beta=nine", ['attention.beta = "nine"', "finite number"]),
        ("attention.beta=nan", ["attention.beta", "finite number"]),
        ("attention.beta=inf", ["attention.beta", "finite number"]),
        ("attention.rule=sofmax", ["attention.rule", "did you mean softmax?", "sinkhorn"]),
        ("attention.eps=1", ["softmax takes no eps"]),
        ("attention.V=1", ["softmax takes no V", "[flow]"]),
        ("attention.B=[[1, 2], [3]]", ["attention.B", "different lengths"]),
        ("attention.B={random = 'gaus'}", ["attention.B.random", "did you mean gaussian?"]),
        ("attention.B={}", ["attention.B", "random", "diagonal"]),
        ("attention.beta={times = [0, 1], values = [1]}", ["equal length"]),
        ("attention.beta={times = [1, 0], values = [1, 2]}", ["must increase"]),
        ("attention.causal=1", ["true or false"]),
        ("attention.table=[[1, true]]", ["attention.table"]),
        ("tokens.n=0", ["tokens.n = 0", "at least 1"]),
        ("tokens.n=2.5", ["tokens.n", "whole number"]),
        ("tokens.d=0", ["tokens.d = 0"]),
        ("tokens.radius=1", ["tokens.radius", "unknown key", "sampling"]),
        ("tokens.kind=sfere", ["tokens.kind", "did you mean sphere?"]),
        ("tokens=4", ["[tokens]"]),
        ("time.until=-1", ["time.until", "positive"]),
        ("time.save=[]", ["time.save", "list of times"]),
        ("time.method=rk5", ["time.method", "did you mean rk4?"]),
        ("flow.normalisation=mix_ln", ["flow.tau is missing"]),
        ("flow.tau=1", ["takes no tau"]),
        ("output.figure=['gif']", ["output.figure[0]", "png, pdf, svg"]),
        ("seed=-1", ["seed = -1", "negative"]),
        ("seed=1.5", ["seed", "whole number"]),
        ("beta", ["key=value"]),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line(setting, words):
    with pytest.raises(ValueError) as caught:
        small(setting)
    message = str(caught.value)
    assert "\n" not in message
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    "settings, words",
    [
        (["attention.B=[[1, 0], [0, 1]]"], "dimension 3"),
        (["flow.V=[[1, 0], [0, 1]]"], "dimension 3"),
        (["attention.positions=[0.1, 0.2]"], "6"),
        (["time.tol=1e-20"], "tol"),
        (["time.method=rk4"], "step"),
        (["time.save=[2, 1]"], "increase"),
        (["tokens.mass=[1, 1]"], "mass"),
        (["tokens.kind=caps"], "tokens.centres is missing"),
        (["tokens.kind=file", "tokens.file=/no/such.npy"], "no such file"),
        (["tokens.kind=equiangular", "tokens.cos=-0.9"], "equal cosines"),
        (["attention.Q=1.0"], "Q and K"),
        (["attention.B={file = '/no/such.npy'}"], "no such file"),
        (["attention.rule=sinkhorn", "attention.causal=true"], "cannot be masked"),
        (["flow.space=euclidean", "flow.rescaled=true", "attention.rule=sigmoid"], "rescale"),
    ],
)
def test_what_cannot_be_built_is_refused_in_one_line(settings, words):
    with pytest.raises(ValueError, match=words) as caught:
        build(small(*settings))
    assert "\n" not in str(caught.value)


def test_files_are_read_with_clear_refusals(tmp_path):
    with pytest.raises(ValueError, match="no such file"):
        load(tmp_path / "none.toml")
    with pytest.raises(ValueError, match="is a folder"):
        load(tmp_path)
    (tmp_path / "bad.toml").write_text("tokens = [")
    with pytest.raises(ValueError, match=r"bad.toml: not TOML"):
        load(tmp_path / "bad.toml")
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="cannot be read"):
        load(tmp_path / "bad.toml")


def test_files_are_looked_for_beside_the_scenario(tmp_path, monkeypatch):
    x = np.eye(3)
    np.save(tmp_path / "x.npy", x)
    np.savetxt(tmp_path / "B.csv", 2 * x, delimiter=",")
    (tmp_path / "s.toml").write_text('[tokens]\nkind = "file"\nfile = "x.npy"\n[attention]\nB = { file = "B.csv" }\n')
    monkeypatch.chdir("/")
    flow, mu, _ = build(load(tmp_path / "s.toml"))
    assert_array_equal(mu.x, x)
    assert_array_equal(flow.attention.score.weights, 2 * x)


@pytest.mark.parametrize(
    "settings",
    [
        [
            "attention={heads = [{rule = 'softmax', beta = 3, V = 2}, {rule = 'linear', V = {random = 'goe'}}], causal = true}"
        ],
        ["attention.B={diagonal = [1, 2, 3]}", "attention.beta={times = [0, 2], values = [1, 5]}"],
        ["attention.Q={random = 'gaussian', rows = 2}", "attention.K={random = 'uniform', rows = 2}"],
        ["attention.slope=0.5", "attention.positions=[1, 2, 3, 4, 5, 6]"],
        ["flow.feed_forward={w = 0.1, activation = 'tanh'}", "flow.normalisation=ngpt", "flow.alpha=0.5"],
        [
            "tokens={kind = 'mixture', n = 8, weights = [0.5, 0.5], means = [[0, 1], [1, 0]], covs = [0.1, [[1, 0], [0, 1]]]}"
        ],
        ["tokens={kind = 'quantiles', n = 5, law = 'gamma', parameters = {a = 2}}", "flow.space=euclidean"],
        ["tokens={kind = 'quadrature', n = 9, low = -4, high = 4}", "flow.space=euclidean"],
        ["tokens={kind = 'array', x = [[1, 2], [3, 4]], mass = [1, 3]}", "title='a \"b\" \\\\ ü'"],
    ],
)
def test_every_form_of_value_survives_writing_and_moves_tokens(settings):
    made = small(*settings)
    assert loads(dumps(made)) == made
    flow, mu, _ = build(made)
    assert np.all(np.isfinite(velocity(flow, mu)))


def test_a_course_in_time_is_a_straight_line_between_its_values():
    flow, mu, _ = build(small("attention.beta={times = [0, 2], values = [1, 5]}"))
    fixed, _, _ = build(small("attention.beta=3"))
    np.testing.assert_allclose(velocity(flow, mu, t=1.0), velocity(fixed, mu), rtol=1e-13)


def test_adding_a_random_matrix_shifts_no_other_draw():
    alone, mu, _ = build(small("attention.B={random = 'gaussian'}"))
    both, nu, _ = build(small("attention.B={random = 'gaussian'}", "flow.V={random = 'gaussian'}"))
    assert_array_equal(mu.x, nu.x)
    assert_array_equal(alone.attention.score.weights, both.attention.score.weights)
    assert not np.array_equal(both.V, both.attention.score.weights)
    other, omega, _ = build(small("attention.B={random = 'gaussian'}", "seed=1"))
    assert not np.array_equal(other.attention.score.weights, alone.attention.score.weights)
    assert not np.array_equal(omega.x, mu.x)


def test_saved_times_may_be_denser_early():
    _, _, options = build(small("time.spacing=2", "time.save=5", "time.until=8"))
    np.testing.assert_allclose(options["save"], [0, 0.5, 2, 4.5, 8], rtol=1e-15)
    assert "spacing" not in options and build(small("time.save=5"))[2]["save"] == 5


@pytest.mark.parametrize("random", ["goe", "psd", "orthogonal"])
def test_ensembles_are_what_they_say(random):
    V = np.asarray(build(small(f"flow.V={{random = '{random}', scale = 2}}"))[0].V)
    if random == "orthogonal":
        np.testing.assert_allclose(V @ V.T, 4 * np.eye(3), atol=1e-14)
    else:
        assert_array_equal(V, V.T)
    if random == "psd":
        assert np.linalg.eigvalsh(V).min() >= 0


def test_another_kind_of_prompt_keeps_the_parameters_it_knows():
    made = with_values(
        from_dict(SMALL | {"tokens": SMALL["tokens"] | {"sampling": "sobol"}}),
        ["tokens.kind=equiangular", "tokens.cos=0.1"],
    )
    assert made.tokens.parameters == {"n": 6, "d": 3, "cos": 0.1}


def test_tables_of_names_agree_with_the_engine():
    """Every key a rule or prompt takes is one of its arguments, and every argument can be given."""
    for name, keys in data.RULE_KEYS.items():
        assert set(keys) <= set(inspect.signature(building.RULES[name]).parameters), name
    for name, kind in KINDS.items():
        if name in ADAPTERS:
            continue
        known = set(inspect.signature(getattr(initial, kind.function)).parameters) - {"seed", "density"}
        assert set(kind.own) | {"mass"} == known | {"mass"}, name
    assert set(data.METHODS) == set(METHODS)
    assert set(data.SCHEMES) == set(building.SCHEMES)
    assert {scheme.__name__ for scheme in building.SCHEMES.values()} <= set(vars(schemes))
    assert set(ACTIVATIONS) == set(data.ACTIVATIONS)


def test_reading_needs_no_engine():
    import subprocess
    import sys

    code = "import sys; from attnflow import scenario; scenario.loads('seed = 1'); print('jax' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False"
    assert scenario.Scenario().seed == 0


def test_the_page_on_scenarios_names_every_key():
    page = (Path(__file__).parents[2] / "docs" / "scenarios.md").read_text()
    parts = (
        data.Rule,
        data.Attention,
        data.FeedForward,
        data.Motion,
        data.Time,
        data.Output,
        data.Scenario,
        *FORMS.values(),
    )
    keys = {field.name for one in parts for field in dataclasses.fields(one)}
    keys |= set(data.RULE_KEYS) | set(data.SCHEMES) | set(data.METHODS) | set(ENSEMBLES)
    keys |= set(KINDS) | {name for kind in KINDS.values() for name in kind.readers}
    assert not [key for key in sorted(keys) if not re.search(rf"\b{key}\b", page)]


STATED = (
    "sphere n=5 d=4", "polygon n=5", "circle_nodes n=6", "quadrature n=5 low=-1 high=1", "quantiles n=4", "simplex d=3",
    "quantiles n=4 circle=true", "sphere_nodes rings=3 azimuths=4", "cross_polytope d=3", "icosahedron", "cell_600", "law d=2",
    "mixture n=4 weights=[1] means=[[0,1]] covs=[1.0]", "array x=[[1,2],[3,4],[5,6]]", "caps n=6 d=3 centres=2 eps=0.1",
)  # fmt: skip


@pytest.mark.parametrize("words", STATED)
def test_sizes_are_known_before_anything_is_made(words):
    kind, *given = words.split()
    given = {name: json.loads(value) for name, value in (each.split("=") for each in given)}
    told = from_dict({"tokens": {"kind": kind, **given}})
    mu, cost = build_tokens(told), estimate(told)
    assert (cost.n, cost.d) == (getattr(mu, "n", 1), mu.d)
