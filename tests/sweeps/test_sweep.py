"""A sweep is its store: whoever computes it, in whatever order, the numbers are those of single runs, bit for bit."""

import json

import numpy as np
import pytest
import xarray as xr
from numpy.testing import assert_allclose

import attnflow as af
from attnflow.experiments.sweeps.picture import summarised, sweep_figure
from attnflow.experiments.sweeps.plan import PAIRS, part_size
from attnflow.experiments.sweeps.result import table
from attnflow.experiments.sweeps.run import plan_sweep, run_sweep
from attnflow.interfaces.cli import execute
from attnflow.interfaces.report.pages import as_markdown
from attnflow.interfaces.report.sweep import summary_rows, sweep_story

SMALL = {"tokens": {"n": 6, "d": 2}, "time": {"until": 2.0, "save": 5}}
AXES = {"attention.beta": [0.5, 1.0, 2.0], "time.tol": [1e-8, 1e-9], "seed": range(2)}
MEASURE = ["clusters(tol=0.05)", "cosine(t)", "time_to(cosine>=0.5)"]


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    return tmp_path_factory.mktemp("stores")


@pytest.fixture(scope="module")
def plan():
    return plan_sweep(SMALL, AXES, measure=MEASURE)


@pytest.fixture(scope="module")
def serial(plan, stores):
    return run_sweep(plan, stores / "serial", on="serial").dataset


def files(folder):
    """Every byte that a sweep stores."""
    kept = [
        file for place in ("parts", "result.zarr") for file in sorted((folder / place).rglob("*")) if file.is_file()
    ]
    return {str(file.relative_to(folder)): file.read_bytes() for file in kept}


def test_cells_are_the_single_runs(serial):
    for beta, tol, seed in ((0.5, 1e-8, 0), (2.0, 1e-9, 1)):
        flow = af.Flow(af.Sphere(), af.Softmax(beta=beta))
        run = af.evolve(flow, af.uniform_sphere(6, 2, seed=seed), until=2.0, save=5, tol=tol)
        cell = serial.sel({"attention.beta": beta, "time.tol": tol, "seed": seed})
        # A batch adds up in another order than a single run; both are far below the tolerance of 1e-8.
        np.testing.assert_allclose(cell["cosine(t)"][-1], af.cosines(run.last).mean, atol=1e-9)
        assert cell["clusters(tol=0.05)"] == af.clusters(run.last, tol=0.05).count
        course = np.asarray(cell["cosine(t)"])
        reached = np.flatnonzero(course >= 0.5)
        assert cell["time_to(cosine>=0.5)"] == (run.ts[reached[0]] if len(reached) else np.inf)


def test_shards_leave_the_same_bytes(plan, serial, stores):
    for i in (2, 1):
        swept = run_sweep(plan, stores / "shards", on="serial", shard=(i, 2))
        assert swept.is_whole == (i == 1)
    assert files(stores / "shards") == files(stores / "serial")


def test_a_stopped_driver_goes_on_to_the_same_bytes(plan, serial, stores):
    class Stop(Exception):
        pass

    def stop(done, total):
        if done == 1:
            raise Stop

    with pytest.raises(Stop):
        run_sweep(plan, stores / "stopped", on="serial", report=stop)
    assert len(list((stores / "stopped" / "parts").iterdir())) == 1
    run_sweep(plan, stores / "stopped", on="serial")
    assert files(stores / "stopped") == files(stores / "serial")
    swept = run_sweep(plan, stores / "budget", on="serial", budget=1e-9)
    assert swept.outcome.left == len(plan.parts) and not swept.is_whole


def test_data_are_labelled_and_carry_their_origin(serial):
    assert serial.sizes == {"attention.beta": 3, "time.tol": 2, "seed": 2, "time": 5}
    assert json.loads(serial.attrs["failed"]) == {} and "[tokens]" in serial.attrs["scenario"]
    assert serial["cosine(t)"].attrs["long_name"].startswith("mean cosine")
    stored = json.loads(serial.attrs["versions"])
    assert stored["attnflow"] == af.__version__


def test_parts_fit_the_cache():
    for n in (2, 10, 64, 500):
        size = part_size(af.scenario.from_dict({"tokens": {"n": n, "d": 3}}))
        assert size == 1 or size * n**2 <= PAIRS


def test_a_blow_up_is_a_value_with_a_status():
    table = {
        "tokens": {"n": 3, "d": 1, "kind": "gaussian"}, "flow": {"space": "euclidean"},
        "attention": {"rule": "unnormalised"}, "time": {"until": 5.0, "save": 3},
    }  # fmt: skip
    found = af.sweep(table, {"attention.beta": [0.0, 2.0]}, measure=["largest"], on="serial")
    assert [af.Status.NAMES[c] for c in found["status"].values] == ["DONE", "BLOW_UP"]
    assert found["status_time"][1] < 5 and json.loads(found.attrs["failed"]) == {}


