"""What version 0.2 stored still opens: a run, a sweep, and a run that was killed after three of its chunks.

The fixtures were written by version 0.2.0 from `six.toml` (the sweep over β and the seed); they are never written anew.
"""

import shutil
from pathlib import Path

import numpy as np
import xarray as xr
from numpy.testing import assert_allclose, assert_array_equal

import attnflow as af
from attnflow.interfaces.cli import main

STORED = Path(__file__).parent / "stored_by_0_2"


def command(monkeypatch, *words) -> int:
    monkeypatch.setattr("sys.argv", ["attnflow", *map(str, words)])
    try:
        main()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def test_a_run_loads_with_its_flow_and_is_checked(monkeypatch):
    run = af.load_run(STORED / "run")
    assert run.status.name == "DONE" and run.x.shape == (9, 6, 3)
    again = af.evolve(run.flow, af.Particles(run.x[0]), until=4.0, save=9, method="rk4", step=0.002)
    assert_allclose(run.x, again.x, rtol=0, atol=1e-13)
    assert command(monkeypatch, "check", STORED / "run") == 0


def test_a_sweep_loads():
    found = xr.open_zarr(STORED / "sweep" / "result.zarr")
    assert found.sizes == {"attention.beta": 2, "seed": 2}
    assert_array_equal(found["clusters"], 6)
    assert np.isfinite(found["energy"].values).all()


def test_an_unfinished_run_goes_on_or_is_refused_in_one_line(monkeypatch, tmp_path, capsys):
    out = tmp_path / "unfinished"
    shutil.copytree(STORED / "unfinished", tmp_path / ".unfinished.attnflow-partial")
    code = command(monkeypatch, "run", STORED / "six.toml", "--out", out)
    if code == 0:  # the same versions of attnflow and of what it computes with
        # Rounding differs with the options of the compiler; the same ones give the same digits (test_killed_runs).
        assert_allclose(af.load_run(out).x, af.load_run(STORED / "run").x, rtol=0, atol=1e-13)
    else:
        said = capsys.readouterr().err.strip()
        assert code == 2 and "another version" in said and "--fresh" in said and len(said.splitlines()) == 1