@pytest.fixture(scope="module")
def exploding():
    """Tokens on the line: all, one or none of three seeds come to the end."""
    table = {
        "tokens": {"n": 3, "d": 1, "kind": "gaussian"}, "flow": {"space": "euclidean"},
        "attention": {"rule": "unnormalised"}, "time": {"until": 1.0, "save": 3},
    }  # fmt: skip
    measure = ["largest", "largest(t)", "time_to(largest>=3)"]
    axes = {"attention.beta": [0.0, 1.0], "flow.V": [0.5, 1.0]}
    return af.sweep(table, axes, measure=measure, repeat=3, on="serial")


def test_means_are_over_runs_that_finished(exploding):
    names, rows = summary_rows(exploding)
    said = {row[:2]: dict(zip(names, row)) for row in rows}
    alone = exploding.sel({"attention.beta": 1.0, "flow.V": 0.5})
    ended = alone["finished"].values
    assert ended.sum() == 1 and np.isfinite(alone["largest"].values[~ended]).any()
    assert said["1", "0.5"]["largest"] == f"{float(alone['largest'].values[ended][0]):.4g} (1 of 3 runs)"
    assert said["1", "1"]["largest"] == "– (no run finished)" and "±" in said["0", "1"]["largest"]
    reached = exploding["time_to(largest>=3)"].sel({"attention.beta": 1.0, "flow.V": 1.0})
    assert said["1", "1"]["time_to(largest>=3)"].split()[0] == f"{float(np.median(reached)):.4g}"
    assert table(exploding)["finished"].sum() == 7
    report = as_markdown(sweep_story(exploding, {}))
    assert "left out" in report and "1 of 3 runs" in report


def test_pictures_mark_what_they_leave_out(exploding):
    heat, courses, _ = sweep_figure(exploding).axes[:3]
    assert sum(text.get_text() == "†" for text in heat.texts) == 2
    assert np.isnan(heat.collections[0].get_array().data[1, 1])
    alone = exploding.sel({"attention.beta": 1.0, "flow.V": 0.5})
    assert_allclose(courses.lines[-1].get_ydata(), alone["largest(t)"].values[alone["finished"].values][0])
    curve = sweep_figure(exploding.sel({"flow.V": [1.0]}))
    assert [text.get_position()[0] for text in curve.axes[0].texts if text.get_text() == "†"] == [1.0]
    assert curve.get_supxlabel() == "† without runs that did not finish: 3 of 6"


def test_intervals_of_few_seeds_are_those_of_student():
    rng = np.random.default_rng(0)
    values = xr.DataArray(rng.normal(size=(4000, 3)), dims=("case", "seed"), coords={"case": np.arange(4000)})
    _, low, high, _ = summarised(values, ["case"])
    # 4000 intervals of 95 %: the share that holds the true mean 0 has a standard error of 0.0034.
    assert abs(np.mean((low < 0) & (high > 0)) - 0.95) < 0.014


def half(run):
    """Half the number of tokens, which seed 1 refuses to tell."""
    if float(run.x[0, 0, 0]) == float(af.uniform_sphere(6, 2, seed=1).x[0, 0]):
        raise RuntimeError("no answer")
    return run.x.shape[1] / 2


def test_a_function_that_raises_costs_its_cell_only():
    found = af.sweep(SMALL, {"seed": range(6)}, measure=[half], on="serial")
    assert found["half"].values[[0, 2]].tolist() == [3.0, 3.0] and np.isnan(found["half"][1])
    assert json.loads(found.attrs["failed"]) == {"1": "half: RuntimeError: no answer"}


def test_paired_axes_share_a_dimension():
    axes = {"attention.beta": np.arange(6.0), "flow.V": [1.0, -1.0, 0.5, 2.0, 3.0, 4.0]}
    found = af.sweep(SMALL, axes, paired=[["attention.beta", "flow.V"]], measure="cosine(t)", on="serial")
    assert found["cosine(t)"].dims == ("attention.beta", "time") and found["flow.V"].values[1] == -1.0


BAD = {
    "attention.betta": ({"attention.betta": [1]}, {}, "did you mean beta"),
    "value": ({"attention.beta": ["hot"]}, {}, "attention.beta"),
    "observable": ({"seed": [0]}, {"measure": ["cluster"]}, "did you mean clusters"),
    "level": ({"seed": [0]}, {"measure": ["time_to(clusters<=e)"]}, "time_to(clusters<=1)"),
    "claim": ({"seed": [0]}, {"measure": ["check(nobody2020.theorem1)"]}, "nobody2020"),
    "pairs": ({"attention.beta": [1, 2], "seed": [0]}, {"paired": [["attention.beta", "seed"]]}, "different lengths [2, 1]"),
    "many": ({"seed": range(10**5), "attention.beta": {"linspace": [1, 2, 10**4]}}, {}, "1.0e+09 cells"),
    "huge": ({"seed": range(10**9)}, {}, "too many values"),
    "empty": ({"seed": []}, {}, "no values"),
    "nothing": ({}, {}, "at least one axis"),
    "twice": ({"attention.beta": [1, 1]}, {}, "twice"),
    "memory": ({"tokens.n": [10**9]}, {}, "memory"),
    "engine": ({"seed": [0]}, {"on": "ray"}, "processes"),
    "cluster": ({"seed": [0]}, {"on": "dask:nowhere"}, "no scheduler answers"),
    "energy": ({"seed": [0]}, {"measure": ["energy"], "scenario": {"attention": {"rule": "hardmax"}}}, "energy"),
    "clock": ({"time.until": [1.0, 2.0]}, {"measure": ["cosine(t)"]}, "one clock"),
    "lambda": ({"seed": [0]}, {"measure": [lambda run: 0], "on": "processes"}, "cannot be sent"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_line_before_any_work(name, tmp_path, monkeypatch):
    monkeypatch.setattr("attnflow.experiments.sweeps.engines.CONNECT", 0.2)
    axes, options, words = BAD[name]
    if name == "cluster":
        pytest.importorskip("distributed")
    options = dict(options)
    scenario = SMALL | options.pop("scenario", {})
    with pytest.raises(af.BadInput) as caught:
        af.sweep(scenario, axes, out=tmp_path / "out", **options)
    assert words in str(caught.value) and len(str(caught.value)) <= 200
    assert not list(tmp_path.rglob("*.npz"))


FILE = """
title = "small"
[tokens]
n = 6
d = 2
[time]
until = 2.0
save = 5
[sweep]
measure = ["cosine", "own.py:last"]
repeat = 2
axes.attention.beta = { logspace = [1, 4, 3] }
"""


def test_the_command_line_sweeps_tells_and_goes_on(tmp_path, capsys):
    file, out = tmp_path / "s.toml", tmp_path / "out"
    file.write_text(FILE)
    (tmp_path / "own.py").write_text("def last(run):\n    return float(run.ts[-1])\n")
    command = ["sweep", str(file), "--out", str(out), "--on", "serial", "--json"]
    assert execute([*command, "--shard", "2/2"]) == 0
    assert execute(["info", str(out), "--json"]) == 0
    told = capsys.readouterr().out
    assert '"gathered": false' in told
    assert execute(command) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["cells"] == 6 and told["whole"] and [row["attention.beta"] for row in told["rows"]] == ["1", "2", "4"]
    assert (out / "table.csv").read_text().splitlines()[
        0
    ] == "attention.beta,seed,cosine,last,status,status_time,finished"
    assert af.store.load(out)["last"].values.tolist() == [[2.0, 2.0]] * 3
    assert b"PNG" in (out / "figure.png").read_bytes()[:8] and "What came out" in (out / "report.md").read_text()
    assert execute([*command, "--over", "attention.beta=1,2"]) == 2
    assert "holds another sweep" in capsys.readouterr().err


def test_slurm_is_a_script_that_can_be_submitted_again(tmp_path, capsys):
    assert (
        execute(["sweep", "default", "--over", "seed=0:8", "--on", "slurm", "--shards", "4", "--out", "o", "--json"])
        == 0
    )
    script = json.loads(capsys.readouterr().out)["script"].splitlines()
    assert script[0] == "#!/bin/bash" and "#SBATCH --array=1-4" in script
    assert (
        script[-1] == "srun attnflow sweep default --out o --over seed=0:8 --on serial --shard $SLURM_ARRAY_TASK_ID/4"
    )


@pytest.mark.parametrize(
    ("words", "values"),
    [("1:9:3", [1, 5, 9]), ("0:3", [0, 1, 2]), ("log:1:100:3", [1, 10, 100]), ("1,2,4", [1, 2, 4]),
     ("relu,linear", ["relu", "linear"])],
)  # fmt: skip
def test_spans(words, values):
    from attnflow.experiments.sweeps.axes import read_span

    found = read_span(words, "key")
    assert list(found) == values if isinstance(values[0], str) else np.allclose(list(found), values)
